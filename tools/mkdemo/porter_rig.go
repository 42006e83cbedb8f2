package main

import "fmt"

// cc begins the names of the porter's joints, as Character Creator's rigs have
// them: hip over pelvis and waist, twist and share bones along the limbs, a face.
const cc = "CC_Base_"

var (
	porterDigits = []string{"Thumb", "Index", "Mid", "Ring", "Pinky"}
	porterToes   = []string{"BigToe", "IndexToe", "MidToe", "RingToe", "PinkyToe"}
)

// bones collects a rig whose joints look along +Y to what follows them.
type bones struct {
	joints []joint
	turns  []quat
	old    []joint
	shape  shaped
}

// add puts a joint at a point, +Y along the direction, +Z as near to front as it
// goes.
func (b *bones) add(name string, parent int, at, along, front vec) int {
	y := along.unit()
	z := front.sub(y.mul(front.dot(y)))
	if z.len() < 1e-6 {
		z = vec{1, 0, 0}.sub(y.mul(y[0]))
	}
	z = z.unit()
	b.joints = append(b.joints, joint{name, parent, at})
	b.turns = append(b.turns, frameQuat(y.cross(z), y, z))
	return len(b.joints) - 1
}

// under puts a joint that turns with its parent at a point of the sculpt that
// follows one of its joints.
func (b *bones) under(name string, parent int, sculpt string, p vec) int {
	b.joints = append(b.joints, joint{name, parent, b.shape.place(b.old, indexOf(b.old, sculpt), p)})
	b.turns = append(b.turns, b.turns[parent])
	return len(b.joints) - 1
}

// at is where a joint of the sculpt stands.
func (b *bones) at(sculpt string) vec { return b.shape.at[indexOf(b.old, sculpt)] }

// between adds a joint at t of the way between two of the sculpt's, turned as its
// parent.
func (b *bones) between(name string, parent int, from, to string, t float64) int {
	b.joints = append(b.joints, joint{name, parent, b.at(from).lerp(b.at(to), t)})
	b.turns = append(b.turns, b.turns[parent])
	return len(b.joints) - 1
}

// porterRig is all 213 joints.
func porterRig(old []joint, shape shaped) *bones {
	b := &bones{old: old, shape: shape}
	up, ahead := vec{0, 1, 0}, vec{0, 0, 1}
	root := b.add(cc+"BoneRoot", -1, vec{}, up, ahead)
	hip := b.add(cc+"Hip", root, b.at("hips"), up, ahead)
	pelvis := b.add(cc+"Pelvis", hip, b.at("hips"), up.mul(-1), ahead)
	waist := b.add(cc+"Waist", hip, b.at("spine_01"), b.at("spine_02").sub(b.at("spine_01")), ahead)
	spine1 := b.add(cc+"Spine01", waist, b.at("spine_02"), b.at("spine_03").sub(b.at("spine_02")), ahead)
	spine2 := b.add(cc+"Spine02", spine1, b.at("spine_03"), b.at("neck").sub(b.at("spine_03")), ahead)
	neck1 := b.add(cc+"NeckTwist01", spine2, b.at("neck"), b.at("head").sub(b.at("neck")), ahead)
	neck2 := b.between(cc+"NeckTwist02", neck1, "neck", "head", 0.5)
	head := b.add(cc+"Head", neck2, b.at("head"), up, ahead)
	b.face(head)
	for i, lr := range []string{"L_", "R_"} {
		side, out := []string{"_l", "_r"}[i], 1-2*float64(i)
		b.arm(cc+lr, side, out, spine2)
		b.leg(cc+lr, side, out, pelvis)
		mirrored := func(p vec) vec { return vec{p[0] * out, p[1], p[2]} }
		b.under(cc+lr+"RibsTwist", spine2, "spine_03", mirrored(vec{0.10, 1.28, 0}))
		b.under(cc+lr+"Breast", spine2, "spine_03", mirrored(vec{0.07, 1.36, 0.08}))
		b.under(lr+"Trapezius", spine2, "spine_03", mirrored(vec{0.07, 1.48, -0.03}))
		b.under(lr+"Latissimus", spine2, "spine_03", mirrored(vec{0.12, 1.28, -0.07}))
		b.under(lr+"Oblique", waist, "spine_01", mirrored(vec{0.11, 1.10, 0.02}))
		// The pack hangs from two straps of three joints.
		strap := spine2
		for k := range 3 {
			strap = b.under(fmt.Sprintf("%sStrap%02d", lr, k+1), strap, "spine_03", mirrored(vec{0.10, 1.48 - 0.11*float64(k), 0.06 + 0.03*float64(k)}))
		}
		b.under(lr+"Pouch01", pelvis, "hips", mirrored(vec{0.15, 0.99, 0.06}))
		b.under(lr+"Pouch02", pelvis, "hips", mirrored(vec{0.16, 0.98, -0.04}))
	}
	b.under("Belly", waist, "spine_01", vec{0, 1.10, 0.13})
	b.under("Pack", spine2, "spine_03", vec{0, 1.30, -0.19})
	b.under("Bedroll", spine2, "spine_03", vec{0, 1.425, -0.196})
	b.under("PackLid", spine2, "spine_03", vec{0, 1.375, -0.19})
	b.under("Buckle", pelvis, "hips", vec{0, 1.03, 0.12})
	return b
}

func (b *bones) arm(lr, side string, out float64, chest int) {
	ahead := vec{0, 0, 1}
	along := func(from, to string) vec { return b.at(to + side).sub(b.at(from + side)) }
	clavicle := b.add(lr+"Clavicle", chest, b.at("clavicle"+side), along("clavicle", "upperarm"), ahead)
	upper := b.add(lr+"Upperarm", clavicle, b.at("upperarm"+side), along("upperarm", "lowerarm"), ahead)
	fore := b.add(lr+"Forearm", upper, b.at("lowerarm"+side), along("lowerarm", "hand"), ahead)
	hand := b.add(lr+"Hand", fore, b.at("hand"+side), along("hand", "middle_01"), ahead)
	b.between(lr+"UpperarmTwist01", upper, "upperarm"+side, "lowerarm"+side, 0.30)
	b.between(lr+"UpperarmTwist02", upper, "upperarm"+side, "lowerarm"+side, 0.70)
	b.between(lr+"ElbowShareBone", upper, "upperarm"+side, "lowerarm"+side, 1)
	b.between(lr+"ForearmTwist01", fore, "lowerarm"+side, "hand"+side, 0.30)
	b.between(lr+"ForearmTwist02", fore, "lowerarm"+side, "hand"+side, 0.70)
	b.under(lr[len(cc):]+"Deltoid", clavicle, "clavicle"+side, vec{out * 0.20, 1.49, -0.016})
	b.under(lr[len(cc):]+"HandSocket", hand, "hand"+side, vec{out * 0.79, 1.41, 0.004})
	for i, d := range digits {
		parent := hand
		bone := func(part string) string { return d.name + part + side }
		if i > 0 {
			at := b.at("hand"+side).lerp(b.at(bone("_01")), 0.42)
			parent = b.add(lr+porterDigits[i]+"Metacarpal", hand, at, b.at(bone("_01")).sub(at), ahead)
		}
		for k, part := range []string{"_01", "_02", "_03", "_tip"} {
			way := b.at(bone("_tip")).sub(b.at(bone("_03")))
			if k < 3 {
				way = b.at(bone([]string{"_02", "_03", "_tip"}[k])).sub(b.at(bone(part)))
			}
			parent = b.add(fmt.Sprintf("%s%s%d", lr, porterDigits[i], k+1), parent, b.at(bone(part)), way, ahead)
			if k == 0 {
				b.under(lr[len(cc):]+porterDigits[i]+"Knuckle", parent, bone(part), d.at(out, 0.008))
			}
		}
	}
}

// at is a point above the digit's first joint.
func (d digit) at(out, above float64) vec {
	return vec{d.base[0] * out, d.base[1] + above, d.base[2]}
}

func (b *bones) leg(lr, side string, out float64, pelvis int) {
	ahead := vec{0, 0, 1}
	along := func(from, to string) vec { return b.at(to + side).sub(b.at(from + side)) }
	thigh := b.add(lr+"Thigh", pelvis, b.at("thigh"+side), along("thigh", "calf"), ahead)
	calf := b.add(lr+"Calf", thigh, b.at("calf"+side), along("calf", "foot"), ahead)
	foot := b.add(lr+"Foot", calf, b.at("foot"+side), along("foot", "toe"), ahead)
	ball := b.add(lr+"ToeBase", foot, b.at("toe"+side), along("toe", "toe_tip"), vec{0, 1, 0})
	b.between(lr+"ThighTwist01", thigh, "thigh"+side, "calf"+side, 0.30)
	b.between(lr+"ThighTwist02", thigh, "thigh"+side, "calf"+side, 0.70)
	b.between(lr+"KneeShareBone", thigh, "thigh"+side, "calf"+side, 1)
	b.between(lr+"CalfTwist01", calf, "calf"+side, "foot"+side, 0.30)
	b.between(lr+"CalfTwist02", calf, "calf"+side, "foot"+side, 0.70)
	b.between(lr+"ToeBaseShareBone", foot, "foot"+side, "toe"+side, 1)
	b.under(lr[len(cc):]+"Gluteus", pelvis, "hips", vec{out * 0.08, 0.92, -0.07})
	for i, toe := range porterToes {
		x := out * (0.078 + 0.0145*float64(i))
		first := b.under(lr+toe+"1", ball, "toe"+side, vec{x, 0.022, 0.128})
		b.under(lr+toe+"2", first, "toe"+side, vec{x, 0.020, 0.160 - 0.004*float64(i)})
	}
}

// face is what hangs on the head: jaw, tongue and eyes, and helpers about brows,
// lids, cheeks, nose, lips and ears.
func (b *bones) face(head int) {
	at := func(name string, parent int, p vec) int { return b.under(name, parent, "head", p) }
	face := at(cc+"FacialBone", head, vec{0, 1.63, 0.03})
	jaw := at(cc+"JawRoot", face, vec{0, 1.620, 0.000})
	at(cc+"Teeth02", jaw, vec{0, 1.600, 0.060})
	tongue := jaw
	for k := range 3 {
		tongue = at(fmt.Sprintf("%sTongue%02d", cc, k+1), tongue, vec{0, 1.602, 0.030 + 0.012*float64(k)})
	}
	upper := at(cc+"UpperJaw", face, vec{0, 1.630, 0.010})
	at(cc+"Teeth01", upper, vec{0, 1.612, 0.062})
	for i, lr := range []string{"L_", "R_"} {
		out := 1 - 2*float64(i)
		row := func(name string, parent, n int, from, to vec) {
			for k := range n {
				p := from.lerp(to, float64(k)/max(float64(n-1), 1))
				at(fmt.Sprintf("%s%s%02d", lr, name, k+1), parent, vec{p[0] * out, p[1], p[2]})
			}
		}
		eye := at(cc+lr+"Eye", face, vec{0.037 * out, 1.654, 0.070})
		at(lr+"EyeAim", eye, vec{0.037 * out, 1.654, 0.140})
		row("Brow", face, 3, vec{0.016, 1.684, 0.088}, vec{0.058, 1.682, 0.066})
		row("UpperLid", face, 3, vec{0.024, 1.664, 0.086}, vec{0.052, 1.664, 0.076})
		row("LowerLid", face, 3, vec{0.024, 1.644, 0.086}, vec{0.052, 1.644, 0.076})
		row("Cheek", face, 3, vec{0.030, 1.630, 0.080}, vec{0.060, 1.620, 0.050})
		row("Nostril", upper, 1, vec{0.010, 1.628, 0.094}, vec{})
		row("UpperLip", upper, 2, vec{0.010, 1.612, 0.088}, vec{0.020, 1.610, 0.084})
		row("LowerLip", jaw, 2, vec{0.010, 1.598, 0.086}, vec{0.020, 1.599, 0.082})
		row("LipCorner", jaw, 1, vec{0.028, 1.604, 0.076}, vec{})
		row("Ear", head, 2, vec{0.084, 1.650, -0.008}, vec{0.086, 1.672, -0.012})
	}
	at("Nose", upper, vec{0, 1.634, 0.098})
	at("Cap", head, vec{0, 1.72, -0.01})
	at("Brim", head, vec{0, 1.697, 0.13})
	at("HeadSocket", head, vec{0, 1.80, -0.01})
	at("Lantern", head, vec{0, 1.715, 0.09})
}
