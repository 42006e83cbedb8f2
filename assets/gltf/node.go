package gltf

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// nodes builds the skeleton: every node, in the file's order except that a
// parent is moved in front of its children.
func (l *loader) nodes() {
	list, n := l.list("nodes", 200)
	if l.err != nil {
		return
	}
	l.nodeAt = make([]int, n)
	l.joint = make([]int32, n)
	for i, v := range list.elements() {
		l.nodeAt[i] = v.i
	}
	parents := l.parents(n)
	if l.err != nil {
		return
	}
	order := l.parentsFirst(parents)
	if l.err != nil {
		return
	}
	s := l.m.Skeleton
	s.Names = make([]string, n)
	s.Parents = make([]int32, n)
	s.Rest = make([]animation.Transform, n)
	l.m.Nodes = make([]assets.Node, n)
	for j, i := range order {
		s.Parents[j] = -1
		if p := parents[i]; p >= 0 {
			s.Parents[j] = l.joint[p]
		}
		l.node(value{l, l.nodeAt[i]}, int32(j))
		l.m.Nodes[j].Source = i
	}
	l.morphWeights(order)
}

// parents inverts the file's lists of children; -1 is a root.
func (l *loader) parents(n int) []int32 {
	parents := make([]int32, n)
	for i := range parents {
		parents[i] = -1
	}
	for i, token := range l.nodeAt {
		for _, c := range (value{l, token}).get("children").elements() {
			child := c.index(n, "nodes")
			if l.err != nil {
				return nil
			}
			if p := parents[child]; p >= 0 {
				l.fail(c, "node %d already is a child of node %d; a node has one parent", child, p)
				return nil
			}
			parents[child] = int32(i)
		}
	}
	return parents
}

// parentsFirst returns the nodes in order and fills l.joint, the inverse.
func (l *loader) parentsFirst(parents []int32) []int32 {
	const unseen, above = -1, -2 // above: waiting on the way to the root
	order := make([]int32, 0, len(parents))
	for i := range l.joint {
		l.joint[i] = unseen
	}
	var chain []int32
	for i := range parents {
		chain = chain[:0]
		for k := int32(i); k >= 0 && l.joint[k] < 0; k = parents[k] {
			if l.joint[k] == above {
				l.fail(value{l, l.nodeAt[k]}, "the node is its own ancestor; the hierarchy is a cycle")
				return nil
			}
			l.joint[k] = above
			chain = append(chain, k)
		}
		for c := len(chain) - 1; c >= 0; c-- {
			l.joint[chain[c]] = int32(len(order))
			order = append(order, chain[c])
		}
	}
	return order
}

func (l *loader) node(v value, j int32) {
	s := l.m.Skeleton
	s.Names[j] = v.get("name").text()
	l.m.Nodes[j] = assets.Node{
		Mesh:   v.get("mesh").index(len(l.m.Meshes), "meshes"),
		Skin:   v.get("skin").index(l.root.get("skins").length(), "skins"),
		Camera: v.get("camera").index(len(l.m.Cameras), "cameras"),
		Light:  -1,
	}
	if ext := v.get("extensions"); ext.exists() {
		l.m.Nodes[j].Light = ext.get("KHR_lights_punctual").get("light").index(len(l.m.Lights), "lights")
	}
	t := animation.Identity()
	if m := v.get("matrix"); m.exists() {
		var mat mgl32.Mat4
		m.floats(mat[:])
		t = l.decompose(m, mat, j)
	} else {
		v.get("translation").floats(t.Translation[:])
		v.get("scale").floats(t.Scale[:])
		q := [4]float32{0, 0, 0, 1}
		if r := v.get("rotation"); r.floats(q[:]) {
			t.Rotation = l.rotation(r, q)
		}
	}
	s.Rest[j] = t
}

// rotation makes a file's quaternion unit.
func (l *loader) rotation(at value, q [4]float32) mgl32.Quat {
	r := mgl32.QuatXYZW(q[0], q[1], q[2], q[3])
	n := 0.0
	for _, x := range q {
		n += float64(x) * float64(x)
	}
	switch n = math.Sqrt(n); {
	case n < 1e-12:
		l.warn(at, "the rotation is zero; it turns nothing")
		return mgl32.QuatIdent()
	case math.Abs(n-1) > 1e-3:
		l.warn(at, "the rotation's length is %.4g instead of 1; it was made so", n)
	}
	if math.Abs(n-1) > 1e-6 {
		for i := range q {
			q[i] = float32(float64(q[i]) / n)
		}
		r = mgl32.QuatXYZW(q[0], q[1], q[2], q[3])
	}
	return r
}

// decompose splits a node's matrix, or keeps it as RestMatrix where no
// translation, rotation and scale make it up.
func (l *loader) decompose(at value, m mgl32.Mat4, j int32) animation.Transform {
	if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
		l.warn(at, "the matrix is no affine one; its last row was taken as 0 0 0 1")
		m[3], m[7], m[11], m[15] = 0, 0, 0, 1
	}
	t, r, s := m.Decompose()
	out := animation.Transform{Translation: t, Rotation: r, Scale: s}
	finite := notFinite([]float32{r.W, r.V[0], r.V[1], r.V[2], s[0], s[1], s[2]}) < 0
	if !finite {
		out.Rotation, out.Scale = mgl32.QuatIdent(), mgl32.Vec3{1, 1, 1}
	}
	again := out.Mat4()
	size, off := 0.0, 0.0
	for i := range 12 {
		size = max(size, math.Abs(float64(m[i])))
		off = max(off, math.Abs(float64(m[i]-again[i])))
	}
	if !finite || off > 1e-5*size {
		if l.m.Skeleton.RestMatrix == nil {
			l.m.Skeleton.RestMatrix = map[int32]mgl32.Mat4{}
		}
		l.m.Skeleton.RestMatrix[j] = m
	}
	return out
}

// morphWeights lays the rest weights of all joints' meshes one after another.
func (l *loader) morphWeights(order []int32) {
	total := int64(0)
	for j := range order {
		if m := l.m.Nodes[j].Mesh; m >= 0 {
			total += int64(l.meshFits[m].targets)
		}
	}
	if l.err != nil || total == 0 || !l.charge(l.root.get("nodes"), 4*total) {
		return
	}
	s := l.m.Skeleton
	s.MorphWeights = make([]float32, 0, total)
	s.MorphOffset = make([]int32, 1, len(order)+1)
	for j, i := range order {
		if m := l.m.Nodes[j].Mesh; m >= 0 && l.meshFits[m].targets > 0 {
			own := l.meshFits[m].targets
			s.MorphWeights = append(s.MorphWeights, l.m.Meshes[m].Weights...)
			value{l, l.nodeAt[i]}.get("weights").floats(s.MorphWeights[len(s.MorphWeights)-own:])
		}
		s.MorphOffset = append(s.MorphOffset, int32(len(s.MorphWeights)))
	}
}
