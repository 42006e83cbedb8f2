package retarget

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrClip is wrapped by the error of a clip whose motion cannot be brought over.
var ErrClip = errors.New("retarget: bad clip")

// Bounds of what baking's dropped keys change: of a joint's own rotation and of the
// hips' place. The check of a whole chain allows fifty times as much.
const (
	turnBound  = 0.0001 // radians, 0.006°
	placeBound = 0.0001 // metres, for a target of 1 m legs
	rate       = 60     // samples a second, besides the source's own keys
	longest    = 3600   // seconds that a clip may last: its samples are held in memory
)

// Bake returns a clip of the source as one of the target. It is sampled at 60 Hz and
// at the source's own keys, and keys are dropped that interpolation gives back; a
// clip whose tracks are all STEP stays one. Events and curves come along, morph
// weights do not. Refused, by name, are clips with values that are no numbers, with a
// rotation of zero length, whose root or hips lie at 0 all the time although they rest
// elsewhere, or that move smoothly for more than an hour.
func (r *Retargeter) Bake(clip *animation.Clip) (*animation.Clip, error) {
	s, t := r.Map.Source.Skeleton, r.Map.Target.Skeleton
	if err := clip.Validate(s); err != nil {
		return nil, err
	}
	if clip.Additive {
		return nil, fmt.Errorf("%w %q: an additive clip holds differences; bake the clip that it was made of", ErrClip, clip.Name)
	}
	if err := r.sound(clip); err != nil {
		return nil, err
	}
	whole := clip.With(clip.Tracks)
	whole.Root = nil
	if clip.Duration > longest && slices.ContainsFunc(clip.Tracks, func(tr animation.Track) bool {
		return tr.Path != animation.Weights && tr.Interpolation != animation.Step && moves(&tr)
	}) {
		return nil, fmt.Errorf("%w %q: it lasts %g s, and at most %d s are sampled: cut it", ErrClip, clip.Name, clip.Duration, longest)
	}
	times, steps := moments(whole)
	job := animation.SamplingJob{Clip: whole, Skeleton: s, Cursors: make([]int32, len(clip.Tracks)), Out: animation.NewPose(s)}
	out := animation.NewPose(t)
	record := newRecording(r.Map.Target, len(times))
	r.fixedGround = false
	r.unwind()
	for i, at := range times {
		job.Time = at
		if err := job.Run(); err != nil {
			return nil, err
		}
		if i == 0 {
			r.Ground(job.Out)
		}
		if err := r.Pose(job.Out, out); err != nil {
			return nil, err
		}
		record.add(out)
	}
	baked := clip.With(record.tracks(times, steps))
	baked.Properties = nil // the source model's own
	baked.Root = nil
	baked.Speed = clip.Speed * r.across
	baked.Duration = clip.Duration
	return baked, baked.Validate(t)
}

// sound looks for tracks that would turn the target to nothing.
func (r *Retargeter) sound(clip *animation.Clip) error {
	rig := r.Map.Source
	s := rig.Skeleton
	if r.Options.OntoRoot && !slices.ContainsFunc(clip.Tracks, func(tr animation.Track) bool {
		return tr.Path == animation.Translation && rig.Hips >= 0 && below(s, rig.Hips, tr.Joint)
	}) {
		return fmt.Errorf("%w %q: no translation of the source's root %s, nor of its hips %s, is there to move the target's root by",
			ErrClip, clip.Name, named(s, rig.Root), named(s, rig.Hips))
	}
	for i := range clip.Tracks {
		tr := &clip.Tracks[i]
		if tr.Path == animation.Weights {
			continue
		}
		what := fmt.Sprintf("%s of joint %s", [...]string{"translation", "rotation", "scale"}[tr.Path], named(s, tr.Joint))
		if rig.Hips >= 0 && tr.Joint != rig.Hips && below(s, rig.Hips, tr.Joint) {
			what += ", the source's root"
		} else if tr.Joint == rig.Hips {
			what += ", the source's hips"
		}
		zero := true
		for k, v := range tr.Values {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				key := k / tr.Width
				if tr.Interpolation == animation.CubicSpline {
					key /= 3
				}
				return fmt.Errorf("%w %q: %s is %v at %g s", ErrClip, clip.Name, what, v, tr.Times[key])
			}
			zero = zero && v == 0
		}
		if !zero {
			continue
		}
		moves := rig.Hips >= 0 && below(s, rig.Hips, tr.Joint)
		switch {
		case tr.Path == animation.Rotation:
			return fmt.Errorf("%w %q: %s is 0 0 0 0 throughout, which is no rotation", ErrClip, clip.Name, what)
		case tr.Path == animation.Translation && moves && s.Rest[tr.Joint].Translation.Len() > 1e-3*rig.HipHeight && !rig.Unplaced:
			return fmt.Errorf("%w %q: %s is 0 throughout although it rests at %v: its motion was lost", ErrClip, clip.Name, what, s.Rest[tr.Joint].Translation)
		case tr.Path == animation.Scale && moves:
			return fmt.Errorf("%w %q: %s is 0 throughout", ErrClip, clip.Name, what)
		}
	}
	return nil
}

// moments are when to sample: 60 times a second, at every key, and where a STEP
// track jumps also just before. steps tells that nothing but STEP moves.
func moments(clip *animation.Clip) (times []float32, steps bool) {
	steps = true
	var keys, jumps []float32
	add := func(to *[]float32, t float32) {
		if t >= 0 && t <= clip.Duration {
			*to = append(*to, t)
		}
	}
	for i := range clip.Tracks {
		tr := &clip.Tracks[i]
		if tr.Path != animation.Weights && tr.Interpolation != animation.Step && moves(tr) {
			steps = false
		}
	}
	for i := range clip.Tracks {
		tr := &clip.Tracks[i]
		if tr.Path == animation.Weights || !moves(tr) {
			continue
		}
		for k, t := range tr.Times {
			switch {
			case tr.Interpolation == animation.Step && k > 0 && !steps:
				add(&jumps, math.Nextafter32(t, -1))
				add(&jumps, t)
			case k > 0 && t-tr.Times[k-1] < jump:
				add(&jumps, tr.Times[k-1])
				add(&jumps, t)
			default:
				add(&keys, t)
			}
		}
	}
	add(&keys, 0)
	add(&keys, clip.Duration)
	// What happens at a jump is on its two sides, so both are kept to the bit. Of the
	// others those that tracks round differently are one moment.
	times = apartFrom(keys, jumps)
	if !steps {
		var even []float32
		for i := 0; i <= int(clip.Duration*rate); i++ {
			add(&even, float32(i)/rate)
		}
		times = apartFrom(even, times)
	}
	return times, steps
}

// jump is how close two keys of a track are that lie on the two sides of a jump,
// seconds.
const jump = 0.002

// apartFrom is what is fixed, and of others what is not the same moment as a fixed
// one or as another, all of them rising.
func apartFrom(others, fixed []float32) []float32 {
	const same = 5e-5 // seconds
	slices.Sort(others)
	slices.Sort(fixed)
	fixed = slices.Compact(fixed)
	out := make([]float32, 0, len(others)+len(fixed))
	last := float32(-1)
	for _, t := range others {
		at, _ := slices.BinarySearch(fixed, t)
		if t-last < same || at < len(fixed) && fixed[at]-t < same || at > 0 && t-fixed[at-1] < same {
			continue
		}
		out, last = append(out, t), t
	}
	out = append(out, fixed...)
	slices.Sort(out)
	return out
}

func moves(tr *animation.Track) bool {
	for i := tr.Width; i < len(tr.Values); i++ {
		if tr.Values[i] != tr.Values[i-tr.Width] {
			return true
		}
	}
	return false
}

// recording is what each joint of the target does, sample by sample.
type recording struct {
	rig    *Rig
	turns  [][]mgl32.Quat
	places [][]mgl32.Vec3
	scales [][]mgl32.Vec3
	n      int
}

func newRecording(rig *Rig, n int) *recording {
	r := &recording{rig: rig, n: n}
	joints := rig.Skeleton.Len()
	r.turns, r.places, r.scales = make([][]mgl32.Quat, joints), make([][]mgl32.Vec3, joints), make([][]mgl32.Vec3, joints)
	return r
}

func (r *recording) add(p *animation.Pose) {
	for j := range p.Local {
		if !p.Moved[j] {
			continue
		}
		x := &p.Local[j]
		if r.turns[j] == nil {
			r.turns[j], r.places[j], r.scales[j] = make([]mgl32.Quat, 0, r.n), make([]mgl32.Vec3, 0, r.n), make([]mgl32.Vec3, 0, r.n)
		}
		q := x.Rotation
		if n := len(r.turns[j]); n > 0 && q.Dot(r.turns[j][n-1]) < 0 {
			q = q.Scale(-1)
		}
		r.turns[j] = append(r.turns[j], q)
		r.places[j] = append(r.places[j], x.Translation)
		r.scales[j] = append(r.scales[j], x.Scale)
	}
}

// tracks are of what does not stay at rest.
func (r *recording) tracks(times []float32, steps bool) (out []animation.Track) {
	s := r.rig.Skeleton
	mode := animation.Linear
	if steps {
		mode = animation.Step
	}
	// A bound in the joint's own space counts in metres by what scales it.
	bound := placeBound * max(r.rig.HipHeight, 1e-6)
	for j := range r.turns {
		if r.turns[j] == nil || len(r.turns[j]) != len(times) {
			continue
		}
		unit := float32(1)
		if p := s.Parents[j]; p >= 0 {
			if _, scale := r.rig.place(r.rig.base, p); scale > 0 {
				unit = 1 / scale
			}
		}
		_, sheared := s.RestMatrix[int32(j)]
		for path, values := range [2][]mgl32.Vec3{r.places[j], r.scales[j]} {
			rest, tolerance, p := s.Rest[j].Translation, bound*unit, animation.Translation
			if path == 1 {
				rest, tolerance, p = s.Rest[j].Scale, 1e-4*max(s.Rest[j].Scale.Len(), 1e-6), animation.Scale
			}
			keys := keep(len(times), steps, func(a, b, i int) float32 {
				u := (times[i] - times[a]) / (times[b] - times[a])
				return values[a].Lerp(values[b], u).Sub(values[i]).Len()
			}, func(a, i int) float32 { return values[a].Sub(values[i]).Len() }, tolerance)
			if len(keys) == 1 && !sheared && values[0].Sub(rest).Len() <= tolerance {
				continue
			}
			tr := animation.Track{Joint: int32(j), Path: p, Interpolation: mode, Width: 3}
			for _, k := range keys {
				tr.Times, tr.Values = append(tr.Times, times[k]), append(tr.Values, values[k][:]...)
			}
			out = append(out, tr)
		}
		turns := r.turns[j]
		keys := keep(len(times), steps, func(a, b, i int) float32 {
			u := (times[i] - times[a]) / (times[b] - times[a])
			return chord(mgl32.QuatSlerp(turns[a], turns[b], u), turns[i])
		}, func(a, i int) float32 { return chord(turns[a], turns[i]) }, turnBound/2)
		if int32(j) == r.rig.Hips && len(keys) == 1 && len(times) > 1 {
			keys = []int{0, len(times) - 1} // a file's clip is as long as its last key
		}
		if len(keys) > 1 || sheared || angleBetween(turns[0], s.Rest[j].Rotation) > turnBound/10 {
			tr := animation.Track{Joint: int32(j), Path: animation.Rotation, Interpolation: mode, Width: 4}
			for _, k := range keys {
				q := turns[k].XYZW()
				tr.Times, tr.Values = append(tr.Times, times[k]), append(tr.Values, q[:]...)
			}
			out = append(out, tr)
		}
	}
	slices.SortStableFunc(out, func(a, b animation.Track) int {
		if a.Joint != b.Joint {
			return int(a.Joint - b.Joint)
		}
		return int(a.Path) - int(b.Path)
	})
	return out
}

// chord is the distance of two unit quaternions, half the angle between them where
// that is small.
func chord(p, q mgl32.Quat) float32 {
	if p.Dot(q) < 0 {
		return p.Add(q).Len()
	}
	return p.Add(q.Scale(-1)).Len()
}

// keep chooses samples: from each key as far as interpolation between it and the
// next is within the bound at every sample between. off is the error at sample i of
// a key at a and the next at b; apart how far samples differ.
func keep(n int, steps bool, off func(a, b, i int) float32, apart func(a, i int) float32, bound float32) []int {
	keys := []int{0}
	still := true
	for i := 1; i < n && still; i++ {
		still = apart(0, i) <= bound
	}
	if still {
		return keys
	}
	if steps {
		for i := 1; i < n; i++ {
			if apart(keys[len(keys)-1], i) > bound/10 {
				keys = append(keys, i)
			}
		}
		return keys
	}
	fits := func(a, b int) bool {
		for i := a + 1; i < b; i++ {
			if off(a, b, i) > bound {
				return false
			}
		}
		return true
	}
	for a := 0; a < n-1; {
		// A span that fits is doubled until it does not, then halved between: a hundred
		// samples between keys cost a few hundred looks, not five thousand.
		good, step := a+1, 1
		for good+step < n && fits(a, good+step) {
			good += step
			step *= 2
		}
		for ; step > 0; step /= 2 {
			if good+step < n && fits(a, good+step) {
				good += step
			}
		}
		keys = append(keys, good)
		a = good
	}
	return keys
}
