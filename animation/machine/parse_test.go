package machine

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
)

// Every mistake is told at once, each with its place.
func TestEveryMistakeAtOnce(t *testing.T) {
	text := `{
  "parameters": [
    {"name": "speed", "type": "flaot"},
    {"name": "speed", "type": "bool", "default": 3},
    {"name": "hit", "type": "trigger"}
  ],
  "layers": [
    {"name": "body", "weight": 2, "mask": {"armm": 1},
     "machine": {
      "start": "idel",
      "states": [
        {"name": "idle", "clip": "Idle", "lop": "once"},
        {"name": "idle", "clip": "walk", "loop": "twice"},
        {"name": "both", "clip": "walk", "machine": {"start": "x", "states": []}},
        {"name": "a/b", "clip": "walk"},
        {"name": "mix", "blend": {"x": "sped", "points": [{"clip": "walk", "x": 1}, {"clip": "jog", "x": 1}]}},
        {"name": 7, "clip": "walk"}
      ],
      "transitions": [
        {"from": "idle", "to": "nowhere", "exit": 1},
        {"from": "idle", "to": "mix"},
        {"from": "idle", "to": "mix", "exit": 1, "when": [{"parameter": "hit", "is": ">", "value": 1}]},
        {"from": "idle", "to": "mix", "exit": 1, "duration": -1, "curve": "wobbly"},
        {"from": "idle", "to": "mix", "exit": 1}
      ]
     }}
  ]
}`
	_, err := Load([]byte(text), skeleton(), clips(t))
	var mistakes Mistakes
	if !errors.As(err, &mistakes) || !errors.Is(err, ErrGraph) {
		t.Fatal(err)
	}
	for _, want := range []struct {
		line int
		part string
	}{
		{3, `parameters[0].type: "flaot" is none of float, int, bool, trigger; is it "float"?`},
		{4, `parameters[1].name: "speed" is there twice`},
		{4, `parameters[1].default: 3 is neither true nor false`},
		{8, `layers[0]: the first layer is the whole pose`},
		{8, `layers[0].mask.armm: no joint "armm"; is it "arm"?`},
		{10, `layers[0].machine.start: no state "idel"; is it "idle"?`},
		{12, `layers[0].machine.states[0].clip: no clip "Idle"; is it "idle"?`},
		{12, `layers[0].machine.states[0].lop: unknown field; is it "loop"?`},
		{13, `layers[0].machine.states[1].name: "idle" is there twice`},
		{13, `layers[0].machine.states[1].loop: "twice" is none of`},
		{14, `layers[0].machine.states[2]: it needs one of clip, blend and machine, and has 2`},
		{14, `layers[0].machine.states[2].machine.states: at least one is needed`},
		{15, `layers[0].machine.states[3].name: "a/b": a state's name has no / or *`},
		{16, `layers[0].machine.states[4].blend.x: no parameter "sped"; is it "speed"?`},
		{17, `layers[0].machine.states[5].name: text is needed, not a number`},
		{20, `layers[0].machine.transitions[0].to: no state "nowhere"`},
		{21, `layers[0].machine.transitions[1]: it needs a condition or an exit time`},
		{22, `layers[0].machine.transitions[2].when[0]: a trigger is not compared`},
		{23, `layers[0].machine.transitions[3].duration: -1 s is out of range`},
		{23, `layers[0].machine.transitions[3].curve: "wobbly" is none of`},
		{24, `layers[0].machine.transitions[4]: the same transition is there twice`},
	} {
		found := false
		for _, m := range mistakes {
			found = found || m.Line == want.line && strings.Contains(m.String(), want.part)
		}
		if !found {
			t.Errorf("line %d: not told: %s", want.line, want.part)
		}
	}
	for i := 1; i < len(mistakes); i++ {
		if mistakes[i].Line < mistakes[i-1].Line {
			t.Errorf("%v after %v", mistakes[i], mistakes[i-1])
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

func TestSyntaxMistakesHaveAPlace(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"layers\": [}\n}":           "2:1",
		"":                                 "1:1",
		"{\"layers\": [":                   "1:",
		"[]":                               "an object is needed, not a list",
		"{\"layers\": {}}":                 "1:12: layers: a list is needed, not an object",
		strings.Repeat("[", 100):           "levels deep",
		"{} {}":                            "more text",
		"{\"layers\": [1e999]}":            "out of range",
		strings.Repeat(" ", MaxText+1):     "bytes",
		"{\"layers\": [], \"layers\": []}": "it is there twice",
	} {
		_, err := Load([]byte(text), skeleton(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// A graph written as JSON and read back is the same.
func TestGraphRoundTrip(t *testing.T) {
	g, err := Parse([]byte(hero))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g.Clone(), back.Clone()) {
		t.Errorf("%s", text)
	}
	g.Layers[0].Machine.States[0].Machine.Transitions[0].When[0].Value = 7
	if reflect.DeepEqual(g.Clone(), back.Clone()) {
		t.Error("the comparison sees nothing")
	}
}

func TestCompileWithoutText(t *testing.T) {
	_, err := Compile(&Graph{Layers: []Layer{{Name: "a", Machine: Machine{Start: "s", States: []State{{Name: "s", Clip: "wlak"}}}}}}, skeleton(), clips(t))
	if err == nil || !strings.Contains(err.Error(), `layers[0].machine.states[0].clip: no clip "wlak"; is it "walk"?`) {
		t.Error(err)
	}
	deep := Machine{Start: "s", States: []State{{Name: "s", Clip: "walk"}}}
	for range 100 {
		inner := deep
		deep = Machine{Start: "s", States: []State{{Name: "s", Machine: &inner}}}
	}
	if _, err = Compile(&Graph{Layers: []Layer{{Name: "a", Machine: deep}}}, skeleton(), clips(t)); err == nil {
		t.Error("a hundred machines deep was let through")
	}
}

// Whatever the text, loading ends without a panic, and what loads runs.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(hero))
	f.Add([]byte(`{"layers": [{"name": "a", "machine": {"start": "s", "states": [{"name": "s", "clip": "idle"}], "transitions": [{"from": "*", "to": "s", "self": true, "exit": 0}]}}]}`))
	f.Add([]byte(`{"layers": [{}, {"machine": {"states": [{"machine": {}}], "transitions": [{}]}}]}`))
	s, all := skeleton(), clips(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Load(text, s, all)
		if err != nil {
			return
		}
		m, scratch, pose := New(d), NewScratch(d), animation.NewPose(s)
		for i, p := range d.Parameters() {
			_ = m.Set(p.Name, float64(i%2))
		}
		for range 3 {
			if err := m.Update(0.1, scratch, pose); err != nil {
				t.Fatal(err)
			}
		}
		for i := range d.Layers() {
			m.Status(i)
			m.Playing(i, nil)
		}
	})
}
