package main

import (
	"fmt"
	"strings"
)

func (m *model) streamed() []*command {
	var out []*command
	for _, c := range m.commands {
		if strings.HasPrefix(c.cName, "vkCmd") {
			out = append(out, c)
		}
	}
	return out
}

// A record is how one streamed command lies in the stream: a fixed part, then the arrays, each padded to 8 bytes.
type record struct {
	c       *command
	ps      []param
	fields  []recordField
	size    int // of the fixed part, a multiple of 8
	arrays  []param
	pad     bool // a 4-byte pad at the end makes the size a multiple of 8
	optBits map[string]int
}

type recordField struct {
	name, goType, cType string
	array               int // elements of a fixed C array
}

// inline reports whether a pointer's target is copied into the stream: it holds no pointers of its own.
func (m *model) inline(p param) bool {
	s := m.byName[p.CType]
	return s != nil && !s.pointers && s.sType == ""
}

func (m *model) newRecord(c *command) (*record, error) {
	ps, err := m.classify(c)
	if err != nil {
		return nil, err
	}
	r := &record{c: c, ps: ps[1:], optBits: map[string]int{}}
	at, align := 4, 4
	add := func(f recordField, size, al int) {
		at = roundUp(at, al) + size
		align = max(align, al)
		r.fields = append(r.fields, f)
	}
	for _, p := range r.ps {
		if p.role == roleSlice {
			r.arrays = append(r.arrays, p)
			if p.Optional {
				r.optBits[p.CName] = len(r.optBits)
			}
		}
	}
	if len(r.arrays) > 0 {
		add(recordField{name: "bytes", goType: "uint32", cType: "uint32_t"}, 4, 4)
	}
	if len(r.optBits) > 0 {
		add(recordField{name: "present", goType: "uint32", cType: "uint32_t"}, 4, 4)
	}
	for _, p := range r.ps {
		f := recordField{name: p.CName, goType: m.goType(p.variable), cType: m.base(p.CType).cType}
		switch p.role {
		case roleValue, roleCount:
			size := m.base(p.CType).size
			add(f, size, size)
		case roleArray:
			f.array = p.Array
			size := m.base(p.CType).size
			add(f, size*p.Array, size)
		case roleSlice:
		case roleStruct:
			if m.inline(p) {
				s := m.byName[p.CType]
				f.goType = s.goName
				f.cType, f.array = map[int]string{4: "uint32_t", 8: "uint64_t"}[s.align], s.size/s.align
				add(f, s.size, s.align)
			} else {
				f.goType, f.cType = "uintptr", "uintptr_t"
				add(f, 8, 8)
			}
		default:
			return nil, fmt.Errorf("%s: parameter %s cannot be streamed", c.cName, p.CName)
		}
	}
	r.size = roundUp(at, 8)
	r.pad = align < 8 && r.size != at
	return r, nil
}

func (m *model) records(w *writer) []*record {
	var out []*record
	for _, c := range m.streamed() {
		r, err := m.newRecord(c)
		if err != nil {
			w.f("%v", err)
			continue
		}
		out = append(out, r)
	}
	return out
}

func emitStreamGo(m *model, w *writer) {
	records := m.records(w)
	w.f("package vk\n\nimport \"unsafe\"\n")
	w.f("// Commands of a stream, in the order of the cases in gen_replay.c.\nconst (")
	for i, r := range records {
		if i == 0 {
			w.f("\top%s uint32 = iota", r.c.goName)
		} else {
			w.f("\top%s", r.c.goName)
		}
	}
	w.f(")\n")
	for _, r := range records {
		m.emitMethod(w, r)
	}
	w.f("// A record that the two compilers lay out differently does not compile.\nvar (")
	for _, r := range records {
		w.f("\t_ = [1]struct{}{}[unsafe.Sizeof(record%s{})-%d]", r.c.goName, r.size)
	}
	w.f(")")
}

func (m *model) emitMethod(w *writer, r *record) {
	w.f("type record%s struct {\n\top uint32", r.c.goName)
	for _, f := range r.fields {
		w.f("\t%s %s", f.name, f.goType)
	}
	if r.pad {
		w.f("\t_ uint32")
	}
	w.f("}\n")
	w.f("// %s records %s.", r.c.goName, r.c.cName)
	w.f("func (s *Stream) %s(%s) {", r.c.goName, m.signature(r.ps))
	size := fmt.Sprint(r.size)
	if len(r.arrays) > 0 {
		terms := []string{size}
		for _, p := range r.arrays {
			name := paramName(p.CName)
			first := paramName(m.firstOf(r, p).CName)
			if first != name {
				cond := ""
				if p.Optional {
					cond = fmt.Sprintf("%s != nil && ", name)
				}
				w.f("\tif %slen(%s) != len(%s) {\n\t\tmismatch(%q, len(%s), len(%s))\n\t}", cond, name, first, r.c.cName, first, name)
			}
			terms = append(terms, fmt.Sprintf("(len(%s)*%d+7)&^7", name, m.elemSize(p.variable)))
		}
		size = "bytes"
		w.f("\tbytes := %s", strings.Join(terms, " + "))
	}
	if len(r.optBits) > 0 {
		w.f("\tvar present uint32")
		for _, p := range r.arrays {
			if p.Optional {
				w.f("\tif %s != nil {\n\t\tpresent |= 1 << %d\n\t}", paramName(p.CName), r.optBits[p.CName])
			}
		}
	}
	// Field by field: a composite literal would be built on the stack and copied, which costs three times as much.
	w.f("\tat := s.room(%s)\n\tr := (*record%s)(at)\n\tr.op = op%s", size, r.c.goName, r.c.goName)
	for _, f := range r.fields {
		w.f("\tr.%s = %s", f.name, m.fieldValue(r, f))
	}
	if len(r.arrays) > 0 {
		w.f("\tat = unsafe.Add(at, %d)", r.size)
		for i, p := range r.arrays {
			lhs := "at = "
			if i == len(r.arrays)-1 {
				lhs = ""
			}
			w.f("\t%sput(at, unsafe.Pointer(unsafe.SliceData(%s)), len(%s)*%d)", lhs, paramName(p.CName), paramName(p.CName), m.elemSize(p.variable))
		}
	}
	w.f("}\n")
}

// firstOf is the slice that decides the count that p shares.
func (m *model) firstOf(r *record, p param) param {
	for _, q := range r.arrays {
		if q.of == p.of {
			return q
		}
	}
	return p
}

func (m *model) fieldValue(r *record, f recordField) string {
	switch f.name {
	case "bytes":
		return "uint32(bytes)"
	case "present":
		return "present"
	}
	for _, p := range r.ps {
		if p.CName != f.name {
			continue
		}
		name := paramName(p.CName)
		switch {
		case p.role == roleCount:
			for _, q := range r.arrays {
				if r.c.params[q.of].CName == p.CName {
					return fmt.Sprintf("%s(len(%s))", f.goType, paramName(q.CName))
				}
			}
		case p.role == roleStruct && m.inline(p):
			return "*" + name
		case p.role == roleStruct:
			return fmt.Sprintf("uintptr(unsafe.Pointer(%s))", name)
		}
		return name
	}
	return f.name
}

func emitReplayC(m *model, w *writer) {
	records := m.records(w)
	w.f("#include \"replay.h\"\n\n#define WORDS(bytes) (((size_t)(bytes) + 7) / 8)\n\nenum {")
	for _, r := range records {
		w.f("\tOP_%s,", r.c.goName)
	}
	w.f("};\n")
	for _, r := range records {
		w.f("struct record_%s {\n\tuint32_t op;", r.c.goName)
		for _, f := range r.fields {
			if f.array > 0 {
				w.f("\t%s %s[%d];", f.cType, f.name, f.array)
			} else {
				w.f("\t%s %s;", f.cType, f.name)
			}
		}
		if r.pad {
			w.f("\tuint32_t pad;")
		}
		w.f("};\n_Static_assert(sizeof(struct record_%s) == %d, \"Go and C disagree\");\n", r.c.goName, r.size)
	}
	w.f("void bpvk_replay(const bpvk_table *t, uintptr_t cb, const void *stream, size_t size) {")
	w.f("\tconst uint64_t *p = stream, *end = p + size / 8;\n\twhile (p < end) {\n\t\tswitch (*(const uint32_t *)p) {")
	for _, r := range records {
		w.f("\t\tcase OP_%s: {", r.c.goName)
		if len(r.fields) > 0 {
			w.f("\t\t\tconst struct record_%s *c = (const void *)p;", r.c.goName)
		}
		if len(r.arrays) > 0 {
			w.f("\t\t\tconst uint64_t *a = p + %d;", r.size/8)
			for i, p := range r.arrays {
				count := fmt.Sprintf("c->%s", r.c.params[p.of].CName)
				bytes := fmt.Sprintf("%s * (size_t)%d", count, m.elemSize(p.variable))
				if p.Optional {
					w.f("\t\t\tint has%d = c->present >> %d & 1;\n\t\t\tconst void *a%d = has%d ? a : NULL;", i, r.optBits[p.CName], i, i)
					if i < len(r.arrays)-1 {
						w.f("\t\t\tif (has%d) a += WORDS(%s);", i, bytes)
					}
				} else {
					w.f("\t\t\tconst void *a%d = a;", i)
					if i < len(r.arrays)-1 {
						w.f("\t\t\ta += WORDS(%s);", bytes)
					}
				}
			}
		}
		args := []string{"cb"}
		array := 0
		for _, p := range r.ps {
			switch {
			case p.role == roleSlice:
				args = append(args, fmt.Sprintf("(void *)a%d", array))
				array++
			case p.role == roleStruct && !m.inline(p), p.role == roleArray, p.role == roleStruct:
				args = append(args, "(void *)c->"+p.CName)
			default:
				args = append(args, "c->"+p.CName)
			}
		}
		w.f("\t\t\tt->%s(%s);", r.c.goName, strings.Join(args, ", "))
		if len(r.arrays) > 0 {
			w.f("\t\t\tp += c->bytes / 8;")
		} else {
			w.f("\t\t\tp += %d;", r.size/8)
		}
		w.f("\t\t\tbreak;\n\t\t}")
	}
	w.f("\t\tdefault:\n\t\t\treturn; // cannot happen: only Go's Stream writes streams\n\t\t}\n\t}\n}")
}

// emitFakeC writes two tables for tests: one whose commands write down what they are given, and one that does nothing.
func emitFakeC(m *model, w *writer) {
	records := m.records(w)
	w.f("#include \"fake.h\"\n")
	for _, r := range records {
		w.f("static void log_%s(%s) {", r.c.goName, m.cSignature(r.c, false))
		w.f("\tfake_begin(%q, commandBuffer);", r.c.goName)
		for _, p := range r.ps {
			switch {
			case p.role == roleCount:
				// Go's side has no counts: the arrays' lengths show them.
			case p.role == roleSlice:
				w.f("\tfake_bytes(%s, (size_t)%s * %d);", p.CName, r.c.params[p.of].CName, m.elemSize(p.variable))
			case p.role == roleArray:
				w.f("\tfake_bytes(%s, %d);", p.CName, p.Array*m.base(p.CType).size)
			case p.role == roleStruct && m.inline(p):
				w.f("\tfake_bytes(%s, %d);", p.CName, m.byName[p.CType].size)
			case p.role == roleStruct:
				w.f("\tfake_word((uintptr_t)%s);", p.CName)
			case m.base(p.CType).cType == "float":
				w.f("\tfake_bytes(&%s, sizeof %s);", p.CName, p.CName)
			case m.base(p.CType).cType == "int32_t":
				w.f("\tfake_word((uint64_t)(int64_t)%s);", p.CName)
			default:
				w.f("\tfake_word((uint64_t)%s);", p.CName)
			}
		}
		w.f("\tfake_end();\n}\n")
		w.f("static void empty_%s(%s) {", r.c.goName, m.cSignature(r.c, false))
		for _, v := range r.c.params {
			w.f("\t(void)%s;", v.CName)
		}
		w.f("}\n")
	}
	for _, kind := range []string{"log", "empty"} {
		w.f("const bpvk_table fake_%s_table = {", kind)
		for _, r := range records {
			w.f("\t.%s = %s_%s,", r.c.goName, kind, r.c.goName)
		}
		w.f("};\n")
	}
}
