package spring

import (
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Joint is a joint that swings.
type Joint struct {
	Joint int32
	// Tail is the point that swings about the joint, in the joint's space: where
	// the chain goes on at rest. Not zero.
	Tail mgl32.Vec3
	// HitRadius is how far the tail stays off colliders, metres before the joint's
	// scale. Stiffness is the speed, m/s, with which a step of 1/60 s draws the tail
	// to rest; Gravity the one with which it falls, in the world.
	HitRadius, Stiffness float32
	Gravity              mgl32.Vec3
	Drag                 float32 // in [0, 1]: the share of its motion that a step takes
}

// Chain is joints that swing alike. Their order does not matter.
type Chain struct {
	Joints    []Joint
	Center    int32   // the joint in whose space motion counts; -1: the world
	Colliders []int32 // that the chain stays out of: indices into those of New
}

// Collider is a sphere, or a capsule where Tail differs from Offset: points in the
// joint's space, metres.
type Collider struct {
	Joint        int32
	Offset, Tail mgl32.Vec3
	Radius       float32
}

// State is what swings of one entity. Make one with New.
type State struct {
	skeleton  *animation.Skeleton
	nodes     []node
	particles []particle // parents before children
	shapes    []shape

	// since is how long ago the last step was, seconds: less than a step.
	since   float64
	longest float32 // tail at the beginning, metres
	begun   bool
}

// node is a joint whose place the simulation needs; the first is the entity.
type node struct {
	joint, parent int32 // parent: a node, for those that swing or hang on what does
	particle      int32 // -1: it does not swing by itself
	hangs         bool  // at or below a joint that swings
	center        bool

	world     mgl32.Mat4 // at the step being taken
	inv       mgl32.Mat4 // of world, for a center
	now       mgl32.Mat4 // at the frame's end, for what does not hang
	to, from  animation.Transform
	travelled bool // from and to differ
}

type particle struct {
	node, center int32 // nodes; center -1: the world
	tail         mgl32.Vec3
	gravity      mgl32.Vec3
	hit          float32
	stiffness    float32
	keep         float32 // 1 - drag
	colliders    []int32

	// Where the tail was at the last step and at the one before, in the center's
	// space.
	at, before mgl32.Vec3
}

// shape is a collider in the world at the step being taken.
type shape struct {
	node         int32
	offset, tail mgl32.Vec3
	radius       float32
	capsule      bool

	a, b mgl32.Vec3
	r    float32
}

// New makes a state of chains on a skeleton, which it reads and keeps. An error,
// which wraps animation.ErrJob, names the first chain that cannot swing.
func New(s *animation.Skeleton, chains []Chain, colliders []Collider) (*State, error) {
	if s == nil {
		return nil, fmt.Errorf("%w: springs need a skeleton", animation.ErrJob)
	}
	inside := func(j int32) bool { return j >= 0 && int(j) < s.Len() }
	swings := make([]bool, s.Len())
	needed := make([]bool, s.Len())
	for i, c := range colliders {
		if !inside(c.Joint) || !finite(c.Offset) || !finite(c.Tail) || !(c.Radius >= 0) || math.IsInf(float64(c.Radius), 0) {
			return nil, fmt.Errorf("%w: collider %d of springs, on joint %d of %d, radius %v", animation.ErrJob, i, c.Joint, s.Len(), c.Radius)
		}
		needed[c.Joint] = true
	}
	for i := range chains {
		c := &chains[i]
		if err := c.validate(s, len(colliders)); err != nil {
			return nil, fmt.Errorf("%w: chain %d: %w", animation.ErrJob, i, err)
		}
		if c.Center >= 0 {
			needed[c.Center] = true
		}
		for _, j := range c.Joints {
			if swings[j.Joint] {
				return nil, fmt.Errorf("%w: chain %d: joint %d (%q) swings twice", animation.ErrJob, i, j.Joint, s.Names[j.Joint])
			}
			swings[j.Joint] = true
		}
	}
	st := &State{skeleton: s}
	nodeOf := st.lay(swings, needed)
	for i := range chains {
		c := &chains[i]
		for _, j := range c.Joints {
			p := particle{
				node: nodeOf[j.Joint], center: -1, tail: j.Tail, gravity: j.Gravity, hit: j.HitRadius,
				stiffness: j.Stiffness, keep: 1 - j.Drag, colliders: slices.Clone(c.Colliders),
			}
			if c.Center >= 0 {
				p.center = nodeOf[c.Center]
				st.nodes[p.center].center = true
			}
			st.particles = append(st.particles, p)
		}
	}
	slices.SortFunc(st.particles, func(a, b particle) int { return int(a.node - b.node) })
	for i, p := range st.particles {
		st.nodes[p.node].particle = int32(i)
	}
	for _, c := range colliders {
		st.shapes = append(st.shapes, shape{node: nodeOf[c.Joint], offset: c.Offset, tail: c.Tail, radius: c.Radius, capsule: c.Tail != c.Offset})
	}
	return st, nil
}

// lay makes the nodes: of the joints that are needed, those that hang on what
// swings with all between, and the parents of what swings. It returns the node of
// each joint.
func (st *State) lay(swings, needed []bool) []int32 {
	parents := st.skeleton.Parents
	hangs := make([]bool, len(parents))
	for j, up := range parents {
		hangs[j] = swings[j] || up >= 0 && hangs[up]
	}
	for j := len(parents) - 1; j >= 0; j-- {
		needed[j] = needed[j] || swings[j]
		if needed[j] && hangs[j] && parents[j] >= 0 {
			needed[parents[j]] = true
		}
	}
	st.nodes = append(st.nodes, node{joint: -1, parent: -1, particle: -1})
	nodeOf := make([]int32, len(parents))
	for j, up := range parents {
		if !needed[j] {
			continue
		}
		nodeOf[j] = int32(len(st.nodes))
		n := node{joint: int32(j), particle: -1, hangs: hangs[j]}
		if up >= 0 {
			n.parent = nodeOf[up]
		}
		st.nodes = append(st.nodes, n)
	}
	return nodeOf
}

func (c *Chain) validate(s *animation.Skeleton, colliders int) error {
	if c.Center < -1 || int(c.Center) >= s.Len() {
		return fmt.Errorf("its center is joint %d of %d", c.Center, s.Len())
	}
	for _, k := range c.Colliders {
		if k < 0 || int(k) >= colliders {
			return fmt.Errorf("collider %d of %d", k, colliders)
		}
	}
	for _, j := range c.Joints {
		if j.Joint < 0 || int(j.Joint) >= s.Len() {
			return fmt.Errorf("joint %d of %d", j.Joint, s.Len())
		}
		sum := j.HitRadius + j.Stiffness
		switch name := s.Names[j.Joint]; {
		case !finite(j.Tail) || j.Tail == mgl32.Vec3{}:
			return fmt.Errorf("the tail of joint %d (%q) is at %v", j.Joint, name, j.Tail)
		case !(j.HitRadius >= 0 && j.Stiffness >= 0) || math.IsInf(float64(sum), 0):
			return fmt.Errorf("joint %d (%q) has radius %v and stiffness %v", j.Joint, name, j.HitRadius, j.Stiffness)
		case !(j.Drag >= 0 && j.Drag <= 1) || !finite(j.Gravity):
			return fmt.Errorf("joint %d (%q) has drag %v and gravity %v", j.Joint, name, j.Drag, j.Gravity)
		}
	}
	return nil
}

// Len is how many joints swing.
func (st *State) Len() int { return len(st.particles) }

// Reset has the next Run begin at rest.
func (st *State) Reset() { st.begun = false }

func finite(v mgl32.Vec3) bool {
	x := v[0] + v[1] + v[2]
	return x-x == 0
}
