package main

import (
	"fmt"
	"strings"
)

func emitEnums(m *model, w *writer) {
	w.f("package vk\n")
	w.f("// Constants of the API and names of extensions.\nconst (")
	for _, c := range m.constants {
		w.f("\t%s = %s", c.name, c.value)
	}
	w.f(")\n")
	for _, e := range m.enums {
		under := map[kind]string{kindEnum: "int32", kindFlags32: "uint32", kindFlags64: "uint64"}[e.kind]
		w.f("// %s is %s.\ntype %s %s\n", e.goName, e.cName, e.goName, under)
		if len(e.values) == 0 {
			continue
		}
		w.f("// Values of %s.\nconst (", e.goName)
		for _, v := range e.values {
			w.f("\t%s %s = %s", v.name, e.goName, v.value)
		}
		w.f(")\n")
	}
}

func emitStrings(m *model, w *writer) {
	w.f("package vk\n\nimport \"strconv\"\n")
	for _, c := range m.list.strings {
		e := m.enumByC[c]
		w.f("// String is the C name, or the number of a value that this package does not list.")
		w.f("func (v %s) String() string {\n\tswitch v {", e.goName)
		for _, v := range e.values {
			w.f("\tcase %s:\n\t\treturn %q", v.name, "VK_"+v.name)
		}
		w.f("\t}\n\treturn \"%s(\" + strconv.Itoa(int(v)) + \")\"\n}\n", e.cName)
	}
}

func emitTypes(m *model, w *writer) {
	w.f("package vk\n\nimport \"unsafe\"\n")
	for _, a := range m.aliases {
		w.f("// %s is Vk%s.\ntype %s = %s\n", a.goName, a.goName, a.goName, a.target)
	}
	for _, h := range m.handles {
		under := "uint64"
		if h.dispatchable {
			under = "uintptr"
		}
		w.f("// %s is a %s; 0 is no object.\ntype %s %s\n", h.goName, h.cName, h.goName, under)
	}
	for _, s := range m.structs {
		if s.union {
			emitUnion(m, w, s)
			continue
		}
		w.f("// %s is %s.\ntype %s struct {", s.goName, s.cName, s.goName)
		for _, v := range s.members {
			w.f("\t%s %s", fieldName(v.CName), m.goType(v))
		}
		w.f("}\n")
		if s.sType != "" {
			w.f("// Init sets SType and returns s.\nfunc (s *%s) Init() *%s {\n\ts.SType = %s\n\treturn s\n}\n", s.goName, s.goName, s.sType)
		}
	}
}

// emitUnion writes a union as an array of its alignment, with one setter and one getter a member.
func emitUnion(m *model, w *writer, s *structure) {
	elem := map[int]string{1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}[s.align]
	var names []string
	for _, v := range s.members {
		names = append(names, v.CName)
	}
	w.f("// %s is the union %s of %s, as memory of its size and alignment.", s.goName, s.cName, strings.Join(names, ", "))
	w.f("type %s [%d]%s\n", s.goName, s.size/s.align, elem)
	for _, v := range s.members {
		name, t := fieldName(v.CName), m.goType(v)
		w.f("// Set%s makes u hold %s.\nfunc (u *%s) Set%s(v %s) { *(*%s)(unsafe.Pointer(u)) = v }\n", name, v.CName, s.goName, name, t, t)
		w.f("// %s reads u as %s.\nfunc (u *%s) %s() %s { return *(*%s)(unsafe.Pointer(u)) }\n", name, v.CName, s.goName, name, t, t)
	}
}

func emitLayoutTest(m *model, w *writer) {
	w.f("package vk\n\nimport \"unsafe\"\n")
	w.f("// cLayout holds what Go makes of each struct, for comparison with a C compiler's sizeof and offsetof.")
	w.f("var cLayout = []structLayout{")
	for _, s := range m.structs {
		w.f("\t{%q, unsafe.Sizeof(%s{}), unsafe.Alignof(%s{}), []memberLayout{", s.cName, s.goName, s.goName)
		if !s.union {
			for _, v := range s.members {
				w.f("\t\t{%q, unsafe.Offsetof(%s{}.%s)},", v.CName, s.goName, fieldName(v.CName))
			}
		}
		w.f("\t}},")
	}
	w.f("}\n")
	w.f("// cValues holds each constant of each enum, for comparison with the C headers.\nvar cValues = []enumValue{")
	for _, e := range m.enums {
		for _, v := range e.values {
			w.f("\t{%q, %s},", "VK_"+v.name, fmt.Sprintf("int64(%s)", v.name))
		}
	}
	w.f("}")
}
