package animation_test

import (
	"errors"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// jointBoxes are those of every skinned primitive of a model, by node.
func jointBoxes(t testing.TB, m *assets.Model) map[int]*animation.JointBoxes {
	t.Helper()
	out := map[int]*animation.JointBoxes{}
	for n, node := range m.Nodes {
		if node.Skin < 0 || node.Mesh < 0 || !node.InScene {
			continue
		}
		b := animation.NewJointBoxes(&m.Skins[node.Skin])
		for _, p := range m.Meshes[node.Mesh].Primitives {
			var targets [][]mgl32.Vec3
			for _, x := range p.Targets {
				targets = append(targets, x.Positions)
			}
			for set := range p.Joints {
				if err := b.Add(p.Positions, p.Joints[set], p.Weights[set], targets); err != nil {
					t.Fatal(err)
				}
			}
		}
		out[n] = b
	}
	return out
}

// No pose of real characters leaves its box, and the boxes are no excuses: at most
// a half larger than the vertices' own.
func TestNoPoseLeavesItsBox(t *testing.T) {
	for _, file := range []string{
		"gltf/Fox/glTF-Binary/Fox.glb", "gltf/CesiumMan/glTF-Binary/CesiumMan.glb", "gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb",
	} {
		t.Run(file, func(t *testing.T) {
			m, err := gltf.Load(corpus.Path(t, file))
			if err != nil {
				t.Fatal(err)
			}
			boxes := jointBoxes(t, m)
			if len(boxes) == 0 {
				t.Fatal("no skinned mesh")
			}
			a := animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
			for i, c := range m.Clips {
				if err := a.PlayIndex(i, 0); err != nil {
					t.Fatal(err)
				}
				for k := range 20 {
					if err := a.Seek(c.Duration * float32(k) / 19); err != nil {
						t.Fatal(err)
					}
					if err := a.Evaluate(); err != nil {
						t.Fatal(err)
					}
					got := animation.NoBox()
					for n, b := range boxes {
						got = got.Join(b.Bounds(a.Model(), a.Pose().MorphWeights(m.Skeleton, n)))
					}
					want, err := m.Bounds(a.Pose())
					if err != nil {
						t.Fatal(err)
					}
					size := want.Max.Sub(want.Min)
					for c := range 3 {
						if got.Min[c] > want.Min[c]+1e-4*size.Len() || got.Max[c] < want.Max[c]-1e-4*size.Len() {
							t.Fatalf("clip %d at %d/19: vertices from %v to %v, the box from %v to %v", i, k, want.Min, want.Max, got.Min, got.Max)
						}
					}
					if big := got.Max.Sub(got.Min).Len(); big > 1.5*size.Len() {
						t.Errorf("clip %d at %d/19: a box of %v for vertices of %v", i, k, big, size.Len())
					}
				}
			}
		})
	}
}

// Morph targets widen the boxes by any weights, negative and above 1 too.
func TestBoxesGrowWithMorphs(t *testing.T) {
	skin := animation.Skin{Joints: []int32{0}, InverseBind: []mgl32.Mat4{mgl32.Translate3D(0, -1, 0)}}
	b := animation.NewJointBoxes(&skin)
	positions := []mgl32.Vec3{{0, 1, 0}, {1, 1, 0}}
	joints, weights := make([][4]uint16, 2), [][4]float32{{1}, {1}}
	if err := b.Add(positions, joints, weights, [][]mgl32.Vec3{{{0, 2, 0}, {0, 0, 0}}, nil}); err != nil {
		t.Fatal(err)
	}
	model := []mgl32.Mat4{mgl32.Translate3D(0, 10, 0)}
	for _, c := range []struct {
		weights  []float32
		min, max mgl32.Vec3
	}{
		{nil, mgl32.Vec3{0, 10, 0}, mgl32.Vec3{1, 10, 0}},
		{[]float32{1.5, 9}, mgl32.Vec3{0, 10, 0}, mgl32.Vec3{1, 13, 0}},
		{[]float32{-1}, mgl32.Vec3{0, 8, 0}, mgl32.Vec3{1, 10, 0}},
	} {
		if got := b.Bounds(model, c.weights); got.Min != c.min || got.Max != c.max {
			t.Errorf("weights %v: %v, want %v to %v", c.weights, got, c.min, c.max)
		}
	}
	if !animation.NewJointBoxes(&skin).Bounds(model, nil).Empty() {
		t.Error("no vertices, but a box")
	}
	joints[1][0] = 3
	if err := b.Add(positions, joints, weights, nil); !errors.Is(err, animation.ErrJob) {
		t.Error(err)
	}
	if err := b.Add(positions, joints[:1], weights, nil); !errors.Is(err, animation.ErrJob) {
		t.Error(err)
	}
}
