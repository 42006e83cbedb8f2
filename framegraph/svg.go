package framegraph

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// SVG draws the plan: the passes in the order they run, one row for each queue; the life of each resource below, with what
// each pass does to it; and the heaps, memory upwards and time to the right, so that a column shows what is alive at once
// and a row who shares memory. Each pass's and resource's group has the attribute data-name.
func (p *Plan) SVG(w io.Writer) error {
	var buf bytes.Buffer
	p.draw(&buf)
	_, err := w.Write(buf.Bytes())
	return err
}

// The picture's measures, in pixels.
const (
	svgLeft    = 190 // where the first step begins
	svgMinStep = 46
	svgRow     = 20
	svgHead    = 96 // the slanted names
	svgGap     = 34
	svgHeap    = 220 // the tallest heap
)

// The colours of kinds and origins; each is told by a legend, and by words where it matters.
var (
	kindColors   = [...]string{Phase: "#8d99ae", Graphics: "#3a7ca5", Compute: "#c8553d", Transfer: "#588157"}
	originColors = map[Origin]string{Transient: "#7fb2d6", Imported: "#e0a458", Host: "#b8bfcc", LastFrame: "#b59ad6", ThisFrame: "#9b72cf"}
)

type picture struct {
	*bytes.Buffer
	p     *Plan
	step  float64 // width of one
	y     float64
	width float64
}

func (p *Plan) draw(buf *bytes.Buffer) {
	steps := max(len(p.Steps), 1)
	d := &picture{Buffer: &bytes.Buffer{}, p: p}
	d.step = math.Max(svgMinStep, 700/float64(steps))
	d.width = svgLeft + d.step*float64(steps) + 60
	d.timeline()
	d.lives()
	d.heaps()
	d.legend()
	fmt.Fprintf(buf, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="system-ui, sans-serif" font-size="12">`+"\n",
		d.width, d.y, d.width, d.y)
	buf.WriteString("<style>.at{cursor:pointer}.at:hover rect,.at:hover circle{stroke:#000;stroke-width:1.5}text{fill:#1b1f24}.dim{fill:#59636e}.on{fill:#fff}.at.chosen rect{stroke:#000;stroke-width:2.5}</style>\n")
	fmt.Fprintf(buf, `<rect width="%.0f" height="%.0f" fill="#fff"/>`+"\n", d.width, d.y)
	buf.Write(d.Bytes())
	buf.WriteString("</svg>\n")
}

// x is where a step begins.
func (d *picture) x(step int) float64 { return svgLeft + d.step*float64(step) }

func (d *picture) text(x, y float64, class, s string) {
	fmt.Fprintf(d, `<text x="%.1f" y="%.1f" class="%s">%s</text>`+"\n", x, y, class, html.EscapeString(s))
}

// group begins what belongs to one pass or resource; end ends it.
func (d *picture) group(name, title string) {
	fmt.Fprintf(d, `<g class="at" data-name="%s"><title>%s</title>`+"\n", html.EscapeString(name), html.EscapeString(title))
}

func (d *picture) end() { d.WriteString("</g>\n") }

func (d *picture) rect(x, y, w, h float64, color string) {
	fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3" fill="%s"/>`+"\n", x, y, w, h, color)
}

func (d *picture) timeline() {
	p := d.p
	t := &p.Totals
	d.text(12, 22, "", fmt.Sprintf("%d passes, %d culled, %d barriers in %d batches, %s of transients in %s", t.Passes, t.Culled, t.Barriers, t.Batches,
		amount(t.TransientBytes), amount(t.AliasedBytes)))
	d.y = 30 + svgHead
	for i := range p.Steps {
		fmt.Fprintf(d, `<text transform="translate(%.1f %.1f) rotate(-38)">%s</text>`+"\n", d.x(i)+d.step/2-4, d.y-6, html.EscapeString(p.Steps[i].Name))
	}
	for _, lane := range d.lanes() {
		d.text(12, d.y+14, "dim", lane.name)
		for i := range p.Steps {
			s := &p.Steps[i]
			if lane.phases != (s.Kind == Phase) || !lane.phases && s.Queue != lane.queue {
				continue
			}
			x, w := d.x(i)+3, d.step-6
			if s.Scope >= 0 && !s.ScopeBegin { // drawn in one with the step before
				x, w = x-6, w+6
			}
			d.group(s.Name, fmt.Sprintf("%s: %s, %d barriers before it", s.Name, s.Kind, s.Before.Len()))
			d.rect(x, d.y, w, svgRow, kindColors[s.Kind])
			d.text(x+6, d.y+14, "on", fmt.Sprint(i))
			d.end()
			if n := s.Before.Len(); n > 0 {
				fmt.Fprintf(d, `<path d="M%.1f %.1fv%d" stroke="#d1242f" stroke-width="2"/>`+"\n", d.x(i), d.y-2, svgRow+4)
				d.text(d.x(i)-3-7*float64(len(fmt.Sprint(n))), d.y+svgRow+11, "dim", fmt.Sprint(n))
			}
		}
		d.y += svgRow + svgGap/2
	}
	for i := range p.Steps { // semaphores
		for _, wait := range p.Steps[i].Waits {
			if from := d.signal(wait); from >= 0 {
				fmt.Fprintf(d, `<path d="M%.1f %.1fL%.1f %.1f" stroke="#8250df" stroke-width="1.5" stroke-dasharray="4 3"/>`+"\n",
					d.x(from)+d.step-3, d.laneY(from), d.x(i)+3, d.laneY(i))
			}
		}
	}
	d.y += svgGap / 2
}

type lane struct {
	name   string
	queue  Queue
	phases bool
}

func (d *picture) lanes() []lane {
	var seen [4]bool
	for i := range d.p.Steps {
		if s := &d.p.Steps[i]; s.Kind == Phase {
			seen[3] = true
		} else {
			seen[s.Queue] = true
		}
	}
	var out []lane
	for i, l := range []lane{{"processor", 0, true}, {"graphics queue", GraphicsQueue, false}, {"compute queue", ComputeQueue, false}, {"transfer queue", TransferQueue, false}} {
		if seen[(i+3)%4] {
			out = append(out, l)
		}
	}
	return out
}

// laneY is the middle of a step's row.
func (d *picture) laneY(step int) float64 {
	y := 30.0 + svgHead
	for _, l := range d.lanes() {
		if s := &d.p.Steps[step]; l.phases == (s.Kind == Phase) && (l.phases || l.queue == s.Queue) {
			break
		}
		y += svgRow + svgGap/2
	}
	return y + svgRow/2
}

// signal is the step that signals what a wait waits for, −1 where that is the frame before.
func (d *picture) signal(wait Semaphore) int {
	for i := range d.p.Steps {
		for _, s := range d.p.Steps[i].Signals {
			if s.Queue == wait.Queue && s.Value == wait.Value {
				return i
			}
		}
	}
	return -1
}

func (d *picture) lives() {
	p, e := d.p, d.p.e
	d.text(12, d.y, "dim", "lives of resources: ● written  ○ read")
	d.y += 10
	for r := range p.Resources {
		res := &p.Resources[r]
		d.group(res.Name, fmt.Sprintf("%s: %s, %s", res.Name, res.Origin, amount(res.Bytes)))
		label := res.Name
		if res.Origin.history() {
			label += ", " + res.Origin.String()
		}
		d.text(12, d.y+14, "", shorten(label, 27))
		if res.First >= 0 {
			d.rect(d.x(res.First)+3, d.y+2, d.step*float64(res.Last-res.First+1)-6, svgRow-4, originColors[res.Origin])
		} else {
			d.text(svgLeft, d.y+14, "dim", "not used by any kept pass")
		}
		for at, pass := range e.sequence {
			write, read := false, false
			for i := e.passes[pass].uses; i < e.passes[pass].usesEnd; i++ {
				if e.uses[i].res == int32(r) {
					write, read = write || e.uses[i].write(), read || !e.uses[i].write()
				}
			}
			fill := "none"
			if write {
				fill = "#1b1f24"
			}
			if write || read {
				fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s" stroke="#1b1f24" stroke-width="1.5"/>`+"\n", d.x(at)+d.step/2, d.y+svgRow/2, fill)
			}
		}
		d.end()
		d.y += svgRow
	}
	d.y += svgGap
}

func (d *picture) heaps() {
	p := d.p
	largest := uint64(1)
	for i := range p.Heaps {
		largest = max(largest, p.Heaps[i].Bytes)
	}
	for h := range p.Heaps {
		heap := &p.Heaps[h]
		height := math.Max(float64(heap.Bytes)/float64(largest)*svgHeap, 24)
		d.text(12, d.y, "dim", fmt.Sprintf("heap %d: %s of memory types %#x", h, amount(heap.Bytes), heap.Types))
		d.y += 8
		fmt.Fprintf(d, `<rect x="%d" y="%.1f" width="%.1f" height="%.1f" fill="#f3f4f6" stroke="#c9d1d9"/>`+"\n", svgLeft, d.y, d.step*float64(len(p.Steps)), height)
		for r := range p.Resources {
			res := &p.Resources[r]
			if res.Heap != h || heap.Bytes == 0 {
				continue
			}
			scale := height / float64(heap.Bytes)
			top := d.y + height - float64(res.Offset+res.Bytes)*scale
			tall := math.Max(float64(res.Bytes)*scale, 1)
			w := d.step*float64(res.Last-res.First+1) - 2
			d.group(res.Name, fmt.Sprintf("%s: %s at %d", res.Name, amount(res.Bytes), res.Offset))
			fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" stroke="#fff"/>`+"\n", d.x(res.First)+1, top, w, tall, originColors[Transient])
			if tall >= 13 {
				d.text(d.x(res.First)+6, top+tall/2+4, "", shorten(res.Name+" "+amount(res.Bytes), int(w/6.6)))
			}
			d.end()
		}
		d.text(12, d.y+height, "dim", "0")
		d.text(12, d.y+10, "dim", amount(heap.Bytes))
		d.y += height + svgGap
	}
}

func (d *picture) legend() {
	x := 12.0
	for k, c := range kindColors {
		d.rect(x, d.y-11, 14, 14, c)
		d.text(x+20, d.y, "dim", Kind(k).String())
		x += 92
	}
	for o := Transient; o <= ThisFrame; o++ {
		d.rect(x, d.y-11, 14, 14, originColors[o])
		d.text(x+20, d.y, "dim", o.String())
		x += 92
	}
	fmt.Fprintf(d, `<path d="M%.1f %.1fv16" stroke="#d1242f" stroke-width="2"/>`+"\n", x+4, d.y-12)
	d.text(x+12, d.y, "dim", "barriers")
	d.width = math.Max(d.width, x+90)
	d.y += 16
}

// shorten cuts s to n letters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:max(n-1, 0)]) + "…"
	}
	return s
}

// HTML writes one page that needs nothing else: the picture that SVG draws, and the explanation of what is clicked.
func (p *Plan) HTML(w io.Writer) error {
	var buf bytes.Buffer
	buf.WriteString(pageHead)
	p.draw(&buf)
	buf.WriteString(`</div><div id="side"><div id="list"></div><div id="why"><div style="--in:0">Click a pass or a resource, in the picture or above, and read why it is as it is.</div></div></div></main>` + "\n")
	seen := map[string]bool{}
	tell := func(kind, name string) {
		if !seen[name] {
			seen[name] = true
			fmt.Fprintf(&buf, `<template data-kind="%s" data-name="%s">%s</template>`+"\n", kind, html.EscapeString(name), html.EscapeString(p.Explain(name)))
		}
	}
	for i := range p.Steps {
		tell(p.Steps[i].Kind.String(), p.Steps[i].Name)
	}
	for i := range p.e.passes {
		if p.e.position[i] < 0 {
			tell("culled", p.e.passes[i].name)
		}
	}
	for i := range p.Resources {
		tell("resource", p.Resources[i].Name)
	}
	var text strings.Builder
	if err := p.Text(&text); err != nil {
		return err
	}
	fmt.Fprintf(&buf, "<details><summary>The plan as text</summary><pre>%s</pre></details>\n", html.EscapeString(text.String()))
	buf.WriteString(pageScript)
	_, err := w.Write(buf.Bytes())
	return err
}

const pageHead = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Frame graph</title>
<style>
body{margin:0;height:100vh;display:flex;flex-direction:column;font:14px/1.45 system-ui,sans-serif;color:#1b1f24;background:#fff}
main{display:flex;flex:1;min-height:0}
#picture{flex:3;overflow:auto;padding:8px}
#picture svg{width:100%;max-width:1400px;height:auto;min-width:760px}
#side{flex:1.2;min-width:360px;max-width:640px;border-left:1px solid #c9d1d9;display:flex;flex-direction:column}
#list{overflow:auto;max-height:42%;border-bottom:1px solid #c9d1d9;padding:10px 12px;background:#f6f8fa}
h2{font-size:12px;font-weight:600;color:#59636e;margin:6px 2px 2px}
button{font:inherit;color:inherit;border:1px solid #c9d1d9;border-radius:4px;background:#fff;margin:2px;padding:0 7px;cursor:pointer}
button:hover,button:focus-visible{border-color:#1b1f24}
button.culled{text-decoration:line-through;color:#59636e}
button.chosen{background:#1b1f24;border-color:#1b1f24;color:#fff}
#why{overflow:auto;flex:1;padding:12px 16px}
#why div{padding-left:calc(14px*(var(--in) + 1));text-indent:-14px;margin-bottom:4px}
#why div.first{font-weight:600;margin-bottom:8px}
#why a{color:#0550ae;text-decoration:none;cursor:pointer}
#why a:hover{text-decoration:underline}
#why code{font:12px ui-monospace,monospace;color:#59636e}
details{border-top:1px solid #c9d1d9;max-height:50vh;overflow:auto}
summary{padding:8px 16px;cursor:pointer}
pre{margin:0;padding:0 16px 12px;font:12px ui-monospace,monospace}
</style></head><body><main><div id="picture">
`

const pageScript = `<script>
const why = document.getElementById("why"), list = document.getElementById("list");
const told = new Map([...document.querySelectorAll("template")].map(t => [t.dataset.name, t]));
// A line's names are links, and a place is its file's name; the whole path is its title.
function line(text) {
  const d = document.createElement("div");
  d.style.setProperty("--in", text.search(/\S|$/) / 2);
  for (const part of text.trim().split(/("[^"]*"|(?:[A-Za-z]:)?[^\s(]*[/\\][^\s(]*\.go:\d+)/)) {
    const name = part.slice(1, -1);
    let x = document.createTextNode(part);
    if (part[0] === '"' && told.has(name)) {
      x = document.createElement("a");
      x.textContent = name;
      x.dataset.name = name;
    } else if (/\.go:\d+$/.test(part)) {
      x = document.createElement("code");
      x.textContent = part.split(/[/\\]/).pop();
      x.title = part;
    }
    d.append(x);
  }
  return d;
}
function show(name) {
  const t = told.get(name);
  if (!t) return;
  why.replaceChildren(...t.content.textContent.split("\n").filter(l => l.trim()).map(line));
  why.firstChild.className = "first";
  why.scrollTop = 0;
  document.querySelectorAll(".chosen").forEach(x => x.classList.remove("chosen"));
  document.querySelectorAll("g[data-name],button").forEach(x => { if (x.dataset.name === name) x.classList.add("chosen"); });
  history.replaceState(null, "", "#" + encodeURIComponent(name));
}
for (const [title, is] of [["Phases and passes", k => k !== "resource"], ["Resources", k => k === "resource"]]) {
  const h = document.createElement("h2");
  h.textContent = title;
  list.append(h);
  for (const [name, t] of told) {
    if (!is(t.dataset.kind)) continue;
    const b = document.createElement("button");
    b.textContent = name;
    b.dataset.name = name;
    b.className = t.dataset.kind;
    b.title = t.dataset.kind;
    list.append(b);
  }
}
document.addEventListener("click", e => { const x = e.target.closest("[data-name]"); if (x) show(x.dataset.name); });
if (location.hash) show(decodeURIComponent(location.hash.slice(1)));
</script></body></html>
`
