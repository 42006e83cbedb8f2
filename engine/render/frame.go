package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// Frame is what one frame draws: the globals, the batches, and where the
// frame's ring holds the records that shaders read. One Frame is reused for all
// frames, so a steady frame allocates nothing.
type Frame struct {
	Globals Globals
	// Opaque are drawn by the shadow and geometry passes, roughly from front to
	// back so that little is shaded twice; Blended, from back to front, by the
	// transparent pass.
	Opaque, Blended []Batch
	Lines           []LineVertex // world-space segments for the collider pass
	Overlay         []LineVertex // the same, drawn over everything
	// Failed is the first error of an upload, such as a model that does not fit
	// into memory; what failed is left out.
	Failed error
	// Coats is set where an opaque surface has a clear coat, Glows where one has
	// light of its own.
	Coats, Glows bool
	// Culled is how many entities' meshes neither the camera nor the sun nor a lamp
	// sees.
	Culled int

	globals, instances, bones, lights gpu.Range
	parts                             []*part // shown this frame
	lightList                         []lightRecord
	lamps                             [MaxLamps]Lamp
	lampCount                         int      // of those that ChooseLamps chose
	casts                             []uint32 // by instance: which faces of lamps see it, bit LampFace; then what Batch.casts says
	contenders                        []contender
	morph                             morpher
	bounds                            bounds
	sorted                            [reaches][]shown
	factors                           []Factors
	moved                             struct { // room for one material
		material assets.Material
		coat     assets.Clearcoat
	}
}

// Batch is one instanced draw of one primitive.
type Batch struct {
	Primitive             *Primitive
	Positions, Attributes gpu.Range // the primitive's, or morphed ones
	First, Count          int       // instances that the camera sees
	// ShadowFirst and ShadowCount are those that the sun sees.
	ShadowFirst, ShadowCount int
	Mirrored                 bool // the instances turn the winding around
	NoShadow                 bool
	written                  int      // instances from First on: also those that only the sun or a lamp sees
	lamps                    uint32   // the faces of lamps that see some of them
	casts                    int      // where in Frame.casts the faces of each lie
	pieced                   bool     // there, of each the primitive's pieces
	Factors                  *Factors // the instance's own numbers of the material; nil: the model's
	distance                 float32  // from the eye, for sorting
}

// LineVertex is one end of a line; color is linear RGBA.
type LineVertex struct {
	Position mgl32.Vec3
	Color    mgl32.Vec4
}

// instance is struct Instance of shaders/frame.glsl.
type instance struct {
	rows           [3]mgl32.Vec4
	palette, morph uint32
	entity, flags  uint32
}

// bone is the three rows that shaders/skin.glsl reads of a bone.
type bone [3]mgl32.Vec4

// View says from where and how a frame is drawn.
type View struct {
	Camera        *scene.Entity
	Width, Height int     // pixels
	Time          float32 // seconds since the start
}

// Upload collects what the scene shows and writes it into the frame's ring:
// globals, instance records, palettes and lights, each once. It runs after
// animation and before the first pass is recorded.
func (f *Frame) Upload(l *Library, g *gpu.Frame, s *scene.Scene, v View) error {
	f.Opaque, f.Blended, f.lightList = f.Opaque[:0], f.Blended[:0], f.lightList[:0]
	f.Failed, f.bounds = nil, emptyBounds()

	f.Globals.Eye[3] = v.Time
	f.Globals.setCamera(v.Camera, v.Width, v.Height)
	f.Globals.setEnvironment(&s.Environment)
	f.setLamps()
	identity := f.collect(l, s)
	if center, radius := s.Environment.ShadowFocus, s.Environment.ShadowRadius; radius > 0 {
		f.Globals.setShadow(center, radius)
	} else {
		f.Globals.setShadow(f.bounds.ball())
	}
	boneCount := f.cull(s.Environment.Shadows)
	f.writeBones(g, boneCount, identity)
	f.writeFactors(g)
	f.writeInstances(g)
	slices.SortStableFunc(f.Opaque, func(a, b Batch) int { return cmp.Compare(a.distance, b.distance) })
	slices.SortStableFunc(f.Blended, func(a, b Batch) int { return cmp.Compare(b.distance, a.distance) })

	f.Coats = slices.ContainsFunc(f.Opaque, func(b Batch) bool { return b.Primitive.Maps&Coated != 0 })
	f.Glows = slices.ContainsFunc(f.Opaque, func(b Batch) bool { return b.Factors != nil || b.Primitive.Material.Glows })
	f.Globals.Counts[0] = uint32(len(f.lightList))
	f.listLamps()
	f.Globals.Counts[1] = uint32(len(f.lightList))
	f.lights = put(g, f.lightList)
	f.globals = g.Alloc(int(unsafe.Sizeof(f.Globals)), 16)
	*(*Globals)(unsafe.Pointer(&f.globals.Bytes[0])) = f.Globals
	f.writeLamps(g)
	return f.Failed
}

// Bind binds set 0 of the current pipeline.
func (f *Frame) Bind(c *gpu.Commands) {
	c.Bind(0, gpu.StorageBytes(0, f.globals), gpu.StorageBytes(1, f.instances),
		gpu.StorageBytes(2, f.bones), gpu.StorageBytes(3, f.lights))
}

// collect sorts the entities that are not hidden under the parts that they show.
// identity is how many identity bones the models without an animator need.
func (f *Frame) collect(l *Library, s *scene.Scene) (identity int) {
	for _, p := range f.parts {
		p.shown, p.changed = p.shown[:0], false
	}
	f.parts = f.parts[:0]
	for e := range s.All() {
		if !e.Visible() {
			continue
		}
		if e.Light != nil && !f.isLamp(e) {
			f.lightList = append(f.lightList, record(e))
		}
		if e.Mesh == nil || e.Mesh.Model == nil {
			continue
		}
		m, err := l.Model(e.Mesh.Model)
		if err != nil {
			if f.Failed == nil {
				f.Failed = fmt.Errorf("entity %s: %w", e.Name, err)
			}
			continue
		}
		if a := e.Animator; a != nil && (a.Skeleton().Len() != m.Source.Skeleton.Len() || len(a.Palettes()) < m.joints) {
			if f.Failed == nil {
				f.Failed = fmt.Errorf("entity %s: its animator has %d joints and %d bones where its model %s has %d and %d: make it of the model's skeleton and skins",
					e.Name, a.Skeleton().Len(), len(a.Palettes()), m.Source.Name, m.Source.Skeleton.Len(), m.joints)
			}
			continue
		}
		p := m.part(l, e.Mesh)
		if len(p.nodes) == 0 {
			continue
		}
		if len(p.shown) == 0 {
			f.parts = append(f.parts, p)
		}
		sh := shown{entity: e, base: e.World(), palette: -1}
		if p.root >= 0 {
			sh.base = sh.base.Mul4(p.nodeMatrices(&sh)[p.root].Inv())
		}
		if e.Animator == nil {
			identity = max(identity, m.joints)
		}
		p.shown = append(p.shown, sh)
		f.bounds.add(p, &sh)
	}
	return identity
}

// writeBones copies the palettes. The identity bones lie after them.
func (f *Frame) writeBones(g *gpu.Frame, boneCount, identity int) {
	f.bones = g.Alloc(max(boneCount+identity, 1)*int(unsafe.Sizeof(bone{})), 16)
	bones := view[bone](f.bones)
	for _, p := range f.parts {
		for i := range p.shown {
			sh := &p.shown[i]
			if sh.palette < 0 {
				sh.palette = int32(boneCount)
				continue
			}
			out := bones[sh.palette:]
			for j, m := range sh.entity.Animator.Palettes() {
				out[j] = rows(&m)
			}
		}
	}
	one := mgl32.Ident4()
	for i := range identity {
		bones[boneCount+i] = rows(&one)
	}
}

// writeInstances writes one record for each node of a part and entity that
// shows it, and makes the batches. Mirrored instances follow the others, since
// their faces wind the other way; those with materials of their own are drawn one
// by one.
func (f *Frame) writeInstances(g *gpu.Frame) {
	total := 0
	for _, p := range f.parts {
		total += len(p.nodes) * len(p.shown)
	}
	f.instances = g.Alloc(max(total, 1)*int(unsafe.Sizeof(instance{})), 16)
	f.casts = append(f.casts[:0], make([]uint32, total)...)
	out, next := view[instance](f.instances), 0
	for _, p := range f.parts {
		for _, node := range p.nodes {
			for _, mirrored := range [2]bool{false, true} {
				first, counts := next, [reaches]int{}
				for i := range p.shown {
					sh := &p.shown[i]
					if sh.changed() || !f.writeInstance(g, p, sh, node, mirrored, out, next) {
						continue
					}
					counts[sh.reach]++
					next++
				}
				f.addBatches(p, node, first, counts, mirrored, out, nil)
				for i := range p.shown {
					sh := &p.shown[i]
					if !p.changed || !sh.changed() || !f.writeInstance(g, p, sh, node, mirrored, out, next) {
						continue
					}
					counts = [reaches]int{}
					counts[sh.reach] = 1
					f.addBatches(p, node, next, counts, mirrored, out, sh)
					next++
				}
			}
		}
	}
}

// writeInstance writes the record at next, and draws what of the node has morph
// targets. It reports false where the instance is no such as is asked for.
func (f *Frame) writeInstance(g *gpu.Frame, p *part, sh *shown, node int32, mirrored bool, out []instance, next int) bool {
	m, palette := p.instanceMatrix(sh, node)
	if (m.Mat3().Det() < 0) != mirrored {
		return false
	}
	out[next] = instance{rows: rows(&m), palette: palette, entity: sh.entity.ID()}
	f.casts[next] = sh.lamps
	f.addMorphed(g, p, sh, node, next, mirrored)
	return true
}

// addBatches draws the primitives of a node for the instances from first on, so
// many of each reach. Blended ones are drawn one by one, in order of distance. own
// is the single instance's entity where it has materials of its own.
func (f *Frame) addBatches(p *part, node int32, first int, counts [reaches]int, mirrored bool, out []instance, own *shown) {
	count, shadows := counts[cameraOnly]+counts[cameraAndSun], counts[cameraAndSun]+counts[sunOnly]
	written := count + counts[sunOnly] + counts[lampsOnly]
	if written == 0 {
		return
	}
	prims := p.model.meshes[p.model.Source.Nodes[node].Mesh]
	for i := range prims {
		prim := &prims[i]
		if len(prim.source.Targets) > 0 {
			continue // addMorphed has drawn it
		}
		b := Batch{
			Primitive: prim, Positions: prim.Positions, Attributes: prim.Attributes,
			First: first, Count: count, ShadowFirst: first + counts[cameraOnly], ShadowCount: shadows, Mirrored: mirrored,
			NoShadow: p.noShadow, written: written,
		}
		f.setCasts(&b, out)
		if own != nil {
			b.Factors = f.factorsOf(own, prim.Material)
		}
		if !prim.Material.Blend {
			b.distance = farthest(out[first:first+count], f.Globals.Eye.Vec3()) + p.radius()
			f.Opaque = append(f.Opaque, b)
			continue
		}
		b.Count, b.ShadowCount = 1, 0
		for j := range count {
			b.First = first + j
			b.distance = f.distance(&out[b.First])
			f.Blended = append(f.Blended, b)
		}
	}
}

// farthest is the distance of the instance farthest from the eye.
func farthest(instances []instance, eye mgl32.Vec3) float32 {
	far := float32(0)
	for i := range instances {
		r := &instances[i].rows
		far = max(far, mgl32.Vec3{r[0][3], r[1][3], r[2][3]}.Sub(eye).LenSqr())
	}
	return float32(math.Sqrt(float64(far)))
}

func (f *Frame) distance(i *instance) float32 {
	at := mgl32.Vec3{i.rows[0][3], i.rows[1][3], i.rows[2][3]}
	return at.Sub(f.Globals.Eye.Vec3()).Len()
}

// rows are the first three rows of m.
func rows(m *mgl32.Mat4) [3]mgl32.Vec4 {
	return [3]mgl32.Vec4{
		{m[0], m[4], m[8], m[12]}, {m[1], m[5], m[9], m[13]}, {m[2], m[6], m[10], m[14]},
	}
}

// view is a range of the ring as a slice of T, which the ring's alignment of 16
// bytes allows.
func view[T any](r gpu.Range) []T {
	var t T
	return unsafe.Slice((*T)(unsafe.Pointer(&r.Bytes[0])), len(r.Bytes)/int(unsafe.Sizeof(t)))
}

// put copies values into the ring; at least one element is there, so that no
// descriptor is empty.
func put[T any](g *gpu.Frame, values []T) gpu.Range {
	var t T
	r := g.Alloc(max(len(values), 1)*int(unsafe.Sizeof(t)), 16)
	copy(view[T](r), values)
	return r
}

// bounds is a box in the world.
type bounds struct{ lo, hi mgl32.Vec3 }

func emptyBounds() bounds {
	inf := float32(math.Inf(1))
	return bounds{mgl32.Vec3{inf, inf, inf}, mgl32.Vec3{-inf, -inf, -inf}}
}

func (b *bounds) add(p *part, sh *shown) {
	lo, hi := p.box()
	for i := range 8 {
		corner := lo
		for c := range 3 {
			if i>>c&1 == 1 {
				corner[c] = hi[c]
			}
		}
		at := mgl32.TransformCoordinate(corner, sh.base)
		b.lo, b.hi = b.lo.Min(at), b.hi.Max(at)
	}
}

func (b *bounds) ball() (center mgl32.Vec3, radius float32) {
	if b.lo[0] > b.hi[0] {
		return mgl32.Vec3{}, 1
	}
	return b.lo.Add(b.hi).Mul(0.5), b.hi.Sub(b.lo).Len() / 2
}
