package animation

import (
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

func named(names ...string) *Skeleton {
	s := &Skeleton{Names: names}
	for j := range names {
		s.Parents = append(s.Parents, int32(j)-1)
		s.Rest = append(s.Rest, Identity())
	}
	return s
}

func TestBindByName(t *testing.T) {
	from, to := named("root", "hip", "tail", "", "hip"), named("body", "hip", "root", "hip", "")
	move := func(joint int32, x float32) Track {
		return Track{Joint: joint, Path: Translation, Width: 3, Times: []float32{0}, Values: []float32{x, 0, 0}}
	}
	clip := clipOf(move(0, 1), move(1, 2), move(2, 3), move(3, 4), move(4, 5))
	bound, unbound := BindByName(clip, from, to)
	if err := bound.Validate(to); err != nil {
		t.Fatal(err)
	}
	var got []mgl32.Vec2
	for _, tr := range bound.Tracks {
		got = append(got, mgl32.Vec2{float32(tr.Joint), tr.Values[0]})
	}
	if want := []mgl32.Vec2{{1, 2}, {2, 1}}; !slices.Equal(got, want) {
		t.Errorf("bound %v, want %v", got, want)
	}
	if want := []string{"tail", "", "hip"}; !slices.Equal(unbound, want) {
		t.Errorf("unbound %q, want %q", unbound, want)
	}
	if clip.Tracks[0].Joint != 0 || len(clip.Tracks) != 5 {
		t.Error("the clip itself was changed")
	}
}

func TestBindByNameLeavesOtherMorphsOut(t *testing.T) {
	from, to := one(), one()
	to.MorphWeights, to.MorphOffset = []float32{0}, []int32{0, 1}
	clip := clipOf(Track{Path: Weights, Width: 2, Times: []float32{0}, Values: []float32{1, 1}})
	if bound, unbound := BindByName(clip, from, to); len(bound.Tracks) != 0 || !slices.Equal(unbound, []string{"a"}) {
		t.Errorf("bound %v, unbound %q", bound.Tracks, unbound)
	}
	if bound, unbound := BindByName(clip, from, one()); len(bound.Tracks) != 1 || unbound != nil {
		t.Errorf("bound %v, unbound %q", bound.Tracks, unbound)
	}
}
