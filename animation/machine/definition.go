package machine

import (
	"sync"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/blendspace"
)

// Definition is a compiled graph: a machine for one skeleton and its clips. It is
// immutable and shared by every Instance. Make one with Compile or Load.
type Definition struct {
	graph    *Graph
	skeleton *animation.Skeleton
	params   []Parameter
	byName   map[string]int
	kinds    []kind
	layers   []layer
	curves   []string
	widest   int // states of the largest layer

	scratches sync.Pool // of *Scratch, for drivers
}

// Skeleton is what the definition was compiled for.
func (d *Definition) Skeleton() *animation.Skeleton { return d.skeleton }

// Graph is what the definition was compiled from. It must not be changed; Clone
// gives a copy to edit and compile again.
func (d *Definition) Graph() *Graph { return d.graph }

// Parameters are the parameters in the order in which they were declared.
func (d *Definition) Parameters() []Parameter { return d.params }

// Curves are the names of all clips' curves, sorted.
func (d *Definition) Curves() []string { return d.curves }

// Layers is how many layers there are.
func (d *Definition) Layers() int { return len(d.layers) }

// LayerName is the name of a layer.
func (d *Definition) LayerName(layer int) string { return d.layers[layer].name }

// States are the paths of a layer's states that play something, such as
// combat/idle, in the order of their declaration.
func (d *Definition) States(layer int) []string {
	var out []string
	for i := range d.layers[layer].states {
		out = append(out, d.layers[layer].states[i].path)
	}
	return out
}

type kind uint8

const (
	floatKind kind = iota
	intKind
	boolKind
	triggerKind
)

type layer struct {
	name     string
	additive bool
	weight   float32
	param    int // that multiplies weight, or -1
	mask     []float32
	start    int
	states   []state
	byPath   map[string]int
	inertial bool // some transition is
}

// state is a leaf: it plays clips.
type state struct {
	path  string
	clips []*animation.Clip
	// What plays is line's or plane's; both nil: the one clip.
	line  *blendspace.Line
	plane *blendspace.Plane
	x, y  int // parameters
	sync  *blendspace.Sync
	speed float64
	param int // that multiplies speed, or -1
	loop  animation.Loop
	// curves says by clip and curve of it where in Definition.curves it is.
	curves      [][]int32
	transitions []transition // in the order in which they are asked
	roots       bool         // some clip has root motion
}

type transition struct {
	name       string // for people: from → to, as declared
	to         int
	conditions []condition
	duration   float64
	curve      curve
	inertial   bool
	exit       float64
	exits      bool // exit counts
	solid      bool
	self       bool // may lead to the active state
	phase      bool

	priority, depth int // for the order
	any             bool
	key             string
}

type condition struct {
	param int
	is    op
	value float64
}

type op uint8

const (
	greater op = iota
	less
	atLeast
	atMost
	equal
	unequal
)

func (c *condition) holds(x float64) bool {
	switch c.is {
	case greater:
		return x > c.value
	case less:
		return x < c.value
	case atLeast:
		return x >= c.value
	case atMost:
		return x <= c.value
	case equal:
		return x == c.value
	}
	return x != c.value
}

type curve uint8

const (
	smooth curve = iota
	linear
	in
	out
)

// at is the share of the new pose when u of a fade has passed.
func (c curve) at(u float64) float32 {
	u = min(max(u, 0), 1)
	switch c {
	case linear:
		return float32(u)
	case in:
		return float32(u * u)
	case out:
		return float32(u * (2 - u))
	}
	return float32(u * u * (3 - 2*u))
}
