package retarget_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/bvh"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

func load(t testing.TB, path string) *assets.Model {
	t.Helper()
	var m *assets.Model
	var err error
	switch strings.ToLower(filepath.Ext(path)) {
	case ".fbx":
		m, err = fbx.Load(path)
	case ".bvh":
		m, err = bvh.Load(path, bvh.Options{})
	default:
		m, err = gltf.Load(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func shared(t testing.TB, rel string) *assets.Model { return load(t, corpus.Path(t, rel)) }

func rig(t testing.TB, s *animation.Skeleton) *retarget.Rig {
	t.Helper()
	r, err := retarget.NewRig(s, retarget.RigOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// segments are limbs by the bones at their ends.
var segments = [][2]string{
	{"leftUpperArm", "leftLowerArm"}, {"leftLowerArm", "leftHand"}, {"rightUpperArm", "rightLowerArm"}, {"rightLowerArm", "rightHand"},
	{"leftUpperLeg", "leftLowerLeg"}, {"leftLowerLeg", "leftFoot"}, {"rightUpperLeg", "rightLowerLeg"}, {"rightLowerLeg", "rightFoot"},
}

// bodyDirection is where a limb points in the body's own axes.
func bodyDirection(r *retarget.Rig, model []mgl32.Mat4, segment [2]string) mgl32.Vec3 {
	a, b := r.Bones[segment[0]], r.Bones[segment[1]]
	d := model[b].Col(3).Vec3().Sub(model[a].Col(3).Vec3()).Normalize()
	return mgl32.Vec3{d.Dot(r.Left), d.Dot(r.Up), d.Dot(r.Forward)}
}

func degrees(a, b mgl32.Vec3) float64 {
	return 2 * math.Asin(math.Min(1, float64(a.Sub(b).Len())/2)) * 180 / math.Pi
}

// worstLimb samples a clip and what was baked of it at 60 Hz, by matrices alone.
func worstLimb(t testing.TB, m *retarget.Map, clip, baked *animation.Clip) (worst float64, where string) {
	t.Helper()
	s, d := m.Source.Skeleton, m.Target.Skeleton
	from := animation.SamplingJob{Clip: clip, Skeleton: s, Cursors: make([]int32, len(clip.Tracks)), Out: animation.NewPose(s)}
	to := animation.SamplingJob{Clip: baked, Skeleton: d, Cursors: make([]int32, len(baked.Tracks)), Out: animation.NewPose(d)}
	a, b := make([]mgl32.Mat4, s.Len()), make([]mgl32.Mat4, d.Len())
	for i := 0; float32(i)/60 <= clip.Duration; i++ {
		from.Time, to.Time = float32(i)/60, float32(i)/60
		if err := from.Run(); err != nil {
			t.Fatal(err)
		}
		if err := to.Run(); err != nil {
			t.Fatal(err)
		}
		from.Out.ToModel(s, a)
		to.Out.ToModel(d, b)
		for _, segment := range segments {
			j, k := m.Source.Bones[segment[0]], m.Source.Bones[segment[1]]
			if l := a[k].Col(3).Vec3().Sub(a[j].Col(3).Vec3()).Len(); l < 0.05*m.Source.LimbLength {
				continue // it spawns from nothing
			}
			if e := degrees(bodyDirection(m.Source, a, segment), bodyDirection(m.Target, b, segment)); e > worst {
				worst, where = e, segment[0]
			}
		}
	}
	return worst, where
}

// Every limb of every target points where the source's does, in every frame of
// every clip: whatever names, proportions, rest poses, axes and units.
func TestLimbsPointAlike(t *testing.T) {
	targets := map[string]*assets.Model{
		"demo":   load(t, "../../demo/assets/mannequin.glb"),
		"kaykit": shared(t, "gltf/KayKit/mannequin/manny_med_mod.gltf"),
		"cesium": shared(t, "gltf/CesiumMan/glTF-Binary/CesiumMan.glb"),
		"arnaud": shared(t, "fbx/ozz/pab/arnaud.fbx"),
		"vrm0":   shared(t, "vrm/unity/Example.vrm"),
		"vrm1":   shared(t, "vrm/blender-5.2/basic_armature_vrm1.vrm"),
	}
	sources := []string{
		"gltf/KayKit/Med_MovementBasic.glb", "gltf/KayKit/Med_General.glb", "fbx/ozz/pab/locomotions.fbx",
		"bvh/01_01.bvh", "gltf/CesiumMan/glTF-Binary/CesiumMan.glb",
	}
	for _, path := range sources {
		source := shared(t, path)
		from := rig(t, source.Skeleton)
		for name, target := range targets {
			m, err := retarget.NewMap(from, rig(t, target.Skeleton))
			if err != nil {
				t.Errorf("%s to %s: %v", path, name, err)
				continue
			}
			r, err := retarget.New(m, retarget.Options{})
			if err != nil {
				t.Fatal(err)
			}
			across, up := m.Ratios()
			t.Logf("%s to %s: %s %d pairs, ratios %.2f %.2f standing %v", filepath.Base(path), name, m.Source.Kind, len(m.Pairs), across, up, m.Source.Standing)
			for i, clip := range source.Clips {
				if testing.Short() && i > 2 {
					break
				}
				if clip.Duration > 5 {
					clip = first(clip, 3)
				}
				baked, err := r.Bake(clip)
				if err != nil {
					t.Errorf("%s to %s: %v", path, name, err)
					continue
				}
				bound := 0.1
				if strings.Contains(clip.Name, "Spawn") { // joints are scaled unevenly, which bends limbs by no rotation
					bound = 0.25
				}
				if worst, where := worstLimb(t, m, clip, baked); worst > bound {
					t.Errorf("%s %q to %s: %s is off by %.2f°", path, clip.Name, name, where, worst)
				}
			}
		}
	}
}

// first is the beginning of a clip.
func first(c *animation.Clip, seconds float32) *animation.Clip {
	tracks := make([]animation.Track, len(c.Tracks))
	for i, tr := range c.Tracks {
		n := 1
		for n < len(tr.Times) && tr.Times[n] <= seconds {
			n++
		}
		tr.Times, tr.Values = tr.Times[:n], tr.Values[:n*tr.Width]
		tracks[i] = tr
	}
	out := c.With(tracks)
	out.Duration = seconds
	return out
}
