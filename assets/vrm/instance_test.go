package vrm_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/vrm"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// figure is a head with two eyes, a mesh of four morph targets and a strand of
// hair of three joints to the side.
func figure() *assets.Model {
	m := &assets.Model{Skeleton: &animation.Skeleton{}, Scene: -1}
	s := m.Skeleton
	for _, j := range []struct {
		name   string
		parent int32
		at     mgl32.Vec3
	}{
		{"hips", -1, mgl32.Vec3{0, 1, 0}}, {"head", 0, mgl32.Vec3{0, 0.5, 0}}, {"left eye", 1, mgl32.Vec3{0.03, 0.1, 0.1}}, {"right eye", 1, mgl32.Vec3{-0.03, 0.1, 0.1}},
		{"hair", 1, mgl32.Vec3{0.1, 0.1, 0}}, {"hair", 4, mgl32.Vec3{0.1, 0, 0}}, {"hair", 5, mgl32.Vec3{0.1, 0, 0}}, {"branch", 5, mgl32.Vec3{0, 0, -0.1}},
	} {
		x := animation.Identity()
		x.Translation = j.at
		s.Names, s.Parents, s.Rest = append(s.Names, j.name), append(s.Parents, j.parent), append(s.Rest, x)
	}
	s.Rest[1].Rotation = mgl32.QuatRotate(1, mgl32.Vec3{0, 0, 1}) // bones lie as they like
	s.MorphWeights = make([]float32, 4)
	s.MorphOffset = []int32{0, 0, 4, 4, 4, 4, 4, 4, 4}
	return m
}

func avatarOf(expressions ...vrm.Expression) *vrm.Avatar {
	return &vrm.Avatar{
		Version: "1.0", Bones: humanoid.Bones{"hips": 0, "head": 1, "leftEye": 2, "rightEye": 3}, Expressions: expressions,
		LookAt: vrm.LookAt{Inner: vrm.Range{InputMax: 90, OutputScale: 10}, Outer: vrm.Range{InputMax: 90, OutputScale: 20},
			Up: vrm.Range{InputMax: 60, OutputScale: 12}, Down: vrm.Range{InputMax: 30, OutputScale: 6}},
		Springs: []vrm.Spring{{Center: -1, Joints: []vrm.SpringJoint{
			{Joint: 4, Drag: 0.2, GravityPower: 1, GravityDir: mgl32.Vec3{0, -1, 0}}, {Joint: 5, Drag: 0.2, GravityPower: 1, GravityDir: mgl32.Vec3{0, -1, 0}},
			{Joint: 6, Drag: 0.2, GravityPower: 1, GravityDir: mgl32.Vec3{0, -1, 0}},
		}}},
	}
}

func enliven(t testing.TB, m *assets.Model, a *vrm.Avatar) (*animation.Animator, *vrm.Instance) {
	t.Helper()
	i, err := vrm.NewInstance(m, a)
	if err != nil {
		t.Fatal(err)
	}
	e := animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
	e.Modify(i)
	return e, i
}

func update(t testing.TB, e *animation.Animator, dt float32) {
	t.Helper()
	if err := e.Update(dt); err != nil {
		t.Fatal(err)
	}
}

func morphs(targets ...int32) (out []vrm.MorphBind) {
	for _, k := range targets {
		out = append(out, vrm.MorphBind{Joint: 1, Target: k, Weight: 0.5})
	}
	return out
}

func TestExpressionsWeighMorphs(t *testing.T) {
	e, i := enliven(t, figure(), avatarOf(
		vrm.Expression{Name: "happy", Preset: true, Morphs: morphs(0, 1)},
		vrm.Expression{Name: "smirk", Morphs: morphs(1)},
		vrm.Expression{Name: "wink", Binary: true, Morphs: morphs(3)},
	))
	set := func(name string, w float32) {
		t.Helper()
		if err := i.Express(name, w); err != nil {
			t.Fatal(err)
		}
	}
	set("Happy", 0.5)
	set("smirk", 7)
	set("wink", 0.5)
	for range 3 { // weights do not pile up
		update(t, e, 0.01)
	}
	if w := e.MorphWeights(1); w[0] != 0.25 || w[1] != 0.75 || w[2] != 0 || w[3] != 0 {
		t.Errorf("weights %v", w)
	}
	set("wink", 0.6)
	set("happy", 0)
	update(t, e, 0.01)
	if w := e.MorphWeights(1); w[0] != 0 || w[1] != 0.5 || w[3] != 0.5 {
		t.Errorf("weights %v", w)
	}
	err := i.Express("grin", 1)
	if !errors.Is(err, vrm.ErrNoExpression) || !strings.Contains(err.Error(), "happy, smirk, wink") {
		t.Error(err)
	}
	if i.Express("happy", float32(math.NaN())) == nil {
		t.Error("a weight of NaN was taken")
	}
}

// Expressions colour materials and move their textures, each by its difference
// from the material's own, in both versions of VRM.
func TestExpressionsPaint(t *testing.T) {
	const material = `"materials":[{"name":"face","pbrMetallicRoughness":{"baseColorFactor":[1,1,1,1],"baseColorTexture":{"index":0}},"emissiveFactor":[0.5,0,0]}],"textures":[{}]`
	for version, ext := range map[string]string{
		"1.0": `"VRMC_vrm":{"specVersion":"1.0","humanoid":{"humanBones":{}},"expressions":{"custom":{"angry":{
"materialColorBinds":[{"material":0,"type":"color","targetValue":[1,0,0.5,1]},{"material":0,"type":"emissionColor","targetValue":[0,1,0,1]},{"material":0,"type":"shadeColor","targetValue":[0,0,0,1]}],
"textureTransformBinds":[{"material":0,"scale":[1,0.5],"offset":[0.25,0.25]}]}}}}`,
		"0.x": `"VRM":{"blendShapeMaster":{"blendShapeGroups":[{"name":"angry","binds":[],"materialValues":[
{"materialName":"face","propertyName":"_Color","targetValue":[1,0,0.735357,1]},{"materialName":"face","propertyName":"_EmissionColor","targetValue":[0,1,0,1]},
{"materialName":"face","propertyName":"_ShadeColor","targetValue":[0,0,0,1]},{"materialName":"face","propertyName":"_MainTex_ST","targetValue":[1,0.5,0.25,0.25]}]}]}}`,
	} {
		data := []byte(`{"asset":{"version":"2.0"},"nodes":[{}],` + material + `,"extensions":{` + ext + `}}`)
		m, err := gltf.Decode("painted.vrm", data, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := vrm.Read(data, m)
		if err != nil {
			t.Fatal(err)
		}
		if names := a.Unshown(); len(names) != 1 || names[0] != "angry" {
			t.Errorf("%s: unshown are %v", version, names)
		}
		e, i := enliven(t, m, a)
		if err := i.Express("angry", 0.5); err != nil {
			t.Fatal(err)
		}
		update(t, e, 0.01)
		update(t, e, 0.01)
		var got assets.Material
		m.MaterialAt(0, m.PropertiesOf(assets.OfMaterial, 0), e.Pose().Weights, &got, &assets.Clearcoat{})
		near := func(what string, got, want []float32) {
			for c := range want {
				if math.Abs(float64(got[c]-want[c])) > 1e-5 {
					t.Errorf("%s: %s is %v, want %v", version, what, got, want)
					return
				}
			}
		}
		near("colour", got.BaseColor[:], []float32{1, 0.5, 0.75, 1})
		near("emission", got.Emissive[:], []float32{0.25, 0.5, 0})
		near("scale", got.BaseColorMap.Scale[:], []float32{1, 0.75})
		near("offset", got.BaseColorMap.Offset[:], []float32{0.125, 0.125})
		if m.Materials[0].BaseColor[1] != 1 {
			t.Error("the model itself was changed")
		}
	}
}

// What each of two expressions leaves of a third, by the table of VRM 1.0.
func TestOverrides(t *testing.T) {
	for _, c := range []struct {
		rule         string
		weight, want float32
		binary       bool
	}{
		{"none", 1, 0.8, false}, {"block", 0.1, 0, false}, {"block", 0, 0.8, false}, {"blend", 0.25, 0.6, false}, {"blend", 1, 0, false},
		{"blend", 0.25, 0, true}, {"none", 1, 1, true}, {"", 1, 0.8, false},
	} {
		e, i := enliven(t, figure(), avatarOf(
			vrm.Expression{Name: "blink", Preset: true, Binary: c.binary, OverrideBlink: "block", Morphs: morphs(0)},
			vrm.Expression{Name: "happy", Preset: true, OverrideBlink: c.rule, Morphs: morphs(1)},
			vrm.Expression{Name: "aa", Preset: true, Morphs: morphs(2)},
		))
		for name, w := range map[string]float32{"blink": 0.8, "aa": 0.8, "happy": c.weight} {
			if err := i.Express(name, w); err != nil {
				t.Fatal(err)
			}
		}
		update(t, e, 0)
		if got := i.Shown(0); math.Abs(float64(got-c.want)) > 1e-6 || i.Shown(2) != 0.8 || e.MorphWeights(1)[0] != got*0.5 {
			t.Errorf("%+v: blink is %v, aa %v", c, got, i.Shown(2))
		}
	}
}

// turned is by how much an eye looks to its left and up, degrees, where it looks
// along facing·Z at rest.
func turned(e *animation.Animator, s *animation.Skeleton, joint int32, facing float32) (yaw, pitch float64) {
	rest := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, rest)
	now := e.Model()[joint].Mul4(rest[joint].Inv())
	d := mgl32.TransformNormal(mgl32.Vec3{0, 0, facing}, now)
	return math.Atan2(float64(facing*d[0]), float64(facing*d[2])) * 180 / math.Pi, math.Asin(float64(d[1])) * 180 / math.Pi
}

func TestEyesTurnWithinTheirRanges(t *testing.T) {
	for version, facing := range map[string]float32{"1.0": 1, "0.x": -1} {
		m, a := figure(), avatarOf()
		a.Version = version
		e, i := enliven(t, m, a)
		for _, c := range []struct{ yaw, pitch, left, right, rise float64 }{
			{0, 0, 0, 0, 0}, {45, 0, 10, 5, 0}, {-45, 0, -5, -10, 0}, {180, 30, 20, 10, 6}, {0, -90, 0, 0, -6}, {math.NaN(), 0, 0, 0, 0},
		} {
			i.Gaze(float32(c.yaw*math.Pi/180), float32(c.pitch*math.Pi/180))
			update(t, e, 0)
			for joint, want := range map[int32]float64{2: c.left, 3: c.right} {
				yaw, pitch := turned(e, m.Skeleton, joint, facing)
				if math.Abs(yaw-want) > 0.01 || math.Abs(pitch-c.rise) > 0.01 {
					t.Errorf("%s, gaze %v, %v: joint %d is at %v, %v; want %v, %v", version, c.yaw, c.pitch, joint, yaw, pitch, want, c.rise)
				}
			}
		}
		// A point straight ahead, one to the left and above.
		i.GazeAt(mgl32.Vec3{0, 1.5, facing * 5})
		update(t, e, 0)
		if yaw, pitch := turned(e, m.Skeleton, 2, facing); math.Abs(yaw)+math.Abs(pitch) > 0.01 {
			t.Errorf("%s: straight ahead is %v, %v", version, yaw, pitch)
		}
		i.GazeAt(mgl32.Vec3{facing * 2, 3.5, facing * 2})
		update(t, e, 0)
		if yaw, pitch := turned(e, m.Skeleton, 2, facing); math.Abs(yaw-10) > 0.01 || math.Abs(pitch-35.264/60*12) > 0.02 {
			t.Errorf("%s: aside is %v, %v", version, yaw, pitch)
		}
		i.GazeFree()
		update(t, e, 0)
		if yaw, _ := turned(e, m.Skeleton, 2, facing); math.Abs(yaw) > 1e-3 {
			t.Errorf("%s: let go, an eye is at %v", version, yaw)
		}
	}
}

func TestGazeByExpression(t *testing.T) {
	a := avatarOf(
		vrm.Expression{Name: "lookLeft", Preset: true, Morphs: morphs(0)}, vrm.Expression{Name: "lookDown", Preset: true, Morphs: morphs(1)},
		vrm.Expression{Name: "lookRight", Preset: true, Morphs: morphs(2)},
	)
	a.LookAt.ByExpression = true
	a.LookAt.Outer, a.LookAt.Down = vrm.Range{InputMax: 60, OutputScale: 1}, vrm.Range{InputMax: 30, OutputScale: 1}
	e, i := enliven(t, figure(), a)
	i.Gaze(math.Pi/6, -math.Pi/3)
	update(t, e, 0)
	if w := e.MorphWeights(1); math.Abs(float64(w[0]-0.25)) > 1e-5 || w[1] != 0.5 || w[2] != 0 {
		t.Errorf("weights %v", w)
	}
}

// Hair falls after the clips, of 1.0 without its last joint and of 0.x with it, and
// whatever is paused stands still.
func TestHairFalls(t *testing.T) {
	for version, want := range map[string]mgl32.Vec3{"1.0": {0, -1, 0}, "0.x": {0, -1, 0}} {
		m, a := figure(), avatarOf()
		a.Version = version
		if version == "0.x" { // as a group is read: the branch is a spring of its own
			a.Springs = append(a.Springs, vrm.Spring{Center: -1, Joints: []vrm.SpringJoint{{Joint: 7, Drag: 0.2, GravityPower: 1, GravityDir: mgl32.Vec3{0, -1, 0}}}})
		}
		e, i := enliven(t, m, a)
		if n := i.Springs().Len(); n != map[string]int{"1.0": 2, "0.x": 4}[version] {
			t.Errorf("%s: %d joints swing", version, n)
		}
		update(t, e, 0)
		rest := e.Model()[6]
		e.Paused = true
		update(t, e, 0.5)
		if e.Model()[6] != rest {
			t.Errorf("%s: it swings while paused", version)
		}
		e.Paused = false
		for range 600 {
			update(t, e, 1.0/60)
		}
		from, to := e.Model()[4].Col(3).Vec3(), e.Model()[6].Col(3).Vec3()
		if d := to.Sub(from).Normalize(); d.Sub(want).Len() > 0.02 {
			t.Errorf("%s: it hangs along %v", version, d)
		}
	}
}

func TestInstanceAllocatesNothing(t *testing.T) {
	e, i := enliven(t, figure(), avatarOf(vrm.Expression{Name: "happy", Preset: true, OverrideBlink: "blend", Morphs: morphs(0)}))
	i.GazeAt(mgl32.Vec3{1, 2, 3})
	_ = i.Express("happy", 0.5)
	if n := testing.AllocsPerRun(100, func() { _ = e.Update(1.0 / 50) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Every real avatar comes to life: 2 s of springs, each expression and a gaze give
// finite matrices, and each expression that has morph targets moves weights.
func TestRealAvatarsComeToLife(t *testing.T) {
	shown := 0
	for _, path := range avatars(t) {
		m, a, err := vrm.Load(path)
		if err != nil {
			continue
		}
		// None of these files has springs: their arms and what hangs below swing.
		for k, bone := range []string{"leftUpperArm", "leftLowerArm", "leftHand"} {
			if j, ok := a.Bones[bone]; ok {
				if k == 0 {
					a.Springs = append(a.Springs, vrm.Spring{Center: -1})
				}
				if n := len(a.Springs); n > 0 {
					a.Springs[n-1].Joints = append(a.Springs[n-1].Joints, vrm.SpringJoint{Joint: j, Stiffness: 0.5, Drag: 0.3, HitRadius: 0.02, GravityPower: 0.4, GravityDir: mgl32.Vec3{0, -1, 0}})
				}
			}
		}
		e, i := enliven(t, m, a)
		for k := range 120 {
			i.Gaze(float32(k)/20-3, float32(k%40)/20-1)
			e.World = mgl32.Translate3D(float32(math.Sin(float64(k)/10)), 0, 0)
			update(t, e, 1.0/60)
			for j, x := range e.Model() {
				for _, v := range x {
					if v-v != 0 {
						t.Fatalf("%s: frame %d: joint %d is %v", path, k, j, x)
					}
				}
			}
		}
		for k := range a.Expressions {
			x := &a.Expressions[k]
			if len(x.Morphs) == 0 || x.Morphs[0].Weight == 0 {
				continue
			}
			before := append([]float32(nil), e.Pose().Weights...)
			if err := i.Express(x.Name, 1); err != nil {
				t.Error(err)
			}
			update(t, e, 0)
			moved := false
			for w, v := range e.Pose().Weights {
				moved = moved || v != before[w]
			}
			if !moved {
				t.Errorf("%s: expression %s moves nothing", filepath.Base(path), x.Name)
			}
			shown++
			_ = i.Express(x.Name, 0)
			update(t, e, 0)
		}
	}
	if shown < 8 {
		t.Errorf("%d expressions of morph targets only", shown)
	}
}
