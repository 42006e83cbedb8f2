package gltf

import (
	"unsafe"

	"github.com/bindpose/bindpose/assets"
)

// unitNormals makes normals unit where they lie in the file, which is half of
// what a character's copies take. It is done when all is read: what else is part
// of those bytes is known then, and everything that is not has been copied.
func (l *loader) unitNormals() {
	const most = 1 << 20 // looking through large files takes longer than copying
	few := len(l.normals)*(len(l.floatRuns)+len(l.jointRuns)+len(l.m.Images)) < most
	for _, r := range l.normals {
		f := l.floatRuns[r].floats
		if few && l.alone(r) {
			unitThrees(f, f)
			continue
		}
		out := make([]float32, len(f))
		unitThrees(out, f)
		l.eachPrimitive(func(p *assets.Primitive) {
			if len(p.Normals) == len(f)/3 && &p.Normals[0][0] == &f[0] {
				p.Normals = vec3s(out)
			}
		})
	}
}

func (l *loader) eachPrimitive(do func(*assets.Primitive)) {
	for i := range l.m.Meshes {
		for k := range l.m.Meshes[i].Primitives {
			do(&l.m.Meshes[i].Primitives[k])
		}
	}
}

// alone tells whether nothing else of the model is part of a run's bytes.
func (l *loader) alone(run int32) bool {
	f := bytesOf(l.floatRuns[run].floats)
	for k, r := range l.floatRuns {
		if int32(k) != run && overlap(f, bytesOf(r.floats)) {
			return false
		}
	}
	for _, r := range l.jointRuns {
		if overlap(f, bytesOf(r.joints)) {
			return false
		}
	}
	for k := range l.m.Images {
		if overlap(f, l.m.Images[k].Data) {
			return false
		}
	}
	return true
}

func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

func overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}
