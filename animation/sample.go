package animation

import (
	"errors"
	"fmt"
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrJob is wrapped by every error of a job whose inputs do not fit together.
var ErrJob = errors.New("animation: bad job")

// SamplingJob reads a clip at one time into a pose. Joints without a track get
// their rest transform, morph weights without a track their rest weights.
type SamplingJob struct {
	// Clip and Skeleton are shared and only read. The clip must have passed
	// Clip.Validate against the skeleton.
	Clip     *Clip
	Skeleton *Skeleton

	// Time is in seconds. Outside the clip its first or last pose holds.
	Time float32

	// Cursors remembers by track where the last Run of this instance read, at
	// least len(Clip.Tracks) long. Its contents only make the next Run faster:
	// zeros, and what another clip or time left there, give the same pose.
	Cursors []int32

	// Out receives the pose: every joint and weight is written. Of an additive
	// clip it is a pose of differences, for BlendJob.Additive.
	Out *Pose

	// Curves, where not nil, receives the values of Clip.Curves at Time, and is
	// as long.
	Curves []float32
}

// Validate reports whether Run can work.
func (j *SamplingJob) Validate() error {
	switch {
	case j.Clip == nil || j.Skeleton == nil || j.Out == nil:
		return fmt.Errorf("%w: sampling needs a clip, a skeleton and a pose", ErrJob)
	case math.IsNaN(float64(j.Time)) || math.IsInf(float64(j.Time), 0):
		return fmt.Errorf("%w: sampling clip %q at time %v", ErrJob, j.Clip.Name, j.Time)
	case len(j.Cursors) < len(j.Clip.Tracks):
		return fmt.Errorf("%w: %d cursors for the %d tracks of clip %q", ErrJob, len(j.Cursors), len(j.Clip.Tracks), j.Clip.Name)
	case j.Curves != nil && len(j.Curves) != len(j.Clip.Curves):
		return fmt.Errorf("%w: room for %d of the %d curves of clip %q", ErrJob, len(j.Curves), len(j.Clip.Curves), j.Clip.Name)
	}
	return j.Out.Fits(j.Skeleton)
}

// Fits reports whether the pose has the skeleton's sizes.
func (p *Pose) Fits(s *Skeleton) error {
	if len(p.Local) != s.Len() || len(p.Moved) != s.Len() || len(p.Weights) != len(s.MorphWeights) {
		return fmt.Errorf("%w: a pose of %d joints and %d morph weights on a skeleton of %d and %d",
			ErrJob, len(p.Local), len(p.Weights), s.Len(), len(s.MorphWeights))
	}
	return nil
}

// Run samples. It allocates nothing.
func (j *SamplingJob) Run() error {
	if err := j.Validate(); err != nil {
		return err
	}
	out := j.Out
	if j.Clip.Additive {
		out.SetZero()
	} else {
		out.SetRest(j.Skeleton)
	}
	j.Clip.sampleProperties(j.Time, out)
	for i := range j.Curves {
		j.Curves[i] = j.Clip.Curves[i].At(j.Time)
	}
	var at moment
	if p := j.Clip.pack(); p.of(j.Clip) {
		p.run(j.Time, j.Cursors, out)
		for _, i := range p.single {
			j.track(int(i), &at)
		}
	} else {
		for i := range j.Clip.Tracks {
			j.track(i, &at)
		}
	}
	if r := j.Clip.Root; r != nil {
		r.takeOut(&out.Local[r.Joint])
	}
	return nil
}

// moment is where the job's time falls between the keys of a track. Tracks that
// share one slice of times share it.
type moment struct {
	first *float32
	count int
	k     int
	u, dt float32
}

// track samples one track.
func (j *SamplingJob) track(i int, at *moment) {
	tr, out := &j.Clip.Tracks[i], j.Out
	if first := &tr.Times[0]; first != at.first || len(tr.Times) != at.count {
		at.first, at.count = first, len(tr.Times)
		k := seek(tr.Times, j.Time, int(j.Cursors[i]))
		j.Cursors[i] = int32(k)
		at.k, at.u, at.dt = between(tr.Times, j.Time, k)
	}
	k, u, dt := at.k, at.u, at.dt
	if tr.Path == Weights { // they do not move the joint
		begin, end := j.Skeleton.morphs(int(tr.Joint))
		tr.floats(k, u, dt, out.Weights[begin:end])
		return
	}
	out.Moved[tr.Joint] = true
	local := &out.Local[tr.Joint]
	switch {
	case tr.Interpolation == Linear && dt > 0:
		tr.linear(k, u, local)
	case tr.Path == Rotation:
		local.Rotation = tr.quat(k, u, dt)
	case tr.Path == Translation:
		local.Translation = tr.vec3(k, u, dt)
	case tr.Path == Scale:
		local.Scale = tr.vec3(k, u, dt)
	}
}

// linear is what nearly all tracks are at nearly all times: between two keys of
// LINEAR interpolation.
func (tr *Track) linear(k int, u float32, out *Transform) {
	if tr.Path == Rotation {
		v := tr.Values[4*k:][:8]
		out.Rotation = slerp(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], u)
		return
	}
	v := tr.Values[3*k:][:6]
	to := &out.Translation
	if tr.Path == Scale {
		to = &out.Scale
	}
	to[0] = v[0] + u*(v[3]-v[0])
	to[1] = v[1] + u*(v[4]-v[1])
	to[2] = v[2] + u*(v[5]-v[2])
}

// morphs is where the weights of joint j lie in a pose's Weights.
func (s *Skeleton) morphs(j int) (begin, end int) {
	if j+1 >= len(s.MorphOffset) {
		return 0, 0
	}
	return int(s.MorphOffset[j]), int(s.MorphOffset[j+1])
}

// seek returns the last key at or before t, or -1 before the first key. It looks
// at the cursor and the next key first, so that playing onward costs two
// comparisons, and then searches.
func seek(times []float32, t float32, cursor int) int {
	n := len(times)
	if uint(cursor) < uint(n) && times[cursor] <= t {
		if cursor+1 == n || t < times[cursor+1] {
			return cursor
		}
		if cursor++; cursor+1 == n || t < times[cursor+1] {
			return cursor
		}
	}
	lo, hi := 0, n // times[:lo] <= t < times[hi:]
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); times[mid] <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// between turns the key that seek found into the interval to interpolate: from
// key k to key k+1, at the fraction u of the dt seconds between them. dt is 0
// where key k's value holds, at the ends.
func between(times []float32, t float32, found int) (k int, u, dt float32) {
	if found < 0 {
		return 0, 0, 0
	}
	if found+1 >= len(times) {
		return found, 0, 0
	}
	dt = times[found+1] - times[found]
	return found, (t - times[found]) / dt, dt
}

// hermite returns the weights of value, out-tangent, next value and next
// in-tangent at fraction u of dt seconds (glTF 2.0 appendix C.5).
func hermite(u, dt float32) (p0, m0, p1, m1 float32) {
	u2 := u * u
	u3 := u2 * u
	return 2*u3 - 3*u2 + 1, dt * (u3 - 2*u2 + u), 3*u2 - 2*u3, dt * (u3 - u2)
}

// vec3 is a CubicSpline between keys, or a key's value.
func (tr *Track) vec3(k int, u, dt float32) mgl32.Vec3 {
	if tr.Interpolation == CubicSpline {
		v := tr.Values[9*k:]
		if dt == 0 {
			return mgl32.Vec3(v[3:6])
		}
		a, b, c, d := hermite(u, dt)
		v = v[3:18]
		return mgl32.Vec3{
			a*v[0] + b*v[3] + c*v[9] + d*v[6],
			a*v[1] + b*v[4] + c*v[10] + d*v[7],
			a*v[2] + b*v[5] + c*v[11] + d*v[8],
		}
	}
	return mgl32.Vec3(tr.Values[3*k:][:3])
}

// quat is a CubicSpline between keys, or a key's value, of unit length.
func (tr *Track) quat(k int, u, dt float32) mgl32.Quat {
	if tr.Interpolation == CubicSpline {
		v := tr.Values[12*k:]
		if dt == 0 {
			return mgl32.QuatXYZW(v[4], v[5], v[6], v[7]).Normalize()
		}
		a, b, c, d := hermite(u, dt)
		v = v[4:24]
		return mgl32.QuatXYZW(
			a*v[0]+b*v[4]+c*v[12]+d*v[8],
			a*v[1]+b*v[5]+c*v[13]+d*v[9],
			a*v[2]+b*v[6]+c*v[14]+d*v[10],
			a*v[3]+b*v[7]+c*v[15]+d*v[11],
		).Normalize()
	}
	v := tr.Values[4*k:][:4]
	return mgl32.QuatXYZW(v[0], v[1], v[2], v[3]).Normalize()
}

// floats writes as many morph weights as both the track and out have.
func (tr *Track) floats(k int, u, dt float32, out []float32) {
	w := tr.Width
	n := min(w, len(out))
	if tr.Interpolation == CubicSpline {
		v := tr.Values[3*w*k+w:]
		if dt == 0 {
			copy(out[:n], v)
			return
		}
		a, b, c, d := hermite(u, dt)
		for i := range n {
			out[i] = a*v[i] + b*v[w+i] + c*v[3*w+i] + d*v[2*w+i]
		}
		return
	}
	v := tr.Values[w*k:]
	if dt == 0 || tr.Interpolation == Step {
		copy(out[:n], v)
		return
	}
	for i := range n {
		out[i] = v[i] + u*(v[w+i]-v[i])
	}
}
