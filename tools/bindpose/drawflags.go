package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/engine/gpu"
)

// drawFlags are the flags that demo, view and profile share.
type drawFlags struct {
	headless bool
	frames   int
	timeStep float64
	size     string
	out      string
	camera   string
	clip     string
	time     float64
	overlay  []string
	effects  []string
	shaders  []string
	validate bool
	watch    bool
	// expressions are view's: NAME or NAME=WEIGHT.
	expressions []string

	width, height int
	hide          gpu.Features // of the device, to do without
	queues        gpu.QueueUse
}

func (f *drawFlags) register(c *cobra.Command) {
	s := c.Flags()
	s.BoolVar(&f.headless, "headless", false, "draw into memory; needs no display")
	s.IntVar(&f.frames, "frames", 0, "draw so many frames and end; 0: one where headless, until closed in a window")
	s.Float64Var(&f.timeStep, "time-step", 0, "seconds that each frame moves on; 0: 1/60 where headless, 1/25 for a .gif, by the clock in a window")
	s.StringVar(&f.size, "size", "1280x720", "size of the picture, WxH pixels")
	s.StringVarP(&f.out, "out", "o", "", "where headless frames go: .png, frame-{frame}.png, .gif, .mp4")
	s.StringVar(&f.camera, "camera", "", "front, back, left, right, top, three-quarter, file:NAME, or X,Y,Z:TX,TY,TZ[:FOV] (metres, degrees)")
	s.StringVar(&f.clip, "clip", "", "name or index of the clip to play, or none")
	s.Float64Var(&f.time, "time", 0, "seconds from which the first frame starts")
	s.StringSliceVar(&f.overlay, "overlay", nil, "what is drawn over the picture: skeleton, names, colliders, panels, profiler, machine")
	s.StringSliceVar(&f.effects, "effects", nil, "passes added to the frame: ssao, bloom")
	s.StringSliceVar(&f.shaders, "shaders", nil, "folders whose shaders are compiled and drawn with when they change (BINDPOSE_SHADERS)")
	s.BoolVar(&f.validate, "validate", false, "turn the Vulkan validation layers on; any message is an error")
}

// registerWatch is for commands that may stay open for long.
func (f *drawFlags) registerWatch(c *cobra.Command) {
	c.Flags().BoolVar(&f.watch, "watch", false, "in a checkout of Bindpose: build the program anew when a Go file of it changes, and go on in the new one")
}

var overlays = []string{"skeleton", "names", "colliders", "panels", "profiler", "machine"}

// check reads and checks the flags' values.
func (f *drawFlags) check() error {
	var err error
	if f.width, f.height, err = parseSize(f.size); err != nil {
		return err
	}
	if f.frames < 0 {
		return fmt.Errorf("--frames is %d: must be 0 or more", f.frames)
	}
	if !(f.timeStep == 0 || f.timeStep >= 1e-6 && f.timeStep <= 10) {
		return fmt.Errorf("--time-step is %v: must be 0, or between 0.000001 and 10 seconds", f.timeStep)
	}
	if math.IsNaN(f.time) || math.IsInf(f.time, 0) {
		return fmt.Errorf("--time is %v: must be a number of seconds", f.time)
	}
	for _, o := range f.overlay {
		if !slices.Contains(overlays, o) {
			return fmt.Errorf("--overlay does not know %q: there are %s", o, strings.Join(overlays, ", "))
		}
	}
	if err := checkEffects(f.effects); err != nil {
		return err
	}
	if err := f.checkCamera(); err != nil {
		return err
	}
	if f.watch && (f.headless || f.out != "") {
		return errors.New("--watch is for a window: it does not go with --headless or --out")
	}
	if f.out == "" {
		return nil
	}
	f.headless = true
	if k := kind(f.out); f.frames == 0 && (k == ".gif" || k == ".mp4") {
		f.frames = 60
	}
	return checkOutput(f.out, f.frames)
}

// checkCamera checks --camera as far as it goes without the file.
func (f *drawFlags) checkCamera() error {
	if _, ok := named[f.camera]; ok || f.camera == "" || strings.HasPrefix(f.camera, "file:") {
		return nil
	}
	_, _, _, err := parseCamera(f.camera)
	return err
}

func (f *drawFlags) shows(overlay string) bool { return slices.Contains(f.overlay, overlay) }

// step is what a frame moves on where it does not follow the clock.
func (f *drawFlags) step() float32 {
	switch {
	case f.timeStep != 0:
		return float32(f.timeStep)
	case kind(f.out) == ".gif":
		return 1.0 / 25 // a GIF counts in hundredths, and is shown at 50 a second at most
	}
	return 1.0 / 60
}

func parseSize(s string) (w, h int, err error) {
	a, b, ok := strings.Cut(s, "x")
	if ok {
		if w, err = strconv.Atoi(a); err == nil {
			h, err = strconv.Atoi(b)
		}
	}
	if !ok || err != nil || w < 1 || h < 1 || w > 16384 || h > 16384 {
		return 0, 0, fmt.Errorf("--size is %q: must be WIDTHxHEIGHT in pixels, such as 1280x720, each from 1 to 16384", s)
	}
	return w, h, nil
}
