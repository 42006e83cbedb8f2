package gpu

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Interface is what a shader asks of its pipeline layout, read from its SPIR-V.
type Interface struct {
	Bindings []Declared
	Push     int // bytes of push constants
}

// Declared is a binding that a shader declares. What its compiler found unused and dropped is not among them.
type Declared struct {
	Set int
	Binding
	Name     string // in the source; "" where names were stripped
	Writable bool   // a storage buffer or image that is not readonly
}

// Reflect reads a shader's interface. Bindings come by set and slot; their Stages are zero, for SPIR-V of one entry
// point is linked to a stage only by its pipeline. Instructions are those of the SPIR-V specification 1.6, §3.52.
func Reflect(code []byte) (Interface, error) {
	var out Interface
	m, err := parseModule(code)
	if err != nil {
		return out, err
	}
	for _, v := range m.variables {
		switch v.class {
		case classPush:
			size, err := m.size(m.pointee(v.pointer), 0)
			if err != nil {
				return out, err
			}
			out.Push = max(out.Push, size)
		case classConstant, classUniform, classStorage:
			b, err := m.binding(v)
			if err != nil {
				return out, err
			}
			out.Bindings = append(out.Bindings, b)
		}
	}
	slices.SortFunc(out.Bindings, func(a, b Declared) int {
		if a.Set != b.Set {
			return a.Set - b.Set
		}
		return a.Slot - b.Slot
	})
	return out, nil
}

// Storage classes, opcodes and decorations by their numbers in the specification.
const (
	classConstant, classUniform, classPush, classStorage = 0, 2, 9, 12

	opName, opTypeInt, opTypeFloat, opTypeVector, opTypeMatrix = 5, 21, 22, 23, 24
	opTypeImage, opTypeSampledImage, opTypeArray               = 25, 27, 28
	opTypeRuntimeArray, opTypeStruct, opTypePointer            = 29, 30, 32
	opConstant, opVariable, opDecorate, opMemberDecorate       = 43, 59, 71, 72

	decBlock, decBufferBlock, decArrayStride, decMatrixStride = 2, 3, 6, 7
	decNonWritable, decBinding, decSet, decOffset             = 24, 33, 34, 35
)

// module is what of a SPIR-V module an interface depends on.
type module struct {
	names       map[uint32]string
	types       map[uint32][]uint32 // the instruction's words by the type's id
	constants   map[uint32]uint32
	decorations map[[2]uint32]uint32 // value by id and decoration
	members     map[[3]uint32]uint32 // value by struct, member and decoration
	variables   []struct{ id, pointer, class uint32 }
	sized       int // types that size has looked at
}

func parseModule(code []byte) (*module, error) {
	if len(code) < 20 || len(code)%4 != 0 || binary.LittleEndian.Uint32(code) != 0x07230203 {
		return nil, fmt.Errorf("gpu: this isn't SPIR-V")
	}
	words := make([]uint32, len(code)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(code[4*i:])
	}
	m := &module{names: map[uint32]string{}, types: map[uint32][]uint32{}, constants: map[uint32]uint32{},
		decorations: map[[2]uint32]uint32{}, members: map[[3]uint32]uint32{}}
	for at := 5; at < len(words); {
		n := int(words[at] >> 16)
		if n == 0 || at+n > len(words) {
			return nil, fmt.Errorf("gpu: the SPIR-V is cut off or broken at word %d", at)
		}
		m.instruction(words[at : at+n : at+n])
		at += n
	}
	return m, nil
}

func (m *module) instruction(w []uint32) {
	value := func(at int) uint32 {
		if at < len(w) {
			return w[at]
		}
		return 1 // a decoration without a value is there
	}
	switch op := w[0] & 0xffff; {
	case op == opName && len(w) > 2:
		text := binary.LittleEndian.AppendUint32(nil, w[2])
		for _, x := range w[3:] {
			text = binary.LittleEndian.AppendUint32(text, x)
		}
		if end := slices.Index(text, 0); end >= 0 {
			text = text[:end]
		}
		m.names[w[1]] = string(text)
	case op >= opTypeInt && op <= opTypePointer && len(w) > 1:
		m.types[w[1]] = w
	case op == opConstant && len(w) > 3:
		m.constants[w[2]] = w[3]
	case op == opVariable && len(w) > 3:
		m.variables = append(m.variables, struct{ id, pointer, class uint32 }{w[2], w[1], w[3]})
	case op == opDecorate && len(w) > 2:
		m.decorations[[2]uint32{w[1], w[2]}] = value(3)
	case op == opMemberDecorate && len(w) > 3:
		m.members[[3]uint32{w[1], w[2], w[3]}] = value(4)
	}
}

// typ is a type's opcode and words, which are at least n.
func (m *module) typ(id uint32, n int) (op uint32, w []uint32) {
	if w = m.types[id]; len(w) >= n {
		return w[0] & 0xffff, w
	}
	return 0, nil
}

func (m *module) pointee(pointer uint32) uint32 {
	if op, w := m.typ(pointer, 4); op == opTypePointer {
		return w[3]
	}
	return 0
}

func (m *module) binding(v struct{ id, pointer, class uint32 }) (Declared, error) {
	b := Declared{Name: m.names[v.id]}
	set, hasSet := m.decorations[[2]uint32{v.id, decSet}]
	slot, hasSlot := m.decorations[[2]uint32{v.id, decBinding}]
	if !hasSet || !hasSlot {
		return b, fmt.Errorf("gpu: the shader's %q has no set and binding", b.Name)
	}
	b.Set, b.Slot, b.Count = int(set), int(slot), 1
	id := m.pointee(v.pointer)
	if op, w := m.typ(id, 4); op == opTypeArray {
		b.Count, id = int(m.constants[w[3]]), w[2]
	}
	_, fixed := m.decorations[[2]uint32{v.id, decNonWritable}]
	op, w := m.typ(id, 2)
	switch {
	case op == opTypeSampledImage && len(w) > 2:
		b.Kind = Texture
		if image, w := m.typ(w[2], 8); image == opTypeImage {
			b.StandIn = standInOf(w)
			number, _ := m.typ(w[2], 2)
			b.Whole = number == opTypeInt
		}
	case op == opTypeImage && len(w) > 7 && w[7] == 2:
		b.Kind, b.Writable = StorageTexture, !fixed
	case op == opTypeStruct:
		if b.Name == "" {
			b.Name = m.names[id]
		}
		_, block := m.decorations[[2]uint32{id, decBufferBlock}]
		if v.class != classStorage && !block {
			b.Kind = UniformRange
			break
		}
		b.Kind = StorageRange
		for member := range len(w) - 2 {
			if _, ok := m.members[[3]uint32{id, uint32(member), decNonWritable}]; !ok && !fixed {
				b.Writable = true
			}
		}
	default:
		return b, fmt.Errorf("gpu: the shader's %q (set %d, binding %d) is of a type that no binding can be", b.Name, b.Set, b.Slot)
	}
	return b, nil
}

// standInOf is what fits an OpTypeImage: its words are id, sampled type, dimension, depth, arrayed.
func standInOf(w []uint32) StandIn {
	const cube = 3
	switch {
	case w[4] == 1:
		return FarDepth
	case w[3] == cube:
		return BlackCube
	case w[5] == 1:
		return WhiteArray
	}
	return Black
}

// size of a type in bytes, as its decorations lay it out.
func (m *module) size(id uint32, deep int) (int, error) {
	op, w := m.typ(id, 3)
	if m.sized++; deep > 16 || m.sized > 10_000 { // Vulkan has room for a few hundred bytes of push constants
		return 0, fmt.Errorf("gpu: a push constant's type is nested too deep or too large")
	}
	switch {
	case op == opTypeInt, op == opTypeFloat:
		return int(w[2]) / 8, nil
	case (op == opTypeVector || op == opTypeMatrix) && len(w) > 3:
		one, err := m.size(w[2], deep+1)
		if op == opTypeMatrix && one == 12 {
			one = 16
		}
		return one * int(w[3]), err
	case op == opTypeArray && len(w) > 3:
		return int(m.decorations[[2]uint32{id, decArrayStride}]) * int(m.constants[w[3]]), nil
	case op == opTypeStruct:
		end := 0
		for i, member := range w[2:] {
			n, err := m.size(member, deep+1)
			if err != nil {
				return 0, err
			}
			end = max(end, int(m.members[[3]uint32{id, uint32(i), decOffset}])+n)
		}
		return end, nil
	}
	return 0, fmt.Errorf("gpu: a push constant is of a type without a size")
}

// LayoutOf makes the pipeline layout that shaders of one pass ask for: set 0 is frame, which may be nil, and each later set
// is as the shaders declare it. stages are where the shaders run.
func (d *Device) LayoutOf(name string, frame *SetLayout, stages Stages, shaders ...Shader) (*Layout, error) {
	desc := LayoutDesc{Name: name, PushStages: stages}
	var sets []SetLayoutDesc
	for _, s := range shaders {
		face, err := Reflect(s.Code)
		if err != nil {
			return nil, fmt.Errorf("shader %s: %w", s.Name, err)
		}
		desc.Push = max(desc.Push, face.Push)
		for _, b := range face.Bindings {
			if b.Set > 8 {
				return nil, fmt.Errorf("gpu: shader %s: set %d is beyond the eight that devices surely have", s.Name, b.Set)
			}
			for len(sets) <= b.Set {
				sets = append(sets, SetLayoutDesc{Name: name})
			}
			b.Stages = stages
			at := slices.IndexFunc(sets[b.Set].Bindings, func(x Binding) bool { return x.Slot == b.Slot })
			if at < 0 {
				sets[b.Set].Bindings = append(sets[b.Set].Bindings, b.Binding)
			}
		}
	}
	if frame != nil && len(sets) == 0 {
		sets = sets[:0:0]
		sets = append(sets, SetLayoutDesc{})
	}
	for i, s := range sets {
		set := frame
		if i > 0 || frame == nil {
			var err error
			if set, err = d.NewSetLayout(s); err != nil {
				return nil, err
			}
		}
		desc.Sets = append(desc.Sets, set)
	}
	return d.NewLayout(desc)
}

// suits says whether a shader finds what it declares in the layout, for a pipeline's stage.
// It returns the bindings.
func (l *Layout) suits(s Shader, stage Stages) ([]Declared, error) {
	face, err := Reflect(s.Code)
	if err != nil {
		return nil, fmt.Errorf("shader %s: %w", s.Name, err)
	}
	if face.Push > l.desc.Push {
		return nil, fmt.Errorf("gpu: shader %s has %d bytes of push constants; layout %s has %d", s.Name, face.Push, l.desc.Name, l.desc.Push)
	}
	for _, b := range face.Bindings {
		what := fmt.Sprintf("gpu: shader %s declares %q at set %d, binding %d", s.Name, b.Name, b.Set, b.Slot)
		if b.Set >= len(l.desc.Sets) {
			return nil, fmt.Errorf("%s; layout %s has %d sets", what, l.desc.Name, len(l.desc.Sets))
		}
		set := l.desc.Sets[b.Set]
		has := set.slot(b.Slot)
		switch {
		case has == nil:
			return nil, fmt.Errorf("%s; set layout %s has no such binding", what, set.name)
		case !b.fits(has.Kind):
			return nil, fmt.Errorf("%s, %s; set layout %s has %s there", what, b.Kind, set.name, has.Kind)
		case b.Kind == Texture && b.Whole != has.Whole:
			return nil, fmt.Errorf("%s, %s; set layout %s has %s there", what, texels(b.Whole), set.name, texels(has.Whole))
		case b.Count > has.Count:
			return nil, fmt.Errorf("%s, %d elements; set layout %s has %d", what, b.Count, set.name, has.Count)
		case has.Stages&stage == 0:
			return nil, fmt.Errorf("%s; set layout %s does not give it to that stage", what, set.name)
		}
	}
	return face.Bindings, nil
}

// texels says what a texture holds.
func texels(whole bool) string {
	if whole {
		return "a texture of whole numbers (usampler2D or isampler2D)"
	}
	return "a texture of fractions (sampler2D)"
}

func (b *Declared) fits(k Kind) bool {
	v := Value{kind: b.Kind}
	return v.fits(k)
}

func (k Kind) String() string {
	switch k {
	case UniformRange, DynamicUniformRange:
		return "a uniform buffer"
	case StorageRange, DynamicStorageRange:
		return "a storage buffer"
	case Texture:
		return "a texture"
	}
	return "a storage image"
}
