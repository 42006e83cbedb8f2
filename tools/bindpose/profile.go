package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/engine/window"
)

// profileFlags are the shared flags and profile's own.
type profileFlags struct {
	drawFlags
	warmup                 int
	serialised, overlapped bool
	json                   bool

	picture string // where the last frame's picture goes; "" nowhere
}

func newProfile() *cobra.Command {
	f := &profileFlags{}
	c := &cobra.Command{
		Use:   "profile [FILE]",
		Short: "Print where a frame's time goes, phase by phase and pass by pass",
		Long: `Draw frames of a model, or without a FILE of the demo scene, and print what each phase and pass of a frame took: the
processor's phases and the recording of each pass (cpu), the device's passes (gpu) and what lies between them (gap), in frame
order, in milliseconds. No time is in two rows; what no row names is in the row "other".

It is drawn headless; --headless=false draws in a window, where the wait for the display is part of the frame. Without
--frames it measures 100 frames, or 30 on a device that is a processor. Ctrl-C prints what was measured so far.

Serialised, each pass is submitted and waited for alone and timed by the clock, and all rows add up to the frame. Overlapped,
a frame is one submission timed by the device's own timestamps, and the cpu rows add up to the frame while the gpu rows run
beside it. The default is serialised on a device that is a processor, whose timestamps are wrong, and overlapped otherwise.`,
		Example: `  bindpose profile fox.glb --clip Run
  bindpose profile fox.glb --frames 300 --size 1920x1080 --json > fox.json`,
		Args: files(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.run(args)
		},
	}
	f.register(c)
	s := c.Flags()
	f.headless = true
	s.Lookup("headless").DefValue = "true"
	s.Lookup("frames").Usage = "frames to measure; 0: 100, or 30 on a device that is a processor"
	s.Lookup("time-step").Usage = "seconds that each frame moves on; 0: 1/60"
	s.Lookup("out").Usage = "where the picture of the last frame goes: .png"
	s.IntVar(&f.warmup, "warmup", 10, "frames drawn before and left out")
	s.BoolVar(&f.serialised, "serialised", false, "submit and wait for each pass alone")
	s.BoolVar(&f.overlapped, "overlapped", false, "submit a frame at once")
	s.BoolVar(&f.json, "json", false, "print JSON")
	return c
}

func (f *profileFlags) check() error {
	frames, headless := f.frames, f.headless
	f.frames = 0 // one picture is written however many frames are drawn
	if err := f.drawFlags.check(); err != nil {
		return err
	}
	f.frames, f.headless, f.picture = frames, headless || f.out != "", f.out
	switch {
	case frames < 0:
		return fmt.Errorf("--frames is %d: must be 0 or more", frames)
	case f.warmup < 0:
		return fmt.Errorf("--warmup is %d: must be 0 or more", f.warmup)
	case f.serialised && f.overlapped:
		return errors.New("--serialised and --overlapped exclude each other: give one, or neither for what suits the device")
	case f.out != "" && kind(f.out) != ".png":
		return fmt.Errorf("--out %s: profile writes the picture of its last frame, which must end in .png", f.out)
	}
	return nil
}

// openProfileScene opens what is measured: the model in a file or, where none is
// named, the demo scene. It also says what that is called.
func openProfileScene(f *drawFlags, files []string) (*app, string, error) {
	if len(files) == 0 {
		a, err := openDemo(f)
		return a, "the demo scene", err
	}
	v, err := openViewer(f, files)
	if err != nil {
		return nil, "", err
	}
	return v.app, filepath.Base(files[0]), nil
}

func (f *profileFlags) run(args []string) (err error) {
	if !f.headless && !window.HasDisplay() {
		f.headless = true
		warnToStderr("there is no display (DISPLAY and WAYLAND_DISPLAY are not set): it is measured headless")
	}
	a, name, err := openProfileScene(&f.drawFlags, args)
	if err != nil {
		return err
	}
	defer func() { err = a.close(err) }()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	// A second Ctrl-C ends the program as ever.
	context.AfterFunc(ctx, stop)
	return f.profile(ctx, a, name)
}

// profile measures the scene, which is called name, and prints what it found,
// even where ctx ends first.
func (f *profileFlags) profile(ctx context.Context, a *app, name string) (err error) {
	e := a.engine
	switch {
	case f.serialised:
		e.Executor().SetMode(gpu.Serialised)
	case f.overlapped:
		e.Executor().SetMode(gpu.Overlapped)
	}
	if f.frames == 0 {
		f.frames = 100
		if e.Device.Properties().IsCPU {
			f.frames = 30
		}
	}
	e.Profile = profile.Keeping(f.frames)
	if f.headless {
		err = f.measure(ctx, a)
	} else {
		err = f.measureWindow(ctx, a)
	}
	if err != nil {
		return err
	}
	r := e.Report()
	r.Scene, r.Warmup, r.Incomplete = name, f.warmup, r.Frames < f.frames
	if r.Frames == 0 {
		return errors.New("interrupted before a frame was measured")
	}
	if f.picture != "" {
		if err := savePicture(a, f.picture); err != nil {
			return err
		}
	}
	if f.json {
		return r.JSON(os.Stdout)
	}
	return r.Text(os.Stdout)
}

// lag is how many frames may pass until the device's times of a frame are known.
const lag = 4

// measure draws headless until as many frames as asked for are measured, or ctx
// ends.
func (f *profileFlags) measure(ctx context.Context, a *app) error {
	e := a.engine
	bar := newProgress(f.warmup+f.frames, "profiling")
	defer bar.done()
	drawn := 0
	for ctx.Err() == nil && drawn < f.warmup+f.frames+lag {
		if drawn == f.warmup {
			e.Profile.Reset()
		}
		if drawn >= f.warmup && e.Profile.Frames() >= f.frames {
			break
		}
		if err := e.Frame(f.step()); err != nil {
			return err
		}
		drawn++
		bar.add()
	}
	f.ended(a, drawn)
	return nil
}

var errInterrupted = errors.New("interrupted")

// measureWindow draws in the window, until it is closed at the latest.
func (f *profileFlags) measureWindow(ctx context.Context, a *app) error {
	e := a.engine
	drawn := 0
	e.FixedStep = f.step()
	e.BeforeFrame = func(float32) error {
		if drawn == f.warmup {
			e.Profile.Reset()
		}
		if ctx.Err() != nil || drawn >= f.warmup && e.Profile.Frames() >= f.frames {
			return errInterrupted
		}
		drawn++
		return nil
	}
	if err := e.Run(); err != nil && !errors.Is(err, errInterrupted) {
		return err
	}
	f.ended(a, drawn)
	return nil
}

// ended forgets what was measured where no frame was drawn that counts.
func (f *profileFlags) ended(a *app, drawn int) {
	if drawn <= f.warmup {
		a.engine.Profile.Reset()
	}
}

// savePicture writes the last frame.
func savePicture(a *app, path string) error {
	picture, err := a.engine.Picture()
	if err != nil {
		return err
	}
	out := pngSink{path: path}
	if err := out.add(0, picture); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, path)
	return nil
}
