package framegraph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// printed is the plan in the shape that `graph --json` has.
type printed struct {
	Passes    []printedPass     `json:"passes"`
	Resources []printedResource `json:"resources"`
	Totals    printedTotals     `json:"totals"`
}

type printedPass struct {
	Name     string           `json:"name"`
	Kind     string           `json:"kind"`
	Order    int              `json:"order"` // −1 where it was culled
	Culled   bool             `json:"culled"`
	Why      string           `json:"why"`
	Declared string           `json:"declared"` // file:line
	Reads    []string         `json:"reads"`
	Writes   []string         `json:"writes"`
	Barriers []printedBarrier `json:"barriers"`
	Queue    string           `json:"queue"` // "" for phases and what was culled
	Waits    []printedWait    `json:"waits"` // for other queues
	Scope    int              `json:"scope"`
	Merged   bool             `json:"merged"`
}

type printedBarrier struct {
	Resource string `json:"resource"` // "" for all memory
	Src      string `json:"src"`
	Dst      string `json:"dst"`
	Old      string `json:"old_layout,omitempty"`
	New      string `json:"new_layout,omitempty"`
	Why      string `json:"why"`
}

type printedResource struct {
	Name   string  `json:"name"`
	Origin string  `json:"origin"`
	Bytes  uint64  `json:"bytes"`
	First  int     `json:"first"` // −1 where it is not used
	Last   int     `json:"last"`
	Heap   *int    `json:"heap"` // null for what the plan gives no memory
	Offset *uint64 `json:"offset"`
}

type printedTotals struct {
	Passes         int    `json:"passes"`
	Phases         int    `json:"phases"`
	Culled         int    `json:"culled"`
	Barriers       int    `json:"barriers"`
	Batches        int    `json:"batches"`
	Scopes         int    `json:"scopes"`
	Merged         int    `json:"merged"`
	TransientBytes uint64 `json:"transient_bytes"`
	AliasedBytes   uint64 `json:"aliased_bytes"`
	LiveBytes      uint64 `json:"live_bytes"`
	LoadSaved      uint64 `json:"load_saved_bytes"`
	StoreSaved     uint64 `json:"store_saved_bytes"`
	NaiveBarriers  int    `json:"naive_barriers"`
	NaiveBatches   int    `json:"naive_batches"`
	NaiveBytes     uint64 `json:"naive_transient_bytes"`
}

// JSON writes the plan as one object: {"passes": […], "resources": […], "totals": {…}}. Kept steps come first, in order,
// then what was culled.
func (p *Plan) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(p.printed())
}

func (p *Plan) printed() *printed {
	e := p.e
	out := &printed{Passes: []printedPass{}, Resources: []printedResource{}}
	for at := range p.Steps {
		out.Passes = append(out.Passes, p.printedPass(e.sequence[at], at))
	}
	for i := range e.passes {
		if e.position[i] < 0 {
			out.Passes = append(out.Passes, p.printedPass(int32(i), -1))
		}
	}
	for i := range p.Resources {
		r := &p.Resources[i]
		x := printedResource{Name: r.Name, Origin: r.Origin.String(), Bytes: r.Bytes, First: r.First, Last: r.Last}
		if r.Heap >= 0 {
			x.Heap, x.Offset = &r.Heap, &r.Offset
		}
		out.Resources = append(out.Resources, x)
	}
	out.Totals = printedTotals(p.Totals)
	return out
}

func (e *entry) wholePlaceOf(pc uintptr) string {
	file, line := place(pc)
	return fmt.Sprintf("%s:%d", file, line)
}

func (p *Plan) printedPass(i int32, at int) printedPass {
	e := p.e
	d := &e.passes[i]
	x := printedPass{Name: d.name, Kind: d.kind.String(), Order: at, Culled: at < 0, Why: e.why(i), Declared: e.wholePlaceOf(e.passPC[i]),
		Reads: []string{}, Writes: []string{}, Barriers: []printedBarrier{}, Waits: []printedWait{}, Scope: -1}
	for u := d.uses; u < d.usesEnd; u++ {
		name := e.resources[e.uses[u].res].name
		if e.uses[u].write() {
			x.Writes = append(x.Writes, name)
		} else {
			x.Reads = append(x.Reads, name)
		}
	}
	if at < 0 {
		return x
	}
	s := &p.Steps[at]
	if s.Kind != Phase {
		x.Queue, x.Waits = s.Queue.String(), p.printedWaits(s.Waits)
	}
	x.Scope = s.Scope
	x.Merged = s.Scope >= 0 && !s.ScopeBegin
	for k := range s.Before.Images {
		m := &s.Before.Images[k]
		x.Barriers = append(x.Barriers, printedBarrier{p.Resources[m.Image].Name, StageName(m.SrcStage), StageName(m.DstStage),
			layoutName(m.OldLayout), layoutName(m.NewLayout), e.causeText(m.Cause)})
	}
	for k := range s.Before.Buffers {
		m := &s.Before.Buffers[k]
		x.Barriers = append(x.Barriers, printedBarrier{p.Resources[m.Buffer].Name, StageName(m.SrcStage), StageName(m.DstStage), "", "", e.causeText(m.Cause)})
	}
	for k := range s.Before.Memory {
		m := &s.Before.Memory[k]
		x.Barriers = append(x.Barriers, printedBarrier{"", StageName(m.SrcStage), StageName(m.DstStage), "", "", e.causeText(m.Cause)})
	}
	return x
}

// Text writes the plan as tables for people.
func (p *Plan) Text(w io.Writer) error {
	var buf bytes.Buffer
	x := p.printed()
	t := tabwriter.NewWriter(&buf, 0, 4, 2, ' ', 0)
	queue := func(string) string { return "" }
	if p.several() {
		queue = func(q string) string { return q + "\t" }
	}
	fmt.Fprintln(t, "order\tkind\t"+queue("queue")+"pass\tscope\tbarriers\treads\twrites")
	for i := range x.Passes {
		s := &x.Passes[i]
		order, scope := fmt.Sprint(s.Order), ""
		if s.Culled {
			order = "culled"
		}
		if s.Scope >= 0 {
			scope = fmt.Sprint(s.Scope)
			if s.Merged {
				scope += " joined"
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s%s\t%s\t%d\t%s\t%s\n", order, s.Kind, queue(s.Queue), s.Name, scope, len(s.Barriers), list(s.Reads), list(s.Writes))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(&buf)
	fmt.Fprintln(t, "resource\torigin\tsize\tfirst\tlast\theap\toffset")
	for i := range x.Resources {
		r := &x.Resources[i]
		size, heap, offset := "", "", ""
		if r.Origin != "cpu" {
			size = amount(r.Bytes)
		}
		if r.Heap != nil {
			heap, offset = fmt.Sprint(*r.Heap), fmt.Sprint(*r.Offset)
		}
		first, last := fmt.Sprint(r.First), fmt.Sprint(r.Last)
		if r.First < 0 {
			first, last = "unused", ""
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Name, r.Origin, size, first, last, heap, offset)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	o := &x.Totals
	fmt.Fprintf(&buf, "\n%d passes (%d culled), %d phases, %d rendering scopes (%d passes joined one), %d barriers in %d batches\n",
		o.Passes, o.Culled, o.Phases, o.Scopes, o.Merged, o.Barriers, o.Batches)
	buf.WriteString(p.queueLine())
	fmt.Fprintf(&buf, "%s of transients in %s of memory, %s of it alive at once; loads and stores left out: %s and %s\n",
		amount(o.TransientBytes), amount(o.AliasedBytes), amount(o.LiveBytes), amount(o.LoadSaved), amount(o.StoreSaved))
	fmt.Fprintf(&buf, "the naive plan, a full barrier before each pass on all it uses and no shared memory: %d barriers in %d batches, %s of transients\n",
		o.NaiveBarriers, o.NaiveBatches, amount(o.NaiveBytes))
	for line := range bytes.Lines(buf.Bytes()) { // the writer pads the last column too
		if _, err := w.Write(append(bytes.TrimRight(line, " \n"), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// amount is a size in bytes for people: 3.7 MB is 3,686,400 bytes.
func amount(bytes uint64) string {
	switch {
	case bytes < 1000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 999_950:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// list is the names, each once: a pass may read an image in several ways.
func list(names []string) string {
	var once []string
	for _, n := range names {
		if !slices.Contains(once, n) {
			once = append(once, n)
		}
	}
	return strings.Join(once, ", ")
}

// DOT writes the plan in Graphviz's language: passes as boxes in order, resources as ovals, culled passes dashed.
func (p *Plan) DOT(w io.Writer) error {
	var buf bytes.Buffer
	e := p.e
	fmt.Fprintln(&buf, "digraph frame {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];")
	for i := range e.passes {
		style, label := "", e.passes[i].name
		if at := e.position[i]; at >= 0 {
			label = fmt.Sprintf("%d %s", at, label)
		} else {
			style = ", style=dashed"
		}
		fmt.Fprintf(&buf, "  p%d [shape=box, label=%q%s];\n", i, label, style)
	}
	for r := range e.resources {
		fmt.Fprintf(&buf, "  r%d [shape=oval, label=%q];\n", r, e.resources[r].name)
	}
	for i := range e.uses {
		if u := &e.uses[i]; u.write() {
			fmt.Fprintf(&buf, "  p%d -> r%d;\n", u.pass, u.res)
		} else {
			fmt.Fprintf(&buf, "  r%d -> p%d;\n", u.res, u.pass)
		}
	}
	fmt.Fprintln(&buf, "}")
	_, err := w.Write(buf.Bytes())
	return err
}
