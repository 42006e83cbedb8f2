package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/internal/columns"
)

// demoPicture is where the demo is drawn where there is no display.
const demoPicture = "bindpose-demo"

// demoTime is the moment that a headless demo shows unless --time says another:
// the walker on its way to the door, crates in the air.
const demoTime = 4.4

// hillsTime is that of the hills, and the moment that their window opens at: those
// who walk are on the hilltop, clear of the panels.
const hillsTime = 5.8

// playedAgain is how much of the demo is played when a new program goes on with
// it, seconds: two seconds' work.
const playedAgain = 120

// demoEnd bounds --time, seconds: the demo is played up to it.
const demoEnd = 3600

func newDemo() *cobra.Command {
	f := &demoFlags{}
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show the demo scene",
		Long: `Show the demo scene: mannequins that walk, a door that opens when one comes near, crates that fall. It needs no file.
With --scene hills a person and a four-legged carrier walk over hills instead, their feet on the ground.
Without a display it is drawn into ` + demoPicture + `.png.`,
		Example: `  bindpose demo
  bindpose demo --headless --time 4 --out demo.png
  bindpose demo --crowd 200
  bindpose demo --evening
  bindpose demo --scene hills
  bindpose demo --overlay panels,colliders --out debug.png`,
		Args: files(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if !c.Flags().Changed("time") {
				f.time = demoTime
				if f.scene == hillsScene {
					f.time = hillsTime
				}
			}
			return runDemo(f)
		},
	}
	f.register(c)
	f.registerWatch(c)
	f.registerCrowd(c)
	c.Flags().BoolVar(&f.source, "source", false, "show the porter and, beside it, the mannequin whose motion it does, as T does")
	c.Flags().BoolVar(&f.evening, "evening", false, "after sunset, in the light of the lamps, as L does")
	c.Flags().StringVar(&f.scene, "scene", houseScene, "which scene: house or hills")
	return c
}

// The demo's scenes, as --scene names them.
const (
	houseScene = "house"
	hillsScene = "hills"
)

// demoFlags are the shared flags and the demo's own.
type demoFlags struct {
	drawFlags
	crowd   int
	scene   string // "" is the house
	source  bool
	evening bool
}

func (f *demoFlags) registerCrowd(c *cobra.Command) {
	c.Flags().IntVar(&f.crowd, "crowd", demoCrowd, fmt.Sprintf("mannequins in the demo scene, from 1 to %d", demo.MaxCrowd))
}

// demoCrowd is how many mannequins the scene was composed with.
const demoCrowd = 3

func runDemo(f *demoFlags) (err error) {
	a, err := openDemo(f)
	if err != nil {
		return err
	}
	defer func() { err = a.close(err) }()
	a.engine.Scene.Log = func(entity, message string) { fmt.Println(columns.Plain(entity + ": " + message)) }
	return a.run()
}

// openDemo builds the demo and, headless or in the hills, moves it on to the time that the flags
// ask for.
func openDemo(f *demoFlags) (_ *app, err error) {
	if f.clip != "" {
		return nil, fmt.Errorf("--clip: the demo's mannequins play the clips of their scripts; use bindpose view with --clip")
	}
	if strings.HasPrefix(f.camera, "file:") {
		return nil, fmt.Errorf("--camera is %q: the demo has no cameras of a file", f.camera)
	}
	if f.time < 0 || f.time > demoEnd {
		return nil, fmt.Errorf("--time is %v: the demo shows its seconds 0 to %v", f.time, demoEnd)
	}
	if f.crowd < 1 || f.crowd > demo.MaxCrowd {
		return nil, fmt.Errorf("--crowd is %d: must be between 1 and %d", f.crowd, demo.MaxCrowd)
	}
	switch f.scene {
	case "", houseScene:
	case hillsScene:
		if f.crowd != demoCrowd {
			return nil, fmt.Errorf("--crowd is %d: the hills have no crowd; leave out --scene", f.crowd)
		}
		if f.evening {
			return nil, fmt.Errorf("--evening: there are no lamps in the hills; leave out --scene")
		}
	default:
		return nil, fmt.Errorf("--scene is %q: must be %s or %s", f.scene, houseScene, hillsScene)
	}
	a, err := openApp("Bindpose demo", &f.drawFlags, demoPicture)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = a.close(err)
		}
	}()
	s := a.engine.Scene
	s.Log = func(string, string) {}
	if f.scene == hillsScene {
		if a.panels.hills, err = demo.BuildHills(s); err != nil {
			return nil, err
		}
	} else {
		d, err := demo.Build(s)
		if err != nil {
			return nil, err
		}
		if err := d.SetCrowd(f.crowd); err != nil {
			return nil, err
		}
		a.panels.demo = d
	}
	a.key, a.keys = a.demoKey, [][2]string{{"T", "show or hide the mannequin whose motion the porter does"}}
	if a.panels.demo != nil {
		a.keys = append(a.keys, [2]string{"L", "evening, in the light of the lamps, or day"})
		a.setEvening(f.evening)
	}
	if f.source {
		if err := a.showSource(true); err != nil {
			return nil, err
		}
	}
	if f.headless || f.scene == hillsScene {
		if err := advance(s, f.time); err != nil {
			return nil, err
		}
	}
	if err := a.aimDemo(); err != nil {
		return nil, err
	}
	d := a.panels.demo // nil in the hills
	save := func(l *lasting) {
		l.Time, l.Source = a.engine.Time(), a.source
		if d != nil {
			l.Crowd, l.Evening = len(d.Mannequins), a.evening
		}
	}
	return a, a.last(false, save, func(l *lasting) error {
		if d != nil {
			if err := d.SetCrowd(min(max(l.Crowd, 1), demo.MaxCrowd)); err != nil {
				return err
			}
			a.setEvening(l.Evening)
		}
		if err := a.showSource(l.Source); err != nil {
			return err
		}
		return advance(s, min(l.Time, playedAgain)) // scripts know where they are by having come there
	})
}

// demoKey handles the keys that only the demo knows.
func (a *app) demoKey(in *input.State) {
	if in.Pressed(input.KeyL) && a.panels.demo != nil {
		a.setEvening(!a.evening)
	}
	if !in.Pressed(input.KeyT) {
		return
	}
	if err := a.showSource(!a.source); err != nil {
		say(err.Error())
	}
}

// setEvening has the sun go down at the house, or stand high.
func (a *app) setEvening(on bool) {
	a.evening = on
	a.panels.demo.SetEvening(on)
}

// showSource shows the mannequin whose motion the porter does, beside it.
func (a *app) showSource(on bool) error {
	a.source = on
	if a.panels.hills != nil {
		a.panels.hills.ShowSource(on)
		return nil
	}
	return a.panels.demo.ShowPair(on)
}

// advance runs scripts, physics and animation for so many seconds, drawing
// nothing.
func advance(s *scene.Scene, seconds float64) error {
	const step = 1.0 / 60
	bar := newProgress(int(seconds/step), "playing")
	defer bar.done()
	for t := 0.0; t < seconds; t += step {
		bar.add()
		if err := s.RunScripts(step); err != nil {
			return err
		}
		if err := s.StepPhysics(step); err != nil {
			return err
		}
		if err := s.Animate(step); err != nil {
			return err
		}
	}
	return nil
}

// aimDemo points the camera as --camera says, or as the scene was composed.
func (a *app) aimDemo() error {
	camera := a.engine.Scene.Camera
	eye, target := demo.Eye, demo.Target
	if a.panels.hills != nil {
		eye, target = demo.HillsEye, demo.HillsTarget
	}
	if a.flags.camera != "" {
		if _, ok := named[a.flags.camera]; ok {
			a.camera.frameBox(target.Sub(boxHalf), target.Add(boxHalf), a.flags.camera,
				camera.Camera.YFov, float32(a.flags.width)/float32(a.flags.height))
			a.camera.apply(camera)
			return nil
		}
		var err error
		var yFov float32
		if eye, target, yFov, err = parseCamera(a.flags.camera); err != nil {
			return err
		}
		if yFov > 0 {
			camera.Camera.YFov = yFov
		}
	}
	a.camera.from(eye, target)
	a.camera.apply(camera)
	a.engine.Scene.UpdateWorld()
	return nil
}

// boxHalf is half the size of what a named camera frames of the demo, metres.
var boxHalf = [3]float32{4, 2.2, 4}
