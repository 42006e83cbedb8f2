package assets

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// arm is a model of four nodes: a root at y = 10 that carries a skinned mesh, a
// bone outside the scene, a plain node below the root that is scaled by 2 and
// carries the same mesh unskinned, and one outside the scene that carries it too.
func arm() *Model {
	at := func(x, y, z float32) animation.Transform {
		t := animation.Identity()
		t.Translation = mgl32.Vec3{x, y, z}
		return t
	}
	plain := at(0, 0, 5)
	plain.Scale = mgl32.Vec3{2, 2, 2}
	return &Model{
		Name: "arm", Path: "arm.glb", Scene: 0,
		Skeleton: &animation.Skeleton{
			Names:   []string{"root", "bone", "plain", "outside"},
			Parents: []int32{-1, -1, 0, -1},
			Rest:    []animation.Transform{at(0, 10, 0), at(3, 0, 0), plain, at(100, 0, 0)},
			// Node 2's mesh has one target, and so have the others.
			MorphWeights: []float32{0, 1, 0}, MorphOffset: []int32{0, 1, 1, 2, 3},
		},
		Nodes: []Node{
			{Mesh: 0, Skin: 0, InScene: true}, {Mesh: -1, Skin: -1},
			{Mesh: 0, Skin: -1, InScene: true}, {Mesh: 0, Skin: -1},
		},
		Skins: []animation.Skin{{Joints: []int32{1, 0}, InverseBind: []mgl32.Mat4{mgl32.Translate3D(-1, 0, 0), mgl32.Ident4()}}},
		Meshes: []Mesh{{Primitives: []Primitive{{
			Positions: []mgl32.Vec3{{0, 0, 0}, {1, 1, 1}},
			// Vertex 0 hangs on the bone alone, vertex 1 on both over two sets, and
			// its weights sum to 1.5.
			Joints:  [][][4]uint16{{{0}, {0}}, {{0}, {1}}},
			Weights: [][][4]float32{{{1}, {0.5}}, {{0}, {1}}},
			Targets: []Target{{Positions: []mgl32.Vec3{{0, 0, 0}, {0, 1, 0}}}},
		}}}},
	}
}

func TestEvaluateByHand(t *testing.T) {
	m := arm()
	got := map[int][]mgl32.Vec3{}
	err := m.Evaluate(animation.NewPose(m.Skeleton), func(node, mesh, primitive int, positions []mgl32.Vec3) {
		if mesh != 0 || primitive != 0 {
			t.Errorf("mesh %d, primitive %d", mesh, primitive)
		}
		got[node] = append([]mgl32.Vec3{}, positions...)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int][]mgl32.Vec3{
		// The bone moves by (3-1, 0, 0), the root by (0, 10, 0):
		// ½·(3, 1, 1) + 1·(1, 11, 1), not renormalised.
		0: {{2, 0, 0}, {2.5, 11.5, 1.5}},
		// Morphed to (1, 2, 1), then scaled and moved by its own node and the root.
		2: {{0, 10, 5}, {2, 14, 7}},
	}
	if len(got) != len(want) {
		t.Fatalf("visited %v, want nodes 0 and 2", got)
	}
	for n := range want {
		for v := range want[n] {
			if got[n][v].Sub(want[n][v]).Len() > 1e-6 {
				t.Errorf("node %d vertex %d: %v, want %v", n, v, got[n][v], want[n][v])
			}
		}
	}
	b, err := m.Bounds(animation.NewPose(m.Skeleton))
	if err != nil || b.Vertices != 4 || b.Min != (mgl32.Vec3{0, 0, 0}) || b.Max != (mgl32.Vec3{2.5, 14, 7}) ||
		b.Mean.Sub(mgl32.Vec3{1.625, 8.875, 3.375}).Len() > 1e-6 {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestEvaluateWithoutASceneDrawsAll(t *testing.T) {
	m := arm()
	m.Scene = -1
	b, err := m.Bounds(animation.NewPose(m.Skeleton))
	if err != nil || b.Vertices != 6 || b.Max[0] != 101 {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestEvaluateRefuses(t *testing.T) {
	m := arm()
	if _, err := m.Bounds(&animation.Pose{}); err == nil {
		t.Error("a pose of another skeleton was taken")
	}
	m.Meshes[0].Primitives[0].Joints[1][1][0] = 2
	if _, err := m.Bounds(animation.NewPose(m.Skeleton)); err == nil || !strings.Contains(err.Error(), "meshes[0].primitives[0]") {
		t.Errorf("a joint outside the skin: %v", err)
	}
}

func TestPoseReport(t *testing.T) {
	m := arm()
	slide := &animation.Clip{Name: "slide", Duration: 2, Tracks: []animation.Track{{
		Joint: 1, Path: animation.Translation, Width: 3, Times: []float32{0, 2}, Values: []float32{3, 0, 0, 7, 0, 0},
	}}}
	for _, c := range []struct {
		clip     *animation.Clip
		at, time float32
		x        float32 // of the bone
	}{{nil, 5, 0, 3}, {slide, -1, 0, 3}, {slide, 1, 1, 5}, {slide, 9, 2, 7}} {
		r, err := Pose(m, c.clip, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if r.Time != c.time || r.Vertices != 4 || r.Joints[1].World[12] != c.x {
			t.Errorf("at %v s: %+v", c.at, r)
		}
	}
	r, err := Pose(m, slide, 1)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		File, Clip     string
		Time, Duration float64
		Vertices       int
		Bounds         struct{ Min, Max [3]float64 }
		Mean           [3]float64
		Joints         []struct {
			Name  string
			World [16]float64
		}
	}
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if back.File != "arm.glb" || back.Clip != "slide" || back.Duration != 2 || back.Bounds.Max[1] != 14 ||
		len(back.Joints) != 4 || back.Joints[2].Name != "plain" || back.Joints[2].World[13] != 10 {
		t.Errorf("%s", raw)
	}
	if r, err := Pose(m, nil, 0); err != nil || r.Clip != "none" {
		t.Errorf("rest: %+v, %v", r, err)
	}
}

func TestPoseRefuses(t *testing.T) {
	m := arm()
	if _, err := Pose(m, &animation.Clip{}, float32(math.NaN())); err == nil {
		t.Error("NaN was taken for a time")
	}
	if _, err := Pose(m, &animation.Clip{Tracks: []animation.Track{{Joint: 9}}}, 0); err == nil {
		t.Error("a clip of another skeleton was taken")
	}
	m.Skeleton.Rest[1].Translation[0] = float32(math.Inf(1))
	if _, err := Pose(m, nil, 0); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("infinite vertices: %v", err)
	}
}
