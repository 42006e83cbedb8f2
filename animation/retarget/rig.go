package retarget

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrRig is wrapped by the error of a skeleton that cannot be a Rig.
var ErrRig = errors.New("retarget: bad rig")

// Rig is a skeleton with which joint is which bone of a body, and the pose that
// all rigs have in common. It is immutable and shared.
type Rig struct {
	Skeleton *animation.Skeleton
	// Kind is whose names the joints bear: "vrm", "mixamo", "unreal", "cc4",
	// "rigify", "cmu", "kaykit", "humanik", "biped", "names" for others; "hierarchy"
	// where the bones were found without names, "" where no body was found.
	Kind string
	// Bones are joints by the bone names of VRM 1.0. Empty where no body was found.
	Bones map[string]int32
	// Reference is the pose that motion is counted from: of a person arms
	// stretched sideways, palms down, legs straight down, soles flat.
	Reference *animation.Pose
	// Hips carries the body and Root, above it or the same, all of the character.
	// -1 where there is none.
	Hips, Root int32
	// Up, Left and Forward are unit vectors of model space, as the body has them in
	// the reference pose.
	Up, Left, Forward mgl32.Vec3
	// Floor is where the ground is, metres along Up. Unplaced rigs rest with the hips
	// at the origin, as captures do: then their clips tell where the ground is.
	Floor      float32
	Unplaced   bool
	HipHeight  float32 // metres from the ground to the Pelvis, legs straight
	LimbLength float32 // metres: one leg, one arm, and from between the hip joints to between the shoulders
	// Standing tells whether the pose that the reference pose was made of stands
	// upright on two feet. Of others, as a stride that a file rests in, what turns about
	// a limb's own axis is uncertain.
	Standing bool

	carrier int32 // the topmost joint above Hips that bears the name of hips or pelvis, or Hips: it moves with them

	body   []bool          // by joint: it is the hips or below them
	base   *animation.Pose // what unmapped joints keep
	sign   []mgl32.Vec3
	fixed  map[int32]mgl32.Quat // rotations of rest matrices
	turned []mgl32.Quat         // rotations to model space in the reference pose
	pelvis mgl32.Vec3           // from the hips joint to the middle of the hip joints, model space, reference pose
	at     mgl32.Vec3           // the pelvis in the reference pose, standing on Floor
	scale  float32              // at the hips
	spine  []int32              // from hips to head, both counted
	limbs  [5]float32           // upper and lower leg, trunk, upper and lower arm
}

// RigOptions is what a file tells about its skeleton. The zero value is nothing.
type RigOptions struct {
	Bones map[string]int32 // by VRM 1.0 name; nil: they are found by names, hierarchy and place
	// Pose is what the reference pose is made of; nil is the rest pose. Where a file
	// rests in the middle of a motion give the pose of binding, or BorrowPose's.
	Pose *animation.Pose
	// Vertices are where Pose puts the mesh, model space, so that the ground is at its
	// lowest; nil: it is at the lowest foot or toe joint.
	Vertices []mgl32.Vec3
	// Up and Forward are directions in model space that the file's format prescribes,
	// as VRM does; zero: they are measured.
	Up, Forward mgl32.Vec3
}

// NewRig finds the bones of a skeleton and its reference pose. A skeleton of no
// body is a rig without Bones; an error is of one that is empty or not finite, or
// of bones that it does not have.
func NewRig(s *animation.Skeleton, o RigOptions) (*Rig, error) {
	if s == nil || s.Len() == 0 {
		return nil, fmt.Errorf("%w: no joints", ErrRig)
	}
	r := &Rig{Skeleton: s, Hips: -1, Root: -1, base: animation.NewPose(s), Bones: map[string]int32{}, fixed: map[int32]mgl32.Quat{}}
	if o.Pose != nil {
		if err := o.Pose.Fits(s); err != nil {
			return nil, err
		}
		r.base.Copy(o.Pose)
	}
	for j, x := range r.base.Local {
		if !finite(x.Translation) || !finite(x.Scale) || !finite(x.Rotation.V) || x.Rotation.W-x.Rotation.W != 0 {
			return nil, fmt.Errorf("%w: joint %s rests at no finite place", ErrRig, named(s, int32(j)))
		}
	}
	for j, m := range s.RestMatrix {
		_, q, _ := m.Decompose()
		r.fixed[j] = q
	}
	r.sign = signs(s, r.base)
	switch {
	case o.Bones != nil:
		r.Kind = kindOf(s.Names)
		if r.Kind == "names" {
			r.Kind = "vrm"
		}
		for bone, j := range o.Bones {
			if j < 0 || int(j) >= s.Len() {
				return nil, fmt.Errorf("%w: bone %s is joint %d of %d", ErrRig, bone, j, s.Len())
			}
		}
		r.Bones = maps.Clone(o.Bones)
	case humanoid.LooksHuman(s):
		r.Bones, r.Kind = humanoid.Guess(s), kindOf(s.Names)
	default:
		if found, err := humanoid.Shape(s, r.base); err == nil {
			r.Bones, r.Kind = found, "hierarchy"
		}
	}
	r.Reference = animation.NewPose(s)
	r.Reference.Copy(r.base)
	if len(r.Bones) == 0 || !r.measureBody(o) {
		r.Bones, r.Kind = map[string]int32{}, ""
		r.measureThing()
	} else {
		r.stand()
	}
	r.body = make([]bool, s.Len())
	for j, p := range s.Parents {
		r.body[j] = int32(j) == r.Hips || p >= 0 && r.body[p]
	}
	r.carrier = r.Hips
	for j := r.Hips; j >= 0; j = s.Parents[j] {
		if name := strings.ToLower(s.Names[j]); len(r.Bones) > 0 && (strings.Contains(name, "hip") || strings.Contains(name, "pelvis")) {
			r.carrier = j
		}
	}
	r.turned = make([]mgl32.Quat, s.Len())
	r.rotations(r.Reference, r.turned)
	r.measureHeights(o.Vertices)
	return r, nil
}

func named(s *animation.Skeleton, j int32) string {
	if j >= 0 && int(j) < len(s.Names) && s.Names[j] != "" {
		return fmt.Sprintf("%q", s.Names[j])
	}
	return fmt.Sprintf("%d", j)
}

// kindOf tells whose names joints bear, by those that only one tool gives.
func kindOf(names []string) string {
	for _, n := range names {
		l := strings.ToLower(n)
		switch {
		case strings.HasPrefix(l, "mixamorig"):
			return "mixamo"
		case strings.HasPrefix(l, "cc_base_"):
			return "cc4"
		case strings.HasPrefix(n, "DEF-"), strings.HasPrefix(n, "ORG-"):
			return "rigify"
		case strings.HasPrefix(l, "bip0"), strings.HasPrefix(l, "valvebiped"):
			return "biped"
		case strings.HasPrefix(n, "J_Bip_"), n == "leftUpperArm":
			return "vrm"
		case n == "LHipJoint":
			return "cmu"
		case n == "handslot.l", n == "Rig_Medium", n == "Rig_Large":
			return "kaykit"
		case strings.HasPrefix(n, "Character1_"):
			return "humanik"
		}
	}
	if slices.Contains(names, "upperarm_l") && slices.Contains(names, "calf_l") {
		return "unreal"
	}
	if slices.Contains(names, "LeftForeArm") && slices.Contains(names, "LeftUpLeg") {
		return "humanik"
	}
	return "names"
}

// bone is a joint by its bone's name, -1 where there is none.
func (r *Rig) bone(name string) int32 {
	if j, ok := r.Bones[name]; ok {
		return j
	}
	return -1
}

// Pelvis is the middle between the hip joints in a pose, model space: what stands
// HipHeight above the ground, wherever a rig's hips joint lies. Of a rig without
// legs it is the hips joint. It walks the joints above the hips.
func (r *Rig) Pelvis(p *animation.Pose) mgl32.Vec3 {
	at, _ := r.pelvisAt(p, r.rotation(p, r.Hips))
	return at
}

// pelvisAt is Pelvis where the hips' rotation to model space is known, and the
// scale there against the reference pose's.
func (r *Rig) pelvisAt(p *animation.Pose, hips mgl32.Quat) (mgl32.Vec3, float32) {
	at, scale := r.place(p, r.Hips)
	scale /= r.scale
	return at.Add(hips.Mul(r.turned[r.Hips].Conjugate()).Rotate(r.pelvis).Mul(scale)), scale
}

// rotation is one joint's rotation to model space.
func (r *Rig) rotation(p *animation.Pose, j int32) mgl32.Quat {
	q := mgl32.QuatIdent()
	for ; j >= 0; j = r.Skeleton.Parents[j] {
		local := p.Local[j].Rotation
		if fixed, ok := r.fixed[j]; ok && !p.Moved[j] {
			local = fixed
		}
		// F·(q)·F of what lies below, gathered from the joint upward.
		q = mirrored(local, r.above(j)).Mul(q)
	}
	return q
}

// BorrowPose returns a pose for RigOptions of a skeleton whose file rests in the
// middle of a motion: that of another rig with the same joints, each as far from its
// parent within a hundredth. ok is false where they are not the same.
func BorrowPose(s *animation.Skeleton, from *Rig) (p *animation.Pose, ok bool) {
	p = animation.NewPose(s)
	own := (&Rig{Skeleton: s, Reference: p, sign: signs(s, p)}).now()
	lent := *from
	lent.Reference = from.base
	other := lent.now()
	same, unlike := 0, 0
	there := firstOf(from.Skeleton.Names)
	for j, name := range s.Names {
		k, ok := there[name]
		if name == "" || !ok {
			continue
		}
		a, b := s.Parents[j], from.Skeleton.Parents[k]
		if a >= 0 && b >= 0 {
			d, e := own.at[j].Sub(own.at[a]).Len(), other.at[k].Sub(other.at[b]).Len()
			if s.Names[a] != from.Skeleton.Names[b] || max(d-e, e-d) > 0.01*max(d, e)+1e-4*from.LimbLength {
				unlike++ // some rigs move joints apart as well
				if s.Names[a] == from.Skeleton.Names[b] {
					p.Local[j].Rotation = from.base.Local[k].Rotation
				}
				continue
			}
		}
		same++
		p.Local[j].Rotation = from.base.Local[k].Rotation
		if a < 0 || b < 0 || j == int(from.Hips) {
			p.Local[j] = from.base.Local[k]
		}
	}
	return p, same >= 12 && same > 5*unlike
}
