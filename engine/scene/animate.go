package scene

import (
	"errors"
	"fmt"

	"github.com/bindpose/bindpose/animation"
)

// crowd is what animating many entities at once needs from frame to frame.
type crowd struct {
	pool     *animation.Pool // nil until there is a crowd
	animated []*Entity       // entities with an animator
	failures []error         // by animated
	dt       float32
	one      func(worker, i int)
}

// crowdSize is how many animators are worth waking other cores for: one costs a
// few microseconds, and so does waking.
const crowdSize = 32

// Animate advances every animator by dt seconds, a crowd over all cores, with the
// same poses as one after another. One that fails keeps its last pose; all failures
// are told, each with its entity's name. Then entities with RootMotion are moved,
// those with a Stance taken to their ground, and what is attached to joints goes along.
func (s *Scene) Animate(dt float32) error {
	c := &s.crowd
	c.animated = c.animated[:0]
	moves := false
	for _, e := range s.entities {
		moves = moves || e.Attachment != nil || e.RootMotion || e.Stance != nil
		if e.Animator != nil {
			if e.Animator.Modifier() != nil {
				e.Animator.World = e.world
				e.Animator.Moves = e.RootMotion
			}
			c.animated = append(c.animated, e)
		}
	}
	n := len(c.animated)
	for len(c.failures) < n {
		c.failures = append(c.failures, nil)
	}
	c.dt = dt
	if c.one == nil {
		c.one = func(_, i int) { c.failures[i] = c.animated[i].Animator.Update(c.dt) }
	}
	if n < crowdSize {
		for i := range n {
			c.one(0, i)
		}
	} else {
		if c.pool == nil {
			c.pool = animation.NewPool(0)
		}
		c.pool.Each(n, c.one)
	}
	var failed error
	for i, err := range c.failures[:n] {
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("entity %s: %w", c.animated[i].Name, err))
		}
	}
	for i, e := range c.animated {
		if e.RootMotion && c.failures[i] == nil {
			e.Local = e.Animator.Motion().Apply(e.Local)
		}
		if e.Stance != nil && e.Stance.Follow && c.failures[i] == nil {
			e.rise(e.Stance.Rise)
		}
	}
	for _, e := range s.entities {
		if e.Light != nil {
			e.follow()
		}
	}
	if moves {
		s.UpdateWorld()
	}
	clear(c.animated) // entities that were removed are not held
	return failed
}

func (c *crowd) close() {
	if c.pool != nil {
		c.pool.Close()
		c.pool = nil
	}
}
