package fbx

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

const binaryMagic = "Kaydara FBX Binary  \x00"

const (
	maxDepth = 64
	// longList is from how many numbers on a list of values becomes one array.
	longList = 16
)

// binaryParser reads the binary encoding. The layout is public knowledge since
// the Blender Foundation's "FBX binary file format specification" (2013):
// records of end offset, number and bytes of values, and name; values by a type
// letter; nested records, ended by an empty one. From version 7500 on the three
// numbers are 64 bits wide. The byte after the magic tells the byte order.
type binaryParser struct {
	data   []byte
	order  binary.ByteOrder
	wide   bool
	budget *budget
	at     int64 // of the last fault
}

func (p *binaryParser) fail(at int, format string, args ...any) error {
	p.at = int64(at)
	return fmt.Errorf(format, args...)
}

// parseBinary returns the top-level elements and the version.
func parseBinary(data []byte, b *budget) (root element, version int, at int64, err error) {
	const head = len(binaryMagic) + 2
	if len(data) < head+4 {
		return root, 0, int64(len(data)), errors.New("the file ends inside its header")
	}
	p := &binaryParser{data: data, order: binary.LittleEndian, budget: b}
	if data[head-1] != 0 {
		p.order = binary.BigEndian
	}
	version = int(p.order.Uint32(data[head:]))
	p.wide = version >= 7500
	root.children, _, err = p.list(head+4, len(data), 0, true)
	return root, version, p.at, err
}

// list reads records up to the empty one that ends them, or to end.
func (p *binaryParser) list(at, end, depth int, top bool) ([]element, int, error) {
	if depth > maxDepth {
		return nil, at, p.fail(at, "records are nested more than %d deep", maxDepth)
	}
	var out []element
	for at < end {
		e, next, done, err := p.record(at, end, depth)
		if err != nil {
			return nil, at, err
		}
		if done {
			return out, next, nil
		}
		if len(out) == cap(out) {
			if err := p.budget.take(int64(max(1, len(out))) * 80); err != nil {
				return nil, at, p.fail(at, "%w", err)
			}
		}
		out = append(out, e)
		at = next
	}
	if top && len(out) == 0 {
		return nil, at, p.fail(at, "the file has no records")
	}
	return out, at, nil
}

func (p *binaryParser) record(at, limit, depth int) (e element, next int, done bool, err error) {
	size := 13
	if p.wide {
		size = 25
	}
	if limit-at < size {
		return e, at, false, p.fail(at, "the file ends inside a record's head")
	}
	var end, count, length uint64
	if p.wide {
		end, count, length = p.order.Uint64(p.data[at:]), p.order.Uint64(p.data[at+8:]), p.order.Uint64(p.data[at+16:])
	} else {
		end = uint64(p.order.Uint32(p.data[at:]))
		count = uint64(p.order.Uint32(p.data[at+4:]))
		length = uint64(p.order.Uint32(p.data[at+8:]))
	}
	name := int(p.data[at+size-1])
	if end == 0 {
		// The record that ends a list; what follows at the top level is the footer.
		return e, at + size, true, nil
	}
	body := at + size + name
	if end > uint64(limit) || body > int(end) || length > end-uint64(body) {
		return e, at, false, p.fail(at, "a record reaches beyond what holds it; the file is cut off or damaged")
	}
	e.name = string(p.data[at+size : body])
	e.at = int64(at)
	stop := body + int(length)
	if err := p.values(&e, body, stop, count); err != nil {
		return e, at, false, err
	}
	if stop < int(end) {
		if e.children, _, err = p.list(stop, int(end), depth+1, false); err != nil {
			return e, at, false, err
		}
	}
	return e, int(end), false, nil
}

func (p *binaryParser) values(e *element, at, end int, count uint64) error {
	if count > uint64(end-at) {
		return p.fail(at, "%d values in %d bytes", count, end-at)
	}
	if count >= longList {
		if done, err := p.numbers(e, at, end, int(count)); done || err != nil {
			return err
		}
	}
	if err := p.budget.take(int64(count) * 56); err != nil {
		return p.fail(at, "%w", err)
	}
	e.values = make([]value, 0, count)
	for range count {
		v, next, err := p.value(at, end)
		if err != nil {
			return err
		}
		e.values = append(e.values, v)
		at = next
	}
	return nil
}

// numbers reads values that are numbers all as one array. done is false where
// one is none.
func (p *binaryParser) numbers(e *element, at, end, count int) (done bool, err error) {
	whole := true
	for i, k := at, 0; k < count; k++ {
		if i >= end {
			return false, p.fail(i, "the list of values is cut off")
		}
		n := scalarSize(p.data[i])
		if n == 0 || p.data[i] == 'C' && i+1 < end && p.data[i+1] > ' ' {
			return false, nil
		}
		whole = whole && p.data[i] != 'F' && p.data[i] != 'D'
		i += 1 + n
		if i > end {
			return false, p.fail(i, "the list of values is cut off")
		}
	}
	if err := p.budget.take(int64(count) * 8); err != nil {
		return false, p.fail(at, "%w", err)
	}
	var ints []int64
	var floats []float64
	if whole {
		ints = make([]int64, count)
	} else {
		floats = make([]float64, count)
	}
	for k := range count {
		v, next, err := p.value(at, end)
		if err != nil {
			return false, err
		}
		if whole {
			ints[k] = v.int()
		} else {
			floats[k] = v.float()
		}
		at = next
	}
	if whole {
		e.values = []value{{kind: kindInts, array: ints}}
	} else {
		e.values = []value{{kind: kindFloats, array: floats}}
	}
	return true, nil
}

func scalarSize(letter byte) int {
	switch letter {
	case 'B', 'C', 'Z':
		return 1
	case 'Y':
		return 2
	case 'I', 'F':
		return 4
	case 'L', 'D':
		return 8
	}
	return 0
}

func (p *binaryParser) value(at, end int) (v value, next int, err error) {
	if at >= end {
		return v, at, p.fail(at, "the list of values is cut off")
	}
	letter := p.data[at]
	at++
	if n := scalarSize(letter); n > 0 {
		if end-at < n {
			return v, at, p.fail(at, "the list of values is cut off")
		}
		d := p.data[at:]
		switch letter {
		case 'B', 'C', 'Z':
			v = intValue(int64(d[0]))
			if letter == 'C' && d[0] > ' ' { // a letter, as in the keys of version 6
				v = value{kind: kindText, text: string(p.data[at : at+1])}
			}
		case 'Y':
			v = intValue(int64(int16(p.order.Uint16(d))))
		case 'I':
			v = intValue(int64(int32(p.order.Uint32(d))))
		case 'L':
			v = intValue(int64(p.order.Uint64(d)))
		case 'F':
			v = floatValue(float64(math.Float32frombits(p.order.Uint32(d))))
		case 'D':
			v = floatValue(math.Float64frombits(p.order.Uint64(d)))
		}
		return v, at + n, nil
	}
	switch letter {
	case 'S', 'R':
		if end-at < 4 {
			return v, at, p.fail(at, "a string is cut off")
		}
		n := p.order.Uint32(p.data[at:])
		at += 4
		if uint64(n) > uint64(end-at) {
			return v, at, p.fail(at, "a string of %d bytes is cut off", n)
		}
		if err := p.budget.take(int64(n)); err != nil {
			return v, at, p.fail(at, "%w", err)
		}
		return value{kind: kindText, text: string(p.data[at : at+int(n)])}, at + int(n), nil
	case 'f', 'd', 'l', 'i', 'b', 'c':
		return p.array(letter, at, end)
	}
	return v, at, p.fail(at-1, "a value of the unknown type %q", letter)
}

func (p *binaryParser) array(letter byte, at, end int) (v value, next int, err error) {
	if end-at < 12 {
		return v, at, p.fail(at, "an array is cut off")
	}
	count, encoding, length := p.order.Uint32(p.data[at:]), p.order.Uint32(p.data[at+4:]), p.order.Uint32(p.data[at+8:])
	start := at
	at += 12
	size := 4
	switch letter {
	case 'd', 'l':
		size = 8
	case 'b', 'c':
		size = 1
	}
	need := int64(count) * int64(size)
	var raw []byte
	switch encoding {
	case 0:
		if need > int64(end-at) {
			return v, at, p.fail(start, "an array of %d bytes is cut off", need)
		}
		raw = p.data[at : at+int(need)]
		next = at + int(need)
	case 1:
		if uint64(length) > uint64(end-at) {
			return v, at, p.fail(start, "a compressed array of %d bytes is cut off", length)
		}
		if need > int64(length)*1100+64 {
			return v, at, p.fail(start, "%d compressed bytes cannot hold an array of %d", length, need)
		}
		if err := p.budget.take(need); err != nil {
			return v, at, p.fail(start, "an array %w", err)
		}
		raw = make([]byte, need)
		z, err := zlib.NewReader(bytes.NewReader(p.data[at : at+int(length)]))
		if err == nil {
			_, err = io.ReadFull(z, raw)
		}
		if err != nil {
			return v, at, p.fail(start, "an array cannot be decompressed: %v", err)
		}
		p.budget.left += need // freed below
		next = at + int(length)
	default:
		return v, at, p.fail(start, "an array has the unknown encoding %d", encoding)
	}
	width := int64(8)
	if letter == 'i' {
		width = 4
	}
	if err := p.budget.take(int64(count) * width); err != nil {
		return v, at, p.fail(start, "an array %w", err)
	}
	switch letter {
	case 'f':
		out := make([]float64, count)
		for i := range out {
			out[i] = float64(math.Float32frombits(p.order.Uint32(raw[4*i:])))
		}
		return value{kind: kindFloats, array: out}, next, nil
	case 'd':
		out := make([]float64, count)
		for i := range out {
			out[i] = math.Float64frombits(p.order.Uint64(raw[8*i:]))
		}
		return value{kind: kindFloats, array: out}, next, nil
	case 'i':
		out := make([]int32, count)
		for i := range out {
			out[i] = int32(p.order.Uint32(raw[4*i:]))
		}
		return value{kind: kindInts, array: out}, next, nil
	case 'l':
		out := make([]int64, count)
		for i := range out {
			out[i] = int64(p.order.Uint64(raw[8*i:]))
		}
		return value{kind: kindInts, array: out}, next, nil
	}
	out := make([]int64, count)
	for i, x := range raw {
		out[i] = int64(x)
	}
	return value{kind: kindInts, array: out}, next, nil
}
