package retarget_test

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// graft is a joint put onto a body: at a part of the way from limb to end.
type graft struct {
	name, limb, end string  // bones
	at, aside       float32 // aside: metres forward, across the limb
	under           string  // "limb", "beside" it, or "between": it carries the end
}

// grafted is a body's skeleton with joints more, each turned in its own space, and
// by name of a graft its joint.
func grafted(body *retarget.Rig, grafts ...graft) (*animation.Skeleton, map[string]int32) {
	s := body.Skeleton
	world := matrices(s, animation.NewPose(s))
	out := &animation.Skeleton{}
	moved := make([]int32, s.Len()) // to the new skeleton
	models := []mgl32.Mat4{}
	joints := map[string]int32{}
	parent := map[int32]int32{} // of the old: a joint of the new that carries it instead
	add := func(name string, up int32, model mgl32.Mat4) int32 {
		local := model
		if up >= 0 {
			local = models[up].Inv().Mul4(model)
		}
		t, r, scale := local.Decompose()
		out.Names, out.Parents = append(out.Names, name), append(out.Parents, up)
		out.Rest = append(out.Rest, animation.Transform{Translation: t, Rotation: r, Scale: scale})
		models = append(models, model)
		return int32(out.Len() - 1)
	}
	for j := range s.Parents {
		up := s.Parents[j]
		if up >= 0 {
			up = moved[up]
		}
		if by, ok := parent[int32(j)]; ok {
			up = by
		}
		moved[j] = add(s.Names[j], up, world[j])
		for _, g := range grafts {
			limb, end := body.Bones[g.limb], body.Bones[g.end]
			if int32(j) != limb {
				continue
			}
			way := world[end].Col(3).Vec3().Sub(world[limb].Col(3).Vec3())
			across := body.Forward.Sub(way.Mul(body.Forward.Dot(way) / way.Dot(way))).Normalize()
			at := world[limb].Col(3).Vec3().Add(way.Mul(g.at)).Add(across.Mul(g.aside))
			model := mgl32.Translate3D(at[0], at[1], at[2]).Mul4(mgl32.QuatRotate(1, mgl32.Vec3{1, 2, 3}.Normalize()).Mat4())
			on := moved[j]
			if by, ok := parent[end]; ok && g.under == "between" {
				on = by
			}
			if g.under == "beside" {
				on = out.Parents[moved[j]]
			}
			joints[g.name] = add(g.name, on, model)
			if g.under == "between" {
				parent[end] = joints[g.name]
			}
		}
	}
	return out, joints
}

// turned is a pose of the body's rest in which a bone is turned about an axis of model
// space.
func turned(body *retarget.Rig, bone string, axis mgl32.Vec3, degrees float32) *animation.Pose {
	s := body.Skeleton
	p := animation.NewPose(s)
	j := body.Bones[bone]
	_, q, _ := matrices(s, p)[s.Parents[j]].Decompose()
	p.Local[j].Rotation = q.Conjugate().Mul(mgl32.QuatRotate(mgl32.DegToRad(degrees), axis)).Mul(q).Mul(p.Local[j].Rotation)
	p.Moved[j] = true
	return p
}

// against is by how much joint j is turned about an axis of model space at rest
// against joint k, degrees, and about any other axis.
func against(s *animation.Skeleton, p *animation.Pose, j, k int32, axis mgl32.Vec3) (about, other float64) {
	rest, now := matrices(s, animation.NewPose(s)), matrices(s, p)
	_, rj, _ := rest[j].Decompose()
	_, rk, _ := rest[k].Decompose()
	_, nj, _ := now[j].Decompose()
	_, nk, _ := now[k].Decompose()
	d := rk.Mul(nk.Conjugate()).Mul(nj).Mul(rj.Conjugate())
	if d.W < 0 {
		d = d.Scale(-1)
	}
	v := float64(d.V.Dot(axis))
	about = 2 * math.Atan2(v, float64(d.W)) * 180 / math.Pi
	other = 2 * math.Asin(min(1, float64(d.V.Sub(axis.Mul(float32(v))).Len()))) * 180 / math.Pi
	return about, other
}

func limbAxis(body *retarget.Rig, limb, end string) mgl32.Vec3 {
	m := matrices(body.Skeleton, animation.NewPose(body.Skeleton))
	return m[body.Bones[end]].Col(3).Vec3().Sub(m[body.Bones[limb]].Col(3).Vec3()).Normalize()
}
