package retarget

import (
	"fmt"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ik"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Options say how motion is brought over. The zero value brings it as it is.
type Options struct {
	// OntoRoot has displacement across the ground move the target's Root instead of
	// its hips, for programs that take an entity's motion from there.
	OntoRoot bool
	// PlantFeet bends the legs so that a foot that the source has on the ground is
	// where the source's is, scaled as displacement is: it stands as still as that.
	PlantFeet bool
	// Stretch has the target's bones stretch by as much as the source's do.
	Stretch bool
	// NoTwist leaves the target's joints for twisting (Map.Twists) as they rest.
	NoTwist bool
	// Offset moves the target, metres of its model space: a swimmer half a metre lower.
	Offset mgl32.Vec3
}

// Retargeter brings poses of the source onto the target, one at a time. It belongs
// to one entity; the Map and its rigs are shared.
type Retargeter struct {
	Map     *Map
	Options Options

	links       []link // by target joint
	toTarget    mgl32.Quat
	across, up  float32
	floor       float32 // of the source, metres along its Up
	above       mgl32.Mat4
	hips        int32 // of the target, -1: nothing is displaced
	carrier     int32 // of the target: what is moved so that the hips are where they belong
	from, to    []mgl32.Quat
	fixedGround bool
	rootShift   mgl32.Mat4 // the target's root's parent's space from model space
	legs        []leg
	gauges      []gauge
	helpers     []helper
	gaugeOf     []int32 // by target joint, of limbs: the gauge, -1
	helperOf    []int32 // by target joint: the helper, -1
	model       []mgl32.Mat4
}

// link says how a joint of the target turns.
type link struct {
	kind     linkKind
	source   int32
	right    mgl32.Quat // to model space: C · source's · right
	a, b     int32      // of a shared turn: the paired joints before and behind, of the target
	share    float32
	from, to mgl32.Quat // the joint's rotation in the reference pose, counted from a's and b's
	length   float32    // of the source's local translation in the reference pose
}

type linkKind uint8

const (
	keeps linkKind = iota
	follows
	shares
)

// New returns a retargeter.
func New(m *Map, o Options) (*Retargeter, error) {
	if !finite(o.Offset) {
		return nil, fmt.Errorf("%w: an offset of %v", ErrMap, o.Offset)
	}
	s, t := m.Source, m.Target
	r := &Retargeter{
		Map: m, Options: o,
		links: make([]link, t.Skeleton.Len()),
		from:  make([]mgl32.Quat, s.Skeleton.Len()),
		to:    make([]mgl32.Quat, t.Skeleton.Len()),
		hips:  -1, floor: s.Floor,
	}
	body := func(x *Rig) mgl32.Quat {
		l, u, f := x.Left, x.Up, x.Forward
		return mgl32.Mat3{l[0], l[1], l[2], u[0], u[1], u[2], f[0], f[1], f[2]}.Quat()
	}
	r.toTarget = body(t).Mul(body(s).Conjugate()).Normalize()
	r.across, r.up = m.Ratios()
	turned := r.aligned()
	for _, p := range m.Pairs {
		if p.Source < 0 || int(p.Source) >= s.Skeleton.Len() || p.Target < 0 || int(p.Target) >= t.Skeleton.Len() {
			return nil, fmt.Errorf("%w: a pair of joints %d and %d of %d and %d", ErrMap, p.Source, p.Target, s.Skeleton.Len(), t.Skeleton.Len())
		}
		r.links[p.Target] = link{
			kind: follows, source: p.Source,
			right:  s.turned[p.Source].Conjugate().Mul(r.toTarget.Conjugate()).Mul(turned[p.Target]),
			length: s.Reference.Local[p.Source].Translation.Len(),
		}
		if p.Target == t.Hips && p.Source == s.Hips {
			r.hips = t.Hips
		}
	}
	if r.hips >= 0 {
		r.carry()
	}
	r.shareTurns()
	if err := r.twist(); err != nil {
		return nil, err
	}
	model := make([]mgl32.Mat4, t.Skeleton.Len())
	t.base.ToModel(t.Skeleton, model)
	inverse := func(j int32) mgl32.Mat4 {
		if p := t.Skeleton.Parents[j]; p >= 0 {
			return model[p].Inv()
		}
		return mgl32.Ident4()
	}
	if r.hips >= 0 {
		r.above, r.rootShift = inverse(r.carrier), inverse(t.Root)
		if p := t.Skeleton.Parents[r.carrier]; p >= 0 && model[p].Det() == 0 {
			return nil, fmt.Errorf("%w: joint %s, above the target's hips, is scaled to nothing", ErrMap, named(t.Skeleton, p))
		}
	}
	if o.PlantFeet {
		r.findLegs()
		r.model = model
	}
	return r, nil
}

// aligned are the target's rotations in a reference pose in which every limb that
// is paired with one points as that does. Bodies do already; others are turned here.
func (r *Retargeter) aligned() []mgl32.Quat {
	s, t := r.Map.Source, r.Map.Target
	if len(s.Bones) > 0 && len(t.Bones) > 0 {
		return t.turned
	}
	work := *t
	work.Reference = animation.NewPose(t.Skeleton)
	work.Reference.Copy(t.Reference)
	partner := make([]int32, t.Skeleton.Len())
	for j := range partner {
		partner[j] = -1
	}
	for _, p := range r.Map.Pairs {
		partner[p.Target] = p.Source
	}
	f := s.now()
	for j := range partner {
		i := partner[j]
		if i < 0 {
			continue
		}
		// The one paired joint next below both: of several, none is the limb's end.
		var end, here int32 = -1, -1
		n := 0
		for k := range partner {
			if partner[k] >= 0 && r.pairedAbove(t, int32(k), partner) == int32(j) {
				n, here, end = n+1, int32(k), partner[k]
			}
		}
		if n != 1 || !below(s.Skeleton, end, i) {
			continue
		}
		if d := f.at[end].Sub(f.at[i]); d.Len() > 1e-6 {
			work.lay(int32(j), here, r.toTarget.Rotate(d))
		}
	}
	out := make([]mgl32.Quat, t.Skeleton.Len())
	work.rotations(work.Reference, out)
	return out
}

func (r *Retargeter) pairedAbove(t *Rig, j int32, partner []int32) int32 {
	for j = t.Skeleton.Parents[j]; j >= 0 && partner[j] < 0; j = t.Skeleton.Parents[j] {
	}
	return j
}

// carry has the joints between the carrier and the hips, as a pelvis above a spine
// that carries the legs, turn with the hips where they have no partner.
func (r *Retargeter) carry() {
	s, t := r.Map.Source, r.Map.Target
	r.carrier = t.carrier
	for j := r.hips; ; j = t.Skeleton.Parents[j] {
		if r.links[j].kind == keeps {
			r.links[j] = link{kind: follows, source: s.Hips, right: s.turned[s.Hips].Conjugate().Mul(r.toTarget.Conjugate()).Mul(t.turned[j])}
		}
		if j == r.carrier {
			return
		}
	}
}

// shareTurns has the joints of the target's spine that have no partner turn by
// their place between those that have.
func (r *Retargeter) shareTurns() {
	t := r.Map.Target
	if len(t.spine) == 0 {
		return
	}
	f := t.now()
	last := -1
	for i, j := range t.spine {
		if r.links[j].kind != follows {
			continue
		}
		if last >= 0 && i > last+1 {
			a, b := t.spine[last], j
			whole := f.at[b].Sub(f.at[a]).Len()
			for k := last + 1; k < i; k++ {
				at := t.spine[k]
				share := float32(k-last) / float32(i-last)
				if whole > 1e-6 {
					share = min(max(f.at[at].Sub(f.at[a]).Len()/whole, 0), 1)
				}
				r.links[at] = link{
					kind: shares, a: a, b: b, share: share,
					from: t.turned[a].Conjugate().Mul(t.turned[at]), to: t.turned[b].Conjugate().Mul(t.turned[at]),
				}
			}
		}
		last = i
	}
}

// Pose writes the target's pose that does what the source's pose does. Both are of
// the rigs' skeletons. It allocates nothing.
func (r *Retargeter) Pose(source, out *animation.Pose) error {
	s, t := r.Map.Source, r.Map.Target
	if err := source.Fits(s.Skeleton); err != nil {
		return err
	}
	if err := out.Fits(t.Skeleton); err != nil {
		return err
	}
	s.rotations(source, r.from)
	out.Copy(t.base)
	copy(out.Weights, t.Skeleton.MorphWeights)
	for j, parent := range t.Skeleton.Parents {
		up := mgl32.QuatIdent()
		if parent >= 0 {
			up = r.to[parent]
		}
		x := &r.links[j]
		var q mgl32.Quat
		switch x.kind {
		case keeps:
			if i := r.helperOf[j]; i >= 0 && r.helpers[i].between {
				q = r.turnOf(&r.helpers[i])
				r.to[j] = q
				out.Local[j].Rotation = mirrored(up.Conjugate().Mul(q), t.above(int32(j))).Normalize()
				out.Moved[j] = true
				continue
			}
			q = up.Mul(mirrored(r.localOf(out, int32(j)), t.above(int32(j))))
			r.to[j] = q
			continue
		case follows:
			q = r.follow(x)
		case shares:
			// What lies behind is not there yet; it follows, so it can be had.
			q = mgl32.QuatSlerp(r.to[x.a].Mul(x.from), r.follow(&r.links[x.b]).Mul(x.to), x.share)
		}
		q = q.Normalize()
		r.to[j] = q
		out.Local[j].Rotation = mirrored(up.Conjugate().Mul(q), t.above(int32(j))).Normalize()
		out.Moved[j] = true
		if r.gaugeOf[j] >= 0 {
			r.gaugeLimb(int32(j))
		}
		if r.Options.Stretch && x.kind == follows && int32(j) != r.carrier && x.length > 1e-6 {
			out.Local[j].Translation = out.Local[j].Translation.Mul(source.Local[x.source].Translation.Len() / x.length)
		}
	}
	if r.hips >= 0 {
		r.displace(source, out)
	}
	if r.Options.PlantFeet {
		if err := r.plant(source, out); err != nil {
			return err
		}
		r.regauge(out)
	}
	r.turnHelpers(out)
	return nil
}

func (r *Retargeter) localOf(p *animation.Pose, j int32) mgl32.Quat {
	if q, ok := r.Map.Target.fixed[j]; ok && !p.Moved[j] {
		return q
	}
	return p.Local[j].Rotation
}

func (r *Retargeter) follow(x *link) mgl32.Quat {
	return r.toTarget.Mul(r.from[x.source]).Mul(x.right)
}

// displace puts the pelvis where the source's is: root and hips together, as far
// across the ground as the limbs are larger, as high over it as the hips are higher.
func (r *Retargeter) displace(source, out *animation.Pose) {
	s, t := r.Map.Source, r.Map.Target
	at, scale := s.pelvisAt(source, r.from[s.Hips])
	if s.Unplaced && !r.fixedGround {
		r.fixedGround = true
		if at.Dot(s.Up) > 0.5*s.HipHeight {
			r.floor = 0
		}
	}
	goal := r.onto(at)
	hips := t.turned[t.Hips].Conjugate()
	goal = goal.Sub(r.to[t.Hips].Mul(hips).Rotate(t.pelvis).Mul(scale))
	if scale < 0.999 || scale > 1.001 {
		out.Local[r.carrier].Scale = out.Local[r.carrier].Scale.Mul(scale)
	}
	if r.carrier != r.hips { // the hips' place counts, and what carries them goes there
		at, off := t.placeBelow(out, r.hips, r.carrier), t.sizeAbove(r.carrier)
		goal = goal.Sub(r.to[r.carrier].Rotate(at.MulVec(t.above(r.carrier)).Mul(off)))
	}
	if r.Options.OntoRoot && !below(t.Skeleton, t.Root, r.carrier) {
		shift := flat(goal.Sub(t.at), t.Up)
		goal = goal.Sub(shift)
		out.Local[t.Root].Translation = out.Local[t.Root].Translation.Add(mgl32.TransformNormal(shift, r.rootShift))
		out.Moved[t.Root] = true
	}
	out.Local[r.carrier].Translation = mgl32.TransformCoordinate(goal, r.above)
	out.Moved[r.carrier] = true
}

// onto brings a point of the source's model space over to the target's.
func (r *Retargeter) onto(at mgl32.Vec3) mgl32.Vec3 {
	s, t := r.Map.Source, r.Map.Target
	across := r.toTarget.Rotate(flat(at.Sub(s.at), s.Up)).Mul(r.across)
	height := t.Floor + (at.Dot(s.Up)-r.floor)*r.up
	return flat(t.at, t.Up).Add(across).Add(t.Up.Mul(height)).Add(r.Options.Offset)
}

// leg is one for planting: joints of both rigs.
type leg struct {
	upper, lower, foot, toes int32 // of the target
	source, sourceToes       int32
	height                   float32 // of the source's ankle over its ground in the reference pose
	own                      float32 // of the target's
}

func (r *Retargeter) findLegs() {
	s, t := r.Map.Source, r.Map.Target
	if len(s.Bones) == 0 || len(t.Bones) == 0 {
		return
	}
	f, g := s.now(), t.now()
	for _, side := range []string{"left", "right"} {
		x := leg{
			upper: t.bone(side + "UpperLeg"), lower: t.bone(side + "LowerLeg"), foot: t.bone(side + "Foot"), toes: t.bone(side + "Toes"),
			source: s.bone(side + "Foot"), sourceToes: s.bone(side + "Toes"),
		}
		if x.foot < 0 || x.source < 0 {
			continue
		}
		legs := func(q frame, rig *Rig, j int32) float32 {
			pelvis := q.middle(rig.Bones["leftUpperLeg"], rig.Bones["rightUpperLeg"])
			return rig.HipHeight - pelvis.Sub(q.at[j]).Dot(rig.Up)
		}
		x.height, x.own = legs(f, s, x.source), legs(g, t, x.foot)
		r.legs = append(r.legs, x)
	}
}

// plant bends the legs. Where the source's ankle is as low as it stands, the
// target's goes where that is; a tenth of a leg higher it is the clip's again. The
// foot keeps its turn, so that the sole stays as flat.
func (r *Retargeter) plant(source, out *animation.Pose) error {
	s, t := r.Map.Source, r.Map.Target
	out.ToModel(t.Skeleton, r.model)
	for i := range r.legs {
		x := &r.legs[i]
		at, _ := s.place(source, x.source)
		over := at.Dot(s.Up) - r.floor - x.height
		u := 1 - over/(0.1*s.HipHeight)
		u = min(max(u, 0), 1)
		u = u * u * (3 - 2*u)
		if u == 0 {
			continue
		}
		goal := r.onto(at)
		goal = goal.Add(t.Up.Mul(x.own - x.height*r.up))
		job := ik.TwoBone{
			Rig:   ik.Rig{Skeleton: t.Skeleton, Pose: out, Model: r.model},
			Start: x.upper, Mid: x.lower, End: x.foot, Target: goal, Weight: u, Soft: 0.98,
		}
		if err := job.Run(); err != nil {
			return err
		}
		parent := t.Skeleton.Parents[x.foot]
		up := t.rotation(out, parent)
		out.Local[x.foot].Rotation = mirrored(up.Conjugate().Mul(r.to[x.foot]), t.above(x.foot)).Normalize()
	}
	return nil
}

// Ground takes the ground of the source's clips from one of them where the rig's
// rest does not tell it (Rig.Unplaced): at 0 where the clip has the hips well above
// it. Pose does so by the first pose that it sees.
func (r *Retargeter) Ground(p *animation.Pose) {
	s := r.Map.Source
	if s.Unplaced && s.Hips >= 0 {
		r.floor = s.Floor
		if s.Pelvis(p).Dot(s.Up) > 0.5*s.HipHeight {
			r.floor = 0
		}
		r.fixedGround = true
	}
}

// Bone is the joint of the target that is paired with a joint of the source, -1
// where none is.
func (m *Map) Bone(source int32) int32 {
	if i := slices.IndexFunc(m.Pairs, func(p Pair) bool { return p.Source == source }); i >= 0 {
		return m.Pairs[i].Target
	}
	return -1
}
