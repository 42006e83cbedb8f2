package engine_test

import (
	"errors"
	"image"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/script"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/corpus"
	"github.com/bindpose/bindpose/shaders"
)

// One model on three entities at three times: three poses in memory, on the
// device, and in the picture; and what is shared stays shared.
func TestOneModelThreeTimesThreePoses(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 96, Height: 96})
	m := load(t, "gltf/Fox/glTF-Binary/Fox.glb")
	probe := newWorldProbe(t, e)
	eye := camera(e, mgl32.Vec3{-300, 120, 0}, mgl32.Vec3{1000, 40, 0}) // all three are in view, or they would be culled
	eye.Camera.Far = 5000
	times := []float32{0.1, 0.4, 0.7}
	for i, at := range times {
		x := e.Scene.SpawnModel(m.Name, m, nil)
		x.Local.Translation = mgl32.Vec3{float32(1000 * i), 0, 0}
		if err := x.Animator.PlayName("Run", 0); err != nil {
			t.Fatal(err)
		}
		if err := x.Animator.Seek(at); err != nil {
			t.Fatal(err)
		}
	}
	enginetest.Frames(t, e, 1, 0)
	if n := len(e.Draw.Opaque); n != 1 || e.Draw.Opaque[0].Count != len(times) {
		t.Errorf("%d draws, want one of three instances", n)
	}
	drawn := probe.positions(t)
	if len(drawn) != len(times) {
		t.Fatalf("%d instances on the device", len(drawn))
	}
	foxes := foxesOf(e)
	for i, x := range foxes {
		for v := range drawn[i] {
			drawn[i][v][0] -= float32(1000 * i)
		}
		compareWithProcessor(t, "a fox", x.Animator, m, drawn[i:i+1])
		if x.Animator.Time() != times[i] {
			t.Errorf("fox %d is at %v s", i, x.Animator.Time())
		}
		for j := range i {
			if d := furthest(drawn[i], drawn[j]); d < 5 {
				t.Errorf("foxes %d and %d have one pose on the device: furthest apart %v", j, i, d)
			}
		}
	}
	// Each alone before the camera, one after another.
	eye.LookAt(mgl32.Vec3{150, 60, 0}, mgl32.Vec3{0, 40, 0})
	var pictures []*image.NRGBA
	for i := range foxes {
		for j, x := range foxes {
			x.Hidden = i != j
			x.Local.Translation = mgl32.Vec3{}
		}
		enginetest.Frames(t, e, 1, 0)
		p := enginetest.Picture(t, e)
		p.Pix = append([]byte(nil), p.Pix...)
		pictures = append(pictures, p)
	}
	for i := range pictures {
		for j := range i {
			if n := differing(pictures[i], pictures[j]); n < 150 {
				t.Errorf("the pictures of foxes %d and %d differ in %d pixels", j, i, n)
			}
		}
	}
}

// A picture says nothing where the camera looks elsewhere: what is drawn is
// what is in front of it.
func TestPictureShowsTheModel(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
	e.Scene.Environment.Shadows = false
	x := e.Scene.SpawnModel("quad", quad(unlit(mgl32.Vec4{0, 1, 0, 1})), nil)
	enginetest.Frames(t, e, 2, 0)
	if c := at(enginetest.Picture(t, e), 16, 16); c.G < 150 || c.R > 60 || c.B > 60 {
		t.Errorf("the middle is %v, want green", c)
	}
	if at(enginetest.Picture(t, e), 1, 1).B < 60 {
		t.Error("the corner shows no sky")
	}
	x.Hidden = true
	enginetest.Frames(t, e, 1, 0)
	if c := at(enginetest.Picture(t, e), 16, 16); c.R < 60 {
		t.Errorf("hidden, the middle is %v", c)
	}
	x.Hidden = false
	x.Local.Rotation = mgl32.QuatRotate(mgl32.DegToRad(180), mgl32.Vec3{0, 1, 0})
	enginetest.Frames(t, e, 1, 0)
	if c := at(enginetest.Picture(t, e), 16, 16); c.R < 60 {
		t.Errorf("from behind, the middle is %v, want the sky", c)
	}
	// Mirrored, the same side faces the camera again: the winding turns twice.
	x.Local.Scale = mgl32.Vec3{1, 1, -1}
	enginetest.Frames(t, e, 1, 0)
	if c := at(enginetest.Picture(t, e), 16, 16); c.G < 150 || c.R > 60 {
		t.Errorf("mirrored, the middle is %v, want green", c)
	}
}

type failing struct{ runs int }

func (f *failing) Update(*script.Context, float32) error {
	f.runs++
	if f.runs == 2 {
		return errors.New("out of ideas")
	}
	return nil
}

type counting struct{ runs int }

func (c *counting) Update(*script.Context, float32) error { c.runs++; return nil }

type panicking struct{}

func (panicking) Update(*script.Context, float32) error { var p *int; *p = 1; return nil }

func TestAFailingScriptIsToldOnceAndTheFrameGoesOn(t *testing.T) {
	var told []string
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32, Warn: func(_ *assets.Model, m string) { told = append(told, m) }})
	camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
	bad, good := &failing{}, &counting{}
	e.Scene.Spawn("poet", nil).Scripts = []any{bad}
	e.Scene.Spawn("worker", nil).Scripts = []any{good}
	enginetest.Frames(t, e, 5, 0.01)
	if len(told) != 1 || !strings.Contains(told[0], "poet") || !strings.Contains(told[0], "out of ideas") {
		t.Errorf("told %q", told)
	}
	if bad.runs != 2 || good.runs != 5 {
		t.Errorf("the failing script ran %d times, the other %d", bad.runs, good.runs)
	}
	e.Scene.Spawn("clown", nil).Scripts = []any{panicking{}}
	enginetest.Frames(t, e, 2, 0.01)
	if len(told) != 2 || !strings.Contains(told[1], "clown") {
		t.Errorf("told %q", told)
	}
	if good.runs != 7 {
		t.Errorf("the good script ran %d times", good.runs)
	}
}

func TestASceneWithoutACameraIsOneClearError(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	err := e.Frame(0)
	if err == nil || !strings.Contains(err.Error(), "no camera") || !strings.Contains(err.Error(), "Scene.Camera") {
		t.Fatalf("%v", err)
	}
	if n := strings.Count(err.Error(), "no camera"); n != 1 {
		t.Errorf("said %d times: %v", n, err)
	}
	camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
	enginetest.Frames(t, e, 2, 0) // the engine is none the worse
}

// magentaPass fills the picture.
func magentaPass(t *testing.T, e *engine.Engine, after string) {
	t.Helper()
	layout := must(e.Device.NewLayout(gpu.LayoutDesc{Name: "magenta"}))(t)
	pipeline := must(e.Device.NewGraphics(gpu.GraphicsDesc{
		Name: "magenta", Layout: layout, Fragment: shader(t, "magenta.frag"),
		Vertex: gpu.Shader{Name: "fullscreen.vert", Code: shaders.Code("fullscreen.vert")},
		Color:  []gpu.ColorOutput{{Format: framegraph.RGBA8Unorm}},
	}))(t)
	err := e.AddPass(after, "magenta", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		f := e.Images()
		f.Color = b.ColorAttachment(f.Color, framegraph.Load)
		return func(ctx framegraph.Context) {
			c := gpu.From(ctx)
			c.BindPipeline(pipeline)
			c.SetScissor(0, 0, 16, 32)
			c.Draw(3, 1, 0, 0)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAddPassDrawsBehindTheNamedPass(t *testing.T) {
	for _, c := range []struct {
		after   string
		covered bool // by the quad, which the geometry and lighting passes draw
	}{{"lighting", false}, {"background", true}} {
		t.Run(c.after, func(t *testing.T) {
			e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
			camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
			e.Scene.SpawnModel("quad", quad(unlit(mgl32.Vec4{0, 1, 0, 1})), nil)
			magentaPass(t, e, c.after)
			enginetest.Frames(t, e, 2, 0)
			p := enginetest.Picture(t, e)
			if left := at(p, 1, 1); left.R < 250 || left.G > 5 {
				t.Errorf("the corner is %v, want magenta", left)
			}
			if mid := at(p, 12, 16); (mid.G > 150) != c.covered {
				t.Errorf("the middle is %v", mid)
			}
			if right := at(p, 20, 16); right.G < 150 {
				t.Errorf("right of the scissor: %v", right)
			}
			steps := e.Plan().Steps
			for i := range steps {
				if steps[i].Name == "magenta" && steps[i-1].Name != c.after {
					t.Errorf("it ran behind %s", steps[i-1].Name)
				}
			}
		})
	}
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	if err := e.AddPass("lightning", "x", framegraph.Graphics, nil); err == nil || !strings.Contains(err.Error(), `"lightning"`) {
		t.Errorf("an unknown place: %v", err)
	}
}

func TestAddPassBehindAShadowThatIsOff(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
	e.Scene.Environment.Shadows = false
	magentaPass(t, e, "shadow")
	enginetest.Frames(t, e, 1, 0)
	if c := at(enginetest.Picture(t, e), 1, 1); c.R < 250 || c.G > 5 {
		t.Errorf("the corner is %v, want magenta", c)
	}
}

// recorder is a test that counts what would fail it.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, format)
}

// The checks of all Vulkan tests can fail: a viewport of negative width in a
// pass is a message, and a message is an error.
func TestAProvokedMessageFails(t *testing.T) {
	e, err := engine.New(engine.Options{Headless: true, Validate: true, Width: 32, Height: 32})
	if err != nil {
		corpus.Missing(t, err)
	}
	device := e.Device
	defer e.Close()
	camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
	enginetest.Frames(t, e, 1, 0)
	r := &recorder{TB: t}
	if gputest.Check(r, device); len(r.errors) > 0 {
		t.Fatalf("before: %v", e.Messages())
	}
	err = e.AddPass("lighting", "wrong", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		f := e.Images()
		f.Color = b.ColorAttachment(f.Color, framegraph.Load)
		return func(ctx framegraph.Context) { gpu.From(ctx).SetViewport(0, 0, -1, 1) }
	})
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Frames(t, e, 1, 0)
	if gputest.Check(r, device); len(r.errors) == 0 {
		t.Error("a viewport of negative width passed")
	}
}
