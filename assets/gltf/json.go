package gltf

import (
	"bytes"
	"encoding/binary"
	"fmt"
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

// token is a value, or the key in front of one.
type token struct {
	start, end uint32 // text[start:end]; of a string, without its quotes
	next       uint32 // index of the token behind this value
	count      uint32 // members or elements
	kind       kind
	escaped    bool // a string with backslashes
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

// parseJSON builds the tape of an RFC 8259 text. Memory: 20 bytes a value or
// key, and a value or key takes at least two bytes of text.
func parseJSON(text []byte) (*document, error) {
	if len(text) > 1<<31 {
		return nil, &syntaxError{0, "the JSON is larger than 2 GiB"}
	}
	d := &document{text: text}
	// Every token but the first follows one of these, so this many suffice.
	n := 1 + bytes.Count(text, []byte{','}) + bytes.Count(text, []byte{':'}) +
		bytes.Count(text, []byte{'{'}) + bytes.Count(text, []byte{'['})
	d.tape = make([]token, 0, n)
	p := parser{document: d}
	p.space()
	if err := p.value(0); err != nil {
		return nil, err
	}
	p.space()
	for p.at < len(text) && text[p.at] == 0 { // some exporters pad with zeros
		p.at++
	}
	if p.at < len(text) {
		return nil, p.unexpected("the end")
	}
	return d, nil
}

type parser struct {
	*document
	at int
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) unexpected(want string) error {
	if p.at >= len(p.text) {
		return &syntaxError{p.at, "the text ends where " + want + " should be; it is cut off"}
	}
	r, _ := utf8.DecodeRune(p.text[p.at:])
	return &syntaxError{p.at, fmt.Sprintf("%q stands where %s should be", r, want)}
}

func (p *parser) value(depth int) error {
	if depth > maxDepth {
		return &syntaxError{p.at, fmt.Sprintf("nested more than %d deep", maxDepth)}
	}
	if p.at >= len(p.text) {
		return p.unexpected("a value")
	}
	self := len(p.tape)
	p.tape = append(p.tape, token{start: uint32(p.at)})
	count := uint32(0)
	switch c := p.text[p.at]; {
	case c == '{':
		p.tape[self].kind = kindObject
		p.at++
		p.space()
		if p.at < len(p.text) && p.text[p.at] == '}' {
			p.at++
			break
		}
		for {
			if err := p.key(); err != nil {
				return err
			}
			if err := p.value(depth + 1); err != nil {
				return err
			}
			count++
			p.space()
			if more, err := p.more('}'); err != nil {
				return err
			} else if !more {
				break
			}
		}
	case c == '[':
		p.tape[self].kind = kindArray
		p.at++
		p.space()
		if p.at < len(p.text) && p.text[p.at] == ']' {
			p.at++
			break
		}
		for {
			if err := p.value(depth + 1); err != nil {
				return err
			}
			count++
			p.space()
			if more, err := p.more(']'); err != nil {
				return err
			} else if !more {
				break
			}
		}
	case c == '"':
		p.tape[self].kind = kindString
		if err := p.str(self); err != nil {
			return err
		}
		p.tape[self].next = uint32(len(p.tape))
		return nil
	case c == '-' || c >= '0' && c <= '9':
		p.tape[self].kind = kindNumber
		if err := p.number(); err != nil {
			return err
		}
	default:
		if err := p.word(self); err != nil {
			return err
		}
	}
	t := &p.tape[self]
	t.end, t.next, t.count = uint32(p.at), uint32(len(p.tape)), count
	return nil
}

func (p *parser) more(closing byte) (bool, error) {
	if p.at < len(p.text) {
		switch p.text[p.at] {
		case ',':
			p.at++
			p.space()
			return true, nil
		case closing:
			p.at++
			return false, nil
		}
	}
	return false, p.unexpected("',' or '" + string(closing) + "'")
}

func (p *parser) key() error {
	if p.at >= len(p.text) || p.text[p.at] != '"' {
		return p.unexpected("a key")
	}
	self := len(p.tape)
	p.tape = append(p.tape, token{kind: kindString})
	if err := p.str(self); err != nil {
		return err
	}
	p.tape[self].next = uint32(len(p.tape))
	p.space()
	if p.at >= len(p.text) || p.text[p.at] != ':' {
		return p.unexpected("':'")
	}
	p.at++
	p.space()
	return nil
}

func (p *parser) str(self int) error {
	begin := p.at + 1
	escaped := false
	for i := begin; i < len(p.text); i++ {
		if c := p.text[i]; c != '"' && i-begin >= 16 {
			i = plainUntil(p.text, i) // a long text, or the base64 of a buffer
			if i >= len(p.text) {
				break
			}
		}
		switch c := p.text[i]; {
		case c == '"':
			t := &p.tape[self]
			t.start, t.end, t.escaped = uint32(begin), uint32(i), escaped
			p.at = i + 1
			return nil
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return &syntaxError{i, fmt.Sprintf("a string holds the control character %#02x", c)}
		}
	}
	return &syntaxError{p.at, "a string does not end; the text is cut off"}
}

// plainUntil skips eight bytes at a time those that no quote, backslash or
// control character is among.
func plainUntil(text []byte, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(text); i += 8 {
		x := binary.LittleEndian.Uint64(text[i:])
		quote, escape := x^('"'*ones), x^('\\'*ones)
		// The top bit of a byte that is 0, or below ' ', survives.
		if ((quote-ones)&^quote|(escape-ones)&^escape|(x-' '*ones)&^x)&tops != 0 {
			break
		}
	}
	return i
}

func (p *parser) digits() bool {
	begin := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > begin
}

func (p *parser) number() error {
	if p.text[p.at] == '-' {
		p.at++
	}
	if !p.digits() {
		return p.unexpected("a digit")
	}
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		if !p.digits() {
			return p.unexpected("a digit")
		}
	}
	if p.at < len(p.text) && p.text[p.at]|0x20 == 'e' {
		p.at++
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		if !p.digits() {
			return p.unexpected("a digit")
		}
	}
	return nil
}

func (p *parser) word(self int) error {
	for _, w := range [...]struct {
		text string
		kind kind
	}{{"true", kindBool}, {"false", kindBool}, {"null", kindNull}} {
		if len(p.text)-p.at >= len(w.text) && string(p.text[p.at:p.at+len(w.text)]) == w.text {
			p.tape[self].kind = w.kind
			p.at += len(w.text)
			return nil
		}
	}
	return p.unexpected("a value")
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
