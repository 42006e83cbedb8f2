package script

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// unsafeGlobals load code, reach other environments or the interpreter's inside.
var unsafeGlobals = [...]string{
	"dofile", "loadfile", "load", "loadstring", "require", "module", "package", "getfenv", "setfenv",
	"collectgarbage", "newproxy", "_printregs", "_GOPHER_LUA_VERSION",
}

// maxRepeat bounds string.rep, which makes in one instruction what no budget sees.
const maxRepeat = 1 << 20

// open makes the interpreter and what its script can see. Coroutines are left
// out: gopher-lua would run them outside the budget.
func (l *Lua) open() {
	s := lua.NewState(lua.Options{
		SkipOpenLibs: true, CallStackSize: 120, MinimizeStackMemory: true, RegistrySize: 256,
		RegistryMaxSize: 1 << 16, RegistryGrowStep: 1 << 10,
	})
	for _, open := range [...]lua.LGFunction{lua.OpenBase, lua.OpenMath, lua.OpenString, lua.OpenTable} {
		s.Push(s.NewFunction(open))
		s.Call(0, 0)
	}
	for _, name := range unsafeGlobals {
		s.SetGlobal(name, lua.LNil)
	}
	l.state = s
	l.wrapped = map[Entity]*lua.LUserData{}
	s.SetContext(&l.left)

	text := s.GetGlobal("string").(*lua.LTable)
	text.RawSetString("rep", s.NewFunction(repeat))
	text.RawSetString("dump", lua.LNil)
	numbers := s.GetGlobal("math").(*lua.LTable)
	l.seed(numbers)

	methods := s.NewTable()
	for name, f := range entityMethods {
		methods.RawSetString(name, s.NewFunction(func(s *lua.LState) int { return f(l, s, self(s)) }))
	}
	l.entities = s.NewTable()
	l.entities.RawSetString("__index", methods)
	l.entities.RawSetString("__metatable", lua.LFalse)
	l.entities.RawSetString("__eq", s.NewFunction(func(s *lua.LState) int {
		a, _ := s.CheckUserData(1).Value.(Entity)
		b, _ := s.CheckUserData(2).Value.(Entity)
		s.Push(lua.LBool(a == b))
		return 1
	}))
	l.entities.RawSetString("__tostring", s.NewFunction(func(s *lua.LState) int {
		s.Push(lua.LString("entity " + self(s).Name()))
		return 1
	}))

	s.SetGlobal("entity", l.wrap(l.ctx.Entity))
	s.SetGlobal("find", s.NewFunction(l.find))
	s.SetGlobal("time", s.NewFunction(func(s *lua.LState) int {
		s.Push(lua.LNumber(l.ctx.Time()))
		return 1
	}))
	log := s.NewFunction(l.log)
	s.SetGlobal("log", log)
	s.SetGlobal("print", log)
}

// seed replaces the process-wide random numbers by the script's own.
func (l *Lua) seed(math *lua.LTable) {
	h := fnv.New64a()
	h.Write([]byte(l.ctx.Name()))
	source := rand.NewPCG(h.Sum64(), 0)
	random := rand.New(source)
	math.RawSetString("random", l.state.NewFunction(func(s *lua.LState) int {
		low, high := int64(1), int64(0)
		switch s.GetTop() {
		case 0:
			s.Push(lua.LNumber(random.Float64()))
			return 1
		case 1:
			high = s.CheckInt64(1)
		default:
			low, high = s.CheckInt64(1), s.CheckInt64(2)
		}
		// The width also overflows, to below 1, where the two lie too far apart.
		if low > high || high-low+1 < 1 {
			s.ArgError(s.GetTop(), "interval is empty")
		}
		s.Push(lua.LNumber(low + random.Int64N(high-low+1)))
		return 1
	}))
	math.RawSetString("randomseed", l.state.NewFunction(func(s *lua.LState) int {
		source.Seed(uint64(s.CheckInt64(1)), 0)
		return 0
	}))
}

func repeat(s *lua.LState) int {
	text, n := s.CheckString(1), s.CheckInt(2)
	if n > 0 && len(text) > maxRepeat/n {
		s.ArgError(2, "resulting string too large")
	}
	s.Push(lua.LString(strings.Repeat(text, max(n, 0))))
	return 1
}

// wrap returns the userdata that stands for an entity. Few are made, as a
// script meets the same entities again and again.
func (l *Lua) wrap(e Entity) *lua.LUserData {
	if u, ok := l.wrapped[e]; ok {
		return u
	}
	if len(l.wrapped) >= 256 {
		clear(l.wrapped) // most of them have likely left the scene
	}
	u := l.state.NewUserData()
	u.Value, u.Metatable = e, l.entities
	l.wrapped[e] = u
	return u
}

func (l *Lua) find(s *lua.LState) int {
	e, ok := l.ctx.Find(s.CheckString(1))
	if !ok {
		s.Push(lua.LNil)
		return 1
	}
	s.Push(l.wrap(e))
	return 1
}

func (l *Lua) log(s *lua.LState) int {
	var b strings.Builder
	for i := 1; i <= s.GetTop(); i++ {
		if i > 1 {
			b.WriteByte(' ')
		}
		b.WriteString(s.ToStringMeta(s.Get(i)).String())
	}
	l.ctx.Log(b.String())
	return 0
}

// self is the entity that a method was called on.
func self(s *lua.LState) Entity {
	if u, ok := s.Get(1).(*lua.LUserData); ok {
		if e, ok := u.Value.(Entity); ok {
			return e
		}
	}
	s.ArgError(1, "entity expected: call methods with a colon, as in entity:position()")
	return nil
}

var entityMethods = map[string]func(*Lua, *lua.LState, Entity) int{
	"name": func(_ *Lua, s *lua.LState, e Entity) int {
		s.Push(lua.LString(e.Name()))
		return 1
	},
	"position":     func(_ *Lua, s *lua.LState, e Entity) int { return pushVec(s, e.Position()) },
	"set_position": func(_ *Lua, s *lua.LState, e Entity) int { e.SetPosition(vec(s)); return 0 },
	"scale":        func(_ *Lua, s *lua.LState, e Entity) int { return pushVec(s, e.Scale()) },
	"set_scale":    func(_ *Lua, s *lua.LState, e Entity) int { e.SetScale(vec(s)); return 0 },
	"rotation": func(_ *Lua, s *lua.LState, e Entity) int {
		for _, x := range e.Rotation().XYZW() {
			s.Push(lua.LNumber(x))
		}
		return 4
	},
	"set_rotation": func(_ *Lua, s *lua.LState, e Entity) int {
		q := mgl32.QuatXYZW(number(s, 2), number(s, 3), number(s, 4), number(s, 5))
		if q.Len() == 0 {
			s.ArgError(2, "the rotation has no length")
		}
		e.SetRotation(q.Normalize())
		return 0
	},
	"set_yaw": func(_ *Lua, s *lua.LState, e Entity) int {
		e.SetRotation(mgl32.QuatRotate(number(s, 2), mgl32.Vec3{0, 1, 0}))
		return 0
	},
	"set_velocity": func(_ *Lua, s *lua.LState, e Entity) int { return check(s, "set_velocity", e.SetVelocity(vec(s))) },
	"apply_impulse": func(_ *Lua, s *lua.LState, e Entity) int {
		return check(s, "apply_impulse", e.ApplyImpulse(vec(s)))
	},
	"play_clip": func(_ *Lua, s *lua.LState, e Entity) int {
		fade := float32(0)
		if s.GetTop() > 2 {
			fade = number(s, 3)
		}
		return check(s, "play_clip", e.PlayClip(s.CheckString(2), fade))
	},
	"set_clip_speed": func(_ *Lua, s *lua.LState, e Entity) int {
		return check(s, "set_clip_speed", e.SetClipSpeed(number(s, 2)))
	},
	"set_param": func(_ *Lua, s *lua.LState, e Entity) int {
		x := 0.0
		if b, ok := s.Get(3).(lua.LBool); !ok {
			x = float64(s.CheckNumber(3))
		} else if b {
			x = 1
		}
		return check(s, "set_param", e.SetParam(s.CheckString(2), x))
	},
	"fire": func(_ *Lua, s *lua.LState, e Entity) int { return check(s, "fire", e.Fire(s.CheckString(2))) },
	"distance": func(l *Lua, s *lua.LState, e Entity) int {
		var other Entity
		if u, ok := s.Get(2).(*lua.LUserData); ok {
			other, _ = u.Value.(Entity)
		} else {
			other, _ = l.ctx.Find(s.CheckString(2))
		}
		if other == nil {
			s.Push(lua.LNil)
			return 1
		}
		s.Push(lua.LNumber(other.Position().Sub(e.Position()).Len()))
		return 1
	},
}

// vec reads the arguments after self.
func vec(s *lua.LState) mgl32.Vec3 { return mgl32.Vec3{number(s, 2), number(s, 3), number(s, 4)} }

func pushVec(s *lua.LState, v mgl32.Vec3) int {
	for _, x := range v {
		s.Push(lua.LNumber(x))
	}
	return 3
}

func check(s *lua.LState, method string, err error) int {
	if err != nil {
		s.RaiseError("%s: %v", method, err)
	}
	return 0
}
