package main

import (
	"fmt"
	"strings"
)

// role is what becomes of a C parameter in the Go function.
type role int

const (
	roleValue     role = iota // passed as it is
	roleAllocator             // dropped, NULL
	roleCount                 // dropped, the length of a slice
	roleSlice                 // const T*, count → []T; const void*, size → []byte
	roleBytesOut              // void*, size → []byte that the caller gives
	roleString                // const char*
	roleArray                 // const T[n]
	roleStruct                // const T*, or a T* whose pNext chain the caller fills → *T
	roleOut                   // T* → a result
	roleSliceOut              // T*, with an input's count → a result of that length
	roleFieldOut              // T*, counted by a field of another parameter → a result
	roleEnumCount             // uint32_t* of a two-call enumeration
	roleEnumOut               // T* of a two-call enumeration → a result
)

type param struct {
	variable
	role  role
	of    int    // roleCount: the slice that has the length; roleSlice, …: the index of the count
	count int    // how many slices share it
	field string // roleFieldOut: the Go expression of the length
}

// classify gives each parameter its role (the rules are in engine/vk's doc.go).
func (m *model) classify(c *command) ([]param, error) {
	index := map[string]int{}
	for i, v := range c.params {
		index[v.CName] = i
	}
	ps := make([]param, len(c.params))
	for i, v := range c.params {
		p := param{variable: v, of: -1}
		counted := -1
		if n, ok := index[v.Len]; ok && v.Len != "" {
			counted = n
		}
		switch {
		case v.CType == "VkAllocationCallbacks":
			p.role = roleAllocator
		case v.Array > 0:
			p.role = roleArray
		case v.Ptr == 0:
			p.role = roleValue
		case v.Len == "null-terminated":
			p.role = roleString
		case counted >= 0 && c.params[counted].Ptr > 0:
			p.role, p.of = roleEnumOut, counted
		case counted >= 0 && v.Const:
			p.role, p.of = roleSlice, counted
		case counted >= 0 && v.CType == "void":
			p.role, p.of = roleBytesOut, counted
		case counted >= 0:
			p.role, p.of = roleSliceOut, counted
		case strings.Contains(v.Len, "->"):
			owner, field, _ := strings.Cut(v.Len, "->")
			p.role, p.field = roleFieldOut, paramName(owner)+"."+fieldName(field)
		case v.Const && v.Ptr == 1:
			p.role = roleStruct
		case v.Ptr == 1 && m.byName[v.CType] != nil && m.byName[v.CType].sType != "":
			p.role = roleStruct
		case !v.Const:
			p.role = roleOut
		default:
			return nil, fmt.Errorf("%s: no rule for parameter %s", c.cName, v.CName)
		}
		ps[i] = p
	}
	for i, p := range ps {
		if p.of < 0 {
			continue
		}
		n := &ps[p.of]
		switch p.role {
		case roleEnumOut:
			n.role = roleEnumCount
		case roleSlice, roleBytesOut:
			if n.role != roleCount {
				n.role, n.of = roleCount, i
			}
			n.count++
		}
	}
	for _, p := range ps {
		if p.role == roleSliceOut && ps[p.of].role != roleCount {
			return nil, fmt.Errorf("%s: %s has no input slice to take its length from", c.cName, p.CName)
		}
	}
	return ps, nil
}

// sliceType is the Go type of a slice parameter.
func (m *model) sliceType(v variable) string {
	if v.CType == "void" {
		return "[]byte"
	}
	return "[]" + m.goType(variable{CType: v.CType, Ptr: v.Ptr - 1})
}

// signature is the Go parameter list.
func (m *model) signature(ps []param) string {
	var in []string
	for _, p := range ps {
		name := paramName(p.CName)
		switch p.role {
		case roleValue, roleArray, roleStruct:
			in = append(in, name+" "+m.goType(p.variable))
		case roleSlice, roleBytesOut:
			in = append(in, name+" "+m.sliceType(p.variable))
		case roleString:
			in = append(in, name+" string")
		}
	}
	return strings.Join(in, ", ")
}
