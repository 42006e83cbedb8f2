package fbx

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// asciiParser reads the text encoding: "Name: value, value {" lists, comments
// from ';' to the end of the line, strings in double quotes with &quot; for a
// quote. Line ends mean nothing. Arrays of version 7 and up are written
// "*COUNT { a: … }".
type asciiParser struct {
	data   []byte
	at     int
	budget *budget
	bad    int // where the fault is
}

func (p *asciiParser) fail(format string, args ...any) error {
	p.bad = p.at
	return fmt.Errorf(format, args...)
}

// isASCII tells whether data may be an FBX text: words, then a colon, after
// comments and blanks.
func isASCII(data []byte) bool {
	p := &asciiParser{data: data[:min(len(data), 1<<16)]}
	if bytes.HasPrefix(p.data, []byte("\xEF\xBB\xBF")) {
		p.at = 3
	}
	p.blanks()
	_, ok := p.key()
	return ok
}

// parseASCII returns the top-level elements and the version.
func parseASCII(data []byte, b *budget) (root element, version int, at int64, err error) {
	p := &asciiParser{data: data, budget: b}
	if bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")) {
		p.at = 3
	}
	if root.children, err = p.list(0); err != nil {
		return root, 0, int64(p.bad), err
	}
	if len(root.children) == 0 {
		return root, 0, 0, errors.New("the file has no records")
	}
	version = int(root.child("FBXHeaderExtension").child("FBXVersion").int(0))
	if version == 0 { // "; FBX 6.1.0 project file"
		if line, _, _ := bytes.Cut(data[:min(len(data), 200)], []byte("\n")); bytes.HasPrefix(line, []byte("; FBX ")) {
			var major, minor, patch int
			if n, _ := fmt.Sscanf(string(line), "; FBX %d.%d.%d", &major, &minor, &patch); n >= 2 {
				version = major*1000 + minor*100 + patch*10
			}
		}
	}
	return root, version, 0, nil
}

// blanks skips white space and comments.
func (p *asciiParser) blanks() {
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0:
			p.at++
		case c == ';':
			for p.at < len(p.data) && p.data[p.at] != '\n' && p.data[p.at] != '\r' {
				p.at++
			}
		default:
			return
		}
	}
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '_' || c == '-' || c == '+' || c == '.' || c == '|' || c == '#' || c == '(' || c == ')' || c == '[' || c == ']' || c == '/' || c >= 0x80
}

// key reads "Name:", or leaves everything as it is. There may be blanks in
// front of the colon but no line ends.
func (p *asciiParser) key() (string, bool) {
	i := p.at
	for i < len(p.data) && isWord(p.data[i]) {
		i++
	}
	if i == p.at {
		return "", false
	}
	name := p.data[p.at:i]
	for i < len(p.data) && (p.data[i] == ' ' || p.data[i] == '\t') {
		i++
	}
	if i >= len(p.data) || p.data[i] != ':' {
		return "", false
	}
	p.at = i + 1
	return string(name), true
}

// list reads elements up to the end of the file, or to the brace that ends
// them.
func (p *asciiParser) list(depth int) ([]element, error) {
	if depth > maxDepth {
		return nil, p.fail("records are nested more than %d deep", maxDepth)
	}
	var out []element
	for {
		p.blanks()
		if p.at >= len(p.data) {
			if depth > 0 {
				return nil, p.fail("the text ends where } should be; it is cut off")
			}
			return out, nil
		}
		if p.data[p.at] == '}' {
			if depth == 0 {
				return nil, p.fail("a } without {")
			}
			p.at++
			return out, nil
		}
		e := element{at: int64(p.at)}
		name, ok := p.key()
		if !ok {
			return nil, p.fail("a name with a colon is expected, there is %q", p.data[p.at:min(len(p.data), p.at+16)])
		}
		e.name = name
		if err := p.values(&e, depth); err != nil {
			return nil, err
		}
		if len(out) == cap(out) {
			if err := p.budget.take(int64(max(1, len(out))) * 80); err != nil {
				return nil, p.fail("%w", err)
			}
		}
		out = append(out, e)
	}
}

func (p *asciiParser) values(e *element, depth int) error {
	var ints []int64 // the list so far, while all of it is numbers of that kind
	var floats []float64
	pending := false // the list is in ints or floats rather than in e.values
	count := 0
	spill := func() error {
		pending = false
		if err := p.budget.take(int64(len(ints)+len(floats)) * 56); err != nil {
			return p.fail("%w", err)
		}
		for _, x := range ints {
			e.values = append(e.values, intValue(x))
		}
		for _, x := range floats {
			e.values = append(e.values, floatValue(x))
		}
		ints, floats = nil, nil
		return nil
	}
	comma := false
	for {
		p.blanks()
		if p.at >= len(p.data) {
			break
		}
		c := p.data[p.at]
		if c == ',' {
			p.at++
			comma = true
			continue
		}
		if c == '{' || c == '}' {
			break
		}
		if count > 0 && !comma {
			break // the next element
		}
		if count == 0 {
			// "Name:" directly followed by another one has no values.
			here := p.at
			if _, next := p.key(); next {
				p.at = here
				break
			}
		}
		if c == '*' { // the length of an array, which its text tells better
			p.at++
			for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
				p.at++
			}
			p.blanks()
			if p.at < len(p.data) && p.data[p.at] == '{' {
				p.at++
				inside, err := p.list(depth + 1)
				if err != nil {
					return err
				}
				for i := range inside {
					if inside[i].name == "a" {
						e.values = inside[i].values
						break
					}
				}
			}
			return nil
		}
		here := p.at
		v, err := p.value()
		if err != nil {
			return err
		}
		if c != '"' && e.name == "Children" { // which names of objects are, as Model records before version 6000 have them
			return p.fail("a child is named without quotes, by %q; the file is damaged or was edited, put the name in double quotes", bytes.TrimSpace(p.data[here:p.at]))
		}
		comma = false
		count++
		if count == 1 {
			pending = v.kind != kindText
		}
		if pending && v.kind == kindText {
			if err := spill(); err != nil {
				return err
			}
		}
		if !pending {
			if len(e.values) == cap(e.values) {
				if err := p.budget.take(int64(max(2, len(e.values))) * 56); err != nil {
					return p.fail("%w", err)
				}
			}
			e.values = append(e.values, v)
			continue
		}
		if v.kind == kindFloat && floats == nil {
			floats = make([]float64, len(ints), max(8, 2*len(ints)))
			for i, x := range ints {
				floats[i] = float64(x)
			}
			ints = nil
		}
		if floats != nil {
			if len(floats) == cap(floats) {
				if err := p.budget.take(int64(len(floats)+4) * 8); err != nil {
					return p.fail("%w", err)
				}
			}
			floats = append(floats, v.float())
		} else {
			if len(ints) == cap(ints) {
				if err := p.budget.take(int64(len(ints)+4) * 8); err != nil {
					return p.fail("%w", err)
				}
			}
			ints = append(ints, v.int())
		}
	}
	if pending {
		if n := len(ints) + len(floats); n < longList {
			if err := spill(); err != nil {
				return err
			}
		} else if floats != nil {
			e.values = []value{{kind: kindFloats, array: floats}}
		} else {
			e.values = []value{{kind: kindInts, array: ints}}
		}
	}
	if p.at < len(p.data) && p.data[p.at] == '{' {
		p.at++
		var err error
		if e.children, err = p.list(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

func (p *asciiParser) value() (value, error) {
	if p.data[p.at] == '"' {
		i := bytes.IndexByte(p.data[p.at+1:], '"')
		if i < 0 {
			return value{}, p.fail("a string has no end")
		}
		raw := p.data[p.at+1 : p.at+1+i]
		if err := p.budget.take(int64(len(raw))); err != nil {
			return value{}, p.fail("%w", err)
		}
		p.at += i + 2
		text := string(raw)
		if strings.Contains(text, "&") {
			text = escapes.Replace(text)
		}
		return value{kind: kindText, text: text}, nil
	}
	i := p.at
	for i < len(p.data) && isWord(p.data[i]) {
		i++
	}
	if i == p.at {
		return value{}, p.fail("a value is expected, there is %q", p.data[p.at:min(len(p.data), p.at+16)])
	}
	word := p.data[p.at:i]
	v, ok := number(word)
	if !ok {
		if len(word) > 64 {
			return value{}, p.fail("a value is expected, there is %q", word[:16])
		}
		v = value{kind: kindText, text: string(word)}
		here := p.at
		p.at = i
		p.blanks()
		if p.at < len(p.data) && p.data[p.at] == ':' {
			p.at = here
			return value{}, p.fail("a value is expected, there is %q", word)
		}
		return v, nil
	}
	p.at = i
	return v, nil
}

var escapes = strings.NewReplacer("&quot;", `"`, "&cr;", "\r", "&lf;", "\n")

// number reads whole and broken numbers, and the ways that C writes infinities
// and what is not a number ("1.#INF", "-1.#IND", "nan").
func number(word []byte) (value, bool) {
	c := word[0]
	if c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') {
		switch strings.ToLower(string(word[:min(len(word), 4)])) {
		case "nan", "nan(":
			return floatValue(math.NaN()), true
		case "inf", "infi":
			return floatValue(math.Inf(1)), true
		}
		return value{}, false
	}
	if len(word) < 19 {
		if x, ok := wholeNumber(word); ok {
			return intValue(x), true
		}
	}
	text := string(word)
	if x, err := strconv.ParseInt(text, 10, 64); err == nil {
		return intValue(x), true
	}
	x, err := strconv.ParseFloat(text, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return floatValue(x), true
	}
	if i := strings.IndexByte(text, '#'); i > 0 {
		rest := strings.ToUpper(text[i+1:])
		switch {
		case !strings.HasPrefix(rest, "INF"):
			return floatValue(math.NaN()), true
		case c == '-':
			return floatValue(math.Inf(-1)), true
		}
		return floatValue(math.Inf(1)), true
	}
	if low := strings.ToLower(strings.TrimLeft(text, "+-")); strings.HasPrefix(low, "nan") || strings.HasPrefix(low, "inf") || strings.HasPrefix(low, "ind") {
		switch {
		case !strings.HasPrefix(low, "inf"):
			return floatValue(math.NaN()), true
		case c == '-':
			return floatValue(math.Inf(-1)), true
		}
		return floatValue(math.Inf(1)), true
	}
	return value{}, false
}

func wholeNumber(word []byte) (int64, bool) {
	i, negative := 0, false
	if word[0] == '-' || word[0] == '+' {
		negative = word[0] == '-'
		i = 1
	}
	if i == len(word) {
		return 0, false
	}
	x := int64(0)
	for ; i < len(word); i++ {
		d := word[i] - '0'
		if d > 9 {
			return 0, false
		}
		x = x*10 + int64(d)
	}
	if negative {
		x = -x
	}
	return x, true
}
