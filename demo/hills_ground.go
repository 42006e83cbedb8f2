package demo

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Trail is the middle of the hills' path at an angle about the scene's middle, from
// +Z towards +X, radians: metres in the world, y being 0.
func Trail(angle float32) mgl32.Vec3 {
	s, c := math.Sincos(float64(angle))
	r := trailRadius(float64(angle))
	return mgl32.Vec3{float32(r * s), 0, float32(r * c)}
}

func trailRadius(angle float64) float64 {
	return 8.6 + 0.9*math.Cos(2*angle+0.5) + 0.35*math.Cos(3*angle-0.4)
}

// fromTrail is how far a place lies from the path's middle, metres, nearly.
func fromTrail(x, z float64) float64 {
	angle := math.Atan2(x, z)
	r := trailRadius(angle)
	slope := (trailRadius(angle+0.01) - trailRadius(angle-0.01)) / 0.02 / r
	return math.Abs(math.Hypot(x, z)-r) / math.Sqrt(1+slope*slope)
}

// crest is a ridge across the path: two slopes that meet in a rounded top.
type crest struct {
	angle  float64 // of the trail
	height float64 // metres
	slope  float64 // degrees
	round  float64 // metres: half the width in which the slopes meet
}

// The path goes over a broad hill and three crests, none steeper than 20°.
var crests = []crest{
	{angle: 0.55, height: 1.15, slope: 19, round: 0.70},
	{angle: 1.95, height: 0.95, slope: 18, round: 0.55},
	{angle: -1.25, height: 1.30, slope: 19, round: 0.95},
}

// hillHeight is the ground's height in the hills, metres.
func hillHeight(x, z float64) float64 {
	h := 0.0
	for _, c := range crests {
		at := Trail(float32(c.angle))
		next := Trail(float32(c.angle) + 0.01)
		along := next.Sub(at).Normalize()
		dx, dz := x-float64(at[0]), z-float64(at[2])
		s := dx*float64(along[0]) + dz*float64(along[2])
		across := math.Abs(dx*float64(along[2]) - dz*float64(along[0]))
		t := math.Tan(c.slope * math.Pi / 180)
		top := c.height - t*(math.Sqrt(s*s+c.round*c.round)-c.round)
		// The foot of the slope is rounded too.
		const soft = 0.45
		up := 0.5 * (top + math.Sqrt(top*top+soft*soft))
		far := 0.5 * (-3 + math.Sqrt(9+soft*soft)) // what is left of the rounding where the hill has ended
		h += (up - far) * (1 - smooth(1.6, 7.5, across))
	}
	// The broad hill, behind.
	bx, bz := x-float64(Trail(math.Pi)[0])+0.4, z-float64(Trail(math.Pi)[2])
	h += 2.1 * math.Exp(-(bx*bx+bz*bz)/(2*3.9*3.9))
	// The meadow rolls a little, and rises about the path so that its edge hides.
	r := math.Hypot(x, z)
	h += 0.10 * math.Sin(0.71*x+0.4) * math.Cos(0.63*z-0.9)
	roll := math.Sin(0.21*x+1.3)*math.Cos(0.17*z+0.4) + 0.5*math.Sin(0.43*x-0.31*z)
	return h + smooth(13, 27, r)*(3.2+1.1*roll)
}

// smooth goes from 0 at a to 1 at b.
func smooth(a, b, x float64) float64 {
	t := min(max((x-a)/(b-a), 0), 1)
	return t * t * (3 - 2*t)
}

const (
	hillCell = 0.25
	hillHalf = 27.0 // of its sides, metres
	hillSide = int(2*hillHalf/hillCell) + 1
)

// hillside is the hills' ground: its heights are those of the triangles that are
// drawn, so that soles stand on what is seen.
type hillside struct {
	ground.HeightField
	normals []mgl32.Vec3
}

func newHillside() *hillside {
	h := &hillside{HeightField: ground.HeightField{X: -hillHalf, Z: -hillHalf, Cell: hillCell, Columns: hillSide}}
	for iz := range hillSide {
		for ix := range hillSide {
			x, z := float64(ix)*hillCell-hillHalf, float64(iz)*hillCell-hillHalf
			const e = 0.05
			n := mgl32.Vec3{
				float32(hillHeight(x-e, z) - hillHeight(x+e, z)), 2 * e, float32(hillHeight(x, z-e) - hillHeight(x, z+e)),
			}
			h.Heights, h.normals = append(h.Heights, float32(hillHeight(x, z))), append(h.normals, n.Normalize())
		}
	}
	return h
}

// Under is the ground at a point: the triangle's height, the slope's normal.
func (h *hillside) Under(at mgl32.Vec3) (float32, mgl32.Vec3, bool) {
	gx := min(max((at[0]-h.X)/h.Cell, 0), float32(hillSide-1)-1e-3)
	gz := min(max((at[2]-h.Z)/h.Cell, 0), float32(hillSide-1)-1e-3)
	ix, iz := int(gx), int(gz)
	u, v := gx-float32(ix), gz-float32(iz)
	i := iz*hillSide + ix
	a, b, c, d := h.Heights[i], h.Heights[i+1], h.Heights[i+hillSide], h.Heights[i+hillSide+1]
	height := d + (1-u)*(c-d) + (1-v)*(b-d)
	if u+v <= 1 {
		height = a + u*(b-a) + v*(c-a)
	}
	n := h.normals[i].Lerp(h.normals[i+1], u).Lerp(h.normals[i+hillSide].Lerp(h.normals[i+hillSide+1], u), v)
	return height, n.Normalize(), true
}

// model is the mesh of the hills in the grass of the props, worn where the path is.
func (h *hillside) model(props *assets.Model) *assets.Model {
	node := props.Skeleton.Joint("ground")
	look := props.Materials[props.Meshes[props.Nodes[node].Mesh].Primitives[0].Material]
	m := &assets.Model{
		Name: "hills", Scene: -1,
		Skeleton: &animation.Skeleton{Names: []string{"hills"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()}},
		Nodes:    []assets.Node{{Mesh: 0, Skin: -1, Camera: -1, Light: -1, InScene: true}},
	}
	for _, ref := range []*assets.TextureRef{&look.BaseColorMap, &look.NormalMap} {
		if ref.Texture >= 0 {
			tex := props.Textures[ref.Texture]
			if tex.Image >= 0 {
				m.Images = append(m.Images, props.Images[tex.Image])
				tex.Image = int32(len(m.Images) - 1)
			}
			m.Textures = append(m.Textures, tex)
			ref.Texture = int32(len(m.Textures) - 1)
		}
	}
	m.Materials = []assets.Material{look}
	const repeat = 0.75 // of the texture a metre, as on the props' ground
	p := assets.Primitive{UV: make([][]mgl32.Vec2, 1)}
	for i, y := range h.Heights {
		x, z := float32(i%hillSide)*hillCell-hillHalf, float32(i/hillSide)*hillCell-hillHalf
		n := h.normals[i]
		p.Positions, p.Normals = append(p.Positions, mgl32.Vec3{x, y, z}), append(p.Normals, n)
		t := mgl32.Vec3{n[1], -n[0], 0}.Normalize()
		p.Tangents = append(p.Tangents, t.Vec4(-1))
		p.UV[0] = append(p.UV[0], mgl32.Vec2{x * repeat, z * repeat})
		p.Colors = append(p.Colors, hillTint(float64(x), float64(z)))
	}
	for iz := range hillSide - 1 {
		for ix := range hillSide - 1 {
			a := uint32(iz*hillSide + ix)
			b, c, d := a+1, a+uint32(hillSide), a+uint32(hillSide)+1
			p.Indices = append(p.Indices, a, c, b, b, c, d)
		}
	}
	m.Meshes = []assets.Mesh{{Name: "hills", Primitives: []assets.Primitive{p}}}
	return m
}

// hillTint is what the grass is multiplied by: lighter and darker in patches, warm
// and bare on the path, whose edges fray.
func hillTint(x, z float64) mgl32.Vec4 {
	patch := 0.5 + 0.25*math.Sin(1.3*x+0.7*z) + 0.25*math.Sin(0.6*x-1.1*z+2)
	v := 0.80 + 0.22*patch
	fray := 0.16*math.Sin(3.1*x+1.7*z) + 0.12*math.Sin(-2.3*x+4.1*z)
	worn := 1 - smooth(0.45, 1.05, fromTrail(x, z)+fray)
	mixed := func(grass, bare float64) float32 { return float32(grass + worn*(bare-grass)) }
	return mgl32.Vec4{mixed(v, 1.0), mixed(v*0.99, 0.76), mixed(v*0.93, 0.60), 1}
}
