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

// Flat is level ground at a height, metres.
type Flat float32

// Under is the ground at a point.
func (f Flat) Under(mgl32.Vec3) (float32, mgl32.Vec3, bool) { return float32(f), up, true }

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

// Under is the ground at a point.
func (f *HeightField) Under(at mgl32.Vec3) (float32, mgl32.Vec3, bool) {
	rows := len(f.Heights) / max(f.Columns, 1)
	if f.Columns < 2 || rows < 2 {
		return 0, up, false
	}
	ix, u := within((at[0]-f.X)/f.Cell, f.Columns-1)
	iz, v := within((at[2]-f.Z)/f.Cell, rows-1)
	h := f.Heights[iz*f.Columns+ix:]
	a, b, c, d := h[0], h[1], h[f.Columns], h[f.Columns+1]
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
