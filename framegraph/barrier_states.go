package framegraph

// arrive sets each cell to how the frame finds it.
func (e *entry) arrive() {
	e.states = sized(e.states, int(e.cellBase[len(e.resources)]))
	for r := range e.resources {
		first, end := e.cellBase[r], e.cellBase[r+1]
		s := &e.states[first]
		s.use, s.writeSlot, s.readSlot, s.firstRead = -1, -1, -1, -1
		if what := e.marks[r].what; what&(whatTransient|whatThis) != 0 {
			s.fresh = true
		} else if what&whatHost == 0 {
			e.arriveWith(s, r)
		}
		for c := first + 1; c < end; c++ {
			e.states[c] = *s
		}
	}
}

func (e *entry) arriveWith(s *cellState, r int) {
	arrive := &e.plan.Resources[r].Arrive
	switch {
	case arrive.Stage == 0 || *arrive == HostWritten:
		s.layout, s.everyone = arrive.Layout, true
	case arrive.Access.Writes() != 0:
		s.layout, s.pending = arrive.Layout, true
		s.writeStage, s.writes = arrive.Stage, arrive.Access.Writes()
		s.made, s.once = arrive.Stage, true
	default:
		s.layout, s.readStage, s.arrived = arrive.Layout, arrive.Stage, arrive.Stage
		s.cameStage, s.cameAccess = arrive.Stage, arrive.Access
	}
	if e.resources[r].origin == LastFrame && s.readStage != 0 {
		s.readStage |= e.tails[r].stage // the frame before read it, in this half or in the other
		if e.plan.Resources[r+1].Turns {
			s.readStage |= e.tails[r+1].stage
		}
	}
}

// prepare makes one cell ready for touch i, of a queue that also wrote it last.
func (e *entry) prepare(t *touch, s *cellState, i int32, q Queue) {
	switch {
	case s.fresh:
		e.begin(t, s)
	case s.layout != t.layout && e.isImage(t.res):
		e.transition(t, s, t.slot)
	case t.write:
		e.overwrite(t, s)
	default:
		e.see(t, s)
	}
	s.touched(t, i, q)
}

// prepareAmong is prepare where there are several.
func (e *entry) prepareAmong(t *touch, s *cellState, i int32) {
	q := e.slotQueue[t.slot]
	if !s.fresh {
		t.late = e.clock[q][q] >= -1
		if !t.late && s.writeSlot < 0 {
			e.early[t.res].stage |= t.stage
			e.early[t.res].access |= t.access
		}
		e.settle(s, q)
	}
	if image := e.isImage(t.res); !s.fresh && s.queue != q {
		e.cross(t, s, image, t.slot)
		s.touched(t, i, q)
		return
	}
	e.prepare(t, s, i, q)
}

func (e *entry) isImage(res int32) bool { return e.marks[res].what&whatImage != 0 }

// touched is what touch i leaves, of a queue.
func (s *cellState) touched(t *touch, i int32, q Queue) {
	s.use, s.lastSlot, s.begun, s.layout = t.use, t.slot, true, t.layout
	if t.write {
		s.queue, s.pending, s.everyone, s.once = q, true, false, false
		s.writeSlot, s.readSlot, s.firstRead = t.slot, -1, -1
		s.writeStage, s.made, s.writes = t.stage, t.writes, t.access.Writes()
		s.readStage, s.arrived, s.seenStage, s.seenAccess, s.sawStage, s.sawAccess, s.cameStage, s.cameAccess = 0, 0, 0, 0, 0, 0, 0, 0
		return
	}
	if s.queue == q {
		s.readStage |= t.stage
		s.readSlot = t.slot
	}
	if s.firstRead < 0 {
		s.firstRead = i
	}
}

// begin gives a transient its memory: whoever had it must be done, and what it holds is nobody's.
func (e *entry) begin(t *touch, s *cellState) {
	image := e.isImage(t.res)
	s.fresh, s.everyone = false, true
	if image && e.stays(t.res) {
		e.beginKept(t)
		return
	}
	if e.async && e.beside[t.res] {
		e.beginBeside(t, s, image)
		return
	}
	src, writes, from := Stage(0), Access(0), int32(-1)
	collect := func(owners []int32) {
		for _, o := range owners {
			src |= e.tails[o].stage
			writes |= e.tails[o].writes
			from = max(from, e.tails[o].use)
		}
	}
	before, wraps := e.beforeOf(t.res), e.wrapsOf(t.res)
	turns := e.plan.Resources[t.res].Turns
	if e.async && e.clock[e.slotQueue[t.slot]][e.slotQueue[t.slot]] >= -1 {
		wraps, turns, src = nil, false, t.wideStage // semaphores have brought the frames before behind
	}
	collect(before)
	collect(wraps)
	if turns {
		src |= e.tails[t.res].stage // reads of two frames ago, when it was this frame's half, too
	}
	if image {
		e.imageBarrier(t, src, writes, t.wideStage, t.wideAccess, LayoutUndefined, Cause{from, t.use, Discards})
		return
	}
	if last := e.cells[e.cellBase[t.res]].last; writes != 0 && e.async && e.touches[last].slot-e.frame() <= e.clock[GraphicsQueue][GraphicsQueue] {
		writes = 0 // semaphores have brought it behind
	}
	if writes != 0 {
		// A buffer shares no memory with what leaves writes that no barrier made available, so they are its own.
		o := &e.tails[t.res]
		if e.unified {
			e.wrapSight(t)
		} else {
			e.bufferBarrier(t.res, o.stage, o.writes, t.wideStage, t.wideAccess, Cause{o.use, t.use, MemoryUse})
		}
	}
	for _, o := range before {
		for c := e.cellBase[o]; c < e.cellBase[o+1]; c++ {
			if e.cells[c].first >= 0 {
				e.behindReads(e.cellTails[c].run, t, MemoryUse)
				if w := e.readsAsItWrites(c); w != nil {
					e.orders = append(e.orders, need{from: w.stage, slot: w.slot, to: t.writes, cause: Cause{w.use, t.use, MemoryUse}})
				}
			}
		}
	}
	for _, o := range wraps {
		e.behindFrame(o, 1, t)
	}
	if turns {
		e.behindFrame(t.res, 2, t)
	}
}

// behindFrame orders t's execution behind the last accesses to a resource some frames ago.
func (e *entry) behindFrame(owner, ago int32, t *touch) {
	for c := e.cellBase[owner]; c < e.cellBase[owner+1]; c++ {
		if e.cells[c].first < 0 || e.cellTails[c].writes != 0 && !e.unified {
			continue
		}
		e.behindTail(c, ago, t, t.writes)
	}
}

// behindTail orders t's execution, by the stages to, behind the last accesses to a cell some frames ago.
func (e *entry) behindTail(c, ago int32, t *touch, to Stage) {
	add := func(r *touch) {
		w := push(&e.wrapNeeds)
		w.from, w.slot, w.to, w.at = r.stage, r.slot-ago*e.frame(), to, t.slot
		w.cause.From, w.cause.To, w.cause.Why = r.use, t.use, MemoryUse
		e.wrapFrames = max(e.wrapFrames, ago)
	}
	if w := e.readsAsItWrites(c); w != nil {
		add(w)
	}
	for i := e.cellTails[c].run; i >= 0; i = e.touches[i].next {
		if r := &e.touches[i]; !e.outdone(r) {
			add(r)
		}
	}
}

// outdone says whether the next touch of the cell is by the same stages, or more: what is behind that is behind this one.
func (e *entry) outdone(t *touch) bool {
	if t.next < 0 || e.async {
		return false
	}
	return t.stage&^e.touches[t.next].stage == 0
}

// transition changes an image's layout, which counts as a write: after everything before, before everything after.
func (e *entry) transition(t *touch, s *cellState, slot int32) {
	src, writes := s.readStage, Access(0)
	why := LayoutChange
	if s.pending {
		src, writes = src|s.writeStage, s.writes
		why = ReadAfterWrite
		if t.write {
			why = WriteAfterWrite
		}
	}
	if e.unified {
		src |= s.writeStage // what the writing pass itself read need not be behind the reads since
	}
	if src == 0 {
		src = s.writeStage // behind a present, which no stage does
		if e.async {
			src |= t.wideStage // behind a semaphore
			if src == 0 {
				src = AllCommands
			}
		}
	}
	if !s.begun {
		why = Arrives
	}
	old := s.layout
	if t.fresh {
		old = LayoutUndefined
		if s.begun {
			why = Discards
		}
	}
	e.imageBarrier(t, src, writes, t.wideStage, t.wideAccess, old, Cause{s.use, t.use, why})
	s.pending, s.everyone, s.queue = false, false, e.slotQueue[slot]
	s.seenStage, s.seenAccess = t.wideStage, t.wideAccess
	s.sawStage, s.sawAccess = 0, 0
	s.readStage, s.firstRead, s.arrived = 0, -1, 0
	s.cameStage, s.cameAccess = 0, 0
	// The transition made the contents available: what follows only needs them made visible.
	s.writeStage, s.writes, s.writeSlot = t.wideStage, 0, slot
	if t.wideStage == 0 {
		s.writeStage = src
	}
	s.made, s.once = s.writeStage, true
}

// visible says whether what the cell holds is visible to all of some accesses.
func (s *cellState) visible(stage Stage, access Access) bool {
	both := s.seenStage & s.cameStage
	switch {
	case stage&^(s.seenStage|s.cameStage) != 0,
		stage&s.seenStage&^both != 0 && access&^s.seenAccess != 0,
		stage&s.cameStage&^both != 0 && access&^s.cameAccess != 0,
		stage&both != 0 && access&^(s.seenAccess|s.cameAccess) != 0:
		return false
	}
	return true
}

// see makes the last write visible to a read in the same layout.
func (e *entry) see(t *touch, s *cellState) {
	if e.unified && !s.everyone {
		e.seeMelted(t, s)
		return
	}
	if s.everyone || !s.pending && s.visible(t.stage, t.access) {
		return
	}
	src, writes := s.writeStage, s.writes
	if !s.pending {
		src |= s.readStage
	}
	why := ReadAfterWrite
	if !s.begun {
		why = Arrives
	}
	cause := Cause{s.use, t.use, why}
	if e.isImage(t.res) {
		e.imageBarrier(t, src, writes, t.wideStage, t.wideAccess, s.layout, cause)
	} else {
		e.bufferBarrier(t.res, src, writes, t.wideStage, t.wideAccess, cause)
	}
	s.pending = false
	s.seenStage, s.seenAccess = t.wideStage, t.wideAccess
}

// overwrite lets a write in the same layout come after the last write and the reads since.
func (e *entry) overwrite(t *touch, s *cellState) {
	if e.unified {
		e.overwriteMelted(t, s)
		return
	}
	reads := t.access &^ t.access.Writes()
	blind := reads == 0 || t.fresh || s.everyone || s.visible(t.reads, reads)
	switch {
	case s.pending, !blind:
		src, writes, why := s.writeStage|s.readStage, s.writes, WriteAfterWrite
		if !s.begun {
			why = Arrives
		}
		cause := Cause{s.use, t.use, why}
		if e.isImage(t.res) {
			e.imageBarrier(t, src, writes, t.stage, t.access, s.layout, cause)
		} else {
			e.bufferBarrier(t.res, src, writes, t.stage, t.access, cause)
		}
	case s.readStage != 0:
		if s.arrived != 0 {
			e.orders = append(e.orders, need{from: s.arrived, slot: -1, to: t.writes, cause: Cause{-1, t.use, WriteAfterRead}})
		}
		e.behindReads(s.firstRead, t, WriteAfterRead)
	}
}

// behindReads orders t's execution behind a run of reads that starts with a touch.
func (e *entry) behindReads(first int32, t *touch, why Hazard) {
	for i := first; i >= 0 && e.touches[i].slot < t.slot; i = e.touches[i].next {
		r := &e.touches[i]
		if e.outdone(r) && e.touches[r.next].slot < t.slot {
			continue
		}
		if e.async && (e.slotQueue[r.slot] != e.slotQueue[t.slot] || e.clock[e.slotQueue[t.slot]][e.slotQueue[r.slot]] >= r.slot) {
			continue // a semaphore orders them
		}
		o := push(&e.orders)
		o.from, o.slot, o.to = r.stage, r.slot, t.writes
		o.cause.From, o.cause.To, o.cause.Why = r.use, t.use, why
	}
}

// leave brings what outlives the frame into the states it must leave in.
func (e *entry) leave() {
	for r := range e.resources {
		if e.marks[r].what&(whatImported|whatLast|whatThis) == 0 {
			continue
		}
		d := &e.resources[r]
		arrive, leave := e.plan.Resources[r].Arrive, e.plan.Resources[r].Leave
		if leave == (State{}) {
			continue
		}
		for c := e.cellBase[r]; c < e.cellBase[r+1]; c++ {
			s := &e.states[c]
			t := touch{use: -1, cell: c, res: int32(r), slot: int32(e.slots()), next: -1, stage: leave.Stage, access: leave.Access,
				layout: leave.Layout, wideStage: leave.Stage, wideAccess: leave.Access, write: leave.Access.Writes() != 0, writes: leave.Stage}
			if d.kind == imageKind && t.layout == LayoutUndefined {
				t.layout = s.layout
			}
			if (!s.begun && leave == arrive) || (leave.Stage == 0 && s.layout == t.layout) {
				continue
			}
			image := d.kind == imageKind
			if s.fresh { // a part of a history that nobody wrote
				if image {
					e.begin(&t, s)
				}
				continue
			}
			from := len(e.images) + len(e.buffers)
			if e.async {
				e.settle(s, GraphicsQueue)
				if s.layout == t.layout && d.origin.history() {
					seen := e.early[r]
					if d.origin == ThisFrame {
						seen = e.early[r-1]
					}
					if seen.stage == 0 {
						continue
					}
					t.stage, t.access, t.wideStage, t.wideAccess = seen.stage, seen.access, seen.stage, seen.access
				}
			}
			if d.origin.history() && s.layout == t.layout && !s.pending && e.seesAll(int32(r), c, s) {
				continue
			}
			switch {
			case e.async && s.queue != GraphicsQueue:
				// the graphics queue waited for that
			case image && s.layout != t.layout:
				e.transition(&t, s, t.slot)
			case t.write:
				e.overwrite(&t, s)
			default:
				e.see(&t, s)
			}
			s.layout = t.layout
			if len(e.images)+len(e.buffers) > from {
				if image {
					e.images[len(e.images)-1].Cause.Why = Leaves
				} else {
					e.buffers[len(e.buffers)-1].Cause.Why = Leaves
				}
			}
		}
	}
}
