package gltf

import "encoding/binary"

// buffer is one of the file's buffers; its bytes are fetched when first used.
type buffer struct {
	token  int
	length int64
	data   []byte
	loaded bool
}

// bufferView is a range of a buffer.
type bufferView struct {
	token                  int
	buffer                 int32
	offset, length, stride int64 // stride 0: tightly packed
	packed                 int32 // token of its EXT_meshopt_compression; 0 where there is none
}

// accessor is an array of elements in a bufferView (glTF 2.0 §3.6.2).
type accessor struct {
	token, sparse int
	view          int32 // -1: zeros
	component     int32 // the GL constant
	elements      uint8 // components an element; 0 where the type is unknown
	normalized    bool
	offset, count int64
	run           int32 // the first of its floatRuns, counted from 1; 0 for none
}

// Component types, by their OpenGL constants.
const (
	i8  = 5120
	u8  = 5121
	i16 = 5122
	u16 = 5123
	u32 = 5125
	f32 = 5126
)

// componentSize is a component's bytes; 0 of an unknown type.
func componentSize(component int32) int64 {
	switch component {
	case i8, u8:
		return 1
	case i16, u16:
		return 2
	case u32, f32:
		return 4
	}
	return 0
}

var componentName = map[int32]string{i8: "BYTE", u8: "UNSIGNED_BYTE", i16: "SHORT", u16: "UNSIGNED_SHORT", u32: "UNSIGNED_INT", f32: "FLOAT"}

// elementsOf is how many components a type has; 0 of an unknown one.
func elementsOf(kind []byte) uint8 {
	switch string(kind) {
	case "SCALAR":
		return 1
	case "VEC2":
		return 2
	case "VEC3":
		return 3
	case "VEC4", "MAT2":
		return 4
	case "MAT3":
		return 9
	case "MAT4":
		return 16
	}
	return 0
}

// storage reads the lists of buffers, bufferViews and accessors. A checker's loader
// is lenient: it goes on behind what is wrong, which the checker tells.
func (l *loader) storage() {
	list, n := l.list("buffers", 64)
	l.buffers, l.fileBuffers = make([]buffer, n), n
	for i, v := range list.elements() {
		l.buffers[i] = buffer{token: v.i, length: v.need("byteLength").integer(0)}
		l.forgive()
	}
	list, n = l.list("bufferViews", 48)
	l.views, l.fileViews = make([]bufferView, n), n
	for i, v := range list.elements() {
		l.views[i] = bufferView{
			token: v.i, buffer: v.need("buffer").index(l.fileBuffers, "buffers"),
			offset: v.get("byteOffset").integer(0), length: v.need("byteLength").integer(0),
			stride: v.get("byteStride").integer(0),
		}
		if ext := v.get("extensions").get("EXT_meshopt_compression"); ext.exists() {
			l.views[i].packed = int32(ext.i)
		}
		l.forgive()
	}
	list, n = l.list("accessors", 64)
	l.accessors, l.fileAccessors = make([]accessor, n), n
	for i, v := range list.elements() {
		a := accessor{token: v.i, sparse: -1, view: -1}
		// One walk over the members instead of one a name: this is most of a
		// character's JSON.
		count, component, typ := value{l, -1}, value{l, -1}, value{l, -1}
		tape := l.doc.tape
		for k, end := v.i+1, int(tape[v.i].next); tape[v.i].kind == kindObject && k < end; k = int(tape[k+1].next) {
			m := value{l, k + 1}
			if m.kind() == kindNull {
				continue
			}
			switch string(value{l, k}.bytes()) {
			case "bufferView":
				a.view = m.index(l.fileViews, "bufferViews")
			case "byteOffset":
				a.offset = m.integer(0)
			case "componentType":
				component = m
			case "count":
				count = m
			case "type":
				typ = m
			case "normalized":
				a.normalized = m.boolean(false)
			case "sparse":
				a.sparse = m.i
			}
		}
		l.forgive()
		if !count.exists() || !component.exists() || !typ.exists() {
			v.need("componentType")
			v.need("count")
			v.need("type")
			if !l.lenient {
				return
			}
			l.forgive()
		}
		a.count = count.integer(0)
		l.forgive()
		a.component = int32(min(component.integer(0), 1<<20))
		a.elements = elementsOf(typ.bytes())
		l.forgive()
		l.accessors[i] = a
	}
}

// forgive forgets a mistake where the loader is a checker's.
func (l *loader) forgive() {
	if l.lenient {
		l.err = nil
	}
}

// bytes returns a buffer's bytes, fetching them at first. at is what asks.
func (l *loader) bytes(i int32, at value) []byte {
	if i < 0 {
		l.fail(at, "reads a bufferView that has no buffer")
		return nil
	}
	b := &l.buffers[i]
	if b.loaded {
		return b.data
	}
	v := value{l, b.token}
	uri := v.get("uri")
	var data []byte
	switch {
	case !uri.exists() && i == 0 && l.bin != nil:
		data = l.bin
	case !uri.exists():
		if b.length == 0 {
			break
		}
		l.failKind(v, ErrMissing, "has neither a uri nor a binary chunk to read from")
		return nil
	default:
		if uri.kind() != kindString {
			uri.text()
			return nil
		}
		if l.err != nil {
			return nil
		}
		raw := uri.raw()
		if uri.token().escaped {
			raw = []byte(uri.text())
		}
		bytes, ok, err := dataURI(raw)
		if !ok {
			name := uri.text()
			if bytes, err = l.beside(name, b.length); err != nil {
				l.failKind(uri, ErrMissing, "%q cannot be read: %v", shorten(name), err)
				return nil
			}
		}
		if err != nil {
			l.fail(uri, "%v", err)
			return nil
		}
		data = bytes
	}
	if int64(len(data)) < b.length {
		l.fail(v, "tells of %d bytes, but there are %d; the file is cut off", b.length, len(data))
		return nil
	}
	b.data, b.loaded = data[:b.length:b.length], true
	return b.data
}

// view returns the bytes of a bufferView. name says whose range a mistake is.
func (l *loader) view(i int32, at value, name string) []byte {
	if l.views[i].packed != 0 && !l.unpackView(i, at) {
		return nil
	}
	w := l.views[i]
	data := l.bytes(w.buffer, at)
	if l.err != nil {
		return nil
	}
	if w.offset > int64(len(data)) || w.length > int64(len(data))-w.offset {
		l.fail(at, "%s reads bytes %d..%d of a buffer of %d; the file is cut off or its bufferView %d is wrong", name, w.offset, w.offset+w.length, len(data), i)
		return nil
	}
	return data[w.offset : w.offset+w.length]
}

// packed is an accessor's elements: element k begins at data[k*stride]. data is
// nil where all are zero.
type packed struct {
	data          []byte
	stride, count int
	component     int32
	elements      int
	normalized    bool
	sparse        []byte // of the sparse elements, packed tightly; nil for none
	sparseAt      []byte // their indices
	sparseIndex   int32  // component type of sparseAt
	sparseCount   int
}

// open finds the bytes of accessor i and checks every size against them, so that
// what reads them may allocate by its count. at is the reference to it.
func (l *loader) open(at value, i int32) (p packed, ok bool) {
	a := l.accessors[i]
	size := componentSize(a.component)
	if l.err != nil {
		return p, false
	}
	if size == 0 {
		l.fail(at, "accessor %d has the unknown component type %d", i, a.component)
		return p, false
	}
	if a.elements == 0 {
		l.fail(at, "accessor %d has the unknown type %s", i, shorten(value{l, a.token}.get("type").text()))
		return p, false
	}
	size *= int64(a.elements)
	p = packed{component: a.component, elements: int(a.elements), normalized: a.normalized, stride: int(size)}
	if a.view >= 0 && a.count > 0 {
		if l.views[a.view].packed != 0 && !l.unpackView(a.view, at) {
			return p, false
		}
		w := l.views[a.view]
		data := l.bytes(w.buffer, at)
		if l.err != nil {
			return p, false
		}
		stride := size
		if w.stride != 0 {
			stride = w.stride
		}
		if stride < size && a.count > 1 {
			l.fail(at, "accessor %d has elements of %d bytes, but bufferView %d has a stride of %d", i, size, a.view, stride)
			return p, false
		}
		begin := w.offset + a.offset
		switch n := int64(len(data)); {
		case begin > n || size > n-begin || (a.count-1) > (n-begin-size)/stride:
			l.fail(at, "accessor %d reads bytes %d..%s of a buffer of %d; the file is cut off or its accessor is wrong",
				i, begin, endOf(begin, size, stride, a.count), n)
			return p, false
		case begin+(a.count-1)*stride+size > w.offset+w.length:
			l.fail(at, "accessor %d reads bytes %d..%d, but its bufferView %d ends at %d; the accessor or the bufferView is wrong",
				i, begin, begin+(a.count-1)*stride+size, a.view, w.offset+w.length)
			return p, false
		}
		p.data, p.stride = data[begin:begin+(a.count-1)*stride+size], int(stride)
	} else if a.count > 1<<32 {
		l.fail(at, "accessor %d has %d elements and no bytes", i, a.count)
		return p, false
	}
	p.count = int(a.count)
	if a.sparse >= 0 {
		return l.openSparse(p, at, i, size)
	}
	return p, true
}

// endOf tells where an accessor would end, which may be beyond any number.
func endOf(begin, size, stride, count int64) string {
	if stride > 0 && count-1 > (maxInt-begin-size)/stride {
		return "…"
	}
	return itoa(begin + (count-1)*stride + size)
}

func (l *loader) openSparse(p packed, at value, i int32, size int64) (packed, bool) {
	s := value{l, l.accessors[i].sparse}
	count := s.need("count").integer(0)
	indices, values := s.need("indices"), s.need("values")
	if l.err != nil {
		return p, false
	}
	if count > int64(p.count) {
		l.fail(at, "accessor %d replaces %d of %d elements", i, count, p.count)
		return p, false
	}
	part := func(v value, what string, component int32, size int64) []byte {
		w := v.need("bufferView").index(l.fileViews, "bufferViews")
		offset := v.get("byteOffset").integer(0)
		if l.err != nil {
			return nil
		}
		data := l.view(w, at, "the sparse "+what+" of accessor "+itoa(int64(i)))
		if l.err != nil {
			return nil
		}
		if n := int64(len(data)); offset > n || count*size > n-offset {
			l.fail(at, "the sparse %s of accessor %d read bytes %d..%d of bufferView %d of %d; the file is cut off or its accessor is wrong",
				what, i, offset, offset+count*size, w, n)
			return nil
		}
		return data[offset : offset+count*size]
	}
	p.sparseIndex = int32(min(indices.need("componentType").integer(0), 1<<20))
	indexSize := componentSize(p.sparseIndex)
	if l.err == nil && (indexSize == 0 || p.sparseIndex != u8 && p.sparseIndex != u16 && p.sparseIndex != u32) {
		l.fail(at, "the sparse indices of accessor %d have the component type %d", i, p.sparseIndex)
	}
	p.sparseAt = part(indices, "indices", p.sparseIndex, indexSize)
	p.sparse = part(values, "values", p.component, size)
	p.sparseCount = int(count)
	for k := range p.sparseCount {
		if l.err != nil {
			break
		}
		if x := p.replaced(k); x >= p.count {
			l.failKind(at, errSparseIndex, "accessor %d replaces element %d of %d", i, x, p.count)
		}
	}
	return p, l.err == nil
}

// replaced is the element that sparse element k stands for.
func (p *packed) replaced(k int) int {
	switch p.sparseIndex {
	case u8:
		return int(p.sparseAt[k])
	case u16:
		return int(binary.LittleEndian.Uint16(p.sparseAt[2*k:]))
	default:
		return int(binary.LittleEndian.Uint32(p.sparseAt[4*k:]))
	}
}
