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

// The demo's walk and run, half and half, do not stumble: every round is like the
// one before, and each foot comes down once in it.
func TestMannequinHalfWalkHalfRun(t *testing.T) {
	m, err := gltf.Load("../../demo/assets/mannequin.glb")
	if err != nil {
		t.Fatal(err)
	}
	d, err := machine.Load([]byte(`{"parameters": [{"name": "v", "type": "float", "default": 0.5}], "layers": [{"name": "a", "machine": {"start": "m",
		"states": [{"name": "m", "blend": {"x": "v", "points": [{"clip": "walk", "x": 0}, {"clip": "run", "x": 1}]}}]}}]}`), m.Skeleton, m.Clips)
	if err != nil {
		t.Fatal(err)
	}
	a := animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
	x := machine.New(d)
	a.Drive(machine.Driver{Instance: x})
	foot := m.Skeleton.Joint("foot_l")
	var length float32
	for _, p := range x.Playing(0, nil) {
		length += p.Weight * p.Clip.Duration
	}
	const frames, rounds = 60, 6
	var heights []float32
	for range frames * rounds {
		if err := a.Update(length / frames); err != nil {
			t.Fatal(err)
		}
		heights = append(heights, a.Model()[foot].Col(3).Y())
	}
	least, most := heights[0], heights[0]
	for f, h := range heights {
		least, most = min(least, h), max(most, h)
		if f >= frames {
			if d := h - heights[f-frames]; d > 1e-3 || d < -1e-3 {
				t.Fatalf("frame %d: the foot is at %v m, a round before at %v m", f, h, heights[f-frames])
			}
		}
	}
	if most-least < 0.05 {
		t.Fatalf("the foot moves by %v m", most-least)
	}
	// Lifted means in the upper half of its way: once a round.
	lifts, middle := 0, (least+most)/2
	for f := 1; f < len(heights); f++ {
		if heights[f-1] < middle && heights[f] >= middle {
			lifts++
		}
	}
	if lifts < rounds-1 || lifts > rounds {
		t.Errorf("%d lifts in %d rounds", lifts, rounds)
	}
}
