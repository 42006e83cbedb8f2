package demo

import (
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// terrain is the ground's height on a grid, metres, read from the mesh that is
// drawn, so that those who walk on it stand on what is seen.
type terrain struct {
	heights []float32
}

const (
	terrainCell = 0.5
	terrainHalf = 36.0 // of its sides
	terrainSide = 2*terrainHalf/terrainCell + 1
)

func newTerrain(props *assets.Model) *terrain {
	t := &terrain{heights: make([]float32, terrainSide*terrainSide)}
	node := props.Skeleton.Joint("ground")
	if node < 0 || props.Nodes[node].Mesh < 0 {
		return t
	}
	for i := range props.Meshes[props.Nodes[node].Mesh].Primitives {
		p := &props.Meshes[props.Nodes[node].Mesh].Primitives[i]
		for k := 0; k+2 < len(p.Indices); k += 3 {
			t.triangle(p.Positions[p.Indices[k]], p.Positions[p.Indices[k+1]], p.Positions[p.Indices[k+2]])
		}
	}
	return t
}

// triangle sets the heights of the grid's points below which the triangle lies.
func (t *terrain) triangle(a, b, c mgl32.Vec3) {
	area := (b[0]-a[0])*(c[2]-a[2]) - (c[0]-a[0])*(b[2]-a[2])
	if area == 0 {
		return
	}
	cell := func(x float32, round func(float64) float64) int {
		return min(max(int(round(float64((x+terrainHalf)/terrainCell))), 0), terrainSide-1)
	}
	x0, x1 := cell(min(a[0], b[0], c[0]), math.Floor), cell(max(a[0], b[0], c[0]), math.Ceil)
	z0, z1 := cell(min(a[2], b[2], c[2]), math.Floor), cell(max(a[2], b[2], c[2]), math.Ceil)
	for iz := z0; iz <= z1; iz++ {
		for ix := x0; ix <= x1; ix++ {
			x, z := float32(ix)*terrainCell-terrainHalf, float32(iz)*terrainCell-terrainHalf
			v := ((x-a[0])*(c[2]-a[2]) - (c[0]-a[0])*(z-a[2])) / area
			w := ((b[0]-a[0])*(z-a[2]) - (x-a[0])*(b[2]-a[2])) / area
			if v >= -1e-4 && w >= -1e-4 && v+w <= 1+2e-4 {
				t.heights[iz*terrainSide+ix] = a[1] + v*(b[1]-a[1]) + w*(c[1]-a[1])
			}
		}
	}
}

// at is the height at a place, between the grid's points and held at its edge.
func (t *terrain) at(x, z float32) float32 {
	gx := min(max((x+terrainHalf)/terrainCell, 0), terrainSide-1.001)
	gz := min(max((z+terrainHalf)/terrainCell, 0), terrainSide-1.001)
	ix, iz := int(gx), int(gz)
	u, v := gx-float32(ix), gz-float32(iz)
	h := t.heights[iz*terrainSide+ix:]
	near := h[0] + u*(h[1]-h[0])
	far := h[terrainSide] + u*(h[terrainSide+1]-h[terrainSide])
	return near + v*(far-near)
}
