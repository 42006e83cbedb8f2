package demo_test

import (
	"fmt"
	"image"
	"testing"

	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
	"github.com/bindpose/bindpose/passes"
)

// effects are what a program may add to the demo's frame.
type effects struct {
	ssao  *passes.SSAO
	bloom *passes.Bloom
}

func (f effects) set(on bool) { f.ssao.Off, f.bloom.Off = !on, !on }

// shown opens an engine on the demo, with effects that are off.
func shown(t testing.TB, o engine.Options) (*engine.Engine, effects) {
	t.Helper()
	e := enginetest.Open(t, o)
	if _, err := demo.Build(e.Scene); err != nil {
		t.Fatal(err)
	}
	ssao, err := passes.NewSSAO(e.Images())
	if err != nil {
		t.Fatal(err)
	}
	bloom, err := passes.NewBloom(e.Images())
	if err != nil {
		t.Fatal(err)
	}
	for _, add := range []func(passes.Adder) error{ssao.AddTo, bloom.AddTo} {
		if err := add(e); err != nil {
			t.Fatal(err)
		}
	}
	f := effects{ssao, bloom}
	f.set(false)
	return e, f
}

// What the frame graph's compiler may leave out changes no bit of the picture,
// nor does how the passes are submitted; and each plan is proved safe.
func TestThePictureDoesNotDependOnTheCompiler(t *testing.T) {
	e, f := shown(t, engine.Options{Width: 160, Height: 90})
	enginetest.Frames(t, e, 1, 0.5)
	for _, on := range []bool{false, true} {
		f.set(on)
		e.SetGraph(framegraph.Options{})
		e.Executor().SetMode(gpu.Serialised)
		enginetest.Frames(t, e, 1, 0)
		want := enginetest.Picture(t, e)
		plans := map[string]bool{}
		for bits := range 16 {
			o := framegraph.Options{NoCull: bits&1 != 0, NoReorder: bits&2 != 0, NoMerge: bits&4 != 0, NoAlias: bits&8 != 0, ExactLayouts: bits%3 == 0}
			e.SetGraph(o)
			e.Executor().SetMode([]gpu.Mode{gpu.Overlapped, gpu.Serialised}[bits%2])
			enginetest.Frames(t, e, 1, 0)
			for _, p := range hazard.Check(e.Plan()) {
				t.Errorf("%+v, effects %v: the plan is not safe: %v", o, on, p)
			}
			enginetest.Same(t, enginetest.Picture(t, e), want)
			for _, b := range hazard.Needless(e.Plan()) {
				t.Errorf("%+v, effects %v: the checker does not miss %s", o, on, b)
			}
			plans[fmt.Sprintf("%+v", e.Plan().Totals)] = true
		}
		if len(plans) < 3 {
			t.Errorf("effects %v: only %d of the plans differ, so the pictures prove little", on, len(plans))
		}
	}
}

// Nor does it change a bit how many goroutines record the passes.
func TestThePictureDoesNotDependOnThreads(t *testing.T) {
	var want []*image.NRGBA
	for _, workers := range []int{0, 3} {
		e, f := shown(t, engine.Options{Width: 160, Height: 90, Mode: gpu.Overlapped, Workers: workers})
		f.set(true)
		for frame := range 3 {
			enginetest.Frames(t, e, 1, 0.1)
			p := enginetest.Picture(t, e)
			if workers == 0 {
				want = append(want, p)
				continue
			}
			enginetest.Same(t, p, want[frame])
		}
	}
}

// Nor on how many queues they run, while effects come and go; and what each
// frame submitted is proved safe.
func TestThePictureDoesNotDependOnQueues(t *testing.T) {
	var want []*image.NRGBA
	for _, queues := range []gpu.QueueUse{gpu.OneQueue, gpu.SplitQueues} {
		e, f := shown(t, engine.Options{Width: 160, Height: 90, Mode: gpu.Overlapped, Queues: queues})
		before := uint64(0)
		for frame := range 6 {
			f.set(frame%3 != 2)
			enginetest.Frames(t, e, 1, 0.1)
			p := enginetest.Picture(t, e)
			all := e.Device.Submissions()
			for _, x := range hazard.Check(gputest.Executed(t, e.Plan(), all, before)) {
				t.Errorf("frame %d: %v", frame, x)
			}
			before = all[len(all)-1].Value
			if queues == gpu.OneQueue {
				want = append(want, p)
				continue
			}
			if on := frame%3 != 2; on != (len(all) > 1) {
				t.Errorf("frame %d: effects %v, %d submissions", frame, on, len(all))
			}
			enginetest.Same(t, p, want[frame])
		}
	}
}

// Off, the effects leave no trace; on, each changes the picture.
func TestEffectsAreOffAndOn(t *testing.T) {
	e, f := shown(t, engine.Options{Width: 320, Height: 180})
	enginetest.Frames(t, e, 1, 0.5)
	plain := enginetest.Picture(t, e)
	count := func(what string) {
		enginetest.Frames(t, e, 1, 0)
		p := enginetest.Picture(t, e)
		n := 0
		for i := range p.Pix {
			if p.Pix[i] != plain.Pix[i] {
				n++
			}
		}
		if n < 500 {
			t.Errorf("%s changes %d values", what, n)
		}
	}
	f.ssao.Off = false
	count("ssao")
	f.ssao.Off, f.bloom.Off = true, false
	count("bloom")
	f.set(false)
	enginetest.Frames(t, e, 1, 0)
	enginetest.Same(t, enginetest.Picture(t, e), plain)
}

// What the demo's plan does with, against the naive plan: a full barrier before
// each pass on all that it uses, and no shared memory. A barrier is one struct of
// vkCmdPipelineBarrier2, here and there. Tests run on a device that does not
// mind layouts; exact-barriers is the plan for one that does. See
// framegraph.Totals.
func BenchmarkDemoPlan(b *testing.B) {
	for _, on := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "effects"}[on], func(b *testing.B) {
			e, f := shown(b, engine.Options{})
			f.set(on)
			e.SetGraph(framegraph.Options{ExactLayouts: true})
			enginetest.Frames(b, e, 1, 0)
			exact := e.Plan().Totals.Barriers
			e.SetGraph(framegraph.Options{})
			enginetest.Frames(b, e, 1, 0)
			o := e.Plan().Totals
			for b.Loop() { // what a plan holds takes no time to measure
			}
			fewer := func(n, naive float64) float64 { return 100 * (1 - n/max(naive, 1)) }
			b.ReportMetric(float64(o.Barriers), "barriers")
			b.ReportMetric(float64(exact), "exact-barriers")
			b.ReportMetric(float64(o.NaiveBarriers), "naive-barriers")
			b.ReportMetric(float64(o.Batches), "batches")
			b.ReportMetric(float64(o.TransientBytes), "transient-B")
			b.ReportMetric(float64(o.AliasedBytes), "aliased-B")
			b.ReportMetric(float64(o.LiveBytes), "live-B")
			b.ReportMetric(float64(o.NaiveBytes), "naive-B")
			b.ReportMetric(fewer(float64(o.Barriers), float64(o.NaiveBarriers)), "fewer-barriers-%")
			b.ReportMetric(fewer(float64(o.AliasedBytes), float64(o.NaiveBytes)), "fewer-bytes-%")
		})
	}
}
