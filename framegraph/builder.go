package framegraph

import (
	"fmt"
	"path/filepath"
)

// Builder declares what one phase or pass does. It is valid only inside the declare closure it was given to.
//
// Every verb returns a handle. A reading verb returns the handle it was given; a writing verb returns the new version,
// and the old handle is stale from then on. Reading and writing an older version within the same pass is fine where the
// ranges do not overlap (a mip chain), or where both are storage accesses. A verb that cannot be done records a mistake,
// which Compile reports, and returns the handle unchanged.
type Builder struct {
	g    *Graph
	pass int32
}

// Sample reads an image through a sampler or as a texel fetch, in the given shader stages.
func (b *Builder) Sample(i Image, s Stage) Image { return b.image(i, verbSample, s, Op{}) }

// StorageRead reads a storage buffer.
func (b *Builder) StorageRead(h Buffer, s Stage) Buffer { return b.buffer(h, verbStorageRead, s) }

// StorageReadImage reads a storage image.
func (b *Builder) StorageReadImage(i Image, s Stage) Image {
	return b.image(i, verbStorageReadImage, s, Op{})
}

// StorageWrite writes a storage buffer. What it does not write keeps its contents, so earlier writers are needed too.
// A pass that also reads what it finds there declares StorageRead as well.
func (b *Builder) StorageWrite(h Buffer, s Stage) Buffer { return b.buffer(h, verbStorageWrite, s) }

// StorageWriteImage writes a storage image, as StorageWrite does a buffer.
func (b *Builder) StorageWriteImage(i Image, s Stage) Image {
	return b.image(i, verbStorageWriteImage, s, Op{})
}

// UniformRead reads a uniform buffer.
func (b *Builder) UniformRead(h Buffer, s Stage) Buffer { return b.buffer(h, verbUniformRead, s) }

// VertexRead reads vertex attributes.
func (b *Builder) VertexRead(h Buffer) Buffer { return b.buffer(h, verbVertexRead, 0) }

// IndexRead reads indices.
func (b *Builder) IndexRead(h Buffer) Buffer { return b.buffer(h, verbIndexRead, 0) }

// IndirectRead reads the parameters of indirect draws or dispatches.
func (b *Builder) IndirectRead(h Buffer) Buffer { return b.buffer(h, verbIndirectRead, 0) }

// ColorAttachment draws into an image. The order of the calls is the order of the fragment shader's outputs. Store
// operations are inferred: what nobody reads later is not stored.
func (b *Builder) ColorAttachment(i Image, op Op) Image {
	return b.image(i, verbColorAttachment, 0, op)
}

// DepthAttachment tests against and writes a depth or stencil image.
func (b *Builder) DepthAttachment(i Image, op Op) Image {
	return b.image(i, verbDepthAttachment, 0, op)
}

// DepthReadOnly tests against a depth or stencil image and writes nothing. The same pass may Sample it too.
func (b *Builder) DepthReadOnly(i Image) Image { return b.image(i, verbDepthReadOnly, 0, Op{}) }

// Resolve combines the samples of from, a colour attachment of this pass, into to, an image of the same format and size
// with one sample a texel, when the pass ends: averaged, or for integer formats the first one. All of to is overwritten.
// Where no later pass reads from, its samples are never stored.
func (b *Builder) Resolve(from, to Image) Image {
	if !b.open("Resolve") || !b.admit(to.index, to.version, to.frame, imageKind, verbResolve) {
		return to
	}
	g := b.g
	source := int32(-1)
	for i := len(g.declared.uses) - 1; i >= int(g.declared.passes[b.pass].uses); i-- {
		if u := &g.declared.uses[i]; from.frame == g.frame && u.res == from.index-1 && u.verb == verbColorAttachment {
			source = u.res
			break
		}
	}
	if source < 0 {
		g.mistake(g.caller(3), Mistake{Code: "resolve-source", Pass: b.name(), Resource: g.nameOf(int(to.index) - 1),
			Problem: "Resolve from an image that is no colour attachment of the pass", Consequence: "there is nothing to resolve; call ColorAttachment with it first"})
		return to
	}
	v := &verbs[verbResolve]
	u := use{res: to.index - 1, pass: b.pass, verb: verbResolve, op: DontCare.op(), span: to.span, stage: v.fixed, access: v.access, layout: v.layout, of: source}
	b.resolved(u)
	to.version = b.bump(u.res)
	return to
}

// resolved keeps add as many frames from the user's line as the other verbs do.
func (b *Builder) resolved(u use) { b.add(u, Clear4{}) }

// TransferRead is a buffer that copies read from.
func (b *Builder) TransferRead(h Buffer) Buffer { return b.buffer(h, verbTransferRead, 0) }

// TransferReadImage is an image that copies or blits read from.
func (b *Builder) TransferReadImage(i Image) Image {
	return b.image(i, verbTransferReadImage, 0, Op{})
}

// TransferWrite is a buffer that copies or fills write to. What they do not write keeps its contents.
func (b *Builder) TransferWrite(h Buffer) Buffer { return b.buffer(h, verbTransferWrite, 0) }

// TransferWriteImage is an image that copies, clears or blits write to. What they do not write keeps its contents.
func (b *Builder) TransferWriteImage(i Image) Image {
	return b.image(i, verbTransferWriteImage, 0, Op{})
}

// HostRead is a CPU resource that a phase's work, or a pass's Record, reads.
func (b *Builder) HostRead(h CPU) CPU { return b.host(h, verbHostRead) }

// HostWrite is a CPU resource that a phase writes.
func (b *Builder) HostWrite(h CPU) CPU { return b.host(h, verbHostWrite) }

// HostReadBuffer makes an imported buffer's contents visible to the host once the frame's fence has passed. It belongs in a pass,
// which is then never culled: a phase of the same frame cannot wait for the device.
func (b *Builder) HostReadBuffer(h Buffer) Buffer { return b.buffer(h, verbHostReadBuffer, 0) }

// HostWriteBuffer is an imported, mapped buffer that a phase fills before the frame is submitted. The submit makes it visible, so
// it costs no barrier; the buffer must not be in use by an earlier frame.
func (b *Builder) HostWriteBuffer(h Buffer) Buffer { return b.buffer(h, verbHostWriteBuffer, 0) }

// Present hands an imported swapchain image over for presenting. The pass is never culled.
func (b *Builder) Present(i Image) Image { return b.image(i, verbPresent, 0, Op{}) }

// SideEffect keeps the pass, and what it needs, even where nobody reads its results.
func (b *Builder) SideEffect() {
	if b.open("SideEffect") {
		b.g.declared.passes[b.pass].side = true
	}
}

// Async lets a compute or transfer pass run on a queue beside the graphics queue, where the device has one and the pass
// uses nothing but transients, shared buffers and CPU resources. It changes when the pass runs, never its result.
func (b *Builder) Async() {
	if b.open("Async") {
		b.g.declared.passes[b.pass].async = true
	}
}

// After orders the pass behind the named one, which may be declared later. A named pass that was culled orders nothing.
func (b *Builder) After(pass string) {
	if b.open("After") {
		b.after(after{name: pass, pass: -1})
	}
}

// AfterPass orders the pass behind p.
func (b *Builder) AfterPass(p Pass) {
	if !b.open("AfterPass") {
		return
	}
	if p.frame != b.g.frame || p.index <= 0 || int(p.index) > len(b.g.declared.passes) {
		b.g.mistake(b.g.caller(3), Mistake{Code: "unknown-pass", Pass: b.name(),
			Problem: "AfterPass was given a pass that this frame did not declare", Consequence: "it orders nothing"})
		return
	}
	b.after(after{pass: p.index - 1})
}

func (b *Builder) after(a after) {
	g := b.g
	i := len(g.declared.afters)
	if !(g.same && i < len(g.latest.afters) && g.latest.afters[i] == a) {
		g.same = false
	}
	g.declared.afters = append(g.declared.afters, a)
}

// RenderArea limits drawing, and clears, to a rectangle in texels of the attachments' mip level. Without it the area is
// the whole of the smallest attachment.
func (b *Builder) RenderArea(x, y, width, height int) {
	if b.open("RenderArea") {
		p := &b.g.declared.passes[b.pass]
		p.hasArea, p.area = true, [4]int32{clamp32(x), clamp32(y), clamp32(width), clamp32(height)}
	}
}

func (b *Builder) name() string { return b.g.declared.passes[b.pass].name }

// open says whether b may still declare; the user's line is two frames up.
func (b *Builder) open(what string) bool {
	if b.g != nil && b.pass >= 0 && b.g.inPass == b.pass {
		return true
	}
	if b.g != nil {
		b.g.mistake(b.g.caller(4), Mistake{Code: "builder-outside", Problem: what + " was called outside a pass's declaration",
			Consequence: "it is left out; a Builder is valid only inside the closure it was given to"})
	}
	return false
}

func (b *Builder) image(i Image, v verb, s Stage, op Op) Image {
	if !b.open(v.String()) {
		return i
	}
	if !b.admit(i.index, i.version, i.frame, imageKind, v) {
		return i
	}
	u := use{res: i.index - 1, pass: b.pass, verb: v, op: uint8(op.kind), span: i.span, stage: verbs[v].fixed | s,
		access: verbs[v].access, layout: verbs[v].layout}
	b.add(u, op.value)
	if u.write() {
		i.version = b.bump(u.res)
	}
	return i
}

func (b *Builder) buffer(h Buffer, v verb, s Stage) Buffer {
	if !b.open(v.String()) {
		return h
	}
	if !b.admit(h.index, h.version, h.frame, bufferKind, v) {
		return h
	}
	u := use{res: h.index - 1, pass: b.pass, verb: v, stage: verbs[v].fixed | s, access: verbs[v].access}
	b.add(u, Clear4{})
	if u.write() {
		h.version = b.bump(u.res)
	}
	return h
}

func (b *Builder) host(h CPU, v verb) CPU {
	if !b.open(v.String()) {
		return h
	}
	if !b.admit(h.index, h.version, h.frame, hostKind, v) {
		return h
	}
	u := use{res: h.index - 1, pass: b.pass, verb: v, stage: verbs[v].fixed, access: verbs[v].access}
	b.add(u, Clear4{})
	if u.write() {
		h.version = b.bump(u.res)
	}
	return h
}

// admit says whether a handle may be used now, and records the mistake where it may not.
func (b *Builder) admit(index int32, version, frame uint32, kind resourceKind, v verb) bool {
	g := b.g
	i := int(index) - 1
	switch {
	case index == 0:
		g.mistake(g.caller(5), Mistake{Code: "zero-handle", Pass: b.name(), Problem: v.String() + " was given the zero handle",
			Consequence: "the access is left out; the handle was never set, or was set after this pass was declared"})
		return false
	case frame != g.frame || i < 0 || i >= len(g.current) || g.declared.resources[i].kind != kind:
		g.mistake(g.caller(5), Mistake{Code: "foreign-handle", Pass: b.name(), Resource: g.nameOf(i),
			Problem:     v.String() + " was given a handle from another frame or another graph",
			Consequence: "the access is left out; declare the resource again after Reset"})
		return false
	}
	c := &g.current[i]
	if version == c.version || (c.writePass == b.pass && version >= c.start && version < c.version) {
		return true
	}
	writer := "no pass"
	if c.writePass >= 0 {
		writer = fmt.Sprintf("pass %q%s", g.declared.passes[c.writePass].name, g.writePlace(c.writePass, int32(i)))
	}
	m := Mistake{Code: "stale-handle", Pass: b.name(), Resource: g.declared.resources[i].name,
		Problem:     fmt.Sprintf("%s of version %d, but %s has written version %d", v, version, writer, c.version),
		Consequence: "it would not see that write; use the handle the write returned, which has to be kept where this pass finds it"}
	if verbs[v].access.Writes() != 0 {
		m.Code = "unordered-writers"
		m.Problem = fmt.Sprintf("%s over version %d, which %s has already written over", v, version, writer)
		m.Consequence = "two writers have no order between them; write to the handle the other one returned, which has to be kept where this pass finds it"
	}
	g.mistake(g.caller(5), m)
	return false
}

// writePlace is where a pass last declared that it writes a resource, as " (file:line)".
func (g *Graph) writePlace(pass, res int32) string {
	d := &g.declared
	for i := len(d.uses) - 1; i >= 0; i-- {
		if u := &d.uses[i]; u.pass == pass && u.res == res && u.write() {
			file, line := place(d.usePC[i])
			return fmt.Sprintf(" (%s:%d)", filepath.Base(file), line)
		}
	}
	return ""
}

// bump makes a new version of a resource, written by the current pass.
func (b *Builder) bump(res int32) uint32 {
	c := &b.g.current[res]
	if c.writePass != b.pass {
		c.start, c.writePass = c.version, b.pass
	}
	c.version++
	return c.version
}

// add appends u; the user's line is three frames up.
func (b *Builder) add(u use, clear Clear4) {
	g := b.g
	d := &g.declared
	i := len(d.uses)
	var pc uintptr
	if g.same && i < len(g.latest.uses) && g.latest.uses[i] == u {
		pc = g.latest.usePC[i]
	} else {
		g.same = false
		pc = g.caller(5)
	}
	d.spanned = d.spanned || u.span != (span{})
	d.uses = append(d.uses, u)
	d.usePC = append(d.usePC, pc)
	g.clears = append(g.clears, clear)
}

func (g *Graph) nameOf(resource int) string {
	if resource < 0 || resource >= len(g.declared.resources) {
		return ""
	}
	return g.declared.resources[resource].name
}
