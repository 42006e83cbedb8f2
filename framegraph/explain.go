package framegraph

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Explain says why about the passes and resources of that name: why a pass was culled or kept, why it stands at its
// place, each barrier before it with the two accesses it stands between and where they were declared, whether it joined a
// rendering scope, and what its loads and stores do; why a resource has its memory and who had it before. It is text for
// people; its wording may change. For an unknown name it lists the names there are.
func (p *Plan) Explain(name string) string {
	e := p.e
	var s strings.Builder
	for i := range e.passes {
		if e.passes[i].name == name {
			e.explainPass(&s, int32(i))
		}
	}
	for r := range e.resources {
		if e.resources[r].name == name {
			e.explainResource(&s, int32(r))
		}
	}
	if s.Len() == 0 {
		fmt.Fprintf(&s, "no pass or resource is called %q; there are\n", name)
		for i := range e.passes {
			fmt.Fprintf(&s, "  %s %s\n", e.passes[i].kind, e.passes[i].name)
		}
		for r := range e.resources {
			fmt.Fprintf(&s, "  resource %s\n", e.resources[r].name)
		}
	}
	return s.String()
}

func (e *entry) explainPass(s *strings.Builder, i int32) {
	d := &e.passes[i]
	fmt.Fprintf(s, "%s pass %q, declared at %s\n", d.kind, d.name, e.placeOf(e.passPC[i]))
	fmt.Fprintf(s, "  %s\n", e.why(i))
	at := e.position[i]
	if at < 0 {
		return
	}
	fmt.Fprintf(s, "  place %d of %d, after what it depends on:\n", at+1, len(e.sequence))
	for x := e.edgeStart[i]; x < e.edgeStart[i+1]; x++ {
		fmt.Fprintf(s, "    behind %q: %s\n", e.passes[e.edges[x].from].name, e.edgeText(&e.edges[x]))
	}
	for h := range e.holds {
		if w := &e.holds[h]; w.pass == i {
			fmt.Fprintf(s, "    behind %q, which then is done with %q, so that %q (%s) can have its memory; drawn in one rendering scope, their readers would need both at once\n",
				e.passes[w.behind].name, e.nameOf(w.done), e.nameOf(w.res), amount(e.plan.Resources[w.res].Bytes))
		}
	}
	if d.kind == Phase {
		return
	}
	e.explainOrder(s, i)
	e.explainSinking(s, i)
	e.explainQueue(s, i, at)
	e.explainScope(s, at)
	b := &e.plan.Steps[at].Before
	slot := e.slotOf[at]
	if first := e.slotFirst[slot]; first != at {
		fmt.Fprintf(s, "  its barriers stand before %q, where the scope begins\n", e.passes[e.sequence[first]].name)
		return
	}
	if b.Len() == 0 {
		s.WriteString("  no barriers before it: everything it sees was made ready earlier\n")
	}
	for _, line := range e.barrierLines(b) {
		fmt.Fprintf(s, "  %s\n", line)
	}
}

// why says why a pass was culled or kept, down to what is seen outside the frame.
func (e *entry) why(i int32) string {
	switch e.wanted[i].why {
	case cutUnwanted:
		return "culled: nothing that is presented, exported or kept for its side effects needs what it writes"
	case keptOption:
		return "kept only because culling is off"
	}
	var s strings.Builder
	s.WriteString("kept: ")
	who := "it"
	for hop := 0; ; hop++ {
		switch e.wanted[i].why {
		case keptPhase:
			s.WriteString("phases always run")
		case keptSide:
			s.WriteString(who + " has a side effect")
		case keptPresent:
			s.WriteString(who + " presents")
		case keptHost:
			s.WriteString("the host reads what " + who + " writes")
		case keptExport:
			s.WriteString(who + " is the last to write an imported resource")
		case keptHistory:
			s.WriteString("the next frame reads what " + who + " writes, as the last frame's value")
		case keptNeeded:
			w := &e.wanted[i]
			whose := "its"
			if hop > 0 {
				whose = "that one's"
			}
			who = strconv.Quote(e.passes[w.by].name)
			fmt.Fprintf(&s, "%s needs %s %q", who, whose, e.resources[e.uses[w.use].res].name)
			if hop < 32 {
				s.WriteString("; ")
				i = w.by
				continue
			}
		}
		return s.String()
	}
}

func (e *entry) explainScope(s *strings.Builder, at int32) {
	p := &e.plan.Steps[at]
	why, res := e.apart(at)
	switch why {
	case joinedScope:
		fmt.Fprintf(s, "  joined the rendering scope of %q: the same attachments, and nothing to wait for in between\n",
			e.passes[e.sequence[at-1]].name)
		return
	case apartNoAttachments:
		return
	case apartFirst:
		s.WriteString("  begins a rendering scope: the step before it draws into nothing\n")
	case apartAttachments:
		s.WriteString("  begins a rendering scope: the step before it has other attachments\n")
	case apartClears:
		fmt.Fprintf(s, "  begins a rendering scope: it clears or discards %q, which a scope does only where it begins\n", e.nameOf(res))
	case apartHazard:
		fmt.Fprintf(s, "  begins a rendering scope: %q needs a barrier behind the scope before\n", e.nameOf(res))
	case apartLayout:
		fmt.Fprintf(s, "  begins a rendering scope: it needs %q in another layout than the scope before\n", e.nameOf(res))
	case apartOption:
		s.WriteString("  begins a rendering scope: merging is off\n")
	}
	scope := &e.plan.Scopes[p.Scope]
	for i := range scope.Color {
		e.explainAttachment(s, &scope.Color[i])
	}
	if scope.Depth.Image >= 0 {
		e.explainAttachment(s, &scope.Depth)
	}
}

func (e *entry) explainAttachment(s *strings.Builder, a *Attachment) {
	r := &e.plan.Resources[a.Image]
	bytes := imageBytes(&r.Image, a.Mip, 1) * uint64(a.Layers)
	load := map[LoadKind]string{LoadKeep: "loaded", LoadClear: "cleared", LoadDontCare: "not loaded, for nobody wrote it or all of it is overwritten"}[a.Load]
	store := map[StoreKind]string{StoreKeep: "stored", StoreDontCare: "not stored, for nobody reads it", StoreNone: "not stored, for it is read-only"}[a.Store]
	saved := uint64(0)
	if a.Load != LoadKeep {
		saved += bytes
	}
	if a.Store != StoreKeep {
		saved += bytes
	}
	fmt.Fprintf(s, "    attachment %q is %s and %s", r.Name, load, store)
	if saved > 0 {
		fmt.Fprintf(s, "; that saves moving %s", amount(saved))
	}
	s.WriteString("\n")
}

func (e *entry) nameOf(res int32) string {
	if res < 0 {
		return "?"
	}
	return e.resources[res].name
}

func (e *entry) explainResource(s *strings.Builder, r int32) {
	p := &e.plan.Resources[r]
	fmt.Fprintf(s, "resource %q, declared at %s\n", p.Name, e.placeOf(e.resourcePC[r]))
	if p.Origin == Host {
		s.WriteString("  a CPU resource: it orders phases and passes, and has no memory here\n")
	} else if p.First < 0 {
		s.WriteString("  no kept pass uses it, so it has no memory\n")
		return
	} else {
		fmt.Fprintf(s, "  %s, lives from %q to %q\n", amount(p.Bytes), e.plan.Steps[p.First].Name, e.plan.Steps[p.Last].Name)
	}
	if p.Origin == Transient {
		fmt.Fprintf(s, "  heap %d at offset %d", p.Heap, p.Offset)
		owners := func(text string, list []int32) {
			list = slices.Compact(slices.Sorted(slices.Values(list)))
			for _, o := range list {
				if o != r {
					fmt.Fprintf(s, "; %s %q had it", text, e.resources[o].name)
				}
			}
		}
		owners("before it", e.beforeOf(int32(r)))
		owners("in the frame before", e.wrapsOf(int32(r)))
		if len(e.beforeOf(int32(r))) == 0 {
			s.WriteString("; nothing of this frame was in it before")
		}
		if e.stays(r) {
			s.WriteString("; it stays in the general layout from frame to frame")
		}
		s.WriteString("\n")
	}
	for at, pass := range e.sequence {
		d := &e.passes[pass]
		for i := d.uses; i < d.usesEnd; i++ {
			if u := &e.uses[i]; u.res == r {
				fmt.Fprintf(s, "  %d %s: %s at %s\n", at, d.name, u.verb, e.placeOf(e.usePC[i]))
			}
		}
	}
}

// barrierLines is one line for each barrier of a batch.
func (e *entry) barrierLines(b *Barriers) []string {
	var out []string
	for i := range b.Images {
		m := &b.Images[i]
		change := layoutName(m.NewLayout)
		if m.OldLayout != m.NewLayout {
			change = layoutName(m.OldLayout) + " → " + layoutName(m.NewLayout)
		}
		out = append(out, fmt.Sprintf("barrier on %q (%s, %s → %s): %s", e.nameOf(int32(m.Image)), change, StageName(m.SrcStage), StageName(m.DstStage), e.causeText(m.Cause)))
	}
	for i := range b.Buffers {
		m := &b.Buffers[i]
		out = append(out, fmt.Sprintf("barrier on %q (%s → %s): %s", e.nameOf(int32(m.Buffer)), StageName(m.SrcStage), StageName(m.DstStage), e.causeText(m.Cause)))
	}
	for i := range b.Memory {
		m := &b.Memory[i]
		out = append(out, fmt.Sprintf("barrier on memory (%s → %s): %s", StageName(m.SrcStage), StageName(m.DstStage), e.causeText(m.Cause)))
		for c := m.more; c != 0; c = e.causes[c].next {
			out = append(out, "  it also stands for "+e.causeText(e.causes[c].Cause))
		}
	}
	return out
}

func (h Hazard) String() string {
	return [...]string{"a read behind a write", "a write behind a read", "a write behind a write", "a change of layout", "first use, old contents discarded",
		"the memory changes its owner", "it arrives from outside", "it leaves in the state asked for", "another queue used it last"}[h]
}

func (e *entry) causeText(c Cause) string {
	from, to := "the frame's beginning", "the frame's end"
	if c.From >= 0 {
		from = e.useText(c.From)
	}
	if c.To >= 0 {
		to = e.useText(c.To)
	}
	return fmt.Sprintf("%s, between %s and %s", c.Why, from, to)
}

func (e *entry) useText(i int32) string {
	u := &e.uses[i]
	return fmt.Sprintf("%s of %q in %q (%s)", u.verb, e.resources[u.res].name, e.passes[u.pass].name, e.placeOf(e.usePC[i]))
}

func layoutName(l Layout) string {
	switch l {
	case LayoutUndefined:
		return "undefined"
	case LayoutGeneral:
		return "general"
	case LayoutTransferSrc:
		return "transfer source"
	case LayoutTransferDst:
		return "transfer destination"
	case LayoutReadOnly:
		return "read-only"
	case LayoutAttachment:
		return "attachment"
	case LayoutPresent:
		return "present"
	}
	return fmt.Sprintf("layout %d", l)
}

// StageName is the names of the stages in s, joined by "+"; "none" for none.
func StageName(s Stage) string {
	if s == 0 {
		return "none"
	}
	var out []string
	for ; s != 0; s &= s - 1 {
		bit := Stage(1) << bits.TrailingZeros64(uint64(s))
		name, ok := stageNames[bit]
		if !ok {
			name = fmt.Sprintf("%#x", uint64(bit))
		}
		out = append(out, name)
	}
	return strings.Join(out, "+")
}

var stageNames = map[Stage]string{DrawIndirect: "indirect", VertexShader: "vertex", TessControlShader: "tess-control",
	TessEvaluationShader: "tess-evaluation", GeometryShader: "geometry", FragmentShader: "fragment", EarlyFragmentTests: "early-depth",
	LateFragmentTests: "late-depth", ColorOutput: "colour", ComputeShader: "compute", AllTransfer: "transfer", HostStage: "host",
	AllCommands: "all", IndexInput: "index", VertexAttributeInput: "vertex-input"}
