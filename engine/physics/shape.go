package physics

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// ShapeKind says which of a [Shape]'s sizes count.
type ShapeKind uint32

// The shapes. Each is centred on its body's position.
const (
	BoxShape ShapeKind = 1 + iota
	SphereShape
	CapsuleShape
	PlaneShape
)

func (k ShapeKind) String() string {
	switch k {
	case BoxShape:
		return "box"
	case SphereShape:
		return "sphere"
	case CapsuleShape:
		return "capsule"
	case PlaneShape:
		return "plane"
	}
	return fmt.Sprintf("ShapeKind(%d)", uint32(k))
}

// Shape is the solid of a body, in its own space. Make one with [Box],
// [Sphere], [Capsule] or [Plane]; a size that its kind does not use is ignored.
type Shape struct {
	Kind ShapeKind
	// HalfExtents of a box along its axes, metres.
	HalfExtents mgl32.Vec3
	// Radius of a sphere or of a capsule, metres.
	Radius float32
	// Height of a capsule's cylinder along Y, metres: the distance between the
	// centres of its caps. From end to end it measures Height + 2·Radius.
	Height float32
	// Normal of a plane, of any length. The solid lies behind the plane, which
	// passes through the body's position and never ends.
	Normal mgl32.Vec3
}

// Box is a cuboid with the given half extents, metres.
func Box(halfExtents mgl32.Vec3) Shape { return Shape{Kind: BoxShape, HalfExtents: halfExtents} }

// Sphere is a ball, metres.
func Sphere(radius float32) Shape { return Shape{Kind: SphereShape, Radius: radius} }

// Capsule is a cylinder along Y closed by two half spheres. Its height is that
// of the cylinder alone, metres.
func Capsule(radius, height float32) Shape {
	return Shape{Kind: CapsuleShape, Radius: radius, Height: height}
}

// Plane is the half space behind normal. Only a static body may be one.
func Plane(normal mgl32.Vec3) Shape { return Shape{Kind: PlaneShape, Normal: normal} }

// Sizes outside these make Bullet's float32 arithmetic lose contacts or
// overflow, long before infinity.
const (
	minSize, maxSize = 1e-3, 1e6
	maxPosition      = 1e8
	minMass, maxMass = 1e-6, 1e9
	maxSpeed         = 1e6
)

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

func finiteVec(v mgl32.Vec3) bool { return finite(v[0]) && finite(v[1]) && finite(v[2]) }

// within is false for NaN too.
func within(x, lo, hi float32) bool { return x >= lo && x <= hi }

func checkVec(field string, v mgl32.Vec3, limit float32) error {
	for i, x := range v {
		if !within(x, -limit, limit) {
			return fmt.Errorf("%s[%d] is %v: must be between %v and %v", field, i, x, -limit, limit)
		}
	}
	return nil
}

func checkSize(field string, x float32) error {
	if !within(x, minSize, maxSize) {
		return fmt.Errorf("%s is %v: must be between %v and %v metres", field, x, minSize, maxSize)
	}
	return nil
}

func (s Shape) check() error {
	switch s.Kind {
	case BoxShape:
		for i, x := range s.HalfExtents {
			if err := checkSize(fmt.Sprintf("Shape.HalfExtents[%d]", i), x); err != nil {
				return err
			}
		}
		return nil
	case SphereShape:
		return checkSize("Shape.Radius", s.Radius)
	case CapsuleShape:
		if err := checkSize("Shape.Radius", s.Radius); err != nil {
			return err
		}
		return checkSize("Shape.Height", s.Height)
	case PlaneShape:
		if l := s.Normal.Len(); !finiteVec(s.Normal) || !within(l, 1e-6, 1e6) {
			return fmt.Errorf("Shape.Normal is %v: must be a direction", s.Normal)
		}
		return nil
	}
	return fmt.Errorf("Shape.Kind is %v: must be box, sphere, capsule or plane", s.Kind)
}

// checkRotation takes the zero value for no rotation and brings the rest to
// unit length.
func checkRotation(field string, q mgl32.Quat) (mgl32.Quat, error) {
	if q == (mgl32.Quat{}) {
		return mgl32.QuatIdent(), nil
	}
	if l := q.Len(); !within(l, 1e-3, 1e3) {
		return q, fmt.Errorf("%s is %v: must be a rotation", field, q.XYZW())
	}
	return q.Normalize(), nil
}
