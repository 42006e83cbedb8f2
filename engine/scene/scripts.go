package scene

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
	"github.com/bindpose/bindpose/engine/script"
)

// scripts keeps the script runner and the entities' lists in step.
type scripts struct {
	scene  *Scene
	runner *script.Runner
	of     map[*Entity][]attached
	failed error
}

// attached is a script that the runner knows.
type attached struct {
	script any
	id     script.ID // 0 where it could not be added
}

func (r *scripts) init(s *Scene) {
	r.scene = s
	r.of = map[*Entity][]attached{}
	r.runner = script.NewRunner(world{s}, func(f *script.Failure) { r.failed = errors.Join(r.failed, f) })
}

func (r *scripts) close() { r.of = map[*Entity][]attached{} }

// RunScripts starts and updates the entities' scripts, in the order in which
// they came. Its error holds each script that failed, once; a failed script is
// switched off and the others go on.
func (s *Scene) RunScripts(dt float32) error {
	r := &s.scripts
	r.failed = nil
	for _, e := range s.entities {
		if len(e.Scripts) > 0 || len(r.of[e]) > 0 {
			r.sync(e)
		}
	}
	r.runner.Update(dt)
	return r.failed
}

// sync tells the runner of scripts that came and went.
func (r *scripts) sync(e *Entity) {
	known := r.of[e]
	same := len(known) == len(e.Scripts)
	for i := 0; same && i < len(known); i++ {
		same = sameScript(known[i].script, e.Scripts[i])
	}
	if same {
		return
	}
	next := make([]attached, len(e.Scripts))
	for i, value := range e.Scripts {
		next[i].script = value
		for j := range known {
			if known[j].id != 0 && sameScript(known[j].script, value) {
				next[i].id, known[j].id = known[j].id, 0
				break
			}
		}
		if next[i].id != 0 {
			continue
		}
		id, err := r.runner.Add(scripted{e}, value)
		if err != nil {
			r.failed = errors.Join(r.failed, err)
		}
		next[i].id = id
	}
	r.drop(known)
	r.of[e] = next
}

// sameScript compares scripts; of two that Go cannot compare, those of one type
// are taken for the same.
func sameScript(a, b any) bool {
	t := reflect.TypeOf(a)
	if t != reflect.TypeOf(b) {
		return false
	}
	if t == nil || t.Kind() == reflect.Pointer { // nearly all, and Comparable allocates
		return a == b
	}
	return !reflect.ValueOf(a).Comparable() || a == b
}

func (r *scripts) drop(list []attached) {
	for _, a := range list {
		if a.id != 0 {
			// The runner knows every id that it gave and that was not dropped.
			_ = r.runner.Remove(a.id)
		}
	}
}

func (r *scripts) remove(e *Entity) {
	r.drop(r.of[e])
	delete(r.of, e)
}

// ReloadLua gives every entity's Lua script of that name a new source, keeping
// the old one where the new does not compile. It returns how many there were.
func (s *Scene) ReloadLua(name, source string) (n int, err error) {
	for _, list := range s.scripts.of {
		for _, a := range list {
			l, ok := a.script.(*script.Lua)
			if !ok || l.Name() != name || a.id == 0 {
				continue
			}
			n++
			err = errors.Join(err, s.scripts.runner.Reload(a.id, source))
		}
	}
	return n, err
}

// deliver tells both entities' scripts of the step's contacts.
func (r *scripts) deliver(p *bodies) error {
	r.failed = nil
	for i := range p.contacts {
		c := &p.contacts[i]
		a, b := p.entity(c.A), p.entity(c.B)
		r.tell(a, b, c, c.Normal)
		r.tell(b, a, c, c.Normal.Mul(-1))
	}
	return r.failed
}

func (r *scripts) tell(e, other *Entity, c *physics.Contact, normal mgl32.Vec3) {
	if e == nil {
		return
	}
	for _, a := range r.of[e] {
		if a.id == 0 {
			continue
		}
		told := script.Contact{Point: c.Point, Normal: normal, Impulse: c.Impulse, Phase: script.Phase(c.Phase)}
		if other != nil {
			told.Other = scripted{other}
		}
		r.runner.Contact(a.id, told)
	}
}

func (p *bodies) entity(b physics.Body) *Entity {
	if i := b.Index(); i < len(p.byBody) {
		return p.byBody[i]
	}
	return nil
}

// world is the scene as scripts see it.
type world struct{ s *Scene }

func (w world) Find(name string) (script.Entity, bool) {
	e := w.s.Find(name)
	if e == nil {
		return nil, false
	}
	return scripted{e}, true
}

func (w world) Log(entity, message string) {
	if w.s.Log != nil {
		w.s.Log(entity, message)
	}
}

// scripted is an entity as scripts see it.
type scripted struct{ e *Entity }

func (s scripted) Name() string             { return s.e.Name }
func (s scripted) Position() mgl32.Vec3     { return s.e.Local.Translation }
func (s scripted) SetPosition(p mgl32.Vec3) { s.e.Local.Translation = p }
func (s scripted) Rotation() mgl32.Quat     { return s.e.Local.Rotation }
func (s scripted) SetRotation(q mgl32.Quat) { s.e.Local.Rotation = q.Normalize() }
func (s scripted) Scale() mgl32.Vec3        { return s.e.Local.Scale }
func (s scripted) SetScale(v mgl32.Vec3)    { s.e.Local.Scale = v }

func (s scripted) SetVelocity(v mgl32.Vec3) error {
	if s.e.scene == nil {
		return errGone
	}
	return s.e.scene.physics.world.SetVelocity(s.e.PhysicsBody(), v, mgl32.Vec3{})
}

func (s scripted) ApplyImpulse(v mgl32.Vec3) error {
	if s.e.scene == nil {
		return errGone
	}
	return s.e.scene.physics.world.ApplyImpulse(s.e.PhysicsBody(), v, s.e.WorldPosition())
}

func (s scripted) PlayClip(name string, fade float32) error {
	if s.e.Animator == nil {
		return fmt.Errorf("entity %q has no animator", s.e.Name)
	}
	return s.e.Animator.PlayName(name, fade)
}

func (s scripted) SetClipSpeed(factor float32) error {
	if s.e.Animator == nil {
		return fmt.Errorf("entity %q has no animator", s.e.Name)
	}
	s.e.Animator.Speed = factor
	return nil
}

func (s scripted) SetParam(name string, value float64) error {
	m := s.e.Machine()
	if m == nil {
		return fmt.Errorf("entity %q has no state machine", s.e.Name)
	}
	return m.Set(name, value)
}

func (s scripted) Fire(name string) error {
	m := s.e.Machine()
	if m == nil {
		return fmt.Errorf("entity %q has no state machine", s.e.Name)
	}
	return m.Fire(name)
}

var errGone = errors.New("the entity was removed from its scene")
