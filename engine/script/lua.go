package script

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/bindpose/bindpose/internal/ordinary"
)

const (
	// DefaultBudget is how many instructions a Lua callback may take: some
	// 30 ms, far beyond what a frame can spare.
	DefaultBudget = 1_000_000
	// MaxSource is the greatest length of a Lua source, bytes. The parser's
	// recursion, and so its stack, grows with the source.
	MaxSource = 128 << 10
)

// ErrBudget is found in the error of a Lua callback that took too long.
var ErrBudget = errors.New("instruction budget exhausted (an endless loop?)")

// Program is a compiled Lua source. It never changes, and any number of
// entities may run it.
type Program struct {
	name  string
	proto *lua.FunctionProto
}

// CompileLua compiles a source; name stands for it in errors. The error of a
// wrong source begins with the name and the line: "door.lua:3: …".
func CompileLua(name, source string) (p *Program, err error) {
	if len(source) > MaxSource {
		return nil, fmt.Errorf("%s: %d bytes of Lua: at most %d are allowed", name, len(source), MaxSource)
	}
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("%s: the Lua compiler failed: %v", name, r)
		}
	}()
	chunk, err := parse.Parse(strings.NewReader(source), name)
	if err != nil {
		return nil, located(name, source, err)
	}
	if deeper(reflect.ValueOf(chunk), maxNesting) {
		return nil, fmt.Errorf("%s: statements or expressions are nested more than %d deep", name, maxNesting)
	}
	proto, err := lua.Compile(chunk, name)
	if err != nil {
		return nil, located(name, source, err)
	}
	return &Program{name: name, proto: proto}, nil
}

// maxNesting bounds the depth of a syntax tree: the compiler takes time in
// proportion to its square, and stack to itself.
const maxNesting = 1000

// deeper reports whether a syntax tree has nodes more than depth levels down.
func deeper(v reflect.Value, depth int) bool {
	switch v.Kind() {
	case reflect.Interface:
		return deeper(v.Elem(), depth)
	case reflect.Pointer:
		return !v.IsNil() && (depth == 0 || deeper(v.Elem(), depth-1))
	case reflect.Struct:
		for i := range v.NumField() {
			if deeper(v.Field(i), depth) {
				return true
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if deeper(v.Index(i), depth) {
				return true
			}
		}
	}
	return false
}

// located puts the name and the line first in an error of gopher-lua.
func located(name, source string, err error) error {
	var syntax *parse.Error
	var fault *lua.CompileError
	switch {
	case errors.As(err, &syntax) && syntax.Pos.Line == parse.EOF:
		last := strings.Count(strings.TrimRight(source, "\n"), "\n") + 1
		return fmt.Errorf("%s:%d: %s at the end of the file", name, last, syntax.Message)
	case errors.As(err, &syntax):
		return fmt.Errorf("%s:%d: %s near %q", name, syntax.Pos.Line, syntax.Message, syntax.Token)
	case errors.As(err, &fault) && fault.Line > 0:
		return fmt.Errorf("%s:%d: %s", name, fault.Line, fault.Message)
	case errors.As(err, &fault):
		return fmt.Errorf("%s: %s", name, fault.Message)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// CompileLuaFile compiles a file, named by its base name in errors.
func CompileLuaFile(path string) (*Program, error) {
	source, err := ordinary.ReadFile(path, MaxSource)
	switch {
	case errors.Is(err, ordinary.ErrSize), errors.Is(err, ordinary.ErrKind):
		return nil, fmt.Errorf("load Lua: %s: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("load Lua: %w", err)
	}
	return CompileLua(filepath.Base(path), string(source))
}

// Name is the name the program was compiled under.
func (p *Program) Name() string { return p.name }

// New makes a script that runs the program for one entity.
func (p *Program) New() *Lua { return &Lua{program: p, Budget: DefaultBudget} }

// Lua is a Lua script of one entity: put it among scene.Entity's Scripts, or give
// it to [Runner.Add]. It has an
// interpreter of its own, from its start on.
type Lua struct {
	// Budget is how many instructions each callback may take.
	Budget int

	program  *Program
	state    *lua.LState
	ctx      *Context
	left     budget
	wrapped  map[Entity]*lua.LUserData
	entities *lua.LTable // metatable of the userdata that stand for entities
}

// LoadLua compiles a source for one entity; for several use [CompileLua].
func LoadLua(name, source string) (*Lua, error) {
	p, err := CompileLua(name, source)
	if err != nil {
		return nil, err
	}
	return p.New(), nil
}

// LoadLuaFile compiles a file for one entity.
func LoadLuaFile(path string) (*Lua, error) {
	p, err := CompileLuaFile(path)
	if err != nil {
		return nil, err
	}
	return p.New(), nil
}

// Name is the name the script was compiled under.
func (l *Lua) Name() string { return l.program.name }

// Start runs the file itself, then its function start.
func (l *Lua) Start(ctx *Context) error {
	if l.ctx != nil {
		return fmt.Errorf("%s already runs for entity %q: an entity needs its own, from Program.New", l.Name(), l.ctx.Name())
	}
	l.ctx = ctx
	l.open()
	err := l.run(l.state.NewFunctionFromProto(l.program.proto))
	if err == nil {
		err = l.callback("start")
	}
	if err != nil {
		l.state, l.ctx = nil, nil // so that a repaired script can start anew
	}
	return err
}

// Update calls the function update with dt, seconds.
func (l *Lua) Update(_ *Context, dt float32) error {
	return l.callback("update", lua.LNumber(dt))
}

// Contact calls the function contact with the other entity (or nil), the
// impulse and the phase.
func (l *Lua) Contact(_ *Context, c Contact) error {
	if l.state == nil {
		return nil
	}
	var other lua.LValue = lua.LNil
	if c.Other != nil {
		other = l.wrap(c.Other)
	}
	return l.callback("contact", other, lua.LNumber(c.Impulse), lua.LString(c.Phase.String()))
}

// Reload replaces the source of a script, also while it runs. The new file runs
// in the old one's globals, which keep their values unless it sets them anew
// (count = count or 0); start is not called again. Where the new source does not
// compile, or running it fails, the old one stays as it was.
func (l *Lua) Reload(source string) error {
	p, err := CompileLua(l.Name(), source)
	if err != nil {
		return err
	}
	if l.state == nil {
		l.program = p
		return nil
	}
	globals := l.state.G.Global
	before := map[lua.LValue]lua.LValue{}
	globals.ForEach(func(k, v lua.LValue) { before[k] = v })
	for _, name := range [...]string{"start", "update", "contact"} {
		globals.RawSetString(name, lua.LNil)
	}
	if err := l.run(l.state.NewFunctionFromProto(p.proto)); err != nil {
		var added []lua.LValue
		globals.ForEach(func(k, _ lua.LValue) { added = append(added, k) })
		for _, k := range added {
			globals.RawSet(k, lua.LNil)
		}
		for k, v := range before {
			globals.RawSet(k, v)
		}
		return err
	}
	l.program = p
	return nil
}

// callback calls a global function, if the file defines it.
func (l *Lua) callback(name string, args ...lua.LValue) error {
	if l.state == nil {
		return nil
	}
	f, ok := l.state.G.Global.RawGetString(name).(*lua.LFunction)
	if !ok {
		return nil
	}
	return l.run(f, args...)
}

// run calls a function within the budget.
func (l *Lua) run(f *lua.LFunction, args ...lua.LValue) error {
	l.left.instructions = l.Budget
	l.state.Push(f)
	for _, a := range args {
		l.state.Push(a)
	}
	err := l.state.PCall(len(args), 0, nil)
	if err == nil {
		return nil
	}
	message := err.Error()
	var fault *lua.ApiError
	if errors.As(err, &fault) && fault.Object != nil {
		message = fault.Object.String()
	}
	if !strings.HasPrefix(message, l.Name()+":") {
		message = l.Name() + ": " + message
	}
	if l.left.instructions < 0 {
		return fmt.Errorf("%s%w", strings.TrimSuffix(message, ErrBudget.Error()), ErrBudget)
	}
	return errors.New(message)
}

// budget stops the interpreter by instructions rather than by the clock, so
// that a script fails at the same place on any machine: the interpreter asks its
// context before every instruction whether it is done.
type budget struct{ instructions int }

var done = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (b *budget) Done() <-chan struct{} {
	b.instructions--
	if b.instructions < 0 {
		return done
	}
	return nil
}

func (b *budget) Err() error {
	if b.instructions < 0 {
		return ErrBudget
	}
	return nil
}

func (b *budget) Deadline() (time.Time, bool) { return time.Time{}, false }
func (b *budget) Value(any) any               { return nil }

var _ context.Context = (*budget)(nil)

// number reads an argument as a finite float32.
func number(s *lua.LState, arg int) float32 {
	x := float32(s.CheckNumber(arg))
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		s.ArgError(arg, "must be finite")
	}
	return x
}
