package script

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

func load(t testing.TB, source string) *Lua {
	t.Helper()
	l, err := LoadLua("test.lua", source)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// say runs a source on an entity for one frame and returns the log and the
// failures.
func say(t testing.TB, source string) (log, failures []string) {
	t.Helper()
	r := newRig()
	r.stage.entity("other").position = mgl32.Vec3{0, 3, 4}
	r.add(t, r.stage.entity("me"), load(t, source))
	r.Update(0.5)
	return r.stage.log, r.failures
}

func TestLuaCallbacks(t *testing.T) {
	r := newRig()
	wall := r.stage.entity("wall")
	id := r.add(t, r.stage.entity("me"), load(t, `
		log("file")
		function start() log("start") end
		function update(dt) log("update", dt, time()) end
		function contact(other, impulse, phase) log("contact", other and other:name(), impulse, phase) end`))
	r.Update(0.5)
	r.Update(0.25)
	r.Contact(id, Contact{Other: wall, Impulse: 2})
	r.Contact(id, Contact{Impulse: 3, Phase: ContactEnd})
	want := []string{"me: file", "me: start", "me: update 0.5 0.5", "me: update 0.25 0.75", "me: contact wall 2 begin", "me: contact nil 3 end"}
	if !slices.Equal(r.stage.log, want) || len(r.failures) > 0 {
		t.Errorf("log %q, want %q; failures %q", r.stage.log, want, r.failures)
	}
}

func TestLuaEntity(t *testing.T) {
	r := newRig()
	me := r.stage.entity("me")
	me.rigid = true
	r.stage.entity("other").position = mgl32.Vec3{1, 5, 8}
	r.add(t, me, load(t, `
		local x, y, z = entity:position()
		entity:set_position(x + 1, y + 2, z + 4)
		assert(entity:distance("other") == 5)
		local other = find("other")
		assert(entity:distance(other) == 5 and other:name() == "other")
		assert(find("nobody") == nil and entity:distance("nobody") == nil)
		assert(find("me") == entity and other ~= entity)
		assert(tostring(other) == "entity other")
		local qx, qy, qz, qw = entity:rotation()
		assert(qx == 0 and qy == 0 and qz == 0 and qw == 1)
		entity:set_yaw(math.pi)
		local sx, sy, sz = entity:scale()
		entity:set_scale(2 * sx, sy, sz)
		entity:set_velocity(1, 2, 3)
		entity:apply_impulse(0, 7, 0)
		entity:play_clip("walk", 0.25)
		entity:set_clip_speed(1.5)
		entity:set_param("speed", 2.5)
		entity:set_param("armed", true)
		entity:set_param("tired", false)
		entity:fire("halt")
		assert(not pcall(entity.set_param, entity, "missing", 1))
		assert(not pcall(entity.set_param, entity, "speed", "fast"))
		other:set_rotation(0, 0, 2, 0)`))
	r.Update(0)
	if len(r.failures) > 0 {
		t.Fatal(r.failures)
	}
	if me.position != (mgl32.Vec3{1, 2, 4}) || me.scale[0] != 2 || me.velocity != (mgl32.Vec3{1, 2, 3}) ||
		me.impulse != (mgl32.Vec3{0, 7, 0}) || me.clip != "walk" || me.fade != 0.25 || me.speed != 1.5 {
		t.Errorf("the entity is now %+v", me)
	}
	if want := []string{"speed 2.5", "armed 1", "tired 0", "halt 1"}; !slices.Equal(me.params, want) {
		t.Errorf("its parameters were set to %q, want %q", me.params, want)
	}
	if math.Abs(float64(me.rotation.V[1])-1) > 1e-6 {
		t.Errorf("its rotation is %v", me.rotation)
	}
	if q := r.stage.entities[1].rotation; q != mgl32.QuatXYZW(0, 0, 1, 0) {
		t.Errorf("the other's rotation is %v", q)
	}
}

// What goes wrong names the entity, the file and the line, once.
func TestLuaFailures(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"in the file", "local a\n\nprint(a.b)", "start: test.lua:3: attempt to index"},
		{"in start", "function start()\n error('boom') end", "start: test.lua:2: boom"},
		{"in update", "function update(dt)\n\n  nothing(dt)\nend", "update: test.lua:3: attempt to call"},
		{"without a place", "error('boom', 0)", "start: test.lua: boom"},
		{"not a string", "error({})", "start: test.lua: table"},
		{"of the scene", "\nentity:set_velocity(1, 2, 3)", "test.lua:2: set_velocity: no dynamic body"},
		{"missing clip", "entity:play_clip('missing')", `test.lua:1: play_clip: no clip "missing"`},
		{"not a number", "entity:set_position('x', 1, 2)", "test.lua:1: bad argument #2 to set_position"},
		{"not finite", "entity:set_position(1, 0/0, 2)", "must be finite"},
		{"infinite", "entity:set_position(1, math.huge, 2)", "must be finite"},
		{"beyond float32", "entity:set_position(1, 1e300, 2)", "must be finite"},
		{"no length", "entity:set_rotation(0, 0, 0, 0)", "no length"},
		{"dot for colon", "entity.position()", "call methods with a colon"},
		{"stack overflow", "function f() return 1 + f() end f()", "stack overflow"},
		{"tables without end", "local t = {} for i = 1, 1e5 do t[i] = i end unpack(t)", "registry overflow"},
		{"deep metatables", "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end print(t.x)", "stack overflow"},
		{"endless loop", "while true do end", "test.lua:1: instruction budget exhausted"},
		{"endless loop in update", "function update()\nwhile true do end end", "update: test.lua:2: instruction budget exhausted"},
		{"endless loop under pcall", "while true do pcall(function() while true do end end) end", "instruction budget exhausted"},
		{"endless recursion of tails", "local function f() return f() end f()", "instruction budget exhausted"},
		{"huge string", "string.rep('x', 1e9)", "resulting string too large"},
		{"huge string method", "('xy'):rep(2^62)", "resulting string too large"},
		{"empty interval", "math.random(0)", "interval is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, failures := say(t, c.source)
			if len(failures) != 1 || !strings.Contains(failures[0], c.want) || !strings.HasPrefix(failures[0], `entity "me": script test.lua: `) {
				t.Errorf("failures %q, want %q", failures, c.want)
			}
		})
	}
}

func TestLuaBudget(t *testing.T) {
	r := newRig()
	l := load(t, "function update() for i = 1, 1000 do end end")
	id := r.add(t, r.stage.entity("me"), l)
	for range 2000 { // the budget is that of a callback, not of a life
		r.Update(0)
	}
	if f := r.Failure(id); f != nil {
		t.Fatal(f)
	}
	l.Budget = 100
	r.Update(0)
	if f := r.Failure(id); f == nil || !errors.Is(f, ErrBudget) {
		t.Errorf("failure %v, want ErrBudget", f)
	}
}

func TestLuaSandbox(t *testing.T) {
	for _, name := range []string{
		"os", "io", "debug", "package", "coroutine", "channel", "dofile", "loadfile", "load", "loadstring", "require", "module",
		"getfenv", "setfenv", "collectgarbage", "newproxy", "_printregs", "string.dump", "getmetatable(entity)",
	} {
		log, failures := say(t, "log(not "+name+")")
		if len(failures) > 0 || !slices.Equal(log, []string{"me: true"}) {
			t.Errorf("%s can be reached: %q %q", name, log, failures)
		}
	}
	// Two scripts share neither globals nor libraries.
	r := newRig()
	r.add(t, r.stage.entity("a"), load(t, "x = 1 math.pi = 3 string.upper = nil getmetatable('').__index = {}"))
	r.add(t, r.stage.entity("b"), load(t, "log(x, math.pi > 3.1, ('a'):upper())"))
	r.Update(0)
	if !slices.Equal(r.stage.log, []string{"b: nil true A"}) || len(r.failures) > 0 {
		t.Errorf("log %q, failures %q", r.stage.log, r.failures)
	}
}

func TestLuaRandomRepeats(t *testing.T) {
	const source = "log(math.random(), math.random(6), math.random(-5, 5)) for i = 1, 1000 do local r = math.random(3) assert(r >= 1 and r <= 3) end"
	a, failures := say(t, source)
	b, _ := say(t, source)
	if len(a) != 1 || !slices.Equal(a, b) || len(failures) > 0 {
		t.Errorf("two runs say %q and %q, failures %q", a, b, failures)
	}
}

func TestLuaSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"local x =\n\n = 3", "test.lua:3: "},
		{"function update(\n", "test.lua:1: "},
		{"x = 'abc", "test.lua:1: "},
		{"goto nowhere", "no visible label"},
		{"\nbreak", "test.lua:"},
		{"x = \x00", "test.lua:1: "},
		{strings.Repeat("x", MaxSource+1), "at most"},
		{"local a" + strings.Repeat(",a", 300) + " = 1", "test.lua:"},
	} {
		_, err := LoadLua("test.lua", c.source)
		if err == nil || !strings.HasPrefix(err.Error(), "test.lua:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %q", c.source, err, c.want)
		}
	}
}

// The longest sources of the deepest nesting end in an error or a program, not
// in an exhausted stack.
func TestLuaDeepSource(t *testing.T) {
	for _, s := range []string{"(", "{", "#", "not ", "a..", "a^", "function() return ", "do ", "if a then ", "a[", "a{"} {
		n := (MaxSource - 16) / len(s)
		if _, err := LoadLua("deep.lua", "x = "+strings.Repeat(s, n)+"a"); err != nil && len(err.Error()) > 500 {
			t.Errorf("%q: an error of %d bytes", s, len(err.Error()))
		}
	}
}

func TestLuaFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "door.lua")
	if _, err := LoadLuaFile(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte("function update() end\nx = = 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadLuaFile(path); err == nil || !strings.HasPrefix(err.Error(), "door.lua:2: ") {
		t.Errorf("a wrong file: %v", err)
	}
	if err := os.WriteFile(path, []byte("log('hello')"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := LoadLuaFile(path)
	if err != nil || l.Name() != "door.lua" {
		t.Fatal(l, err)
	}
	if err := os.Truncate(path, MaxSource+1); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadLuaFile(path); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a huge file: %v", err)
	}
}

func TestLuaReload(t *testing.T) {
	r := newRig()
	id := r.add(t, r.stage.entity("me"), load(t, "n = n or 0 function start() log('start') end function update() n = n + 1 log('old', n) end"))
	r.Update(0)
	if err := r.Reload(id, "function update( log('broken') end"); err == nil || !strings.Contains(err.Error(), "test.lua:1:") {
		t.Errorf("a source that does not compile: %v", err)
	}
	r.Update(0)
	if err := r.Reload(id, "n = 99 function update() log('half') end error('boom')"); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("a source that does not run: %v", err)
	}
	r.Update(0)
	if err := r.Reload(id, "n = n or 0 function update() n = n + 10 log('new', n) end"); err != nil {
		t.Error(err)
	}
	r.Update(0)
	if err := r.Reload(id, "-- nothing"); err != nil {
		t.Error(err)
	}
	r.Update(0)
	want := []string{"me: start", "me: old 1", "me: old 2", "me: old 3", "me: new 13"}
	if !slices.Equal(r.stage.log, want) || len(r.failures) > 0 {
		t.Errorf("log %q, want %q; failures %q", r.stage.log, want, r.failures)
	}
}

// A script that failed runs again once it was repaired.
func TestLuaReloadRepairs(t *testing.T) {
	for _, broken := range []string{"error('x')", "function start() error('x') end", "function update() error('x') end"} {
		r := newRig()
		id := r.add(t, r.stage.entity("me"), load(t, broken))
		r.Update(0)
		if r.Failure(id) == nil {
			t.Fatalf("%s did not fail", broken)
		}
		if err := r.Reload(id, "function update() log('well') end"); err != nil {
			t.Fatal(err)
		}
		r.Update(0)
		if !slices.Equal(r.stage.log, []string{"me: well"}) || r.Failure(id) != nil {
			t.Errorf("after %s: log %q, failure %v", broken, r.stage.log, r.Failure(id))
		}
	}
	r := newRig()
	if err := r.Reload(r.add(t, r.stage.entity("me"), &probe{}), ""); err == nil {
		t.Error("a native script is reloaded")
	}
	if err := r.Reload(99, ""); !errors.Is(err, ErrNoScript) {
		t.Errorf("reloading none: %v", err)
	}
}

func TestProgramIsShared(t *testing.T) {
	p, err := CompileLua("p.lua", "n = (n or 0) + 1 function update() n = n + 1 log(n) end")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig()
	l := p.New()
	r.add(t, r.stage.entity("a"), l)
	r.add(t, r.stage.entity("b"), p.New())
	r.Update(0)
	if !slices.Equal(r.stage.log, []string{"a: 2", "b: 2"}) {
		t.Errorf("log %q", r.stage.log)
	}
	r.add(t, r.stage.entity("c"), l)
	r.Update(0)
	if len(r.failures) != 1 || !strings.Contains(r.failures[0], `already runs for entity "a"`) {
		t.Errorf("one script on two entities: %q", r.failures)
	}
}

func FuzzLoadLua(f *testing.F) {
	f.Add("function update(dt) local x, y, z = entity:position() entity:set_position(x + dt, y, z) end")
	f.Add("x = {1, [2] = 'a', b = function(...) return ... end} for k, v in pairs(x) do print(k, v) end")
	f.Add("while true do break end repeat local a until a goto x ::x::")
	f.Add("x = [==[ long ]==] --[[ comment ]] y = 0x1F .. '\\065\\n'")
	f.Fuzz(func(t *testing.T, source string) {
		p, err := CompileLua("f.lua", source)
		if (p == nil) == (err == nil) {
			t.Errorf("program %v with error %v", p, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "f.lua:") {
			t.Errorf("the error %q does not name the file", err)
		}
	})
}

func BenchmarkLua(b *testing.B) {
	p, err := CompileLua("b.lua", "function update(dt) local x, y, z = entity:position() entity:set_position(x + dt, y, z) end")
	if err != nil {
		b.Fatal(err)
	}
	r := newRig()
	r.add(b, r.stage.entity("me"), p.New())
	b.ReportAllocs()
	for b.Loop() {
		r.Update(0.016)
	}
	if len(r.failures) > 0 {
		b.Fatal(r.failures)
	}
}

func BenchmarkLuaEndlessLoop(b *testing.B) {
	p, err := CompileLua("b.lua", "while true do end")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r := newRig()
		r.add(b, r.stage.entity("me"), p.New())
		r.Update(0)
	}
}
