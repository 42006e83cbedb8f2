package retarget_test

import (
	"math"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Shear comes of an uneven scale above a joint that turns, in either rig, and of
// nothing else.
func TestShear(t *testing.T) {
	body := mannequin(t)
	scaled := func(scale mgl32.Vec3) *retarget.Rig {
		s := &animation.Skeleton{Names: body.Skeleton.Names, Parents: body.Skeleton.Parents, Rest: slices.Clone(body.Skeleton.Rest)}
		s.Rest[body.Bones["leftUpperArm"]].Scale = scale
		return rig(t, s)
	}
	even, uneven := mgl32.Vec3{1.2, 1.2, 1.2}, mgl32.Vec3{1.3, 1, 1}
	for _, c := range []struct {
		source, target mgl32.Vec3
		sheared, of    bool
	}{
		{even, even, false, false}, {uneven, even, true, false}, {even, uneven, true, true},
	} {
		source, target := scaled(c.source), scaled(c.target)
		got, err := bound(t, source, target, retarget.Options{}).Shear(dance(source))
		if err != nil {
			t.Fatal(err)
		}
		if !c.sheared && got.Degrees > 0.1 {
			t.Errorf("%v onto %v: %+v", c.source, c.target, got)
		}
		// Of a scale of a, two axes turned by 45° are off a right angle by asin((a²-1)/(a²+1)).
		most := float32(math.Asin((1.3*1.3-1)/(1.3*1.3+1)) * 180 / math.Pi)
		if c.sheared && (got.Degrees < 2 || got.Degrees > most+0.1 || got.Target != c.of) {
			t.Errorf("%v onto %v: %+v, at most %v°", c.source, c.target, got, most)
		}
		for j := got.Joint; c.sheared; j = body.Skeleton.Parents[j] {
			if j == body.Bones["leftUpperArm"] {
				break
			}
			if j < 0 {
				t.Errorf("joint %s is not below the scaled one", body.Skeleton.Names[got.Joint])
				break
			}
		}
	}
}
