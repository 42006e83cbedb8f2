package animation

import "fmt"

// Rated is a driver that asks another only every few updates and interpolates
// between, for characters far away. It asks ahead, for the pose at the end of the
// interval, so that what is shown is of the present time, without delay or drift;
// only changes of parameters are seen up to an interval later.
type Rated struct {
	inner      Driver
	every      int
	prev, next *Pose
	length     float64 // seconds from prev to next
	at         float64 // seconds since prev
	motion     Motion
	started    bool
}

// NewRated returns a driver for a skeleton that asks inner every so many updates.
func NewRated(s *Skeleton, inner Driver, every int) *Rated {
	r := &Rated{inner: inner, prev: NewPose(s), next: NewPose(s)}
	r.SetEvery(every)
	return r
}

// SetEvery changes how often inner is asked, from the next interval on; 1 and less
// is each time.
func (r *Rated) SetEvery(every int) { r.every = max(every, 1) }

// Inner is the driver that is asked.
func (r *Rated) Inner() Driver { return r.inner }

// Drive advances by dt seconds and writes the pose. It allocates nothing.
func (r *Rated) Drive(dt float32, out *Pose) error {
	if !(dt >= 0 && dt <= MaxTimeStep) {
		return fmt.Errorf("%w: %v s", ErrTimeStep, dt)
	}
	if !r.started {
		if err := r.inner.Drive(0, r.next); err != nil {
			return err
		}
		r.prev.Copy(r.next)
		r.started = true
	}
	r.motion = Motion{}
	if left := r.length - r.at; float64(dt) > left {
		over := float64(dt) - left
		length := min(max(float64(dt)*float64(r.every), over), MaxTimeStep)
		part := float32(0)
		if r.length > 0 {
			part = float32(left / r.length)
		}
		carried := r.inner.Motion().Scale(part)
		r.prev, r.next = r.next, r.prev
		if err := r.inner.Drive(float32(length), r.next); err != nil {
			r.prev, r.next = r.next, r.prev
			return err
		}
		r.length, r.at = length, over
		r.motion = carried.Add(r.inner.Motion().Scale(float32(over / length)))
	} else {
		r.at += float64(dt)
		if r.length > 0 {
			r.motion = r.inner.Motion().Scale(float32(float64(dt) / r.length))
		}
	}
	if r.length == 0 {
		out.Copy(r.next)
		return nil
	}
	Lerp(r.prev, r.next, float32(r.at/r.length), out)
	return nil
}

// Motion is the part of inner's root motion that lies in the last Drive.
func (r *Rated) Motion() Motion { return r.motion }
