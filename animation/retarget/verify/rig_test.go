package verify

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// The tests bring clips over by a plain formula of their own, on two made-up
// persons that differ in all that rigs differ in.

// person says how a rig is built.
type person struct {
	seed   uint64     // of the joints' axes; 0: all alike
	leg    float64    // metres, hips to floor
	limb   float64    // of the rest, by which it is scaled
	arms   float64    // degrees that the arms hang below sideways
	turned mgl32.Quat // of the whole rig, at its root
	scale  float64    // of the whole rig, at its root; negative mirrors nothing that shows
	raw    float64    // of all lengths: 100 for centimetres
	prefix string
}

var upright = mgl32.QuatIdent()

func adult() person { return person{leg: 0.95, limb: 1, turned: upright, scale: 1, raw: 1} }
func dwarf() person {
	return person{seed: 7, leg: 0.4, limb: 0.9, arms: 0, turned: upright, scale: 1, raw: 1, prefix: "d_"}
}

type bone struct {
	name, bone string
	parent     int
	at         vec
}

// places are the joints of a person in metres, arms sideways.
func (p person) places() []bone {
	var out []bone
	l, s := p.leg/0.95, p.limb
	add := func(name, bone string, parent int, x, y, z float64) int {
		out = append(out, bone2(p.prefix+name, bone, parent, vec{x, y, z}))
		return len(out) - 1
	}
	root := add("root", "", -1, 0, 0, 0)
	h := 0.95 * l
	hips := add("hips", "hips", root, 0, h, 0)
	spine := add("spine", "spine", hips, 0, h+0.12*s, 0)
	chest := add("chest", "chest", spine, 0, h+0.3*s, 0)
	neck := add("neck", "neck", chest, 0, h+0.5*s, 0)
	add("head", "head", neck, 0, h+0.6*s, 0)
	for _, side := range []struct {
		name string
		x    float64
	}{{"left", 1}, {"right", -1}} {
		n, x := side.name, side.x*s
		a := add(n+"UpperArm", n+"UpperArm", chest, 0.18*x, h+0.45*s, 0)
		b := add(n+"LowerArm", n+"LowerArm", a, 0.46*x, h+0.45*s, 0)
		c := add(n+"Hand", n+"Hand", b, 0.7*x, h+0.45*s, 0)
		for i, f := range []string{"Thumb", "Index", "Middle"} {
			z := 0.03 * float64(1-i)
			f1 := add(n+f+"1", n+f+"Proximal", c, 0.78*x, h+0.45*s, z)
			add(n+f+"2", n+f+"Intermediate", f1, 0.82*x, h+0.45*s, z)
		}
		t := add(n+"UpperLeg", n+"UpperLeg", hips, side.x*0.1*s, 0.92*l, 0)
		k := add(n+"LowerLeg", n+"LowerLeg", t, side.x*0.1*s, 0.5*l, 0)
		f := add(n+"Foot", n+"Foot", k, side.x*0.1*s, 0.08*l, 0)
		add(n+"Toes", n+"Toes", f, side.x*0.1*s, 0, 0.14*s)
	}
	return out
}

func bone2(name, b string, parent int, at vec) bone { return bone{name, b, parent, at} }

// rig is a skeleton with what the plain formula needs.
type rig struct {
	*animation.Skeleton
	person person
	bones  []bone
	tpose  []quat // rotations in model space with the arms sideways: the common pose
	axes   []quat // each joint's own axes
}

func (p person) build() *rig {
	r := &rig{person: p, bones: p.places(), Skeleton: &animation.Skeleton{}}
	rng := rand.New(rand.NewPCG(p.seed, 1))
	hang := map[int]quat{} // by joint: how the rest pose differs from arms sideways
	for j, b := range r.bones {
		q := identity
		if p.seed != 0 {
			q = quat{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.unit()
		}
		r.axes = append(r.axes, q)
		d := identity
		if b.parent >= 0 {
			d = hang[b.parent]
		}
		if b.bone == "leftUpperArm" {
			d = about(vec{0, 0, 1}, -p.arms)
		}
		if b.bone == "rightUpperArm" {
			d = about(vec{0, 0, 1}, p.arms)
		}
		hang[j] = d
	}
	base := fromQuat(p.turned)
	world := make([]quat, len(r.bones)) // rest
	for j, b := range r.bones {
		r.tpose = append(r.tpose, base.mul(r.axes[j]))
		world[j] = base.mul(hang[j]).mul(r.axes[j])
		local, at := world[j], vec{}
		if b.parent >= 0 {
			local = world[b.parent].conj().mul(world[j])
			// Bones hang with their parents.
			at = b.at.sub(r.bones[b.parent].at).mul(p.raw)
			at = world[b.parent].conj().rotate(base.rotate(hang[b.parent].rotate(at)))
		}
		t := animation.Identity()
		t.Rotation = toQuat(local)
		t.Translation = toVec(at)
		if b.parent < 0 {
			t.Scale = mgl32.Vec3{float32(p.scale), float32(p.scale), float32(p.scale)}
		} else if p.scale != 1 {
			// In the rig's own units.
			t.Translation = toVec(at.mul(1 / p.scale))
		}
		r.Names = append(r.Names, b.name)
		r.Parents = append(r.Parents, int32(b.parent))
		r.Rest = append(r.Rest, t)
	}
	return r
}

func about(axis vec, degrees float64) quat {
	s, c := math.Sincos(degrees * math.Pi / 360)
	a := axis.unit().mul(s)
	return quat{a[0], a[1], a[2], c}
}

func fromQuat(q mgl32.Quat) quat {
	return quat{float64(q.V[0]), float64(q.V[1]), float64(q.V[2]), float64(q.W)}.unit()
}
func toQuat(q quat) mgl32.Quat {
	return mgl32.QuatXYZW(float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3]))
}
func toVec(v vec) mgl32.Vec3 { return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])} }

// dance is a motion in a body's own axes (left, up, ahead): how each joint is turned
// from the common pose in model space, and where the hips go, in metres of an adult.
type dance struct {
	frames int
	turn   func(bone string, t float64) quat
	hips   func(t float64) vec
}

func walk() dance {
	return dance{
		frames: 61,
		turn: func(bone string, t float64) quat {
			h := 0.0
			for _, r := range bone {
				h = math.Mod(h*31+float64(r), 97)
			}
			axis := vec{math.Sin(h), math.Cos(2 * h), math.Sin(3*h + 1)}
			q := about(vec{0, 1, 0}, 40*math.Sin(t*2)) // all turn with the body
			return q.mul(about(axis, 25*math.Sin(2*math.Pi*t+h)))
		},
		hips: func(t float64) vec { return vec{0.2 * math.Sin(t*3), 0.08 * math.Sin(2*math.Pi*t), 1.4 * t} },
	}
}

// faults are put in on purpose.
type faults struct {
	unaligned bool    // the rest pose is taken for the common pose
	height    float64 // a ratio for the height other than the right one
	distance  float64
	rootLost  bool // the displacement along the ground is left out
	skip      func(bone string) bool
	noRoot    bool // the source keeps the displacement on its root joint
}

// play writes the dance as a clip, at 60 keys a second.
func (r *rig) play(name string, d dance, f faults) *animation.Clip {
	p := r.person
	base := fromQuat(p.turned)
	n := len(r.bones)
	c := &animation.Clip{Name: name, Duration: float32(d.frames-1) / 60}
	times := make([]float32, d.frames)
	rot := make([][]float32, n)
	var hips, root []float32
	rest := animation.NewPose(r.Skeleton)
	model := make([]mgl32.Mat4, n)
	rest.ToModel(r.Skeleton, model)
	adult := 0.95
	kh, kd := p.leg/adult, p.limbs()/adultLimbs()
	if f.height != 0 {
		kh = f.height
	}
	if f.distance != 0 {
		kd = f.distance
	}
	if f.rootLost {
		kd = 0
	}
	for k := range d.frames {
		t := float64(k) / 60
		times[k] = float32(t)
		world := make([]quat, n)
		for j, b := range r.bones {
			if b.parent < 0 {
				world[j] = fromQuat(r.Rest[j].Rotation)
				rot[j] = append(rot[j], xyzw(world[j])...)
				continue
			}
			common := r.tpose[j]
			if f.unaligned {
				rotation, _ := rotationOf(&model[j])
				common = rotation
			}
			if b.bone == "" || f.skip != nil && f.skip(b.bone) {
				world[j] = world[b.parent].mul(fromQuat(r.Rest[j].Rotation))
			} else {
				// Turned about the body's axes: base brings them to model space.
				world[j] = base.mul(d.turn(b.bone, t)).mul(base.conj()).mul(common)
			}
			rot[j] = append(rot[j], xyzw(world[b.parent].conj().mul(world[j]))...)
		}
		g := d.hips(t)
		up := vec{0, g[1] * kh, 0}
		along := vec{g[0] * kd, 0, g[2] * kd}
		toRoot := vec{}
		if f.noRoot {
			toRoot, along = along, vec{}
		}
		// The point between the hip joints moves, and the hips turn about it.
		var socket vec
		for _, b := range r.bones {
			if strings.HasSuffix(b.bone, "UpperLeg") {
				socket = socket.add(b.at.mul(0.5))
			}
		}
		at := socket.add(d.turn("hips", t).rotate(r.bones[1].at.sub(socket))).add(up).add(along)
		// From body axes to the root joint's, which carries the rig's turn.
		q := world[0].conj().mul(base)
		hips = append(hips, xyz(q.rotate(at.mul(p.raw/p.scale)))...)
		root = append(root, xyz(base.rotate(toRoot.mul(p.raw)))...)
	}
	for j := range r.bones {
		if j == 0 && f.noRoot {
			c.Tracks = append(c.Tracks, animation.Track{Joint: 0, Path: animation.Translation, Width: 3, Times: times, Values: root})
		}
		if j == 1 {
			c.Tracks = append(c.Tracks, animation.Track{Joint: 1, Path: animation.Translation, Width: 3, Times: times, Values: hips})
		}
		c.Tracks = append(c.Tracks, animation.Track{Joint: int32(j), Path: animation.Rotation, Width: 4, Times: times, Values: rot[j]})
	}
	return c
}

func xyzw(q quat) []float32 {
	return []float32{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])}
}
func xyz(v vec) []float32 { return []float32{float32(v[0]), float32(v[1]), float32(v[2])} }

// limbs is what the distance is scaled by.
func (p person) limbs() float64 {
	l, s := p.leg/0.95, p.limb
	return 0.84*l + 0.52*s + 0.03*l + 0.45*s
}

func adultLimbs() float64 { return adult().limbs() }

// pairsOf pairs joints of the same bone, but those that are left out.
func pairsOf(a, b *rig, without ...string) (out []Pair) {
	for j, x := range a.bones {
		skip := x.bone == ""
		for _, w := range without {
			skip = skip || strings.Contains(x.bone, w)
		}
		for k, y := range b.bones {
			if !skip && y.bone == x.bone {
				out = append(out, Pair{Source: int32(j), Target: int32(k), Bone: x.bone})
			}
		}
	}
	return out
}
