package framegraph

import "slices"

// semaphores puts the edges between queues, and the releases of images, in the executor's terms.
func (e *entry) semaphores() {
	p := &e.plan
	p.FinalWaits = nil
	if !e.async {
		return
	}
	// A signal's value is its place among its queue's.
	var values [queueCount]uint64
	value := make([]uint64, e.slots())
	for _, x := range e.links {
		if x.signal >= 0 {
			value[x.signal] = 1
		}
	}
	e.waitList, e.signalList, e.released = slices.Grow(e.waitList[:0], len(e.links)), slices.Grow(e.signalList[:0], len(e.links)), slices.Grow(e.released[:0], len(e.release))
	for slot := range value {
		if value[slot] == 0 {
			continue
		}
		q := e.slotQueue[slot]
		values[q]++
		value[slot] = values[q]
		e.signalList = append(e.signalList, Semaphore{q, values[q], AllCommands})
		p.Steps[e.slotFirst[slot+1]-1].Signals = e.signalList[len(e.signalList)-1:]
	}
	for i := 0; i < len(e.links); {
		slot, first := e.links[i].slot, len(e.waitList)
		for ; i < len(e.links) && e.links[i].slot == slot; i++ {
			x := &e.links[i]
			w := Semaphore{x.queue, 0, AllCommands}
			if x.signal >= 0 {
				w.Value = value[x.signal]
			}
			e.waitList = append(e.waitList, w)
		}
		if int(slot) == e.slots() {
			p.FinalWaits = e.waitList[first:]
		} else {
			p.Steps[e.slotFirst[slot]].Waits = e.waitList[first:len(e.waitList):len(e.waitList)]
		}
	}
	slices.SortStableFunc(e.release, func(a, b release) int { return int(a.slot - b.slot) })
	for i := 0; i < len(e.release); {
		slot, first := e.release[i].slot, len(e.released)
		for ; i < len(e.release) && e.release[i].slot == slot; i++ {
			e.released = append(e.released, e.release[i].barrier)
		}
		p.Steps[e.slotFirst[slot+1]-1].After.Images = e.released[first:len(e.released):len(e.released)]
	}
}
