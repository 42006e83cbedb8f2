package stride

import (
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// DefaultRate is how many samples a second a Job takes. A run touches the ground
// for a fifth of a second; this many tell its touch and lift to 2 ms.
const DefaultRate = 240

// The fewest and the most frames of a clip.
const (
	leastFrames = 240
	mostFrames  = 1 << 15
)

// Job measures one clip on one skinned character. Clip, Skeleton and Soles are only
// read.
type Job struct {
	Clip     *animation.Clip
	Skeleton *animation.Skeleton
	Soles    []ground.Sole // as ground.FindSoles finds them
	Rate     float64       // samples a second, at least 120; 0 is DefaultRate
}

// Validate reports whether Run can work.
func (j *Job) Validate() error {
	switch {
	case j.Clip == nil || j.Skeleton == nil:
		return fmt.Errorf("%w: stride needs a clip and a skeleton", animation.ErrJob)
	case len(j.Soles) == 0:
		return fmt.Errorf("%w: stride of clip %q: no soles", animation.ErrJob, j.Clip.Name)
	case j.Clip.Additive:
		return fmt.Errorf("%w: stride of clip %q: it is additive, and steps only upon another", animation.ErrJob, j.Clip.Name)
	case j.Rate != 0 && !(j.Rate >= 120 && j.Rate <= 1e5):
		return fmt.Errorf("%w: stride of clip %q: %v samples a second", animation.ErrJob, j.Clip.Name, j.Rate)
	}
	for i := range j.Soles {
		if err := j.Soles[i].Fits(j.Skeleton); err != nil {
			return fmt.Errorf("stride of clip %q: %w", j.Clip.Name, err)
		}
	}
	if err := j.Clip.Validate(j.Skeleton); err != nil {
		return err
	}
	for i := range j.Clip.Tracks {
		tr := &j.Clip.Tracks[i]
		for _, x := range tr.Values {
			if x-x != 0 {
				return fmt.Errorf("%w: stride of clip %q: joint %q is %v in one of its keys", animation.ErrJob, j.Clip.Name, j.Skeleton.Names[tr.Joint], x)
			}
		}
	}
	return nil
}

// Run measures. It samples the clip some hundred times: a few milliseconds.
func (j *Job) Run() (Report, error) {
	m, turned, err := j.motion()
	if err != nil {
		return Report{}, err
	}
	r, err := Measure(m)
	if err != nil {
		return r, err
	}
	if degrees := turned * 180 / math.Pi; !r.Steps && math.Abs(degrees) > mostTurn {
		r.Why = fmt.Sprintf("it turns by %.0f°, and steps are measured along one way", math.Abs(degrees))
	}
	r.compare(j.Clip)
	return r, nil
}

// mostTurn is how far a clip may turn about before that is why it has no steps along
// a line, degrees.
const mostTurn = 45

// moved are the soles that the clip moves; those of a second body in the file that it
// leaves alone say nothing of it. Where it moves none they are all.
func (j *Job) moved() []ground.Sole {
	tracked := make([]bool, j.Skeleton.Len())
	for i := range j.Clip.Tracks {
		if tr := &j.Clip.Tracks[i]; tr.Path != animation.Weights {
			tracked[tr.Joint] = true
		}
	}
	var out []ground.Sole
	for i := range j.Soles {
		if slices.ContainsFunc(j.Soles[i].Influences, func(n ground.Influence) bool {
			for k := n.Joint; k >= 0; k = j.Skeleton.Parents[k] {
				if tracked[k] {
					return true
				}
			}
			return false
		}) {
			out = append(out, j.Soles[i])
		}
	}
	if len(out) == 0 {
		return j.Soles
	}
	return out
}

// Motion is where the clip has the soles. Root motion that was extracted from the
// clip is back in it.
func (j *Job) Motion() (Motion, error) {
	m, _, err := j.motion()
	return m, err
}

// motion also tells how far the body turns over the clip, radians about +Y.
func (j *Job) motion() (Motion, float64, error) {
	if err := j.Validate(); err != nil {
		return Motion{}, 0, err
	}
	soles := j.moved()
	clip := j.Clip.With(j.Clip.Tracks)
	clip.Root = nil
	rate := j.Rate
	if rate == 0 {
		rate = DefaultRate
	}
	n := min(max(int(math.Ceil(rate*float64(clip.Duration))), leastFrames), mostFrames)
	pose := animation.NewPose(j.Skeleton)
	model := make([]mgl32.Mat4, j.Skeleton.Len())
	pose.ToModel(j.Skeleton, model)
	m := Motion{Clip: clip.Name, Duration: float64(clip.Duration), Leg: leg(soles, model)}
	for i := range soles {
		m.Feet = append(m.Feet, Path{Name: soles[i].Name, Frames: make([][]mgl32.Vec3, n+1)})
	}
	sample := animation.SamplingJob{Clip: clip, Skeleton: j.Skeleton, Cursors: make([]int32, len(clip.Tracks)), Out: pose}
	turned, last, known := 0.0, 0.0, false
	for i := range n + 1 {
		sample.Time = float32(float64(clip.Duration) * float64(i) / float64(n))
		if err := sample.Run(); err != nil {
			return Motion{}, 0, err
		}
		pose.ToModel(j.Skeleton, model)
		for k := range soles {
			points := make([]mgl32.Vec3, soles[k].Len())
			soles[k].Points(model, points)
			m.Feet[k].Frames[i] = points
		}
		if at, ok := hips(soles, model); ok {
			m.Hips = append(m.Hips, at)
			now, wide := across(soles, model)
			if wide && known {
				turned += math.Remainder(now-last, 2*math.Pi)
			}
			if wide {
				last, known = now, true
			}
		}
	}
	return m, turned, nil
}

// across is which way the line from one hip to another lies, radians about +Y; ok is
// false where it stands on end.
func across(soles []ground.Sole, model []mgl32.Mat4) (at float64, ok bool) {
	d := model[soles[len(soles)-1].Hip].Col(3).Sub(model[soles[0].Hip].Col(3))
	return math.Atan2(float64(d[0]), float64(d[2])), math.Hypot(float64(d[0]), float64(d[2])) > 1e-3*float64(soles[0].Height)
}

// hips is the middle of the hips.
func hips(soles []ground.Sole, model []mgl32.Mat4) (mgl32.Vec3, bool) {
	var sum mgl32.Vec3
	for i := range soles {
		if soles[i].Hip < 0 {
			return sum, false
		}
		sum = sum.Add(model[soles[i].Hip].Col(3).Vec3())
	}
	return sum.Mul(1 / float32(len(soles))), true
}

// leg is how long legs are at rest, from hip to sole, a mean. A foot without a leg
// counts half the body's height.
func leg(soles []ground.Sole, model []mgl32.Mat4) float64 {
	sum := 0.0
	for i := range soles {
		s := &soles[i]
		long := float64(s.Height) / 2
		if s.Hip >= 0 {
			if h := float64(model[s.Hip][13] - s.Level); h > 0.1*float64(s.Height) {
				long = h
			}
		}
		sum += long / float64(len(soles))
	}
	return sum
}

// compare holds what else gives a speed against the measured one.
func (r *Report) compare(clip *animation.Clip) {
	if !r.Steps {
		return
	}
	if along := (mgl32.Vec3{r.Travel[0], 0, r.Travel[2]}); !r.InPlace {
		r.Formula = &Formula{From: "root motion", Speed: float64(along.Len()) / r.Duration}
	} else if clip.Speed > 0 {
		r.Formula = &Formula{From: "the clip's own speed_m_s", Speed: float64(clip.Speed)}
	} else {
		return
	}
	r.Formula.Difference = (r.Formula.Speed - r.Speed) / r.Speed
}
