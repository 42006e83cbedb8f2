package hazard

import "github.com/bindpose/bindpose/framegraph"

// run replays one frame.
func (r *replay) run() {
	r.on(framegraph.GraphicsQueue)
	r.arrive()
	p := r.plan
	for i := range r.cells {
		for c := range r.cells[i] {
			r.cells[i][c].scope = -1 // a scope of the frame before has ended
		}
	}
	for q := range r.sent {
		r.sent[q] = r.sent[q][:0]
	}
	for i := range p.Steps {
		if r.enough() {
			return
		}
		s := &p.Steps[i]
		if s.Kind != framegraph.Phase {
			r.on(s.Queue)
		}
		r.wait(s.Name, s.Waits)
		if s.Before.Len() > 0 {
			if s.Scope >= 0 && !s.ScopeBegin {
				r.wrong(s.Name, 0, "a barrier inside a rendering scope")
			}
			r.batch(s.Name, &s.Before)
		}
		if s.Kind == framegraph.Phase {
			r.phase(s)
		} else {
			r.pass(s)
		}
		if s.ScopeEnd {
			r.store(s)
		}
		if s.After.Len() > 0 {
			if s.Scope >= 0 && !s.ScopeEnd {
				r.wrong(s.Name, 0, "a barrier inside a rendering scope")
			}
			r.batch(s.Name, &s.After)
		}
		for _, v := range s.Signals {
			if v.Queue != s.Queue {
				r.wrong(s.Name, 0, "it signals another queue's timeline")
			}
			r.sent[v.Queue] = append(r.sent[v.Queue], sent{v.Value, r.all(int(v.Queue))})
		}
	}
	r.on(framegraph.GraphicsQueue)
	r.wait("", p.FinalWaits)
	r.batch("", &p.Final)
	r.leave()
	r.ended = r.all(int(framegraph.GraphicsQueue))
	for q := range r.lanes {
		if !r.all(q).within(r.ended) {
			r.wrong("", 0, "the %s queue may still run when the frame is done", framegraph.Queue(q))
		}
	}
}

// all is everything that was submitted to a queue, and what that waited for.
func (r *replay) all(q int) nodes {
	n := r.none()
	for bit := range r.lanes[q].done {
		n.or(r.lanes[q].done[bit])
	}
	return n
}

// wait replays semaphores: what a queue did before its signal is done, available, and visible to all that follows here.
func (r *replay) wait(step string, list []framegraph.Semaphore) {
	for _, w := range list {
		var done nodes
		if w.Value == 0 && w.Queue == framegraph.GraphicsQueue {
			done = r.ended
		}
		for _, s := range r.sent[w.Queue] {
			if s.value == w.Value {
				done = s.done
			}
		}
		if done == nil {
			r.wrong(step, 0, "it waits for value %d of the %s queue, which nothing before it signals", w.Value, w.Queue)
			continue
		}
		for bit := range r.done {
			r.done[bit].or(done)
			r.ahead[bit].or(done)
		}
		for i := range r.cells {
			for c := range r.cells[i] {
				if k := &r.cells[i][c]; k.write.within(done) && k.came.within(done) {
					k.available |= 1 << r.queue
					k.seen = append(k.seen[:len(k.seen):len(k.seen)], visible{framegraph.AllCommands, ^framegraph.Access(0), r.queue})
				}
			}
		}
	}
}

// supported is the stages that barriers on a queue may name.
var supported = [3]framegraph.Stage{
	framegraph.GraphicsQueue: ^framegraph.Stage(0),
	framegraph.ComputeQueue:  framegraph.ComputeShader | framegraph.AllTransfer | framegraph.DrawIndirect | framegraph.HostStage | framegraph.AllCommands,
	framegraph.TransferQueue: framegraph.AllTransfer | framegraph.HostStage | framegraph.AllCommands,
}

// arrive brings imported resources in as the caller promised.
func (r *replay) arrive() {
	for i := range r.plan.Resources {
		a := &r.plan.Resources[i]
		switch a.Origin {
		case framegraph.ThisFrame:
			continue
		case framegraph.Transient:
			for c := range r.cells[i] {
				r.cells[i][c].content = garbage // whatever it holds, nobody of this frame wrote it
			}
			continue
		case framegraph.LastFrame:
			r.turn(i)
			continue
		}
		for c := range r.cells[i] {
			k := cell{layout: a.Arrive.Layout, content: arrived, available: everywhere, scope: -1, write: r.none(), reads: r.none()}
			if a.IsImage && a.Arrive.Layout == framegraph.LayoutUndefined {
				k.content = garbage
			}
			if a.Arrive.Stage == 0 || a.Arrive == framegraph.HostWritten {
				k.everyone = true
			} else {
				n := r.next
				r.next++
				stageBits(a.Arrive.Stage, func(bit int) { r.done[bit].set(n) })
				r.ended.set(n)
				k.seen = []visible{{a.Arrive.Stage, a.Arrive.Access, r.queue}}
				if w := a.Arrive.Access.Writes(); w != 0 {
					k.write.set(n)
					k.writeStage, k.writes, k.available, k.seen = a.Arrive.Stage, w, 0, nil
				} else {
					k.reads.set(n)
					k.came = r.none()
					k.came.set(n)
				}
			}
			r.cells[i][c] = k
		}
	}
}

// turn brings the last frame's half of a history in, and this frame's with it.
func (r *replay) turn(last int) {
	a := &r.plan.Resources[last]
	next := a.Pair
	if r.frame > 0 && r.plan.Resources[next].Turns {
		r.cells[last], r.cells[next] = r.cells[next], r.cells[last]
	}
	for c := range r.cells[last] {
		k := &r.cells[last][c]
		if r.frame == 0 {
			*k = cell{layout: a.Arrive.Layout, available: everywhere, everyone: true, scope: -1, write: r.none(), reads: r.none()}
		} else if want := r.final[key{next, c}]; r.plan.Resources[next].Turns && want != garbage && k.content != want {
			r.wrong("", last, "the next frame finds what %s wrote instead of %s", r.writer(k.content), r.writer(want))
		}
		k.content = arrived
		r.cells[next][c].content = garbage
	}
}

// barrier is what all three kinds have in common.
type barrier struct {
	src, dst             framegraph.Stage
	srcAccess, dstAccess framegraph.Access
	behind               nodes // what the first scope holds
}

func (r *replay) scopeOf(src, dst framegraph.Stage, srcAccess, dstAccess framegraph.Access) barrier {
	if (src|dst)&^supported[r.queue] != 0 {
		r.wrong("", 0, "a barrier on the %s queue names a stage it lacks: %#x to %#x", framegraph.Queue(r.queue), uint64(src), uint64(dst))
	}
	b := barrier{src, dst, srcAccess, dstAccess, r.none()}
	stageBits(src, func(bit int) { b.behind.or(r.done[bit]) })
	return b
}

// batch replays one vkCmdPipelineBarrier2. Its barriers do not chain with each other.
func (r *replay) batch(step string, b *framegraph.Barriers) {
	var all []barrier
	var later []func()
	for _, m := range b.Memory {
		x := r.scopeOf(m.SrcStage, m.DstStage, m.SrcAccess, m.DstAccess)
		all = append(all, x)
		for i := range r.cells {
			for c := range r.cells[i] {
				later = append(later, r.flush(&r.cells[i][c], x))
			}
		}
	}
	for _, m := range b.Buffers {
		x := r.scopeOf(m.SrcStage, m.DstStage, m.SrcAccess, m.DstAccess)
		all = append(all, x)
		later = append(later, r.flush(&r.cells[m.Buffer][0], x))
	}
	for _, m := range b.Images {
		x := r.scopeOf(m.SrcStage, m.DstStage, m.SrcAccess, m.DstAccess)
		all = append(all, x)
		mips := r.plan.Resources[m.Image].Image.Mips
		for l := m.Layer; l < m.Layer+m.Layers; l++ {
			for i := m.Mip; i < m.Mip+m.Mips; i++ {
				k := &r.cells[m.Image][l*mips+i]
				if m.From != m.To {
					later = append(later, r.transfer(step, &m, k, x))
				} else if m.OldLayout == m.NewLayout {
					later = append(later, r.flush(k, x))
				} else {
					later = append(later, r.transition(step, m.Image, k, m.OldLayout, m.NewLayout, x))
				}
			}
		}
	}
	for i := range all {
		stageBits(all[i].dst, func(bit int) { r.ahead[bit].or(all[i].behind) })
	}
	for _, f := range later {
		f()
	}
}

// flush makes a cell's last write available and visible, as far as the barrier reaches it.
func (r *replay) flush(k *cell, b barrier) func() {
	if k.everyone {
		return func() {}
	}
	available := k.on(r.queue) || (k.writeStage&^b.src == 0 && covers(b.srcAccess, k.writes))
	if !available || !k.write.within(b.behind) || (b.srcAccess == 0 && b.dstAccess == 0) {
		return func() {}
	}
	return func() {
		k.available |= 1 << r.queue
		k.seen = append(k.seen, visible{b.dst, b.dstAccess, r.queue})
	}
}

func covers(mask, access framegraph.Access) bool {
	if mask&framegraph.AccessMemoryWrite != 0 {
		access &^= access.Writes()
	}
	return access&^mask == 0
}

// transfer releases a cell from one queue's family, or acquires it for another's. Both change the layout, once.
func (r *replay) transfer(step string, m *framegraph.ImageBarrier, k *cell, b barrier) func() {
	if r.queue == int(m.To) {
		if k.released == nil || k.released.OldLayout != m.OldLayout || k.released.NewLayout != m.NewLayout || k.released.From != m.From || k.released.To != m.To {
			r.wrong(step, m.Image, "the %s queue acquires it without a release that matches", m.To)
		}
		k.released = nil
		f := r.transition(step, m.Image, k, m.OldLayout, m.NewLayout, b)
		return func() { f(); k.owner = int(m.To) }
	}
	if r.queue != int(m.From) {
		r.wrong(step, m.Image, "a change from the %s to the %s queue stands on the %s queue", m.From, m.To, framegraph.Queue(r.queue))
	}
	if k.owner != int(m.From) {
		r.wrong(step, m.Image, "the %s queue releases it without owning it", m.From)
	}
	r.claim(step, m.Image, k, b.behind, &b)
	n := r.next
	r.next++
	copied := *m
	return func() {
		write := r.none()
		write.set(n)
		stageBits(b.src, func(bit int) { r.done[bit].set(n) })
		*k = cell{layout: k.layout, content: k.content, available: 1 << r.queue, scope: -1, write: write, reads: r.none(), owner: k.owner, released: &copied}
	}
}

// owns checks that the queue at hand may touch a cell.
func (r *replay) owns(step string, resource int, k *cell, discards bool) {
	a := &r.plan.Resources[resource]
	if a.Shared || a.Origin == framegraph.Host || a.Origin == framegraph.Imported && a.IsBuffer {
		return
	}
	if k.released != nil {
		r.wrong(step, resource, "it is used between its release and its acquire")
	}
	if k.owner != r.queue && !discards {
		r.wrong(step, resource, "the %s queue uses it, and it belongs to the %s queue", framegraph.Queue(r.queue), framegraph.Queue(k.owner))
	}
}

// transition changes a cell's layout, which reads and writes it.
func (r *replay) transition(step string, resource int, k *cell, old, now framegraph.Layout, b barrier) func() {
	if old != framegraph.LayoutUndefined && old != k.layout {
		r.wrong(step, resource, "a barrier from layout %d, but the image is in %d", old, k.layout)
	}
	r.claim(step, resource, k, b.behind, &b)
	n := r.next
	r.next++
	write := r.none()
	if b.dst != 0 {
		write.set(n)
	}
	return func() {
		content := k.content // as another barrier of the batch, on the same memory, may have left it
		if old == framegraph.LayoutUndefined {
			content = garbage
		}
		stageBits(b.dst, func(bit int) {
			r.ahead[bit].set(n)
			r.done[bit].set(n)
		})
		owner := k.owner
		if old == framegraph.LayoutUndefined {
			owner = r.queue
		}
		*k = cell{layout: now, content: content, available: 1 << r.queue, scope: -1, write: write, reads: r.none(), owner: owner,
			seen: []visible{{b.dst, b.dstAccess, r.queue}}}
	}
}

// claim checks that everything that happened to a cell, and to whatever else is in its memory, is behind.
func (r *replay) claim(step string, resource int, k *cell, behind nodes, b *barrier) {
	a := &r.plan.Resources[resource]
	r.settled(step, resource, resource, k, extent{a.Offset, a.Offset + a.Bytes}, behind, b)
	for _, o := range r.overlaps[resource] {
		x := &r.plan.Resources[o]
		taken := extent{max(a.Offset, x.Offset), min(a.Offset+a.Bytes, x.Offset+x.Bytes)}
		for c := range r.cells[o] {
			other := &r.cells[o][c]
			r.settled(step, resource, o, other, taken, behind, b)
			other.content, other.layout = garbage, framegraph.LayoutUndefined
			other.taken = append(other.taken[:len(other.taken):len(other.taken)], taken)
		}
	}
}

// settled checks that what a cell did to a part of its memory is behind. What somebody else has claimed since is theirs.
func (r *replay) settled(step string, resource, of int, k *cell, part extent, behind nodes, b *barrier) {
	name := r.plan.Resources[of].Name
	if !k.reads.within(behind) {
		r.wrong(step, resource, "it is overwritten while a read of %q may still run", name)
	}
	if !k.write.within(behind) {
		r.wrong(step, resource, "it is overwritten while a write of %q may still run", name)
	}
	if k.on(r.queue) || b != nil && k.writeStage&^b.src == 0 && covers(b.srcAccess, k.writes) || within(part, k.taken) {
		return
	}
	r.wrong(step, resource, "it is overwritten before a write of %q was made available", name)
}

// extent is a part of a heap.
type extent struct{ from, to uint64 }

// within says whether some extents together cover one.
func within(e extent, all []extent) bool {
	for e.from < e.to {
		grown := false
		for _, x := range all {
			if x.from <= e.from && e.from < x.to {
				e.from, grown = x.to, true
			}
		}
		if !grown {
			return false
		}
	}
	return len(all) > 0
}

// phase replays what the host does before the frame is submitted.
func (r *replay) phase(s *framegraph.Step) {
	for _, d := range r.plan.Declared(s.Pass, nil) {
		k := &r.cells[d.Resource][0]
		if want := r.expect[s.Pass][key{d.Resource, 0}]; !d.Write && k.content != want {
			r.wrong(s.Name, d.Resource, "it reads what %s wrote instead of %s", r.writer(k.content), r.writer(want))
		}
	}
	for _, d := range r.plan.Declared(s.Pass, nil) {
		if d.Write {
			k := &r.cells[d.Resource][0]
			if r.plan.Resources[d.Resource].IsBuffer && k.content >= 0 && r.plan.PassKind(k.content) != framegraph.Phase {
				r.wrong(s.Name, d.Resource, "the host writes a buffer the device has written")
			}
			k.content, k.everyone, k.available = s.Pass, true, everywhere
		}
	}
}

// pass replays a pass's accesses: all reads first, for nothing inside a pass is ordered.
func (r *replay) pass(s *framegraph.Step) {
	list := r.plan.Declared(s.Pass, nil)
	made := map[int]int{}
	r.load(s, list)
	for i := range list {
		d := &list[i]
		r.each(d, func(c int) { r.access(s, d, c, made) })
	}
	for i := range list {
		d := &list[i]
		if d.Write {
			r.each(d, func(c int) { r.write(s, d, c, made) })
		}
	}
	if len(made) == 0 { // what it does is not told, but it takes its time
		for bit := range r.done {
			r.done[bit].set(r.next)
		}
		r.next++
	}
	for bit, n := range made {
		r.done[bit].set(n)
		r.done[bit].or(r.ahead[bit])
	}
}

func (r *replay) access(s *framegraph.Step, d *framegraph.Declared, c int, made map[int]int) {
	res := &r.plan.Resources[d.Resource]
	k := &r.cells[d.Resource][c]
	want := r.expect[s.Pass][key{d.Resource, c}]
	if res.Origin == framegraph.Host {
		if k.content != want {
			r.wrong(s.Name, d.Resource, "it reads what %s wrote instead of %s", r.writer(k.content), r.writer(want))
		}
		return
	}
	r.owns(s.Name, d.Resource, k, res.IsBuffer && want == garbage)
	if res.IsImage && k.layout != d.Layout {
		r.wrong(s.Name, d.Resource, "%s in layout %d, but the image is in %d", d.Verb, d.Layout, k.layout)
	}
	if !d.Discards && want != garbage && k.content != want {
		r.wrong(s.Name, d.Resource, "%s finds what %s wrote instead of %s", d.Verb, r.writer(k.content), r.writer(want))
	}
	sameScope := d.Attachment && k.scope >= 0 && k.scope == s.Scope
	reads := d.Access &^ d.Access.Writes()
	if r.starts(s, d) {
		reads = 0
	}
	if reads != 0 && !k.everyone && !sameScope && !r.sees(k, d.Stage, reads) {
		r.wrong(s.Name, d.Resource, "%s of a write that was not made visible to it", d.Verb)
	}
	if d.Stage == 0 && !k.on(r.queue) {
		r.wrong(s.Name, d.Resource, "%s of a write that was not made available", d.Verb)
	}
	all, _ := r.work(d.Stage, made)
	if !d.Write {
		k.reads.or(all)
	}
}

// sees says whether the last write is visible to every stage and access of a read.
func (r *replay) sees(k *cell, stage framegraph.Stage, access framegraph.Access) bool {
	ok := true
	stageBits(stage, func(bit int) {
		left := access
		for _, v := range k.seen {
			if v.queue != r.queue {
				continue
			}
			if v.stage>>bit&1 == 1 || v.stage&framegraph.AllCommands != 0 {
				left &^= v.access
			}
		}
		ok = ok && left == 0
	})
	return ok
}

func (r *replay) write(s *framegraph.Step, d *framegraph.Declared, c int, made map[int]int) {
	k := &r.cells[d.Resource][c]
	all, before := r.work(d.Stage, made)
	sameScope := d.Attachment && k.scope >= 0 && k.scope == s.Scope
	if !sameScope {
		own := r.none() // what this very pass does is its own affair
		for _, n := range made {
			own.set(n)
		}
		own.or(before)
		r.claim(s.Name, d.Resource, k, own, nil)
	}
	stage, writes := d.Stage, d.Access.Writes()
	if k.content == s.Pass && k.write.within(r.own(made)) { // several writes of one pass add up
		all.or(k.write)
		stage |= k.writeStage
		writes |= k.writes
	}
	scope := -1
	if d.Attachment {
		scope = s.Scope
	}
	reads := r.own(made) // the pass's own reads may outlast its write
	for i := range reads {
		reads[i] &= k.reads[i]
	}
	*k = cell{owner: r.queue, layout: k.layout, content: s.Pass, write: all, writeStage: stage, writes: writes, scope: scope, reads: reads}
}

func (r *replay) own(made map[int]int) nodes {
	n := r.none()
	for _, i := range made {
		n.set(i)
	}
	return n
}

func (r *replay) writer(content int) string {
	switch content {
	case garbage:
		return "nobody"
	case arrived:
		return "what arrived"
	}
	return "\"" + r.plan.PassName(content) + "\""
}

// load checks a scope's load operations against the declarations, where it begins.
func (r *replay) load(s *framegraph.Step, list []framegraph.Declared) {
	if s.Scope < 0 || !s.ScopeBegin {
		return
	}
	for i := range list {
		d := &list[i]
		if !d.Attachment || d.Resolve {
			continue
		}
		a := r.attachment(s, d.Resource)
		switch {
		case a == nil:
			r.wrong(s.Name, d.Resource, "it is no attachment of the scope")
		case d.Clears != (a.Load == framegraph.LoadClear):
			r.wrong(s.Name, d.Resource, "it is cleared in the plan or in the declaration, not in both")
		case !d.Discards && a.Load != framegraph.LoadKeep && !d.Clears:
			r.each(d, func(c int) {
				if r.expect[s.Pass][key{d.Resource, c}] != garbage {
					r.wrong(s.Name, d.Resource, "its contents are wanted and not loaded")
				}
			})
		}
	}
}

// starts says whether an attachment is not loaded: then nothing of what it held is read (Vulkan 1.3 §8.1, load operations).
func (r *replay) starts(s *framegraph.Step, d *framegraph.Declared) bool {
	if !d.Attachment || d.Resolve || s.Scope < 0 {
		return false
	}
	a := r.attachment(s, d.Resource)
	return a != nil && a.Load != framegraph.LoadKeep
}

func (r *replay) attachment(s *framegraph.Step, resource int) *framegraph.Attachment {
	scope := &r.plan.Scopes[s.Scope]
	for i := range scope.Color {
		if scope.Color[i].Image == resource {
			return &scope.Color[i]
		}
	}
	if scope.Depth.Image == resource {
		return &scope.Depth
	}
	return nil
}

// store loses what a scope does not store.
func (r *replay) store(s *framegraph.Step) {
	for _, d := range r.plan.Declared(s.Pass, nil) {
		if d.Resolve {
			if a := r.attachment(s, d.ResolveOf); a == nil || !a.Resolve.On || a.Resolve.Image != d.Resource || a.Resolve.Mip != d.Mip || a.Resolve.Layer != d.Layer {
				r.wrong(s.Name, d.Resource, "it is not resolved to")
			}
		}
		if !d.Attachment || d.Resolve {
			continue
		}
		if a := r.attachment(s, d.Resource); a != nil && a.Store == framegraph.StoreDontCare {
			r.each(&d, func(c int) { r.cells[d.Resource][c].content = garbage })
		}
	}
}

// leave checks what imported resources are left in.
func (r *replay) leave() {
	for i := range r.plan.Resources {
		a := &r.plan.Resources[i]
		if a.Origin != framegraph.Imported {
			continue
		}
		for c := range r.cells[i] {
			k := &r.cells[i][c]
			if want := r.final[key{i, c}]; want != garbage && k.content != want {
				r.wrong("", i, "it leaves with what %s wrote instead of %s", r.writer(k.content), r.writer(want))
			}
			if a.Leave == (framegraph.State{}) {
				continue
			}
			if a.IsImage && a.Leave.Layout != framegraph.LayoutUndefined && k.layout != a.Leave.Layout {
				r.wrong("", i, "it leaves in layout %d instead of %d", k.layout, a.Leave.Layout)
			}
			if a.Leave.Stage != 0 && !k.everyone && !r.sees(k, a.Leave.Stage, a.Leave.Access&^a.Leave.Access.Writes()) {
				r.wrong("", i, "it leaves before its last write is visible")
			}
		}
	}
}
