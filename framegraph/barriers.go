package framegraph

// barred is what barriers decides. Batch s stands before slot s; the last one ends the frame.
type barred struct {
	memory  []MemoryBarrier
	buffers []BufferBarrier
	images  []ImageBarrier
	batches []batchStart // by slot, one for the end of the frame, and one past it
	causes  []moreCause  // of memory barriers that stand for several; the first is unused
}

type barrierWork struct {
	states     []cellState
	orders     []need
	wrapNeeds  []wrap // in the order of their slots
	wrapFrames int32  // how many frames back they reach
	done       [queueCount]ordering
	stages     stageRange // of all that orders of execution are between
	queueWork
	meltWork
	told int32 // slots whose barriers the ordering knows
}

type batchStart struct {
	barrierStart
	orders, sights int32 // what it needs
}

type barrierStart struct{ memory, buffers, images int32 }

// cellState is what has happened to a cell so far in the frame.
type cellState struct {
	layout   Layout
	queue    Queue // of the last write or change of layout
	begun    bool
	fresh    bool // a transient's first touch is still to come
	pending  bool // the last write has not been made available by a barrier
	everyone bool // what it holds is visible to every access
	once     bool // the last write is one event, not one of each stage: a change of layout, or it arrived

	lastSlot  int32 // of the last touch
	writeSlot int32
	readSlot  int32
	firstRead int32 // touch, −1 for none
	use       int32 // the last access, −1 before the frame's first

	writeStage Stage
	made       Stage // the part of writeStage that wrote
	writes     Access
	readStage  Stage // of reads since that write, or since the last change of layout
	arrived    Stage // reads before the frame that nothing has waited for
	seenStage  Stage // to what the last write was made visible
	seenAccess Access
	sawStage   Stage // where barriers melt: an access since that write that saw it
	sawAccess  Access
	cameStage  Stage // to what it was visible when it arrived
	cameAccess Access
}

// need is an order of execution alone: what stages did in slots up to slot must be done before stages of this one.
type need struct {
	from  Stage
	slot  int32
	to    Stage
	cause Cause
}

// barriers walks through the slots and keeps each cell's state. A barrier stands where a read would not see its write,
// where an image must change its layout, where a write would overtake a read or another write, and where memory changes
// its owner. Reads of the same layout share the barrier before the first of them. Orders of execution that other barriers
// already give are left out.
func (e *entry) barriers() {
	if e.stages = (stageRange{}); e.unified {
		e.findStages()
	}
	if e.async {
		for q := range e.ended {
			e.ended[q] = timeline{never, never, never}
		}
	}
	e.walk()
	if e.async {
		// Only what reaches over the frame's end depends on how the frame before ended.
		e.end()
		e.walk()
	}
	e.settleWraps()
}

func (e *entry) walk() {
	e.memory, e.buffers, e.images, e.batches = e.memory[:0], e.buffers[:0], e.images[:0], emptied(e.batches, e.slots()+2)
	e.orders, e.wrapNeeds = e.orders[:0], e.wrapNeeds[:0]
	e.beginMelting()
	e.wrapFrames = 0
	e.beginQueues()
	e.told = 0
	e.arrive()
	touches, states, at := e.touches, e.states, int32(0)
	for slot, next := range e.slotTouch[1 : e.slots()+1] {
		e.beginBatch()
		if e.async {
			e.meet(int32(slot))
		}
		for ; at < next; at++ {
			t := &touches[at]
			if s := &states[t.cell]; e.async {
				e.prepareAmong(t, s, at)
			} else {
				e.prepare(t, s, at, GraphicsQueue)
			}
		}
		e.endBatch(int32(slot))
	}
	e.beginBatch()
	if e.async {
		e.join()
	}
	e.leave()
	e.endBatch(int32(e.slots()))
	e.beginBatch()
}

// resetOrdering makes the ordering know nothing. It finds the stages where it is the first to want them.
func (e *entry) resetOrdering() {
	if e.stages.count == 0 {
		e.findStages()
	}
	for q := range e.done {
		e.done[q].reset(e.stages)
		if !e.async {
			break
		}
	}
}

// findStages finds the stages that the frame uses, and those that what comes from outside was used by.
func (e *entry) findStages() {
	all := Stage(0)
	for _, stages := range e.slotStages {
		all |= stages
	}
	for r := range e.plan.Resources {
		if e.marks[r].what&whatTransient != 0 {
			continue
		}
		all |= e.plan.Resources[r].Arrive.Stage | e.plan.Resources[r].Leave.Stage
	}
	e.stages = rangeOf(compact(all))
	if e.unified {
		e.beginNear()
	}
}
