package framegraph

// Queues. A pass that asks for it by Async runs beside the graphics queue, where that gains anything. Between queues a
// semaphore orders everything and makes everything visible; an image that both use at different times also changes its
// queue family, released on one side and acquired on the other. What another queue touches shares no memory.
//
// Each queue keeps a clock (a vector clock): which slots of the other queues, and through them of its own, are known to be
// done. So a semaphore stands only where no earlier one orders the two already.

// queueWork is what the steps know of several queues; it is only filled where async is set.
type queueWork struct {
	beside  []bool               // by resource: a pass beside the graphics queue uses it
	early   []early              // by resource: how it is used before semaphores bring the frame before behind
	clock   [queueCount]timeline // now
	ended   [queueCount]timeline // each queue's clock when the frame before ended, in slots of this one
	clockAt []timeline           // by slot, once it has waited
	links   []queueEdge          // in the order of the waiting slots
	release []release
}

// early is accesses; what comes later needs no barrier that ended the frame before, but for a change of layout.
type early struct {
	stage  Stage
	access Access
}

// queueWork's edges are between slots, not passes.
type queueEdge struct {
	slot   int32 // that waits
	queue  Queue
	signal int32 // the slot that signals, −1 for the end of the frame before
}

type release struct {
	slot    int32
	barrier ImageBarrier
}

// timeline is the last slot of each queue that is done; −1 for the frame before, never for nothing.
type timeline [queueCount]int32

func (c *timeline) merge(o *timeline) {
	for q := range c {
		c[q] = max(c[q], o[q])
	}
}

// eligible finds the passes that may leave the graphics queue.
func (e *entry) eligible() {
	e.async = false
	if !e.caps.AsyncCompute && !e.caps.AsyncTransfer {
		return
	}
	e.passQueue = sized(e.passQueue, len(e.passes)) // zero is GraphicsQueue
	for p := range e.passes {
		d := &e.passes[p]
		if !d.async || !e.kept[p] {
			continue
		}
		q := ComputeQueue
		if d.kind == Transfer && e.caps.AsyncTransfer {
			q = TransferQueue
		}
		if q == ComputeQueue && !e.caps.AsyncCompute || !e.canLeave(d) {
			continue
		}
		e.passQueue[p] = q
		e.async = true
	}
}

// hasten finds what the passes that may leave the graphics queue wait for: the sooner that is done, the more is left to run
// beside them.
func (e *entry) hasten() {
	e.hastens = sized(e.hastens, len(e.passes))
	for p := len(e.passes) - 1; p >= 0; p-- {
		if !e.kept[p] || !e.hastens[p] && e.passQueue[p] == GraphicsQueue {
			continue
		}
		for i := e.edgeStart[p]; i < e.edgeStart[p+1]; i++ {
			e.hastens[e.edges[i].from] = true
		}
	}
}

func (e *entry) canLeave(d *passDecl) bool {
	for i := d.uses; i < d.usesEnd; i++ {
		u := &e.uses[i]
		r := &e.resources[u.res]
		if r.origin != Transient && r.origin != Host && !(r.origin == Imported && r.kind == bufferKind && r.shared) {
			return false
		}
		if u.verb == verbHostReadBuffer || u.verb == verbPresent {
			return false
		}
	}
	return true
}

// queues decides where each pass is submitted: to the graphics queue, unless it may leave and some graphics pass can run
// meanwhile.
func (e *entry) queues() {
	n := len(e.sequence)
	e.queueOf = sized(e.queueOf, n) // zero is GraphicsQueue
	if !e.async {
		return
	}
	e.async = false
	e.window(true)
	e.window(false)
	for at, p := range e.sequence {
		q := e.passQueue[p]
		if q == GraphicsQueue {
			continue
		}
		for between := e.lasts[p] + 1; between < e.begunAt[p]; between++ {
			if other := e.sequence[between]; e.passQueue[other] == GraphicsQueue && e.passes[other].kind != Phase {
				e.queueOf[at] = q
				e.async = true
				break
			}
		}
	}
	if !e.async {
		return
	}
	e.beside = sized(e.beside, len(e.resources))
	for at, p := range e.sequence {
		if e.queueOf[at] == GraphicsQueue {
			continue
		}
		for i := e.passes[p].uses; i < e.passes[p].usesEnd; i++ {
			e.beside[e.uses[i].res] = e.resources[e.uses[i].res].kind != hostKind
		}
	}
}

// window finds for each pass beside the graphics queue the last graphics pass before it that it depends on, in lasts, and
// the first behind it that depends on it, in begunAt.
func (e *entry) window(before bool) {
	n := len(e.sequence)
	if before {
		e.lasts = sized(e.lasts, max(len(e.passes), len(e.resources)))
		for _, p := range e.sequence {
			e.lasts[p] = -1
			for i := e.edgeStart[p]; i < e.edgeStart[p+1]; i++ {
				from := e.edges[i].from
				if e.passQueue[from] == GraphicsQueue {
					e.lasts[p] = max(e.lasts[p], e.position[from])
				} else {
					e.lasts[p] = max(e.lasts[p], e.lasts[from])
				}
			}
		}
		return
	}
	e.begunAt = filled(e.begunAt, len(e.passes), int32(n))
	for at := n - 1; at >= 0; at-- {
		p := e.sequence[at]
		for i := e.edgeStart[p]; i < e.edgeStart[p+1]; i++ {
			from := e.edges[i].from
			if e.passQueue[p] == GraphicsQueue {
				e.begunAt[from] = min(e.begunAt[from], int32(at))
			} else {
				e.begunAt[from] = min(e.begunAt[from], e.begunAt[p])
			}
		}
	}
}

// share finds the images that several queues read at once, in one layout: those cannot belong to one family. Buffers that
// several queues use are always shared, for that costs them nothing.
func (e *entry) share() {
	for r := range e.resources {
		if !e.beside[r] || e.resources[r].kind == hostKind {
			continue
		}
		p := &e.plan.Resources[r]
		for c := e.cellBase[r]; c < e.cellBase[r+1]; c++ {
			for i := e.cells[c].first; i >= 0; i = e.touches[i].next {
				t := &e.touches[i]
				if t.next < 0 {
					continue
				}
				n := &e.touches[t.next]
				if e.slotQueue[t.slot] != e.slotQueue[n.slot] && (p.IsBuffer || !t.write && !n.write && t.layout == n.layout) {
					p.Shared = true
				}
			}
		}
	}
}

func (e *entry) beginQueues() {
	e.links, e.release = e.links[:0], e.release[:0]
	if !e.async {
		return
	}
	e.early = sized(e.early, len(e.resources))
	e.clockAt = filled(e.clockAt, e.slots()+1, timeline{never, never, never})
	e.clock = e.ended
	// The frame before ended when the graphics queue had waited for the others.
	e.clock[GraphicsQueue] = timeline{e.ended[GraphicsQueue][GraphicsQueue], -1, -1}
}

// end notes how the frame ended, which is how the next begins.
func (e *entry) end() {
	for q := range e.clock {
		for p := range e.clock[q] {
			e.ended[q][p] = e.clock[q][p] - e.frame()
		}
	}
}

// meet makes a slot wait for what other queues did, where it depends on that.
func (e *entry) meet(slot int32) {
	q := e.slotQueue[slot]
	want := timeline{never, never, never}
	ask := func(p Queue, d int32) {
		if p != q && d > e.clock[q][p] {
			want[p] = max(want[p], d)
		}
	}
	for i := e.slotTouch[slot]; i < e.slotTouch[slot+1]; i++ {
		t := &e.touches[i]
		s := &e.states[t.cell]
		if !e.beside[t.res] {
			continue
		}
		if s.fresh {
			if q != GraphicsQueue && e.stillTouched(t.res, q) {
				ask(GraphicsQueue, -1)
			}
			continue
		}
		switch {
		case s.begun && s.writeSlot >= 0:
			ask(s.queue, s.writeSlot)
		case !s.everyone && q != GraphicsQueue:
			ask(GraphicsQueue, -1)
		}
		if t.write || e.resources[t.res].kind == imageKind && (s.layout != t.layout || s.queue != q && !e.plan.Resources[t.res].Shared) {
			for j := s.firstRead; j >= 0 && e.touches[j].slot < slot; j = e.touches[j].next {
				ask(e.slotQueue[e.touches[j].slot], e.touches[j].slot)
			}
		}
	}
	e.wait(slot, &want)
	e.clockAt[slot] = e.clock[q]
}

// stillTouched says whether another queue may still be at what it did in the frame before to a resource that no other shares memory
// with, as far as q knows.
func (e *entry) stillTouched(res int32, q Queue) bool {
	for c := e.cellBase[res]; c < e.cellBase[res+1]; c++ {
		for i := e.cells[c].first; i >= 0; i = e.touches[i].next {
			slot := e.touches[i].slot
			if p := e.slotQueue[slot]; p != q && slot-e.frame() > e.clock[q][p] {
				return true
			}
		}
	}
	return false
}

// wait adds the semaphores a slot needs: none for what another of them covers.
func (e *entry) wait(slot int32, want *timeline) {
	q := e.slotQueue[slot]
	for p := range want {
		if want[p] == never {
			continue
		}
		covered := false
		for o := range want {
			if o != p && want[o] != never && e.known(Queue(o), want[o])[p] >= want[p] {
				covered = true
			}
		}
		if covered {
			want[p] = never
		}
	}
	for p := range want {
		if want[p] != never {
			e.links = append(e.links, queueEdge{slot, Queue(p), want[p]})
			known := e.known(Queue(p), want[p])
			e.clock[q].merge(&known)
		}
	}
}

// known is what a signal of a queue behind a slot tells.
func (e *entry) known(q Queue, slot int32) timeline {
	if slot < 0 {
		return timeline{-1, -1, -1}
	}
	t := e.clockAt[slot]
	t[q] = slot
	return t
}

// join makes the graphics queue wait for all others, where the frame ends.
func (e *entry) join() {
	want := timeline{never, never, never}
	for slot := range int32(e.slots()) {
		if q := e.slotQueue[slot]; q != GraphicsQueue && slot > e.clock[GraphicsQueue][q] {
			want[q] = slot
		}
	}
	end := int32(e.slots())
	e.wait(end, &want)
	e.clockAt[end] = e.clock[GraphicsQueue]
}

// settle takes from a cell's state what semaphores have already brought behind the queue at hand.
func (e *entry) settle(s *cellState, q Queue) {
	if s.queue != q || e.clock[q][q] < s.writeSlot { // what arrives is of slot −1
		return
	}
	s.pending, s.everyone, s.arrived = false, true, 0
	if s.readSlot <= e.clock[q][q] {
		s.readStage = 0
	}
}

// cross prepares a cell that another queue wrote last. The semaphore has made its contents visible.
func (e *entry) cross(t *touch, s *cellState, image bool, slot int32) {
	q := e.slotQueue[slot]
	own := Stage(0) // reads of this queue since
	for i := s.firstRead; i >= 0 && e.touches[i].slot < slot; i = e.touches[i].next {
		if r := &e.touches[i]; e.slotQueue[r.slot] == q && r.slot > e.clock[q][q] {
			own |= r.stage
		}
	}
	shared := !image || e.plan.Resources[t.res].Shared
	if image && s.layout != t.layout || !shared {
		old := s.layout
		cause := Cause{s.use, t.use, OtherQueue}
		if t.fresh {
			e.imageBarrier(t, own|t.wideStage, 0, t.wideStage, t.wideAccess, LayoutUndefined, Cause{s.use, t.use, Discards})
		} else if shared {
			e.imageBarrier(t, own|t.wideStage, 0, t.wideStage, t.wideAccess, old, cause)
		} else {
			src, writes := s.readStage, Access(0)
			if s.pending {
				src, writes = src|s.writeStage, s.writes
			}
			if src == 0 {
				src = s.writeStage
			}
			e.imageBarrierBetween(t, t.wideStage, 0, t.wideStage, t.wideAccess, old, cause, s.queue, q)
			b := e.images[len(e.images)-1]
			b.SrcStage, b.SrcAccess, b.DstStage, b.DstAccess = src, writes, 0, 0
			if e.splits(t.res) {
				at := t.cell - e.cellBase[t.res]
				b.Mip, b.Mips = int(at%e.resources[t.res].mips), 1
			}
			e.release = append(e.release, release{s.lastSlot, b})
		}
		s.pending, s.everyone, s.queue = false, false, q
		s.seenStage, s.seenAccess = t.wideStage, t.wideAccess
		s.readStage, s.firstRead, s.arrived, s.cameStage, s.cameAccess = 0, -1, 0, 0, 0
		s.writeStage, s.writes, s.writeSlot = t.wideStage, 0, slot
		return
	}
	if t.write {
		e.behindReads(s.firstRead, t, WriteAfterRead)
	}
}

// beginBeside begins what another queue touches, and so has its memory alone: only its own last frame was there.
func (e *entry) beginBeside(t *touch, s *cellState, image bool) {
	q := e.slotQueue[t.slot]
	s.fresh, s.everyone, s.queue = false, true, q
	known := e.clock[q][q] >= -1 // the frame before is behind a semaphore
	src, writes, use, last := Stage(0), Access(0), int32(-1), Stage(0)
	for c := e.cellBase[t.res]; c < e.cellBase[t.res+1] && !known; c++ {
		for i := e.cells[c].first; i >= 0; i = e.touches[i].next {
			o := &e.touches[i]
			if e.slotQueue[o.slot] != q {
				continue
			}
			src |= o.stage
			use = o.use
			if i == e.cells[c].last && o.write && o.slot-e.frame() > e.clock[q][q] {
				writes |= o.access.Writes()
				last |= o.stage
			}
		}
	}
	if image {
		e.imageBarrier(t, src|t.wideStage, writes, t.wideStage, t.wideAccess, LayoutUndefined, Cause{use, t.use, Discards})
		return
	}
	if writes != 0 {
		e.bufferBarrier(t.res, last, writes, t.wideStage, t.wideAccess, Cause{use, t.use, MemoryUse})
		return
	}
	if known {
		return
	}
	for c := e.cellBase[t.res]; c < e.cellBase[t.res+1]; c++ {
		for i := e.cellTails[c].run; i >= 0; i = e.touches[i].next {
			if r := &e.touches[i]; e.slotQueue[r.slot] == q {
				e.wrapNeeds = append(e.wrapNeeds, wrap{need{from: r.stage, slot: r.slot - e.frame(), to: t.writes, cause: Cause{r.use, t.use, MemoryUse}}, t.slot})
				e.wrapFrames = max(e.wrapFrames, 1)
			}
		}
	}
}
