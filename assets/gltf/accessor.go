package gltf

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/bindpose/bindpose/engine/mgl32"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// littleEndian tells whether this machine's floats lie in memory as the file's
// do, so that they are copied instead of put together.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// floatKey tells apart the readings of an accessor; each is made once and shared
// by all who ask.
type floatKey struct {
	accessor int32
	width    uint8 // floats an element in memory
	use      use
}

// floatRun is one reading.
type floatRun struct {
	key    floatKey
	next   int32 // the next of the same accessor, counted from 1; 0 for none
	floats []float32
}

// readBefore returns an earlier reading.
func (l *loader) readBefore(key floatKey) (f []float32, ok bool) {
	for n := l.accessors[key.accessor].run; n > 0; n = l.floatRuns[n-1].next {
		if r := &l.floatRuns[n-1]; r.key == key {
			return r.floats, true
		}
	}
	return nil, false
}

func (l *loader) keep(key floatKey, f []float32) []float32 {
	a := &l.accessors[key.accessor]
	l.floatRuns = append(l.floatRuns, floatRun{key, a.run, f})
	a.run = int32(len(l.floatRuns))
	return f
}

// use is what an accessor's floats are for, as far as the reading differs.
type use uint8

const (
	plain      use = iota
	fraction       // integers are normalised whether or not the file says so
	directions     // what is not finite becomes 0 with a warning instead of an error
	unit           // directions of length 1
	times          // rising, checked once
)

// floats reads accessor i as width floats an element; elements must have between
// least and width components, and further ones are 1 (the alpha of a colour).
func (l *loader) floats(at value, i int32, least, width int, how use) []float32 {
	key := floatKey{i, uint8(width), how}
	if f, ok := l.readBefore(key); ok {
		return f
	}
	p, ok := l.open(at, i)
	if !ok {
		return nil
	}
	if p.elements < least || p.elements > width {
		l.fail(at, "accessor %d has elements of %d components where %d belong", i, p.elements, width)
		return nil
	}
	if !l.charge(at, int64(p.count)*int64(width)*4) {
		return nil
	}
	if how == fraction && p.component != f32 && !p.normalized {
		l.warn(at, "accessor %d has whole numbers that are not marked as normalised; they are read as such", i)
		p.normalized = true
	}
	f, shared := p.inPlace(width)
	if shared && how == unit && width == 3 && !areUnit(f, width) {
		// Most files' normals end here.
		if l.own {
			if bad, ok := nearlyUnit(f); ok {
				l.tellNotUnit(at, i, bad)
				l.keep(key, f)
				l.normals = append(l.normals, int32(len(l.floatRuns)-1))
				return f
			}
		}
		out := make([]float32, len(f))
		if bad, ok := unitThrees(out, f); ok {
			l.tellNotUnit(at, i, bad)
			return l.keep(key, out)
		}
		f, shared = out, false // and read into below
	}
	if f == nil {
		f = make([]float32, p.count*width)
	}
	if p.elements < width {
		for k := range f {
			f[k] = 1
		}
	}
	if shared {
		// Nothing is converted.
	} else if p.data != nil {
		p.convert(f, width, p.data, p.stride, p.count)
	} else if p.elements < width {
		for k := range p.count {
			clear(f[k*width:][:p.elements])
		}
	}
	if p.sparseCount > 0 {
		l.overlay(&p, f, width)
	}
	if p.component == f32 {
		if bad := notFinite(f); bad >= 0 {
			if how != directions && how != unit {
				l.fail(at, "element %d of accessor %d is not a finite number", bad/width, i)
				return nil
			}
			l.warn(at, "element %d of accessor %d is not a finite number; such become 0", bad/width, i)
			if shared {
				f, shared = slices.Clone(f), false
			}
			for k := range f {
				if notFinite(f[k:k+1]) >= 0 {
					f[k] = 0
				}
			}
		}
	}
	if how == unit && !(shared && areUnit(f, width)) {
		if shared {
			f = slices.Clone(f)
		}
		l.unitise(at, i, f, width, p.component == f32)
	}
	return l.keep(key, f)
}

// inPlace is the accessor's floats where they lie in the file, if they lie there
// as they do in memory. They must not be written to: other accessors may read
// the same bytes.
func (p *packed) inPlace(width int) (f []float32, ok bool) {
	n := p.count * width
	if p.component != f32 || p.elements != width || p.stride != 4*width || p.sparseCount > 0 || len(p.data) < 4*n || n == 0 || !littleEndian {
		return nil, false
	}
	at := unsafe.Pointer(unsafe.SliceData(p.data))
	if uintptr(at)%unsafe.Alignof(float32(0)) != 0 {
		return nil, false
	}
	return unsafe.Slice((*float32)(at), n), true
}

// areUnit tells whether unitise would leave directions as they are.
func areUnit(f []float32, width int) bool {
	for k := 0; k+width <= len(f); k += width {
		if e := (*mgl32.Vec3)(f[k:]); e.LenSqr() != 1 || width == 4 && f[k+3] != 1 && f[k+3] != -1 {
			return false
		}
	}
	return true
}

// overlay puts the sparse elements over the base.
func (l *loader) overlay(p *packed, f []float32, width int) {
	size := len(p.sparse) / p.sparseCount
	for k := range p.sparseCount {
		x := p.replaced(k)
		p.convert(f[x*width:][:width], width, p.sparse[k*size:], size, 1)
	}
}

// notFinite is the index of the first NaN or infinity, or -1.
func notFinite(f []float32) int {
	const exponent = 0x7f800000
	// Two a word: what is not finite carries into its sign bit.
	const both, one = exponent<<32 | exponent, 1<<55 | 1<<23
	i := 0
	if n := len(f) / 8; n > 0 {
		for _, w := range unsafe.Slice((*[4]uint64)(unsafe.Pointer(&f[0])), n) {
			if ((w[0]&both+one)|(w[1]&both+one)|(w[2]&both+one)|(w[3]&both+one))&(1<<63|1<<31) != 0 {
				break
			}
			i += 8
		}
	}
	for ; i < len(f); i++ {
		x := f[i]
		if math.Float32bits(x)&exponent == exponent {
			return i
		}
	}
	return -1
}

// convert writes count elements to dst, width floats apart. Normalised integers
// become fractions (glTF 2.0 §3.11).
func (p *packed) convert(dst []float32, width int, src []byte, stride, count int) {
	n := p.elements
	switch p.component {
	case f32:
		if littleEndian && n == width {
			raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), len(dst)*4)
			if stride == 4*n {
				copy(raw, src[:count*stride])
				return
			}
			for k := range count {
				copy(raw[k*4*n:][:4*n], src[k*stride:])
			}
			return
		}
		for k := range count {
			e := src[k*stride:][:4*n]
			for c := range n {
				dst[k*width+c] = math.Float32frombits(binary.LittleEndian.Uint32(e[4*c:]))
			}
		}
	case u8:
		scale := p.divisor(255)
		for k := range count {
			for c, x := range src[k*stride:][:n] {
				dst[k*width+c] = float32(x) / scale
			}
		}
	case u16:
		scale := p.divisor(65535)
		for k := range count {
			e := src[k*stride:][:2*n]
			for c := range n {
				dst[k*width+c] = float32(binary.LittleEndian.Uint16(e[2*c:])) / scale
			}
		}
	case i8:
		scale, least := p.divisor(127), p.least()
		for k := range count {
			for c, x := range src[k*stride:][:n] {
				dst[k*width+c] = max(float32(int8(x))/scale, least)
			}
		}
	case i16:
		scale, least := p.divisor(32767), p.least()
		for k := range count {
			e := src[k*stride:][:2*n]
			for c := range n {
				dst[k*width+c] = max(float32(int16(binary.LittleEndian.Uint16(e[2*c:])))/scale, least)
			}
		}
	case u32:
		scale := float32(1)
		if p.normalized {
			scale = 1 << 32
		}
		for k := range count {
			e := src[k*stride:][:4*n]
			for c := range n {
				dst[k*width+c] = float32(binary.LittleEndian.Uint32(e[4*c:])) / scale
			}
		}
	}
}

func (p *packed) divisor(d float32) float32 {
	if p.normalized {
		return d
	}
	return 1
}

// least bounds signed fractions: -128 and -127 both mean -1.
func (p *packed) least() float32 {
	if p.normalized {
		return -1
	}
	return float32(math.Inf(-1))
}

// The vectors are arrays of float32, so a run of floats is a run of vectors.
func vec2s(f []float32) []mgl32.Vec2 {
	return unsafe.Slice((*mgl32.Vec2)(unsafe.Pointer(unsafe.SliceData(f))), len(f)/2)
}

func vec3s(f []float32) []mgl32.Vec3 {
	return unsafe.Slice((*mgl32.Vec3)(unsafe.Pointer(unsafe.SliceData(f))), len(f)/3)
}

func vec4s(f []float32) []mgl32.Vec4 {
	return unsafe.Slice((*mgl32.Vec4)(unsafe.Pointer(unsafe.SliceData(f))), len(f)/4)
}

func vec4Weights(f []float32) [][4]float32 {
	return unsafe.Slice((*[4]float32)(unsafe.Pointer(unsafe.SliceData(f))), len(f)/4)
}

func mat4s(f []float32) []mgl32.Mat4 {
	return unsafe.Slice((*mgl32.Mat4)(unsafe.Pointer(unsafe.SliceData(f))), len(f)/16)
}

// indexKey is an index accessor read for a mode.
type indexKey struct {
	accessor, mode int32
}

type indexRun struct {
	indices []uint32
	most    uint32 // the largest
	rest    int    // indices left over behind the last whole triangle or line
}

// wholes reads an accessor of unsigned integers, one an element, and tells the
// largest.
func (l *loader) wholes(at value, i int32) (out []uint32, most uint32) {
	p, ok := l.open(at, i)
	if !ok {
		return nil, 0
	}
	if p.elements != 1 || p.component != u8 && p.component != u16 && p.component != u32 {
		l.fail(at, "accessor %d holds %s of %d components; indices are unsigned and single", i, componentName[p.component], p.elements)
		return nil, 0
	}
	if !l.charge(at, int64(p.count)*4) {
		return nil, 0
	}
	out = make([]uint32, p.count)
	if p.component == u16 && p.stride == 2 && p.data != nil && p.sparseCount == 0 {
		return out, widen16(out, p.data)
	}
	if p.data != nil {
		p.integers(out, p.data, p.stride)
	}
	for k := range p.sparseCount {
		size := len(p.sparse) / p.sparseCount
		p.integers(out[p.replaced(k):][:1], p.sparse[k*size:], size)
	}
	for _, x := range out {
		most = max(most, x)
	}
	return out, most
}

// integers reads an element of one component for each of out.
func (p *packed) integers(out []uint32, src []byte, stride int) {
	switch p.component {
	case u8:
		for k := range out {
			out[k] = uint32(src[k*stride])
		}
	case u16:
		for k := range out {
			out[k] = uint32(binary.LittleEndian.Uint16(src[k*stride:]))
		}
	case u32:
		for k := range out {
			out[k] = binary.LittleEndian.Uint32(src[k*stride:])
		}
	}
}
