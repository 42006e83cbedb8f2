package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// node is a JSON value that knows where it stands.
type node struct {
	kind   byte // { [ " 0 t n
	offset int
	text   string
	number float64
	yes    bool
	keys   []string // of an object
	items  []node
}

const maxDepth = 64

// tree reads the text as nodes.
func tree(text []byte) (node, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	n, err := readNode(d, text, 0)
	if err != nil {
		return n, err
	}
	if _, err := d.Token(); err != io.EOF {
		return n, fmt.Errorf("more text after the value")
	}
	return n, nil
}

func readNode(d *json.Decoder, text []byte, depth int) (node, error) {
	n := node{offset: int(d.InputOffset())}
	for n.offset < len(text) && bytes.IndexByte([]byte(" \t\r\n,:"), text[n.offset]) >= 0 {
		n.offset++
	}
	if depth > maxDepth {
		return n, fmt.Errorf("more than %d levels deep", maxDepth)
	}
	t, err := d.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return n, err
	}
	switch t := t.(type) {
	case string:
		n.kind, n.text = '"', t
	case bool:
		n.kind, n.yes = 't', t
	case nil:
		n.kind = 'n'
	case json.Number:
		n.kind = '0'
		if n.number, err = strconv.ParseFloat(t.String(), 64); err != nil {
			return n, fmt.Errorf("the number %s is out of range", t)
		}
	case json.Delim:
		n.kind = byte(t)
		for d.More() {
			if n.kind == '{' {
				key, err := d.Token()
				if err != nil {
					return n, err
				}
				name, _ := key.(string)
				n.keys = append(n.keys, name)
			}
			item, err := readNode(d, text, depth+1)
			if err != nil {
				return item, err
			}
			n.items = append(n.items, item)
		}
		if _, err := d.Token(); err != nil {
			n.offset = int(d.InputOffset())
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
	}
	return n, nil
}

func (n *node) what() string {
	return map[byte]string{'{': "an object", '[': "a list", '"': "text", '0': "a number", 't': "true or false", 'n': "null"}[n.kind]
}

// reader turns nodes into a graph, noting what is wrong and where all is.
type reader struct{ critic }

// object checks that n is an object of known, single keys, and returns a look-up
// of them.
func (r *reader) object(n *node, path string, known ...string) func(key string) (*node, string) {
	r.places[path] = n.offset
	if n.kind != '{' {
		r.at(path, "an object is needed, not %s", n.what())
		return func(string) (*node, string) { return nil, path }
	}
	for i, k := range n.keys {
		at := join(path, k)
		if _, twice := r.places[at]; twice {
			r.places[at] = n.items[i].offset
			r.at(at, "it is there twice")
			continue
		}
		r.places[at] = n.items[i].offset
		if !slices.Contains(known, k) {
			r.at(at, "unknown field%s", near(k, known))
		}
	}
	return func(key string) (*node, string) {
		if i := slices.Index(n.keys, key); i >= 0 {
			return &n.items[i], join(path, key)
		}
		return nil, join(path, key)
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func (r *reader) text(n *node, path string) string {
	if n == nil {
		return ""
	}
	if n.kind != '"' {
		r.at(path, "text is needed, not %s", n.what())
	}
	return n.text
}

// number also takes true for 1 and false for 0, as values of bools are written.
func (r *reader) number(n *node, path string) float64 {
	if n == nil {
		return 0
	}
	if n.kind == 't' && n.yes {
		return 1
	}
	if n.kind != '0' && n.kind != 't' {
		r.at(path, "a number is needed, not %s", n.what())
	}
	return n.number
}

func (r *reader) optional(n *node, path string) *float64 {
	if n == nil {
		return nil
	}
	x := r.number(n, path)
	return &x
}

func (r *reader) yes(n *node, path string) bool {
	if n == nil {
		return false
	}
	if n.kind != 't' {
		r.at(path, "true or false is needed, not %s", n.what())
	}
	return n.yes
}

// list reads the items of a list by a function.
func list[T any](r *reader, n *node, path string, read func(*node, string) T) []T {
	if n == nil {
		return nil
	}
	if n.kind != '[' {
		r.at(path, "a list is needed, not %s", n.what())
		return nil
	}
	var out []T
	for i := range n.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		r.places[at] = n.items[i].offset
		out = append(out, read(&n.items[i], at))
	}
	return out
}
