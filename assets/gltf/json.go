package gltf

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The JSON part of a file becomes a tape: one token per value and per key, in
// the order of the text. A value's token knows where the next sibling's is, so
// a walk skips what it does not read, no value is converted that nobody asks
// for, and the JSON path of any token can be told afterwards from the tape
// alone; the good case pays nothing for error messages.

type kind uint8

const (
	kindNone kind = iota // a value that is not there
	kindNull
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

func (k kind) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// token is a value, or the key in front of one. It has no pointers, so the
// collector does not look through a tape.
type token struct {
	start, end uint32 // text[start:end]; of a string, without its quotes
	next       uint32 // index of the token behind this value
	// count is the members of an object, the elements of an array, the sign of a
	// string (see signOf), or a whole number's value.
	count   uint32
	kind    kind
	escaped bool // a string with backslashes
	whole   bool // a number of at most 9 digits and nothing else
}

// set sets what every token has. Its memory may have been another's, so the rest
// is set beside this where it is asked for. A whole token is copied with a wait
// for each of its parts, which took as long as finding them.
func (t *token) set(kind kind, start, end int) {
	t.start, t.end = uint32(start), uint32(end)
	t.kind, t.escaped, t.whole = kind, false, false
}

// document is a parsed JSON text.
type document struct {
	text []byte
	tape []token
}

// maxDepth bounds nesting; real files stay below 20.
const maxDepth = 256

type syntaxError struct {
	at  int
	msg string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("JSON byte %d: %s", e.at, e.msg) }

func unexpected(text []byte, at int, want string) error {
	if at >= len(text) {
		return &syntaxError{at, "the text ends where " + want + " should be; it is cut off"}
	}
	r, _ := utf8.DecodeRune(text[at:])
	return &syntaxError{at, fmt.Sprintf("%q stands where %s should be", r, want)}
}

// parseJSON builds the tape of an RFC 8259 text. Memory: 20 bytes a value or
// key, and a value or key takes at least two bytes of text.
func parseJSON(text []byte) (*document, error) {
	d := &document{text: text}
	return d, d.parse()
}

// parse fills the tape, in the memory of the one before where that suffices.
func (d *document) parse() error {
	if len(d.text) > 1<<31 {
		return &syntaxError{0, "the JSON is larger than 2 GiB"}
	}
	// Every token but the first follows one of these, so this many suffice.
	most := 1
	for _, c := range [...]byte{',', ':', '{', '['} {
		most += bytes.Count(d.text, []byte{c})
	}
	if cap(d.tape) < most {
		d.tape = make([]token, most)
	}
	n, err := parseTape(d.text, d.tape[:most])
	d.tape = d.tape[:n]
	return err
}

// parseTape fills the tape and tells how many tokens there are. It does not
// recurse: while an array or object is open, its next is the one around it.
func parseTape(text []byte, tape []token) (n int, err error) {
	const none = math.MaxUint32
	open, closing, depth := uint32(none), byte(0), 0
	at := space(text, 0)
	for {
		// A value begins here.
		if depth > maxDepth {
			return 0, &syntaxError{at, fmt.Sprintf("nested more than %d deep", maxDepth)}
		}
		if at >= len(text) {
			return 0, unexpected(text, at, "a value")
		}
		switch c := text[at]; {
		case c >= '0' && c <= '9' || c == '-':
			t := &tape[n]
			n++
			end, value, whole, err := scanNumber(text, at)
			if err != nil {
				return 0, err
			}
			t.set(kindNumber, at, end)
			t.next, t.count, t.whole = uint32(n), value, whole
			at = end
		case c == '"':
			t := &tape[n]
			n++
			if at, err = scanString(text, at, t); err != nil {
				return 0, err
			}
			t.next = uint32(n)
		case c == '{' || c == '[':
			t := &tape[n]
			n++
			kind, last := kindArray, c+2 // in ASCII
			if c == '{' {
				kind = kindObject
			}
			t.set(kind, at, 0)
			t.count = 0
			if at = space(text, at+1); at < len(text) && text[at] == last {
				at++
				t.end, t.next = uint32(at), uint32(n)
				break
			}
			t.next, open, closing = open, uint32(n-1), last
			depth++
			if c == '{' {
				if at, err = scanKey(text, at, tape, n); err != nil {
					return 0, err
				}
				n++
			}
			continue
		default:
			kind, length := scanWord(text[at:])
			if kind == kindNone {
				return 0, unexpected(text, at, "a value")
			}
			t := &tape[n]
			n++
			t.set(kind, at, at+length)
			t.next = uint32(n)
			at += length
		}
		// Behind it stands another, or the end of what is open.
		for {
			if open == none {
				return n, theEnd(text, at)
			}
			t := &tape[open]
			t.count++
			at = space(text, at)
			if at < len(text) && text[at] == ',' {
				break
			}
			if at >= len(text) || text[at] != closing {
				return 0, unexpected(text, at, "',' or '"+string(closing)+"'")
			}
			at++
			t.end, t.next, open = uint32(at), uint32(n), t.next
			depth--
			if closing = ']'; open != none && tape[open].kind == kindObject {
				closing = '}'
			}
		}
		at = space(text, at+1)
		if closing == '}' {
			if at, err = scanKey(text, at, tape, n); err != nil {
				return 0, err
			}
			n++
		}
	}
}

func theEnd(text []byte, at int) error {
	at = space(text, at)
	for at < len(text) && text[at] == 0 { // some exporters pad with zeros
		at++
	}
	if at < len(text) {
		return unexpected(text, at, "the end")
	}
	return nil
}

// string is the text of a string token with its escapes undone and bytes that
// are not UTF-8 replaced.
func (d *document) string(i int) string {
	t := d.tape[i]
	raw := d.text[t.start:t.end]
	if !t.escaped {
		if utf8.Valid(raw) {
			return string(raw)
		}
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	var b strings.Builder
	b.Grow(len(raw))
	for k := 0; k < len(raw); k++ {
		if raw[k] != '\\' || k+1 >= len(raw) {
			b.WriteByte(raw[k])
			continue
		}
		k++
		switch c := raw[k]; c {
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r := hex4(raw[k+1:])
			if r < 0 {
				b.WriteRune(utf8.RuneError)
				continue
			}
			k += 4
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if k+2 < len(raw) && raw[k+1] == '\\' && raw[k+2] == 'u' {
					low = hex4(raw[k+3:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					k += 6
				}
			}
			b.WriteRune(r)
		default: // ", \ and /, and what no escape should be stands for itself
			b.WriteByte(c)
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// equal compares the string token i, which is t.
func (d *document) equal(t *token, i int, s string) bool {
	if t.escaped {
		return d.string(i) == s
	}
	return string(d.text[t.start:t.end]) == s
}

func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// path tells where the value at token i stands, such as nodes[3].children[0].
func (d *document) path(i int) string {
	var b strings.Builder
	at := 0
	for at != i {
		t := d.tape[at]
		child := at + 1
		switch t.kind {
		case kindObject:
			for {
				value := child + 1
				if i < int(d.tape[value].next) {
					writeKey(&b, d.string(child))
					child = value
					break
				}
				child = int(d.tape[value].next)
			}
		case kindArray:
			n := 0
			for i >= int(d.tape[child].next) {
				child = int(d.tape[child].next)
				n++
			}
			fmt.Fprintf(&b, "[%d]", n)
		default:
			return b.String()
		}
		at = child
	}
	return b.String()
}

func writeKey(b *strings.Builder, key string) {
	key = shorten(key)
	plain := key != ""
	for _, r := range key {
		plain = plain && (r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}
	switch {
	case !plain:
		fmt.Fprintf(b, "[%q]", key)
	case b.Len() > 0:
		b.WriteString("." + key)
	default:
		b.WriteString(key)
	}
}

// shorten keeps a text from the file at a length that fits a message.
func shorten(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
