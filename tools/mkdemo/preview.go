package main

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// preview draws the files with a small software rasteriser, to judge them by
// eye where no GPU is at hand. It is not the renderer: one sun with a shadow
// map, sky from above, GGX highlights, no antialiasing but 2×2 samples.

// drawn is one triangle corner in world space.
type drawn struct {
	pos, nrm vec
	uv       [2]float64
	tint     vec
}

type triangle struct {
	c [3]drawn
	m *surfaceLook
}

type surfaceLook struct {
	base         vec
	rough, metal float64
	glow         vec
	colour, bump *image.NRGBA
	bumpScale    float64
}

func linear(c uint8) float64 {
	x := float64(c) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func (d *document) picture(texture int) (*image.NRGBA, error) {
	v := d.BufferViews[d.Images[d.Textures[texture].Source].BufferView]
	img, err := png.Decode(bytes.NewReader(d.bin[v.ByteOffset : v.ByteOffset+v.ByteLength]))
	if err != nil {
		return nil, err
	}
	out := image.NewNRGBA(img.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out, nil
}

// posed returns each node's world rotation and place with an animation's time.
func (d *document) posed(anim int, t float64) ([]quat, []vec, error) {
	rot, at := make([]quat, len(d.Nodes)), make([]vec, len(d.Nodes))
	for i, n := range d.Nodes {
		rot[i] = noTurn
		if n.Rotation != nil {
			rot[i] = *n.Rotation
		}
		if n.Translation != nil {
			at[i] = *n.Translation
		}
	}
	if anim >= 0 {
		for _, c := range d.Animations[anim].Channels {
			s := d.Animations[anim].Samplers[c.Sampler]
			times, _, err := d.read(s.Input)
			if err != nil {
				return nil, nil, err
			}
			vals, w, err := d.read(s.Output)
			if err != nil {
				return nil, nil, err
			}
			k := min(max(sort.SearchFloat64s(times, t)-1, 0), len(times)-2)
			f := clamp((t-times[k])/(times[k+1]-times[k]), 0, 1)
			a, b := vals[k*w:k*w+w], vals[k*w+w:k*w+2*w]
			if c.Target.Path == "translation" {
				at[c.Target.Node] = vec(a).lerp(vec(b), f)
				continue
			}
			rot[c.Target.Node] = slerp(quat(a), quat(b), f)
		}
	}
	var walk func(i int, r quat, p vec)
	walk = func(i int, r quat, p vec) {
		at[i] = p.add(r.rotate(at[i]))
		rot[i] = r.mul(rot[i])
		for _, c := range d.Nodes[i].Children {
			walk(c, rot[i], at[i])
		}
	}
	for _, i := range d.Scenes[0].Nodes {
		walk(i, noTurn, vec{})
	}
	return rot, at, nil
}

func slerp(a, b quat, t float64) quat {
	d := a.dot(b)
	if d < 0 {
		b, d = quat{-b[0], -b[1], -b[2], -b[3]}, -d
	}
	u, v := 1-t, t
	if d < 0.9999 {
		th := math.Acos(d)
		u, v = math.Sin((1-t)*th)/math.Sin(th), math.Sin(t*th)/math.Sin(th)
	}
	var q quat
	for i := range q {
		q[i] = a[i]*u + b[i]*v
	}
	return q.unit()
}

// triangles lists what a file shows at a time, nodes chosen by keep, moved by
// turnBy and then by move.
func (d *document) triangles(anim int, t float64, keep func(string) bool, turnBy quat, move vec) ([]triangle, error) {
	rot, at, err := d.posed(anim, t)
	if err != nil {
		return nil, err
	}
	looks := make([]*surfaceLook, len(d.Materials))
	for i, m := range d.Materials {
		l := &surfaceLook{base: vec{1, 1, 1}, rough: 1, metal: 1, glow: m.EmissiveFactor}
		p := m.PbrMetallicRoughness
		if p.BaseColorFactor != nil {
			l.base = vec{p.BaseColorFactor[0], p.BaseColorFactor[1], p.BaseColorFactor[2]}
		}
		if p.RoughnessFactor != nil {
			l.rough = *p.RoughnessFactor
		}
		if p.MetallicFactor != nil {
			l.metal = *p.MetallicFactor
		}
		if p.BaseColorTexture != nil {
			if l.colour, err = d.picture(p.BaseColorTexture.Index); err != nil {
				return nil, err
			}
		}
		if m.NormalTexture != nil {
			l.bumpScale = m.NormalTexture.Scale
			if l.bump, err = d.picture(m.NormalTexture.Index); err != nil {
				return nil, err
			}
		}
		looks[i] = l
	}
	var out []triangle
	var walk func(i int, shown bool) error
	walk = func(i int, shown bool) error {
		n := d.Nodes[i]
		if shown && n.Mesh != nil {
			for _, pr := range d.Meshes[*n.Mesh].Primitives {
				get := func(name string) []float64 {
					a, ok := pr.Attributes[name]
					if !ok || err != nil {
						return nil
					}
					var v []float64
					v, _, err = d.read(a)
					return v
				}
				pos, nrm, uv, col := get("POSITION"), get("NORMAL"), get("TEXCOORD_0"), get("COLOR_0")
				js, ws := get("JOINTS_0"), get("WEIGHTS_0")
				if err != nil {
					return err
				}
				corners := make([]drawn, len(pos)/3)
				for v := range corners {
					p, q := vec(pos[3*v:3*v+3]), vec(nrm[3*v:3*v+3])
					c := drawn{tint: vec{1, 1, 1}}
					if uv != nil {
						c.uv = [2]float64{uv[2*v], uv[2*v+1]}
					}
					if col != nil {
						c.tint = vec(col[4*v : 4*v+3])
					}
					if js != nil && n.Skin != nil {
						sk := d.Skins[*n.Skin]
						ibm, _, e := d.read(sk.InverseBindMatrices)
						if e != nil {
							return e
						}
						for k := range 4 {
							w := ws[4*v+k]
							if w == 0 {
								continue
							}
							j := int(js[4*v+k])
							node := sk.Joints[j]
							b := ibm[16*j : 16*j+16]
							c.pos = c.pos.add(rot[node].rotate(p.add(vec{b[12], b[13], b[14]})).add(at[node]).mul(w))
							c.nrm = c.nrm.add(rot[node].rotate(q).mul(w))
						}
					} else {
						c.pos, c.nrm = rot[i].rotate(p).add(at[i]), rot[i].rotate(q)
					}
					c.pos = turnBy.rotate(c.pos).add(move)
					c.nrm = turnBy.rotate(c.nrm.unit())
					corners[v] = c
				}
				idx, _, e := d.read(pr.Indices)
				if e != nil {
					return e
				}
				for k := 0; k < len(idx); k += 3 {
					out = append(out, triangle{[3]drawn{corners[int(idx[k])], corners[int(idx[k+1])], corners[int(idx[k+2])]}, looks[pr.Material]})
				}
			}
		}
		for _, c := range n.Children {
			if err := walk(c, shown); err != nil {
				return err
			}
		}
		return nil
	}
	for _, i := range d.Scenes[0].Nodes {
		if err := walk(i, keep == nil || keep(d.Nodes[i].Name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func floorTriangles(y, size float64) []triangle {
	look := &surfaceLook{base: vec{0.30, 0.30, 0.29}, rough: 0.9}
	at := func(x, z int) drawn {
		return drawn{pos: vec{float64(x) * size, y, float64(z) * size}, nrm: vec{0, 1, 0}, tint: vec{1, 1, 1}}
	}
	var out []triangle
	for x := -10; x < 10; x++ {
		for z := -30; z < 30; z++ {
			a, b, c, d := at(x, z), at(x, z+1), at(x+1, z+1), at(x+1, z)
			out = append(out, triangle{[3]drawn{a, b, c}, look}, triangle{[3]drawn{a, c, d}, look})
		}
	}
	return out
}

// preview draws the shots whose names contain only.
func preview(folder, only string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, s := range shots(files) {
		if !strings.Contains(s.shot.name, only) {
			continue
		}
		tris, err := s.make()
		if err != nil {
			return err
		}
		s.shot.tris = tris
		if err := s.shot.draw(filepath.Join(folder, s.shot.name+".png")); err != nil {
			return err
		}
	}
	return nil
}
