package scene

import (
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
	"github.com/bindpose/bindpose/engine/script"
)

type updates struct{ n int }

func (u *updates) Update(*script.Context, float32) error { u.n++; return nil }

type contacts struct{ seen []script.Contact }

func (c *contacts) Contact(_ *script.Context, k script.Contact) error {
	c.seen = append(c.seen, k)
	return nil
}

func lua(t testing.TB, source string) *script.Lua {
	t.Helper()
	l, err := script.LoadLua("test.lua", source)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestScriptsComeAndGo(t *testing.T) {
	s := newScene(t)
	e := s.Spawn("e", nil)
	a, b := &updates{}, &updates{}
	e.Scripts = []any{a}
	step(t, s, 2)
	e.Scripts = append(e.Scripts, b)
	step(t, s, 2)
	if a.n != 4 || b.n != 2 {
		t.Errorf("ran %d and %d times", a.n, b.n)
	}
	e.Scripts = []any{b}
	step(t, s, 1)
	e.Scripts = nil
	step(t, s, 1)
	if a.n != 4 || b.n != 3 {
		t.Errorf("ran %d and %d times", a.n, b.n)
	}
}

// byValue is a script that Go cannot compare.
type byValue struct{ counts []int }

func (b byValue) Update(*script.Context, float32) error { b.counts[0]++; return nil }

func TestScriptsThatCannotBeCompared(t *testing.T) {
	s := newScene(t)
	e := s.Spawn("e", nil)
	v := byValue{make([]int, 1)}
	e.Scripts = []any{v}
	step(t, s, 3)
	e.Scripts = []any{v, &updates{}}
	step(t, s, 1)
	if v.counts[0] != 4 {
		t.Errorf("ran %d times", v.counts[0])
	}
}

func TestAValueThatIsNoScriptIsToldOnce(t *testing.T) {
	s := newScene(t)
	s.Spawn("oddity", nil).Scripts = []any{42, nil}
	err := s.RunScripts(0.1)
	if err == nil || strings.Count(err.Error(), "oddity") != 2 || !strings.Contains(err.Error(), "int has none") {
		t.Errorf("%v", err)
	}
	if err := s.RunScripts(0.1); err != nil {
		t.Errorf("told twice: %v", err)
	}
}

// Lua and Go see the same entities: a Lua script moves its own by what a Go
// script did to another before it in the same update.
func TestLuaAndGoSeeOneScene(t *testing.T) {
	s := newScene(t)
	var said []string
	s.Log = func(entity, message string) { said = append(said, entity+": "+message) }
	hero := s.Spawn("hero", nil)
	hero.Scripts = []any{mover{}}
	door := s.Spawn("door", nil)
	door.Scripts = []any{lua(t, `
		function start() log("ready") end
		function update(dt)
			if entity:distance("hero") < 2 then entity:set_position(0, 7, 0) end
		end`)}
	hero.Local.Translation = mgl32.Vec3{5, 0, 0}
	for range 3 {
		step(t, s, 1)
	}
	if door.WorldPosition()[1] != 0 {
		t.Error("the door moved too early")
	}
	step(t, s, 1)
	if at := door.WorldPosition(); at != (mgl32.Vec3{0, 7, 0}) {
		t.Errorf("the door is at %v", at)
	}
	if len(said) != 1 || said[0] != "door: ready" {
		t.Errorf("said %q", said)
	}
}

type mover struct{}

func (mover) Update(c *script.Context, _ float32) error {
	c.SetPosition(c.Position().Sub(mgl32.Vec3{0.9, 0, 0}))
	return nil
}

func TestContactsReachBothScripts(t *testing.T) {
	s := newScene(t)
	ground := body(s, "ground", nil, physics.Static, physics.Plane(mgl32.Vec3{0, 1, 0}), mgl32.Vec3{})
	ball := body(s, "ball", nil, physics.Dynamic, physics.Sphere(0.5), mgl32.Vec3{0, 0.6, 0})
	of, under := &contacts{}, &contacts{}
	ball.Scripts, ground.Scripts = []any{of}, []any{under}
	var said []string
	s.Log = func(_, message string) { said = append(said, message) }
	ball.Scripts = append(ball.Scripts, lua(t, `function contact(other, impulse, phase) log(other:name(), phase) end`))
	step(t, s, 30)
	if len(of.seen) == 0 || len(of.seen) != len(under.seen) {
		t.Fatalf("%d and %d contacts", len(of.seen), len(under.seen))
	}
	a, b := of.seen[0], under.seen[0]
	if a.Phase != script.ContactBegin || a.Other.Name() != "ground" || b.Other.Name() != "ball" || a.Impulse <= 0 {
		t.Errorf("the first contacts are %+v and %+v", a, b)
	}
	// From the other to this entity: up for the ball, down for the ground.
	if !near(a.Normal, mgl32.Vec3{0, 1, 0}, 1e-3) || !near(b.Normal, mgl32.Vec3{0, -1, 0}, 1e-3) {
		t.Errorf("normals %v and %v", a.Normal, b.Normal)
	}
	if of.seen[len(of.seen)-1].Phase != script.ContactStay {
		t.Errorf("at rest the phase is %v", of.seen[len(of.seen)-1].Phase)
	}
	if len(said) < 2 || !strings.Contains(said[0], "ground") || !strings.Contains(said[0], "begin") {
		t.Errorf("Lua said %q", said)
	}
	ball.Local.Translation = mgl32.Vec3{0, 9, 0}
	step(t, s, 2)
	if last := of.seen[len(of.seen)-1]; last.Phase != script.ContactEnd {
		t.Errorf("lifted, the phase is %v", last.Phase)
	}
}

// remover removes whom it touches.
type remover struct{ s *Scene }

func (r remover) Contact(_ *script.Context, c script.Contact) error {
	if c.Other == nil {
		return nil // the end of a contact with one that is gone
	}
	if e := r.s.Find(c.Other.Name()); e != nil {
		r.s.Remove(e)
	}
	return nil
}

func TestAContactMayRemoveTheOther(t *testing.T) {
	s := newScene(t)
	ground := body(s, "ground", nil, physics.Static, physics.Plane(mgl32.Vec3{0, 1, 0}), mgl32.Vec3{})
	ground.Scripts = []any{remover{s}}
	for _, name := range []string{"a", "b", "c"} {
		e := body(s, name, nil, physics.Dynamic, physics.Sphere(0.5), mgl32.Vec3{float32(name[0]) * 2, 0.6, 0})
		e.Scripts = []any{&contacts{}}
	}
	step(t, s, 30)
	if s.Len() != 1 || s.World().Len() != 1 {
		t.Errorf("%d entities, %d bodies", s.Len(), s.World().Len())
	}
}

func TestScriptsPushBodiesAndSayWhereTheyCannot(t *testing.T) {
	s := newScene(t)
	ball := body(s, "ball", nil, physics.Dynamic, physics.Sphere(0.5), mgl32.Vec3{})
	step(t, s, 1)
	if err := (scripted{ball}).ApplyImpulse(mgl32.Vec3{5, 0, 0}); err != nil {
		t.Error(err)
	}
	step(t, s, 10)
	if x := ball.WorldPosition()[0]; x < 0.5 {
		t.Errorf("an impulse moved it to %v", x)
	}
	if err := (scripted{ball}).SetVelocity(mgl32.Vec3{-5, 0, 0}); err != nil {
		t.Error(err)
	}
	plain := s.Spawn("plain", nil)
	for _, err := range []error{
		(scripted{plain}).ApplyImpulse(mgl32.Vec3{1, 0, 0}), (scripted{plain}).PlayClip("x", 0), (scripted{plain}).SetClipSpeed(1),
		(scripted{plain}).SetParam("x", 1), (scripted{plain}).Fire("x"),
	} {
		if err == nil {
			t.Error("an entity without body or animator took it")
		}
	}
	s.Remove(ball)
	if err := (scripted{ball}).SetVelocity(mgl32.Vec3{}); err == nil {
		t.Error("a removed entity took a velocity")
	}
}

func TestReloadLua(t *testing.T) {
	s := newScene(t)
	a, b, other := s.Spawn("a", nil), s.Spawn("b", nil), s.Spawn("other", nil)
	source := `function update() entity:set_position(1, 0, 0) end`
	a.Scripts, b.Scripts = []any{lua(t, source)}, []any{lua(t, `function update() error("broken") end`)}
	elsewhere, err := script.LoadLua("other.lua", source)
	if err != nil {
		t.Fatal(err)
	}
	other.Scripts = []any{elsewhere}
	if err := s.RunScripts(0.1); err == nil || !strings.Contains(err.Error(), "broken") || strings.Contains(err.Error(), "other") {
		t.Fatalf("%v", err)
	}
	n, err := s.ReloadLua("test.lua", `function update() entity:set_position(2, 0, 0) end`)
	if n != 2 || err != nil {
		t.Fatalf("%d scripts, %v", n, err)
	}
	step(t, s, 1)
	if a.Local.Translation[0] != 2 || b.Local.Translation[0] != 2 || other.Local.Translation[0] != 1 {
		t.Errorf("%v %v %v", a.Local.Translation, b.Local.Translation, other.Local.Translation)
	}
	if _, err := s.ReloadLua("test.lua", `function update(`); err == nil {
		t.Error("a source that does not compile was taken")
	}
	step(t, s, 1) // the old one goes on
}
