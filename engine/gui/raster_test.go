package gui

import (
	"image"
	"image/color"
)

// rasterise draws d with its atlas over a ground colour the way the GUI pass
// must: textured triangles, scissored, blended source-over on encoded values.
func rasterise(d *DrawData, atlas Atlas, ground color.RGBA) *image.RGBA {
	w, h := int(d.Width*d.FramebufferScale), int(d.Height*d.FramebufferScale)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		copy(img.Pix[4*i:], []byte{ground.R, ground.G, ground.B, ground.A})
	}
	vertices, indices := make([]Vertex, d.VertexCount), make([]uint16, d.IndexCount)
	d.CopyVertices(vertices)
	d.CopyIndices(indices)
	for _, c := range d.Commands {
		clip := image.Rect(int(c.ClipX), int(c.ClipY), int(c.ClipX+c.ClipW), int(c.ClipY+c.ClipH))
		run := indices[c.IndexOffset : c.IndexOffset+c.IndexCount]
		for i := 0; i+2 < len(run); i += 3 {
			var t [3]Vertex
			for j := range t {
				t[j] = vertices[uint32(run[i+j])+c.VertexOffset]
				t[j].X = (t[j].X - d.X) * d.FramebufferScale
				t[j].Y = (t[j].Y - d.Y) * d.FramebufferScale
			}
			triangle(img, &atlas, clip, &t)
		}
	}
	return img
}

func triangle(img *image.RGBA, atlas *Atlas, clip image.Rectangle, t *[3]Vertex) {
	area := edge(t[0], t[1], t[2].X, t[2].Y)
	if area == 0 {
		return
	}
	if area < 0 {
		t[1], t[2] = t[2], t[1]
		area = -area
	}
	x0, x1 := int(min(t[0].X, t[1].X, t[2].X)), int(max(t[0].X, t[1].X, t[2].X))+1
	y0, y1 := int(min(t[0].Y, t[1].Y, t[2].Y)), int(max(t[0].Y, t[1].Y, t[2].Y))+1
	box := image.Rect(x0, y0, x1, y1).Intersect(clip).Intersect(img.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			px, py := float32(x)+0.5, float32(y)+0.5
			a, b, c := edge(t[1], t[2], px, py), edge(t[2], t[0], px, py), edge(t[0], t[1], px, py)
			if !covers(a, t[1], t[2]) || !covers(b, t[2], t[0]) || !covers(c, t[0], t[1]) {
				continue
			}
			a, b, c = a/area, b/area, c/area
			coverage := sample(atlas, a*t[0].U+b*t[1].U+c*t[2].U, a*t[0].V+b*t[1].V+c*t[2].V)
			channel := func(shift uint) float32 {
				return a*float32(t[0].Color>>shift&255) + b*float32(t[1].Color>>shift&255) + c*float32(t[2].Color>>shift&255)
			}
			alpha := channel(24) / 255 * coverage
			p := img.Pix[img.PixOffset(x, y):]
			for i := range 3 {
				p[i] = uint8(channel(uint(8*i))*alpha + float32(p[i])*(1-alpha) + 0.5)
			}
		}
	}
}

// edge is twice the signed area of (a, b, p), positive to the right of a→b with Y down.
func edge(a, b Vertex, x, y float32) float32 { return (b.X-a.X)*(y-a.Y) - (b.Y-a.Y)*(x-a.X) }

// covers gives a pixel on an edge shared by two triangles to one of them alone.
func covers(e float32, a, b Vertex) bool {
	return e > 0 || e == 0 && (b.Y < a.Y || b.Y == a.Y && b.X > a.X)
}

// sample is bilinear and clamps to the edge.
func sample(a *Atlas, u, v float32) float32 {
	x, y := u*float32(a.Width)-0.5, v*float32(a.Height)-0.5
	x, y = min(max(x, 0), float32(a.Width-1)), min(max(y, 0), float32(a.Height-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, a.Width-1), min(y0+1, a.Height-1)
	fx, fy := x-float32(x0), y-float32(y0)
	at := func(x, y int) float32 { return float32(a.Alpha[y*a.Width+x]) / 255 }
	return (at(x0, y0)*(1-fx)+at(x1, y0)*fx)*(1-fy) + (at(x0, y1)*(1-fx)+at(x1, y1)*fx)*fy
}
