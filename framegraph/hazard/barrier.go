package hazard

import "github.com/bindpose/bindpose/framegraph"

// supported is the stages that barriers on a queue may name.
var supported = [3]framegraph.Stage{
	framegraph.GraphicsQueue: ^framegraph.Stage(0),
	framegraph.ComputeQueue:  framegraph.ComputeShader | framegraph.AllTransfer | framegraph.DrawIndirect | framegraph.HostStage | framegraph.AllCommands,
	framegraph.TransferQueue: framegraph.AllTransfer | framegraph.HostStage | framegraph.AllCommands,
}

// barrier is what all three kinds have in common.
type barrier struct {
	src, dst             framegraph.Stage
	srcAccess, dstAccess framegraph.Access
	behind               nodes // what the first scope holds
}

func (r *replay) scopeOf(src, dst framegraph.Stage, srcAccess, dstAccess framegraph.Access) barrier {
	if (src|dst)&^supported[r.queue] != 0 {
		r.wrong("", 0, "a barrier on the %s queue names a stage it lacks: %#x to %#x", framegraph.Queue(r.queue), uint64(src), uint64(dst))
	}
	b := barrier{src, dst, srcAccess, dstAccess, r.none()}
	stageBits(src, func(bit int) { b.behind.or(r.done[bit]) })
	return b
}

// batch replays one vkCmdPipelineBarrier2. Its barriers do not chain with each other.
func (r *replay) batch(step string, b *framegraph.Barriers) {
	var all []barrier
	var later []func()
	for _, m := range b.Memory {
		x := r.scopeOf(m.SrcStage, m.DstStage, m.SrcAccess, m.DstAccess)
		all = append(all, x)
		for i := range r.cells {
			for c := range r.cells[i] {
				later = append(later, r.flush(&r.cells[i][c], x))
			}
		}
	}
	for _, m := range b.Buffers {
		x := r.scopeOf(m.SrcStage, m.DstStage, m.SrcAccess, m.DstAccess)
		all = append(all, x)
		later = append(later, r.flush(&r.cells[m.Buffer][0], x))
	}
	for _, m := range b.Images {
		x := r.scopeOf(m.SrcStage, m.DstStage, m.SrcAccess, m.DstAccess)
		all = append(all, x)
		mips := r.plan.Resources[m.Image].Image.Mips
		for l := m.Layer; l < m.Layer+m.Layers; l++ {
			for i := m.Mip; i < m.Mip+m.Mips; i++ {
				k := &r.cells[m.Image][l*mips+i]
				if m.From != m.To {
					later = append(later, r.transfer(step, &m, k, x))
				} else if m.OldLayout == m.NewLayout {
					later = append(later, r.flush(k, x))
				} else {
					later = append(later, r.transition(step, m.Image, k, m.OldLayout, m.NewLayout, x))
				}
			}
		}
	}
	for i := range all {
		stageBits(all[i].dst, func(bit int) { r.ahead[bit].or(all[i].behind) })
	}
	for _, f := range later {
		f()
	}
}

// flush makes a cell's last write available and visible, as far as the barrier reaches it.
func (r *replay) flush(k *cell, b barrier) func() {
	if k.everyone {
		return func() {}
	}
	available := k.on(r.queue) || (k.writeStage&^b.src == 0 && covers(b.srcAccess, k.writes))
	if !available || !k.write.within(b.behind) || (b.srcAccess == 0 && b.dstAccess == 0) {
		return func() {}
	}
	return func() {
		k.available |= 1 << r.queue
		k.seen = append(k.seen, visible{b.dst, b.dstAccess, r.queue})
	}
}

func covers(mask, access framegraph.Access) bool {
	if mask&framegraph.AccessMemoryWrite != 0 {
		access &^= access.Writes()
	}
	return access&^mask == 0
}

// transfer releases a cell from one queue's family, or acquires it for another's. Both change the layout, once.
func (r *replay) transfer(step string, m *framegraph.ImageBarrier, k *cell, b barrier) func() {
	if r.queue == int(m.To) {
		if k.released == nil || k.released.OldLayout != m.OldLayout || k.released.NewLayout != m.NewLayout || k.released.From != m.From || k.released.To != m.To {
			r.wrong(step, m.Image, "the %s queue acquires it without a release that matches", m.To)
		}
		k.released = nil
		f := r.transition(step, m.Image, k, m.OldLayout, m.NewLayout, b)
		return func() { f(); k.owner = int(m.To) }
	}
	if r.queue != int(m.From) {
		r.wrong(step, m.Image, "a change from the %s to the %s queue stands on the %s queue", m.From, m.To, framegraph.Queue(r.queue))
	}
	if k.owner != int(m.From) {
		r.wrong(step, m.Image, "the %s queue releases it without owning it", m.From)
	}
	r.claim(step, m.Image, k, b.behind, &b)
	n := r.next
	r.next++
	copied := *m
	return func() {
		write := r.none()
		write.set(n)
		stageBits(b.src, func(bit int) { r.done[bit].set(n) })
		*k = cell{layout: k.layout, content: k.content, available: 1 << r.queue, scope: -1, write: write, reads: r.none(), owner: k.owner, released: &copied}
	}
}

// owns checks that the queue at hand may touch a cell.
func (r *replay) owns(step string, resource int, k *cell, discards bool) {
	a := &r.plan.Resources[resource]
	if a.Shared || a.Origin == framegraph.Host || a.Origin == framegraph.Imported && a.IsBuffer {
		return
	}
	if k.released != nil {
		r.wrong(step, resource, "it is used between its release and its acquire")
	}
	if k.owner != r.queue && !discards {
		r.wrong(step, resource, "the %s queue uses it, and it belongs to the %s queue", framegraph.Queue(r.queue), framegraph.Queue(k.owner))
	}
}

// transition changes a cell's layout, which reads and writes it.
func (r *replay) transition(step string, resource int, k *cell, old, now framegraph.Layout, b barrier) func() {
	if old != framegraph.LayoutUndefined && old != k.layout {
		r.wrong(step, resource, "a barrier from layout %d, but the image is in %d", old, k.layout)
	}
	r.claim(step, resource, k, b.behind, &b)
	n := r.next
	r.next++
	write := r.none()
	if b.dst != 0 {
		write.set(n)
	}
	return func() {
		content := k.content // as another barrier of the batch, on the same memory, may have left it
		if old == framegraph.LayoutUndefined {
			content = garbage
		}
		stageBits(b.dst, func(bit int) {
			r.ahead[bit].set(n)
			r.done[bit].set(n)
		})
		owner := k.owner
		if old == framegraph.LayoutUndefined {
			owner = r.queue
		}
		*k = cell{layout: now, content: content, available: 1 << r.queue, scope: -1, write: write, reads: r.none(), owner: owner,
			seen: []visible{{b.dst, b.dstAccess, r.queue}}}
	}
}

// claim checks that everything that happened to a cell, and to whatever else is in its memory, is behind.
func (r *replay) claim(step string, resource int, k *cell, behind nodes, b *barrier) {
	a := &r.plan.Resources[resource]
	r.settled(step, resource, resource, k, extent{a.Offset, a.Offset + a.Bytes}, behind, b)
	for _, o := range r.overlaps[resource] {
		x := &r.plan.Resources[o]
		taken := extent{max(a.Offset, x.Offset), min(a.Offset+a.Bytes, x.Offset+x.Bytes)}
		for c := range r.cells[o] {
			other := &r.cells[o][c]
			r.settled(step, resource, o, other, taken, behind, b)
			other.content, other.layout = garbage, framegraph.LayoutUndefined
			other.taken = append(other.taken[:len(other.taken):len(other.taken)], taken)
		}
	}
}

// settled checks that what a cell did to a part of its memory is behind. What somebody else has claimed since is theirs.
func (r *replay) settled(step string, resource, of int, k *cell, part extent, behind nodes, b *barrier) {
	name := r.plan.Resources[of].Name
	if !k.reads.within(behind) {
		r.wrong(step, resource, "it is overwritten while a read of %q may still run", name)
	}
	if !k.write.within(behind) {
		r.wrong(step, resource, "it is overwritten while a write of %q may still run", name)
	}
	if k.on(r.queue) || b != nil && k.writeStage&^b.src == 0 && covers(b.srcAccess, k.writes) || within(part, k.taken) {
		return
	}
	r.wrong(step, resource, "it is overwritten before a write of %q was made available", name)
}

// extent is a part of a heap.
type extent struct{ from, to uint64 }

// within says whether some extents together cover one.
func within(e extent, all []extent) bool {
	for e.from < e.to {
		grown := false
		for _, x := range all {
			if x.from <= e.from && e.from < x.to {
				e.from, grown = x.to, true
			}
		}
		if !grown {
			return false
		}
	}
	return len(all) > 0
}
