package machine

import (
	"encoding/json"
	"errors"

	"github.com/bindpose/bindpose/animation"
)

// MaxText is how many bytes of JSON a graph may have.
const MaxText = 1 << 20

// Parse reads a graph from JSON and checks its shape: unknown and repeated fields,
// wrong types. The error is Mistakes, all of them with their places.
func Parse(text []byte) (*Graph, error) {
	g, c := parse(text)
	return g, c.err()
}

// Load parses and compiles. The error is Mistakes, those of the text's shape and
// those of its meaning together.
func Load(text []byte, s *animation.Skeleton, clips []*animation.Clip) (*Definition, error) {
	g, c := parse(text)
	if g.Layers == nil && len(c.mistakes) > 0 {
		return nil, c.err()
	}
	d, compiled := compile(g, s, clips)
	compiled.mistakes = append(compiled.mistakes, c.mistakes...)
	if err := compiled.err(); err != nil {
		return nil, err
	}
	return d, nil
}

func parse(text []byte) (*Graph, *critic) {
	r := &reader{critic{places: map[string]int{}, text: text}}
	g := &Graph{places: r.places, text: text}
	if len(text) > MaxText {
		r.at("", "%d bytes, more than %d", len(text), MaxText)
		return g, &r.critic
	}
	n, err := tree(text)
	if err != nil {
		offset := n.offset
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			offset = max(int(syntax.Offset)-1, 0)
		}
		line, column := position(text, offset)
		r.mistakes = append(r.mistakes, Mistake{Line: line, Column: column, Message: err.Error()})
		return g, &r.critic
	}
	get := r.object(&n, "", "parameters", "layers")
	g.Parameters = listOf(r, get, "parameters", r.parameter)
	g.Layers = listOf(r, get, "layers", r.layer)
	return g, &r.critic
}

type getter = func(string) (*node, string)

func listOf[T any](r *reader, get getter, key string, read func(*node, string) T) []T {
	n, path := get(key)
	return list(r, n, path, read)
}

// The reader's functions below know one object each.

func (r *reader) parameter(n *node, path string) Parameter {
	get := r.object(n, path, "name", "type", "default", "min", "max")
	return Parameter{
		Name: r.text(get("name")), Type: r.text(get("type")),
		Default: r.number(get("default")), Min: r.number(get("min")), Max: r.number(get("max")),
	}
}

func (r *reader) layer(n *node, path string) Layer {
	get := r.object(n, path, "name", "mode", "weight", "weightParameter", "mask", "reference", "machine")
	l := Layer{
		Name: r.text(get("name")), Mode: r.text(get("mode")), Weight: r.optional(get("weight")),
		WeightParameter: r.text(get("weightParameter")),
	}
	if n, path := get("mask"); n != nil {
		if l.Mask = map[string]float64{}; n.kind != '{' {
			r.at(path, "an object is needed, not %s", n.what())
		}
		for i, joint := range n.keys {
			at := join(path, joint)
			if _, twice := l.Mask[joint]; twice {
				r.at(at, "it is there twice")
			}
			r.places[at] = n.items[i].offset
			l.Mask[joint] = r.number(&n.items[i], at)
		}
	}
	if n, path := get("reference"); n != nil {
		get := r.object(n, path, "clip", "time")
		l.Reference = &Reference{r.text(get("clip")), r.number(get("time"))}
	}
	if n, path := get("machine"); n != nil {
		l.Machine = r.machine(n, path)
	}
	return l
}

func (r *reader) machine(n *node, path string) Machine {
	get := r.object(n, path, "start", "states", "transitions")
	return Machine{
		Start:       r.text(get("start")),
		States:      listOf(r, get, "states", r.state),
		Transitions: listOf(r, get, "transitions", r.transition),
	}
}

func (r *reader) state(n *node, path string) State {
	get := r.object(n, path, "name", "clip", "blend", "machine", "speed", "speedParameter", "loop")
	s := State{
		Name: r.text(get("name")), Clip: r.text(get("clip")), Speed: r.optional(get("speed")),
		SpeedParameter: r.text(get("speedParameter")), Loop: r.text(get("loop")),
	}
	if n, path := get("blend"); n != nil {
		get := r.object(n, path, "x", "y", "sync", "marks", "points")
		s.Blend = &Blend{
			X: r.text(get("x")), Y: r.text(get("y")), Sync: r.text(get("sync")),
			Marks: listOf(r, get, "marks", r.text), Points: listOf(r, get, "points", r.point),
		}
	}
	if n, path := get("machine"); n != nil {
		m := r.machine(n, path)
		s.Machine = &m
	}
	return s
}

func (r *reader) point(n *node, path string) Point {
	get := r.object(n, path, "clip", "x", "y")
	return Point{r.text(get("clip")), r.number(get("x")), r.number(get("y"))}
}

func (r *reader) transition(n *node, path string) Transition {
	get := r.object(n, path, "from", "to", "when", "duration", "curve", "mode", "exit", "priority", "solid", "self", "phase")
	t := Transition{
		From: r.text(get("from")), To: r.text(get("to")), When: listOf(r, get, "when", r.condition),
		Duration: r.number(get("duration")), Curve: r.text(get("curve")), Mode: r.text(get("mode")),
		Exit: r.optional(get("exit")), Solid: r.yes(get("solid")), Self: r.yes(get("self")), Phase: r.yes(get("phase")),
	}
	n, at := get("priority")
	p := r.number(n, at)
	if t.Priority = int(p); float64(t.Priority) != p {
		r.at(at, "a whole number is needed, not %v", p)
	}
	return t
}

func (r *reader) condition(n *node, path string) Condition {
	get := r.object(n, path, "parameter", "is", "value")
	return Condition{r.text(get("parameter")), r.text(get("is")), r.number(get("value"))}
}
