package fbx

import (
	"fmt"
	"math"
	"strconv"
)

// element is a record of the file: a name, values, and records inside it. Both
// encodings parse to it.
type element struct {
	name     string
	at       int64 // byte offset
	values   []value
	children []element
}

type valueKind uint8

const (
	kindInt valueKind = iota
	kindFloat
	kindText // a string, or a bare word of an ASCII file
	kindInts
	kindFloats
)

// value is one value of an element. Long lists of numbers are one value of kind
// kindInts or kindFloats.
type value struct {
	kind   valueKind
	number uint64 // an int64, or the bits of a float64
	text   string // strings and raw bytes
	array  any    // []int64, []int32 or []float64
}

func intValue(x int64) value     { return value{kind: kindInt, number: uint64(x)} }
func floatValue(x float64) value { return value{kind: kindFloat, number: math.Float64bits(x)} }

func (v *value) float() float64 {
	switch v.kind {
	case kindInt:
		return float64(int64(v.number))
	case kindFloat:
		return math.Float64frombits(v.number)
	case kindText:
		x, _ := strconv.ParseFloat(v.text, 64)
		return x
	}
	return 0
}

func (v *value) int() int64 {
	switch v.kind {
	case kindInt:
		return int64(v.number)
	case kindFloat:
		return toInt(math.Float64frombits(v.number))
	case kindText:
		x, _ := strconv.ParseInt(v.text, 10, 64)
		return x
	}
	return 0
}

// toInt is x cut to an int64, 0 for what is none.
func toInt(x float64) int64 {
	if !(math.Abs(x) < 1<<62) {
		return 0
	}
	return int64(x)
}

// child returns the first element of that name inside e, or nil.
func (e *element) child(name string) *element {
	if e == nil {
		return nil
	}
	for i := range e.children {
		if e.children[i].name == name {
			return &e.children[i]
		}
	}
	return nil
}

// each calls f with every element of that name inside e.
func (e *element) each(name string, f func(*element)) {
	if e == nil {
		return
	}
	for i := range e.children {
		if e.children[i].name == name {
			f(&e.children[i])
		}
	}
}

// int, float and text are value i; 0 or "" where there is none.
func (e *element) int(i int) int64 {
	if e == nil || i >= len(e.values) {
		return 0
	}
	return e.values[i].int()
}

func (e *element) float(i int) float64 {
	if e == nil || i >= len(e.values) {
		return 0
	}
	return e.values[i].float()
}

func (e *element) text(i int) string {
	if e == nil || i >= len(e.values) {
		return ""
	}
	return e.values[i].text
}

// floats returns all numbers of the element, and whether they are that. Long
// lists come without a copy.
func (e *element) floats() []float64 {
	if e == nil || len(e.values) == 0 {
		return nil
	}
	if len(e.values) == 1 {
		switch a := e.values[0].array.(type) {
		case []float64:
			return a
		case []int64:
			out := make([]float64, len(a))
			for i, x := range a {
				out[i] = float64(x)
			}
			return out
		case []int32:
			out := make([]float64, len(a))
			for i, x := range a {
				out[i] = float64(x)
			}
			return out
		}
	}
	out := make([]float64, 0, len(e.values))
	for i := range e.values {
		if e.values[i].kind == kindText {
			continue
		}
		out = append(out, e.values[i].float())
	}
	return out
}

// ints returns all numbers of the element, cut to whole ones.
func (e *element) ints() []int64 {
	if e == nil || len(e.values) == 0 {
		return nil
	}
	if len(e.values) == 1 {
		switch a := e.values[0].array.(type) {
		case []int64:
			return a
		case []int32:
			out := make([]int64, len(a))
			for i, x := range a {
				out[i] = int64(x)
			}
			return out
		case []float64:
			out := make([]int64, len(a))
			for i, x := range a {
				out[i] = toInt(x)
			}
			return out
		}
	}
	out := make([]int64, 0, len(e.values))
	for i := range e.values {
		if e.values[i].kind == kindText {
			continue
		}
		out = append(out, e.values[i].int())
	}
	return out
}

// indices is ints for what numbers vertices and polygons: anything outside an
// int32 becomes the nearest, which is outside every list.
func (e *element) indices() []int32 {
	if e != nil && len(e.values) == 1 {
		if a, ok := e.values[0].array.([]int32); ok {
			return a
		}
	}
	wide := e.ints()
	if wide == nil {
		return nil
	}
	out := make([]int32, len(wide))
	for i, x := range wide {
		out[i] = int32(min(max(x, math.MinInt32), math.MaxInt32))
	}
	return out
}

// budget bounds what a file may ask for by its own size.
type budget struct{ left int64 }

const (
	budgetBase    = 40 << 20
	budgetPerByte = 22
)

func newBudget(size int) *budget { return &budget{budgetBase + budgetPerByte*int64(size)} }

// take pays for n bytes.
func (b *budget) take(n int64) error {
	if n < 0 || n > b.left {
		return fmt.Errorf("asks for %d bytes more than a file of this size accounts for", n)
	}
	b.left -= n
	return nil
}

// affords pays for n bytes where that can be done.
func (b *budget) affords(n int64) bool { return b.take(n) == nil }
