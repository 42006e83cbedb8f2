package doctor

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Picture is a drawing of a character for the report.
type Picture struct {
	Title string
	PNG   []byte
}

// Sides of a picture, pixels.
const pictureWidth, pictureHeight = 360, 420

// mostDrawn bounds the triangles of a picture.
const mostDrawn = 1 << 20

// Pictures draws a character from the front and the side in the pose that shows
// most: the rest pose, or the moment of a clip at which it is largest. Where
// something can be mended, the mended one is drawn in the same pose and to the
// same scale, and once more with what moved coloured by how far.
func Pictures(m *assets.Model, report Report) []Picture {
	pose, name := telling(m)
	before, err := shape(m, pose)
	if err != nil || len(before.points) == 0 {
		return nil
	}
	var out []Picture
	add := func(title string, s *posed, frame assets.Bounds, heat []float64) {
		if data, err := s.draw(frame, heat); err == nil {
			out = append(out, Picture{title, data})
		}
	}
	if !report.Mendable() {
		add(name, before, before.bounds(), nil)
		return out
	}
	mended, _, _ := mendModel(m)
	after, err := shape(mended.NormalizeWeights(), pose)
	if err != nil || len(after.points) != len(before.points) {
		return out
	}
	frame := before.bounds()
	all := after.bounds()
	frame.Min, frame.Max = frame.Min.Min(all.Min), frame.Max.Max(all.Max)
	heat, most := make([]float64, len(after.points)), 0.0
	for i := range heat {
		heat[i] = float64(after.points[i].Sub(before.points[i]).Len())
		most = max(most, heat[i])
	}
	add("before, "+name, before, frame, nil)
	add("after, "+name, after, frame, nil)
	if most > 0 {
		for i := range heat {
			heat[i] /= most
		}
		add(fmt.Sprintf("displacement: dark is 0, yellow %.3g m; not to scale", most), after, all, heat)
	}
	return out
}

// telling is the pose in which the model is largest, and its name.
func telling(m *assets.Model) (*animation.Pose, string) {
	x := &examination{m: m, rest: animation.NewPose(m.Skeleton)}
	most, name := float32(0), "at rest"
	pose := x.rest
	for _, c := range m.Clips[:min(len(m.Clips), mostClips)] {
		b, at := x.stretch(c)
		if b.Vertices == 0 || size(b).Len() <= most {
			continue
		}
		p := animation.NewPose(m.Skeleton)
		job := animation.SamplingJob{Clip: c, Skeleton: m.Skeleton, Time: at, Cursors: make([]int32, len(c.Tracks)), Out: p}
		if job.Run() == nil {
			most, pose, name = size(b).Len(), p, fmt.Sprintf("%s at %.3g s", c.Name, at)
		}
	}
	return pose, name
}

// posed is all triangles of a model in a pose.
type posed struct {
	points    []mgl32.Vec3
	triangles [][3]uint32
}

func shape(m *assets.Model, pose *animation.Pose) (*posed, error) {
	s := &posed{}
	err := m.Evaluate(pose, func(_, mesh, primitive int, positions []mgl32.Vec3) {
		p := &m.Meshes[mesh].Primitives[primitive]
		base := uint32(len(s.points))
		s.points = append(s.points, positions...)
		if p.Topology == assets.Triangles {
			corners(p, func(a, b, c uint32) {
				if len(s.triangles) < mostDrawn {
					s.triangles = append(s.triangles, [3]uint32{base + a, base + b, base + c})
				}
			})
		}
	})
	return s, err
}

func (s *posed) bounds() assets.Bounds {
	var finite []mgl32.Vec3
	for _, p := range s.points {
		if l := p.Len(); !math.IsNaN(float64(l)) && !math.IsInf(float64(l), 0) {
			finite = append(finite, p)
		}
	}
	return boxOf(finite)
}

// draw draws from the front and, to its right, from the side, flatly lit, and
// encodes as PNG. heat, where given, colours each vertex by 0 to 1.
func (s *posed) draw(frame assets.Bounds, heat []float64) ([]byte, error) {
	out := image.NewNRGBA(image.Rect(0, 0, 2*pictureWidth, pictureHeight))
	for i := range out.Pix {
		out.Pix[i] = 255
	}
	depth := make([]float32, 2*pictureWidth*pictureHeight)
	for i := range depth {
		depth[i] = float32(math.Inf(-1))
	}
	extent := size(frame)
	const margin = 14
	scale := min((pictureWidth-2*margin)/max(extent[0], extent[2], 1e-6), (pictureHeight-2*margin)/max(extent[1], 1e-6))
	middle := frame.Min.Add(frame.Max).Mul(0.5)
	for view := range 2 {
		for _, t := range s.triangles {
			var at [3]mgl32.Vec3 // pixels, and towards the eye
			for k, v := range t {
				p := s.points[v].Sub(middle).Mul(scale)
				if view == 1 {
					p = mgl32.Vec3{-p[2], p[1], p[0]}
				}
				at[k] = mgl32.Vec3{pictureWidth/2 + p[0] + float32(view)*pictureWidth, pictureHeight/2 - p[1], p[2]}
			}
			n := at[1].Sub(at[0]).Cross(at[2].Sub(at[0])).Normalize()
			light := 0.35 + 0.6*math.Abs(float64(n[2]))
			warm := 0.0
			if heat != nil {
				warm = (heat[t[0]] + heat[t[1]] + heat[t[2]]) / 3
			}
			fill(out, depth, at, view, tint(light, warm, heat != nil))
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, out)
	return b.Bytes(), err
}

// tint is grey, or from dark violet over red to yellow.
func tint(light, warm float64, heat bool) color.NRGBA {
	c := [3]float64{170, 178, 190}
	if heat {
		c = [3]float64{60 + 195*min(1, 1.6*warm), 30 + 200*max(0, 1.4*warm-0.4), 110 * (1 - warm)}
	}
	return color.NRGBA{uint8(min(255, c[0]*light)), uint8(min(255, c[1]*light)), uint8(min(255, c[2]*light)), 255}
}

// fill draws a triangle where it is nearest, within its view.
func fill(out *image.NRGBA, depth []float32, at [3]mgl32.Vec3, view int, c color.NRGBA) {
	left, right := float32(view*pictureWidth), float32((view+1)*pictureWidth-1)
	x0, x1 := max(min(at[0][0], at[1][0], at[2][0]), left), min(max(at[0][0], at[1][0], at[2][0]), right)
	y0, y1 := max(min(at[0][1], at[1][1], at[2][1]), 0), min(max(at[0][1], at[1][1], at[2][1]), pictureHeight-1)
	area := (at[1][0]-at[0][0])*(at[2][1]-at[0][1]) - (at[2][0]-at[0][0])*(at[1][1]-at[0][1])
	if !(x0 <= x1 && y0 <= y1) || !(area != 0) || math.IsInf(float64(area), 0) {
		return
	}
	for y := int(y0); y <= int(y1); y++ {
		for x := int(x0); x <= int(x1); x++ {
			px, py := float32(x)+0.5, float32(y)+0.5
			a := ((at[1][0]-px)*(at[2][1]-py) - (at[2][0]-px)*(at[1][1]-py)) / area
			b := ((at[2][0]-px)*(at[0][1]-py) - (at[0][0]-px)*(at[2][1]-py)) / area
			if a < 0 || b < 0 || a+b > 1 {
				continue
			}
			z := a*at[0][2] + b*at[1][2] + (1-a-b)*at[2][2]
			if i := y*2*pictureWidth + x; z > depth[i] {
				depth[i] = z
				out.SetNRGBA(x, y, c)
			}
		}
	}
}
