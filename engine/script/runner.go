package script

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// ID names a script that was added to a [Runner]; zero names none.
type ID uint64

// ErrNoScript is returned for an ID that was removed, or never was.
var ErrNoScript = errors.New("no such script")

// Failure is why a script was switched off.
type Failure struct {
	// Entity is the entity's name; Script the Lua file, or the Go type.
	Entity, Script string
	// Callback is "start", "update" or "contact".
	Callback string
	Err      error
}

func (f *Failure) Error() string {
	return fmt.Sprintf("entity %q: script %s: %s: %v", f.Entity, f.Script, f.Callback, f.Err)
}

func (f *Failure) Unwrap() error { return f.Err }

// Runner runs the scripts of a scene. It is for one goroutine at a time;
// scripts may add and remove scripts while they run.
type Runner struct {
	world   World
	report  func(*Failure)
	entries []*entry // ascending by id
	last    ID
	time    float64
	// running counts the calls of Update and Contact under way, during which
	// entries must keep their places.
	running int
	removed bool
}

type entry struct {
	id      ID
	ctx     Context
	script  any
	start   Starter
	update  Updater
	contact ContactHandler
	started bool
	removed bool
	failure *Failure
}

// NewRunner makes a runner of scripts that see world. report gets each failure,
// once; where it is nil, failures go to the world's log.
func NewRunner(world World, report func(*Failure)) *Runner {
	if report == nil {
		report = func(f *Failure) { world.Log(f.Entity, f.Error()) }
	}
	return &Runner{world: world, report: report}
}

// Add pairs an entity with a script: a [*Lua], or a value with some of the
// methods of [Starter], [Updater] and [ContactHandler]. One added while scripts
// run starts in the next Update.
func (r *Runner) Add(e Entity, script any) (ID, error) {
	if e == nil {
		return 0, errors.New("add script: the entity is nil")
	}
	n := &entry{id: r.last + 1, ctx: Context{Entity: e, world: r.world, time: &r.time}, script: script}
	n.start, _ = script.(Starter)
	n.update, _ = script.(Updater)
	n.contact, _ = script.(ContactHandler)
	if n.start == nil && n.update == nil && n.contact == nil {
		return 0, fmt.Errorf("add script to entity %q: %T has none of the methods Start(*script.Context) error, "+
			"Update(*script.Context, float32) error, Contact(*script.Context, script.Contact) error", e.Name(), script)
	}
	r.last++
	r.entries = append(r.entries, n)
	return n.id, nil
}

// Remove takes a script away; it is not run again.
func (r *Runner) Remove(id ID) error {
	n := r.find(id)
	if n == nil {
		return fmt.Errorf("remove script %d: %w", id, ErrNoScript)
	}
	n.removed, r.removed = true, true
	r.compact()
	return nil
}

// Len is the number of scripts, those switched off included.
func (r *Runner) Len() int {
	n := 0
	for _, e := range r.entries {
		if !e.removed {
			n++
		}
	}
	return n
}

// Failure returns why a script was switched off, or nil while it runs.
func (r *Runner) Failure(id ID) *Failure {
	if n := r.find(id); n != nil {
		return n.failure
	}
	return nil
}

// Update starts what was not started and updates every script; dt in seconds.
func (r *Runner) Update(dt float32) {
	r.time += float64(dt)
	r.running++
	for _, e := range r.entries {
		if e.failure != nil || e.removed {
			continue
		}
		if !e.started {
			e.started = true
			if e.start != nil {
				r.call(e, "start", 0, nil)
			}
		}
		if e.update != nil && e.failure == nil && !e.removed {
			r.call(e, "update", dt, nil)
		}
	}
	r.running--
	r.compact()
}

// Contact tells a script of a contact. One that takes none, was not started, was
// removed or switched off is passed over.
func (r *Runner) Contact(id ID, c Contact) {
	e := r.find(id)
	if e == nil || e.contact == nil || !e.started || e.failure != nil {
		return
	}
	r.running++
	r.call(e, "contact", 0, &c)
	r.running--
	r.compact()
}

// Reload gives a Lua script a new source, see [Lua.Reload], and switches it on
// again if it had failed. After an error all is as before.
func (r *Runner) Reload(id ID, source string) error {
	e := r.find(id)
	if e == nil {
		return fmt.Errorf("reload script %d: %w", id, ErrNoScript)
	}
	l, ok := e.script.(*Lua)
	if !ok {
		return fmt.Errorf("reload script of entity %q: %T is not Lua", e.ctx.Name(), e.script)
	}
	if err := l.Reload(source); err != nil {
		return fmt.Errorf("entity %q: reload: %w", e.ctx.Name(), err)
	}
	if e.failure != nil && e.failure.Callback == "start" {
		e.started = false
	}
	e.failure = nil
	return nil
}

// call runs one callback so that nothing it does gets past it.
func (r *Runner) call(e *entry, callback string, dt float32, c *Contact) {
	defer func() {
		if p := recover(); p != nil {
			r.fail(e, callback, fmt.Errorf("panic: %v (%s)", p, panicked()))
		}
	}()
	var err error
	switch callback {
	case "start":
		err = e.start.Start(&e.ctx)
	case "update":
		err = e.update.Update(&e.ctx, dt)
	case "contact":
		err = e.contact.Contact(&e.ctx, *c)
	}
	if err != nil {
		r.fail(e, callback, err)
	}
}

func (r *Runner) fail(e *entry, callback string, err error) {
	name := fmt.Sprintf("%T", e.script)
	if l, ok := e.script.(*Lua); ok {
		name = l.Name()
	}
	e.failure = &Failure{Entity: e.ctx.Name(), Script: name, Callback: callback, Err: err}
	r.report(e.failure)
}

// panicked names the file and line of the panic being recovered from: the first
// frame below the runtime's own.
func panicked() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	below := false
	for {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if below && !inRuntime {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		below = below || inRuntime
		if !more {
			return "unknown place"
		}
	}
}

func (r *Runner) find(id ID) *entry {
	i, ok := slices.BinarySearchFunc(r.entries, id, func(e *entry, id ID) int { return cmp.Compare(e.id, id) })
	if !ok || r.entries[i].removed {
		return nil
	}
	return r.entries[i]
}

// compact drops what was removed, once nothing runs over the entries.
func (r *Runner) compact() {
	if r.running > 0 || !r.removed {
		return
	}
	r.entries = slices.DeleteFunc(r.entries, func(e *entry) bool { return e.removed })
	r.removed = false
}
