package framegraph_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
)

// Explain names the very lines of the declarations.
func TestExplainNamesLines(t *testing.T) {
	g := fg.New()
	_, _, line, _ := runtime.Caller(0)
	a := g.CreateImage("a", color64)                                   // line+1
	buf := g.ImportBuffer("buf", fg.BufferDesc{Bytes: 4}, fg.Import{}) // line+2
	c := g.CPUResource("c")                                            // line+3
	g.AddPass("write", fg.Graphics, func(b *fg.Builder) fg.Record {    // line+4
		b.SideEffect()
		a = b.ColorAttachment(a, fg.DontCare) // line+6
		b.StorageRead(buf, fg.VertexShader)   // line+7
		b.HostRead(c)                         // line+8
		return nil
	})
	g.AddPass("read", fg.Graphics, func(b *fg.Builder) fg.Record { // line+11
		b.SideEffect()
		b.Sample(a, fg.FragmentShader) // line+13
		return nil
	})
	p := compile(t, g, fg.Caps{})
	for name, lines := range map[string][]int{"a": {1, 6, 13}, "buf": {2, 7}, "c": {3, 8}, "write": {4}, "read": {6, 11, 13}} {
		text := p.Explain(name)
		for _, l := range lines {
			if want := fmt.Sprintf("explain_test.go:%d", line+l); !strings.Contains(text, want) {
				t.Errorf("%s: %s is missing from\n%s", name, want, text)
			}
		}
	}
	if text := p.Explain("nobody"); !strings.Contains(text, "write") {
		t.Errorf("an unknown name gives %q", text)
	}
}

func TestExplainDemo(t *testing.T) {
	d := newDemo()
	d.declare()
	p := compile(t, d.graph, fg.Caps{})
	for name, want := range map[string][]string{
		"gui":      {"joined the rendering scope of \"collider\"", "it is the last to write an imported resource"},
		"picking":  {"culled"},
		"shadow":   {"kept: \"lighting\" needs its \"", "; \"", "\" needs that one's \"", "\" is the last to write an imported resource", "declared at framegraph/"},
		"lighting": {"a read behind a write", "barrier on \"albedo\" (attachment → read-only, colour → fragment)", "attachment \"hdr\" is loaded and stored"},
		"scripts":  {"phases always run"},
		"depth":    {"lives from \"geometry\" to \"transparent\""},
	} {
		text := p.Explain(name)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is missing from\n%s", name, w, text)
			}
		}
	}
}

// The JSON has the keys that the command promises.
func TestJSON(t *testing.T) {
	d := newDemo()
	d.declare()
	p := compile(t, d.graph, fg.Caps{})
	var buf bytes.Buffer
	if err := p.JSON(&buf); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Passes, Resources []map[string]any
		Totals            map[string]any
	}
	if err := json.Unmarshal(buf.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	has := func(m map[string]any, keys ...string) {
		t.Helper()
		for _, k := range keys {
			if _, ok := m[k]; !ok {
				t.Errorf("%q is missing from %v", k, m)
			}
		}
	}
	if len(got.Passes) != 14 || len(got.Resources) != 13 {
		t.Errorf("%d passes and %d resources, want 14 and 13", len(got.Passes), len(got.Resources))
	}
	for i, m := range got.Passes {
		has(m, "name", "kind", "order", "culled", "why", "declared", "reads", "writes", "barriers")
		if m["culled"] == false && m["order"] != float64(i) {
			t.Errorf("pass %d has order %v", i, m["order"])
		}
	}
	for _, m := range got.Resources {
		has(m, "name", "bytes", "first", "last", "heap", "offset")
	}
	has(got.Totals, "passes", "barriers", "transient_bytes", "aliased_bytes")
	var text, dot bytes.Buffer
	if err := p.Text(&text); err != nil || !strings.Contains(text.String(), "picking") {
		t.Errorf("text: %v\n%s", err, &text)
	}
	if err := p.DOT(&dot); err != nil || !strings.HasPrefix(dot.String(), "digraph") {
		t.Errorf("DOT: %v\n%s", err, &dot)
	}
	t.Logf("\n%s", &text)
}
