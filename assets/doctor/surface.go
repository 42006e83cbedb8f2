package doctor

import (
	"fmt"
	"slices"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// mostTriangles bounds the search for non-manifold edges in one primitive.
const mostTriangles = 2 << 20

func (x *examination) triangles() {
	for i := range x.m.Meshes {
		for k := range x.m.Meshes[i].Primitives {
			p := &x.m.Meshes[i].Primitives[k]
			if p.Topology != assets.Triangles {
				continue
			}
			where := named(fmt.Sprintf("meshes[%d].primitives[%d]", i, k), x.m.Meshes[i].Name)
			flat, all := degenerate(p)
			if flat > 0 {
				level := Info
				if flat*10 > all {
					level = Warning
				}
				x.find("triangles-flat", level, where, "", Figures{"triangles": flat, "of": all}, "%d of %d triangles have no area", flat, all)
			}
			if all > mostTriangles {
				continue
			}
			if edges := nonManifold(p); edges > 0 {
				x.find("edges-non-manifold", Info, where, "", Figures{"edges": edges}, "%d edges are shared by more than two triangles", edges)
			}
		}
	}
}

// corners calls do with each triangle's vertices.
func corners(p *assets.Primitive, do func(a, b, c uint32)) {
	if p.Indices == nil {
		for v := uint32(0); int(v)+2 < len(p.Positions); v += 3 {
			do(v, v+1, v+2)
		}
		return
	}
	for t := 0; t+2 < len(p.Indices); t += 3 {
		do(p.Indices[t], p.Indices[t+1], p.Indices[t+2])
	}
}

func degenerate(p *assets.Primitive) (flat, all int) {
	corners(p, func(a, b, c uint32) {
		all++
		u, v := p.Positions[b].Sub(p.Positions[a]), p.Positions[c].Sub(p.Positions[a])
		if a == b || b == c || c == a || u.Cross(v) == (mgl32.Vec3{}) {
			flat++
		}
	})
	return flat, all
}

// nonManifold counts the edges of more than two triangles. Vertices at one place
// are one: normals and texture coordinates split them.
func nonManifold(p *assets.Primitive) int {
	weld := make(map[mgl32.Vec3]uint32, len(p.Positions))
	at := make([]uint32, len(p.Positions))
	for v, pos := range p.Positions {
		k, ok := weld[pos]
		if !ok {
			k = uint32(v)
			weld[pos] = k
		}
		at[v] = k
	}
	var edges []uint64
	corners(p, func(a, b, c uint32) {
		a, b, c = at[a], at[b], at[c]
		if a == b || b == c || c == a {
			return
		}
		for _, e := range [3][2]uint32{{a, b}, {b, c}, {c, a}} {
			edges = append(edges, uint64(min(e[0], e[1]))<<32|uint64(max(e[0], e[1])))
		}
	})
	slices.Sort(edges)
	n := 0
	for i := 0; i < len(edges); {
		k := i
		for k < len(edges) && edges[k] == edges[i] {
			k++
		}
		if k-i > 2 {
			n++
		}
		i = k
	}
	return n
}

func (x *examination) pictures() {
	for i, p := range x.m.Images {
		where := named(fmt.Sprintf("images[%d]", i), p.Name)
		if p.Data == nil {
			what := "the picture"
			if p.Path != "" {
				what = fmt.Sprintf("the picture %q", p.Path)
			}
			x.find("texture-missing", Warning, where, "put the picture beside the file, or embed it when exporting", nil, "%s is missing; a stand-in is drawn", what)
			continue
		}
		if _, _, err := image.Size(p.Data); err != nil {
			x.find("texture-unreadable", Warning, where, "export the picture as PNG, JPEG or WebP", Figures{"bytes": len(p.Data)}, "the picture cannot be drawn: %v", err)
		}
	}
}
