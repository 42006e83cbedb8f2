package walk

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
)

// keysPerSecond of a baked walk. Between keys joints turn evenly and soles do not go
// quite so: at this rate they slide by some tenths of a millimetre.
const keysPerSecond = 60

// Clip bakes one cycle of a steady walk at a speed, in place, for players, machines and
// files. It loops; Clip.Speed is the speed, and animation.WalkRoot lets it walk. A speed
// of 0 or out of reach is an error that wraps ErrBody.
func (b *Body) Clip(name string, speed float32) (*animation.Clip, error) {
	w := New(b)
	if err := w.SetSpeed(speed); err != nil {
		return nil, err
	}
	seconds, metres := b.Cycle(speed)
	if metres == 0 {
		return nil, fmt.Errorf("%w: a walk at %v m/s goes nowhere", ErrBody, speed)
	}
	n := int(math.Ceil(seconds * keysPerSecond))
	dt := float32(seconds / float64(n))
	pose := animation.NewPose(b.skeleton)
	for range 2 * n { // until it is steady
		if err := w.Drive(dt, pose); err != nil {
			return nil, err
		}
	}
	clip := &animation.Clip{Name: name, Duration: float32(seconds), Speed: speed}
	times := make([]float32, n+1)
	for k := range times {
		times[k] = float32(seconds * float64(k) / float64(n))
	}
	times[n] = clip.Duration
	for j, moved := range pose.Moved {
		if moved && int32(j) == b.pelvis {
			clip.Tracks = append(clip.Tracks, animation.Track{Joint: int32(j), Path: animation.Translation, Width: 3, Times: times})
		} else if moved {
			clip.Tracks = append(clip.Tracks, animation.Track{Joint: int32(j), Path: animation.Rotation, Width: 4, Times: times})
		}
	}
	for k := range n + 1 {
		for i := range clip.Tracks {
			t := &clip.Tracks[i]
			x := &pose.Local[t.Joint]
			switch {
			case k == n: // the loop closes exactly
				t.Values = append(t.Values, t.Values[:t.Width]...)
			case t.Path == animation.Translation:
				t.Values = append(t.Values, x.Translation[0], x.Translation[1], x.Translation[2])
			default:
				q := x.Rotation.XYZW()
				t.Values = append(t.Values, q[:]...)
			}
		}
		if err := w.Drive(dt, pose); err != nil {
			return nil, err
		}
	}
	return clip, nil
}
