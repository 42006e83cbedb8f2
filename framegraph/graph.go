package framegraph

import (
	"math/rand/v2"
	"runtime"
)

// Graph takes a frame's declarations and compiles them. It is not safe for concurrent use. New makes one; each frame
// begins with Reset, which keeps all memory.
type Graph struct {
	frame    uint32
	declared declaration
	current  []resourceState // one for each declared resource
	run      []func() error  // one for each declared pass; nil for passes
	record   []Record        // one for each declared pass; nil for phases
	clears   []Clear4        // one for each declared use
	keys     []uint64        // one for each declared resource
	mistakes []*Mistake
	builder  Builder
	inPass   int32 // the pass being declared, −1 between passes

	// same says that everything declared so far is what latest was compiled from, so that an unchanged frame costs one
	// comparison a declaration, and places in the source need not be looked up again.
	same    bool
	latest  *entry
	entries [planMemory]*entry
	serial  uint64
	frames  uint64
	caps    Caps // of the last Compile
	work    work
	pcs     [1]uintptr
}

const (
	// planMemory is how many structures a graph remembers: enough for three passes switched on and off independently.
	planMemory = 8
	// planPatience is after how many frames a structure that did not come back may be forgotten before a newer one.
	planPatience = 64
)

// resourceState is what the declarations so far did to a resource.
type resourceState struct {
	version   uint32
	start     uint32 // version before the pass that wrote last
	writePass int32  // −1 before the first write
}

// New makes an empty graph, ready for its first frame.
func New() *Graph {
	// A random first frame tells one graph's handles from another's.
	g := &Graph{frame: rand.Uint32()}
	g.builder.g = g
	g.Reset()
	return g
}

// Reset begins the declarations of a new frame. Handles of the frame before become stale.
func (g *Graph) Reset() {
	g.frame++
	g.declared.reset()
	g.current = g.current[:0]
	clear(g.run) // lets go of closures that nobody declares again
	clear(g.record)
	g.run, g.record = g.run[:0], g.record[:0]
	g.clears, g.keys = g.clears[:0], g.keys[:0]
	g.mistakes = nil
	g.inPass = -1
	g.same = g.latest != nil
}

// CreateImage declares an image that lives within the frame. It gets memory only where a kept pass uses it, and shares
// that memory with others whose lives do not overlap. Its first access must be a write.
func (g *Graph) CreateImage(name string, desc ImageDesc) Image {
	return g.image(name, desc, Transient, Import{})
}

// ImportImage declares an image that lives outside the graph. What passes write to it counts as wanted, so its last
// writers are never culled.
func (g *Graph) ImportImage(name string, desc ImageDesc, how Import) Image {
	return g.image(name, desc, Imported, how)
}

// CreateBuffer declares a buffer that lives within the frame, as CreateImage does.
func (g *Graph) CreateBuffer(name string, desc BufferDesc) Buffer {
	return g.buffer(name, desc, Transient, Import{})
}

// ImportBuffer declares a buffer that lives outside the graph, as ImportImage does. Its contents count as defined.
func (g *Graph) ImportBuffer(name string, desc BufferDesc, how Import) Buffer {
	return g.buffer(name, desc, Imported, how)
}

// HistoryImage declares an image whose value outlives the frame: last is what the frame before left in it, and may only be
// read; next is this frame's, without contents until something writes it. Where nothing does, the value stays. Before the
// first frame, and after the image changes its shape or a frame did without it, last holds first, which must be a Clear.
//
//	last, next := graph.HistoryImage("accumulated", desc, framegraph.Clear(0, 0, 0, 0))
//
// What writes next is needed where something needed reads last.
func (g *Graph) HistoryImage(name string, desc ImageDesc, first Op) (last, next Image) {
	if first.kind != LoadClear+1 {
		g.mistake(g.caller(3), Mistake{Code: "history-start", Resource: name, Problem: "the first frame's value is no Clear",
			Consequence: "the first frame would read undefined contents"})
	}
	last = g.image(name, desc, LastFrame, Import{start: first.value})
	next = g.image(name, desc, ThisFrame, Import{start: first.value})
	return last, next
}

// HistoryBuffer is HistoryImage for a buffer; before the first frame, last holds first in every four bytes.
func (g *Graph) HistoryBuffer(name string, desc BufferDesc, first uint32) (last, next Buffer) {
	start := Clear4{first, first, first, first}
	last = g.buffer(name, desc, LastFrame, Import{start: start})
	next = g.buffer(name, desc, ThisFrame, Import{start: start})
	return last, next
}

// CPUResource declares something that phases write and phases or passes read: transforms, poses. Reading it before any
// phase of the frame wrote it is allowed: the last frame's value is there.
func (g *Graph) CPUResource(name string) CPU {
	i := g.resource(resourceDecl{name: name, kind: hostKind, origin: Host}, 0)
	return CPU{index: i + 1, frame: g.frame}
}

func (g *Graph) image(name string, desc ImageDesc, origin Origin, how Import) Image {
	d := resourceDecl{
		name: name, kind: imageKind, origin: origin,
		format: desc.Format, width: clamp32(desc.Width), height: clamp32(desc.Height),
		mips: orOne(desc.Mips), layers: orOne(desc.Layers),
		samples: orOne(desc.Samples),
		arrive:  how.Arrive, leave: how.Leave, shared: how.Shared, start: how.start, sizeOf: -1,
	}
	wrongSize := false
	if of := desc.Size.of; of != (Image{}) || desc.Size.sx != 0 {
		d.width, d.height = 0, 0
		d.scaleX, d.scaleY = desc.Size.sx, desc.Size.sy
		if of.frame != g.frame || of.Index() < 0 || of.Index() >= len(g.declared.resources) {
			wrongSize = true
		} else {
			d.sizeOf = of.index - 1
		}
	}
	i := g.resource(d, how.Key)
	if wrongSize {
		g.mistake(g.declared.resourcePC[i], Mistake{Code: "size-of-unknown", Resource: name,
			Problem:     "its size is relative to an image that this frame did not declare before it, so that it may depend on itself",
			Consequence: "it has no size; declare the other image first, after Reset"})
	}
	return Image{index: i + 1, frame: g.frame}
}

func (g *Graph) buffer(name string, desc BufferDesc, origin Origin, how Import) Buffer {
	i := g.resource(resourceDecl{
		name: name, kind: bufferKind, origin: origin, bytes: desc.Bytes, arrive: how.Arrive, leave: how.Leave, shared: how.Shared, start: how.start, sizeOf: -1,
	}, how.Key)
	return Buffer{index: i + 1, frame: g.frame}
}

// resource appends d. Its callers are two frames below the user's line.
func (g *Graph) resource(d resourceDecl, key uint64) int32 {
	i := len(g.declared.resources)
	var pc uintptr
	if g.same && i < len(g.latest.resources) && g.latest.resources[i] == d {
		pc = g.latest.resourcePC[i]
	} else {
		g.same = false
		skip := 5
		if d.kind == hostKind {
			skip = 4
		}
		pc = g.caller(skip)
	}
	g.declared.resources = append(g.declared.resources, d)
	g.declared.resourcePC = append(g.declared.resourcePC, pc)
	g.current = append(g.current, resourceState{writePass: -1})
	g.keys = append(g.keys, key)
	return int32(i)
}

// AddPhase declares work of the processor. declare runs at once: it says what the phase reads and writes (HostRead,
// HostWrite and their Buffer forms) and returns the work, which runs when the plan is executed. Phases are never culled
// and keep their declared order.
//
// A func value that is made once and declared each frame costs no garbage; a closure or method value written in the call
// may.
func (g *Graph) AddPhase(name string, declare func(b *Builder) func() error) Pass {
	p, ok := g.begin(name, Phase, 0)
	if ok && declare != nil {
		g.run[p] = declare(&g.builder)
	}
	return g.end(p, ok)
}

// AddPass declares a pass. declare runs at once: it says what the pass reads and writes, and returns what records its
// commands, or nil where barriers are all it needs. A pass whose results nobody wants is culled: its Record never runs.
//
// A func value that is made once, and returns a Record made once, costs no garbage; a closure or method value written in
// the call may.
func (g *Graph) AddPass(name string, kind Kind, declare func(b *Builder) Record) Pass {
	p, ok := g.begin(name, kind, 0)
	if ok && declare != nil {
		g.record[p] = declare(&g.builder)
	}
	return g.end(p, ok)
}

// AddPassAt is AddPass for what adds passes on behalf of others: explanations and mistakes then name their line. at is a
// program counter of that line as runtime.Callers returns it; 0 is the line of this call.
func (g *Graph) AddPassAt(at uintptr, name string, kind Kind, declare func(b *Builder) Record) Pass {
	p, ok := g.begin(name, kind, at)
	if ok && declare != nil {
		g.record[p] = declare(&g.builder)
	}
	return g.end(p, ok)
}

// begin is two frames below the user's line; at is that line where it is elsewhere.
func (g *Graph) begin(name string, kind Kind, at uintptr) (int32, bool) {
	if g.inPass >= 0 {
		if at == 0 {
			at = g.caller(4)
		}
		g.mistake(at, Mistake{Code: "nested-pass", Pass: name,
			Problem:     "declared inside the declaration of pass \"" + g.declared.passes[g.inPass].name + "\"",
			Consequence: "it is left out; declare passes one after another"})
		return -1, false
	}
	i := len(g.declared.passes)
	pc := at
	if g.same && i < len(g.latest.passes) && g.latest.passes[i].name == name {
		if pc == 0 {
			pc = g.latest.passPC[i]
		}
	} else if g.same = false; pc == 0 {
		pc = g.caller(4)
	}
	g.declared.passes = append(g.declared.passes, passDecl{
		name: name, kind: kind, uses: int32(len(g.declared.uses)), afters: int32(len(g.declared.afters)),
	})
	g.declared.passPC = append(g.declared.passPC, pc)
	g.run = append(g.run, nil)
	g.record = append(g.record, nil)
	g.inPass = int32(i)
	g.builder.pass = int32(i)
	return int32(i), true
}

func (g *Graph) end(p int32, ok bool) Pass {
	if !ok {
		return Pass{}
	}
	d := &g.declared.passes[p]
	d.usesEnd, d.aftersEnd = int32(len(g.declared.uses)), int32(len(g.declared.afters))
	if g.same && g.latest.passes[p] != *d {
		g.same = false
	}
	g.inPass = -1
	g.builder.pass = -1
	return Pass{index: p + 1, frame: g.frame}
}

// caller is the program counter of the user's line, skip frames up as runtime.Callers counts. It is resolved to a file
// and line only when somebody asks.
func (g *Graph) caller(skip int) uintptr {
	g.pcs[0] = 0
	runtime.Callers(skip, g.pcs[:])
	return g.pcs[0]
}

// place is the file and line of a program counter that caller returned.
func place(pc uintptr) (file string, line int) {
	if pc == 0 {
		return "", 0
	}
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return f.File, f.Line
}

func (g *Graph) mistake(pc uintptr, m Mistake) {
	m.File, m.Line = place(pc)
	g.mistakes = append(g.mistakes, &m)
	g.same = false
}

func clamp32(n int) int32 { return int32(max(-1<<31, min(n, 1<<31-1))) }

// orOne is n, or 1 where n was left zero; validation rejects what is below.
func orOne(n int) int32 {
	if n == 0 {
		return 1
	}
	return clamp32(n)
}
