// Command outside is a program in a module of its own that adds two passes to
// Bindpose's frame.
//
// # Concept
//
// What an engine can do, a program that uses it can: this one needs nothing of
// Bindpose that is not public. Trail mixes each picture with what it left behind
// in the frame before, blurred, in one compute pass with a history image. Picker
// says which entity is under the mouse: a compute pass looks into the image of
// entities, and the processor reads its answer two frames later, when the device
// is surely done with it.
//
// # Usage
//
//	go run .                        a window; the title of the panel is what the mouse is on
//	go run . -watch                 the same; change a pass in its file, and see
//	go run . -out outside.png       a picture after one second; needs no display
//
// # Implementation
//
// main.go makes the scene. trail.go and pick.go are a pass each, with
// trail.comp and pick.comp, which bindpose shaders compiles to the .spv files
// that are embedded. The test draws with them, headless.
package main

import (
	"errors"
	"flag"
	"fmt"
	"image/png"
	"os"

	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

func main() {
	out := flag.String("out", "", "draw one picture into this .png instead of opening a window")
	watch := flag.Bool("watch", false, "build the program anew when one of its Go files changes, and go on in it")
	flag.Parse()
	if err := run(*out, *watch); err != nil {
		fmt.Fprintln(os.Stderr, "outside:", err)
		os.Exit(1)
	}
}

func run(out string, watch bool) error {
	e, err := engine.New(engine.Options{Title: "Outside", Headless: out != "", VSync: true})
	if err != nil {
		return err
	}
	defer e.Close()
	if err := populate(e.Scene); err != nil {
		return err
	}
	if _, err := AddTrail(e); err != nil {
		return err
	}
	picker, err := AddPicker(e)
	if err != nil {
		return err
	}
	if watch {
		if _, err := e.WatchProgram(engine.Program{Entities: true}); err != nil {
			return err
		}
	}
	if out == "" {
		e.OnInput = func(in *input.State, _ float32) {
			scale := e.Window.FramebufferScale()
			picker.X, picker.Y = int(in.MouseX*scale), int(in.MouseY*scale)
		}
		e.Panels = func(g *gui.Context) {
			if g.Begin("Under the mouse", nil, gui.AutoResize) {
				g.Text(nameOf(e.Scene, picker.Entity))
			}
			g.End()
		}
		return e.Run()
	}
	for range 30 {
		if err := e.Frame(1.0 / 30); err != nil {
			return err
		}
	}
	picture, err := e.Picture()
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, picture), f.Close())
}

// populate puts three of the demo's mannequins in a row, walking on the spot.
func populate(s *scene.Scene) error {
	data, err := demoassets.Files.ReadFile("mannequin.glb")
	if err != nil {
		return err
	}
	model, err := gltf.Decode("mannequin.glb", data, nil)
	if err != nil {
		return err
	}
	s.Environment = scene.Studio()
	for i, name := range []string{"Ada", "Grace", "Mary"} {
		x := s.SpawnModel(name, model, nil)
		x.Local.Translation = mgl32.Vec3{1.2 * float32(i-1), 0, 0}
		if err := x.Animator.PlayName("walk", 0); err != nil {
			return err
		}
	}
	s.Camera = s.Spawn("camera", nil)
	s.Camera.Camera = scene.DefaultCamera()
	s.Camera.LookAt(mgl32.Vec3{0.5, 1.4, 4.2}, mgl32.Vec3{0, 0.9, 0})
	return nil
}

// nameOf is the name of the entity of that number.
func nameOf(s *scene.Scene, id uint32) string {
	for x := range s.All() {
		if x.ID() == id {
			return x.Name
		}
	}
	return "nobody"
}
