package ground_test

import (
	"path"
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

func demoMannequin(t testing.TB) *character {
	t.Helper()
	data, err := demoassets.Files.ReadFile("mannequin.glb")
	if err != nil {
		t.Fatal(err)
	}
	m, err := gltf.Decode("mannequin.glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return (&character{name: "mannequin", model: m, clips: m.Clips}).find(t)
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

var people = []struct {
	name string
	load func(testing.TB) *character
	feet []string
}{
	{"mannequin", demoMannequin, []string{"left foot_l toe_l", "right foot_r toe_r"}},
	{"KayKit", kayKit, nil}, {"CesiumMan", cesiumMan, nil}, {"pab", pab, nil}, {"Fox", fox, nil},
}

func TestTheLowestOfAllVerticesIsASoleVertex(t *testing.T) {
	for _, p := range people {
		t.Run(p.name, func(t *testing.T) {
			c := p.load(t)
			s := c.model.Skeleton
			for i := range c.soles {
				f := &c.soles[i]
				n := func(j int32) string {
					if j < 0 {
						return "-"
					}
					return s.Names[j]
				}
				t.Logf("%s: %d %s > %s > %s > %s; %d vertices, %d influences, level %.4f center %v facing %v", f.Name, f.Foot.Foot, n(f.Hip), n(f.Knee), n(f.Foot.Foot), n(f.Toe), f.Len(), len(f.Influences), f.Level, f.Center, f.Forward)
			}
			pose := animation.NewPose(s)
			model := make([]mgl32.Mat4, s.Len())
			for _, clip := range c.clips {
				var worst, at float32
				for time := float32(0); time <= clip.Duration; time += 1.0 / 30 {
					c.sample(t, clip, time, pose)
					pose.ToModel(s, model)
					low := float32(1e9)
					for i := range c.soles {
						_, h := c.soles[i].Lowest(model, mgl32.Vec3{0, 1, 0})
						low = min(low, h)
					}
					if d := low - c.every(t, pose); d > worst {
						worst, at = d, time
					}
				}
				t.Logf("%s: %.2f mm of %.2f m (at %.2f s)", clip.Name, 1000*worst, c.soles[0].Height, at)
			}
		})
	}
}
