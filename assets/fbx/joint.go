package fbx

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

type jointKind uint8

const (
	jointNode  jointKind = iota // a node, without its scale where it is split
	jointScale                  // inside a split node: its scale
	jointFixed                  // never moves
)

// joint is a joint of the skeleton on its way there.
type joint struct {
	kind jointKind
	node *node
}

// joints makes the skeleton.
func (l *loader) joints() {
	// Whether a node is split depends on whether its parent is.
	for _, n := range l.all {
		s, still := l.still(n)
		uniform := still && s[0] == s[1] && s[1] == s[2]
		for _, c := range n.children {
			switch c.inherit {
			case inheritRrs:
				n.split = n.split || !still || s != ones
			case inheritRrSs:
				n.split = n.split || !uniform
			}
		}
	}
	s := l.m.Skeleton
	l.m.Scenes = []assets.Scene{{}}
	add := func(name string, parent int32, rest transform, kind jointKind, n *node) int32 {
		j := int32(len(l.joint))
		l.joint = append(l.joint, joint{kind, n})
		s.Names = append(s.Names, name)
		s.Parents = append(s.Parents, parent)
		s.Rest = append(s.Rest, single(rest))
		source := int32(-1)
		if n != nil {
			source = int32(len(l.m.Nodes))
		}
		l.m.Nodes = append(l.m.Nodes, assets.Node{Mesh: -1, Skin: -1, Camera: -1, Light: -1, InScene: true, Source: source})
		if parent < 0 {
			l.m.Scenes[0].Roots = append(l.m.Scenes[0].Roots, j)
		}
		return j
	}
	root := int32(-1)
	if l.mirror {
		root = add("RootNode", -1, transform{q: l.turn, s: vec3{-1, 1, 1}}, jointFixed, nil)
	}
	for _, n := range l.all {
		if !l.pay(256, n.obj.where(), n.obj.el.at) {
			return
		}
		parent := root
		if n.parent != nil {
			parent = n.parent.inner
			if n.inherit != inheritRSrs {
				parent = n.parent.joint
			}
		}
		n.joint = add(n.obj.name, parent, l.jointLocal(n, restOf), jointNode, n)
		n.inner = n.joint
		if n.split {
			n.inner = add(n.obj.name+" scale", n.joint, transform{q: identity.q, s: l.effective(n, restOf)}, jointScale, n)
		}
	}
	if len(l.joint) == 0 {
		l.m.Scene = -1
		l.m.Scenes = nil
	}
}

// fixed adds a joint that never moves below another.
func (l *loader) fixed(name string, parent int32, rest transform) int32 {
	j := int32(len(l.joint))
	l.joint = append(l.joint, joint{kind: jointFixed})
	s := l.m.Skeleton
	s.Names = append(s.Names, name)
	s.Parents = append(s.Parents, parent)
	s.Rest = append(s.Rest, single(rest))
	l.m.Nodes = append(l.m.Nodes, assets.Node{Mesh: -1, Skin: -1, Camera: -1, Light: -1, InScene: true, Source: -1})
	return j
}

func single(x transform) animation.Transform {
	return animation.Transform{Translation: x.t.single(), Rotation: x.q.unit().single(), Scale: x.s.single()}
}

func restOf(n *node) values { return n.rest }

// above calls f with the nodes whose scale n takes over by component, nearest
// first: the parent's, and what the parent takes over, where both scales
// multiply; only the latter where the parent's own is left out.
func (n *node) above(f func(*node)) {
	for n.inherit != inheritRSrs && n.parent != nil && n.parent.split {
		if n.inherit == inheritRrSs {
			f(n.parent)
		}
		n = n.parent
	}
}

// still is a node's effective scale at rest, and whether no stack changes it.
func (l *loader) still(n *node) (vec3, bool) {
	s, still := n.rest.s, !n.scaled
	n.above(func(p *node) { s, still = s.times(p.rest.s), still && !p.scaled })
	return s, still
}

// effective is the scale that a node's joint has: its own, and what it takes
// over by component.
func (l *loader) effective(n *node, of func(*node) values) vec3 {
	s := of(n).s
	n.above(func(p *node) { s = s.times(of(p).s) })
	return s
}

// jointLocal is the transform of a node's first joint.
func (l *loader) jointLocal(n *node, of func(*node) values) transform {
	return l.jointFrom(n, n.pivots.local(of(n)), of)
}

// jointFrom makes it of the node's local transform.
func (l *loader) jointFrom(n *node, x transform, of func(*node) values) transform {
	if n.parent != nil && n.parent.split && n.inherit != inheritRSrs {
		// The joint hangs where the parent has no scale yet, but its place is
		// scaled all the same.
		x.t = l.effective(n.parent, of).times(x.t)
		x.s = l.effective(n, of)
	}
	if n.split {
		x.s = ones
	}
	if n.parent == nil && !l.mirror {
		x.t, x.q = l.turn.rotate(x.t), l.turn.mul(x.q)
	}
	x.t = x.t.mul(l.unit)
	x.q = x.q.unit()
	return x
}

// inUnits is a matrix with its translation in the model's units.
func (l *loader) inUnits(m mat) mgl32.Mat4 {
	m[9], m[10], m[11] = m[9]*l.unit, m[10]*l.unit, m[11]*l.unit
	return m.single()
}

// worldOf is a node's matrix in the file's own space and units, at rest.
func (l *loader) worldOf(n *node) mat {
	if l.worlds == nil {
		l.worlds = make(map[*node]mat, len(l.all))
		outer := make(map[*node]mat, len(l.all)) // without the node's own scale
		for _, n := range l.all {
			x := n.pivots.local(n.rest)
			up := identityMat()
			if n.parent != nil {
				up = l.worlds[n.parent]
				if n.parent.split && n.inherit != inheritRSrs {
					up = outer[n.parent]
					x.t = l.effective(n.parent, restOf).times(x.t)
				}
			}
			x.s = ones
			outer[n] = up.mul(x.mat())
			l.worlds[n] = outer[n].mul(transform{q: identity.q, s: l.effective(n, restOf)}.mat())
		}
	}
	return l.worlds[n]
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
