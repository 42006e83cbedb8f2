package gltf

import (
	"encoding/binary"

	"github.com/bindpose/bindpose/assets/gltf/internal/draco"
	"github.com/bindpose/bindpose/assets/gltf/internal/meshopt"
)

// unpackView replaces a meshopt-compressed bufferView by one of a buffer of its
// own that holds what is unpacked, so that everything after reads it as any
// other. at is what asks.
func (l *loader) unpackView(i int32, at value) bool {
	w := &l.views[i]
	v := value{l, int(w.packed)}
	w.packed = 0
	buffer := v.need("buffer").index(l.fileBuffers, "buffers")
	offset, length := v.get("byteOffset").integer(0), v.need("byteLength").integer(0)
	stride, count := v.need("byteStride").integer(0), v.need("count").integer(0)
	mode, filter := meshopt.Attributes, meshopt.None
	switch m := v.need("mode"); {
	case m.is("ATTRIBUTES"):
	case m.is("TRIANGLES"):
		mode = meshopt.Triangles
	case m.is("INDICES"):
		mode = meshopt.Indices
	default:
		l.fail(m, "%q is no mode of EXT_meshopt_compression", shorten(m.text()))
	}
	switch f := v.get("filter"); {
	case !f.exists() || f.is("NONE"):
	case f.is("OCTAHEDRAL"):
		filter = meshopt.Octahedral
	case f.is("QUATERNION"):
		filter = meshopt.Quaternion
	case f.is("EXPONENTIAL"):
		filter = meshopt.Exponential
	default:
		l.fail(f, "%q is no filter of EXT_meshopt_compression", shorten(f.text()))
	}
	if l.err != nil {
		return false
	}
	data := l.bytes(buffer, v)
	if l.err != nil {
		return false
	}
	if n := int64(len(data)); offset > n || length > n-offset {
		l.fail(v, "reads bytes %d..%d of a buffer of %d; the file is cut off", offset, offset+length, n)
		return false
	}
	if stride == 0 || stride > 256 || count > maxInt/stride || count*stride != w.length {
		l.fail(v, "%d elements of %d bytes are not the %d bytes of the bufferView", count, stride, w.length)
		return false
	}
	if !l.charge(v, w.length) {
		return false
	}
	out := make([]byte, w.length)
	if err := meshopt.Decode(out, data[offset:offset+length], mode, int(stride), filter); err != nil {
		l.fail(v, "cannot be unpacked: %v", err)
		return false
	}
	*w = bufferView{token: w.token, buffer: l.ownBuffer(w.token, out), length: w.length, stride: w.stride}
	return true
}

// ownBuffer adds a buffer that is not the file's.
func (l *loader) ownBuffer(token int, data []byte) int32 {
	l.buffers = append(l.buffers, buffer{token: token, length: int64(len(data)), data: data, loaded: true})
	return int32(len(l.buffers) - 1)
}

// unpackPrimitive unpacks a Draco-compressed primitive. What it holds becomes
// accessors of the loader's own; the result is which one stands in for which of
// the file's, by the attribute's name and "indices".
func (l *loader) unpackPrimitive(v, primitive value) map[string]int32 {
	view := v.need("bufferView").index(l.fileViews, "bufferViews")
	ids := v.need("attributes")
	if l.err != nil {
		return nil
	}
	packed := l.view(view, v, "the Draco mesh")
	if l.err != nil {
		return nil
	}
	faces, points, err := draco.Sizes(packed)
	if err != nil {
		l.fail(v, "%v", err)
		return nil
	}
	// What Draco takes for its connectivity and for attributes of 16 bytes.
	const perFace, perPoint = 40, 16
	if faces > maxInt/perFace || points > maxInt/perPoint || !l.charge(v, int64(faces*perFace+points*perPoint)) {
		l.fail(v, "tells of %d triangles, too many", faces)
		return nil
	}
	mesh, err := draco.Open(packed)
	if err != nil {
		l.fail(v, "%v", err)
		return nil
	}
	defer mesh.Close()
	instead := map[string]int32{}
	add := func(at value, data []byte, component int32, elements, count int, normalized bool) int32 {
		l.views = append(l.views, bufferView{token: v.i, buffer: l.ownBuffer(v.i, data), length: int64(len(data))})
		l.accessors = append(l.accessors, accessor{
			token: at.i, sparse: -1, view: int32(len(l.views) - 1), component: component,
			elements: uint8(elements), normalized: normalized, count: int64(count),
		})
		return int32(len(l.accessors) - 1)
	}
	if at := primitive.get("indices"); at.exists() {
		indices := make([]uint32, 3*mesh.Faces())
		if err := mesh.Indices(indices); err != nil {
			l.fail(v, "%v", err)
			return nil
		}
		data := make([]byte, 0, 4*len(indices))
		for _, x := range indices {
			data = binary.LittleEndian.AppendUint32(data, x)
		}
		instead["indices"] = add(at, data, u32, 1, len(indices), false)
	}
	attributes := primitive.get("attributes")
	for name, id := range ids.members() {
		at := attributes.get(name)
		i := at.index(l.fileAccessors, "accessors")
		n := id.integer(0)
		if l.err != nil {
			return nil
		}
		if i < 0 {
			continue
		}
		a := l.accessors[i]
		elements := 0
		if n < 1<<32 {
			elements = mesh.Components(uint32(n))
		}
		if elements == 0 || elements != int(a.elements) {
			l.fail(id, "the Draco mesh has no attribute %d of %d components", n, a.elements)
			return nil
		}
		size := componentSize(a.component) * int64(elements) * int64(mesh.Points())
		if size == 0 || !l.charge(id, size) {
			l.fail(id, "the accessor %d of the Draco attribute has no known component type, or no elements", i)
			return nil
		}
		data := make([]byte, size)
		if err := mesh.Attribute(uint32(n), a.component, data); err != nil {
			l.fail(id, "the Draco attribute %d is not what accessor %d says: %v", n, i, err)
			return nil
		}
		instead[name] = add(at, data, a.component, elements, mesh.Points(), a.normalized)
	}
	return instead
}
