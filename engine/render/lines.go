package render

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

// The colours of collider lines by state, linear RGBA.
var (
	colorStatic    = mgl32.Vec4{0.35, 0.55, 0.95, 0.9}
	colorAwake     = mgl32.Vec4{0.15, 0.85, 0.30, 1}
	colorAsleep    = mgl32.Vec4{0.35, 0.38, 0.35, 0.9}
	colorKinematic = mgl32.Vec4{0.95, 0.55, 0.10, 1}
	colorTrigger   = mgl32.Vec4{0.85, 0.25, 0.85, 0.8}
	colorTouching  = mgl32.Vec4{0.95, 0.12, 0.10, 1}
)

// ColliderColor is the colour of a collider's lines: what it is, and for those
// that move or wait, whether something touches it.
func ColliderColor(s physics.State) mgl32.Vec4 {
	switch {
	case s.Has(physics.StateTouching) && (s.Has(physics.StateKinematic) || s.Has(physics.StateTrigger)):
		return colorTouching
	case s.Has(physics.StateTrigger):
		return colorTrigger
	case s.Has(physics.StateKinematic):
		return colorKinematic
	case s.Has(physics.StateAsleep):
		return colorAsleep
	case s.Has(physics.StateDynamic):
		return colorAwake
	}
	return colorStatic
}

// AddColliders adds the outlines of shapes to Lines.
func (f *Frame) AddColliders(colliders []physics.Collider) {
	for i := range colliders {
		c := &colliders[i]
		p := outline{at: c.Position, turn: c.Rotation, color: ColliderColor(c.State), out: f.Lines}
		switch c.Shape.Kind {
		case physics.BoxShape:
			p.box(c.Shape.HalfExtents)
		case physics.SphereShape:
			p.capsule(c.Shape.Radius, 0)
		case physics.CapsuleShape:
			p.capsule(c.Shape.Radius, c.Shape.Height)
		case physics.PlaneShape:
			p.plane(c.Shape.Normal)
		}
		f.Lines = p.out
	}
}

// AddSkeleton adds a line from each joint to its parent to Overlay. Joints that
// no joint of a skin hangs below are left out where the model has skins.
func (f *Frame) AddSkeleton(world mgl32.Mat4, a *animation.Animator) {
	bone := mgl32.Vec4{1, 0.72, 0.15, 1}
	tip := mgl32.Vec4{1, 0.95, 0.75, 1}
	model := a.Model()
	for _, skin := range a.Skins() {
		for _, j := range skin.Joints {
			parent := a.Skeleton().Parents[j]
			if parent < 0 || !holds(skin.Joints, parent) {
				continue
			}
			from := mgl32.TransformCoordinate(model[parent].Col(3).Vec3(), world)
			to := mgl32.TransformCoordinate(model[j].Col(3).Vec3(), world)
			f.Overlay = octahedron(f.Overlay, from, to, bone, tip)
		}
	}
}

func holds(joints []int32, j int32) bool {
	for _, k := range joints {
		if k == j {
			return true
		}
	}
	return false
}

// octahedron is the long four-sided shape that animation programs draw a bone
// as: thick near its parent's end.
func octahedron(out []LineVertex, from, to mgl32.Vec3, color, tip mgl32.Vec4) []LineVertex {
	d := to.Sub(from)
	length := d.Len()
	if length < 1e-5 {
		return out
	}
	turn := mgl32.QuatBetweenVectors(mgl32.Vec3{0, 1, 0}, d)
	thick := length * 0.07
	waist := from.Add(d.Mul(0.15))
	var ring [4]mgl32.Vec3
	for i, v := range [4]mgl32.Vec3{{thick, 0, 0}, {0, 0, thick}, {-thick, 0, 0}, {0, 0, -thick}} {
		ring[i] = waist.Add(turn.Rotate(v))
	}
	for i, r := range ring {
		out = append(out,
			LineVertex{from, color}, LineVertex{r, color},
			LineVertex{r, color}, LineVertex{to, tip},
			LineVertex{r, color}, LineVertex{ring[(i+1)%4], color})
	}
	return out
}

// outline draws shapes at a place.
type outline struct {
	at    mgl32.Vec3
	turn  mgl32.Quat
	color mgl32.Vec4
	out   []LineVertex
}

func (p *outline) line(a, b mgl32.Vec3) {
	p.out = append(p.out,
		LineVertex{p.at.Add(p.turn.Rotate(a)), p.color},
		LineVertex{p.at.Add(p.turn.Rotate(b)), p.color})
}

func (p *outline) box(h mgl32.Vec3) {
	corner := func(i int) mgl32.Vec3 {
		v := h
		for c := range 3 {
			if i>>c&1 == 0 {
				v[c] = -h[c]
			}
		}
		return v
	}
	for i := range 8 {
		for c := range 3 {
			if j := i | 1<<c; j != i {
				p.line(corner(i), corner(j))
			}
		}
	}
}

// capsule draws the caps around the ends of a line of the given length along Y;
// of length 0 it is a sphere.
func (p *outline) capsule(radius, length float32) {
	const n = 24
	half := length / 2
	at := func(i int) (float32, float32) {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		return float32(c) * radius, float32(s) * radius
	}
	for i := range n {
		x0, y0 := at(i)
		x1, y1 := at(i + 1)
		for _, end := range [2]float32{half, -half} {
			p.line(mgl32.Vec3{x0, end, y0}, mgl32.Vec3{x1, end, y1})
			if half == 0 {
				break
			}
		}
		end := half
		if i >= n/2 {
			end = -half
		}
		p.line(mgl32.Vec3{x0, y0 + end, 0}, mgl32.Vec3{x1, y1 + end, 0})
		p.line(mgl32.Vec3{0, y0 + end, x0}, mgl32.Vec3{0, y1 + end, x1})
	}
	if half == 0 {
		return
	}
	for _, v := range [4]mgl32.Vec3{{radius, 0, 0}, {-radius, 0, 0}, {0, 0, radius}, {0, 0, -radius}} {
		p.line(v.Add(mgl32.Vec3{0, half, 0}), v.Add(mgl32.Vec3{0, -half, 0}))
	}
}

// plane draws a grid of metres around the plane's point.
func (p *outline) plane(normal mgl32.Vec3) {
	p.turn = p.turn.Mul(mgl32.QuatBetweenVectors(mgl32.Vec3{0, 1, 0}, normal))
	p.color[3] *= 0.35
	const n = 10
	for i := -n; i <= n; i++ {
		p.line(mgl32.Vec3{float32(i), 0.002, -n}, mgl32.Vec3{float32(i), 0.002, n})
		p.line(mgl32.Vec3{-n, 0.002, float32(i)}, mgl32.Vec3{n, 0.002, float32(i)})
	}
}
