package reduce

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Job reduces one clip.
type Job struct {
	Clip     *animation.Clip
	Skeleton *animation.Skeleton
	// Tolerance is the error that is allowed, in metres of model space.
	Tolerance float32
	// Reach is by joint how far skin lies from it, in metres; nil is DefaultReach
	// for all. It counts where it is more than the way to the joint's children.
	Reach []float32
	// WeightTolerance is the error allowed of morph weights; 0 is none.
	WeightTolerance float32
	Quantise        bool // store values in 16 bits
}

// DefaultReach is how far skin is taken to lie from a joint, in metres.
const DefaultReach = 0.03

// Report says what a Job did.
type Report struct {
	// Channels are tracks. A Job drops none, whatever it drops of their keys: a joint
	// without a track would rest instead.
	ChannelsBefore, ChannelsAfter int
	KeysBefore, KeysAfter         int // of all tracks
	BytesBefore, BytesAfter       int // of times and values; shared times count once
	// Error is the greatest distance, in metres, between a point of the clip and of
	// its reduction: of joint Joint at Time.
	Error       float32
	Joint       string
	Time        float32
	WeightError float32 // the greatest of morph weights
}

// Ratio is how many times smaller the clip is.
func (r Report) Ratio() float32 { return float32(r.BytesBefore) / float32(max(r.BytesAfter, 1)) }

func (r Report) String() string {
	text := fmt.Sprintf("%d of %d keys, %d of %d bytes (%.1f times smaller), ",
		r.KeysAfter, r.KeysBefore, r.BytesAfter, r.BytesBefore, r.Ratio())
	if r.ChannelsAfter != r.ChannelsBefore {
		text = fmt.Sprintf("%d of %d channels, ", r.ChannelsAfter, r.ChannelsBefore) + text
	}
	if r.Error == 0 {
		return text + "exact"
	}
	return text + fmt.Sprintf("off by %.3g mm at %q, %.3g s", 1000*r.Error, r.Joint, r.Time)
}

// Validate reports whether Run can work.
func (j *Job) Validate() error {
	if j.Clip == nil || j.Skeleton == nil {
		return fmt.Errorf("%w: reducing needs a clip and a skeleton", animation.ErrJob)
	}
	if !(j.Tolerance >= 0) || !(j.WeightTolerance >= 0) || math.IsInf(float64(j.Tolerance), 0) {
		return fmt.Errorf("%w: reducing to %v m, weights to %v", animation.ErrJob, j.Tolerance, j.WeightTolerance)
	}
	if j.Reach != nil && len(j.Reach) != j.Skeleton.Len() {
		return fmt.Errorf("%w: reducing with %d reaches for %d joints", animation.ErrJob, len(j.Reach), j.Skeleton.Len())
	}
	return j.Clip.Validate(j.Skeleton)
}

// Run reduces the clip. The measured error is within Tolerance: where 16 bits are
// not enough for it values stay as they are, and in the end so do all keys.
func (j *Job) Run() (*Compact, Report, error) {
	if err := j.Validate(); err != nil {
		return nil, Report{}, err
	}
	m := newMeasure(j)
	var (
		best   *Compact
		report Report
	)
	try := func(part float32, quantise bool) bool {
		c := compact(j.Clip, j.reduced(part, m), quantise)
		r := m.compare(c.Expand())
		best, report = c, r
		return r.Error <= j.Tolerance && r.WeightError <= j.WeightTolerance
	}
	// Errors along a chain of joints add up, so each has a part of the tolerance.
	done := false
	for part := float32(0.5); part > 0.01 && !done; part *= 0.6 {
		done = try(part, j.Quantise)
	}
	if !done && j.Quantise {
		for part := float32(0.5); part > 0.01 && !done; part *= 0.6 {
			done = try(part, false)
		}
	}
	if !done {
		try(-1, false)
	}
	for i := range j.Clip.Tracks {
		report.KeysBefore += len(j.Clip.Tracks[i].Times)
	}
	for i := range best.tracks {
		report.KeysAfter += best.tracks[i].keys
	}
	report.ChannelsBefore, report.ChannelsAfter = len(j.Clip.Tracks), len(best.tracks)
	report.BytesBefore, report.BytesAfter = rawBytes(j.Clip.Tracks), best.Bytes()
	return best, report, nil
}

// reduced is the clip's tracks with fewer keys, each joint with a part of the
// tolerance. A negative part keeps every key.
func (j *Job) reduced(part float32, m *measure) []animation.Track {
	out := make([]animation.Track, len(j.Clip.Tracks))
	for i := range j.Clip.Tracks {
		tr := &j.Clip.Tracks[i]
		var allowed float32
		switch tr.Path {
		case animation.Translation:
			allowed = part * j.Tolerance / max(m.scale[tr.Joint], 1e-9)
		case animation.Rotation, animation.Scale:
			allowed = part * j.Tolerance / max(m.lever[tr.Joint], 1e-9)
		default:
			allowed = part * j.WeightTolerance
		}
		out[i] = *tr
		if part >= 0 {
			out[i] = decimate(tr, allowed)
		}
	}
	return out
}

// measure compares a reduction with its clip.
type measure struct {
	job         *Job
	clip        *animation.Clip
	times       []float32
	lever       []float32 // by joint: metres from it to the farthest point that it moves, at rest
	scale       []float32 // by joint: metres of model space a unit of its parent's
	leaf        []float32 // by joint: metres to the points about it
	a, b        *animation.Pose
	ma, mb      []mgl32.Mat4
	cursorsA    []int32
	restInverse []float32 // by joint: units of its own a metre
}

// maxSamples bounds how many times a clip is compared at.
const maxSamples = 4096

func newMeasure(j *Job) *measure {
	s := j.Skeleton
	n := s.Len()
	m := &measure{
		job: j, clip: still(j.Clip), lever: make([]float32, n), scale: make([]float32, n), leaf: make([]float32, n),
		a: animation.NewPose(s), b: animation.NewPose(s), ma: make([]mgl32.Mat4, n), mb: make([]mgl32.Mat4, n),
		cursorsA: make([]int32, len(j.Clip.Tracks)), restInverse: make([]float32, n),
	}
	rest := make([]mgl32.Mat4, n)
	animation.NewPose(s).ToModel(s, rest)
	for k := n - 1; k >= 0; k-- {
		m.leaf[k] = DefaultReach
		if j.Reach != nil {
			m.leaf[k] = j.Reach[k]
		}
		m.lever[k] = max(m.lever[k], m.leaf[k])
		m.restInverse[k] = 1 / max(norm(&rest[k]), 1e-9)
		m.scale[k] = 1
		if p := s.Parents[k]; p >= 0 {
			m.scale[k] = norm(&rest[p])
			m.lever[p] = max(m.lever[p], m.lever[k]+rest[k].Col(3).Vec3().Sub(rest[p].Col(3).Vec3()).Len())
		}
	}
	m.times = sampleTimes(j.Clip)
	return m
}

// still is the clip without root motion, which would hide the root's error.
func still(c *animation.Clip) *animation.Clip {
	out := c.With(c.Tracks)
	out.Root = nil
	return out
}

// norm is the length of a matrix's longest column.
func norm(m *mgl32.Mat4) float32 {
	return max(m.Col(0).Vec3().Len(), m.Col(1).Vec3().Len(), m.Col(2).Vec3().Len())
}

// sampleTimes are every key's time and the middles between, or where there are too
// many evenly spaced ones.
func sampleTimes(c *animation.Clip) []float32 {
	seen := map[float32]bool{0: true}
	for i := range c.Tracks {
		for k, t := range c.Tracks[i].Times {
			seen[t] = true
			if k > 0 {
				seen[(t+c.Tracks[i].Times[k-1])/2] = true
			}
		}
		if len(seen) > maxSamples {
			break
		}
	}
	var out []float32
	if len(seen) <= maxSamples {
		for t := range seen {
			out = append(out, t)
		}
		return out
	}
	for i := range maxSamples {
		out = append(out, c.Duration*float32(i)/(maxSamples-1))
	}
	return out
}

// compare measures the error of a reduction.
func (m *measure) compare(c *animation.Clip) Report {
	var r Report
	c = still(c)
	s := m.job.Skeleton
	cursors := make([]int32, len(c.Tracks))
	for _, t := range m.times {
		a := animation.SamplingJob{Clip: m.clip, Skeleton: s, Time: t, Cursors: m.cursorsA, Out: m.a}
		b := animation.SamplingJob{Clip: c, Skeleton: s, Time: t, Cursors: cursors, Out: m.b}
		if a.Run() != nil || b.Run() != nil { // both were validated
			r.Error = float32(math.Inf(1))
			return r
		}
		for i := range m.a.Weights {
			r.WeightError = max(r.WeightError, abs(m.a.Weights[i]-m.b.Weights[i]))
		}
		m.a.ToModel(s, m.ma)
		m.b.ToModel(s, m.mb)
		for j := range m.ma {
			if e := m.off(j); !(e <= r.Error) {
				r.Error, r.Joint, r.Time = e, s.Names[j], t
			}
		}
	}
	return r
}

// off is the greatest distance of a joint, and of the points about it, between the
// two poses. Its children are joints themselves.
func (m *measure) off(j int) float32 {
	a, b := &m.ma[j], &m.mb[j]
	at := a.Col(3).Vec3().Sub(b.Col(3).Vec3())
	worst := at.Len()
	reach := m.leaf[j] * m.restInverse[j]
	for c := range 3 {
		axis := a.Col(c).Vec3().Sub(b.Col(c).Vec3()).Mul(reach)
		worst = max(worst, at.Add(axis).Len(), at.Sub(axis).Len())
	}
	return worst
}

func abs(x float32) float32 { return max(x, -x) }
