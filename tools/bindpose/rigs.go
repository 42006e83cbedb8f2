package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/vrm"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// loadRig reads a model and finds its rig: the bones from an avatar where the file
// tells them, the reference pose from the pose of binding where the file rests in
// the middle of a motion and its meshes were bound standing. lenders are rigs whose
// reference pose serves where the file has neither.
func loadRig(path string, lenders ...*retarget.Rig) (*assets.Model, *retarget.Rig, error) {
	m, err := loadModel(path, warnToStderr)
	if err != nil {
		return nil, nil, err
	}
	r, err := rigOfFile(m, lenders...)
	if err != nil {
		return nil, nil, err
	}
	if len(r.Bones) > 0 && !r.Standing {
		say(fmt.Sprintf("%s: it rests in the middle of a motion, and no file was given with the same joints at rest: limbs are turned to where they belong, but about their own axes they may be off; give such a file with --reference",
			filepath.Base(path)))
	}
	return m, r, nil
}

// rigOfFile is loadRig of a model that was read already.
func rigOfFile(m *assets.Model, lenders ...*retarget.Rig) (*retarget.Rig, error) {
	bones, err := bonesOf(m.Path, m)
	if err != nil {
		return nil, err
	}
	o := retarget.RigOptions{Bones: bones}
	if strings.EqualFold(filepath.Ext(m.Path), ".vrma") { // VRMC_vrm_animation 1.0: +Y is up, +Z is forward
		o.Up, o.Forward = mgl32.Vec3{0, 1, 0}, mgl32.Vec3{0, 0, 1}
	}
	r, err := rigOf(m, o, lenders...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	return r, nil
}

// rigOf finds the rig of a model; of the options bones and directions count.
func rigOf(m *assets.Model, o retarget.RigOptions, lenders ...*retarget.Rig) (*retarget.Rig, error) {
	o.Vertices = verticesOf(m, animation.NewPose(m.Skeleton))
	rest, err := retarget.NewRig(m.Skeleton, o)
	if err != nil || len(rest.Bones) == 0 {
		return rest, err
	}
	if p := bindPose(m); p != nil {
		o.Pose, o.Vertices = p, verticesOf(m, p)
		bound, err := retarget.NewRig(m.Skeleton, o)
		if err == nil && bound.Standing && (!rest.Standing || bound.Forward.Dot(rest.Forward) < 0.5 && bound.Up.Dot(rest.Up) > 0.9) {
			return bound, nil
		}
	}
	if rest.Standing {
		return rest, nil
	}
	for _, lender := range lenders {
		if lender == nil || !lender.Standing {
			continue
		}
		if p, ok := retarget.BorrowPose(m.Skeleton, lender); ok {
			o.Pose, o.Vertices = p, nil
			return retarget.NewRig(m.Skeleton, o)
		}
	}
	return rest, nil
}

// verticesOf are where a pose puts the meshes, for the ground: of those that are
// bound to joints or, where none is, of all. What stands about a character, as the
// land that it is shown on, reaches below its soles.
func verticesOf(m *assets.Model, pose *animation.Pose) []mgl32.Vec3 {
	var bound, all []mgl32.Vec3
	err := m.Evaluate(pose, func(node, _, _ int, positions []mgl32.Vec3) {
		all = append(all, positions...)
		if m.Nodes[node].Skin >= 0 {
			bound = append(bound, positions...)
		}
	})
	switch {
	case err != nil:
		return nil
	case len(bound) > 0:
		return bound
	}
	return all
}

// bonesOf are the bones that an avatar or an avatar's animation tells; nil where the
// file is neither.
func bonesOf(path string, m *assets.Model) (map[string]int32, error) {
	data, err := bytesOf(path)
	if err != nil || !bytes.Contains(data, []byte("VRM")) {
		return nil, nil // what cannot be read again was no such file
	}
	bones, err := vrm.AnimationBones(data, m)
	if err == nil && bones == nil {
		var a *vrm.Avatar
		if a, err = vrm.Read(data, m); err == nil && len(a.Bones.Missing()) == 0 {
			bones = a.Bones
		}
	}
	if err != nil && !errors.Is(err, vrm.ErrNoAvatar) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return bones, nil
}

// bindPose is the pose in which the meshes were bound to the joints; nil where no
// skin tells it. The inverse bind matrices count from the mesh's space at binding;
// where a file does not say where that was (glTF does not), meshSpace does.
func bindPose(m *assets.Model) *animation.Pose {
	s := m.Skeleton
	rest := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, rest)
	world := make(map[int32]mgl32.Mat4)
	for node, n := range m.Nodes {
		if n.Skin < 0 || n.Mesh < 0 || int(n.Skin) >= len(m.Skins) {
			continue
		}
		k := &m.Skins[n.Skin]
		mesh := meshSpace(m, k, rest, rest[node])
		if k.Bound != nil {
			mesh = *k.Bound
		}
		for i, j := range k.Joints {
			if _, there := world[j]; !there && k.InverseBind[i].Det() != 0 {
				world[j] = mesh.Mul4(k.InverseBind[i].Inv())
			}
		}
	}
	if len(world) == 0 {
		return nil
	}
	p := animation.NewPose(s)
	now := make([]mgl32.Mat4, s.Len())
	for j, parent := range s.Parents {
		up := mgl32.Ident4()
		if parent >= 0 {
			up = now[parent]
		}
		w, bound := world[int32(j)]
		if !bound || up.Det() == 0 {
			now[j] = up.Mul4(p.Local[j].Mat4())
			continue
		}
		t, r, scale := up.Inv().Mul4(w).Decompose()
		p.Local[j] = animation.Transform{Translation: t, Rotation: r, Scale: scale}
		p.Moved[j] = true
		now[j] = w
	}
	return p
}

// meshSpace is where a mesh was as it was bound, in a file that does not say: at the
// node that carries it, or at the one that carries the joints, as an armature does
// that was turned or moved later. It is where the topmost joint then rests as bound,
// or nearest to that.
func meshSpace(m *assets.Model, k *animation.Skin, rest []mgl32.Mat4, node mgl32.Mat4) mgl32.Mat4 {
	for i, j := range k.Joints {
		p := m.Skeleton.Parents[j]
		if slices.Contains(k.Joints, p) || k.InverseBind[i].Det() == 0 {
			continue
		}
		above := mgl32.Ident4()
		if p >= 0 {
			above = rest[p]
		}
		bound := k.InverseBind[i].Inv()
		off := func(mesh mgl32.Mat4) float32 {
			_, a, _ := mesh.Mul4(bound).Decompose()
			_, b, _ := rest[j].Decompose()
			d := a.Dot(b)
			return 1 - d*d
		}
		if off(above) < off(node)-1e-4 {
			return above
		}
		return node
	}
	return node
}
