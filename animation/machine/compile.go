package machine

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

// Compile checks a graph against a skeleton and its clips and returns what
// instances run. The error is Mistakes, all of them. Where two clips have one
// name, the first counts. The order in which parameters, states and transitions
// are declared changes nothing that plays.
func Compile(g *Graph, s *animation.Skeleton, clips []*animation.Clip) (*Definition, error) {
	d, c := compile(g, s, clips)
	if err := c.err(); err != nil {
		return nil, err
	}
	return d, nil
}

// compiler is what compiling a graph needs at hand.
type compiler struct {
	critic
	d         *Definition
	clips     map[string]*animation.Clip
	clipNames []string
	curveAt   map[string]int
}

// MaxStates is how many states a layer may have.
const MaxStates = 4096

func compile(g *Graph, s *animation.Skeleton, clips []*animation.Clip) (*Definition, *critic) {
	c := &compiler{critic: critic{places: g.places, text: g.text}, clips: map[string]*animation.Clip{}}
	c.d = &Definition{graph: g.Clone(), skeleton: s, byName: map[string]int{}}
	for _, clip := range clips {
		if c.clips[clip.Name] == nil {
			c.clips[clip.Name] = clip
			c.clipNames = append(c.clipNames, clip.Name)
		}
	}
	c.parameters(g.Parameters)
	c.curveNames(clips)
	if len(g.Layers) == 0 {
		c.at("layers", "at least one is needed")
	}
	names := map[string]bool{}
	for i := range g.Layers {
		path := fmt.Sprintf("layers[%d]", i)
		c.name(g.Layers[i].Name, join(path, "name"), names)
		c.d.layers = append(c.d.layers, c.layer(&g.Layers[i], path, i == 0))
		c.d.widest = max(c.d.widest, len(c.d.layers[i].states))
	}
	return c.d, &c.critic
}

func (c *compiler) name(name, path string, taken map[string]bool) {
	switch {
	case name == "":
		c.at(path, "a name is needed")
	case taken[name]:
		c.at(path, "%q is there twice", name)
	}
	taken[name] = true
}

func (c *compiler) finite(x float64, path string) {
	if math.IsNaN(x) || math.Abs(x) > math.MaxFloat32 {
		c.at(path, "%v is out of range", x)
	}
}

func (c *compiler) choose(text, path string, choices ...string) int {
	if text == "" {
		return 0
	}
	i := slices.Index(choices, text)
	if i < 0 {
		c.at(path, "%q is none of %s%s", text, strings.Join(choices, ", "), strings.TrimPrefix(near(text, choices), "; there are "+strings.Join(choices, ", ")))
		return 0
	}
	return i
}

func (c *compiler) parameters(list []Parameter) {
	taken := map[string]bool{}
	for i, p := range list {
		path := fmt.Sprintf("parameters[%d]", i)
		c.name(p.Name, join(path, "name"), taken)
		if p.Type == "" {
			c.at(join(path, "type"), "a type is needed: float, int, bool or trigger")
		}
		k := kind(c.choose(p.Type, join(path, "type"), "float", "int", "bool", "trigger"))
		if err := k.check(p.Default); err != nil {
			c.at(join(path, "default"), "%v", err)
		}
		c.finite(p.Min, join(path, "min"))
		c.finite(p.Max, join(path, "max"))
		if p.Min > p.Max {
			c.at(join(path, "min"), "%v is above max, %v", p.Min, p.Max)
		}
		c.d.byName[p.Name] = i
		c.d.params, c.d.kinds = append(c.d.params, p), append(c.d.kinds, k)
	}
}

// check reports whether a value is one of the kind's.
func (k kind) check(x float64) error {
	switch {
	case math.IsNaN(x) || math.Abs(x) > math.MaxFloat32:
		return fmt.Errorf("%v is out of range", x)
	case k == intKind && (x != math.Trunc(x) || math.Abs(x) > 1<<53):
		return fmt.Errorf("%v is no whole number", x)
	case k >= boolKind && x != 0 && x != 1:
		return fmt.Errorf("%v is neither true nor false", x)
	}
	return nil
}

// parameter finds a parameter of one of some kinds; -1 for none.
func (c *compiler) parameter(name, path string, kinds ...kind) int {
	if name == "" {
		return -1
	}
	i, ok := c.d.byName[name]
	if !ok {
		c.at(path, "no parameter %q%s", name, near(name, slices.Sorted(maps.Keys(c.d.byName))))
		return -1
	}
	if len(kinds) > 0 && !slices.Contains(kinds, c.d.kinds[i]) {
		c.at(path, "parameter %q is a %s; a number is needed", name, c.d.params[i].Type)
	}
	return i
}

func (c *compiler) curveNames(clips []*animation.Clip) {
	all := map[string]int{}
	for _, clip := range clips {
		for _, x := range clip.Curves {
			all[x.Name] = 0
		}
	}
	c.d.curves = slices.Sorted(maps.Keys(all))
	for i, name := range c.d.curves {
		all[name] = i
	}
	c.curveAt = all
}

// clip finds a clip and packs it; nil where there is none.
func (c *compiler) clip(name, path string) *animation.Clip {
	clip := c.clips[name]
	if clip == nil {
		c.at(path, "no clip %q%s", name, near(name, c.clipNames))
		return nil
	}
	if err := clip.Validate(c.d.skeleton); err != nil {
		c.at(path, "%v", err)
		return nil
	}
	return clip
}

func (c *compiler) layer(g *Layer, path string, first bool) layer {
	l := layer{name: g.Name, weight: 1, start: -1, byPath: map[string]int{}}
	l.additive = c.choose(g.Mode, join(path, "mode"), "override", "additive") == 1
	if g.Weight != nil {
		c.finite(*g.Weight, join(path, "weight"))
		l.weight = float32(*g.Weight)
	}
	l.param = c.parameter(g.WeightParameter, join(path, "weightParameter"), floatKind, intKind, boolKind)
	if first && (l.additive || g.Weight != nil || l.param >= 0 || g.Mask != nil) {
		c.at(path, "the first layer is the whole pose: it has no mode, weight or mask")
	}
	if g.Mask != nil {
		l.mask = c.mask(g.Mask, join(path, "mask"))
	}
	var reference *animation.Pose
	if g.Reference != nil {
		at := join(path, "reference")
		if !l.additive {
			c.at(at, "only an additive layer has one")
		}
		c.finite(g.Reference.Time, join(at, "time"))
		if clip := c.clip(g.Reference.Clip, join(at, "clip")); clip != nil {
			reference, _ = animation.ReferenceOf(clip, c.d.skeleton, float32(g.Reference.Time))
		}
	}
	b := &builder{compiler: c, layer: &l, reference: reference}
	root := b.machine(&g.Machine, join(path, "machine"), "", 0)
	if len(l.states) > MaxStates {
		c.at(path, "%d states, more than %d", len(l.states), MaxStates)
		return l
	}
	b.link(&g.Machine, root, join(path, "machine"), nil)
	l.start = root.leaf()
	for i := range l.states {
		b.sort(&l.states[i])
	}
	return l
}

func (c *compiler) mask(g map[string]float64, path string) []float32 {
	s := c.d.skeleton
	own := map[int32]float32{}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		at := join(path, name)
		j := s.Joint(name)
		if j < 0 {
			c.at(at, "no joint %q%s", name, near(name, s.Names))
			continue
		}
		if w := g[name]; !(w >= 0 && w <= 1) {
			c.at(at, "%v is not between 0 and 1", w)
		}
		own[int32(j)] = float32(g[name])
	}
	m := make([]float32, s.Len())
	for j, p := range s.Parents {
		if p >= 0 {
			m[j] = m[p]
		}
		if w, ok := own[int32(j)]; ok {
			m[j] = w
		}
	}
	return m
}

// sort puts a state's transitions in the order in which they are asked, which
// does not depend on their declaration.
func (b *builder) sort(s *state) {
	slices.SortFunc(s.transitions, func(x, y transition) int {
		any := func(t transition) int {
			if t.any {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(y.priority, x.priority), cmp.Compare(x.depth, y.depth),
			cmp.Compare(any(x), any(y)), cmp.Compare(x.key, y.key))
	})
}
