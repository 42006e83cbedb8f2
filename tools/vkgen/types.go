package main

import (
	"fmt"
	"strings"
)

// scalar is a C base type: its Go type, the C type that the shims use, and its size in bytes.
type scalar struct {
	goType, cType string
	size          int
}

// scalars are the C types that need no declaration. size_t is 64 bits: Bindpose runs on 64-bit systems only.
var scalars = map[string]scalar{
	"void":     {"", "void", 0},
	"char":     {"byte", "char", 1},
	"float":    {"float32", "float", 4},
	"double":   {"float64", "double", 8},
	"uint8_t":  {"uint8", "uint8_t", 1},
	"uint16_t": {"uint16", "uint16_t", 2},
	"uint32_t": {"uint32", "uint32_t", 4},
	"uint64_t": {"uint64", "uint64_t", 8},
	"int32_t":  {"int32", "int32_t", 4},
	"int64_t":  {"int64", "int64_t", 8},
	"int":      {"int32", "int32_t", 4},
	"size_t":   {"uint64", "size_t", 8},
}

// base returns what a type is as a plain value, structs aside.
func (m *model) base(cType string) scalar {
	if s, ok := scalars[cType]; ok {
		return s
	}
	if s, ok := m.basetypes[cType]; ok {
		return s
	}
	switch m.kinds[cType] {
	case kindEnum:
		return scalar{"", "int32_t", 4}
	case kindFlags32:
		return scalar{"", "uint32_t", 4}
	case kindFlags64, kindHandle:
		return scalar{"", "uint64_t", 8}
	case kindDispatchable:
		return scalar{"", "uintptr_t", 8}
	case kindFunc:
		return scalar{"", "void *", 8}
	}
	return scalar{}
}

// goElem is a C type's Go name, pointers and arrays aside.
func (m *model) goElem(cType string) string {
	if s, ok := scalars[cType]; ok {
		return s.goType
	}
	return m.goNames[cType]
}

// goType is the type of a struct's member.
func (m *model) goType(v variable) string {
	t := m.goElem(v.CType)
	if v.Ptr > 0 {
		stars := v.Ptr
		if v.CType == "void" {
			t = "unsafe.Pointer"
			stars--
		}
		t = strings.Repeat("*", stars) + t
	}
	if v.Array > 0 {
		t = fmt.Sprintf("[%d]%s", v.Array, t)
	}
	return t
}

// cParam is a parameter's type in the shims, where every pointer is a void*.
func (m *model) cParam(v variable) string {
	if v.Ptr > 0 || v.Array > 0 {
		return "void *"
	}
	return m.base(v.CType).cType
}

// sizeAlign is the C size and alignment of one value, on a 64-bit system.
func (m *model) sizeAlign(v variable) (size, align int) {
	switch s := m.byName[v.CType]; {
	case v.Ptr > 0:
		size, align = 8, 8
	case s != nil:
		size, align = s.size, s.align
	default:
		size = m.base(v.CType).size
		align = size
	}
	if v.Array > 0 {
		size *= v.Array
	}
	return size, align
}

// elemSize is the size of what a pointer parameter points to; 1 for void.
func (m *model) elemSize(v variable) int {
	size, _ := m.sizeAlign(variable{CType: v.CType, Ptr: v.Ptr - 1})
	return max(size, 1)
}

func (m *model) layout(s *structure) {
	s.align = 1
	for _, v := range s.members {
		size, align := m.sizeAlign(v)
		inner := m.byName[v.CType]
		s.pointers = s.pointers || v.Ptr > 0 || m.kinds[v.CType] == kindFunc || inner != nil && inner.pointers
		s.align = max(s.align, align)
		if s.union {
			s.offsets = append(s.offsets, 0)
			s.size = max(s.size, size)
			continue
		}
		at := roundUp(s.size, align)
		s.offsets = append(s.offsets, at)
		s.size = at + size
	}
	s.size = roundUp(s.size, s.align)
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// constName turns VK_FORMAT_UNDEFINED into FORMAT_UNDEFINED.
func constName(c string) string { return strings.TrimPrefix(c, "VK_") }

// fieldName turns pNext into PNext.
func fieldName(c string) string { return strings.ToUpper(c[:1]) + c[1:] }

// paramName turns pCreateInfo into createInfo and keeps out of Go's keywords and the generated code's own names.
func paramName(c string) string {
	trimmed := c
	for len(trimmed) > 1 && trimmed[0] == 'p' && trimmed[1] >= 'A' && trimmed[1] <= 'Z' || strings.HasPrefix(trimmed, "pp") {
		trimmed = trimmed[1:]
	}
	name := strings.ToLower(trimmed[:1]) + trimmed[1:]
	switch name {
	case "type", "range", "func", "var", "len", "map", "s", "r", "out", "at":
		name += "_"
	}
	return name
}

// constantValue turns a C constant expression into Go's.
func constantValue(c string) string {
	switch c {
	case "(~0U)":
		return "0xFFFFFFFF"
	case "(~1U)":
		return "0xFFFFFFFE"
	case "(~2U)":
		return "0xFFFFFFFD"
	case "(~0ULL)":
		return "0xFFFFFFFFFFFFFFFF"
	}
	return strings.TrimSuffix(c, "F")
}
