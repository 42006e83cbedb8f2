package gltf

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func (l *loader) skins() {
	list, n := l.list("skins", 64)
	l.m.Skins = make([]animation.Skin, n)
	for i, v := range list.elements() {
		k := &l.m.Skins[i]
		k.Name = v.get("name").text()
		joints := v.need("joints")
		if l.err != nil || !l.charge(v, int64(joints.length())*68) {
			return
		}
		if joints.length() == 0 {
			l.fail(joints, "names no joints")
			return
		}
		k.Joints = make([]int32, joints.length())
		for slot, jv := range joints.elements() {
			if node := jv.index(len(l.joint), "nodes"); node >= 0 {
				k.Joints[slot] = l.joint[node]
			}
		}
		at := v.get("inverseBindMatrices")
		if !at.exists() {
			k.InverseBind = make([]mgl32.Mat4, len(k.Joints))
			for slot := range k.InverseBind {
				k.InverseBind[slot] = mgl32.Ident4()
			}
			continue
		}
		a := at.index(l.fileAccessors, "accessors")
		if l.err != nil {
			return
		}
		f := l.floats(at, a, 16, 16, plain)
		if have := len(f) / 16; have < len(k.Joints) {
			l.fail(at, "accessor %d has %d matrices for %d joints", a, have, len(k.Joints))
			return
		}
		k.InverseBind = mat4s(f)[:len(k.Joints):len(k.Joints)]
	}
}

// bindings checks each node that has both a mesh and a skin.
func (l *loader) bindings() {
	for j, node := range l.m.Nodes {
		if node.Skin < 0 {
			continue
		}
		if node.Mesh < 0 {
			l.warn(value{l, l.nodeAt[node.Source]}, "has a skin but no mesh")
			continue
		}
		fit, joints := l.meshFits[node.Mesh], len(l.m.Skins[node.Skin].Joints)
		switch {
		case fit.most < 0:
			l.warn(value{l, l.nodeAt[node.Source]}, "has a skin, but no vertex of mesh %d is bound to a joint", node.Mesh)
		case int(fit.most) >= joints:
			l.fail(value{l, fit.jointsAt}, "a vertex is bound to joint %d, but skins[%d], which nodes[%d] uses, has %d joints", fit.most, node.Skin, l.m.Nodes[j].Source, joints)
			return
		}
	}
}

// scenes reads the scenes and finds what the default one reaches.
func (l *loader) scenes() {
	list, n := l.list("scenes", 48)
	l.m.Scenes = make([]assets.Scene, n)
	s := l.m.Skeleton
	for i, v := range list.elements() {
		sc := &l.m.Scenes[i]
		sc.Name = v.get("name").text()
		roots := v.get("nodes")
		if !l.charge(v, int64(roots.length())*4) {
			return
		}
		sc.Roots = make([]int32, 0, roots.length())
		for _, r := range roots.elements() {
			node := r.index(len(l.joint), "nodes")
			if node < 0 {
				return
			}
			if p := s.Parents[l.joint[node]]; p >= 0 {
				l.warn(r, "node %d is a scene's root and yet a child of node %d", node, l.m.Nodes[p].Source)
			}
			sc.Roots = append(sc.Roots, l.joint[node])
		}
	}
	l.m.Scene = int(l.root.get("scene").index(n, "scenes"))
	if l.m.Scene < 0 && n > 0 {
		l.m.Scene = 0
	}
	if l.err != nil {
		return
	}
	if l.m.Scene < 0 { // a library of things: all of it is shown
		for j := range l.m.Nodes {
			l.m.Nodes[j].InScene = true
		}
		return
	}
	for _, r := range l.m.Scenes[l.m.Scene].Roots {
		l.m.Nodes[r].InScene = true
	}
	for j, p := range s.Parents {
		if p >= 0 && l.m.Nodes[p].InScene {
			l.m.Nodes[j].InScene = true
		}
	}
}
