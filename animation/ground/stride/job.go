package stride

import (
	"fmt"
	"math"

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
	return j.Clip.Validate(j.Skeleton)
}

// Run measures. It samples the clip some hundred times: a few milliseconds.
func (j *Job) Run() (Report, error) {
	m, err := j.Motion()
	if err != nil {
		return Report{}, err
	}
	r, err := Measure(m)
	if err != nil {
		return r, err
	}
	r.compare(j.Clip)
	return r, nil
}

// Motion is where the clip has the soles. Root motion that was extracted from the
// clip is back in it.
func (j *Job) Motion() (Motion, error) {
	if err := j.Validate(); err != nil {
		return Motion{}, err
	}
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
	m := Motion{Clip: clip.Name, Duration: float64(clip.Duration), Leg: leg(j.Soles, model)}
	for i := range j.Soles {
		m.Feet = append(m.Feet, Path{Name: j.Soles[i].Name, Frames: make([][]mgl32.Vec3, n+1)})
	}
	sample := animation.SamplingJob{Clip: clip, Skeleton: j.Skeleton, Cursors: make([]int32, len(clip.Tracks)), Out: pose}
	for i := range n + 1 {
		sample.Time = float32(float64(clip.Duration) * float64(i) / float64(n))
		if err := sample.Run(); err != nil {
			return Motion{}, err
		}
		pose.ToModel(j.Skeleton, model)
		for k := range j.Soles {
			points := make([]mgl32.Vec3, j.Soles[k].Len())
			j.Soles[k].Points(model, points)
			m.Feet[k].Frames[i] = points
		}
		if at, ok := hips(j.Soles, model); ok {
			m.Hips = append(m.Hips, at)
		}
	}
	return m, nil
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
