package scene

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// swinging is a model of one joint that goes along x in a second.
func swinging() *assets.Model {
	clip := &animation.Clip{Name: "go", Duration: 1, Tracks: []animation.Track{{
		Path: animation.Translation, Width: 3, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0}}}}
	return &assets.Model{
		Skeleton: &animation.Skeleton{Names: []string{"a"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()}},
		Nodes:    []assets.Node{{Mesh: -1, Skin: -1, Camera: -1, Light: -1}},
		Clips:    []*animation.Clip{clip},
		Skins:    []animation.Skin{{Joints: []int32{0}, InverseBind: []mgl32.Mat4{mgl32.Ident4()}}},
	}
}

// A crowd over all cores has the poses of each alone, tells every failure by name
// in order, and allocates nothing from frame to frame.
func TestAnimateACrowd(t *testing.T) {
	m := swinging()
	all := func(n int) (*Scene, []*Entity) {
		s, err := New()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		var list []*Entity
		for i := range n {
			e := s.SpawnModel(fmt.Sprint("e", i), m, nil)
			e.Animator.Speed = 0.5 + float32(i)/300
			if err := e.Animator.PlayName("go", 0); err != nil {
				t.Fatal(err)
			}
			list = append(list, e)
		}
		return s, list
	}
	crowd, many := all(200)
	_, alone := all(200)
	for range 30 {
		if err := crowd.Animate(1.0 / 60); err != nil {
			t.Fatal(err)
		}
		for _, e := range alone {
			if err := e.Animator.Update(1.0 / 60); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range many {
		if !slices.Equal(many[i].Animator.Palettes(), alone[i].Animator.Palettes()) {
			t.Fatalf("entity %d differs", i)
		}
	}
	if n := testing.AllocsPerRun(50, func() { _ = crowd.Animate(1.0 / 60) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	many[150].Animator.Speed, many[3].Animator.Speed = float32(math.NaN()), float32(math.NaN())
	err := crowd.Animate(1.0 / 60)
	if err == nil || !strings.Contains(err.Error(), "entity e3: ") || strings.Index(err.Error(), "e150") < strings.Index(err.Error(), "e3:") {
		t.Error(err)
	}
	crowd.Remove(many[3])
	many[150].Animator.Speed = 1
	if err := crowd.Animate(1.0 / 60); err != nil {
		t.Error(err)
	}
}
