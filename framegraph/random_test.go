package framegraph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
)

// randomGraph declares a graph without mistakes: every read is of something written, no pass conflicts with itself.
func randomGraph(g *fg.Graph, seed uint64) {
	g.Reset()
	declareRandom(g, seed, "")
}

// declareRandom declares a part of a frame; its names begin with part.
func declareRandom(g *fg.Graph, seed uint64, part string) {
	r := rand.New(rand.NewPCG(seed, 7))
	type image struct {
		h       fg.Image
		desc    fg.ImageDesc
		written []bool // by mip level and layer
		depth   bool
		frozen  bool // the last frame's half of a history
		parts   bool // this frame's half of a history that has parts
		used    int  // the last pass that used it
	}
	type buffer struct {
		h       fg.Buffer
		written bool
		outside bool
		host    bool
		frozen  bool
	}
	var images []*image
	var buffers []*buffer
	states := []fg.State{fg.Undefined, fg.Acquired, fg.SampledState,
		{Stage: fg.ColorOutput, Access: fg.AccessColorWrite, Layout: fg.LayoutAttachment},
		{Stage: fg.ComputeShader, Access: fg.AccessStorageWrite, Layout: fg.LayoutGeneral},
		{Stage: fg.AllTransfer, Access: fg.AccessTransferRead, Layout: fg.LayoutTransferSrc}}
	leaves := []fg.State{{}, fg.PresentState, fg.SampledState, {Stage: fg.AllTransfer, Access: fg.AccessTransferRead, Layout: fg.LayoutTransferSrc}}
	for i := range 2 + r.IntN(6) {
		im := &image{desc: fg.ImageDesc{Format: fg.RGBA16Float, Width: 64 << r.IntN(3), Height: 64, Mips: 1 + r.IntN(3)*r.IntN(2), Layers: 1 + r.IntN(3)*r.IntN(2)}}
		if r.IntN(4) == 0 {
			im.desc.Format, im.depth = fg.D32Float, true
		} else if im.desc.Mips == 1 && r.IntN(4) == 0 {
			im.desc.Samples = 4
		}
		im.written = make([]bool, im.desc.Mips*im.desc.Layers)
		name := fmt.Sprint(part, "image", i)
		if r.IntN(6) == 0 {
			last := &image{desc: im.desc, depth: im.depth, frozen: true}
			for range im.written {
				last.written = append(last.written, true)
			}
			im.parts = len(im.written) > 1
			last.h, im.h = g.HistoryImage(name, im.desc, fg.Clear(0, 0, 0, 0))
			images = append(images, last, im)
			continue
		}
		if r.IntN(4) == 0 {
			arrive := states[r.IntN(len(states))]
			leave := leaves[r.IntN(len(leaves))]
			im.h = g.ImportImage(name, im.desc, fg.Import{Arrive: arrive, Leave: leave})
			if arrive.Layout != fg.LayoutUndefined {
				for c := range im.written {
					im.written[c] = true
				}
			}
		} else {
			im.h = g.CreateImage(name, im.desc)
		}
		images = append(images, im)
	}
	for i := range 1 + r.IntN(4) {
		b := &buffer{}
		if r.IntN(6) == 0 {
			last := &buffer{frozen: true, written: true}
			last.h, b.h = g.HistoryBuffer(fmt.Sprint(part, "buffer", i), fg.BufferDesc{Bytes: 4096}, 0)
			buffers = append(buffers, last, b)
			continue
		}
		name := fmt.Sprint(part, "buffer", i)
		if r.IntN(3) == 0 {
			arrive := []fg.State{{}, fg.HostWritten, {Stage: fg.ComputeShader, Access: fg.AccessStorageWrite}, {Stage: fg.VertexShader, Access: fg.AccessStorageRead}}[r.IntN(4)]
			leave := []fg.State{{}, {Stage: fg.HostStage, Access: fg.AccessHostRead}}[r.IntN(2)]
			b.h = g.ImportBuffer(name, fg.BufferDesc{Bytes: 4096}, fg.Import{Arrive: arrive, Leave: leave, Shared: r.IntN(2) == 0})
			b.written, b.outside, b.host = true, true, arrive.Stage == 0
		} else {
			b.h = g.CreateBuffer(name, fg.BufferDesc{Bytes: uint64(1+r.IntN(64)) * 1024})
		}
		buffers = append(buffers, b)
	}
	state := g.CPUResource("state")
	for i := range r.IntN(3) {
		g.AddPhase(fmt.Sprint(part, "phase", i), func(b *fg.Builder) func() error {
			b.HostRead(state)
			state = b.HostWrite(state)
			for _, x := range buffers {
				if x.host && r.IntN(2) == 0 {
					x.h = b.HostWriteBuffer(x.h)
				}
			}
			return nil
		})
	}
	shaders := []fg.Stage{fg.VertexShader, fg.FragmentShader, fg.VertexShader | fg.FragmentShader}
	for i := range 2 + r.IntN(14) {
		kind := []fg.Kind{fg.Graphics, fg.Graphics, fg.Graphics, fg.Compute, fg.Transfer}[r.IntN(5)]
		g.AddPass(fmt.Sprint(part, "pass", i), kind, func(b *fg.Builder) fg.Record {
			stage := func() fg.Stage {
				if kind == fg.Compute {
					return fg.ComputeShader
				}
				return shaders[r.IntN(len(shaders))]
			}
			if r.IntN(10) == 0 {
				b.SideEffect()
			}
			if (kind == fg.Compute || kind == fg.Transfer) && r.IntN(3) != 0 {
				b.Async()
			}
			if i > 0 && r.IntN(10) == 0 {
				b.After(fmt.Sprint(part, "pass", r.IntN(i)))
			}
			if r.IntN(3) == 0 {
				b.HostRead(state)
			}
			depth, samples := false, -1
			var sources []*image
			for _, x := range images {
				if r.IntN(3) != 0 {
					continue
				}
				// A part of the image, or all of it.
				h, m0, mn, l0, ln := x.h.Whole(), 0, x.desc.Mips, 0, x.desc.Layers
				attach := kind == fg.Graphics && r.IntN(2) == 0 && !x.frozen
				if attach && samples >= 0 && samples != x.desc.Samples {
					continue
				}
				if attach {
					samples = x.desc.Samples
				}
				x.used = i + 1
				if r.IntN(2) == 0 || attach && x.desc.Mips > 1 {
					m0, mn = r.IntN(x.desc.Mips), 1
					h = h.Mip(m0)
				}
				if r.IntN(3) == 0 {
					l0, ln = r.IntN(x.desc.Layers), 1
					h = h.Layer(l0)
				}
				all, any := true, false
				set := func() {
					for l := l0; l < l0+ln; l++ {
						for m := m0; m < m0+mn; m++ {
							x.written[l*x.desc.Mips+m] = true
						}
					}
				}
				for l := l0; l < l0+ln; l++ {
					for m := m0; m < m0+mn; m++ {
						w := x.written[l*x.desc.Mips+m]
						all, any = all && w, any || w
					}
				}
				switch {
				case attach && x.depth:
					if depth {
						continue
					}
					depth = true
					if all && r.IntN(2) == 0 {
						b.DepthReadOnly(h)
						if r.IntN(2) == 0 {
							b.Sample(h, fg.FragmentShader)
						}
						continue
					}
					op := []fg.Op{fg.ClearDepth(0), fg.DontCare, fg.Infer, fg.Load}[r.IntN(4)]
					if op == fg.Load && !any {
						op = fg.Infer
					}
					x.h = b.DepthAttachment(h, op)
					set()
				case attach:
					op := []fg.Op{fg.Clear(0, 0, 0, 0), fg.DontCare, fg.Infer, fg.Load, fg.Load}[r.IntN(5)]
					if op == fg.Load && !any {
						op = fg.Infer
					}
					x.h = b.ColorAttachment(h, op)
					set()
					if samples == 4 && x.desc.Layers == 1 {
						sources = append(sources, x)
					}
				case x.frozen && kind == fg.Transfer:
					b.TransferReadImage(h)
				case x.frozen && r.IntN(3) == 0:
					b.StorageReadImage(h, stage())
				case x.frozen:
					b.Sample(h, stage())
				case kind == fg.Transfer:
					if all && r.IntN(2) == 0 {
						b.TransferReadImage(h)
					} else {
						x.h = b.TransferWriteImage(h)
						set()
					}
				case all && r.IntN(3) == 0:
					b.StorageReadImage(h, stage())
				case all && r.IntN(2) == 0:
					b.Sample(h, stage())
				case !x.depth:
					if r.IntN(2) == 0 && all {
						b.StorageReadImage(h, stage())
					}
					x.h = b.StorageWriteImage(h, stage())
					set()
				}
			}
			for _, s := range sources {
				for _, x := range images {
					if x.used != i+1 && !x.frozen && !x.depth && x.desc.Samples == 0 && x.desc.Layers == 1 && x.desc.Width == s.desc.Width && r.IntN(2) == 0 {
						x.h, x.used, x.written[0] = b.Resolve(s.h, x.h.Mip(0)), i+1, true
						break
					}
				}
			}
			for _, x := range buffers {
				if r.IntN(3) != 0 {
					continue
				}
				if x.frozen {
					if kind == fg.Transfer {
						b.TransferRead(x.h)
					} else {
						b.StorageRead(x.h, stage())
					}
					continue
				}
				switch {
				case kind == fg.Transfer && x.outside && r.IntN(3) == 0:
					b.HostReadBuffer(x.h)
				case kind == fg.Transfer && x.written && r.IntN(2) == 0:
					b.TransferRead(x.h)
				case kind == fg.Transfer:
					x.h = b.TransferWrite(x.h)
					x.written = true
				case x.written && r.IntN(2) == 0:
					switch {
					case r.IntN(3) == 0:
						b.UniformRead(x.h, stage())
					case r.IntN(3) == 0:
						b.IndirectRead(x.h)
					case kind == fg.Graphics && r.IntN(2) == 0:
						b.VertexRead(x.h)
					default:
						b.StorageRead(x.h, stage())
					}
				default:
					if x.written && r.IntN(2) == 0 {
						b.StorageRead(x.h, stage())
					}
					x.h = b.StorageWrite(x.h, stage())
					x.written = true
				}
			}
			return nil
		})
	}
	for i, x := range images {
		if x.parts { // every part that the next frame may read
			g.AddPass(fmt.Sprint(part, "keep", i), fg.Transfer, func(b *fg.Builder) fg.Record {
				x.h = b.TransferWriteImage(x.h.Whole())
				return nil
			})
		}
	}
}

// Every plan of every graph is proved, with each option on and off.
func TestRandomPlansAreSafe(t *testing.T) {
	eachSeed(t, 400, func(g *fg.Graph, seed uint64) (wrong []string) {
		randomGraph(g, seed)
		for _, caps := range allOptions() {
			plain := caps.Options == (fg.Options{})
			if seed%16 != 0 && (!plain && caps.Options != (fg.Options{NoCull: true}) && !caps.AsyncCompute || caps.UnifiedLayouts && (!plain || caps.AsyncCompute)) {
				continue
			}
			p, bad := compiled(g, caps)
			if bad != nil {
				return bad
			}
			for _, x := range hazard.Check(p) {
				wrong = append(wrong, with(caps, x))
			}
		}
		return wrong
	})
}

// Frames of up to seven such graphs, of some sixty passes and transients, are as safe, need each barrier, and say truly what is alive at
// once.
func TestLargeRandomPlans(t *testing.T) {
	eachSeed(t, 40, func(g *fg.Graph, seed uint64) (wrong []string) {
		if seed >= 1000 {
			return nil
		}
		g.Reset()
		for part := range 2 + seed%6 {
			declareRandom(g, seed*10+part, string(rune('a'+part)))
		}
		for i, caps := range allOptions() {
			if (seed+uint64(i))%4 != 0 {
				continue
			}
			p, bad := compiled(g, caps)
			if bad != nil {
				return bad
			}
			for _, x := range hazard.Check(p) {
				wrong = append(wrong, with(caps, x))
			}
			if p.Totals.LiveBytes != peak(p) {
				wrong = append(wrong, with(caps, fmt.Sprintf("says that %d bytes are alive at once, %d are", p.Totals.LiveBytes, peak(p))))
			}
			if seed%20 == 0 {
				for _, x := range hazard.Needless(p) {
					wrong = append(wrong, with(caps, x))
				}
			}
		}
		return wrong
	})
}

// No plan has a barrier it could do without, and the checker notices each that is missing.
func TestEachBarrierIsNeeded(t *testing.T) {
	d := newDemo()
	d.declare()
	g := fg.New()
	declareChain(g, 40)
	for _, caps := range allOptions() {
		d.declare()
		for _, s := range hazard.Needless(compile(t, d.graph, caps)) {
			t.Errorf("demo, %+v: %s", caps.Options, s)
		}
		if caps.Options.NoReorder || caps.Options.NoCull {
			continue // a chain has nothing to cull or to reorder
		}
		for _, s := range hazard.Needless(compile(t, g, caps)) {
			t.Errorf("chain, %+v: %s", caps.Options, s)
		}
	}
	eachSeed(t, 400, func(g *fg.Graph, seed uint64) (wrong []string) {
		randomGraph(g, seed)
		for i, caps := range allOptions() {
			if i > 0 && (seed+uint64(i))%64 != 0 && !(caps.AsyncCompute && !caps.UnifiedLayouts && seed%4 == 0) && !(seed%2 == 1 && caps.UnifiedLayouts && !caps.AsyncCompute && caps.Options == (fg.Options{})) {
				continue
			}
			p, bad := compiled(g, caps)
			if bad != nil {
				return bad
			}
			for _, x := range hazard.Needless(p) {
				wrong = append(wrong, with(caps, x))
			}
		}
		return wrong
	})
}
