package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/framegraph"
)

// What a program does wrong is an error that says so, or does nothing; it is
// never a panic, and the next frame works.
func TestMisuse(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		do   func(e *engine.Engine) error
		want string // in the error; "" for none
	}{
		{"a model that is nil", func(e *engine.Engine) error { e.Scene.SpawnModel("nil", nil, nil); return e.Frame(0) }, ""},
		{"a mesh renderer without a model", func(e *engine.Engine) error {
			e.Scene.Spawn("bare", nil).Mesh = &scene.MeshRenderer{}
			return e.Frame(0)
		}, ""},
		{"an animator without a mesh", func(e *engine.Engine) error {
			e.Scene.Spawn("still", nil).Animator = animation.NewAnimator(oneNode(), nil, nil)
			e.Show.Skeleton = true
			return e.Frame(0)
		}, ""},
		{"an animator of another model", func(e *engine.Engine) error {
			x := e.Scene.SpawnModel("quad", quad(plain(mgl32.Vec4{1, 1, 1, 1})), nil)
			x.Animator = animation.NewAnimator(&animation.Skeleton{}, nil, nil)
			defer e.Scene.Remove(x)
			return e.Frame(0)
		}, "entity quad"},
		{"removing nil", func(e *engine.Engine) error {
			n := e.Scene.Len()
			e.Scene.Remove(nil)
			if e.Scene.Len() != n {
				return fmt.Errorf("%d of %d entities are left", e.Scene.Len(), n)
			}
			return nil
		}, ""},
		{"removing twice", func(e *engine.Engine) error {
			x := e.Scene.Spawn("x", nil)
			e.Scene.Remove(x)
			e.Scene.Remove(x)
			return e.Frame(0)
		}, ""},
		{"removing while walking over all", func(e *engine.Engine) error {
			p := e.Scene.Spawn("parent", nil)
			e.Scene.Spawn("child", p)
			for range 3 {
				e.Scene.Spawn("x", nil)
			}
			seen := 0
			for x := range e.Scene.All() {
				if x == nil {
					return fmt.Errorf("an entity is nil")
				}
				if x.Camera == nil {
					seen++
					e.Scene.Remove(x)
				}
			}
			if seen != 4 || e.Scene.Len() != 1 { // the child went with its parent
				return fmt.Errorf("%d were seen, %d are left", seen, e.Scene.Len())
			}
			return e.Frame(0)
		}, ""},
		{"a child of what was removed", func(e *engine.Engine) error {
			p := e.Scene.Spawn("parent", nil)
			e.Scene.Remove(p)
			e.Scene.Spawn("child", p)
			return e.Frame(0)
		}, ""},
		{"a camera without a lens", func(e *engine.Engine) error {
			e.Scene.Camera = e.Scene.Spawn("blind", nil)
			return e.Frame(0)
		}, ""},
		{"a step that is no number", func(e *engine.Engine) error { return e.Frame(nan) }, "NaN"},
		{"an infinite step", func(e *engine.Engine) error { return e.Frame(inf) }, "Inf"},
		{"a step back", func(e *engine.Engine) error { return e.Frame(-1) }, "-1"},
		{"places that are no numbers", func(e *engine.Engine) error {
			x := e.Scene.SpawnModel("quad", quad(plain(mgl32.Vec4{1, 1, 1, 1})), nil)
			x.Local.Translation = mgl32.Vec3{nan, inf, 0}
			x.Local.Scale = mgl32.Vec3{}
			return e.Frame(0)
		}, ""},
		{"a pass behind none", func(e *engine.Engine) error {
			return e.AddPass("outlines", "mine", framegraph.Graphics, func(*framegraph.Builder) framegraph.Record { return nil })
		}, "outlines"},
		{"a pass without a declaration", func(e *engine.Engine) error {
			return e.AddPass("gui", "mine", framegraph.Graphics, nil)
		}, "mine"},
		{"closing twice, then drawing", func(e *engine.Engine) error {
			e.Close()
			e.Close()
			return e.Frame(0)
		}, "closed"},
		{"asking a closed engine", func(e *engine.Engine) error {
			e.Close()
			e.Size()
			e.Plan()
			e.Messages()
			_, err := e.Picture()
			return err
		}, "closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := engine.New(engine.Options{Headless: true, Width: 16, Height: 16, Validate: true})
			if err != nil {
				enginetest.Open(t, engine.Options{}) // skips or fails
				t.Fatal(err)
			}
			defer e.Close()
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("it panics: %v", p)
				}
			}()
			camera(e, mgl32.Vec3{0, 0, 3}, mgl32.Vec3{})
			err = c.do(e)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if e.Device == nil {
				return
			}
			camera(e, mgl32.Vec3{0, 0, 3}, mgl32.Vec3{})
			if err := e.Frame(0); err != nil {
				t.Errorf("the next frame: %v", err)
			}
			if m := e.Messages(); len(m) > 0 {
				t.Errorf("validation: %v", m[0])
			}
		})
	}
}

// A pass that fails, or declares nothing that makes sense, is named by the
// frame's error.
func TestAWrongPassIsNamed(t *testing.T) {
	for name, declare := range map[string]func(b *framegraph.Builder) framegraph.Record{
		"reads nothing that is": func(b *framegraph.Builder) framegraph.Record {
			b.Sample(framegraph.Image{}, framegraph.FragmentShader)
			return func(framegraph.Context) {}
		},
		"writes nothing that is": func(b *framegraph.Builder) framegraph.Record {
			b.StorageWrite(framegraph.Buffer{}, framegraph.FragmentShader)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := enginetest.Open(t, engine.Options{Width: 16, Height: 16})
			camera(e, mgl32.Vec3{0, 0, 3}, mgl32.Vec3{})
			if err := e.AddPass("lighting", "outline of mine", framegraph.Graphics, declare); err != nil {
				t.Fatal(err)
			}
			if err := e.Frame(0); err == nil || !strings.Contains(err.Error(), "outline of mine") {
				t.Errorf("error %v", err)
			}
		})
	}
}
