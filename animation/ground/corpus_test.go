package ground_test

import (
	"fmt"
	"math"
	"path"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// character is a model as it is drawn, with the clips to play on it.
type character struct {
	name  string
	model *assets.Model
	clips []*animation.Clip
	soles []ground.Sole
}

func load(t testing.TB, file string) *assets.Model {
	t.Helper()
	var m *assets.Model
	var err error
	if path.Ext(file) == ".fbx" {
		m, err = fbx.Load(corpus.Path(t, file))
	} else {
		m, err = gltf.Load(corpus.Path(t, file))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m.NormalizeWeights()
}

func (c *character) find(t testing.TB) *character {
	t.Helper()
	var err error
	if c.soles, err = c.model.Soles(); err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return c
}

// with adds another file's clips by joint names.
func (c *character) with(t testing.TB, file string) {
	from := load(t, file)
	for _, clip := range from.Clips {
		bound, _ := animation.BindByName(clip, from.Skeleton, c.model.Skeleton)
		c.clips = append(c.clips, bound)
	}
}

func demoMannequin(t testing.TB) *character { return ofDemo(t, "mannequin") }
func demoCarrier(t testing.TB) *character   { return ofDemo(t, "carrier") }
func demoPorter(t testing.TB) *character    { return ofDemo(t, "porter") }

func ofDemo(t testing.TB, name string) *character {
	t.Helper()
	data, err := demoassets.Files.ReadFile(name + ".glb")
	if err != nil {
		t.Fatal(err)
	}
	m, err := gltf.Decode(name+".glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return (&character{name: name, model: m, clips: m.Clips}).find(t)
}

func kayKit(t testing.TB) *character {
	c := &character{name: "KayKit", model: load(t, "gltf/KayKit/mannequin/manny_med_mod.gltf")}
	c.with(t, "gltf/KayKit/Med_MovementBasic.glb")
	return c.find(t)
}

func fox(t testing.TB) *character {
	c := &character{name: "Fox", model: load(t, "gltf/Fox/glTF-Binary/Fox.glb")}
	c.clips = c.model.Clips
	return c.find(t)
}

func cesiumMan(t testing.TB) *character {
	c := &character{name: "CesiumMan", model: load(t, "gltf/CesiumMan/glTF-Binary/CesiumMan.glb")}
	c.clips = c.model.Clips
	return c.find(t)
}

func pab(t testing.TB) *character {
	c := &character{name: "pab", model: load(t, "fbx/ozz/pab/arnaud.fbx")}
	for _, file := range []string{"fbx/ozz/pab/walk.fbx", "fbx/ozz/pab/jog.fbx", "fbx/ozz/pab/locomotions.fbx"} {
		c.with(t, file)
	}
	for i, clip := range c.clips {
		walking, err := animation.ExtractRoot(clip, c.model.Skeleton, int32(c.model.Skeleton.Joint("Hips")), animation.RootAxes{X: true, Z: true})
		if err != nil {
			t.Fatal(err)
		}
		c.clips[i] = walking
	}
	return c.find(t)
}

// every is the lowest of all vertices, by the reference evaluation.
func (c *character) every(t testing.TB, pose *animation.Pose) float32 {
	t.Helper()
	b, err := c.model.Bounds(pose)
	if err != nil {
		t.Fatal(err)
	}
	return b.Min[1]
}

func (c *character) sample(t testing.TB, clip *animation.Clip, at float32, pose *animation.Pose) {
	t.Helper()
	job := animation.SamplingJob{Clip: clip, Skeleton: c.model.Skeleton, Time: at, Cursors: make([]int32, len(clip.Tracks)), Out: pose}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
}

// people are the characters of the tests, and their feet: hip, knee, foot, toes.
var people = []struct {
	name string
	load func(testing.TB) *character
	feet []string
}{
	{"mannequin", demoMannequin, []string{"left: thigh_l calf_l foot_l toe_l", "right: thigh_r calf_r foot_r toe_r"}},
	{"KayKit", kayKit, []string{"left: upperleg.l lowerleg.l foot.l toes.l", "right: upperleg.r lowerleg.r foot.r toes.r"}},
	{"CesiumMan", cesiumMan, []string{"left: 8 9 10 11", "right: 4 5 6 7"}},
	{"pab", pab, []string{"left: LeftUpLeg LeftLeg LeftFoot LeftFootThumb1", "right: RightUpLeg RightLeg RightFoot RightFootThumb1"}},
	{"Fox", fox, []string{
		"front left: b_LeftUpperArm_09 b_LeftForeArm_010 b_LeftHand_011 -",
		"front right: b_RightUpperArm_06 b_RightForeArm_07 b_RightHand_08 -",
		"hind left: b_LeftLeg01_015 b_LeftLeg02_016 b_LeftFoot01_017 b_LeftFoot02_018",
		"hind right: b_RightLeg01_019 b_RightLeg02_020 b_RightFoot01_021 b_RightFoot02_022",
	}},
	{"carrier", demoCarrier, []string{
		"front left: front_thigh_l front_calf_l front_foot_l -", "front right: front_thigh_r front_calf_r front_foot_r -",
		"hind left: hind_thigh_l hind_calf_l hind_foot_l -", "hind right: hind_thigh_r hind_calf_r hind_foot_r -",
	}},
	{"porter", demoPorter, []string{
		"left: CC_Base_L_Thigh CC_Base_L_Calf CC_Base_L_Foot CC_Base_L_ToeBase",
		"right: CC_Base_R_Thigh CC_Base_R_Calf CC_Base_R_Foot CC_Base_R_ToeBase",
	}},
}

func describe(s *animation.Skeleton, f *ground.Foot) string {
	out := f.Name + ":"
	for _, j := range []int32{f.Hip, f.Knee, f.Foot, f.Toe} {
		switch {
		case j < 0:
			out += " -"
		case s.Names[j] == "":
			out += fmt.Sprint(" ", j)
		default:
			out += " " + s.Names[j]
		}
	}
	return out
}

func TestFeetAreFound(t *testing.T) {
	for _, p := range people {
		t.Run(p.name, func(t *testing.T) {
			c := p.load(t)
			alone, err := ground.FindFeet(c.model.Skeleton)
			if err != nil {
				t.Fatal(err)
			}
			var with, without []string
			for i := range c.soles {
				with = append(with, describe(c.model.Skeleton, &c.soles[i].Foot))
			}
			for i := range alone {
				without = append(without, describe(c.model.Skeleton, &alone[i]))
			}
			if !slices.Equal(with, p.feet) {
				t.Errorf("with its mesh: %q, want %q", with, p.feet)
			}
			if !slices.Equal(without, p.feet) {
				t.Errorf("by joints alone: %q, want %q", without, p.feet)
			}
		})
	}
}

// Over whole clips the lowest of all vertices of the model, as the reference
// evaluates them, is a sole's to within a millimetre of a person.
func TestTheLowestOfAllVerticesIsASoleVertex(t *testing.T) {
	for _, p := range people {
		t.Run(p.name, func(t *testing.T) {
			c := p.load(t)
			s := c.model.Skeleton
			for i := range c.soles {
				if n := c.soles[i].Len(); n < 4 || n > 60 {
					t.Errorf("the sole %s has %d vertices", c.soles[i].Name, n)
				}
			}
			pose := animation.NewPose(s)
			model := make([]mgl32.Mat4, s.Len())
			for _, clip := range c.clips {
				var worst, at float32
				for time := float32(0); time <= clip.Duration; time += 1.0 / 30 {
					c.sample(t, clip, time, pose)
					pose.ToModel(s, model)
					low := float32(math.Inf(1))
					for i := range c.soles {
						_, h := c.soles[i].Lowest(model, mgl32.Vec3{0, 1, 0})
						low = min(low, h)
					}
					if d := low - c.every(t, pose); d > worst {
						worst, at = d, time
					}
				}
				if worst > 1e-3*c.soles[0].Height/1.8 {
					t.Errorf("%s at %.2f s: another vertex is lower by %.2f mm", clip.Name, at, 1000*worst)
				}
				t.Logf("%s: within %.2f mm, of %.2f m", clip.Name, 1000*worst, c.soles[0].Height)
			}
		})
	}
}
