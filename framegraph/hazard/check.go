package hazard

import (
	"fmt"
	"math/bits"

	"github.com/bindpose/bindpose/framegraph"
)

// Problem is one thing a plan gets wrong.
type Problem struct {
	Frame    int    // from 0: what only fails in a later one is a hazard between frames
	Step     string // "" for the end of the frame
	Resource string
	What     string
}

func (p Problem) String() string {
	step := p.Step
	if step == "" {
		step = "the end of the frame"
	}
	return fmt.Sprintf("frame %d, %s, %q: %s", p.Frame, step, p.Resource, p.What)
}

// Check replays two frames of a plan, or three where it has histories, and returns what is wrong, at most once for each access and resource.
func Check(p *framegraph.Plan) []Problem { return check(p, false) }

// check is Check; where one problem is enough, it goes no further than the step that has it.
func check(p *framegraph.Plan, one bool) []Problem {
	r := newReplay(p)
	r.one = one
	frames := 2
	for i := range p.Resources {
		if p.Resources[i].Pair >= 0 {
			frames = 3 // this frame's half is the last frame's half, and only then this frame's again
		}
	}
	for frame := range frames {
		if r.enough() {
			break
		}
		r.frame = frame
		r.run()
	}
	return r.problems
}

// garbage is contents nobody may read; arrived is what an imported resource holds when the frame begins.
const (
	garbage = -1
	arrived = -2
)

// nodes is a set of nodes; a node is one stage of one step, in one frame: the unit of execution order.
type nodes []uint64

func (n nodes) set(i int) { n[i/64] |= 1 << (i % 64) }
func (n nodes) or(o nodes) {
	for i, w := range o {
		n[i] |= w
	}
}
func (n nodes) within(o nodes) bool {
	for i, w := range n {
		if w&^o[i] != 0 {
			return false
		}
	}
	return true
}

// cell is one mip level of one layer, or a buffer.
type cell struct {
	layout  framegraph.Layout
	content int // the declared pass that wrote it

	write      nodes // of the last write, or change of layout
	writeStage framegraph.Stage
	writes     framegraph.Access
	scope      int   // the rendering scope that wrote it as an attachment, −1 for none
	available  uint8 // one bit for each queue that it is available on
	everyone   bool
	seen       []visible
	reads      nodes    // since the last write
	taken      []extent // of its memory, by others, since the last write
	came       nodes    // of what arrived from outside: the access that its last write is known to be behind
	owner      int      // the queue whose family it belongs to
	released   *framegraph.ImageBarrier
}

const everywhere = 7

// on says whether the last write is available to what a queue does from here on.
func (k *cell) on(queue int) bool { return k.available>>queue&1 == 1 }

// visible is accesses the last write is visible to.
type visible struct {
	stage  framegraph.Stage
	access framegraph.Access
	queue  int
}

type replay struct {
	plan     *framegraph.Plan
	frame    int
	problems []Problem
	known    map[string]bool
	one      bool // one problem is enough

	cells    [][]cell // by resource
	overlaps [][]int  // by resource: others in the same memory
	expect   []map[key]int
	final    map[key]int

	words int
	block []uint64  // unused
	next  int       // node
	queue int       // of the step at hand
	done  *stages   // of that queue, by stage bit: what is behind a barrier from that stage
	ahead *stages   // of that queue, by stage bit: what is before anything that stage does from here on
	lanes [3]lane   // by queue
	sent  [3][]sent // by queue: this frame's signals
	ended nodes     // all that was done when the frame before ended
}

type stages [64]nodes

// lane is one queue's order of execution.
type lane struct {
	done, ahead stages
	used        bool
}

// sent is what a signal says is done.
type sent struct {
	value uint64
	done  nodes
}

// on makes a queue the one at hand.
func (r *replay) on(q framegraph.Queue) {
	r.queue = int(q)
	r.done, r.ahead = &r.lanes[q].done, &r.lanes[q].ahead
	r.lanes[q].used = true
}

type key struct{ resource, cell int }

func newReplay(p *framegraph.Plan) *replay {
	r := &replay{plan: p, known: map[string]bool{}}
	count := 64
	var all []framegraph.Declared
	for pass := range p.Passes() {
		all = p.Declared(pass, all)
	}
	barriers := p.Final.Len()
	for i := range p.Steps {
		barriers += p.Steps[i].Before.Len() + p.Steps[i].After.Len()
	}
	count += 3 * (len(all)*8 + len(p.Steps) + barriers + 16*len(p.Resources))
	r.words = (count + 63) / 64
	for q := range r.lanes {
		for i := range r.lanes[q].done {
			r.lanes[q].done[i], r.lanes[q].ahead[i] = r.none(), r.none()
		}
	}
	r.ended = r.none()
	r.on(framegraph.GraphicsQueue)
	r.cells = make([][]cell, len(p.Resources))
	r.overlaps = make([][]int, len(p.Resources))
	for i := range p.Resources {
		a := &p.Resources[i]
		n := 1
		if a.IsImage {
			n = a.Image.Mips * a.Image.Layers
		}
		r.cells[i] = make([]cell, n)
		for c := range r.cells[i] {
			r.cells[i][c] = cell{content: garbage, available: everywhere, everyone: true, scope: -1, write: r.none(), reads: r.none()}
			if a.Origin == framegraph.Transient {
				r.cells[i][c].layout = a.Arrive.Layout // which the executor brings it to once
			}
		}
		for j := range p.Resources {
			b := &p.Resources[j]
			if i != j && a.Heap >= 0 && a.Heap == b.Heap && a.Offset < b.Offset+b.Bytes && b.Offset < a.Offset+a.Bytes {
				r.overlaps[i] = append(r.overlaps[i], j)
			}
		}
	}
	r.expectations()
	return r
}

// none is an empty set. They are cut from larger blocks, for there are very many.
func (r *replay) none() nodes {
	if len(r.block) < r.words {
		r.block = make([]uint64, 256*r.words)
	}
	n := r.block[:r.words:r.words]
	r.block = r.block[r.words:]
	return nodes(n)
}

// expectations works out, from declared order alone, which write each access must see.
func (r *replay) expectations() {
	p := r.plan
	now := map[key]int{}
	for i := range p.Resources {
		a := &p.Resources[i]
		for c := range r.cells[i] {
			now[key{i, c}] = garbage
			if a.Origin == framegraph.Host || a.Origin == framegraph.LastFrame || a.Origin == framegraph.Imported && (a.IsBuffer || a.Arrive.Layout != framegraph.LayoutUndefined) {
				now[key{i, c}] = arrived
			}
		}
	}
	r.expect = make([]map[key]int, p.Passes())
	var list []framegraph.Declared
	for pass := range p.Passes() {
		list = p.Declared(pass, list[:0])
		r.expect[pass] = map[key]int{}
		for _, d := range list {
			r.each(&d, func(c int) { r.expect[pass][key{d.Resource, c}] = now[key{d.Resource, c}] })
		}
		for _, d := range list {
			if d.Write {
				r.each(&d, func(c int) { now[key{d.Resource, c}] = pass })
			}
		}
	}
	r.final = now
}

// each calls f for every cell of an access.
func (r *replay) each(d *framegraph.Declared, f func(c int)) {
	a := &r.plan.Resources[d.Resource]
	if !a.IsImage {
		f(0)
		return
	}
	for l := d.Layer; l < d.Layer+d.Layers; l++ {
		for m := d.Mip; m < d.Mip+d.Mips; m++ {
			f(l*a.Image.Mips + m)
		}
	}
}

func (r *replay) wrong(step string, resource int, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	name := r.plan.Resources[resource].Name
	if id := step + "\x00" + name + "\x00" + what; !r.known[id] {
		r.known[id] = true
		r.problems = append(r.problems, Problem{r.frame, step, name, what})
	}
}

func (r *replay) enough() bool { return r.one && len(r.problems) > 0 }

// stageBits calls f for each stage in s.
func stageBits(s framegraph.Stage, f func(bit int)) {
	if s&framegraph.AllCommands != 0 {
		for b := range 64 {
			f(b)
		}
		return
	}
	for ; s != 0; s &= s - 1 {
		f(bits.TrailingZeros64(uint64(s)))
	}
}

// work is a new node for each stage in s; it returns them, and what is before all of them.
func (r *replay) work(s framegraph.Stage, made map[int]int) (all, before nodes) {
	all, before = r.none(), nil
	stageBits(s, func(bit int) {
		n, ok := made[bit]
		if !ok {
			n = r.next
			r.next++
			made[bit] = n
		}
		all.set(n)
		if before == nil {
			before = append(nodes(nil), r.ahead[bit]...)
			return
		}
		for i := range before {
			before[i] &= r.ahead[bit][i]
		}
	})
	return all, before
}
