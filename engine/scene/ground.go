package scene

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

// Stand puts the entity's feet on some ground, from the next Animate on, and the
// entity itself to the ground under its origin (Stance.Follow), unless a dynamic body
// moves it. What Animator.Modify had before is called first. The feet and soles are
// found once a model and scene, in some tenths of a second. It returns the Stance
// that the entity then has, to be set up further; its Modify may be handed to
// Animator.Modify anew where other modifiers are to come after it.
func (e *Entity) Stand(g ground.Ground) (*ground.Stance, error) {
	if e.scene == nil || e.Animator == nil || e.Mesh == nil || e.Mesh.Model == nil {
		return nil, fmt.Errorf("entity %s cannot stand: it needs a scene, a mesh and an animator", e.Name)
	}
	m := e.Mesh.Model
	if m.Skeleton != e.Animator.Skeleton() {
		return nil, fmt.Errorf("entity %s cannot stand: its animator is of another skeleton than its mesh", e.Name)
	}
	soles, ok := e.scene.soles[m]
	if !ok {
		var err error
		if soles, err = m.Soles(); err != nil {
			return nil, fmt.Errorf("entity %s cannot stand: %w", e.Name, err)
		}
		if e.scene.soles == nil {
			e.scene.soles = map[*assets.Model][]ground.Sole{}
		}
		e.scene.soles[m] = soles
	}
	st, err := ground.NewStance(g, soles)
	if err != nil {
		return nil, fmt.Errorf("entity %s cannot stand: %w", e.Name, err)
	}
	st.Follow = e.Body == nil || e.Body.Motion != physics.Dynamic
	if _, rays := g.(*physics.Ground); rays {
		st.Samples = 3
	}
	if !replaceStance(e.Animator, e.Stance, st) {
		if before := e.Animator.Modifier(); before != nil {
			e.Animator.Modify(animation.Modifiers{before, st})
		} else {
			e.Animator.Modify(st)
		}
	}
	e.Stance = st
	return st, nil
}

// replaceStance puts a stance where another is among the animator's modifiers.
func replaceStance(a *animation.Animator, old, next *ground.Stance) bool {
	if old == nil {
		return false
	}
	switch m := a.Modifier().(type) {
	case *ground.Stance:
		if m == old {
			a.Modify(next)
			return true
		}
	case animation.Modifiers:
		return replaceAmong(m, old, next)
	}
	return false
}

// replaceAmong is replaceStance of modifiers, and of those within them.
func replaceAmong(m animation.Modifiers, old, next *ground.Stance) bool {
	for i := range m {
		switch x := m[i].(type) {
		case *ground.Stance:
			if x == old {
				m[i] = next
				return true
			}
		case animation.Modifiers:
			if replaceAmong(x, old, next) {
				return true
			}
		}
	}
	return false
}

// rise moves the entity along the world's +Y, metres.
func (e *Entity) rise(by float32) {
	if by == 0 {
		return
	}
	move := mgl32.Vec3{0, by, 0}
	if e.parent != nil {
		move = mgl32.TransformNormal(move, e.parent.world.Inv())
	}
	e.Local.Translation = e.Local.Translation.Add(move)
}
