package engine_test

import (
	"fmt"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// The device's skinned, morphed and placed positions are the processor's,
// within 1e-4, relative to the model's size above 1.
func TestDevicePositionsAgreeWithTheProcessor(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64, Warn: func(*assets.Model, string) {}})
	camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
	probe := newWorldProbe(t, e)
	for _, c := range []struct {
		file       string
		clip       int // -1: the file has none; joints then swing
		influences int
		morphs     bool
		times      []float32
	}{
		{"gltf/Fox/glTF-Binary/Fox.glb", 2, 4, false, []float32{0, 0.1, 0.37, 0.9, 1.1}},
		{"gltf/CesiumMan/glTF-Binary/CesiumMan.glb", 0, 4, false, []float32{0, 0.5, 1.7}},
		{"gltf/RiggedSimple/glTF/RiggedSimple.gltf", 0, 4, false, []float32{0, 0.6, 2}},
		{"gltf/KayKit/mannequin/manny_med_mod.gltf", -1, 4, false, []float32{0, 0.4}},
		{"gltf-magnum/AssimpImporter/skin-multiple-sets.gltf", -1, 8, false, []float32{0, 0.7}},
		{"gltf/AnimatedMorphCube/glTF/AnimatedMorphCube.gltf", 0, 0, true, []float32{0, 0.4, 1.1, 2.3}},
		{"gltf/MorphStressTest/glTF-Embedded/MorphStressTest.gltf", 0, 0, true, []float32{0.2, 1.3}},
		{"gltf/BoxTextured/glTF-Binary/BoxTextured.glb", -1, 0, false, []float32{0}},
		{"gltf/CesiumMilkTruck/glTF-Binary/CesiumMilkTruck.glb", 0, 0, false, []float32{0, 0.8}},
		{"fbx/ufbx/maya_dual_quaternion_7500_ascii.fbx", 0, 4, false, []float32{0, 0.3, 0.6}},
		{"fbx/ufbx/maya_dq_weights_7500_ascii.fbx", 0, 4, false, []float32{0, 0.3, 0.6}},
		{"gltf/InterpolationTest/glTF/InterpolationTest.gltf", 3, 0, false, []float32{0.3, 0.9}},
	} {
		t.Run(c.file, func(t *testing.T) {
			m := load(t, c.file)
			entity := e.Scene.SpawnModel(m.Name, m, nil)
			defer e.Library.Forget(m)
			defer e.Scene.Remove(entity)
			if entity.Animator != nil {
				clip := swing(m.Skeleton)
				if c.clip >= 0 {
					clip = m.Clips[c.clip]
				}
				if err := entity.Animator.Play(clip, 0); err != nil {
					t.Fatal(err)
				}
			}
			for _, at := range c.times {
				if entity.Animator != nil {
					if err := entity.Animator.Seek(at); err != nil {
						t.Fatal(err)
					}
				}
				enginetest.Frames(t, e, 1, 0)
				got := probe.positions(t)
				compareWithProcessor(t, fmt.Sprintf("at %v s", at), entity.Animator, m, got)
			}
			most, moved := 0, false
			for _, b := range e.Draw.Opaque {
				most = max(most, b.Primitive.Influences)
				moved = moved || b.Positions.Buffer != b.Primitive.Positions.Buffer
			}
			if most != c.influences || moved != c.morphs {
				t.Errorf("drawn with %d influences, morphed %v", most, moved)
			}
		})
	}
}

// swing turns and moves each joint of a skeleton, each a bit differently.
func swing(s *animation.Skeleton) *animation.Clip {
	c := &animation.Clip{Name: "swing", Duration: 1}
	for j := range s.Len() {
		rest := s.Rest[j]
		turned := rest.Rotation.Mul(mgl32.QuatRotate(0.3+0.05*float32(j%7), mgl32.Vec3{1, float32(j % 3), 0.5}.Normalize()))
		from, to := rest.Rotation.XYZW(), turned.XYZW()
		c.Tracks = append(c.Tracks, animation.Track{
			Joint: int32(j), Path: animation.Rotation, Width: 4, Times: []float32{0, 1},
			Values: append(append([]float32{}, from[:]...), to[:]...),
		})
	}
	return c
}

func compareWithProcessor(t *testing.T, when string, a *animation.Animator, m *assets.Model, got [][]mgl32.Vec3) {
	t.Helper()
	pose := animation.NewPose(m.Skeleton)
	if a != nil {
		pose = a.Pose()
	}
	bounds, err := m.Bounds(pose)
	if err != nil {
		t.Fatal(err)
	}
	allowed := 1e-4 * max(bounds.Max.Sub(bounds.Min).Len(), 1)
	i, worst := 0, float32(0)
	err = m.NormalizeWeights().Evaluate(pose, func(node, _, primitive int, want []mgl32.Vec3) {
		if len(want) == 0 {
			return
		}
		if i >= len(got) || len(got[i]) != len(want) {
			t.Errorf("%s: node %d primitive %d: the device has no such %d positions", when, node, primitive, len(want))
			return
		}
		for v := range want {
			d := got[i][v].Sub(want[v]).Len()
			if !(d <= allowed) {
				t.Fatalf("%s: node %d primitive %d vertex %d: device %v, processor %v", when, node, primitive, v, got[i][v], want[v])
			}
			worst = max(worst, d)
		}
		i++
	})
	if err != nil {
		t.Fatal(err)
	}
	if i != len(got) {
		t.Errorf("%s: the device drew %d primitives, the processor %d", when, len(got), i)
	}
	t.Logf("%s: worst distance %.2g m, allowed %.2g", when, worst, allowed)
}
