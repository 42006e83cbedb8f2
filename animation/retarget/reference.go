package retarget

import (
	"math"
	"slices"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// frame holds joints' places and rotations in the reference pose while it is made.
type frame struct {
	at     []mgl32.Vec3
	turned []mgl32.Quat
}

func (r *Rig) now() frame {
	model := make([]mgl32.Mat4, r.Skeleton.Len())
	r.Reference.ToModel(r.Skeleton, model)
	f := frame{make([]mgl32.Vec3, len(model)), make([]mgl32.Quat, len(model))}
	for j := range model {
		f.at[j] = model[j].Col(3).Vec3()
	}
	r.rotations(r.Reference, f.turned)
	return f
}

func (f frame) middle(a, b int32) mgl32.Vec3 { return f.at[a].Add(f.at[b]).Mul(0.5) }

// measureBody finds up, left and forward of a body from its hips, shoulders and
// legs, never from the file's axes: a character may lie, or look backward. A
// direction near an axis of model space is taken for that axis.
func (r *Rig) measureBody(o RigOptions) bool {
	for _, b := range []string{"hips", "leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg"} {
		if r.bone(b) < 0 {
			return false
		}
	}
	r.Hips = r.Bones["hips"]
	for j := r.Hips; j >= 0; j = r.Skeleton.Parents[j] {
		r.Root = j
	}
	if r.Root != r.Hips { // the first joint above the hips whose name says so, else the one next to it
		for j := r.Skeleton.Parents[r.Hips]; j >= 0; j = r.Skeleton.Parents[j] {
			if isRootName(r.Skeleton.Names[j]) {
				r.Root = j
				break
			}
		}
	}
	f := r.now()
	legs := f.middle(r.Bones["leftUpperLeg"], r.Bones["rightUpperLeg"])
	top := int32(-1)
	for _, b := range []string{"neck", "head", "upperChest", "chest", "spine"} {
		if top = r.bone(b); top >= 0 {
			break
		}
	}
	knees := f.middle(r.Bones["leftLowerLeg"], r.Bones["rightLowerLeg"])
	up := legs.Sub(knees)
	if top >= 0 {
		up = f.at[top].Sub(legs)
	}
	if up.Len() < 1e-6 {
		return false
	}
	r.Up = snapped(up, 40)
	left := f.at[r.Bones["leftUpperLeg"]].Sub(f.at[r.Bones["rightUpperLeg"]])
	if l, k := r.bone("leftUpperArm"), r.bone("rightUpperArm"); l >= 0 && k >= 0 {
		left = left.Add(f.at[l].Sub(f.at[k]))
	}
	left = flat(left, r.Up)
	if left.Len() < 1e-6 {
		return false
	}
	// A body that is its own mirror image rests, and is turned as it is; one in the
	// middle of a motion is taken to stand along the axes.
	within := 25.0
	if r.symmetric(f, left.Normalize()) {
		within = 2
	}
	r.Left = flat(snapped(left, within), r.Up).Normalize()
	r.Forward = r.Left.Cross(r.Up)
	if o.Up.Len() > 0 && o.Forward.Len() > 0 {
		r.Up, r.Forward = o.Up.Normalize(), flat(o.Forward, o.Up.Normalize()).Normalize()
		r.Left = r.Up.Cross(r.Forward)
		r.findSpine()
		return true
	}
	// Where both feet point backward the names of left and right are a viewer's.
	if l, k := r.bone("leftToes"), r.bone("rightToes"); l >= 0 && k >= 0 {
		a, b := r.bone("leftFoot"), r.bone("rightFoot")
		if a >= 0 && b >= 0 {
			x, y := f.at[l].Sub(f.at[a]), f.at[k].Sub(f.at[b])
			if x.Dot(r.Forward) < -0.5*x.Len() && y.Dot(r.Forward) < -0.5*y.Len() {
				r.Bones = swapSides(r.Bones)
				r.Left, r.Forward = r.Left.Mul(-1), r.Forward.Mul(-1)
			}
		}
	}
	r.findSpine()
	return true
}

// symmetric tells whether the limbs of one side are the mirror image of the other's,
// to a fiftieth of the legs' length.
func (r *Rig) symmetric(f frame, left mgl32.Vec3) bool {
	middle := f.middle(r.Bones["leftUpperLeg"], r.Bones["rightUpperLeg"])
	long := f.at[r.Bones["leftUpperLeg"]].Sub(f.at[r.Bones["leftLowerLeg"]]).Len() * 2
	seen := 0
	for _, bone := range []string{"UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand"} {
		l, k := r.bone("left"+bone), r.bone("right"+bone)
		if l < 0 || k < 0 {
			continue
		}
		d := f.at[l].Sub(middle)
		if d.Sub(left.Mul(2*d.Dot(left))).Sub(f.at[k].Sub(middle)).Len() > long/50 {
			return false
		}
		seen++
	}
	return seen >= 5
}

func isRootName(name string) bool {
	switch name {
	case "root", "Root", "ROOT", "reference", "Reference", "Character1_Reference", "Armature", "RL_BoneRoot", "CC_Base_BoneRoot", "Bip01", "Bip001":
		return true
	}
	return false
}

func swapSides(bones map[string]int32) map[string]int32 {
	out := make(map[string]int32, len(bones))
	for b, j := range bones {
		switch {
		case len(b) > 4 && b[:4] == "left":
			b = "right" + b[4:]
		case len(b) > 5 && b[:5] == "right":
			b = "left" + b[5:]
		}
		out[b] = j
	}
	return out
}

// snapped is the axis of model space that a vector is within so many degrees of,
// else its own direction.
func snapped(v mgl32.Vec3, degrees float64) mgl32.Vec3 {
	v = v.Normalize()
	for c := range v {
		if math.Abs(float64(v[c])) > math.Cos(degrees*math.Pi/180) {
			var axis mgl32.Vec3
			axis[c] = float32(math.Copysign(1, float64(v[c])))
			return axis
		}
	}
	return v
}

// findSpine is the chain from hips to head, as the hierarchy has it.
func (r *Rig) findSpine() {
	end := int32(-1)
	for _, b := range []string{"head", "neck", "upperChest", "chest", "spine"} {
		if end = r.bone(b); end >= 0 {
			break
		}
	}
	var chain []int32
	for j := end; j >= 0; j = r.Skeleton.Parents[j] {
		chain = append(chain, j)
		if j == r.Hips {
			slices.Reverse(chain)
			r.spine = chain
			return
		}
	}
}

// turn turns a joint of the reference pose in model space.
func (r *Rig) turn(j int32, by mgl32.Quat) {
	f := r.now()
	r.setTurned(j, by.Mul(f.turned[j]), f)
}

func (r *Rig) setTurned(j int32, q mgl32.Quat, f frame) {
	up := mgl32.QuatIdent()
	if p := r.Skeleton.Parents[j]; p >= 0 {
		up = f.turned[p]
	}
	if !r.Reference.Moved[j] { // its rest matrix, where it has one, gives way
		r.Reference.Moved[j] = true
	}
	r.Reference.Local[j].Rotation = mirrored(up.Conjugate().Mul(q), r.above(j)).Normalize()
}

// lay turns a joint so that what lies there points along a direction.
func (r *Rig) lay(j, toward int32, along mgl32.Vec3) {
	if j < 0 || toward < 0 {
		return
	}
	f := r.now()
	if d := f.at[toward].Sub(f.at[j]); d.Len() > 1e-6 {
		r.turn(j, between(d, along, r.Up))
	}
}

// stand brings the body to the reference pose: the T that rigs have in common.
func (r *Rig) stand() {
	rest := r.now()
	r.Standing = r.stands(rest)
	if !r.Standing {
		r.straighten()
	}
	for _, side := range []string{"left", "right"} {
		out := r.Left
		if side == "right" {
			out = out.Mul(-1)
		}
		r.lay(r.bone(side+"UpperArm"), r.bone(side+"LowerArm"), out)
		r.lay(r.bone(side+"LowerArm"), r.bone(side+"Hand"), out)
		r.layHand(side, out)
		r.layLeg(side, rest)
	}
}

// stands tells whether both legs point down and the trunk up.
func (r *Rig) stands(f frame) bool {
	for _, side := range []string{"left", "right"} {
		for _, b := range [][2]string{{"UpperLeg", "LowerLeg"}, {"LowerLeg", "Foot"}} {
			j, k := r.bone(side+b[0]), r.bone(side+b[1])
			if j < 0 || k < 0 {
				continue
			}
			if d := f.at[k].Sub(f.at[j]); d.Dot(r.Up) > -d.Len()*0.82 { // 35°
				return false
			}
		}
	}
	l, k := r.bone("leftToes"), r.bone("rightToes")
	a, b := r.bone("leftFoot"), r.bone("rightFoot")
	if l >= 0 && k >= 0 && a >= 0 && b >= 0 { // feet that point up and down differently walk
		x, y := f.at[l].Sub(f.at[a]).Normalize(), f.at[k].Sub(f.at[b]).Normalize()
		if d := x.Dot(r.Up) - y.Dot(r.Up); d > 0.2 || d < -0.2 {
			return false
		}
	}
	return true
}

// straighten brings trunk and pelvis of a body that rests in a motion upright, as
// well as places of joints tell.
func (r *Rig) straighten() {
	f := r.now()
	across := f.at[r.Bones["leftUpperLeg"]].Sub(f.at[r.Bones["rightUpperLeg"]])
	r.turn(r.Hips, between(across, r.Left, r.Up))
	n := len(r.spine)
	if n < 3 {
		return
	}
	f = r.now()
	pitch := func(a, b int32) float32 {
		return signedAngle(f.at[b].Sub(f.at[a]), r.Up, r.Left)
	}
	for i := 1; i+1 < n; i++ {
		f = r.now()
		r.turn(r.spine[i], mgl32.QuatRotate(pitch(r.spine[i], r.spine[i+1]), r.Left))
	}
	l, k := r.bone("leftUpperArm"), r.bone("rightUpperArm")
	if l >= 0 && k >= 0 {
		f = r.now()
		r.turn(r.spine[max(1, n-2)], between(f.at[l].Sub(f.at[k]), r.Left, r.Up))
	}
}

// layHand stretches hand and fingers, palm down.
func (r *Rig) layHand(side string, out mgl32.Vec3) {
	hand := r.bone(side + "Hand")
	index, little := r.bone(side+"IndexProximal"), r.bone(side+"LittleProximal")
	if hand < 0 {
		return
	}
	f := r.now()
	var mean mgl32.Vec3
	n := 0
	for _, finger := range []string{"Index", "Middle", "Ring", "Little"} {
		if j := r.bone(side + finger + "Proximal"); j >= 0 {
			mean = mean.Add(f.at[j].Sub(f.at[hand]))
			n++
		}
	}
	if n > 0 && mean.Len() > 1e-6 {
		r.turn(hand, between(mean, out, r.Up))
	}
	if index >= 0 && little >= 0 {
		f = r.now()
		if across := f.at[index].Sub(f.at[little]); flat(across, out).Len() > 1e-6 {
			r.turn(hand, mgl32.QuatRotate(signedAngle(across, r.Forward, out), out))
		}
	}
	thumb := out.Add(r.Forward).Normalize()
	for _, finger := range []string{"Thumb", "Index", "Middle", "Ring", "Little"} {
		links, along := []string{"Proximal", "Intermediate", "Distal"}, out
		if finger == "Thumb" {
			links, along = []string{"Metacarpal", "Proximal", "Distal"}, thumb
		}
		for i := 0; i < 2; i++ {
			r.lay(r.bone(side+finger+links[i]), r.bone(side+finger+links[i+1]), along)
		}
	}
}

// layLeg stretches a leg downward and points the foot forward, its sole as flat as
// it stood.
func (r *Rig) layLeg(side string, rest frame) {
	down := r.Up.Mul(-1)
	upper, lower, foot, toes := r.bone(side+"UpperLeg"), r.bone(side+"LowerLeg"), r.bone(side+"Foot"), r.bone(side+"Toes")
	r.lay(upper, lower, down)
	r.lay(lower, foot, down)
	if foot < 0 {
		return
	}
	if r.Standing {
		r.setTurned(foot, rest.turned[foot], r.now())
		if toes >= 0 {
			r.setTurned(toes, rest.turned[toes], r.now())
		}
	}
	if toes < 0 {
		return
	}
	f := r.now()
	d := f.at[toes].Sub(f.at[foot])
	if flat(d, r.Up).Len() < 0.2*d.Len() {
		return
	}
	if yaw := signedAngle(d, r.Forward, r.Up); math.Abs(float64(yaw)) < 1 {
		r.turn(upper, mgl32.QuatRotate(yaw, r.Up))
	}
	if !r.Standing { // 30° is what most rigs have between ankle and ball
		r.lay(foot, toes, r.Forward.Mul(0.866).Sub(r.Up.Mul(0.5)))
	}
}

// measureThing takes model space's axes for a skeleton of no body.
func (r *Rig) measureThing() {
	r.Up, r.Left, r.Forward = mgl32.Vec3{0, 1, 0}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, 1}
	r.Hips = r.trunk()
	r.Root = r.Hips
	r.Standing = true
}

// trunk is the topmost joint whose joints below branch or go on beyond one place:
// where a body that is none has what hips are to a person.
func (r *Rig) trunk() int32 {
	x := newTree(r)
	best := int32(0)
	for j, p := range r.Skeleton.Parents {
		if p < 0 && x.size[j] > x.size[best] {
			best = int32(j)
		}
	}
	for len(x.below[best]) == 1 { // go down past nodes that only place what hangs on them
		next := x.below[best][0]
		if x.at[next].Sub(x.at[best]).Len() > 1e-5 && x.at[best].Len() > 1e-5 {
			break
		}
		best = next
	}
	return best
}

// withTrunk is a rig of no body with another joint for its trunk.
func (r *Rig) withTrunk(j int32) *Rig {
	out := *r
	out.Hips, out.Root, out.carrier = j, j, j
	out.measureHeights(nil)
	return &out
}

// measureHeights measures the reference pose.
func (r *Rig) measureHeights(vertices []mgl32.Vec3) {
	f := r.now()
	_, r.scale = r.place(r.Reference, r.Hips)
	if r.scale == 0 {
		r.scale = 1
	}
	if len(r.Bones) == 0 {
		r.at = f.at[r.Hips]
		low := r.at.Dot(r.Up)
		r.LimbLength = 0
		for j, p := range r.Skeleton.Parents {
			// Cameras and lamps that stand beside it are no part of it.
			if int32(j) != r.Hips && below(r.Skeleton, int32(j), r.Hips) {
				r.LimbLength += f.at[j].Sub(f.at[p]).Len()
				low = min(low, f.at[j].Dot(r.Up))
			}
		}
		r.HipHeight = r.LimbLength
		return
	}
	length := func(a, b string) float32 {
		j, k := r.bone(a), r.bone(b)
		if j < 0 || k < 0 {
			return 0
		}
		return f.at[k].Sub(f.at[j]).Len()
	}
	legs := f.middle(r.Bones["leftUpperLeg"], r.Bones["rightUpperLeg"])
	both := func(a, b string) float32 {
		return (length("left"+a, "left"+b) + length("right"+a, "right"+b)) / 2
	}
	r.limbs = [5]float32{both("UpperLeg", "LowerLeg"), both("LowerLeg", "Foot"), 0, both("UpperArm", "LowerArm"), both("LowerArm", "Hand")}
	if l, k := r.bone("leftUpperArm"), r.bone("rightUpperArm"); l >= 0 && k >= 0 {
		r.limbs[2] = f.middle(l, k).Sub(legs).Len()
	}
	for _, x := range r.limbs {
		r.LimbLength += x
	}
	r.pelvis = legs.Sub(f.at[r.Hips])

	low := func(pose frame) float32 {
		at := float32(math.Inf(1))
		for _, b := range []string{"leftFoot", "rightFoot", "leftToes", "rightToes", "leftLowerLeg", "rightLowerLeg"} {
			if j := r.bone(b); j >= 0 {
				at = min(at, pose.at[j].Dot(r.Up))
			}
		}
		return at
	}
	reference := r.Reference
	r.Reference = r.base
	rest := r.now()
	r.Reference = reference
	restLegs := rest.middle(r.Bones["leftUpperLeg"], r.Bones["rightUpperLeg"])
	// The sole lies below the lowest joint of the feet by as much as it does at rest.
	ground, sole := low(rest), float32(0)
	if len(vertices) > 0 {
		lowest := float32(math.Inf(1))
		for _, v := range vertices {
			lowest = min(lowest, v.Dot(r.Up))
		}
		if d := ground - lowest; d > -0.1*r.LimbLength && d < 0.15*r.LimbLength {
			sole = d
		}
	}
	straight := legs.Dot(r.Up) - low(f)
	if sole == 0 && ground > 0 && ground < 0.1*r.LimbLength {
		sole = ground // most files stand on 0
	}
	r.HipHeight = straight + sole
	r.Floor = ground - sole
	if math.Abs(float64(r.Floor)) < 0.02*float64(r.LimbLength) || !r.Standing {
		r.Floor = 0
	}
	r.Unplaced = math.Abs(float64(restLegs.Dot(r.Up))) < 0.3*float64(r.HipHeight)
	across := flat(restLegs, r.Up)
	if !r.Standing {
		across = mgl32.Vec3{}
	}
	r.at = across.Add(r.Up.Mul(r.Floor + r.HipHeight))
}
