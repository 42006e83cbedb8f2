package gltf

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/bindpose/bindpose/assets"
)

// value is a place in the document that knows its loader. The zero token index
// is the root, so an absent value has a negative one. Getters record the first
// mistake in the loader and go on with a harmless value; whoever allocates or
// indexes by what it read checks loader.err first.
type value struct {
	l *loader
	i int
}

func (v value) exists() bool { return v.i >= 0 }

func (v value) token() token { return v.l.doc.tape[v.i] }

func (v value) kind() kind {
	if v.i < 0 {
		return kindNone
	}
	return v.token().kind
}

// get returns an object's member; absent where there is none or it is null.
func (v value) get(key string) value {
	absent := value{v.l, -1}
	if v.i < 0 {
		return absent
	}
	d := v.l.doc
	tape := d.tape
	t := &tape[v.i]
	if t.kind != kindObject {
		v.l.fail(v, "is %s, not an object", t.kind)
		return absent
	}
	sign := signOf(key)
	for k, end := v.i+1, int(t.next); k < end; {
		name, member := &tape[k], &tape[k+1]
		if (name.count == sign || name.escaped) && d.equal(name, k, key) {
			if member.kind == kindNull {
				return absent
			}
			return value{v.l, k + 1}
		}
		k = int(member.next)
	}
	return absent
}

// need is get of a member that must be there.
func (v value) need(key string) value {
	m := v.get(key)
	if !m.exists() && v.l.err == nil {
		path := key
		if v.i < 0 {
			// Its parent is not there either, and was told or need not be.
		} else if p := v.l.doc.path(v.i); p != "" {
			path = p + "." + key
		}
		v.l.err = &Error{File: v.l.file, Path: path, Message: "is required but missing"}
	}
	return m
}

// length is an array's or object's number of elements, 0 of anything else.
func (v value) length() int {
	if v.i < 0 {
		return 0
	}
	t := &v.l.doc.tape[v.i]
	if t.kind < kindArray {
		return 0
	}
	return int(t.count)
}

// elements ranges over an array; over nothing where it is absent.
func (v value) elements() iter.Seq2[int, value] {
	return func(yield func(int, value) bool) {
		if v.i < 0 {
			return
		}
		t := v.token()
		if t.kind != kindArray {
			v.l.fail(v, "is %s, not an array", t.kind)
			return
		}
		n := 0
		for k := v.i + 1; k < int(t.next); k = int(v.l.doc.tape[k].next) {
			if v.l.err != nil || !yield(n, value{v.l, k}) {
				return
			}
			n++
		}
	}
}

// members ranges over an object's keys and values.
func (v value) members() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		if v.i < 0 {
			return
		}
		t := v.token()
		if t.kind != kindObject {
			v.l.fail(v, "is %s, not an object", t.kind)
			return
		}
		for k := v.i + 1; k < int(t.next); k = int(v.l.doc.tape[k+1].next) {
			if v.l.err != nil || !yield(v.l.doc.string(k), value{v.l, k + 1}) {
				return
			}
		}
	}
}

// text is a string's text; "" of an absent one.
func (v value) text() string {
	if v.i < 0 {
		return ""
	}
	if k := v.kind(); k != kindString {
		v.l.fail(v, "is %s, not a string", k)
		return ""
	}
	return v.l.doc.string(v.i)
}

// is compares a string without allocating.
func (v value) is(s string) bool {
	if v.i < 0 {
		return false
	}
	t := &v.l.doc.tape[v.i]
	return t.kind == kindString && (t.count == signOf(s) || t.escaped) && v.l.doc.equal(t, v.i, s)
}

// bytes is a string's text, to be compared and no more; nil of anything else.
func (v value) bytes() []byte {
	if v.i < 0 {
		return nil
	}
	t := &v.l.doc.tape[v.i]
	switch {
	case t.kind != kindString:
		return nil
	case t.escaped:
		return []byte(v.l.doc.string(v.i))
	}
	return v.l.doc.text[t.start:t.end]
}

// raw is the JSON text of the value.
func (v value) raw() []byte {
	t := v.token()
	return v.l.doc.text[t.start:t.end]
}

func (v value) boolean(otherwise bool) bool {
	if v.i < 0 {
		return otherwise
	}
	if k := v.kind(); k != kindBool {
		v.l.fail(v, "is %s, not a boolean", k)
		return otherwise
	}
	return v.raw()[0] == 't'
}

// number is a finite number.
func (v value) number(otherwise float64) float64 {
	if v.i < 0 {
		return otherwise
	}
	t := &v.l.doc.tape[v.i]
	if t.kind != kindNumber {
		v.l.fail(v, "is %s, not a number", t.kind)
		return otherwise
	}
	if t.whole {
		return float64(t.count)
	}
	raw := v.l.doc.text[t.start:t.end]
	if f, ok := decimal(raw); ok {
		return f
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && math.IsInf(f, 0) {
		v.l.fail(v, "%s is too large a number", shorten(string(raw)))
		return otherwise
	}
	return f
}

// float is a number that float32 holds.
func (v value) float(otherwise float32) float32 {
	f := float32(v.number(float64(otherwise)))
	if math.IsInf(float64(f), 0) {
		v.l.fail(v, "%s is too large a number", shorten(string(v.raw())))
		return otherwise
	}
	return f
}

// maxInt bounds whole numbers, so that sums and small multiples of them cannot
// overflow an int64.
const maxInt = 1 << 52

// integer is a whole number of at least 0.
func (v value) integer(otherwise int64) int64 {
	if v.i < 0 {
		return otherwise
	}
	if t := &v.l.doc.tape[v.i]; t.whole && v.l.err == nil {
		return int64(t.count)
	}
	f := v.number(float64(otherwise))
	switch {
	case v.l.err != nil:
		return otherwise
	case f < 0 || f != math.Trunc(f):
		v.l.fail(v, "%s is not a whole number of at least 0", shorten(string(v.raw())))
		return otherwise
	case f > maxInt:
		v.l.fail(v, "%s is too large a number", shorten(string(v.raw())))
		return otherwise
	}
	return int64(f)
}

// index is a reference into a list of n things; -1 of an absent one.
func (v value) index(n int, what string) int32 {
	if v.i < 0 {
		return -1
	}
	i := v.integer(0)
	if v.l.err != nil {
		return -1
	}
	if i >= int64(n) {
		v.l.fail(v, "%d is out of range; the file has %d %s", i, n, what)
		return -1
	}
	return int32(i)
}

// floats fills dst from an array of exactly as many numbers and tells whether
// the value was there.
func (v value) floats(dst []float32) bool {
	if v.i < 0 {
		return false
	}
	tape := v.l.doc.tape
	switch t := &tape[v.i]; {
	case t.kind != kindArray:
		v.l.fail(v, "is %s, not an array", t.kind)
	case int(t.count) != len(dst):
		v.l.fail(v, "has %d numbers where %d belong", t.count, len(dst))
	default:
		k := v.i + 1
		for i := range dst {
			if v.l.err != nil {
				break
			}
			dst[i] = value{v.l, k}.float(0)
			k = int(tape[k].next)
		}
	}
	return v.l.err == nil
}

// fail records the first mistake, at v.
func (l *loader) fail(v value, format string, args ...any) {
	l.failKind(v, nil, format, args...)
}

func (l *loader) failKind(v value, why error, format string, args ...any) {
	if l.err != nil {
		return
	}
	path := ""
	if v.i >= 0 {
		path = l.doc.path(v.i)
	}
	l.err = &Error{File: l.file, Path: path, Message: fmt.Sprintf(format, args...), Kind: why}
}

// maxWarnings bounds what a broken file can say; telling a path costs time.
const maxWarnings = 100

func (l *loader) warn(v value, format string, args ...any) {
	switch n := len(l.m.Warnings); {
	case n < maxWarnings:
		l.m.Warnings = append(l.m.Warnings, assets.Warning{Where: l.doc.path(v.i), Message: fmt.Sprintf(format, args...)})
	case n == maxWarnings:
		l.m.Warnings = append(l.m.Warnings, assets.Warning{Message: "there are more warnings than these"})
	}
}
