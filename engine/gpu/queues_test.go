package gpu_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
)

// besides declares passes that run beside each other: a compute pass fills a buffer and an image, a transfer pass copies what
// graphics drew, graphics mirrors the copy and draws all of it. skip leaves the transfer pass out.
type besides struct {
	fill, rows, triangle, mirror *gpu.Pipeline
	nearest                      *gpu.Sampler
	skip                         bool
	extra                        int // further mirrorings
}

func newBesides(t testing.TB, dev *gpu.Device, format gpu.Format) *besides {
	t.Helper()
	fillSet := must(dev.NewSetLayout(gpu.SetLayoutDesc{Name: "fill", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.StorageRange, Stages: gpu.ComputeStage}, {Slot: 1, Kind: gpu.StorageTexture, Stages: gpu.ComputeStage},
	}}))(t)
	rowsSet := must(dev.NewSetLayout(gpu.SetLayoutDesc{Name: "rows", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.StorageRange, Stages: gpu.FragmentStage}, {Slot: 1, Kind: gpu.Texture, Stages: gpu.FragmentStage},
	}}))(t)
	code := shader(t, "fill.comp")
	code.Const = map[uint32]uint32{0: 51}
	return &besides{
		fill: must(dev.NewCompute(gpu.ComputeDesc{Name: "fill", Layout: must(dev.NewLayout(gpu.LayoutDesc{Sets: []*gpu.SetLayout{fillSet}}))(t), Shader: code}))(t),
		rows: must(dev.NewGraphics(gpu.GraphicsDesc{
			Name: "rows", Layout: must(dev.NewLayout(gpu.LayoutDesc{Sets: []*gpu.SetLayout{rowsSet}}))(t),
			Vertex: shader(t, "full.vert"), Fragment: shader(t, "rows.frag"), Color: []gpu.ColorOutput{{Format: format, Blend: gpu.Additive}},
		}))(t),
		triangle: trianglePipeline(t, dev, format), mirror: samplePipeline(t, dev, format),
		nearest: must(dev.Sampler(gpu.SamplerDesc{Mag: gpu.Nearest, Min: gpu.Nearest, U: gpu.ClampToEdge, V: gpu.ClampToEdge, NoMips: true}))(t),
	}
}

func (x *besides) declare(g *framegraph.Graph, screen framegraph.Image) {
	const format = framegraph.RGBA8Unorm
	full := framegraph.ImageDesc{Format: format, Size: framegraph.Relative(screen, 1)}
	rows := g.CreateBuffer("rows", framegraph.BufferDesc{Bytes: 64 * 16})
	picture := g.CreateImage("picture", framegraph.ImageDesc{Format: format, Width: 64, Height: 64})
	drawn, copied := g.CreateImage("drawn", full), g.CreateImage("copied", full)
	g.AddPass("triangle", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		drawn = b.ColorAttachment(drawn, framegraph.Clear(0, 0, 0, 1))
		return func(c framegraph.Context) {
			gpu.From(c).BindPipeline(x.triangle)
			gpu.From(c).Draw(3, 1, 0, 0)
		}
	})
	g.AddPass("fill", framegraph.Compute, func(b *framegraph.Builder) framegraph.Record {
		b.Async()
		rows = b.StorageWrite(rows, framegraph.ComputeShader)
		picture = b.StorageWriteImage(picture, framegraph.ComputeShader)
		rows, picture := rows, picture
		return func(c framegraph.Context) {
			cmd := gpu.From(c)
			cmd.BindPipeline(x.fill)
			cmd.Bind(0, gpu.StorageBytes(0, cmd.Buffer(rows)), gpu.StorageImage(1, cmd.Image(picture), gpu.View{}))
			cmd.Dispatch(1, 1, 1)
		}
	})
	if x.skip {
		copied = drawn
	} else {
		g.AddPass("copy", framegraph.Transfer, func(b *framegraph.Builder) framegraph.Record {
			b.Async()
			from := b.TransferReadImage(drawn)
			copied = b.TransferWriteImage(copied)
			to := copied
			return func(c framegraph.Context) { gpu.From(c).CopyImage(gpu.From(c).Image(to), gpu.From(c).Image(from)) }
		})
	}
	mirror := func(name string, from, to framegraph.Image, op framegraph.Op) framegraph.Image {
		g.AddPass(name, framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			b.Sample(from, framegraph.FragmentShader)
			to = b.ColorAttachment(to, op)
			return func(c framegraph.Context) {
				cmd := gpu.From(c)
				scale := cmd.Alloc(16, 0)
				copy(scale.Bytes, bytesOf[float32](1, 1, 1, 1))
				cmd.BindPipeline(x.mirror)
				cmd.Bind(0, gpu.Tex(0, cmd.Image(from), x.nearest), gpu.Uniform(1, scale))
				cmd.Draw(3, 1, 0, 0)
			}
		})
		return to
	}
	for i := range 2 + x.extra { // what graphics does meanwhile
		drawn = mirror(fmt.Sprint("mirror ", i), drawn, g.CreateImage("mirrored", full), framegraph.DontCare)
	}
	screen = mirror("both", copied, screen, framegraph.DontCare)
	g.AddPass("rows", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		b.StorageRead(rows, framegraph.FragmentShader)
		b.Sample(picture, framegraph.FragmentShader)
		b.Sample(drawn, framegraph.FragmentShader)
		screen = b.ColorAttachment(screen, framegraph.Load)
		return func(c framegraph.Context) {
			cmd := gpu.From(c)
			cmd.BindPipeline(x.rows)
			cmd.Bind(0, gpu.StorageBytes(0, cmd.Buffer(rows)), gpu.Tex(1, cmd.Image(picture), nil))
			cmd.Draw(3, 1, 0, 0)
		}
	})
}

// Several queues change no picture: not over many frames whose passes come and go, not when the target changes its size, not
// however many goroutines record, not serialised; and what was submitted is safe.
func TestQueuesChangeNoPicture(t *testing.T) {
	type run struct {
		name    string
		use     gpu.QueueUse
		mode    gpu.Mode
		workers int
	}
	var want [][]byte
	for _, r := range []run{
		{"one queue", gpu.OneQueue, gpu.Overlapped, 0},
		{"split", gpu.SplitQueues, gpu.Overlapped, 0},
		{"split, three goroutines", gpu.SplitQueues, gpu.Overlapped, 3},
		{"split, serialised", gpu.SplitQueues, gpu.Serialised, 0},
	} {
		t.Run(r.name, func(t *testing.T) {
			dev := gputest.OpenWith(t, gpu.Options{Queues: r.use})
			d := newDrawing(t, dev, 64, 64, r.mode)
			d.exec.Release()
			d.exec = dev.NewExecutor(gpu.ExecutorOptions{Mode: r.mode, Workers: r.workers})
			x := newBesides(t, dev, framegraph.RGBA8Unorm)
			d.declare = x.declare
			before := uint64(0)
			for n := range 40 {
				x.skip, x.extra = n/5%3 == 2, n/3%2
				if n == 20 {
					if err := d.target.Resize(50, 70); err != nil {
						t.Fatal(err)
					}
				}
				d.frame()
				subs := dev.Submissions()
				if r.mode == gpu.Overlapped {
					for _, p := range hazard.Check(gputest.Executed(t, d.plan, subs, before)) {
						t.Errorf("frame %d: %v", n, p)
					}
				}
				before = subs[len(subs)-1].Value
				if r.use == gpu.SplitQueues && r.mode == gpu.Overlapped {
					queues := map[framegraph.Queue]int{}
					crossed := 0
					for _, s := range subs {
						queues[s.Queue]++
						for _, w := range s.Waits {
							if w.Queue != s.Queue {
								crossed++
							}
						}
					}
					if least := 3; x.skip {
						least = 2
						if len(queues) != least || crossed < 1 {
							t.Errorf("frame %d: submissions %v, %d waits between queues", n, queues, crossed)
						}
					} else if len(queues) != least || crossed < 3 {
						t.Errorf("frame %d: submissions %v, %d waits between queues", n, queues, crossed)
					}
				}
				if n%10 != 9 {
					continue
				}
				picture := must(d.target.Pixels())(t)
				if r.use == gpu.OneQueue {
					want = append(want, picture)
				} else if !bytes.Equal(picture, want[n/10]) {
					t.Errorf("frame %d: another picture", n)
				}
			}
			if rows := d.exec.Timings(); r.use == gpu.SplitQueues && r.mode == gpu.Overlapped {
				i := slices.IndexFunc(rows, func(r gpu.Timing) bool { return r.Name == "fill" })
				if i < 0 || rows[i].Queue != framegraph.ComputeQueue {
					t.Errorf("the table has no row of the compute queue: %+v", rows)
				}
			}
		})
	}
	if len(want) != 4 || bytes.Equal(want[0], want[3]) || pixel(want[1], 64, 60, 40) == [4]byte{} {
		t.Error("the pictures are too much alike to compare")
	}
}

// Each wait that is left out of what was submitted is noticed, by the proof that the test above relies on.
func TestAMissingWaitIsNoticed(t *testing.T) {
	dev := gputest.OpenWith(t, gpu.Options{Queues: gpu.SplitQueues})
	d := newDrawing(t, dev, 64, 64, gpu.Overlapped)
	d.declare = newBesides(t, dev, framegraph.RGBA8Unorm).declare
	before := uint64(0)
	for range 3 {
		if subs := dev.Submissions(); len(subs) > 0 {
			before = subs[len(subs)-1].Value
		}
		d.frame()
	}
	removed := 0
	subs := dev.Submissions()
	for i := range subs {
		for j := range subs[i].Waits {
			spoilt := slices.Clone(subs)
			spoilt[i].Waits = slices.Delete(slices.Clone(subs[i].Waits), j, j+1)
			removed++
			if len(hazard.Check(gputest.Executed(t, d.plan, spoilt, before))) == 0 {
				t.Errorf("submission %d does without its wait for %v, and nothing is wrong", i, subs[i].Waits[j])
			}
		}
	}
	if removed < 3 {
		t.Errorf("only %d waits could be removed", removed)
	}
}

// A frame that fails halfway submits nothing of it, and the next one runs.
func TestQueuesAfterAMistake(t *testing.T) {
	for _, workers := range []int{0, 2} {
		dev := gputest.OpenWith(t, gpu.Options{Queues: gpu.SplitQueues})
		d := newDrawing(t, dev, 64, 64, gpu.Overlapped)
		d.exec.Release()
		d.exec = dev.NewExecutor(gpu.ExecutorOptions{Mode: gpu.Overlapped, Workers: workers})
		good := newBesides(t, dev, framegraph.RGBA8Unorm).declare
		d.declare = good
		for range 3 {
			d.frame()
		}
		want := must(d.target.Pixels())(t)
		d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
			good(g, screen)
			g.AddPass("wrong", framegraph.Compute, func(b *framegraph.Builder) framegraph.Record {
				b.SideEffect()
				return func(c framegraph.Context) { gpu.From(c).Fail(fmt.Errorf("my own")) }
			})
		}
		if err := d.tryFrame(); err == nil || !strings.Contains(err.Error(), "pass wrong: my own") {
			t.Errorf("error %v should name the pass", err)
		}
		d.declare = good
		for range 3 {
			d.frame()
		}
		if !bytes.Equal(want, must(d.target.Pixels())(t)) {
			t.Errorf("%d goroutines: another picture after a mistake", workers)
		}
	}
}

// A plan for queues that the device wasn't opened with is refused.
func TestAPlanForMoreQueues(t *testing.T) {
	dev := gputest.OpenWith(t, gpu.Options{Queues: gpu.OneQueue})
	d := newDrawing(t, dev, 64, 64, gpu.Overlapped)
	d.declare = newBesides(t, dev, framegraph.RGBA8Unorm).declare
	d.caps.AsyncCompute = true
	if err := d.tryFrame(); err == nil || !strings.Contains(err.Error(), "compute queue") {
		t.Errorf("error: %v", err)
	}
}
