package ground

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// SkinnedMesh is the vertices that a skin moves. Joints and Weights are by set of
// four influences and vertex, joints as palette slots of the Skin, weights as they
// are drawn. assets.Model.SkinnedMeshes makes them.
type SkinnedMesh struct {
	Positions []mgl32.Vec3 // the mesh's space at binding, metres
	Joints    [][][4]uint16
	Weights   [][][4]float32
	Skin      *animation.Skin
}

func (m *SkinnedMesh) validate(s *animation.Skeleton) error {
	if m.Skin == nil || len(m.Skin.InverseBind) != len(m.Skin.Joints) {
		return fmt.Errorf("%w: a skinned mesh of %d vertices without a whole skin", animation.ErrJob, len(m.Positions))
	}
	for _, j := range m.Skin.Joints {
		if j < 0 || int(j) >= s.Len() {
			return fmt.Errorf("%w: skin %q names joint %d of %d", animation.ErrJob, m.Skin.Name, j, s.Len())
		}
	}
	if len(m.Joints) != len(m.Weights) {
		return fmt.Errorf("%w: a skinned mesh of %d sets of joints and %d of weights", animation.ErrJob, len(m.Joints), len(m.Weights))
	}
	for set := range m.Joints {
		if len(m.Joints[set]) != len(m.Positions) || len(m.Weights[set]) != len(m.Positions) {
			return fmt.Errorf("%w: a skinned mesh of %d positions, %d joints, %d weights", animation.ErrJob,
				len(m.Positions), len(m.Joints[set]), len(m.Weights[set]))
		}
		for v, slots := range m.Joints[set] {
			for c, slot := range slots {
				if m.Weights[set][v][c] != 0 && int(slot) >= len(m.Skin.Joints) {
					return fmt.Errorf("%w: vertex %d names slot %d of %d of skin %q", animation.ErrJob, v, slot, len(m.Skin.Joints), m.Skin.Name)
				}
			}
		}
	}
	return nil
}

// at is where a vertex is in model space.
func (m *SkinnedMesh) at(v int, model []mgl32.Mat4) mgl32.Vec3 {
	var at mgl32.Vec3
	for set := range m.Joints {
		for c, w := range m.Weights[set][v] {
			if w != 0 {
				slot := m.Joints[set][v][c]
				at = at.Add(m.bound(v, slot, model).Mul(w))
			}
		}
	}
	return at
}

// bound is where one joint alone would have a vertex.
func (m *SkinnedMesh) bound(v int, slot uint16, model []mgl32.Mat4) mgl32.Vec3 {
	p := mgl32.TransformCoordinate(m.Positions[v], m.Skin.InverseBind[slot])
	return mgl32.TransformCoordinate(p, model[m.Skin.Joints[slot]])
}

// Influence is a joint's part in a vertex: of the joint's matrix M it adds
// M·(Weighted, Weight).
type Influence struct {
	Joint    int32
	Weight   float32
	Weighted mgl32.Vec3 // weight · inverse bind matrix · position: the joint's space
}

// Sole is the few dozen vertices of one foot that can touch the ground, chosen once
// per mesh from the skin. It is immutable and shared.
type Sole struct {
	Foot // whose sole it is

	// Influences of all vertices, one vertex after another: vertex i's are
	// Influences[Starts[i]:Starts[i+1]], up to eight or more as the mesh has them.
	Influences []Influence
	Starts     []int32
	// Mesh and Vertex are, by vertex, where it is in what FindSoles was given.
	Mesh, Vertex []int32
	// Level is how high the lowest vertex lies at rest, metres in model space along
	// +Y, and Center the middle of the vertices within a body's hundredth of it.
	Level  float32
	Center mgl32.Vec3
	// Height is the whole body's, metres at rest: what tolerances are measured by.
	Height float32
}

// Len is the number of vertices.
func (s *Sole) Len() int { return len(s.Starts) - 1 }

// Fits reports whether the sole can be of a skeleton: an error that wraps
// animation.ErrJob names the joint that the skeleton does not have.
func (s *Sole) Fits(k *animation.Skeleton) error { return s.fits(k.Len()) }

// fits is Fits of a skeleton of that many joints.
func (s *Sole) fits(joints int) error {
	if len(s.Starts) < 2 || int(s.Starts[len(s.Starts)-1]) != len(s.Influences) {
		return fmt.Errorf("%w: the sole %q is not of FindSoles", animation.ErrJob, s.Name)
	}
	for i := range s.Influences {
		if j := s.Influences[i].Joint; j < 0 || int(j) >= joints {
			return fmt.Errorf("%w: the sole %q names joint %d of %d", animation.ErrJob, s.Name, j, joints)
		}
	}
	return s.Foot.fits(joints)
}

// At is where a vertex is in model space, of a pose's matrices.
func (s *Sole) At(i int, model []mgl32.Mat4) mgl32.Vec3 {
	var x, y, z float32
	list := s.Influences[s.Starts[i]:s.Starts[i+1]]
	for k := range list {
		n := &list[k]
		m, p, w := &model[n.Joint], &n.Weighted, n.Weight
		x += m[0]*p[0] + m[4]*p[1] + m[8]*p[2] + m[12]*w
		y += m[1]*p[0] + m[5]*p[1] + m[9]*p[2] + m[13]*w
		z += m[2]*p[0] + m[6]*p[1] + m[10]*p[2] + m[14]*w
	}
	return mgl32.Vec3{x, y, z}
}

// Points writes where all vertices are, model space; len(out) = Len().
func (s *Sole) Points(model []mgl32.Mat4, out []mgl32.Vec3) {
	for i := range out[:s.Len()] {
		out[i] = s.At(i, model)
	}
}

// Lowest is the vertex that lies lowest along the unit vector up, of a pose's
// matrices: where it is in model space, and its height along up.
func (s *Sole) Lowest(model []mgl32.Mat4, up mgl32.Vec3) (point mgl32.Vec3, height float32) {
	height = float32(math.Inf(1))
	for i := range s.Len() {
		if p := s.At(i, model); p.Dot(up) < height {
			point, height = p, p.Dot(up)
		}
	}
	return point, height
}

// Tolerance is how much higher the lowest vertex of a Sole may lie than that of the
// whole foot, as part of the body's height: 0.5 mm of a person.
const Tolerance = 0.5e-3 / 1.8

// FindSoles chooses the sole vertices of feet, as FindFeet finds them, among all
// meshes. They are the fewest found such that, however the foot is pitched by up to
// 80° and rolled by up to 40° and the toes are bent from -20° to 60°, one of them
// is lowest to within Tolerance. A foot that moves no vertex is an error that wraps
// ErrNoFeet and names it.
func FindSoles(s *animation.Skeleton, feet []Foot, meshes []SkinnedMesh) ([]Sole, error) {
	model := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, model)
	least, most := float32(math.Inf(1)), float32(math.Inf(-1))
	for i := range meshes {
		if err := meshes[i].validate(s); err != nil {
			return nil, err
		}
		for v := range meshes[i].Positions {
			y := meshes[i].at(v, model)[1]
			least, most = min(least, y), max(most, y)
		}
	}
	if len(feet) == 0 {
		return nil, fmt.Errorf("%w: there are none to find soles of", ErrNoFeet)
	}
	var soles []Sole
	for _, f := range feet {
		if err := f.fits(s.Len()); err != nil {
			return nil, err
		}
		c := newChoice(s, f, meshes, model)
		if len(c.vertices) == 0 {
			return nil, fmt.Errorf("%w: no vertex is weighted to the foot %q, joint %d (%q)", ErrNoFeet, f.Name, f.Foot, s.Names[f.Foot])
		}
		soles = append(soles, c.sole(f, meshes, model, most-least))
	}
	return soles, nil
}
