package framegraph

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// explainOrder says from when on a pass could run, and why others went first: the order is made once more, and asked at each step
// at which the pass was ready. It is the order before sinking, which explainSinking tells of.
func (e *entry) explainOrder(s *strings.Builder, pass int32) {
	r := e.reorder()
	sequence := slices.Clone(r.sequence)
	at := slices.Index(sequence, pass)
	from, last := 0, int32(-1) // it is ready from there on, behind the last of what it depends on
	need := func(p int32) {
		if i := slices.Index(sequence, p); i >= from {
			from, last = i+1, p
		}
	}
	for i := r.edgeStart[pass]; i < r.edgeStart[pass+1]; i++ {
		need(r.edges[i].from)
	}
	for i := range e.holds {
		if e.holds[i].pass == pass {
			need(e.holds[i].behind)
		}
	}
	ready := "from the start"
	if last >= 0 {
		ready = fmt.Sprintf("once %q has run", e.passes[last].name)
	}
	if from == at {
		fmt.Fprintf(s, "  ready %s, and taken at once\n", ready)
		return
	}
	fmt.Fprintf(s, "  ready %s; before it went\n", ready)
	var reasons []string
	who := map[string][]string{}
	for i := from; i < at; i++ {
		why := r.preferred(sequence[:i], sequence[i], pass)
		if len(who[why]) == 0 {
			reasons = append(reasons, why)
		}
		name := strconv.Quote(e.passes[sequence[i]].name)
		if e.position[sequence[i]] > e.position[pass] {
			name += " (since moved behind)"
		}
		who[why] = append(who[why], name)
	}
	const most = 6
	for i, why := range reasons {
		if i == most {
			left := 0
			for _, why := range reasons[most:] {
				left += len(who[why])
			}
			fmt.Fprintf(s, "    and %d more, for such reasons\n", left)
			break
		}
		fmt.Fprintf(s, "    %s: %s\n", listed(who[why]), why)
	}
}

// listed is some names in words.
func listed(names []string) string {
	const most = 4
	if n := len(names); n > most+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n-most)
	} else if n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}

// reorder makes the order of an entry's passes once more, in memory of its own.
func (e *entry) reorder() *entry {
	caps := e.key.caps()
	r := &entry{caps: &caps, work: &work{}}
	r.copyFrom(&e.declaration)
	r.validate()
	r.survey()
	r.cull()
	r.eligible()
	r.gather()
	if r.anyCut {
		r.cut()
	}
	if r.async {
		r.hasten()
	}
	r.linkOut()
	r.holds = slices.Clone(e.holds)
	if len(r.holds) > 0 {
		r.firstHold = unset(r.firstHold, len(r.passes))
		for i := range r.holds {
			r.firstHold[r.holds[i].behind] = int32(i)
		}
	}
	r.schedule()
	return r
}

// caps are capabilities of that key, as far as the order depends on them.
func (k *capsKey) caps() Caps {
	return Caps{Granularity: k.granularity, MaxColorAttachments: k.colors, MaxImageSize: k.size, MaxSamples: k.ms, SampleCounts: k.counts,
		AsyncCompute: k.compute, AsyncTransfer: k.copies, UnifiedLayouts: k.unified, Options: k.options}
}

// preferred says why a pass came next behind those of a sequence, though another one was ready as well.
func (e *entry) preferred(before []int32, chosen, other int32) string {
	n := e.rewind(before)
	if e.nodes[chosen].phase {
		return "phases run first"
	}
	if e.caps.Options.NoReorder {
		return "declared earlier, and reordering is off"
	}
	if i := slices.Index(e.ready, other); i >= lookahead {
		return fmt.Sprintf("declared earlier; of what is ready the first %d are weighed", lookahead)
	}
	if e.async && e.passQueue[chosen] != GraphicsQueue {
		if e.passQueue[other] != GraphicsQueue { // nothing else is weighed among these
			return "declared earlier, and both may leave the graphics queue"
		}
		return fmt.Sprintf("on the %s queue, which then has more to run beside", e.passQueue[chosen])
	}
	if n > 0 && e.score(chosen) == joinScore {
		scope := e.passes[before[n-1]].name
		if e.score(other) == joinScore { // nothing else is weighed between these
			return fmt.Sprintf("declared earlier, and both join the rendering scope of %q", scope)
		}
		return fmt.Sprintf("joins the rendering scope of %q", scope)
	}
	if e.async && e.hastens[chosen] && !e.hastens[other] {
		return "another queue waits for it"
	}
	if e.inputAge(chosen) > e.inputAge(other) {
		return fmt.Sprintf("waits for %s, this one for %s", e.waitOf(chosen), e.waitOf(other))
	}
	if a, b := e.transientsOver(chosen), e.transientsOver(other); a > b {
		return fmt.Sprintf("leaves %s fewer alive than this one would", count(a-b, "transient"))
	}
	return "declared earlier, and as good"
}

// waitOf is whom a pass waits for, were it next, and how long ago that ran.
func (e *entry) waitOf(p int32) string {
	at := e.nodes[p].inputAt
	if at < 0 {
		return "nothing of this frame"
	}
	return fmt.Sprintf("%q, %s before", e.passes[e.sequence[at]].name, count(len(e.sequence)-int(at), "step"))
}

// rewind brings what choosing reads to where it was behind some passes.
func (e *entry) rewind(sequence []int32) int {
	e.sequence = append(e.sequence[:0], sequence...)
	clear(e.begun)
	clear(e.ending)
	for bit, r := range e.transients {
		e.left[bit] = e.marks[r].users
	}
	for p := range e.nodes {
		e.nodes[p].inputAt, e.nodes[p].waits = -1-usefulDistance, e.edgeStart[p+1]-e.edgeStart[p]
	}
	for i := range e.holds {
		e.nodes[e.holds[i].pass].waits++
	}
	ran := make([]bool, len(e.passes))
	for at, p := range sequence {
		ran[p] = true
		for w := range e.begun {
			mask := e.masks[int(p)*e.words+w]
			e.begun[w] |= mask
			for ; mask != 0; mask &= mask - 1 {
				e.left[w<<6+bits.TrailingZeros64(mask)]--
			}
		}
		for i := e.nodes[p].out; i >= 0; i = e.edges[i].next {
			to := &e.nodes[e.edges[i].to]
			to.waits--
			if e.edges[i].kind == edgeContent && !e.nodes[p].phase {
				to.inputAt = int32(at)
			}
		}
		for i := e.heldBy(p); i >= 0; i = e.holds[i].next {
			e.nodes[e.holds[i].pass].waits--
		}
	}
	for bit := range e.transients {
		if e.left[bit] == 1 {
			e.ending[bit>>6] |= 1 << (bit & 63)
		}
	}
	e.ready = e.ready[:0]
	for p := range e.nodes {
		if e.kept[p] && !ran[p] && e.nodes[p].waits == 0 {
			e.ready = append(e.ready, int32(p))
		}
	}
	return len(sequence)
}

// inputAge is how many passes are between a pass, were it next, and the last that it needs, as far as that counts.
func (e *entry) inputAge(p int32) int {
	return min(usefulDistance, len(e.sequence)-int(e.nodes[p].inputAt)-1)
}

// transientsOver is how many lives of transients a pass ends, less those that it begins.
func (e *entry) transientsOver(p int32) (n int) {
	for w := range e.ending {
		mask := e.masks[int(p)*e.words+w]
		n += bits.OnesCount64(mask&e.ending[w]) - bits.OnesCount64(mask&^e.begun[w])
	}
	return n
}
