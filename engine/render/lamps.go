package render

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// MaxLamps is how many lights cast shadows in a frame, besides the sun.
const MaxLamps = 4

// LampFaces are the tiles of a lamp's map that sees all around.
const LampFaces = 6

const (
	// lampBorder is how many texels at each edge of a tile lie beyond its face.
	// Filtering reads a texel and a half to the side; in the border it finds what
	// the neighbouring face sees there too, so no seam shows.
	lampBorder = 2
	// widestSpot is the half angle, radians, up to which one tile holds a spot.
	widestSpot = 60 * math.Pi / 180
	// lampNear is the share of its range before which a lamp's map sees nothing.
	// Stored depth is that of a perspective, in 16 bits: at the range a step of it
	// is range/(65536·lampNear), a texel of 1024 on a face. Linear depth would be
	// finer there, and cost a fragment shader.
	lampNear = 1.0 / 128
	// Of an unbounded lamp the range is far where light is faint, and what hangs near
	// it matters more: a step is a texel at a quarter of it.
	lampNearUnbounded = 1.0 / 512
	// faintest is the share of a display's white that an unbounded lamp is followed
	// to.
	faintest = 1.0 / 500
)

// Lamp is a point or spot light that casts shadows in a frame.
type Lamp struct {
	// Faces are the tiles of its map: 6, in three columns and two rows, of one that
	// shines all around, or 1 of a spot. Tile is the width and height of each,
	// texels.
	Faces, Tile int

	entity *scene.Entity
	on     bool // it still is what ChooseLamps found
	ball   ball
	tan    float32 // of half a face's angle, border included
	record lampRecord
	light  lightRecord
	faces  [LampFaces]face
	seen   bool      // its light falls into the picture
	bytes  gpu.Range // the record
}

// face is one tile of a lamp's map.
type face struct {
	matrix  mgl32.Mat4 // world to clip space
	frustum frustum
	drawn   bool // something that the camera sees lies in it
}

type ball struct {
	center mgl32.Vec3
	radius float32
}

// lampRecord is struct Lamp of shaders/lamp.glsl.
type lampRecord struct {
	Light lightRecord
	Map   mgl32.Mat4 // world to the clip space of a spot's map
	Depth mgl32.Vec4 // depth is x/distance + y; z 1/tan of half a face's angle; w a texel's width at distance 1
	Tile  mgl32.Vec4 // xy size of a tile, zw of a texel, in texture coordinates
	Far   mgl32.Vec4 // x depth in the picture behind which it lights nothing
	// Outline is the part of the picture that it may light, a convex polygon in clip
	// space, two corners each; the last is repeated.
	Outline [outlineCorners / 2]mgl32.Vec4
}

// contender is a light that would cast shadows.
type contender struct {
	entity *scene.Entity
	score  float32
	order  int
}

// MapSize is the size of its shadow map in texels.
func (l *Lamp) MapSize() (width, height int) {
	if l.Faces == 1 {
		return l.Tile, l.Tile
	}
	return 3 * l.Tile, 2 * l.Tile
}

// ChooseLamps chooses the lights that cast shadows in the next frame: of those that
// may, the up to MaxLamps whose range meets what the camera sees and that are the
// strongest for their distance. It looks at the scene as it is before the frame's scripts run,
// since the frame's passes are declared then: what they move is chosen in the
// frame after.
func (f *Frame) ChooseLamps(s *scene.Scene, v View) {
	f.lampCount = 0
	f.contenders = f.contenders[:0]
	var camera frustum
	var eye mgl32.Vec3
	looked := false
	for e := range s.All() {
		l := e.Light
		if l == nil || !l.Shadows || l.Kind != assets.Point && l.Kind != assets.Spot || v.Camera == nil {
			continue
		}
		world, visible := e.Place()
		if !visible {
			continue
		}
		if !looked {
			camera, eye = lookingFrom(v)
			looked = true
		}
		strength := l.Intensity * max(l.Color[0], l.Color[1], l.Color[2])
		if !(strength > 0) {
			continue
		}
		b := lampBall(l, world, s.Environment.Exposure)
		b.radius *= 1.25 // for what moves meanwhile
		if !(b.radius > 0) || camera.missesBall(b) {
			continue
		}
		// What it lights is about the same at any distance, and the smaller on the
		// screen the farther.
		score := strength / (1 + world.Col(3).Vec3().Sub(eye).LenSqr())
		f.contenders = append(f.contenders, contender{e, score, len(f.contenders)})
	}
	if len(f.contenders) > MaxLamps {
		slices.SortStableFunc(f.contenders, func(a, b contender) int { return cmp.Compare(b.score, a.score) })
		f.contenders = f.contenders[:MaxLamps]
		// In the scene's order again: so they change places as seldom as may be.
		slices.SortFunc(f.contenders, func(a, b contender) int { return cmp.Compare(a.order, b.order) })
	}
	for i := range f.contenders {
		f.lamps[i].entity = f.contenders[i].entity
		f.lamps[i].shape(v)
	}
	f.lampCount = len(f.contenders)
	clear(f.contenders) // entities that were removed are not held
}

// lookingFrom is what the camera sees, and from where.
func lookingFrom(v View) (frustum, mgl32.Vec3) {
	world, _ := v.Camera.Place()
	eye, turn, _ := world.Decompose()
	c := v.Camera.Camera
	if c == nil {
		c = scene.DefaultCamera()
	}
	view := mgl32.Compose(eye, turn, mgl32.Vec3{1, 1, 1}).Inv()
	m := mgl32.Perspective(c.YFov, float32(max(v.Width, 1))/float32(max(v.Height, 1)), c.Near, c.Far).Mul4(view)
	return frustumOf(&m), eye
}

// lampReach is how far a light shines, metres: its range, or, where it has none, to
// where it is too faint to be seen.
func lampReach(l *scene.Light, exposure float32) float32 {
	if bounded(l) {
		return l.Range
	}
	strength := l.Intensity * max(l.Color[0], l.Color[1], l.Color[2]) * exposure
	return min(max(float32(math.Sqrt(float64(strength/faintest))), 0.5), 1000)
}

func bounded(l *scene.Light) bool { return l.Range > 0 && !math.IsInf(float64(l.Range), 1) }

// lampBall is a ball around all that a light may light.
func lampBall(l *scene.Light, world mgl32.Mat4, exposure float32) ball {
	at, r := world.Col(3).Vec3(), lampReach(l, exposure)
	half := float64(l.OuterCone)
	if l.Kind != assets.Spot || half >= math.Pi/2 {
		return ball{at, r}
	}
	along := mgl32.TransformNormal(mgl32.Vec3{0, 0, -1}, world).Normalize()
	cos := float32(math.Cos(half))
	if half <= math.Pi/4 { // around the tip and the rim
		return ball{at.Add(along.Mul(r / (2 * cos))), r / (2 * cos)}
	}
	return ball{at.Add(along.Mul(r * cos)), r * float32(math.Sin(half))} // around the rim
}

// shape sets the lamp's tiles: a texel of a face is about as wide an angle as a
// pixel of the picture.
func (x *Lamp) shape(v View) {
	half := ShadowSize(v.Width, v.Height) / 2
	l := x.entity.Light
	x.Faces, x.Tile = LampFaces, half
	tan := 1.0
	if l.Kind == assets.Spot && l.OuterCone <= widestSpot {
		tan = math.Tan(max(float64(l.OuterCone), 0.01))
		const step = 128 // few sizes, so that a cone that changes keeps the frame's plan
		x.Faces, x.Tile = 1, min(max((int(float64(half)*tan)+step-1)/step*step, step), 2*half)
	}
	x.tan = float32(tan) * float32(x.Tile) / float32(x.Tile-2*lampBorder)
}

// Lamps are the lights that cast shadows, in the order of their passes.
func (f *Frame) Lamps() []Lamp { return f.lamps[:f.lampCount] }

// isLamp reports whether a light is one that the lamp passes draw.
func (f *Frame) isLamp(e *scene.Entity) bool {
	for i := range f.lamps[:f.lampCount] {
		if f.lamps[i].entity == e {
			return f.lamps[i].on
		}
	}
	return false
}

// setLamps sets what the passes of the chosen lights draw, as scripts and animation
// left them. One that is no longer what was chosen is lit without shadows.
func (f *Frame) setLamps() {
	g := &f.Globals
	camera := frustumOf(&g.ViewProjection)
	corners := frustumCorners(g)
	for i := range f.lamps[:f.lampCount] {
		x := &f.lamps[i]
		l := x.entity.Light
		x.on = l != nil && l.Shadows && x.entity.Visible() && (l.Kind == assets.Point || l.Kind == assets.Spot)
		x.seen = false
		if !x.on {
			continue
		}
		faces, tile := x.Faces, x.Tile
		x.shape(View{Width: int(g.Viewport[0]), Height: int(g.Viewport[1])})
		if x.Faces != faces || x.Tile != tile {
			x.Faces, x.Tile, x.on = faces, tile, false
			continue
		}
		x.light = record(x.entity)
		x.light.Position[3] = lampReach(l, g.Exposure[0])
		x.ball = lampBall(l, x.entity.World(), g.Exposure[0])
		x.project(camera, &corners)
		x.record.Far[0], x.seen = g.outline(x.ball, &x.record.Outline)
		if !x.seen {
			for k := range x.faces {
				x.faces[k].drawn = false
			}
		}
	}
	for i := f.lampCount; i < len(f.lamps); i++ {
		f.lamps[i].entity, f.lamps[i].on = nil, false
	}
}

// project points the faces of the lamp's map.
func (x *Lamp) project(camera frustum, corners *[8]mgl32.Vec3) {
	at, far := x.light.Position.Vec3(), x.light.Position[3]
	near := far * lampNear
	if !bounded(x.entity.Light) {
		near = far * lampNearUnbounded
	}
	angle := float32(2 * math.Atan(float64(x.tan)))
	projection := mgl32.Perspective(angle, 1, near, far)
	w, h := x.MapSize()
	x.record.Light = x.light
	x.record.Depth = mgl32.Vec4{near * far / (far - near), -near / (far - near), 1 / x.tan, 2 * x.tan / float32(x.Tile)}
	x.record.Tile = mgl32.Vec4{float32(x.Tile) / float32(w), float32(x.Tile) / float32(h), 1 / float32(w), 1 / float32(h)}
	for k := range x.faces {
		face := &x.faces[k]
		face.drawn = false
		if k >= x.Faces {
			continue
		}
		along, up := faceAxes(k)
		if x.Faces == 1 {
			along = x.light.Direction.Vec3()
			if up = (mgl32.Vec3{0, 1, 0}); along.Cross(up).LenSqr() < 1e-6 {
				up = mgl32.Vec3{0, 0, 1}
			}
		}
		face.matrix = projection.Mul4(mgl32.LookAtV(at, at.Add(along), up))
		face.frustum = frustumOf(&face.matrix)
		face.drawn = meets(&face.frustum, corners) && camera.seesPyramid(at, along, up, far, x.tan)
	}
	x.record.Map = x.faces[0].matrix
}

// faceAxes are the way a face looks and its up: +X, +Y, +Z, then -X, -Y, -Z.
func faceAxes(k int) (along, up mgl32.Vec3) {
	along[k%3] = 1 - 2*float32(k/3)
	up[1] = 1
	if k%3 == 1 {
		up = mgl32.Vec3{0, 0, 1}
	}
	return along, up
}

// frustumCorners are those of what the camera sees, in the world.
func frustumCorners(g *Globals) (out [8]mgl32.Vec3) {
	for i := range out {
		clip := mgl32.Vec4{float32(i&1)*2 - 1, float32(i>>1&1)*2 - 1, float32(i >> 2), 1}
		p := g.InverseViewProjection.Mul4x1(clip)
		out[i] = p.Vec3().Mul(1 / p[3])
	}
	return out
}

// meets reports whether some of the points lies inside each of the planes: where
// not, what they are the corners of lies outside.
func meets(f *frustum, points *[8]mgl32.Vec3) bool {
	for i := range f {
		out := 0
		for _, p := range points {
			if f[i].Dot(p.Vec4(1)) < 0 {
				out++
			}
		}
		if out == len(points) {
			return false
		}
	}
	return true
}

// seesPyramid reports whether a face's pyramid may reach into the frustum.
func (f *frustum) seesPyramid(tip, along, up mgl32.Vec3, far, tan float32) bool {
	right := along.Cross(up).Normalize()
	up = right.Cross(along)
	points := [8]mgl32.Vec3{tip, tip, tip, tip}
	for i := range 4 {
		points[4+i] = tip.Add(along.Add(right.Mul(tan * (float32(i&1)*2 - 1))).Add(up.Mul(tan * (float32(i>>1)*2 - 1))).Mul(far))
	}
	return meets(f, &points)
}

// missesBall reports whether a ball lies outside one of the planes as a whole.
func (f *frustum) missesBall(b ball) bool {
	for _, p := range f {
		if p.Vec3().Dot(b.center)+p[3] < -b.radius*p.Vec3().Len() {
			return true
		}
	}
	return false
}

// misses reports whether a box lies outside the ball.
func (b *ball) misses(lo, hi mgl32.Vec3) bool {
	nearest := b.center.Max(lo).Min(hi)
	return nearest.Sub(b.center).LenSqr() > b.radius*b.radius
}

// listLamps puts the lamps behind the other lights.
func (f *Frame) listLamps() {
	for i := range f.lamps[:f.lampCount] {
		if x := &f.lamps[i]; x.on {
			f.lightList = append(f.lightList, x.light)
		}
	}
}

// writeLamps writes what the passes of lamps read.
func (f *Frame) writeLamps(g *gpu.Frame) {
	for i := range f.lamps[:f.lampCount] {
		x := &f.lamps[i]
		if !x.on {
			continue
		}
		x.bytes = g.Alloc(int(unsafe.Sizeof(x.record)), 16)
		view[lampRecord](x.bytes)[0] = x.record
	}
}

// Lights reports whether a lamp's light falls into the picture.
func (l *Lamp) Lights() bool { return l.on && l.seen }

// Draws reports whether a face of a lamp's map is needed.
func (l *Lamp) Draws(face int) bool { return l.on && l.faces[face].drawn }

// Record is struct Lamp of shaders/lamp.glsl.
func (l *Lamp) Record() gpu.Range { return l.bytes }
