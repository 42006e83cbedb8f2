package render

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Sun is the light of the shadow map, for Casters and LightMatrix; a face of a
// lamp's is LampFace's.
const Sun = -1

// LampFace is a face of a lamp's map.
func LampFace(lamp, face int) int { return LampFaces*lamp + face }

// Casting is a draw into the map of a light: Count instances from First on, of each
// the indices (vertices where the primitive has none) from Start to End.
type Casting struct{ First, Count, Start, End int }

// Casters are the draws of a batch into the map of a light, one after another:
// given the last one, or none at first, it returns the next. Count is 0 behind the
// last.
func (f *Frame) Casters(b *Batch, light int, last Casting) Casting {
	all := Casting{Start: 0, End: b.Primitive.Count}
	if light == Sun {
		if last.Count == 0 {
			all.First, all.Count = b.ShadowFirst, b.ShadowCount
		}
		return all
	}
	bit := uint32(1) << light
	if b.lamps&bit == 0 {
		return all
	}
	pieces, at := 1, 0
	if b.pieced {
		pieces = len(b.Primitive.pieces)
	}
	if last.Count > 0 {
		at = (last.First+last.Count-1-b.First)*pieces + (last.End+3*pieceTriangles-1)/(3*pieceTriangles)
		if !b.pieced {
			at = last.First + last.Count - b.First
		}
	}
	casts := f.casts[b.casts : b.casts+b.written*pieces]
	for at < len(casts) && casts[at]&bit == 0 {
		at++
	}
	n := 0
	if !b.pieced {
		for at+n < len(casts) && casts[at+n]&bit != 0 {
			n++
		}
		all.First, all.Count = b.First+at, n
		return all
	}
	for at+n < len(casts) && casts[at+n]&bit != 0 && (n == 0 || (at+n)%pieces != 0) {
		n++
	}
	all.First, all.Count = b.First+at/pieces, min(n, 1)
	all.Start = at % pieces * 3 * pieceTriangles
	all.End = min(all.Start+n*3*pieceTriangles, all.End)
	return all
}

// setCasts finds which faces of lamps see some of a batch's instances. Of a few
// rigid ones it asks that of each piece: where a house stands, its roof may lie
// where no light falls that falls on its walls.
func (f *Frame) setCasts(b *Batch, out []instance) {
	b.casts = b.First
	for _, x := range f.casts[b.First : b.First+b.written] {
		b.lamps |= x
	}
	const few = 16 // of more, each is small enough
	if b.lamps == 0 || b.NoShadow || b.written > few || len(b.Primitive.pieces) == 0 {
		return
	}
	b.casts, b.lamps, b.pieced = len(f.casts), 0, true
	for i := b.First; i < b.First+b.written; i++ {
		whole := f.casts[i]
		m := out[i].matrix()
		for k := range b.Primitive.pieces {
			x := whole
			if x != 0 {
				box := padded(b.Primitive.pieces[k]).Transform(&m)
				x &= f.lampsThatSee(&box)
			}
			f.casts = append(f.casts, x)
			b.lamps |= x
		}
	}
}

// matrix is the matrix that the record's rows make up.
func (i *instance) matrix() mgl32.Mat4 {
	r := &i.rows
	return mgl32.Mat4{
		r[0][0], r[1][0], r[2][0], 0, r[0][1], r[1][1], r[2][1], 0, r[0][2], r[1][2], r[2][2], 0, r[0][3], r[1][3], r[2][3], 1,
	}
}

// LightMatrix is the matrix from the world to the clip space of a light's map.
func (f *Frame) LightMatrix(light int) *mgl32.Mat4 {
	if light == Sun {
		return &f.Globals.Shadow
	}
	return &f.lamps[light/LampFaces].faces[light%LampFaces].matrix
}

// lampsThatSee are the faces of lamps that a box may cast a shadow in, as bits; of
// nil, all.
func (f *Frame) lampsThatSee(b *animation.Box) (faces uint32) {
	for i := range f.lamps[:f.lampCount] {
		x := &f.lamps[i]
		if !x.on || !x.seen || b != nil && x.ball.misses(b.Min, b.Max) {
			continue
		}
		for k := range x.Faces {
			if face := &x.faces[k]; face.drawn && (b == nil || !face.frustum.misses(b)) {
				faces |= 1 << (LampFaces*i + k)
			}
		}
	}
	return faces
}
