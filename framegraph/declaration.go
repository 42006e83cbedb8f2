package framegraph

// declaration is a frame as it was declared: the structure that a plan is compiled from, and found again by. Two equal
// declarations have one plan. What may change each frame without a new plan (closures, clear values, import keys) is kept
// apart, and so are places in the source.
type declaration struct {
	resources []resourceDecl
	passes    []passDecl
	uses      []use
	afters    []after
	spanned   bool // some access is to a part of an image

	resourcePC []uintptr
	passPC     []uintptr
	usePC      []uintptr
}

type resourceKind uint8

const (
	imageKind resourceKind = iota
	bufferKind
	hostKind
)

type resourceDecl struct {
	name                  string
	kind                  resourceKind
	origin                Origin
	format                Format
	width, height         int32
	mips, layers, samples int32
	sizeOf                int32 // resource the size is relative to, −1 for none
	scaleX, scaleY        float32
	bytes                 uint64
	arrive, leave         State
	shared                bool
	start                 Clear4 // of a history
}

type passDecl struct {
	name              string
	kind              Kind
	side              bool
	async             bool
	hasArea           bool
	area              [4]int32 // x, y, width, height
	uses, usesEnd     int32
	afters, aftersEnd int32
}

// use is one declared access.
type use struct {
	res    int32
	pass   int32
	verb   verb
	op     uint8 // LoadKind + 1 of an attachment, 0 for Infer
	span   span  // zero where the whole image is meant
	stage  Stage
	access Access
	layout Layout
	of     int32 // resource that a Resolve takes its samples from
}

func (u *use) write() bool { return u.access.Writes() != 0 }

// after is an explicit order: the pass it belongs to comes after another, named or held.
type after struct {
	name string
	pass int32 // −1 where it is named
}

func (d *declaration) reset() {
	d.resources, d.passes, d.uses, d.afters = d.resources[:0], d.passes[:0], d.uses[:0], d.afters[:0]
	d.spanned = false
	d.resourcePC, d.passPC, d.usePC = d.resourcePC[:0], d.passPC[:0], d.usePC[:0]
}

func (d *declaration) copyFrom(o *declaration) {
	d.resources = append(d.resources[:0], o.resources...)
	d.passes = append(d.passes[:0], o.passes...)
	d.uses = append(d.uses[:0], o.uses...)
	d.afters = append(d.afters[:0], o.afters...)
	d.spanned = o.spanned
	d.resourcePC = append(d.resourcePC[:0], o.resourcePC...)
	d.passPC = append(d.passPC[:0], o.passPC...)
	d.usePC = append(d.usePC[:0], o.usePC...)
}

// equal compares structure alone, so it ends at the first difference and needs no hash.
func (d *declaration) equal(o *declaration) bool {
	if len(d.resources) != len(o.resources) || len(d.passes) != len(o.passes) || len(d.uses) != len(o.uses) ||
		len(d.afters) != len(o.afters) {
		return false
	}
	for i := range d.passes {
		if d.passes[i] != o.passes[i] {
			return false
		}
	}
	for i := range d.uses {
		if d.uses[i] != o.uses[i] {
			return false
		}
	}
	for i := range d.resources {
		if d.resources[i] != o.resources[i] {
			return false
		}
	}
	for i := range d.afters {
		if d.afters[i] != o.afters[i] {
			return false
		}
	}
	return true
}
