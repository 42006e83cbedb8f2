package ground

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// candidate is a vertex that moves with a foot, at rest in model space.
type candidate struct {
	mesh, vertex int32
	// foot and toe are the weighted sums of where the joints of each part have it.
	foot, toe mgl32.Vec3
	toeWeight float32
}

// choice is the search for one foot's sole.
type choice struct {
	vertices []candidate
	hinge    mgl32.Vec3 // where the toes bend
	bends    []float32  // radians
	forward  mgl32.Vec3
}

func newChoice(s *animation.Skeleton, f Foot, meshes []SkinnedMesh, model []mgl32.Mat4) *choice {
	c := &choice{bends: []float32{0}, forward: f.Forward}
	if c.forward == (mgl32.Vec3{}) {
		c.forward = mgl32.Vec3{0, 0, 1}
	}
	part := make([]uint8, s.Len()) // 1: the foot's, 2: the toes'
	part[f.Foot] = 1
	for j := f.Foot + 1; int(j) < s.Len(); j++ {
		if p := s.Parents[j]; p >= 0 {
			part[j] = part[p]
		}
		if j == f.Toe {
			part[j] = 2
		}
	}
	if f.Toe >= 0 {
		c.hinge = model[f.Toe].Col(3).Vec3()
		for _, degrees := range []float32{-20, 20, 40, 60} {
			c.bends = append(c.bends, mgl32.DegToRad(degrees))
		}
	}
	// Where no vertex is mostly a foot's, as on coarse meshes, a quarter will do.
	for _, least := range []float32{0.5, 0.25} {
		if c.gather(part, least, meshes, model); len(c.vertices) > 0 {
			break
		}
	}
	return c
}

// gather takes the vertices of which at least a part of their weight is the foot's.
func (c *choice) gather(part []uint8, least float32, meshes []SkinnedMesh, model []mgl32.Mat4) {
	seen := map[[6]float32]bool{}
	for i := range meshes {
		m := &meshes[i]
		for v := range m.Positions {
			var own, all float32
			x := candidate{mesh: int32(i), vertex: int32(v)}
			for set := range m.Joints {
				for k, w := range m.Weights[set][v] {
					if w == 0 {
						continue
					}
					slot := m.Joints[set][v][k]
					p := part[m.Skin.Joints[slot]]
					at := m.bound(v, slot, model).Mul(w)
					all += w
					if p > 0 {
						own += w
					}
					if p == 2 {
						x.toe = x.toe.Add(at)
						x.toeWeight += w
					} else {
						x.foot = x.foot.Add(at)
					}
				}
			}
			// Corners are stored once for each of their faces.
			key := [6]float32{x.foot[0], x.foot[1], x.foot[2], x.toe[0], x.toe[1], x.toe[2]}
			if own > least*all && !seen[key] {
				seen[key] = true
				c.vertices = append(c.vertices, x)
			}
		}
	}
}

// sole covers all ways in which the foot may be held.
func (c *choice) sole(f Foot, meshes []SkinnedMesh, model []mgl32.Mat4, height float32) Sole {
	tolerance := Tolerance * height
	ways := c.ways()
	n := len(c.vertices)
	// covers lists by vertex the samples of which it is lowest, within tolerance.
	covers := make([][]int32, n)
	heights := make([]float32, n)
	samples := int32(0)
	left := up.Cross(c.forward)
	for _, bend := range c.bends {
		// Turning left about itself by -bend lifts the toes.
		turn := mgl32.QuatRotate(-bend, left).Mat3()
		at := make([]mgl32.Vec3, n)
		for i := range c.vertices {
			x := &c.vertices[i]
			hinge := c.hinge.Mul(x.toeWeight)
			at[i] = x.foot.Add(hinge).Add(turn.Mul3x1(x.toe.Sub(hinge)))
		}
		for _, way := range ways {
			low := float32(math.Inf(1))
			for i := range at {
				heights[i] = at[i].Dot(way)
				low = min(low, heights[i])
			}
			for i, h := range heights {
				if h <= low+tolerance {
					covers[i] = append(covers[i], samples)
				}
			}
			samples++
		}
	}
	out := Sole{Foot: f, Starts: []int32{0}, Height: height}
	covered := make([]bool, samples)
	for left := samples; left > 0; {
		best, gain := -1, 0
		for i := range covers {
			if len(covers[i]) <= gain {
				continue
			}
			// What is covered already never counts again.
			open := covers[i][:0]
			for _, s := range covers[i] {
				if !covered[s] {
					open = append(open, s)
				}
			}
			covers[i] = open
			if len(open) > gain {
				best, gain = i, len(open)
			}
		}
		if best < 0 {
			break
		}
		for _, s := range covers[best] {
			covered[s] = true
			left--
		}
		out.add(&c.vertices[best], meshes)
	}
	out.measure(model)
	return out
}

// held are the angles by which a foot is rolled, degrees, and twice those by which
// it is pitched. Soles are flat: near to flat a degree changes what is lowest.
var held = []float32{-40, -32, -24, -18, -13, -9, -6, -4, -2.5, -1.2, 0, 1.2, 2.5, 4, 6, 9, 13, 18, 24, 32, 40}

// ways are the directions that may be up, seen from the foot at rest: it is pitched
// by up to 80° and rolled by up to 40°.
func (c *choice) ways() []mgl32.Vec3 {
	left := up.Cross(c.forward)
	var out []mgl32.Vec3
	for _, pitch := range held {
		for _, roll := range held {
			q := mgl32.QuatRotate(mgl32.DegToRad(2*pitch), left).Mul(mgl32.QuatRotate(mgl32.DegToRad(roll), c.forward))
			out = append(out, q.Rotate(up))
		}
	}
	return out
}

func (s *Sole) add(x *candidate, meshes []SkinnedMesh) {
	m := &meshes[x.mesh]
	for set := range m.Joints {
		for k, w := range m.Weights[set][x.vertex] {
			if w == 0 {
				continue
			}
			slot := m.Joints[set][x.vertex][k]
			s.Influences = append(s.Influences, Influence{
				Joint: m.Skin.Joints[slot], Weight: w,
				Weighted: mgl32.TransformCoordinate(m.Positions[x.vertex], m.Skin.InverseBind[slot]).Mul(w),
			})
		}
	}
	s.Starts = append(s.Starts, int32(len(s.Influences)))
	s.Mesh, s.Vertex = append(s.Mesh, x.mesh), append(s.Vertex, x.vertex)
}

// measure finds level and center.
func (s *Sole) measure(model []mgl32.Mat4) {
	_, s.Level = s.Lowest(model, up)
	n := 0
	for i := range s.Len() {
		if p := s.At(i, model); p[1] <= s.Level+0.01*s.Height {
			s.Center = s.Center.Add(p)
			n++
		}
	}
	s.Center = s.Center.Mul(1 / float32(n))
}
