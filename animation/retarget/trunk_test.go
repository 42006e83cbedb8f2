package retarget_test

import (
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// beside adds a node to a skeleton, before all others' children have one.
func beside(s *animation.Skeleton, name string, parent int32, at mgl32.Vec3) *animation.Skeleton {
	return &animation.Skeleton{
		Names: append(append([]string{}, s.Names...), name), Parents: append(append([]int32{}, s.Parents...), parent),
		Rest: append(append([]animation.Transform{}, s.Rest...), animation.Transform{Translation: at, Rotation: mgl32.QuatIdent(), Scale: mgl32.Vec3{1, 1, 1}}),
	}
}

// Two of one rig that is no body, the one with a mesh's node or a far camera beside
// its joints, wander as far as each other: neither node makes another joint the trunk,
// nor a giant of the thing.
func TestNodesBesideAThing(t *testing.T) {
	unit := func(x, y, z float32) animation.Transform {
		return animation.Transform{Translation: mgl32.Vec3{x, y, z}, Rotation: mgl32.QuatIdent(), Scale: mgl32.Vec3{1, 1, 1}}
	}
	plain := &animation.Skeleton{
		Names: []string{"root", "crawler", "front", "back", "tip"}, Parents: []int32{-1, 0, 1, 1, 2},
		Rest: []animation.Transform{unit(0, 0, 0), unit(0, 1, 0), unit(0, 0, 1), unit(0, 0, -1), unit(0, 0, 1)},
	}
	clip := &animation.Clip{Name: "wander", Duration: 1, Tracks: []animation.Track{{
		Joint: 1, Path: animation.Translation, Width: 3, Times: []float32{0, 1}, Values: []float32{0, 1, 0, 2, 1.5, 3},
	}}}
	for name, other := range map[string]*animation.Skeleton{
		"mesh":   beside(plain, "mesh", 0, mgl32.Vec3{}),
		"camera": beside(beside(plain, "stage", -1, mgl32.Vec3{}), "camera", 5, mgl32.Vec3{0, 4000, 0}),
	} {
		for _, pair := range [][2]*animation.Skeleton{{plain, other}, {other, plain}} {
			baked, err := bound(t, rig(t, pair[0]), rig(t, pair[1]), retarget.Options{}).Bake(clip)
			if err != nil {
				t.Fatal(err)
			}
			var world [2]mgl32.Mat4
			for i, at := range []float32{0, 1} {
				world[i] = matrices(pair[1], sample(t, pair[1], baked, at))[1]
			}
			if d := world[1].Col(3).Sub(world[0].Col(3)).Vec3().Sub(mgl32.Vec3{2, 0.5, 3}).Len(); d > 1e-3 {
				t.Errorf("%s: off by %v m of way", name, d)
			}
		}
	}
}

// A body and what is left of the same one, which is none, go as far as each other: a
// person's limbs and all bones of a thing are not what ratios are of.
func TestTornBodyGoesAsFar(t *testing.T) {
	whole := mannequin(t)
	s := whole.Skeleton
	drop := map[int32]bool{whole.Bones["leftUpperLeg"]: true, whole.Bones["rightUpperLeg"]: true}
	torn := &animation.Skeleton{}
	at := map[int32]int32{-1: -1}
	for j, p := range s.Parents {
		if drop[int32(j)] || drop[p] {
			drop[int32(j)] = true
			continue
		}
		at[int32(j)] = int32(len(torn.Names))
		torn.Names, torn.Parents, torn.Rest = append(torn.Names, s.Names[j]), append(torn.Parents, at[p]), append(torn.Rest, s.Rest[j])
	}
	left := rig(t, torn)
	if len(left.Bones) > 0 {
		t.Fatal("no legs make a body")
	}
	for _, pair := range [][2]*retarget.Rig{{rig(t, s), left}, {left, rig(t, s)}} {
		m, err := retarget.NewMap(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		if across, up := m.Ratios(); across < 0.999 || across > 1.001 || up < 0.999 || up > 1.001 {
			t.Errorf("ratios %v and %v of one size", across, up)
		}
	}
}
