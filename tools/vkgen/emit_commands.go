package main

import (
	"fmt"
	"strings"
)

// direct are the commands that get a Go function; the vkCmd* go through the stream.
func (m *model) direct() []*command {
	var out []*command
	for _, c := range m.commands {
		if !strings.HasPrefix(c.cName, "vkCmd") {
			out = append(out, c)
		}
	}
	return out
}

// cSignature is the parameter list of the C function pointer, or of the shim, which leaves the allocator out.
func (m *model) cSignature(c *command, shim bool) string {
	var out []string
	for _, v := range c.params {
		if shim && v.CType == "VkAllocationCallbacks" {
			continue
		}
		t := m.cParam(v)
		if !strings.HasSuffix(t, "*") {
			t += " "
		}
		out = append(out, t+v.CName)
	}
	return strings.Join(out, ", ")
}

func emitTableH(m *model, w *writer) {
	w.f("// The function table: one pointer a command, with every C pointer as void*, so that no Vulkan header is needed.")
	w.f("#pragma once\n#include <stddef.h>\n#include <stdint.h>\n\ntypedef struct {")
	for _, c := range m.commands {
		w.f("\t%s (*%s)(%s);", m.cReturn(c), c.goName, m.cSignature(c, false))
	}
	w.f("} bpvk_table;\n")
}

func (m *model) cReturn(c *command) string {
	return m.base(c.returns).cType
}

func emitCommandsH(m *model, w *writer) {
	w.f("// The functions that Go calls: they call through the active table.")
	w.f("#pragma once\n#include \"gen_table.h\"\n")
	for _, c := range m.direct() {
		w.f("%s bpvk_%s(%s);", m.cReturn(c), c.goName, m.cSignature(c, true))
	}
}

func emitCommandsC(m *model, w *writer) {
	w.f("#include \"gen_commands.h\"\n#include \"loader.h\"\n")
	w.f("// What a command does that no loaded instance or device has.")
	for _, c := range m.commands {
		w.f("static %s missing_%s(%s) {", m.cReturn(c), c.goName, m.cSignature(c, false))
		for _, v := range c.params {
			w.f("\t(void)%s;", v.CName)
		}
		w.f("\tbpvk_missing(%q);", c.cName)
		switch {
		case c.returns == "VkResult":
			w.f("\treturn -7; // VK_ERROR_EXTENSION_NOT_PRESENT")
		case c.returns != "void":
			w.f("\treturn 0;")
		}
		w.f("}\n")
	}
	w.f("const bpvk_table bpvk_missing_table = {")
	for _, c := range m.commands {
		w.f("\t.%s = missing_%s,", c.goName, c.goName)
	}
	w.f("};\n\nconst bpvk_entry bpvk_entries[] = {")
	for _, c := range m.commands {
		w.f("\t{%q, offsetof(bpvk_table, %s), %d},", c.cName, c.goName, c.level)
	}
	w.f("};\nconst int bpvk_entry_count = %d;\n", len(m.commands))
	for _, c := range m.direct() {
		var args []string
		for _, v := range c.params {
			if v.CType == "VkAllocationCallbacks" {
				args = append(args, "NULL")
			} else {
				args = append(args, v.CName)
			}
		}
		ret := ""
		if c.returns != "void" {
			ret = "return "
		}
		w.f("%s bpvk_%s(%s) {\n\t%sbpvk_active()->%s(%s);\n}\n", m.cReturn(c), c.goName, m.cSignature(c, true), ret, c.goName, strings.Join(args, ", "))
	}
}

func emitCommandsGo(m *model, w *writer) {
	w.f("package vk\n\n/*\n#include \"gen_commands.h\"\n")
	for _, c := range m.direct() {
		w.f("#cgo noescape bpvk_%s\n#cgo nocallback bpvk_%s", c.goName, c.goName)
	}
	w.f("*/\nimport \"C\"\n\nimport \"unsafe\"\n")
	for _, c := range m.direct() {
		m.emitCommandGo(w, c)
	}
}

// cArg converts a plain Go value to the shim's type.
func (m *model) cArg(v variable, goExpr string) string {
	t := m.base(v.CType).cType
	if t == "void *" {
		return goExpr
	}
	return fmt.Sprintf("C.%s(%s)", t, goExpr)
}

func (m *model) emitCommandGo(w *writer, c *command) {
	ps, err := m.classify(c)
	if err != nil {
		w.f("%v", err) // not Go, so finish reports it
		return
	}
	goName := c.goName
	if c.private {
		goName = strings.ToLower(goName[:1]) + goName[1:]
	}
	isResult := c.returns == "VkResult"
	enumerates := false
	var results, values, decls, after []string
	for _, p := range ps {
		name := paramName(p.CName)
		elem := m.goType(variable{CType: p.CType, Ptr: p.Ptr - 1})
		switch p.role {
		case roleOut:
			results, values = append(results, elem), append(values, name)
			decls = append(decls, fmt.Sprintf("var %s %s", name, elem))
		case roleSliceOut, roleFieldOut:
			n := p.field
			if p.role == roleSliceOut {
				n = fmt.Sprintf("len(%s)", paramName(ps[ps[p.of].of].CName))
			}
			results, values = append(results, "[]"+elem), append(values, name)
			decls = append(decls, fmt.Sprintf("%s := make([]%s, %s)", name, elem, n))
		case roleEnumOut:
			enumerates = true
			results = append(results, m.sliceType(p.variable))
		case roleString:
			decls = append(decls, fmt.Sprintf("c%s := cString(%s, %v)", name, name, p.Optional))
		case roleSlice:
			first := paramName(ps[ps[p.of].of].CName)
			if first != name {
				decls = append(decls, fmt.Sprintf("if len(%s) != len(%s) {\n\t\tmismatch(%q, len(%s), len(%s))\n\t}",
					name, first, c.cName, first, name))
			}
		}
	}
	moreCodes := isResult && len(c.success) > 1 && !enumerates
	switch {
	case moreCodes:
		results = append(results, "Result", "error")
	case isResult:
		results = append(results, "error")
	case c.returns != "void":
		results = append(results, m.goElem(c.returns))
	}
	// call gives the C call, with the enumeration's output pointer as given.
	call := func(enumOut string) string {
		var args []string
		for _, p := range ps {
			name := paramName(p.CName)
			switch p.role {
			case roleValue:
				args = append(args, m.cArg(p.variable, name))
			case roleCount:
				args = append(args, m.cArg(p.variable, fmt.Sprintf("len(%s)", paramName(ps[p.of].CName))))
			case roleSlice, roleBytesOut, roleSliceOut, roleFieldOut:
				args = append(args, fmt.Sprintf("unsafe.Pointer(unsafe.SliceData(%s))", name))
			case roleString:
				args = append(args, fmt.Sprintf("unsafe.Pointer(unsafe.SliceData(c%s))", name))
			case roleArray, roleOut:
				args = append(args, fmt.Sprintf("unsafe.Pointer(&%s)", name))
			case roleStruct:
				args = append(args, fmt.Sprintf("unsafe.Pointer(%s)", name))
			case roleEnumCount:
				args = append(args, "unsafe.Pointer(&count)")
			case roleEnumOut:
				args = append(args, enumOut)
			}
		}
		return fmt.Sprintf("C.bpvk_%s(%s)", c.goName, strings.Join(args, ", "))
	}

	if !c.private {
		w.f("// %s calls %s.", goName, c.cName)
	}
	out := strings.Join(results, ", ")
	if len(results) > 1 {
		out = "(" + out + ")"
	}
	w.f("func %s(%s) %s {", goName, m.signature(ps), out)
	for _, d := range decls {
		w.f("\t%s", d)
	}
	if enumerates {
		m.emitEnumeration(w, c, ps, call, isResult)
		w.f("}\n")
		return
	}
	switch {
	case isResult:
		w.f("\tr := %s", call(""))
		if moreCodes {
			after = append(values, "Result(r)")
		} else {
			after = values
		}
		w.f("\treturn %s", strings.Join(append(after, fmt.Sprintf("check(%q, int32(r))", c.cName)), ", "))
	case c.returns != "void":
		w.f("\treturn %s(%s)", m.goElem(c.returns), call(""))
	default:
		w.f("\t%s", call(""))
		if len(values) > 0 {
			w.f("\treturn %s", strings.Join(values, ", "))
		}
	}
	w.f("}\n")
}

// emitEnumeration writes the two calls, and tries again when the list grew in between (VK_INCOMPLETE).
func (m *model) emitEnumeration(w *writer, c *command, ps []param, call func(string) string, isResult bool) {
	var out param
	countType := "uint32"
	for _, p := range ps {
		switch p.role {
		case roleEnumOut:
			out = p
		case roleEnumCount:
			countType = m.goElem(p.CType)
		}
	}
	name := paramName(out.CName)
	second := call(fmt.Sprintf("unsafe.Pointer(unsafe.SliceData(%s))", name))
	fill := func() {
		w.f("%s := make(%s, count)", name, m.sliceType(out.variable))
		if s := m.byName[out.CType]; s != nil && s.sType != "" {
			w.f("for i := range %s {\n%s[i].Init()\n}", name, name)
		}
	}
	if !isResult {
		w.f("var count %s\n%s\nif count == 0 {\nreturn nil\n}", countType, call("nil"))
		fill()
		w.f("%s\nreturn %s[:count]", second, name)
		return
	}
	w.f("for {\nvar count %s", countType)
	w.f("if r := %s; r < 0 {\nreturn nil, check(%q, int32(r))\n}", call("nil"), c.cName)
	w.f("if count == 0 {\nreturn nil, nil\n}")
	fill()
	w.f("switch r := %s; {", second)
	w.f("case r < 0:\nreturn nil, check(%q, int32(r))", c.cName)
	w.f("case Result(r) != INCOMPLETE:\nreturn %s[:count], nil\n}\n}", name)
}
