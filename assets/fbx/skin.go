package fbx

import (
	"cmp"
	"math"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// cluster is a bone's hold on a mesh.
type cluster struct {
	obj  *object
	bone *node
	// bind takes mesh space to the bone's space at binding: what the file calls
	// Transform, which is the inverse of TransformLink (the bone's world matrix
	// then) times the mesh's.
	bind  mat
	known bool
	link  *mat // TransformLink
}

// influence is a cluster's weight on a control point.
type influence struct {
	cluster int32
	weight  float64
}

// mostInfluences is how many of a vertex are kept: two sets of four.
const mostInfluences = 8

// skin reads the clusters of a mesh.
func (l *loader) skin(g *geometry) {
	var skins []*object
	for _, down := range g.obj.children {
		if o := down.to; o.class == "Deformer" && o.sub == "Skin" && down.property == "" {
			skins = append(skins, o)
		}
	}
	if len(skins) == 0 {
		return
	}
	if len(skins) > 1 {
		l.warn(g.obj.where(), "has %d skins; only the first is used", len(skins))
	}
	s := skins[0]
	l.dualQuaternions(g, s)
	orphans, outside := 0, 0
	total := 0
	s.childrenOf("Deformer", "Cluster", func(o *object) {
		k := &cluster{obj: o}
		for _, down := range o.children {
			if n := l.nodeOf[down.to]; n != nil {
				k.bone = n
				break
			}
		}
		indices, weights := o.el.child("Indexes").indices(), o.el.child("Weights").floats()
		if k.bone == nil {
			if len(indices) > 0 {
				orphans++
			}
			return
		}
		if link, ok := matrixOf(o.el.child("TransformLink")); ok {
			k.link = &link
		}
		if m, ok := matrixOf(o.el.child("Transform")); ok {
			k.bind, k.known = m, true
		} else if link, ok := matrixOf(o.el.child("TransformLink")); ok {
			if inv, ok := link.inverse(); ok {
				k.bind = inv.mul(l.meshAtBinding(g))
				k.known = true
			}
		}
		if !k.known {
			k.bind = identityMat()
			if inv, ok := l.atBinding(k.bone).inverse(); ok {
				k.bind = inv.mul(l.meshAtBinding(g))
			}
			if len(indices) > 0 {
				l.warn(o.where(), "does not tell how it was bound; the bind pose, else the rest pose is taken")
			}
		}
		n := min(len(indices), len(weights))
		if n == 0 {
			g.clusters = append(g.clusters, k)
			return
		}
		total += n
		if !l.pay(int64(n)*48, o.where(), o.el.at) {
			return
		}
		if g.influences == nil {
			if !l.pay(int64(len(g.points))*24, o.where(), o.el.at) {
				return
			}
			g.influences = make([][]influence, len(g.points))
		}
		for i := range n {
			w := weights[i]
			if int(indices[i]) >= len(g.points) || indices[i] < 0 || !(w > 0) || math.IsInf(w, 0) {
				if w != 0 {
					outside++
				}
				continue
			}
			p := &g.influences[indices[i]]
			*p = append(*p, influence{int32(len(g.clusters)), w})
		}
		g.clusters = append(g.clusters, k)
	})
	if orphans > 0 {
		l.warn(s.where(), "%d clusters have no bone; they were left out", orphans)
	}
	if outside > 0 {
		l.warn(s.where(), "%d weights are of vertices that are not there, or no numbers; they were left out", outside)
	}
	if g.influences == nil {
		return
	}
	cut := 0
	for _, list := range g.influences {
		slices.SortStableFunc(list, func(a, b influence) int { return cmp.Compare(b.weight, a.weight) })
		if len(list) > mostInfluences {
			cut++
		}
	}
	if cut > 0 {
		l.warn(s.where(), "%d vertices have more than %d influences; the weakest were left out", cut, mostInfluences)
	}
	for i, list := range g.influences {
		list = list[:min(len(list), mostInfluences)]
		sum := 0.0
		for _, f := range list {
			sum += f.weight
		}
		for j := range list {
			list[j].weight /= sum
		}
		g.influences[i] = list
	}
}

// dualQuaternions reads how much of dual-quaternion skinning each vertex has.
func (l *loader) dualQuaternions(g *geometry, s *object) {
	t := s.el.child("SkinningType").text(0)
	if t != "DualQuaternion" && t != "Blend" || !l.pay(int64(len(g.points))*4, s.where(), s.el.at) {
		return
	}
	dual := make([]float32, len(g.points))
	any := false
	if t == "DualQuaternion" {
		for i := range dual {
			dual[i] = 1
		}
		any = true
	} else {
		indices, weights := s.el.child("Indexes").indices(), s.el.child("BlendWeights").floats()
		for i := range min(len(indices), len(weights)) {
			if k := indices[i]; k >= 0 && int(k) < len(dual) {
				dual[k] = clamp(weights[i])
				any = any || dual[k] > 0
			}
		}
	}
	if any {
		g.dual = dual
	}
}

func matrixOf(e *element) (mat, bool) {
	f := e.floats()
	if len(f) < 16 {
		return identityMat(), false
	}
	m := mat{f[0], f[1], f[2], f[4], f[5], f[6], f[8], f[9], f[10], f[12], f[13], f[14]}
	return m, m.finite()
}

// atBinding is a node's world matrix at binding: from the bind pose, else as the
// node stands.
func (l *loader) atBinding(n *node) mat {
	l.readPoses()
	if m, ok := l.poses[n.obj]; ok {
		return m
	}
	return l.worldOf(n)
}

// readPoses reads the matrices of the bind poses, once.
func (l *loader) readPoses() {
	if l.poses == nil {
		l.poses, l.otherPoses = map[*object]mat{}, map[*object][]mat{}
		for _, o := range l.doc.objects {
			if o.class != "Pose" || o.sub != "BindPose" && o.el.child("Type").text(0) != "BindPose" {
				continue
			}
			o.el.each("PoseNode", func(e *element) {
				ref := e.child("Node")
				if ref == nil || len(ref.values) == 0 {
					return
				}
				var to *object
				if v := &ref.values[0]; v.kind == kindText {
					to = l.doc.byName[fullName(v.text)]
				} else {
					to = l.doc.byID[v.int()]
				}
				if m, ok := matrixOf(e.child("Matrix")); ok && to != nil {
					if _, taken := l.poses[to]; !taken {
						l.poses[to] = m
					} else if len(l.otherPoses[to]) < 16 && l.pay(96, to.where(), e.at) {
						l.otherPoses[to] = append(l.otherPoses[to], m)
					}
				}
			})
		}
	}
}

// meshAtBinding is atBinding of the first node that carries the mesh.
func (l *loader) meshAtBinding(g *geometry) mat {
	if n := l.nodeOf[g.obj]; n != nil {
		return l.atBinding(n)
	}
	for _, up := range g.obj.parents {
		if n := l.nodeOf[up.to]; n != nil {
			return l.atBinding(n)
		}
	}
	return identityMat()
}

// bindSkin makes the skin of a mesh on a node, and returns its index; -1 where
// the mesh has none. Vertices without an influence follow the node.
func (l *loader) bindSkin(g *geometry, n *node) int32 {
	if g.influences == nil {
		return -1
	}
	if !l.pay(int64(len(g.clusters)+1)*80, g.obj.where(), g.obj.el.at) {
		return -1
	}
	s := animation.Skin{Name: g.obj.name}
	if s.Name == "" {
		s.Name = n.obj.name
	}
	for _, k := range g.clusters {
		if s.Bound == nil && k.link != nil && k.known {
			turn := transform{q: l.turn, s: ones}
			if l.mirror {
				turn.s = vec3{-1, 1, 1}
			}
			m := l.inUnits(turn.mat().mul(k.link.mul(k.bind)))
			s.Bound = &m
		}
		s.Joints = append(s.Joints, k.bone.inner)
		s.InverseBind = append(s.InverseBind, l.inUnits(k.bind))
	}
	for _, list := range g.influences {
		if len(list) == 0 {
			s.Joints = append(s.Joints, n.inner)
			s.InverseBind = append(s.InverseBind, mgl32.Ident4())
			break
		}
	}
	l.comparePose(g, n, int32(len(l.m.Skins)))
	l.m.Skins = append(l.m.Skins, s)
	return int32(len(l.m.Skins) - 1)
}

// comparePose notes where the bind pose tells other matrices than the clusters.
func (l *loader) comparePose(g *geometry, n *node, skin int32) {
	l.readPoses()
	off := func(pose, bound mat) float64 {
		inverse, ok := pose.inverse()
		if !ok {
			return 0
		}
		d, one, most := l.inUnits(inverse.mul(bound)), mgl32.Ident4(), 0.0
		for i := range d {
			most = max(most, math.Abs(float64(d[i]-one[i])))
		}
		return most
	}
	compare := func(o *object, joint int32, bound mat) {
		pose, told := l.poses[o]
		if !told {
			return
		}
		least := off(pose, bound)
		for _, pose := range l.otherPoses[o] { // a file with several skins may have several bind poses
			least = min(least, off(pose, bound))
		}
		reach := l.inUnits(bound).Col(3).Vec3().Len() // what rounding grows with
		if least > 2e-3+1e-4*float64(reach) && l.pay(16, n.obj.where(), -1) {
			l.m.PoseMismatches = append(l.m.PoseMismatches, assets.PoseMismatch{Skin: skin, Joint: joint, Off: float32(least)})
		}
	}
	mesh := false
	for _, k := range g.clusters {
		if k.link == nil || !k.known {
			continue
		}
		if !mesh {
			mesh = true
			compare(n.obj, -1, k.link.mul(k.bind))
		}
		compare(k.bone.obj, k.bone.inner, *k.link)
	}
}
