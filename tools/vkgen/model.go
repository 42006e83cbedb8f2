package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// model is the selected part of the registry, resolved.
type model struct {
	list          *list
	headerVersion string
	constants     []constant // of the API and of the listed extensions, in the registry's order
	enums         []*enum    // enums and flags, sorted by name
	handles       []handle
	aliases       []alias
	structs       []*structure // structs and unions, sorted by name
	commands      []*command   // sorted by name

	goNames   map[string]string     // every selected C type's Go name
	kinds     map[string]kind       // every selected C type's kind
	byName    map[string]*structure // selected structs
	enumByC   map[string]*enum
	flagsOf   map[string]string // FlagBits → Flags
	reg       map[string]*xmlType
	constText map[string]string
	values    map[string][]enumValue // enum or FlagBits → its values
	basetypes map[string]scalar      // VkBool32, VkDeviceSize, …
}

type kind int

const (
	kindScalar kind = iota
	kindEnum
	kindFlags32
	kindFlags64
	kindHandle       // 64-bit, not dispatchable
	kindDispatchable // a pointer in C
	kindStruct
	kindUnion
	kindFunc
)

type constant struct{ name, value string }

type enumValue struct{ name, value string }

type enum struct {
	cName  string
	goName string
	kind   kind
	values []enumValue
}

type handle struct {
	cName, goName string
	dispatchable  bool
}

type alias struct{ goName, target string }

type structure struct {
	cName, goName string
	union         bool
	sType         string // Go constant, or ""
	members       []variable
	size, align   int
	offsets       []int
	pointers      bool // holds a pointer, at any depth
}

type command struct {
	cName, goName string // goName without a leading vk
	returns       string // C type
	success       []string
	params        []variable
	level         int // 0 global, 1 instance, 2 device
	private       bool
}

func newModel(reg *registry, l *list) (*model, error) {
	m := &model{
		list: l, goNames: map[string]string{}, kinds: map[string]kind{}, byName: map[string]*structure{},
		enumByC: map[string]*enum{}, flagsOf: map[string]string{}, reg: map[string]*xmlType{},
		constText: map[string]string{}, values: map[string][]enumValue{}, basetypes: map[string]scalar{},
	}
	for i := range reg.Types {
		t := &reg.Types[i]
		if !forVulkan(t.API) {
			continue
		}
		if v := reVersion.FindStringSubmatch(t.Inner); v != nil && t.Name == "VK_HEADER_VERSION" {
			m.headerVersion = v[1]
		}
		m.reg[t.name()] = t
		if t.Category == "bitmask" && t.Alias == "" {
			for _, bits := range []string{t.Requires, t.BitValues} {
				if bits != "" {
					m.flagsOf[bits] = t.name()
				}
			}
		}
	}
	if err := m.collectValues(reg); err != nil {
		return nil, err
	}
	commands := map[string]*xmlCommand{}
	for i := range reg.Commands {
		c := &reg.Commands[i]
		if c.Alias == "" && forVulkan(c.API) {
			commands[c.Proto.Name] = c
		}
	}
	for _, name := range l.commands {
		if err := m.addCommand(name, commands[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range append(append([]string{"VkResult", "VkObjectType", "VkStructureType"}, l.types...), l.strings...) {
		if err := m.addType(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	slices.SortFunc(m.enums, func(a, b *enum) int { return strings.Compare(a.goName, b.goName) })
	slices.SortFunc(m.structs, func(a, b *structure) int { return strings.Compare(a.goName, b.goName) })
	slices.SortFunc(m.handles, func(a, b handle) int { return strings.Compare(a.goName, b.goName) })
	slices.SortFunc(m.aliases, func(a, b alias) int { return strings.Compare(a.goName, b.goName) })
	return m, nil
}

// collectValues gathers every enum's values: its own block, then what core versions and listed extensions add.
func (m *model) collectValues(reg *registry) error {
	for _, e := range reg.Enums {
		if e.Name == "API Constants" {
			for _, v := range e.Enums {
				if v.Alias == "" {
					value := constantValue(v.Value)
					m.constants = append(m.constants, constant{constName(v.Name), value})
					m.constText[v.Name] = value
				}
			}
			continue
		}
		for _, v := range e.Enums {
			if err := m.addValue(e.Name, v, 0); err != nil {
				return err
			}
		}
	}
	for _, f := range reg.Features {
		if !forVulkan(f.API) {
			continue
		}
		for _, r := range f.Requires {
			for _, v := range r.Enums {
				if v.Extends != "" {
					if err := m.addValue(v.Extends, v, 0); err != nil {
						return err
					}
				}
			}
		}
	}
	found := map[string]bool{}
	for _, x := range reg.Extensions {
		if !slices.Contains(m.list.extensions, x.Name) {
			continue
		}
		found[x.Name] = true
		number, err := strconv.Atoi(x.Number)
		if err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
		for _, r := range x.Requires {
			for _, v := range r.Enums {
				switch {
				case v.Extends != "":
					if err := m.addValue(v.Extends, v, number); err != nil {
						return err
					}
				case strings.HasSuffix(v.Name, "_EXTENSION_NAME"):
					m.constants = append(m.constants, constant{constName(v.Name), v.Value})
				}
			}
		}
	}
	for _, name := range m.list.extensions {
		if !found[name] {
			return fmt.Errorf("extension %s is not in the registry", name)
		}
	}
	return nil
}

// addValue computes a value as the registry's schema says (extension values start at 1000000000, 1000 an extension).
func (m *model) addValue(enum string, v xmlEnum, extension int) error {
	if v.Alias != "" || !forVulkan(v.API) {
		return nil
	}
	var value string
	switch {
	case v.Value != "":
		value = v.Value
	case v.BitPos != "":
		n, err := strconv.Atoi(v.BitPos)
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		value = fmt.Sprintf("0x%X", uint64(1)<<n)
	case v.Offset != "":
		if v.ExtNumber != "" {
			n, err := strconv.Atoi(v.ExtNumber)
			if err != nil {
				return fmt.Errorf("%s: %w", v.Name, err)
			}
			extension = n
		}
		offset, err := strconv.Atoi(v.Offset)
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		value = fmt.Sprintf("%s%d", v.Dir, 1000000000+(extension-1)*1000+offset)
	default:
		return nil
	}
	if slices.ContainsFunc(m.values[enum], func(o enumValue) bool { return o.name == constName(v.Name) }) {
		return nil // an extension promoted to core names its values twice
	}
	m.values[enum] = append(m.values[enum], enumValue{constName(v.Name), strings.TrimSuffix(value, "ULL")})
	return nil
}

func (m *model) addCommand(name string, x *xmlCommand) error {
	if x == nil {
		return fmt.Errorf("no such command in the registry (aliases are not taken: name the core command)")
	}
	c := &command{
		cName: name, goName: strings.TrimPrefix(name, "vk"), returns: x.Proto.Type,
		private: slices.Contains(m.list.private, name),
	}
	if x.SuccessCodes != "" {
		c.success = strings.Split(x.SuccessCodes, ",")
	}
	for _, p := range x.Params {
		if !forVulkan(p.API) {
			continue
		}
		v, err := parseVariable(p, m.constText)
		if err != nil {
			return err
		}
		if v.CType != "VkAllocationCallbacks" {
			if err := m.addType(v.CType); err != nil {
				return fmt.Errorf("%s: %w", v.CName, err)
			}
		}
		c.params = append(c.params, v)
	}
	if err := m.addType(c.returns); err != nil {
		return err
	}
	switch c.params[0].CType {
	case "VkDevice", "VkQueue", "VkCommandBuffer":
		c.level = 2
	case "VkInstance", "VkPhysicalDevice":
		c.level = 1
	}
	m.commands = append(m.commands, c)
	return nil
}

// addType selects a type and all that it refers to.
func (m *model) addType(name string) error {
	if _, scalar := scalars[name]; scalar || m.goNames[name] != "" {
		return nil
	}
	t := m.reg[name]
	if t == nil {
		return fmt.Errorf("no type %s in the registry", name)
	}
	if t.Alias != "" {
		return fmt.Errorf("%s is another name of %s: use that", name, t.Alias)
	}
	goName := strings.TrimPrefix(name, "Vk")
	switch t.Category {
	case "basetype":
		m.goNames[name] = goName
		m.kinds[name] = kindScalar
		target := scalars[t.Refers[0]]
		if target.goType == "" {
			return fmt.Errorf("%s: basetype of %s", name, t.Refers[0])
		}
		m.basetypes[name] = target
		m.aliases = append(m.aliases, alias{goName, target.goType})
	case "funcpointer":
		m.goNames[name] = "unsafe.Pointer"
		m.kinds[name] = kindFunc
	case "handle":
		d := strings.Contains(t.Inner, "VK_DEFINE_HANDLE")
		m.goNames[name] = goName
		m.kinds[name] = kindHandle
		if d {
			m.kinds[name] = kindDispatchable
		}
		m.handles = append(m.handles, handle{name, goName, d})
	case "enum":
		if flags := m.flagsOf[name]; flags != "" {
			if err := m.addType(flags); err != nil {
				return err
			}
			m.goNames[name], m.kinds[name] = m.goNames[flags], m.kinds[flags]
			return nil
		}
		m.goNames[name], m.kinds[name] = goName, kindEnum
		m.addEnum(&enum{cName: name, goName: goName, kind: kindEnum, values: m.values[name]})
	case "bitmask":
		e := &enum{cName: name, goName: goName, kind: kindFlags32}
		if t.Refers[0] == "VkFlags64" {
			e.kind = kindFlags64
		}
		for _, bits := range []string{t.Requires, t.BitValues} {
			if bits != "" {
				e.values = m.values[bits]
			}
		}
		m.goNames[name], m.kinds[name] = goName, e.kind
		m.addEnum(e)
	case "struct", "union":
		return m.addStruct(name, goName, t)
	default:
		return fmt.Errorf("%s: category %q is not supported", name, t.Category)
	}
	return nil
}

func (m *model) addEnum(e *enum) {
	m.enums = append(m.enums, e)
	m.enumByC[e.cName] = e
}

func (m *model) addStruct(name, goName string, t *xmlType) error {
	s := &structure{cName: name, goName: goName, union: t.Category == "union"}
	m.goNames[name], m.kinds[name], m.byName[name] = goName, kindStruct, s
	if s.union {
		m.kinds[name] = kindUnion
	}
	for _, x := range t.Members {
		if !forVulkan(x.API) {
			continue
		}
		v, err := parseVariable(x, m.constText)
		if err != nil {
			return err
		}
		if err := m.addType(v.CType); err != nil {
			return fmt.Errorf("%s: %w", v.CName, err)
		}
		if v.SType != "" {
			s.sType = constName(v.SType)
			known := func(o enumValue) bool { return o.name == s.sType }
			if !slices.ContainsFunc(m.values["VkStructureType"], known) {
				return fmt.Errorf("%s comes from an extension that the list does not name", v.SType)
			}
		}
		s.members = append(s.members, v)
	}
	m.layout(s)
	m.structs = append(m.structs, s)
	return nil
}
