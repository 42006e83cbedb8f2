package framegraph

import (
	"fmt"
	"math"
	"math/bits"
)

// validate checks each resource by itself and resolves sizes. Like survey, which checks the accesses, it reports, and leaves the
// rest of the steps something they can work on.
func (e *entry) validate() {
	e.extents = grown(e.extents, len(e.resources))
	e.marks = grown(e.marks, len(e.resources))
	e.history = false
	for i := range e.resources {
		r := &e.resources[i]
		w := what(0)
		switch r.kind {
		case imageKind:
			w = whatImage
			if r.format.IsDepth() {
				w |= whatDepth
			}
			if r.mips != 1 {
				w |= whatMips
			}
			e.validateImage(i)
		case bufferKind:
			e.extents[i] = [2]int32{}
			if r.bytes == 0 {
				e.wrong(e.resourcePC[i], Mistake{Code: "empty-buffer", Resource: r.name, Problem: "it has 0 bytes",
					Consequence: "no memory can be bound to it"})
			}
		default:
			w = whatHost | whatDefined
		}
		switch r.origin {
		case Transient:
			w |= whatTransient
		case LastFrame:
			w |= whatLast | whatDefined
			e.history = true
		case ThisFrame:
			w |= whatThis
		case Imported:
			w |= whatImported
			if r.kind == bufferKind || r.arrive.Layout != LayoutUndefined {
				w |= whatDefined
			}
		}
		e.marks[i].what, e.marks[i].samples = w, uint16(r.samples)
	}
}

func (e *entry) validateImage(i int) {
	r := &e.resources[i]
	pc := e.resourcePC[i]
	largest := e.caps.MaxImageSize
	if largest == 0 {
		largest = 16384
	}
	if r.sizeOf >= 0 {
		of := &e.resources[r.sizeOf] // declared before, so no size can depend on itself
		w, h := e.extents[r.sizeOf][0], e.extents[r.sizeOf][1]
		e.extents[i] = [2]int32{scaled(w, r.scaleX), scaled(h, r.scaleY)}
		if !(r.scaleX > 0) || !(r.scaleY > 0) {
			e.wrong(pc, Mistake{Code: "bad-size", Resource: r.name,
				Problem: fmt.Sprintf("its size is %g × %g of %q", r.scaleX, r.scaleY, of.name), Consequence: "scales must be above 0"})
			return
		}
	} else {
		e.extents[i] = [2]int32{r.width, r.height}
	}
	w, h := int(e.extents[i][0]), int(e.extents[i][1])
	if r.scaleX == 0 || r.sizeOf >= 0 { // a size of an unknown image was reported when it was declared
		if w <= 0 || h <= 0 || w > largest || h > largest {
			e.wrong(pc, Mistake{Code: "bad-size", Resource: r.name, Problem: fmt.Sprintf("it is %d × %d texels", w, h),
				Consequence: fmt.Sprintf("each side must be 1 to %d", largest)})
		} else if most := bits.Len(uint(max(w, h))); r.mips < 1 || int(r.mips) > most {
			e.wrong(pc, Mistake{Code: "bad-mips", Resource: r.name, Problem: fmt.Sprintf("it has %d mip levels", r.mips),
				Consequence: fmt.Sprintf("%d × %d texels have 1 to %d", w, h, most)})
		}
	}
	if r.layers < 1 || r.layers > 2048 {
		e.wrong(pc, Mistake{Code: "bad-layers", Resource: r.name, Problem: fmt.Sprintf("it has %d array layers", r.layers),
			Consequence: "an image has 1 to 2048"})
	}
	most := e.caps.MaxSamples
	if most == 0 {
		most = 64
	}
	if counts := e.caps.SampleCounts; counts != 0 && r.samples >= 1 && uint32(r.samples)&counts == 0 && r.samples&(r.samples-1) == 0 {
		e.wrong(pc, Mistake{Code: "bad-samples", Resource: r.name, Problem: fmt.Sprintf("it has %d samples a texel", r.samples),
			Consequence: fmt.Sprintf("the device lacks that count; it has those whose sum is %d", counts)})
	} else if r.samples < 1 || r.samples&(r.samples-1) != 0 || int(r.samples) > most {
		e.wrong(pc, Mistake{Code: "bad-samples", Resource: r.name, Problem: fmt.Sprintf("it has %d samples a texel", r.samples),
			Consequence: fmt.Sprintf("the device takes powers of two up to %d", most)})
	}
	if r.format == FormatNone {
		e.wrong(pc, Mistake{Code: "no-format", Resource: r.name, Problem: "it has no format",
			Consequence: "set ImageDesc.Format"})
	}
}

func scaled(n int32, by float32) int32 {
	v := math.Ceil(float64(n) * float64(by))
	if !(v > 1) {
		return 1
	}
	return int32(min(v, math.MaxInt32))
}

// validateDrawing checks what cannot be done inside a rendering scope.
func (e *entry) validateDrawing(p int32) {
	d := &e.passes[p]
	depths := 0
	least := [2]int32{math.MaxInt32, math.MaxInt32}
	for i := d.uses; i < d.usesEnd; i++ {
		u := &e.uses[i]
		r := &e.resources[u.res]
		switch {
		case u.verb.transfer():
			e.wrong(e.usePC[i], Mistake{Code: "copy-while-drawing", Pass: d.name, Resource: r.name,
				Problem: u.verb.String() + " in a pass that has attachments", Consequence: "a copy cannot be recorded inside rendering; give it a pass of its own"})
		case u.verb.shader() && u.stage&ComputeShader != 0:
			e.wrong(e.usePC[i], Mistake{Code: "dispatch-while-drawing", Pass: d.name, Resource: r.name,
				Problem: u.verb.String() + " in the compute stage of a pass that has attachments", Consequence: "a dispatch cannot be recorded inside rendering; give it a pass of its own"})
		case u.verb == verbDepthAttachment || u.verb == verbDepthReadOnly:
			depths++
			if depths == 2 {
				e.wrong(e.usePC[i], Mistake{Code: "two-depths", Pass: d.name, Resource: r.name,
					Problem: "it is a second depth attachment", Consequence: "a pass has one"})
			}
		}
		if u.verb.attachment() {
			mip := min(uint(u.span.mip), 31)
			least[0] = min(least[0], max(e.extents[u.res][0]>>mip, 1))
			least[1] = min(least[1], max(e.extents[u.res][1]>>mip, 1))
			if u.span.mips > 1 || (u.span.mips == 0 && r.mips > 1) {
				e.wrong(e.usePC[i], Mistake{Code: "many-mips-attached", Pass: d.name, Resource: r.name,
					Problem: u.verb.String() + " of more than one mip level", Consequence: "attach one level: image.Mip(n)"})
			}
		}
	}
	if a := d.area; d.hasArea && (a[0] < 0 || a[1] < 0 || a[2] <= 0 || a[3] <= 0 || int64(a[0])+int64(a[2]) > int64(least[0]) || int64(a[1])+int64(a[3]) > int64(least[1])) {
		e.wrong(e.passPC[p], Mistake{Code: "bad-area", Pass: d.name,
			Problem:     fmt.Sprintf("its render area is %d × %d at %d, %d", a[2], a[3], a[0], a[1]),
			Consequence: fmt.Sprintf("it must lie within %d × %d", least[0], least[1])})
	}
}

func (e *entry) validateUse(i int32) {
	u := &e.uses[i]
	d, r := &e.passes[u.pass], &e.resources[u.res]
	pc := e.usePC[i]
	if d.kind <= Transfer && verbs[u.verb].kinds>>d.kind&1 == 0 {
		e.wrong(pc, Mistake{Code: "verb-in-kind", Pass: d.name, Resource: r.name,
			Problem: fmt.Sprintf("%s in a %s pass", u.verb, d.kind), Consequence: "a pass of that kind cannot do this"})
	}
	if u.verb.shader() {
		if u.stage == 0 || u.stage&^allShaders != 0 {
			e.wrong(pc, Mistake{Code: "no-shader-stage", Pass: d.name, Resource: r.name,
				Problem: u.verb.String() + " without a shader stage", Consequence: "name the stages that do it, such as FragmentShader"})
		} else if d.kind == Compute && u.stage != ComputeShader {
			e.wrong(pc, Mistake{Code: "stage-in-kind", Pass: d.name, Resource: r.name,
				Problem: u.verb.String() + " in a graphics stage of a compute pass", Consequence: "only ComputeShader runs there"})
		}
	}
	if (u.verb == verbHostWriteBuffer || u.verb == verbHostReadBuffer) && r.origin == Transient {
		e.wrong(pc, Mistake{Code: "host-transient", Pass: d.name, Resource: r.name,
			Problem:     u.verb.String() + " of a buffer that was not imported",
			Consequence: "its memory is another's, or another frame's, while the host is at it; import one buffer for each frame in flight"})
	}
	if r.origin == LastFrame && u.write() {
		e.wrong(pc, Mistake{Code: "history-written", Pass: d.name, Resource: r.name,
			Problem: u.verb.String() + " of the last frame's value", Consequence: "it may only be read; write the other handle, this frame's"})
	}
	if r.kind != imageKind {
		return
	}
	if u.verb == verbResolve {
		e.validateResolve(i)
	}
	if s := u.span; (s.mips > 0 && int32(s.mip)+int32(s.mips) > max(r.mips, 1)) || (s.layers > 0 && int32(s.layer)+int32(s.layers) > max(r.layers, 1)) {
		e.wrong(pc, Mistake{Code: "outside-image", Pass: d.name, Resource: r.name,
			Problem:     fmt.Sprintf("%s of mip levels %d+%d, layers %d+%d", u.verb, s.mip, s.mips, s.layer, s.layers),
			Consequence: fmt.Sprintf("it has %d mip levels and %d layers", r.mips, r.layers)})
	}
	if r.format != FormatNone && u.misfits(r.format) {
		e.wrong(pc, Mistake{Code: "format-for-verb", Pass: d.name, Resource: r.name,
			Problem: fmt.Sprintf("%s of format %d", u.verb, r.format), Consequence: "a depth attachment needs a depth or stencil format, a colour attachment a colour format"})
	}
	if u.verb == verbPresent && r.origin != Imported {
		e.wrong(pc, Mistake{Code: "present-transient", Pass: d.name, Resource: r.name, Problem: "Present of an image that was not imported",
			Consequence: "only a swapchain image can be presented"})
	}
}

// misfits says whether the access attaches a depth format as a colour, or the other way round.
func (u *use) misfits(f Format) bool {
	switch u.verb {
	case verbDepthAttachment, verbDepthReadOnly:
		return !f.IsDepth()
	case verbColorAttachment, verbResolve:
		return f.IsDepth()
	}
	return false
}

func (e *entry) validateResolve(i int32) {
	u := &e.uses[i]
	to, from := &e.resources[u.res], &e.resources[u.of]
	a, b := e.extents[u.res], e.extents[u.of]
	mip := min(uint(u.span.mip), 31)
	if from.samples > 1 && to.samples == 1 && from.format == to.format && max(a[0]>>mip, 1) == b[0] && max(a[1]>>mip, 1) == b[1] {
		return
	}
	e.wrong(e.usePC[i], Mistake{Code: "resolve-target", Pass: e.passes[u.pass].name, Resource: to.name,
		Problem: fmt.Sprintf("Resolve of %q (%d × %d, %d samples, format %d) into %d × %d, %d samples, format %d", from.name, b[0], b[1], from.samples, from.format,
			a[0]>>mip, a[1]>>mip, to.samples, to.format),
		Consequence: "the source needs several samples, the target one, and both one format and size"})
}

// validatePair checks access i against the earlier ones of its pass to the same resource: nothing in a pass can wait for
// anything else in it.
func (e *entry) validatePair(p, i int32) {
	b := &e.uses[i]
	for j := e.passes[p].uses; j < i; j++ {
		a := &e.uses[j]
		if a.res != b.res || !e.overlap(a, b) {
			continue
		}
		r := &e.resources[b.res]
		m := Mistake{Pass: e.passes[p].name, Resource: r.name}
		switch {
		case a.verb.storage() && b.verb.storage():
			continue
		case !a.write() && !b.write() && a.layout == b.layout:
			continue
		case !a.write() && !b.write():
			m.Code, m.Problem = "two-layouts", fmt.Sprintf("%s and %s at once", a.verb, b.verb)
			m.Consequence = "the two need differing layouts; split the pass"
		case r.kind == hostKind:
			continue // a phase reads and writes in its own order
		case (a.verb.attachment() && b.verb == verbSample) || (b.verb.attachment() && a.verb == verbSample):
			m.Code, m.Problem = "attachment-sampled", "it is an attachment and is sampled at once"
			m.Consequence = "the texels read would be undefined; sample a copy, another mip level, or split the pass"
		default:
			m.Code, m.Problem = "conflicting-accesses", fmt.Sprintf("%s and %s at once", a.verb, b.verb)
			m.Consequence = "no barrier can stand inside a pass; split it"
		}
		e.wrong(e.usePC[i], m)
		return
	}
}

func (e *entry) overlap(a, b *use) bool {
	if a.span == (span{}) || b.span == (span{}) {
		return true
	}
	return meets(a.span.mip, a.span.mips, b.span.mip, b.span.mips) && meets(a.span.layer, a.span.layers, b.span.layer, b.span.layers)
}

// meets says whether two ranges share an element; a count of 0 means all.
func meets(a, an, b, bn uint16) bool {
	if an == 0 || bn == 0 {
		return true
	}
	return int(a) < int(b)+int(bn) && int(b) < int(a)+int(an)
}
