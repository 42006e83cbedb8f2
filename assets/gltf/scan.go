package gltf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The pieces of a JSON text: where each ends. parseTape puts them together.

// space is where the white space from at on ends.
func space(text []byte, at int) int {
	for at < len(text) && text[at] <= ' ' && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}

// scanKey reads a member's key and colon into token n and returns where its value
// begins.
func scanKey(text []byte, at int, tape []token, n int) (int, error) {
	if at >= len(text) || text[at] != '"' {
		return at, unexpected(text, at, "a key")
	}
	t := &tape[n]
	at, err := scanString(text, at, t)
	if err != nil {
		return at, err
	}
	t.next = uint32(n + 1)
	if at = space(text, at); at >= len(text) || text[at] != ':' {
		return at, unexpected(text, at, "':'")
	}
	return space(text, at+1), nil
}

// scanString reads the string that begins at a quote into t and returns where it ends.
func scanString(text []byte, quote int, t *token) (int, error) {
	escaped := false
	for at := quote + 1; ; {
		at = plainUntil(text, at)
		if at >= len(text) {
			return at, &syntaxError{quote, "a string does not end; the text is cut off"}
		}
		switch c := text[at]; {
		case c == '"':
			t.set(kindString, quote+1, at)
			t.count, t.escaped = signOf(text[quote+1:at]), escaped
			return at + 1, nil
		case c == '\\':
			escaped = true
			at += 2
		default:
			return at, &syntaxError{at, fmt.Sprintf("a string holds the control character %#02x", c)}
		}
	}
}

// plainUntil is where the next quote, backslash or control character stands.
func plainUntil(text []byte, at int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		x := binary.LittleEndian.Uint64(text[at:])
		// Flipping a bit makes a quote a space, and only what is below a space
		// stays so. The top bit of the first byte that is below '!', or 0, survives;
		// so may those of bytes behind it.
		quote, escape := x^('"'-' ')*ones, x^'\\'*ones
		if found := ((quote-'!'*ones)&^quote | (escape-ones)&^escape) & tops; found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for at < len(text) && text[at] != '"' && text[at] != '\\' && text[at] >= ' ' {
		at++
	}
	return at
}

// signOf tells most strings apart: its length and three of its bytes.
func signOf[T string | []byte](s T) uint32 {
	if len(s) == 0 {
		return 0
	}
	return uint32(uint8(len(s))) | uint32(s[0])<<8 | uint32(s[len(s)/2])<<16 | uint32(s[len(s)-1])<<24
}

// scanNumber returns where the number that begins at at ends. whole tells of one
// of at most 9 digits and nothing else, whose value it returns too.
func scanNumber(text []byte, at int) (end int, value uint32, whole bool, err error) {
	for end = at; end < len(text) && text[end]-'0' <= 9; end++ {
		value = 10*value + uint32(text[end]-'0')
	}
	run := end
	if run == at { // a minus
		if end = digits(text, at+1); end == at+1 {
			return 0, 0, false, unexpected(text, end, "a digit")
		}
	}
	if end < len(text) && text[end] == '.' {
		point := end
		if end = digits(text, point+1); end == point+1 {
			return 0, 0, false, unexpected(text, end, "a digit")
		}
	}
	if end < len(text) && text[end]|0x20 == 'e' {
		power := end + 1
		if power < len(text) && (text[power] == '+' || text[power] == '-') {
			power++
		}
		if end = digits(text, power); end == power {
			return 0, 0, false, unexpected(text, end, "a digit")
		}
	}
	return end, value, end == run && run-at < 10, nil
}

// digits is where the decimal digits from at on end.
func digits(text []byte, at int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(text); at += 8 {
		x := binary.LittleEndian.Uint64(text[at:]) ^ '0'*ones // digits become 0 to 9
		if other := ((x&^tops + (0x80-10)*ones) | x) & tops; other != 0 {
			return at + bits.TrailingZeros64(other)/8
		}
	}
	for at < len(text) && text[at]-'0' <= 9 {
		at++
	}
	return at
}

// scanWord recognises true, false and null in front of a text.
func scanWord(text []byte) (kind, int) {
	switch {
	case bytes.HasPrefix(text, []byte("true")):
		return kindBool, 4
	case bytes.HasPrefix(text, []byte("false")):
		return kindBool, 5
	case bytes.HasPrefix(text, []byte("null")):
		return kindNull, 4
	}
	return kindNone, 0
}
