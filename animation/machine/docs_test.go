package machine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/assets/gltf"
)

// The graph that the documentation shows loads, and plays on the demo's mannequin.
func TestTheGraphInTheDocumentationPlays(t *testing.T) {
	page, err := os.ReadFile("../../docs/animation.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(page), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	if !ok {
		t.Fatal("the page shows no graph")
	}
	m, err := gltf.Load("../../demo/assets/mannequin.glb")
	if err != nil {
		t.Fatal(err)
	}
	d, err := machine.Load([]byte(text), m.Skeleton, m.Clips)
	if err != nil {
		t.Fatal(err)
	}
	a := animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
	x := machine.New(d)
	a.Drive(machine.Driver{Instance: x})
	rest := a.Palette(0)[10]
	for _, want := range []struct {
		speed float32
		state string
	}{{0, "idle"}, {1.4, "move"}, {2.5, "move"}, {0, "idle"}} {
		if err := x.SetFloat("speed", want.speed); err != nil {
			t.Fatal(err)
		}
		for range 30 {
			if err := a.Update(1.0 / 60); err != nil {
				t.Fatal(err)
			}
		}
		if got := x.Status(0).State; got != want.state {
			t.Errorf("at %v m/s in %q, want %q", want.speed, got, want.state)
		}
	}
	if a.Palette(0)[10] == rest {
		t.Error("nothing moved")
	}
}

// The page's table names every field that a graph may have.
func TestTheDocumentationNamesEveryField(t *testing.T) {
	page, err := os.ReadFile("../../docs/animation.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range machine.Fields() {
		if !strings.Contains(string(page), "`"+field+"`") {
			t.Errorf("docs/animation.md does not say what %q is", field)
		}
	}
}
