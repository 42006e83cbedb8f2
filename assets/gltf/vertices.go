package gltf

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// The loops over vertices that take most of a character's loading. Each takes
// the case that most files are; what comes out is told by the plain loop beside
// it, or in the place that calls it.

// The joints and weights of a vertex, four joints a word and two weights.
const (
	laneTops   = 1<<63 | 1<<47 | 1<<31 | 1<<15
	laneBits   = 1<<64 - 1 - laneTops
	weightBits = 1<<63 - 1 - 1<<31 // all but the signs
)

// areSettled tells whether settleJoints would leave joints as they are, and if so
// what it would return. It may say false of what it cannot tell.
func areSettled(joints [][4]uint16, weights [][4]float32) (most int32, ok bool) {
	if !littleEndian {
		return 0, false
	}
	j := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(joints))), len(joints))
	w := unsafe.Slice((*[2]uint64)(unsafe.Pointer(unsafe.SliceData(weights))), len(weights))[:len(j)]
	top, kept := uint64(0), uint64(0)
	for k, x := range j {
		// A sum's sign bits are those of what is not 0.
		a, b := w[k][0]&weightBits+weightBits, w[k][1]&weightBits+weightBits
		keep := a>>16&(1<<15) | a>>32&(1<<31) | b<<16&(1<<47) | b&(1<<63)
		kept |= keep
		if x&laneTops|(x+laneBits)&laneTops&^keep != 0 {
			return 0, false
		}
		if less := (top | laneTops) - x; less&laneTops != laneTops { // in some lane x is above top
			above := ^less & laneTops
			above |= above - above>>15 // all bits of those lanes
			top = top&^above | x&above
		}
	}
	if kept == 0 {
		return -1, true
	}
	return int32(max(top&0xffff, top>>16&0xffff, top>>32&0xffff, top>>48)), true
}

// settleJoints sets the joint of each weight of 0 to 0 and returns the largest
// joint of the others; -1 where there is none.
func settleJoints(joints [][4]uint16, weights [][4]float32) int32 {
	most := int32(-1)
	for k := range joints {
		e, w := &joints[k], &weights[k]
		for c := range e {
			if w[c] == 0 {
				e[c] = 0
			} else {
				most = max(most, int32(e[c]))
			}
		}
	}
	return most
}

// nearlyUnit tells what unitThrees would.
func nearlyUnit(f []float32) (bad int, ok bool) {
	in := vec3s(f)
	for k := range in {
		e := &in[k]
		q := e[0]*e[0] + e[1]*e[1] + e[2]*e[2]
		if off := q - 1; off <= 1e-3 && off >= -1e-3 {
			continue
		}
		if !(q > 1e-20 && q < 1e20) {
			return 0, false
		}
		bad++
	}
	return bad, true
}

// unitThrees writes the directions of src to dst, which may be src, at length 1.
// bad counts those whose length was another. ok is false, and dst of no use,
// where float32 cannot square one, or one is not finite.
func unitThrees(dst, src []float32) (bad int, ok bool) {
	in, out := vec3s(src), vec3s(dst)
	out = out[:len(in)]
	for k := range in {
		e := &in[k]
		x, y, z := e[0], e[1], e[2]
		q := x*x + y*y + z*z
		if !(q > 1e-20 && q < 1e20) {
			return 0, false
		}
		if off := q - 1; off > 1e-3 || off < -1e-3 {
			bad++
		}
		s, o := 1/float32(math.Sqrt(float64(q))), &out[k]
		o[0], o[1], o[2] = x*s, y*s, z*s
	}
	return bad, true
}

// widen16 writes as many 16-bit numbers as out has and returns the largest.
func widen16(out []uint32, src []byte) uint32 {
	var a, b, c, d uint32 // so none waits for another
	for len(out) >= 8 && len(src) >= 16 {
		x, y := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])
		o := (*[8]uint32)(out)
		e, f, g, h := uint32(uint16(x)), uint32(x)>>16, uint32(uint16(x>>32)), uint32(x>>48)
		o[0], o[1], o[2], o[3] = e, f, g, h
		a, b, c, d = max(a, e), max(b, f), max(c, g), max(d, h)
		e, f, g, h = uint32(uint16(y)), uint32(y)>>16, uint32(uint16(y>>32)), uint32(y>>48)
		o[4], o[5], o[6], o[7] = e, f, g, h
		a, b, c, d = max(a, e), max(b, f), max(c, g), max(d, h)
		out, src = out[8:], src[16:]
	}
	for k := range out {
		out[k] = uint32(binary.LittleEndian.Uint16(src[2*k:]))
		a = max(a, out[k])
	}
	return max(a, b, c, d)
}
