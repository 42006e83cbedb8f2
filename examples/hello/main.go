// Command hello shows a model and inks its outlines: the smallest program on
// Bindpose that has a render pass of its own.
//
// # Concept
//
// A program fills a scene and lets the engine draw it. A render pass of its own
// stands among the engine's: it declares what it reads and writes, and the frame
// graph works out when it runs and what it must wait for. Here the pass samples
// the depth that the geometry pass wrote and draws ink where it folds, behind
// the lighting pass and before blended surfaces, smoothing and panels.
//
// # Usage
//
//	go run ./examples/hello                         the demo's mannequin, in a window
//	go run ./examples/hello -clip Run fox.glb       a model of yours
//	go run ./examples/hello -out hello.png          a picture; needs no display
//
// The clip is the model's first where none is named.
//
// # Implementation
//
// main.go opens the engine, spawns the model, plays a clip and points the
// camera. outline.go is the pass: its pipeline, its declaration and its three
// commands; outline.frag is its shader, which make shaders compiles to the
// outline.frag.spv that is embedded. The test draws the picture with and without
// the pass and compares them.
package main

import (
	"flag"
	"fmt"
	"image/png"
	"os"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/framegraph"
)

func main() {
	clip := flag.String("clip", "", "name of the clip to play; the first where empty")
	out := flag.String("out", "", "draw one picture into this .png instead of opening a window")
	flag.Parse()
	if err := run(flag.Arg(0), *clip, *out); err != nil {
		fmt.Fprintln(os.Stderr, "hello:", err)
		os.Exit(1)
	}
}

func run(file, clip, out string) error {
	model, err := load(file)
	if err != nil {
		return err
	}
	e, err := engine.New(engine.Options{Title: "Hello", Headless: out != "", VSync: true})
	if err != nil {
		return err
	}
	defer e.Close()
	if err := show(e, model, clip); err != nil {
		return err
	}
	ink, err := newOutline(e)
	if err != nil {
		return err
	}
	defer ink.release()
	if err := e.AddPass("lighting", "outline", framegraph.Graphics, ink.declare); err != nil {
		return err
	}
	if out == "" {
		return e.Run()
	}
	return draw(e, 0.4, out)
}

// load reads a model; without a file, the demo's mannequin.
func load(file string) (*assets.Model, error) {
	if file != "" {
		return gltf.Load(file)
	}
	data, err := demoassets.Files.ReadFile("mannequin.glb")
	if err != nil {
		return nil, err
	}
	return gltf.Decode("mannequin.glb", data, nil)
}

// show spawns the model, plays a clip, and puts the camera where all of the
// model is in sight.
func show(e *engine.Engine, model *assets.Model, clip string) error {
	s := e.Scene
	s.Environment = scene.Studio()
	entity := s.SpawnModel(model.Name, model, nil)
	if a := entity.Animator; a != nil && len(a.Clips()) > 0 {
		if clip == "" {
			clip = a.Clips()[0].Name
		}
		if err := a.PlayName(clip, 0); err != nil {
			return err
		}
	}
	box, err := model.Bounds(animation.NewPose(model.Skeleton)) // at rest
	if err != nil {
		return err
	}
	middle, size := box.Min.Add(box.Max).Mul(0.5), box.Max.Sub(box.Min).Len()
	s.Camera = s.Spawn("camera", nil)
	s.Camera.Camera = scene.DefaultCamera()
	s.Camera.Camera.Near, s.Camera.Camera.Far = size/100, size*100
	s.Camera.LookAt(middle.Add(mgl32.Vec3{0.5, 0.25, 1}.Mul(0.9*size)), middle)
	return nil
}

// draw moves the scene on by some seconds and writes the picture.
func draw(e *engine.Engine, seconds float32, out string) error {
	if err := e.Frame(seconds); err != nil {
		return err
	}
	picture, err := e.Picture()
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := png.Encode(f, picture); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
