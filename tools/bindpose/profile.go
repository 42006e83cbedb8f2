package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/engine/window"
)

// profileFlags are the shared flags and profile's own.
type profileFlags struct {
	demoFlags
	warmup                 int
	serialised, overlapped bool

	json             bool
	csv, trace, html string // files
	baseline         string
	maxRegression    float64
	force            bool
	without          []string
	pprof, goTrace   string   // files
	hide             []string // features of the device to do without

	picture string // where the last frame's picture goes; "" nowhere
}

func newProfile() *cobra.Command {
	f := &profileFlags{}
	c := &cobra.Command{
		Use:   "profile [FILE]",
		Short: "Print where a frame's time goes, phase by phase and pass by pass",
		Long: `Draw frames of a model, or without a FILE of the demo scene, and print what each phase and pass of a frame took: the
processor's phases and the recording of each pass (cpu), the device's passes (gpu) and what lies between them (gap), in frame
order, in milliseconds. No time is in two rows; what no row names is in the row "other". docs/profiling.md explains each column.

It is drawn headless; --headless=false draws in a window, where the wait for the display is part of the frame. Without
--frames it measures 100 frames, or 30 on a device that is a processor. Ctrl-C prints what was measured so far.

Serialised, each pass is submitted and waited for alone and timed by the clock, and all rows add up to the frame. Overlapped,
a frame is one submission timed by the device's own timestamps, and the cpu rows add up to the frame while the gpu rows run
beside it. The default is serialised on a device that is a processor, whose timestamps are wrong, and overlapped otherwise.

--baseline compares with the JSON of a former run: only changes beyond the noise of both are marked, and beside them what
changed in the plan. With --max-regression 10, the exit status is 1 where a row takes 10 % more than in the baseline.

--without measures what something really costs, in turns with and without it: a pass or phase, several joined by commas,
merging, aliasing or culling of the frame graph, or profiler or serialising. It may be given more than once.`,
		Example: `  bindpose profile fox.glb --clip Run
  bindpose profile fox.glb --frames 300 --size 1920x1080 --json > fox.json
  bindpose profile fox.glb --html report.html --trace trace.json
  bindpose profile fox.glb --baseline fox.json --max-regression 10
  bindpose profile --without shadow --without merging`,
		Args: files(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.run(args)
		},
	}
	f.register(c)
	f.registerCrowd(c)
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
	s.StringVar(&f.csv, "csv", "", "file for each row of each frame, as comma-separated values")
	s.StringVar(&f.trace, "trace", "", "file for ui.perfetto.dev or chrome://tracing")
	s.StringVar(&f.html, "html", "", "file for a page with timeline, plots, table, graph and memory; needs no network")
	s.StringVar(&f.baseline, "baseline", "", "JSON of a former run to compare with")
	s.Float64Var(&f.maxRegression, "max-regression", 0, "percent that a row may take more than in the baseline, beyond the noise; 0: any")
	s.BoolVar(&f.force, "force", false, "compare with a baseline of another device, mode, scene or size")
	s.StringArrayVar(&f.without, "without", nil, "measure what a pass, or merging, aliasing, culling, profiler or serialising costs")
	s.StringVar(&f.pprof, "pprof", "", "file for the processor's profile, labelled by phase: go tool pprof FILE")
	s.StringVar(&f.goTrace, "go-trace", "", "file for the Go runtime's trace, with a region a phase: go tool trace FILE")
	s.StringSliceVar(&f.hide, "hide", nil, "do as if the device lacked timestamps, statistics or calibration")
	return c
}

// hidden are the features that --hide knows.
func hidden(names []string) (h gpu.Features, err error) {
	for _, n := range names {
		switch n {
		case "timestamps":
			h.Timestamps = true
		case "statistics":
			h.PipelineStatistics = true
		case "calibration":
			h.CalibratedTimestamps = true
		default:
			return h, fmt.Errorf("--hide does not know %q: there are timestamps, statistics, calibration", n)
		}
	}
	return h, nil
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
	case !(f.maxRegression >= 0):
		return fmt.Errorf("--max-regression is %v: must be a percentage of 0 or more", f.maxRegression)
	case f.maxRegression > 0 && f.baseline == "":
		return errors.New("--max-regression needs a --baseline to compare with")
	case len(f.without) > 0 && !f.headless:
		return errors.New("--without measures headless: in a window the display's rate would be what is measured")
	}
	var err error
	if f.drawFlags.hide, err = hidden(f.hide); err != nil {
		return err
	}
	seen := map[string]string{}
	for _, o := range f.outputs() {
		if before := seen[o.path]; o.path != "" && before != "" {
			return fmt.Errorf("--%s and --%s name the same file %s", before, o.flag, o.path)
		}
		seen[o.path] = o.flag
		if err := checkWritable(o.flag, o.path); err != nil {
			return err
		}
	}
	return nil
}

// openProfileScene opens what is measured: the model in a file or, where none is
// named, the demo scene. It also says what that is called.
func openProfileScene(f *demoFlags, files []string) (*app, string, error) {
	if len(files) > 0 && f.crowd != demoCrowd {
		return nil, "", errors.New("--crowd is for the demo scene, and a FILE is given: leave one of them out")
	}
	if len(files) == 0 {
		a, err := openDemo(f)
		if f.crowd != demoCrowd {
			return a, fmt.Sprintf("the demo scene with %d mannequins", f.crowd), err
		}
		return a, "the demo scene", err
	}
	v, err := openViewer(&f.drawFlags, files)
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
	base, err := readBaseline(f.baseline)
	if err != nil {
		return err
	}
	a, name, err := openProfileScene(&f.demoFlags, args)
	if err != nil {
		return err
	}
	defer func() { err = a.close(err) }()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	// A second Ctrl-C ends the program as ever.
	context.AfterFunc(ctx, stop)
	return f.profile(ctx, a, name, base)
}

// profile measures the scene, which is called name, and prints what it found,
// even where ctx ends first. base is what it is compared with, or nil.
func (f *profileFlags) profile(ctx context.Context, a *app, name string, base *profile.Report) (err error) {
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
	a.profiles = true
	a.watch()
	e.Profile = profile.Keeping(f.frames)
	e.Executor().Audit() // while warming up, if there is such a time
	stop, err := f.startTools(a)
	if err != nil {
		return err
	}
	if f.headless {
		err = f.measure(ctx, a)
	} else {
		err = f.measureWindow(ctx, a)
	}
	if err = errors.Join(err, stop()); err != nil {
		return err
	}
	r := e.Report()
	r.Scene, r.Warmup, r.Incomplete = name, f.warmup, r.Frames < f.frames
	if r.Frames == 0 {
		return errors.New("interrupted before a frame was measured")
	}
	table := e.Profile
	if r.Without, err = f.measureWithout(ctx, a); err != nil {
		return err
	}
	e.Profile = table
	regressed := false
	if base != nil {
		if regressed, err = f.compare(&r, base); err != nil {
			return err
		}
	}
	if f.picture != "" {
		if err := savePicture(a, f.picture); err != nil {
			return err
		}
	}
	if err := f.write(&r, table); err != nil {
		return err
	}
	if regressed {
		return findingsError{}
	}
	return nil
}

// compare puts the changes since base into r.
func (f *profileFlags) compare(r, base *profile.Report) (regressed bool, err error) {
	why := r.Incomparable(base)
	if len(why) > 0 && !f.force {
		for i := range why {
			why[i] = "  " + why[i]
		}
		return false, fmt.Errorf("--baseline %s cannot be compared with this run:\n%s\n  --force compares them all the same",
			f.baseline, joinLines(why))
	}
	regressed = r.Compare(base, filepath.Base(f.baseline), f.maxRegression)
	r.Comparison.Forced = slices.Concat(why)
	return regressed, nil
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
			e.BeginProfile()
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
			e.BeginProfile()
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
