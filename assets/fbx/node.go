package fbx

import "math"

// Inherit types: how a node takes over its parent's scale (Autodesk FBX SDK,
// FbxTransform::EInheritType). Capitals are the parent's rotation and scale.
const (
	inheritRrSs = 0 // rotations multiply, scales multiply by component
	inheritRSrs = 1 // as matrices multiply; the usual case
	inheritRrs  = 2 // the parent's own scale is not inherited (Maya's segment scale compensation)
)

// node is an object of class Model: a place in the hierarchy.
type node struct {
	obj      *object
	parent   *node
	children []*node
	placed   bool // among its parent's children
	inherit  int64
	pivots   pivots
	rest     values // stored, without animation
	moved    bool   // some stack animates it
	scaled   bool   // some stack animates its scale
	blinks   bool   // some stack animates whether it is seen

	// split nodes have two joints: one without scale, which children hang on
	// that do not inherit it, and one inside with it, for all else.
	split        bool
	joint, inner int32
}

// values are the three properties that are animated.
type values struct {
	t vec3
	r vec3 // degrees
	s vec3
	// turned is the rotation where layers blend rotations, not angles.
	turned   quat
	isTurned bool
}

// pivots is what stands between a node's three animated properties and its
// local matrix (Autodesk FBX SDK, "Computing transformation matrices"):
//
//	T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹
type pivots struct {
	order                                                      int64
	pre, post                                                  quat
	rotationOffset, rotationPivot, scalingOffset, scalingPivot vec3
	geometric                                                  transform
}

// local is the local matrix, which is always a scale, a rotation and a
// translation.
func (p *pivots) local(v values) transform {
	r := v.turned
	if !v.isTurned {
		r = euler(v.r, p.order)
	}
	q := p.pre.mul(r).mul(p.post.conj())
	inside := p.scalingOffset.add(p.scalingPivot).sub(p.rotationPivot).sub(v.s.times(p.scalingPivot))
	return transform{
		t: v.t.add(p.rotationOffset).add(p.rotationPivot).add(q.rotate(inside)),
		q: q, s: v.s,
	}
}

func (l *loader) pivotsOf(o *object) pivots {
	p := pivots{
		pre: identity.q, post: identity.q,
		rotationOffset: o.vector("RotationOffset", vec3{}), rotationPivot: o.vector("RotationPivot", vec3{}),
		scalingOffset: o.vector("ScalingOffset", vec3{}), scalingPivot: o.vector("ScalingPivot", vec3{}),
		geometric: transform{
			t: o.vector("GeometricTranslation", vec3{}),
			q: euler(o.vector("GeometricRotation", vec3{}), 0),
			s: o.vector("GeometricScaling", ones),
		},
	}
	// Without RotationActive the SDK leaves these out.
	if o.int("RotationActive", 0) != 0 {
		p.pre = euler(o.vector("PreRotation", vec3{}), 0)
		p.post = euler(o.vector("PostRotation", vec3{}), 0)
		p.order = o.int("RotationOrder", 0)
	}
	return p
}

// nodes makes the hierarchy.
func (l *loader) nodes() {
	l.nodeOf = map[*object]*node{}
	for _, o := range l.doc.objects {
		if o.class != "Model" {
			continue
		}
		if !l.pay(512, o.where(), o.el.at) {
			return
		}
		l.nodeOf[o] = &node{
			obj: o, inherit: o.int("InheritType", inheritRrSs), pivots: l.pivotsOf(o),
			rest: values{t: o.vector("Lcl Translation", vec3{}), r: o.vector("Lcl Rotation", vec3{}), s: o.vector("Lcl Scaling", ones)},
		}
	}
	for _, o := range l.doc.objects {
		n := l.nodeOf[o]
		if n == nil {
			continue
		}
		for _, up := range o.parents {
			if up.property == "" && l.nodeOf[up.to] != nil {
				n.parent = l.nodeOf[up.to]
				break
			}
		}
		if n.parent == nil {
			l.tops = append(l.tops, n)
		}
	}
	// Children in the order in which the connections are told.
	for _, o := range l.doc.objects {
		n := l.nodeOf[o]
		if n == nil {
			continue
		}
		for _, down := range o.children {
			if c := l.nodeOf[down.to]; c != nil && c.parent == n && down.property == "" && !c.placed {
				c.placed = true
				n.children = append(n.children, c)
			}
		}
	}
	reached := 0
	depth := 0
	var walk func(n *node, at int)
	walk = func(n *node, at int) {
		depth = max(depth, at)
		reached++
		l.all = append(l.all, n)
		if at > maxHierarchy {
			l.fail(n.obj.where(), n.obj.el.at, "nodes are nested more than %d deep", maxHierarchy)
			return
		}
		for _, c := range n.children {
			walk(c, at+1)
		}
	}
	for _, n := range l.tops {
		walk(n, 0)
	}
	if l.err == nil && reached < len(l.nodeOf) {
		for _, o := range l.doc.objects {
			if n := l.nodeOf[o]; n != nil && n.inCircle() {
				l.fail(o.where(), o.el.at, "the node is its own ancestor")
				return
			}
		}
	}
}

// maxHierarchy bounds the depth of nodes, far above any rig.
const maxHierarchy = 10000

// hidden tells whether a node is hidden, by itself or with its parents, all the
// time.
func (n *node) hidden() bool {
	for ; n != nil; n = n.parent {
		if n.obj.number("Visibility", 1) <= 0 && !n.blinks {
			return true
		}
		if n.obj.int("Visibility Inheritance", 1) == 0 {
			return false
		}
	}
	return false
}

func (n *node) inCircle() bool {
	slow, fast := n, n
	for fast != nil && fast.parent != nil {
		slow, fast = slow.parent, fast.parent.parent
		if slow == fast {
			return true
		}
	}
	return false
}

// conventions reads axes and units, and how many ticks a second has.
func (l *loader) conventions() {
	const (
		legacyTicks = 46186158000 // FbxTime until 2019; TCDefinition 127 since
		newTicks    = 141120000
	)
	l.ticks, l.unit, l.turn = legacyTicks, 1, identity.q
	if tc := l.doc.root.child("FBXHeaderExtension").child("OtherFlags").child("TCDefinition"); tc != nil {
		if tc.int(0) != 127 {
			l.ticks = newTicks
		}
	} else if l.doc.version >= 8000 {
		l.ticks = newTicks
	}
	if l.Native {
		return
	}
	g := l.doc.global
	l.unit = g.number("UnitScaleFactor", 1) / 100 // the factor is to centimetres
	if !(l.unit > 1e-9 && l.unit < 1e9) {
		l.warn("GlobalSettings", "UnitScaleFactor %v makes no sense; centimetres are assumed", l.unit*100)
		l.unit = 0.01
	}
	axis := func(name string, otherwise int64) vec3 {
		var v vec3
		i := g.int(name, otherwise)
		if i < 0 || i > 2 {
			i = otherwise
		}
		v[i] = 1
		if g.int(name+"Sign", 1) < 0 {
			v[i] = -1
		}
		return v
	}
	// Rows: the axes of the file that become +X, +Y and +Z.
	x, y, z := axis("CoordAxis", 0), axis("UpAxis", 1), axis("FrontAxis", 2)
	m := mat{x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}
	d := m.det()
	if math.Abs(d) < 0.5 {
		l.warn("GlobalSettings", "the axes are not three different ones; +Y is taken for up")
		return
	}
	if l.mirror = d < 0; l.mirror {
		m[0], m[1], m[2] = -m[0], -m[1], -m[2]
	}
	l.turn = rotationOf(m)
}

// rotationOf is the quaternion of a rotation matrix, by its largest component.
func rotationOf(m mat) quat {
	at := func(r, c int) float64 { return m[3*c+r] }
	four := [4]float64{
		1 + at(0, 0) - at(1, 1) - at(2, 2), 1 - at(0, 0) + at(1, 1) - at(2, 2),
		1 - at(0, 0) - at(1, 1) + at(2, 2), 1 + at(0, 0) + at(1, 1) + at(2, 2),
	}
	best := 3
	for i, x := range four {
		if x > four[best] {
			best = i
		}
	}
	var q quat
	switch best {
	case 0:
		q = quat{four[0], at(0, 1) + at(1, 0), at(0, 2) + at(2, 0), at(2, 1) - at(1, 2)}
	case 1:
		q = quat{at(0, 1) + at(1, 0), four[1], at(1, 2) + at(2, 1), at(0, 2) - at(2, 0)}
	case 2:
		q = quat{at(0, 2) + at(2, 0), at(1, 2) + at(2, 1), four[2], at(1, 0) - at(0, 1)}
	default:
		q = quat{at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1), four[3]}
	}
	return q.unit()
}
