package vrm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

// ErrNoExpression is wrapped by the error of an expression that is not there.
var ErrNoExpression = errors.New("no such expression")

// Express sets the weight of an expression, from 0 to 1, by its name of VRM 1.0,
// such as happy, or its author's. A weight outside is cut to that.
func (i *Instance) Express(name string, weight float32) error {
	k := i.avatar.Expression(name)
	if k < 0 {
		return fmt.Errorf("%w: %q; there are: %s", ErrNoExpression, name, i.avatar.expressionNames())
	}
	if weight != weight {
		return fmt.Errorf("expression %s of weight %v", name, weight)
	}
	i.weights[k] = min(max(weight, 0), 1)
	return nil
}

// Expression is the index of an expression of that name, or of one that differs in
// case alone; -1 for none.
func (a *Avatar) Expression(name string) int {
	near := -1
	for k := range a.Expressions {
		switch x := a.Expressions[k].Name; {
		case x == name:
			return k
		case near < 0 && strings.EqualFold(x, name):
			near = k
		}
	}
	return near
}

func (a *Avatar) expressionNames() string {
	if len(a.Expressions) == 0 {
		return "none"
	}
	names := make([]string, len(a.Expressions))
	for k := range names {
		names[k] = a.Expressions[k].Name
	}
	return strings.Join(names, ", ")
}

// Shown is the weight with which an expression, by index, was shown in the last
// update, after what overrides it.
func (i *Instance) Shown(expression int) float32 { return i.shown[expression] }

// group is what of the face an expression is about.
type group int

const (
	other group = iota
	blinks
	looks
	mouths
)

func (e *Expression) group() group {
	if !e.Preset {
		return other
	}
	switch e.Name {
	case "blink", "blinkLeft", "blinkRight":
		return blinks
	case "lookUp", "lookDown", "lookLeft", "lookRight":
		return looks
	case "aa", "ih", "ou", "ee", "oh":
		return mouths
	}
	return other
}

// overrides is how an expression treats those of a group.
func (e *Expression) overrides(g group) string {
	switch g {
	case blinks:
		return e.OverrideBlink
	case looks:
		return e.OverrideLookAt
	case mouths:
		return e.OverrideMouth
	}
	return ""
}

// express weighs the morph targets and changes of materials.
func (i *Instance) express(pose *animation.Pose) {
	all := i.avatar.Expressions
	for k := range all {
		w := i.weights[k]
		if g := all[k].group(); g == looks {
			w = max(w, i.gaze.weight(all[k].Name))
		}
		i.shown[k] = all[k].binary(w)
	}
	// What is left of each group (VRMC_vrm 1.0, "Procedural override"): none where
	// one that is shown blocks it, less by the weight of each that blends. An
	// expression does not override its own group.
	left := [...]float32{other: 1, blinks: 1, looks: 1, mouths: 1}
	for k := range all {
		own := all[k].group()
		for g := blinks; g <= mouths; g++ {
			switch w := i.shown[k]; {
			case g == own || w == 0:
			case all[k].overrides(g) == "block":
				left[g] = 0
			case all[k].overrides(g) == "blend":
				left[g] = max(left[g]-w, 0)
			}
		}
	}
	offset := i.model.Skeleton.MorphOffset
	for k := range all {
		if l := left[all[k].group()]; l < 1 && all[k].Binary {
			i.shown[k] = 0
		} else {
			i.shown[k] *= l
		}
		w := i.shown[k]
		if w == 0 {
			continue
		}
		all[k].show(pose, w)
		for _, b := range all[k].Morphs {
			if at := offset[b.Joint] + b.Target; at < offset[b.Joint+1] {
				pose.Weights[at] += w * b.Weight
			}
		}
	}
}

func (e *Expression) binary(w float32) float32 {
	switch {
	case !e.Binary:
		return w
	case w > 0.5:
		return 1
	}
	return 0
}

// Unshown names the expressions that change what is not drawn of a material, such
// as the colour of its shade or outline.
func (a *Avatar) Unshown() []string {
	var names []string
	for k := range a.Expressions {
		if a.Expressions[k].unshown {
			names = append(names, a.Expressions[k].Name)
		}
	}
	return names
}
