package gltf_test

import (
	"fmt"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// What characters from elsewhere do to those who expect one tidy tree: a mesh
// under a transformed node, joints outside the scene, two skins that share joints
// in another order, joints listed children first, and a skeleton root above the
// hips. The transform of the mesh's node does not count (glTF 2.0 §3.7.3.3), the
// armature's does.
func TestUntidySkeletons(t *testing.T) {
	var f made
	p := f.triangle()
	j := f.accessor(f.data(0, make([]uint8, 12)), 5121, 3, "VEC4", "")
	w := f.floats("VEC4", 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
	f.primitive(fmt.Sprintf(`"POSITION":%d,"JOINTS_0":%d,"WEIGHTS_0":%d`, p, j, w))
	times := f.floats("SCALAR", 2, 0, 1)
	values := f.floats("VEC3", 2, 0, 1, 0, 0, 3, 0)
	f.rest += `,"scene":0,"scenes":[{"nodes":[3,5]}],"nodes":[
		{"name":"hand","translation":[0,1,0]},
		{"name":"hips","translation":[0,1,0],"children":[0]},
		{"name":"armature","translation":[5,0,0],"children":[1]},
		{"name":"holder","translation":[100,0,0],"scale":[3,3,3],"children":[4]},
		{"name":"body","mesh":0,"skin":0,"translation":[0,50,0]},
		{"name":"coat","mesh":0,"skin":1}],
		"skins":[{"joints":[1,0],"skeleton":2},{"joints":[0,1]}],` +
		fmt.Sprintf(`"animations":[{"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}],"samplers":[{"input":%d,"output":%d}]}]`, times, values)
	m := f.load(t)
	if len(m.Skins) != 2 || len(m.Clips) != 1 {
		t.Fatalf("%d skins, %d clips", len(m.Skins), len(m.Clips))
	}
	rest := m.Meshes[0].Primitives[0].Positions[1]
	a := animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
	if err := a.PlayIndex(0, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   float32
		want map[string]mgl32.Vec3
	}{
		{0, map[string]mgl32.Vec3{"body": {5, 1, 0}, "coat": {5, 2, 0}}},
		{1, map[string]mgl32.Vec3{"body": {5, 3, 0}, "coat": {5, 4, 0}}},
	} {
		if err := a.Seek(c.at); err != nil {
			t.Fatal(err)
		}
		if err := a.Evaluate(); err != nil {
			t.Fatal(err)
		}
		seen := 0
		err := m.Evaluate(a.Pose(), func(node, _, _ int, positions []mgl32.Vec3) {
			seen++
			name := m.Skeleton.Names[node]
			if want := rest.Add(c.want[name]); positions[1].Sub(want).Len() > 1e-6 {
				t.Errorf("%s at %v s: %v, want %v", name, c.at, positions[1], want)
			}
			palette := a.Palette(int(m.Nodes[node].Skin))
			if got := mgl32.TransformCoordinate(rest, palette[0]); got.Sub(rest.Add(c.want[name])).Len() > 1e-6 {
				t.Errorf("%s at %v s: the palette takes it to %v", name, c.at, got)
			}
		})
		if err != nil || seen != 2 {
			t.Errorf("%d meshes: %v", seen, err)
		}
	}
}
