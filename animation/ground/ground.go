package ground

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Ground is what feet stand on. It may be asked by several goroutines at once, some
// dozen times a character and frame.
type Ground interface {
	// Under is the ground below or a little above a point in the world: its height
	// along +Y, metres, and its unit normal. It is not ok where there is none.
	Under(at mgl32.Vec3) (height float32, normal mgl32.Vec3, ok bool)
}

// Heights is Ground that tells its height more cheaply than its normal; contact then
// asks for that.
type Heights interface {
	Ground
	// Height is Under's.
	Height(at mgl32.Vec3) (height float32, ok bool)
}

// height asks as cheaply as the ground allows.
func height(g Ground, at mgl32.Vec3) (float32, bool) {
	if h, ok := g.(Heights); ok {
		return h.Height(at)
	}
	h, _, ok := g.Under(at)
	return h, ok
}

// Func is ground of a height at each (x, z), metres. Its normal is measured over
// 4 cm.
type Func func(x, z float32) float32

// Under is the ground at a point.
func (f Func) Under(at mgl32.Vec3) (float32, mgl32.Vec3, bool) {
	const d = 0.02
	x, z := at[0], at[2]
	n := mgl32.Vec3{f(x-d, z) - f(x+d, z), 2 * d, f(x, z-d) - f(x, z+d)}
	return f(x, z), n.Normalize(), true
}

// Height is the ground's at a point.
func (f Func) Height(at mgl32.Vec3) (float32, bool) { return f(at[0], at[2]), true }

// Flat is level ground at a height, metres.
type Flat float32

// Under is the ground at a point.
func (f Flat) Under(mgl32.Vec3) (float32, mgl32.Vec3, bool) { return float32(f), up, true }

// Height is the ground's at a point.
func (f Flat) Height(mgl32.Vec3) (float32, bool) { return float32(f), true }

// HeightField is ground on a grid of square cells. Within a cell heights are
// interpolated bilinearly; beyond the grid its edge goes on level.
type HeightField struct {
	X, Z    float32 // of the first height, metres in the world
	Cell    float32 // metres between heights
	Columns int     // heights in a row along +X, at least 2
	Heights []float32
}

// Validate reports what is wrong with the field.
func (f *HeightField) Validate() error {
	if f.Columns < 2 || len(f.Heights) < 2*f.Columns || len(f.Heights)%f.Columns != 0 {
		return fmt.Errorf("%w: a height field of %d heights in rows of %d; it needs two rows and columns", animation.ErrJob, len(f.Heights), f.Columns)
	}
	if x := f.X + f.Z; !(f.Cell > 0) || math.IsInf(float64(f.Cell), 0) || x-x != 0 {
		return fmt.Errorf("%w: a height field of %v m a cell at %v, %v", animation.ErrJob, f.Cell, f.X, f.Z)
	}
	for i, h := range f.Heights {
		if h-h != 0 {
			return fmt.Errorf("%w: height %d of a height field is %v", animation.ErrJob, i, h)
		}
	}
	return nil
}

// cell is the four heights about a point, the first two nearer along Z, and how far
// in it lies, in [0, 1].
func (f *HeightField) cell(at mgl32.Vec3) (a, b, c, d, u, v float32, ok bool) {
	if f.Columns < 2 || len(f.Heights) < 2*f.Columns {
		return 0, 0, 0, 0, 0, 0, false
	}
	ix, u := within((at[0]-f.X)/f.Cell, f.Columns-1)
	iz, v := within((at[2]-f.Z)/f.Cell, len(f.Heights)/f.Columns-1)
	near := f.Heights[iz*f.Columns+ix:][:2]
	far := f.Heights[(iz+1)*f.Columns+ix:][:2]
	return near[0], near[1], far[0], far[1], u, v, true
}

// Height is the ground's at a point.
func (f *HeightField) Height(at mgl32.Vec3) (float32, bool) {
	a, b, c, d, u, v, ok := f.cell(at)
	near, far := a+u*(b-a), c+u*(d-c)
	return near + v*(far-near), ok
}

// Under is the ground at a point.
func (f *HeightField) Under(at mgl32.Vec3) (float32, mgl32.Vec3, bool) {
	a, b, c, d, u, v, ok := f.cell(at)
	if !ok {
		return 0, up, false
	}
	near, far := a+u*(b-a), c+u*(d-c)
	dx := (b - a) + v*((d-c)-(b-a))
	dz := far - near
	return near + v*dz, mgl32.Vec3{-dx, f.Cell, -dz}.Normalize(), true
}

// within is the cell of a place on one axis and how far into it, in [0, 1].
func within(x float32, cells int) (int, float32) {
	if !(x > 0) { // or no number
		return 0, 0
	}
	if x >= float32(cells) {
		return cells - 1, 1
	}
	i := int(x)
	return i, x - float32(i)
}
