package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/framegraph"
)

// heavyPass draws into an image of its own, so many steps a pixel.
type heavyPass struct {
	e        *engine.Engine
	pipeline *gpu.Pipeline
	steps    uint32
	image    framegraph.Image
	record   framegraph.Record
}

const heavySize = 64

func newHeavyPass(t testing.TB, e *engine.Engine, after, name string) *heavyPass {
	t.Helper()
	spirv := func(name string) gpu.Shader {
		code, err := os.ReadFile(filepath.Join("gpu", "testdata", "shaders", name+".spv"))
		if err != nil {
			t.Fatal(err)
		}
		return gpu.Shader{Name: name, Code: code}
	}
	d := e.Device
	set := must(d.NewSetLayout(gpu.SetLayoutDesc{Name: name, Bindings: []gpu.Binding{{Slot: 0, Kind: gpu.StorageRange, Stages: gpu.FragmentStage}}}))(t)
	p := &heavyPass{e: e, steps: 1}
	p.pipeline = must(d.NewGraphics(gpu.GraphicsDesc{
		Name: name, Layout: must(d.NewLayout(gpu.LayoutDesc{Sets: []*gpu.SetLayout{set}}))(t),
		Vertex: spirv("full.vert"), Fragment: spirv("heavy.frag"), Color: []gpu.ColorOutput{{Format: framegraph.RGBA8Unorm}},
	}))(t)
	p.record = func(ctx framegraph.Context) {
		c := gpu.From(ctx)
		n := c.Alloc(4, 0)
		binary.LittleEndian.PutUint32(n.Bytes, p.steps)
		c.BindPipeline(p.pipeline)
		c.Bind(0, gpu.StorageBytes(0, n))
		c.Draw(3, 1, 0, 0)
	}
	err := e.AddPass(after, name, framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		p.image = e.Graph().CreateImage(name, framegraph.ImageDesc{Format: framegraph.RGBA8Unorm, Width: heavySize, Height: heavySize})
		p.image = b.ColorAttachment(p.image, framegraph.DontCare)
		b.SideEffect()
		return p.record
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// least takes over each row's shortest time of some frames, milliseconds, where
// it is shorter: what else the machine does only adds.
func least(t *testing.T, e *engine.Engine, frames int, into map[string]float64) {
	t.Helper()
	e.Profile = profile.Keeping(frames)
	for e.Profile.Frames() < frames {
		enginetest.Frames(t, e, 1, 0)
	}
	for _, r := range e.Profile.Rows() {
		name := string(r.Kind) + " " + r.Name
		if was, ok := into[name]; !ok || r.Stats().Min < was {
			into[name] = r.Stats().Min
		}
	}
}

// A pass that does four times the work takes about four times as long in its row,
// and no other row grows by what it took: where the figures are trusted, they
// land where they belong.
func TestCostLandsInItsRow(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
	if ok, why := e.Executor().Trusted(); !ok {
		t.Fatalf("what is measured by default is not to be trusted: %s", why)
	}
	camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
	e.Scene.Environment.Shadows = false
	e.Scene.SpawnModel("box", box(mgl32.Vec3{1, 1, 1}, plain(mgl32.Vec4{1, 1, 1, 1})), nil)
	first := newHeavyPass(t, e, "geometry", "first")
	second := newHeavyPass(t, e, "lighting", "second")
	const light, factor = 200, 4
	first.steps = light
	enginetest.Frames(t, e, 3, 0)
	before, after := map[string]float64{}, map[string]float64{}
	var wrong []string
	for began := time.Now(); time.Since(began) < 90*time.Second; { // the shortest times settle, on a busy machine late
		second.steps = light
		least(t, e, 10, before)
		second.steps = light * factor
		least(t, e, 10, after)
		if wrong = misplaced(before, after, factor); len(wrong) == 0 {
			return
		}
	}
	for _, w := range wrong {
		t.Error(w)
	}
}

// misplaced says what is wrong where the pass "second" did factor times the work.
func misplaced(before, after map[string]float64, factor float64) (wrong []string) {
	grew := after["gpu second"] - before["gpu second"]
	// A pass of the frame that draws nothing tells what of a row is its submission.
	floor := before["gpu gui"]
	if ratio := (after["gpu second"] - floor) / (before["gpu second"] - floor); math.Abs(ratio/factor-1) > 0.3 {
		wrong = append(wrong, fmt.Sprintf("%v times the work takes %.2f times as long: %.3f ms, before %.3f", factor, ratio, after["gpu second"], before["gpu second"]))
	}
	for name := range after {
		if more := after[name] - before[name]; name != "gpu second" && name != "frame frame" && more > grew/5 {
			wrong = append(wrong, fmt.Sprintf("the pass grew by %.3f ms, and %s by %.3f", grew, name, more))
		}
	}
	return wrong
}

// A cost that lands in another row is noticed, or the test above proves nothing.
func TestMisplacedCostIsNoticed(t *testing.T) {
	before := map[string]float64{"gpu second": 1.1, "gpu gui": 0.1, "gap before third": 0.1, "frame frame": 2}
	right := map[string]float64{"gpu second": 4.1, "gpu gui": 0.1, "gap before third": 0.1, "frame frame": 5}
	// As lavapipe's timestamps have it: the pass short, the rest in the gap after.
	inGap := map[string]float64{"gpu second": 1.1, "gpu gui": 0.1, "gap before third": 3.1, "frame frame": 5}
	if wrong := misplaced(before, right, 4); len(wrong) > 0 {
		t.Errorf("what is right is called wrong: %q", wrong)
	}
	if wrong := misplaced(before, inGap, 4); len(wrong) == 0 {
		t.Error("a cost in the gap was not noticed")
	}
}

// The work of a pass is counted: what it recorded, what the device counted, what
// the plan moves.
func TestCounts(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
	camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
	newHeavyPass(t, e, "geometry", "extra")
	enginetest.Frames(t, e, 3, 0)
	e.BeginProfile()
	enginetest.Frames(t, e, 3, 0)
	r := e.Report()
	for _, row := range r.Rows {
		if row.Name != "extra" || row.Kind != profile.GPU {
			continue
		}
		want := profile.Counts{
			Draws: 1, Triangles: 1, Vertices: 3, Uploaded: 4, Barriers: row.Barriers,
			VertexInvocations: row.VertexInvocations, FragmentInvocations: row.FragmentInvocations,
		}
		if row.Counts != want {
			t.Errorf("counted %+v, want %+v", row.Counts, want)
		}
		if row.Barriers < 1 {
			t.Errorf("%d barriers before a pass whose image is new", row.Barriers)
		}
		if r.Measures.Statistics && (row.VertexInvocations < 3 || row.FragmentInvocations < heavySize*heavySize) {
			t.Errorf("the device counted %d vertices and %d fragments of 3 and %d", row.VertexInvocations, row.FragmentInvocations, heavySize*heavySize)
		}
	}
	if r.Plan == nil || r.Memory == nil || r.Memory.Peak < r.Memory.Transient || r.Host == nil || r.Noise.SubmitMS <= 0 {
		t.Errorf("the report lacks a part: %+v", r)
	}
}

// The device's clock can be placed on the processor's where it says so: an
// overlapped pass begins after its frame began, and not long after.
func TestClocks(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64, Mode: gpu.Overlapped})
	camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
	enginetest.Frames(t, e, 3, 0)
	e.BeginProfile()
	enginetest.Frames(t, e, 6, 0)
	r := e.Report()
	if !r.Clocks.Comparable {
		if r.Clocks.Why == "" {
			t.Error("the clocks cannot be compared, and nobody says why")
		}
		t.Skip(r.Clocks.Why)
	}
	if r.Clocks.DeviationMS > 1 {
		t.Errorf("the clocks agree to %v ms", r.Clocks.DeviationMS)
	}
	whole := e.Profile.Whole()
	for _, row := range e.Profile.Rows() {
		if row.Kind != profile.GPU {
			continue
		}
		for ago := range e.Profile.Kept() {
			start, _, ok := row.Ago(ago)
			if !ok {
				continue
			}
			if _, frame, _ := whole.Ago(ago); start < 0 || start > 10*frame+1 {
				t.Errorf("%s begins %v s into a frame of %v s", row.Name, start, frame)
			}
		}
	}
}

// Off, nothing is measured and nothing kept; on again, it goes on.
func TestProfilingOff(t *testing.T) {
	for _, mode := range []gpu.Mode{gpu.Serialised, gpu.Overlapped} {
		e := enginetest.Open(t, engine.Options{Width: 64, Height: 64, Mode: mode})
		camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
		enginetest.Frames(t, e, 3, 0)
		e.SetProfiling(false)
		e.Profile.Reset()
		enginetest.Frames(t, e, 3, 0)
		if n := e.Profile.Frames(); n > 0 || len(e.Executor().Timings()) > 0 {
			t.Errorf("%v: %d frames were measured though it is off", mode, n)
		}
		e.SetProfiling(true)
		enginetest.Frames(t, e, 4, 0)
		if n := e.Profile.Frames(); n < 1 {
			t.Errorf("%v: %d frames were measured though it is on again", mode, n)
		}
	}
}

// Without a pass the frame goes on: one that nobody needs is not there, one that
// others need is there and empty, and with none left out all are as before.
func TestWithout(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
	camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
	e.Scene.SpawnModel("box", box(mgl32.Vec3{1, 1, 1}, plain(mgl32.Vec4{1, 1, 1, 1})), nil)
	if err := e.Without("shadow"); err == nil {
		t.Error("before the first frame nothing is known to leave out")
	}
	enginetest.Frames(t, e, 1, 0)
	usual := enginetest.Picture(t, e)
	all := e.PassNames()
	for _, name := range all {
		if err := e.Without(name); err != nil {
			if name != "palette upload" {
				t.Error(err)
			}
			continue
		}
		enginetest.Frames(t, e, 2, 0)
		how := e.HowWithout(name)
		planned := false
		for i := range e.Plan().Passes() {
			planned = planned || e.Plan().PassName(i) == name
		}
		if how == "" || planned != (how != "left out") {
			t.Errorf("without %s: %q, planned %v", name, how, planned)
		}
		if name == "shadow" && planned || name == "geometry" && !planned {
			t.Errorf("%s is planned: %v", name, planned)
		}
	}
	if err := e.Without("nobody"); err == nil {
		t.Error("a pass that is not there was left out")
	}
	if err := e.Without(); err != nil {
		t.Fatal(err)
	}
	enginetest.Frames(t, e, 1, 0)
	if n := differing(usual, enginetest.Picture(t, e)); n > 0 {
		t.Errorf("with all passes back, %d pixels differ", n)
	}
}

// Labels and regions cost a steady frame no garbage.
func TestMarksAllocateNothing(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
	busy(t, e)
	e.SetMarks(true)
	const dt = 1.0 / 60
	enginetest.Frames(t, e, 40, dt)
	if n := allocations(func() { enginetest.Frames(t, e, 10, dt) }); n > 0 {
		t.Errorf("10 frames allocate %d times", n)
	}
}
