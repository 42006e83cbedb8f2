package framegraph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// explainSinking says how far a pass was moved, and for whose memory.
func (e *entry) explainSinking(s *strings.Builder, pass int32) {
	slot := e.slotOf[e.position[pass]]
	first := e.slotFirst[slot]
	i := slices.IndexFunc(e.moves, func(m move) bool { return m.pass == e.sequence[first] })
	if i < 0 {
		return
	}
	behind := slot - 1 // that was not moved itself
	for behind > 0 && slices.ContainsFunc(e.moves, func(m move) bool { return m.pass == e.sequence[e.slotFirst[behind]] }) {
		behind--
	}
	fmt.Fprintf(s, "  moved behind %q, %s later than it could run, from before %q", e.passes[e.sequence[e.slotFirst[behind+1]-1]].name,
		count(int(first-e.moves[i].from), "step"), e.passes[e.moves[i].before].name)
	if near, reader := e.firstReader(slot); reader >= 0 {
		fmt.Fprintf(s, "; %s between it and its first reader %q still hide the wait", count(int(near), "pass"), e.passes[reader].name)
	}
	s.WriteString("\n")
	for r := range e.plan.Resources {
		p := &e.plan.Resources[r]
		if p.Origin != Transient || p.First != int(first) || p.Last < int(e.slotFirst[slot+1]) {
			continue
		}
		fmt.Fprintf(s, "    so %q (%s) takes no memory before", p.Name, amount(p.Bytes))
		var owners []string
		for _, o := range slices.Compact(slices.Sorted(slices.Values(e.beforeOf(int32(r))))) {
			owners = append(owners, strconv.Quote(e.resources[o].name))
		}
		if len(owners) > 0 {
			fmt.Fprintf(s, ", and lies where %s lay", strings.Join(owners, " and "))
		}
		s.WriteString("\n")
	}
}

// firstReader is the first pass behind a slot that needs what the slot wrote, and how many passes are between.
func (e *entry) firstReader(slot int32) (between, reader int32) {
	reader = -1
	for at := e.slotFirst[slot+1]; at < int32(len(e.sequence)); at++ {
		p := e.sequence[at]
		for i := e.edgeStart[p]; i < e.edgeStart[p+1]; i++ {
			if x := &e.edges[i]; x.kind == edgeContent && e.slotOf[e.position[x.from]] == slot {
				return at - e.slotFirst[slot+1], p
			}
		}
	}
	return 0, reader
}

// count is a number of things in words.
func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
