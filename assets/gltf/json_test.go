package gltf

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bindpose/bindpose/internal/corpus"
)

// tree is the value at token i as encoding/json has it, and the token behind it.
// It checks what a walk relies on: counts, and that each token knows its next.
func (d *document) tree(t *testing.T, i int) (any, int) {
	v := &d.tape[i]
	raw := string(d.text[v.start:v.end])
	var out any
	next := i + 1
	switch v.kind {
	case kindNull:
	case kindBool:
		out = raw == "true"
	case kindNumber:
		f, err := strconv.ParseFloat(raw, 64)
		if v.whole && (err != nil || f != float64(v.count)) {
			t.Errorf("%s is read as %d", raw, v.count)
		}
		out = json.Number(raw)
	case kindString:
		if !v.escaped && v.count != signOf(raw) {
			t.Errorf("the sign of %q is %#x", raw, v.count)
		}
		out = d.string(i)
	case kindArray:
		list := []any{}
		for next < int(v.next) {
			var e any
			e, next = d.tree(t, next)
			list = append(list, e)
		}
		if int(v.count) != len(list) || raw[0] != '[' || raw[len(raw)-1] != ']' {
			t.Errorf("%.20q has %d elements, not %d", raw, len(list), v.count)
		}
		out = list
	case kindObject:
		object, n := map[string]any{}, 0
		for next < int(v.next) {
			key := d.string(next)
			object[key], next = d.tree(t, next+1)
			n++
		}
		if int(v.count) != n || raw[0] != '{' || raw[len(raw)-1] != '}' {
			t.Errorf("%.20q has %d members, not %d", raw, n, v.count)
		}
		out = object
	default:
		t.Errorf("token %d is of no kind", i)
	}
	if next != int(v.next) {
		t.Errorf("token %d is followed by %d, not %d", i, v.next, next)
	}
	return out, next
}

// parsedAs compares a text's tape with what the standard library makes of it. The tape
// is in memory that held another's.
func parsedAs(t *testing.T, text []byte) {
	t.Helper()
	d := &document{text: text, tape: make([]token, 3+len(text))}
	for i := range d.tape {
		d.tape[i] = token{7, 7, 7, 7, kindObject, true, true}
	}
	err := d.parse()
	// What is read although it is no JSON: zeros behind it, numbers with zeros in
	// front, and anything behind a backslash. What is not read although it is: what
	// is nested too deep.
	plain := bytes.TrimRight(text, "\x00")
	valid := json.Valid(plain)
	switch {
	case valid && err != nil && !strings.Contains(err.Error(), "nested"):
		t.Errorf("%.200q: %v", text, err)
	case valid && err == nil:
		dec := json.NewDecoder(bytes.NewReader(plain))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got, n := d.tree(t, 0)
		if n != len(d.tape) || utf8.Valid(text) && !reflect.DeepEqual(got, want) {
			t.Errorf("%.200q is read as %v, not %v", text, got, want)
		}
	case err == nil:
		if _, n := d.tree(t, 0); n != len(d.tape) {
			t.Errorf("%.200q has %d tokens, not %d", text, n, len(d.tape))
		}
	}
}

func TestJSONAsTheStandardLibrary(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, ` [ ] `, `[[],{},[[{}]]]`, `{"":{"a":[]}}`, `0`, `-0`, `1234567890`, `123456789`, `-1.5e+3`, `[1E5,2e-7,0.25]`,
		`"\u00e9\ud83d\ude00\\\"\/\b\f\n\r\t"`, `"12345678"`, `"1234567"`, `"123456789\""`, `[true,false,null]`, "\n\t\r [\n1\n,\n2\n]\n",
		`{"a":1,"b":{"c":[1,2,{"d":null}]},"e":"f"}`, "{\"a\":1}\x00\x00", `[1,]`, `{,}`, `{"a"}`, `{"a":}`, `[1 2]`, `[1}`, `{"a":1]`, `-`, `1.`, `.5`, `1e`, `"`, `"\"`, `tru`, `nul`, ``, `[`, `{"a":1`,
		strings.Repeat("[", 256) + strings.Repeat("]", 256), strings.Repeat("[", 258),
	} {
		parsedAs(t, []byte(text))
	}
	r := rand.New(rand.NewPCG(9, 10))
	pieces := []string{`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"bufferView"`, `1`, `-2.5`, `12345678`, `1e3`, `true`, `null`, ` `, `"\n"`, `{"a":1}`, `[1,2]`, `"é"`}
	for range 20_000 {
		var text []byte
		for range r.IntN(12) {
			text = append(text, pieces[r.IntN(len(pieces))]...)
		}
		parsedAs(t, text)
	}
}

func TestJSONOfTheCorpus(t *testing.T) {
	files := 0
	r := rand.New(rand.NewPCG(11, 12))
	for _, set := range []string{"gltf", "gltf-validator", "vrm"} {
		filepath.WalkDir(corpus.Path(t, set), func(path string, e fs.DirEntry, _ error) error {
			switch strings.ToLower(filepath.Ext(path)) {
			case ".gltf", ".glb", ".vrm":
			default:
				return nil
			}
			if st, err := os.Stat(path); err != nil || st.Size() > 1<<20 {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return nil
			}
			if text, _, err := split(data); err == nil && len(text) > 0 && len(text) < 200<<10 {
				files++
				parsedAs(t, text)
				for range 3 {
					text = bytes.Clone(text)
					text[r.IntN(len(text))] = "{}[]:,\"\\0x\n"[r.IntN(11)]
					parsedAs(t, text)
				}
			}
			return nil
		})
	}
	if files < 100 {
		t.Errorf("%d files", files)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"asset":{"version":"2.0"},"accessors":[{"count":12345678,"max":[-1.5e-3,0]}],"x":"\u00e9\\"}`))
	f.Fuzz(func(t *testing.T, text []byte) { parsedAs(t, text) })
}
