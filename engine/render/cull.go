package render

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// reach says who sees an instance: the camera, the sun, both, or only lamps that
// cast shadows. They are written in this order, so that what each pass draws lies
// together.
type reach uint8

const (
	cameraOnly reach = iota
	cameraAndSun
	sunOnly
	lampsOnly
	nobody
	reaches = int(nobody)
)

// frustum is six planes, n·p + d ≥ 0 inside.
type frustum [6]mgl32.Vec4

// frustumOf reads the planes of a matrix to Vulkan's clip space: -w ≤ x, y ≤ w and
// 0 ≤ z ≤ w (Gribb, Hartmann, "Fast extraction of viewing frustum planes", 2001).
func frustumOf(m *mgl32.Mat4) frustum {
	row := func(i int) mgl32.Vec4 { return mgl32.Vec4{m[i], m[4+i], m[8+i], m[12+i]} }
	x, y, z, w := row(0), row(1), row(2), row(3)
	return frustum{w.Add(x), w.Sub(x), w.Add(y), w.Sub(y), z, w.Sub(z)}
}

// misses reports whether a box lies outside one of the planes as a whole. A box of
// which a number is not finite does not.
func (f *frustum) misses(b *animation.Box) bool {
	for i := range f {
		p := &f[i]
		far := p[3]
		for c := range 3 {
			far += max(p[c]*b.Min[c], p[c]*b.Max[c])
		}
		if far < 0 {
			return true
		}
	}
	return false
}

// nodeBounds bounds what is drawn of one node, whatever the pose: rigid is of its
// primitives without a skin, in mesh space, skin of the others, by palette slot.
type nodeBounds struct {
	rigid   animation.Box
	targets []animation.Box // by morph target the least and most that it moves rigid
	skin    *animation.JointBoxes
	slots   int
	still   []mgl32.Mat4 // identities, for entities without an animator
	unknown bool         // its primitives are malformed: it is never culled
}

// boundsOf are the bounds of the part's nodes, in their order, made once.
func (p *part) boundsOf() []nodeBounds {
	if p.bounds == nil {
		p.bounds = make([]nodeBounds, len(p.nodes))
		for i, node := range p.nodes {
			p.bounds[i] = p.model.bound(node)
		}
	}
	return p.bounds
}

func (r *Model) bound(node int32) nodeBounds {
	m := r.packed
	if m == nil {
		m = r.Source
	}
	b := nodeBounds{rigid: animation.NoBox()}
	n := &m.Nodes[node]
	if n.Skin >= 0 {
		// Slots instead of joints: bounds are then asked of a palette, and hold
		// for whatever skeleton made it.
		b.slots = len(m.Skins[n.Skin].Joints)
		slots := &animation.Skin{Joints: make([]int32, b.slots), InverseBind: make([]mgl32.Mat4, b.slots)}
		b.still = slots.InverseBind
		for i := range slots.Joints {
			slots.Joints[i], slots.InverseBind[i] = int32(i), mgl32.Ident4()
		}
		b.skin = animation.NewJointBoxes(slots)
	}
	for i := range m.Meshes[n.Mesh].Primitives {
		p := &m.Meshes[n.Mesh].Primitives[i]
		sets := min(len(p.Joints), len(p.Weights), 2)
		if b.skin != nil && sets > 0 {
			// Dual quaternions bulge out of the box that linear skinning stays in.
			b.unknown = b.unknown || p.DualQuaternion != nil
			targets := make([][]mgl32.Vec3, len(p.Targets))
			for t := range p.Targets {
				targets[t] = p.Targets[t].Positions
			}
			for set := range sets {
				b.unknown = b.unknown || b.skin.Add(p.Positions, p.Joints[set], p.Weights[set], targets) != nil
			}
			continue
		}
		for v, at := range p.Positions {
			b.rigid = b.rigid.With(at)
			for t := range p.Targets {
				if len(b.targets) <= t {
					b.targets = append(b.targets, animation.Box{})
				}
				if d := p.Targets[t].Positions; v < len(d) {
					b.targets[t] = b.targets[t].With(d[v])
				}
			}
		}
	}
	return b
}

// worldBox is a box in the world around what is drawn of a part for an entity, and
// whether there is one.
func (p *part) worldBox(sh *shown) (animation.Box, bool) {
	out := animation.NoBox()
	bounds := p.boundsOf()
	a := sh.entity.Animator
	for i := range bounds {
		b, node := &bounds[i], p.nodes[i]
		if b.unknown {
			return out, false
		}
		weights := restWeights(p.model.Source.Skeleton, node)
		if a != nil {
			weights = a.MorphWeights(int(node))
		}
		if !b.rigid.Empty() {
			box := b.rigid
			for t, w := range weights[:min(len(weights), len(b.targets))] {
				lo, hi := b.targets[t].Min.Mul(w), b.targets[t].Max.Mul(w)
				box.Min, box.Max = box.Min.Add(lo.Min(hi)), box.Max.Add(lo.Max(hi))
			}
			m := sh.base
			if b.skin == nil {
				m = m.Mul4(p.nodeMatrices(sh)[node])
			}
			out = out.Join(padded(box).Transform(&m))
		}
		if b.skin == nil {
			continue
		}
		palette := b.still
		if a != nil {
			if palette = a.Palette(int(p.model.Source.Nodes[node].Skin)); len(palette) < b.slots {
				return out, false
			}
		}
		if box := b.skin.Bounds(palette, weights); !box.Empty() {
			out = out.Join(padded(box).Transform(&sh.base))
		} else if b.rigid.Empty() {
			return out, false // no vertex, or a matrix that is no number
		}
	}
	return out, !out.Empty()
}

// padded is a box with room for what rounding of positions and weights moves.
func padded(b animation.Box) animation.Box {
	const share = 1e-3
	most := float32(0)
	for c := range 3 {
		most = max(most, float32(math.Abs(float64(b.Min[c]))), float32(math.Abs(float64(b.Max[c]))))
	}
	pad := mgl32.Vec3{most * share, most * share, most * share}
	return animation.Box{Min: b.Min.Sub(pad), Max: b.Max.Add(pad)}
}

// cull sorts each part's entities by who sees them, drops those whom nobody sees,
// and gives the others' palettes places among the bones.
func (f *Frame) cull(sun bool) (boneCount int) {
	camera, shadow := frustumOf(&f.Globals.ViewProjection), frustumOf(&f.Globals.Shadow)
	f.Culled = 0
	for _, p := range f.parts {
		for k := range f.sorted {
			f.sorted[k] = f.sorted[k][:0]
		}
		for i := range p.shown {
			sh := &p.shown[i]
			sees, shades := true, sun && !p.noShadow
			if box, ok := p.worldBox(sh); ok {
				sees = !camera.misses(&box)
				shades = shades && !shadow.misses(&box)
				sh.lamps = f.lampsThatSee(&box)
			} else {
				sh.lamps = f.lampsThatSee(nil)
			}
			if p.noShadow {
				sh.lamps = 0
			}
			switch {
			case sees && !shades:
				sh.reach = cameraOnly
			case sees:
				sh.reach = cameraAndSun
			case shades:
				sh.reach = sunOnly
			case sh.lamps != 0:
				sh.reach = lampsOnly
			default:
				f.Culled++
				continue
			}
			f.sorted[sh.reach] = append(f.sorted[sh.reach], *sh)
		}
		p.shown = p.shown[:0]
		for k := range f.sorted {
			p.shown = append(p.shown, f.sorted[k]...)
			clear(f.sorted[k]) // entities that were removed are not held
		}
		for i := range p.shown {
			sh := &p.shown[i]
			if sh.entity.Animator == nil {
				continue
			}
			if n := len(sh.entity.Animator.Palettes()); n > 0 {
				sh.palette = int32(boneCount)
				boneCount += n
			}
		}
	}
	return boneCount
}
