package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// house is a model of nodes with a box each: walls, a door with a handle and a
// sign, and a node outside the scene.
func house() *Model {
	at := func(x float32) animation.Transform {
		t := animation.Identity()
		t.Translation[0] = x
		return t
	}
	m := &assets.Model{
		Name: "house", Scene: 0,
		Skeleton: &animation.Skeleton{
			Names:   []string{"walls", "door", "handle", "sign", "elsewhere"},
			Parents: []int32{-1, 0, 1, 1, -1},
			Rest:    []animation.Transform{at(0), at(2), at(1), at(0), at(100)},
		},
		Meshes: []assets.Mesh{{Primitives: []assets.Primitive{{Positions: []mgl32.Vec3{{-1, 0, 0}, {1, 1, 0}}}}}},
	}
	for i := range 5 {
		m.Nodes = append(m.Nodes, assets.Node{Mesh: 0, Skin: -1, InScene: i < 4})
	}
	r := &Model{Source: m, rest: make([]mgl32.Mat4, 5)}
	animation.NewPose(m.Skeleton).ToModel(m.Skeleton, r.rest)
	return r
}

func TestParts(t *testing.T) {
	var warned []string
	l := &Library{warn: func(m *assets.Model, s string) { warned = append(warned, m.Name+" "+s) }}
	for _, c := range []struct {
		renderer scene.MeshRenderer
		nodes    []int32
	}{
		{scene.MeshRenderer{}, []int32{0, 1, 2, 3}},
		{scene.MeshRenderer{Root: "door"}, []int32{1, 2, 3}},
		{scene.MeshRenderer{Without: []string{"door"}}, []int32{0}},
		{scene.MeshRenderer{Root: "door", Without: []string{"handle"}}, []int32{1, 3}},
		{scene.MeshRenderer{Root: "door", Without: []string{"handle", "sign"}}, []int32{1}},
		{scene.MeshRenderer{Root: "door", Without: []string{"door"}}, nil},
		{scene.MeshRenderer{Root: "elsewhere"}, []int32{4}},
	} {
		if p := house().part(l, &c.renderer); !slices.Equal(p.nodes, c.nodes) {
			t.Errorf("root %q without %q draws %v, want %v", c.renderer.Root, c.renderer.Without, p.nodes, c.nodes)
		}
	}
	if len(warned) > 0 {
		t.Errorf("warned %q", warned)
	}
	m := house()
	for range 3 {
		if p := m.part(l, &scene.MeshRenderer{Root: "roof"}); len(p.nodes) != 0 {
			t.Errorf("an unknown root draws %v", p.nodes)
		}
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "house") || !strings.Contains(warned[0], "roof") {
		t.Errorf("warned %q", warned)
	}
}

func TestPartsAreSharedByThoseThatAskForTheSame(t *testing.T) {
	m, l := house(), &Library{}
	without := []string{"sign", "handle"}
	a := m.part(l, &scene.MeshRenderer{Root: "door", Without: without})
	if b := m.part(l, &scene.MeshRenderer{Root: "door", Without: []string{"sign", "handle"}}); a != b {
		t.Error("two parts for one thing")
	}
	without[0] = "door" // the caller's slice is its own
	if b := m.part(l, &scene.MeshRenderer{Root: "door", Without: []string{"sign", "handle"}}); a != b {
		t.Error("a part changed with its caller's slice")
	}
	for _, r := range []scene.MeshRenderer{
		{Root: "door"}, {Without: []string{"sign", "handle"}}, {Root: "door", Without: []string{"sign", "handle"}, NoShadow: true},
		{Root: "door", Without: []string{"sign\x00handle"}},
	} {
		if m.part(l, &r) == a {
			t.Errorf("%+v is drawn as another part", r)
		}
	}
}

func TestPartBox(t *testing.T) {
	m, l := house(), &Library{}
	lo, hi := m.part(l, &scene.MeshRenderer{}).box()
	if lo != (mgl32.Vec3{-1, 0, 0}) || hi != (mgl32.Vec3{4, 1, 0}) { // the handle stands at 3
		t.Errorf("from %v to %v", lo, hi)
	}
	if lo, hi := m.part(l, &scene.MeshRenderer{Root: "door", Without: []string{"door"}}).box(); lo != hi {
		t.Errorf("nothing has a box from %v to %v", lo, hi)
	}
}
