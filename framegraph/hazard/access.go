package hazard

import "github.com/bindpose/bindpose/framegraph"

// phase replays what the host does before the frame is submitted.
func (r *replay) phase(s *framegraph.Step) {
	for _, d := range r.plan.Declared(s.Pass, nil) {
		k := &r.cells[d.Resource][0]
		if want := r.expect[s.Pass][key{d.Resource, 0}]; !d.Write && k.content != want {
			r.wrong(s.Name, d.Resource, "it reads what %s wrote instead of %s", r.writer(k.content), r.writer(want))
		}
	}
	for _, d := range r.plan.Declared(s.Pass, nil) {
		if d.Write {
			k := &r.cells[d.Resource][0]
			if r.plan.Resources[d.Resource].IsBuffer && k.content >= 0 && r.plan.PassKind(k.content) != framegraph.Phase {
				r.wrong(s.Name, d.Resource, "the host writes a buffer the device has written")
			}
			k.content, k.everyone, k.available = s.Pass, true, everywhere
		}
	}
}

// pass replays a pass's accesses: all reads first, for nothing inside a pass is ordered.
func (r *replay) pass(s *framegraph.Step) {
	list := r.plan.Declared(s.Pass, nil)
	made := map[int]int{}
	r.load(s, list)
	for i := range list {
		d := &list[i]
		r.each(d, func(c int) { r.access(s, d, c, made) })
	}
	for i := range list {
		d := &list[i]
		if d.Write {
			r.each(d, func(c int) { r.write(s, d, c, made) })
		}
	}
	if len(made) == 0 { // what it does is not told, but it takes its time
		for bit := range r.done {
			r.done[bit].set(r.next)
		}
		r.next++
	}
	for bit, n := range made {
		r.done[bit].set(n)
		r.done[bit].or(r.ahead[bit])
	}
}

func (r *replay) access(s *framegraph.Step, d *framegraph.Declared, c int, made map[int]int) {
	res := &r.plan.Resources[d.Resource]
	k := &r.cells[d.Resource][c]
	want := r.expect[s.Pass][key{d.Resource, c}]
	if res.Origin == framegraph.Host {
		if k.content != want {
			r.wrong(s.Name, d.Resource, "it reads what %s wrote instead of %s", r.writer(k.content), r.writer(want))
		}
		return
	}
	r.owns(s.Name, d.Resource, k, res.IsBuffer && want == garbage)
	if res.IsImage && k.layout != d.Layout {
		r.wrong(s.Name, d.Resource, "%s in layout %d, but the image is in %d", d.Verb, d.Layout, k.layout)
	}
	if !d.Discards && want != garbage && k.content != want {
		r.wrong(s.Name, d.Resource, "%s finds what %s wrote instead of %s", d.Verb, r.writer(k.content), r.writer(want))
	}
	sameScope := d.Attachment && k.scope >= 0 && k.scope == s.Scope
	reads := d.Access &^ d.Access.Writes()
	if r.starts(s, d) {
		reads = 0
	}
	if reads != 0 && !k.everyone && !sameScope && !r.sees(k, d.Stage, reads) {
		r.wrong(s.Name, d.Resource, "%s of a write that was not made visible to it", d.Verb)
	}
	if d.Stage == 0 && !k.on(r.queue) {
		r.wrong(s.Name, d.Resource, "%s of a write that was not made available", d.Verb)
	}
	all, _ := r.work(d.Stage, made)
	if !d.Write {
		k.reads.or(all)
	}
}

// sees says whether the last write is visible to every stage and access of a read.
func (r *replay) sees(k *cell, stage framegraph.Stage, access framegraph.Access) bool {
	ok := true
	stageBits(stage, func(bit int) {
		left := access
		for _, v := range k.seen {
			if v.queue != r.queue {
				continue
			}
			if v.stage>>bit&1 == 1 || v.stage&framegraph.AllCommands != 0 {
				left &^= v.access
			}
		}
		ok = ok && left == 0
	})
	return ok
}

func (r *replay) write(s *framegraph.Step, d *framegraph.Declared, c int, made map[int]int) {
	k := &r.cells[d.Resource][c]
	all, before := r.work(d.Stage, made)
	sameScope := d.Attachment && k.scope >= 0 && k.scope == s.Scope
	if !sameScope {
		own := r.none() // what this very pass does is its own affair
		for _, n := range made {
			own.set(n)
		}
		own.or(before)
		r.claim(s.Name, d.Resource, k, own, nil)
	}
	stage, writes := d.Stage, d.Access.Writes()
	if k.content == s.Pass && k.write.within(r.own(made)) { // several writes of one pass add up
		all.or(k.write)
		stage |= k.writeStage
		writes |= k.writes
	}
	scope := -1
	if d.Attachment {
		scope = s.Scope
	}
	reads := r.own(made) // the pass's own reads may outlast its write
	for i := range reads {
		reads[i] &= k.reads[i]
	}
	*k = cell{owner: r.queue, layout: k.layout, content: s.Pass, write: all, writeStage: stage, writes: writes, scope: scope, reads: reads}
}

func (r *replay) own(made map[int]int) nodes {
	n := r.none()
	for _, i := range made {
		n.set(i)
	}
	return n
}

func (r *replay) writer(content int) string {
	switch content {
	case garbage:
		return "nobody"
	case arrived:
		return "what arrived"
	}
	return "\"" + r.plan.PassName(content) + "\""
}

// load checks a scope's load operations against the declarations, where it begins.
func (r *replay) load(s *framegraph.Step, list []framegraph.Declared) {
	if s.Scope < 0 || !s.ScopeBegin {
		return
	}
	for i := range list {
		d := &list[i]
		if !d.Attachment || d.Resolve {
			continue
		}
		a := r.attachment(s, d.Resource)
		switch {
		case a == nil:
			r.wrong(s.Name, d.Resource, "it is no attachment of the scope")
		case d.Clears != (a.Load == framegraph.LoadClear):
			r.wrong(s.Name, d.Resource, "it is cleared in the plan or in the declaration, not in both")
		case !d.Discards && a.Load != framegraph.LoadKeep && !d.Clears:
			r.each(d, func(c int) {
				if r.expect[s.Pass][key{d.Resource, c}] != garbage {
					r.wrong(s.Name, d.Resource, "its contents are wanted and not loaded")
				}
			})
		}
	}
}

// starts says whether an attachment is not loaded: then nothing of what it held is read (Vulkan 1.3 §8.1, load operations).
func (r *replay) starts(s *framegraph.Step, d *framegraph.Declared) bool {
	if !d.Attachment || d.Resolve || s.Scope < 0 {
		return false
	}
	a := r.attachment(s, d.Resource)
	return a != nil && a.Load != framegraph.LoadKeep
}

func (r *replay) attachment(s *framegraph.Step, resource int) *framegraph.Attachment {
	scope := &r.plan.Scopes[s.Scope]
	for i := range scope.Color {
		if scope.Color[i].Image == resource {
			return &scope.Color[i]
		}
	}
	if scope.Depth.Image == resource {
		return &scope.Depth
	}
	return nil
}

// store loses what a scope does not store.
func (r *replay) store(s *framegraph.Step) {
	for _, d := range r.plan.Declared(s.Pass, nil) {
		if d.Resolve {
			if a := r.attachment(s, d.ResolveOf); a == nil || !a.Resolve.On || a.Resolve.Image != d.Resource || a.Resolve.Mip != d.Mip || a.Resolve.Layer != d.Layer {
				r.wrong(s.Name, d.Resource, "it is not resolved to")
			}
		}
		if !d.Attachment || d.Resolve {
			continue
		}
		if a := r.attachment(s, d.Resource); a != nil && a.Store == framegraph.StoreDontCare {
			r.each(&d, func(c int) { r.cells[d.Resource][c].content = garbage })
		}
	}
}
