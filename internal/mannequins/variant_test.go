package mannequins_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/mannequins"
)

// written is the variant as a file has it.
func written(t *testing.T, v mannequins.Variant) *assets.Model {
	t.Helper()
	var b bytes.Buffer
	if err := v.Write(&b); err != nil {
		t.Fatal(err)
	}
	m, err := gltf.Decode(v.Name()+".glb", b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// joints are where joints stand, by name, at a time of a clip; -1 is rest.
func joints(t *testing.T, m *assets.Model, clip int, at float32) map[string]mgl32.Vec3 {
	t.Helper()
	p := animation.NewPose(m.Skeleton)
	if clip >= 0 {
		player := animation.NewPlayer(m.Skeleton)
		if err := player.Play(m.Clips[clip], 0); err != nil {
			t.Fatal(err)
		}
		if err := player.Update(at); err != nil {
			t.Fatal(err)
		}
		if err := player.Sample(p); err != nil {
			t.Fatal(err)
		}
	}
	model := make([]mgl32.Mat4, m.Skeleton.Len())
	p.ToModel(m.Skeleton, model)
	out := map[string]mgl32.Vec3{}
	for j, n := range m.Skeleton.Names {
		out[n] = model[j].Col(3).Vec3()
	}
	return out
}

// box is what the mesh fills at rest.
func box(t *testing.T, m *assets.Model) (lo, hi mgl32.Vec3) {
	t.Helper()
	lo, hi = mgl32.Vec3{9, 9, 9}, mgl32.Vec3{-9, -9, -9}
	err := m.Evaluate(animation.NewPose(m.Skeleton), func(_, _, _ int, ps []mgl32.Vec3) {
		for _, p := range ps {
			for c := range 3 {
				lo[c], hi[c] = min(lo[c], p[c]), max(hi[c], p[c])
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return lo, hi
}

func TestVariantsAreAlikeInTheWorld(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range mannequins.All() {
		if seen[v.Name()] {
			t.Fatalf("two variants are named %s", v.Name())
		}
		seen[v.Name()] = true
		m := written(t, v)
		plain := v
		plain.Unit, plain.ZUp = mannequins.Metres, false
		want := written(t, plain)
		if n := len(m.Skins[0].Joints); n != v.Joints {
			t.Errorf("%s: %d joints", v.Name(), n)
		}
		near := func(what string, a, b map[string]mgl32.Vec3) {
			for name, p := range b {
				if d := a[name].Sub(p).Len(); d > 1e-4 || d != d {
					t.Fatalf("%s: %s: %s stands at %v, not %v", v.Name(), what, name, a[name], p)
				}
			}
		}
		near("at rest", joints(t, m, -1, 0), joints(t, want, -1, 0))
		for c, clip := range want.Clips {
			near(clip.Name, joints(t, m, c, 0.4), joints(t, want, c, 0.4))
		}
		lo, hi := box(t, m)
		if math.Abs(float64(lo[1])) > 0.003 || hi[1] < 1.4 || hi[1] > 1.9 {
			t.Errorf("%s: the mesh stands from %.3f to %.3f m", v.Name(), lo[1], hi[1])
		}
		// Arms are the widest in a T.
		if wide, stretched := hi[0]-lo[0], (hi[0]-lo[0])/(hi[1]-lo[1]); v.APose == (stretched > 0.97) {
			t.Errorf("%s: %.2f m wide, %.2f m tall", v.Name(), wide, hi[1]-lo[1])
		}
		_, armature := joints(t, m, -1, 0)["Armature"]
		if armature != (v.Unit != mannequins.Metres || v.ZUp) {
			t.Errorf("%s: an armature: %v", v.Name(), armature)
		}
	}
}

// The A-pose is another rest, not another motion.
func TestPoseOfBindingChangesNoClip(t *testing.T) {
	a, b := written(t, mannequins.Variant{Joints: 65}), written(t, mannequins.Variant{Joints: 65, APose: true})
	for c := range a.Clips {
		for name, p := range joints(t, a, c, 0.3) {
			if d := joints(t, b, c, 0.3)[name].Sub(p).Len(); d > 1e-4 {
				t.Fatalf("%s: %s is %.4f m off", a.Clips[c].Name, name, d)
			}
		}
	}
	rest := joints(t, b, -1, 0)
	arm := rest["lowerarm_l"].Sub(rest["upperarm_l"])
	if down := math.Atan2(float64(-arm[1]), float64(arm[0])) * 180 / math.Pi; down < 35 || down > 55 {
		t.Errorf("arms hang %.0f° below level", down)
	}
}
