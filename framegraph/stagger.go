package framegraph

// Staggering. Neighbours that draw into the same attachments join in one rendering scope: the light of several lamps, say. But all
// that any of them reads must be ready before the scope begins. Where each reads an image that was drawn for it alone, as a lamp's
// shadow map is, all those images are alive at once. One pass after the other, each right behind its own image, needs memory
// for the largest alone, which they have in turns; the price is a rendering scope each.

// staggerShare says what staggering must free to be worth its price: one in so many of all transients' bytes, counted against
// the pass of a row that needs the most by itself. What others need is seen once the order is made.
const staggerShare = 8

// staggered is what stagger decides.
type staggered struct {
	holds []hold
}

// hold lets a pass wait that draws an image for another one alone, until that one's predecessor is done with its own.
type hold struct {
	pass, behind int32
	res, done    int32 // the image, and the predecessor's
	next         int32 // of those behind the same pass, −1 for none
}

type staggerWork struct {
	alone                 []alone
	aloneOf               []int32 // by pass: the image that it reads, −1 for none
	mostNeeded, allNeeded uint64  // bytes of transients: the most that a pass needs by itself, and of all
	together              uint64  // the most that a staggered row would need in one scope
	firstHold             []int32 // by pass: of those behind it, where there are any holds; −1 for none
}

// alone is an image that a pass draws for one other pass.
type alone struct {
	by, reader, res int32
	needs           uint64 // bytes of the transients that the reader needs
	after           int32  // the one before it in its row, −1 for the first
	followed        bool
}

// stagger looks for rows of passes, each of which reads what the one before it drew and could join its scope, and each of which
// reads an image drawn for it alone. Where memory is not shared there is nothing to gain, nor where scopes do not join; where
// several queues run, early work is what they run beside.
func (e *entry) stagger() {
	e.holds = e.holds[:0]
	if o := &e.caps.Options; !e.measured || e.staysUp || o.NoReorder || o.NoAlias || o.NoMerge {
		return
	}
	if !e.findRows() {
		return
	}
	e.weighNeeds()
	e.together = 0
	for last := range e.alone {
		if e.alone[last].followed {
			continue
		}
		together := e.alone[last].needs // what the row needs in one scope
		for i := e.alone[last].after; i >= 0; i = e.alone[i].after {
			together += e.needs[e.alone[i].res].Bytes
		}
		if together <= e.mostNeeded || (together-e.mostNeeded)*staggerShare < e.allNeeded {
			continue
		}
		e.together = max(e.together, together)
		if len(e.holds) == 0 {
			e.firstHold = unset(e.firstHold, len(e.passes))
		}
		for i := int32(last); e.alone[i].after >= 0; i = e.alone[i].after {
			a := &e.alone[i]
			before := &e.alone[a.after]
			behind := before.reader
			e.holds = append(e.holds, hold{a.by, behind, a.res, before.res, e.firstHold[behind]})
			e.firstHold[behind] = int32(len(e.holds) - 1)
		}
	}
}

// remake makes the order, the scopes and the sinking again with other holds.
func (e *entry) remake(holds []hold) {
	e.holds = holds
	e.schedule()
	e.scopes()
	e.sink()
}

// wouldFree says whether the order at hand, without holds, has so much more alive at once than the staggered one, whose peak is
// given, that this is worth its price: what else is alive makes the one larger too.
func (e *entry) wouldFree(peak uint64) bool {
	if !e.weighed {
		e.beginSinking()
	}
	return e.peak > peak && (e.peak-peak)*staggerShare >= e.allNeeded
}

// inVain says whether staggering seems not to free what it is worth, for what else is alive meanwhile: then the order is made
// again, without, and compared.
func (e *entry) inVain() bool {
	return len(e.holds) > 0 && (e.peak >= e.together || (e.together-e.peak)*staggerShare < e.allNeeded)
}

// heldBy is the first hold behind a pass, −1 for none.
func (e *entry) heldBy(p int32) int32 {
	if len(e.holds) == 0 {
		return -1
	}
	return e.firstHold[p]
}

// findRows finds the images that are drawn for one pass, one a pass, and says whether any are in a row.
func (e *entry) findRows() bool {
	e.alone = e.alone[:0]
	for _, r := range e.transients {
		if e.marks[r].users != 2 {
			continue
		}
		by, reader := e.marks[r].first, e.marks[r].last
		if !e.onlyFor(by, reader) || !e.onlyReads(reader, r) {
			continue
		}
		if len(e.alone) == 0 {
			e.aloneOf = unset(e.aloneOf, len(e.passes))
		}
		if e.aloneOf[reader] < 0 {
			e.aloneOf[reader] = int32(len(e.alone))
			e.alone = append(e.alone, alone{by: by, reader: reader, res: r})
		}
	}
	if len(e.alone) < 2 {
		return false
	}
	rows := false
	for i := range e.alone {
		a := &e.alone[i]
		a.after = e.rowBefore(a.reader)
		rows = rows || a.after >= 0
	}
	return rows
}

// onlyReads says whether a pass samples or reads a resource, no more.
func (e *entry) onlyReads(p, r int32) bool {
	acts := e.actsOf(p)
	for i := range acts {
		if acts[i].res == r && acts[i].is&(actAttaches|actWrites) != 0 {
			return false
		}
	}
	return true
}

// weighNeeds sums the transients that the pass of each row needs, and all.
func (e *entry) weighNeeds() {
	e.mostNeeded, e.allNeeded = 0, 0
	for _, r := range e.transients {
		e.allNeeded += e.needs[r].Bytes
	}
	for i := range e.alone {
		a := &e.alone[i]
		a.needs = 0
		if a.after < 0 && !a.followed {
			continue
		}
		for w, mask := range e.masks[int(a.reader)*e.words : int(a.reader+1)*e.words] {
			a.needs += e.bytesOf(w, mask)
		}
		e.mostNeeded = max(e.mostNeeded, a.needs)
	}
}

// onlyFor says whether nothing but one pass comes behind another.
func (e *entry) onlyFor(p, reader int32) bool {
	for i := e.nodes[p].out; i >= 0; i = e.edges[i].next {
		if e.edges[i].to != reader {
			return false
		}
	}
	return true
}

// rowBefore is the image alone of the pass that another one sees the drawing of, and could join the scope of; −1 for none.
func (e *entry) rowBefore(p int32) int32 {
	for i := e.edgeStart[p]; i < e.edgeStart[p+1]; i++ {
		x := &e.edges[i]
		if at := e.aloneOf[x.from]; at >= 0 && x.kind == edgeContent && !e.alone[at].followed && e.mayAttachSame(x.from, p) && e.sameAttachments(x.from, p) {
			e.alone[at].followed = true
			return at
		}
	}
	return -1
}
