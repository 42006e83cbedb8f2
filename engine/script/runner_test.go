package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// body is an entity that records what is done to it.
type body struct {
	name     string
	position mgl32.Vec3
	rotation mgl32.Quat
	scale    mgl32.Vec3
	velocity mgl32.Vec3
	impulse  mgl32.Vec3
	clip     string
	fade     float32
	speed    float32
	params   []string
	rigid    bool
}

var errRigid = errors.New("no dynamic body")

func (b *body) Name() string             { return b.name }
func (b *body) Position() mgl32.Vec3     { return b.position }
func (b *body) SetPosition(v mgl32.Vec3) { b.position = v }
func (b *body) Rotation() mgl32.Quat     { return b.rotation }
func (b *body) SetRotation(q mgl32.Quat) { b.rotation = q }
func (b *body) Scale() mgl32.Vec3        { return b.scale }
func (b *body) SetScale(v mgl32.Vec3)    { b.scale = v }

func (b *body) SetVelocity(v mgl32.Vec3) error {
	if !b.rigid {
		return errRigid
	}
	b.velocity = v
	return nil
}

func (b *body) ApplyImpulse(v mgl32.Vec3) error {
	if !b.rigid {
		return errRigid
	}
	b.impulse = b.impulse.Add(v)
	return nil
}

func (b *body) PlayClip(name string, fade float32) error {
	if name == "missing" {
		return fmt.Errorf("no clip %q", name)
	}
	b.clip, b.fade = name, fade
	return nil
}

func (b *body) SetClipSpeed(s float32) error { b.speed = s; return nil }

func (b *body) SetParam(name string, value float64) error {
	if name == "missing" {
		return fmt.Errorf("no parameter %q", name)
	}
	b.params = append(b.params, fmt.Sprint(name, " ", value))
	return nil
}

func (b *body) Fire(name string) error { return b.SetParam(name, 1) }

// stage is a world of such entities.
type stage struct {
	entities []*body
	log      []string
}

func (s *stage) Find(name string) (Entity, bool) {
	for _, e := range s.entities {
		if e.name == name {
			return e, true
		}
	}
	return nil, false
}

func (s *stage) Log(entity, message string) { s.log = append(s.log, entity+": "+message) }

func (s *stage) entity(name string) *body {
	b := &body{name: name, rotation: mgl32.QuatIdent(), scale: mgl32.Vec3{1, 1, 1}}
	s.entities = append(s.entities, b)
	return b
}

// rig is a runner over a stage that keeps its failures.
type rig struct {
	*Runner
	stage    *stage
	failures []string
}

func newRig() *rig {
	r := &rig{stage: &stage{}}
	r.Runner = NewRunner(r.stage, func(f *Failure) { r.failures = append(r.failures, f.Error()) })
	return r
}

func (r *rig) add(t testing.TB, e Entity, script any) ID {
	t.Helper()
	id, err := r.Add(e, script)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// probe calls what it is given.
type probe struct {
	start   func(*Context) error
	update  func(*Context, float32) error
	contact func(*Context, Contact) error
}

func (p *probe) Start(c *Context) error {
	if p.start != nil {
		return p.start(c)
	}
	return nil
}

func (p *probe) Update(c *Context, dt float32) error {
	if p.update != nil {
		return p.update(c, dt)
	}
	return nil
}

func (p *probe) Contact(c *Context, x Contact) error {
	if p.contact != nil {
		return p.contact(c, x)
	}
	return nil
}

func TestOrder(t *testing.T) {
	r := newRig()
	var seen []string
	for _, name := range []string{"a", "b", "c"} {
		r.add(t, r.stage.entity(name), &probe{
			start: func(c *Context) error { seen = append(seen, "start "+c.Name()); return nil },
			update: func(c *Context, dt float32) error {
				seen = append(seen, fmt.Sprintf("update %s %v", c.Name(), dt))
				return nil
			},
		})
	}
	r.Update(0.5)
	r.Update(0.25)
	want := []string{"start a", "update a 0.5", "start b", "update b 0.5", "start c", "update c 0.5",
		"update a 0.25", "update b 0.25", "update c 0.25"}
	if !slices.Equal(seen, want) {
		t.Errorf("ran %q, want %q", seen, want)
	}
}

type onlyStart struct{ ran int }

func (o *onlyStart) Start(*Context) error { o.ran++; return nil }

func TestOptionalMethods(t *testing.T) {
	r := newRig()
	s := &onlyStart{}
	id := r.add(t, r.stage.entity("a"), s)
	r.Update(1)
	r.Update(1)
	r.Contact(id, Contact{})
	if s.ran != 1 {
		t.Errorf("started %d times", s.ran)
	}
	if _, err := r.Add(r.stage.entity("b"), struct{}{}); err == nil || !strings.Contains(err.Error(), `entity "b"`) {
		t.Errorf("a script without methods: %v", err)
	}
	if _, err := r.Add(nil, s); err == nil {
		t.Error("a nil entity is taken")
	}
}

func TestContact(t *testing.T) {
	r := newRig()
	var got []Contact
	wall := r.stage.entity("wall")
	id := r.add(t, r.stage.entity("ball"), &probe{contact: func(_ *Context, c Contact) error { got = append(got, c); return nil }})
	want := Contact{Other: wall, Impulse: 3, Phase: ContactBegin}
	r.Contact(id, want) // not started yet
	r.Update(1)
	r.Contact(id, want)
	r.Contact(99, want)
	if len(got) != 1 || got[0] != want {
		t.Errorf("contacts %v", got)
	}
}

// Each way to fail is reported once, by name, and the others go on.
func TestFailures(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		name   string
		script probe
		want   []string
	}{
		{"error in start", probe{start: func(*Context) error { return boom }}, []string{"start: boom"}},
		{"error in update", probe{update: func(*Context, float32) error { return boom }}, []string{"update: boom"}},
		{"error in contact", probe{contact: func(*Context, Contact) error { return boom }}, []string{"contact: boom"}},
		{"panic", probe{update: func(*Context, float32) error { panic("oh no") }}, []string{"update: panic: oh no", "runner_test.go:"}},
		{"index", probe{update: func(_ *Context, dt float32) error { return []error{nil}[int(dt)] }},
			[]string{"index out of range", "runner_test.go:"}},
		{"nil pointer", probe{update: func(*Context, float32) error { var b *body; b.name = ""; return nil }},
			[]string{"nil pointer", "runner_test.go:"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig()
			frames := 0
			bad := r.add(t, r.stage.entity("bad"), &c.script)
			r.add(t, r.stage.entity("good"), &probe{update: func(*Context, float32) error { frames++; return nil }})
			for range 3 {
				r.Update(1)
				r.Contact(bad, Contact{})
			}
			if frames != 3 {
				t.Errorf("the other script ran %d times", frames)
			}
			if len(r.failures) != 1 || r.Failure(bad) == nil {
				t.Fatalf("failures: %q", r.failures)
			}
			for _, want := range append(c.want, `entity "bad"`, "*script.probe") {
				if !strings.Contains(r.failures[0], want) {
					t.Errorf("the failure is %q, want %q in it", r.failures[0], want)
				}
			}
		})
	}
}

func TestFailureGoesToTheLog(t *testing.T) {
	s := &stage{}
	r := NewRunner(s, nil)
	if _, err := r.Add(s.entity("bad"), &probe{update: func(*Context, float32) error { return errors.New("boom") }}); err != nil {
		t.Fatal(err)
	}
	r.Update(1)
	if len(s.log) != 1 || !strings.Contains(s.log[0], "boom") {
		t.Errorf("the log is %q", s.log)
	}
}

func TestAddAndRemoveWhileRunning(t *testing.T) {
	r := newRig()
	var seen []string
	note := func(c *Context, _ float32) error { seen = append(seen, c.Name()); return nil }
	var second ID
	r.add(t, r.stage.entity("first"), &probe{update: func(c *Context, dt float32) error {
		if r.Failure(second) == nil && len(seen) == 0 {
			if err := r.Remove(second); err != nil {
				t.Error(err)
			}
			r.add(t, r.stage.entity("late"), &probe{update: note})
		}
		return note(c, dt)
	}})
	second = r.add(t, r.stage.entity("second"), &probe{update: note})
	r.add(t, r.stage.entity("third"), &probe{update: note})
	r.Update(1)
	r.Update(1)
	if want := []string{"first", "third", "first", "third", "late"}; !slices.Equal(seen, want) {
		t.Errorf("ran %q, want %q", seen, want)
	}
	if r.Len() != 3 {
		t.Errorf("%d scripts", r.Len())
	}
	if err := r.Remove(second); !errors.Is(err, ErrNoScript) {
		t.Errorf("removing twice: %v", err)
	}
}

func TestContextDistanceAndTime(t *testing.T) {
	r := newRig()
	r.stage.entity("far").position = mgl32.Vec3{3, 4, 0}
	ran := false
	r.add(t, r.stage.entity("me"), &probe{update: func(c *Context, _ float32) error {
		ran = true
		if d, ok := c.Distance("far"); !ok || d != 5 {
			t.Errorf("distance %v %v", d, ok)
		}
		if _, ok := c.Distance("nobody"); ok {
			t.Error("a distance to nobody")
		}
		if c.Time() != 0.5 {
			t.Errorf("time %v", c.Time())
		}
		c.Log("hello")
		return nil
	}})
	r.Update(0.5)
	if !ran || !slices.Equal(r.stage.log, []string{"me: hello"}) {
		t.Errorf("log %q", r.stage.log)
	}
}

// walker is a native script of the ordinary kind.
type walker struct{ speed float32 }

func (w *walker) Update(c *Context, dt float32) error {
	p := c.Position()
	p[0] += w.speed * dt
	c.SetPosition(p)
	if d, ok := c.Distance("goal"); ok && d < 1 {
		w.speed = 0
	}
	return nil
}

func (w *walker) Contact(c *Context, x Contact) error {
	if x.Phase == ContactBegin {
		w.speed = -w.speed
	}
	return nil
}

func TestNativeFrameAllocatesNothing(t *testing.T) {
	r := newRig()
	r.stage.entity("goal").position = mgl32.Vec3{0, 0, 50}
	var ids []ID
	for i := range 100 {
		ids = append(ids, r.add(t, r.stage.entity(fmt.Sprint("walker ", i)), &walker{speed: 1}))
	}
	r.Update(1)
	wall := Contact{Other: r.stage.entities[0], Impulse: 1}
	if n := testing.AllocsPerRun(20, func() {
		r.Update(0.016)
		for _, id := range ids {
			r.Contact(id, wall)
		}
	}); n != 0 {
		t.Errorf("a frame allocates %v times", n)
	}
	if len(r.failures) > 0 {
		t.Error(r.failures)
	}
}

func BenchmarkNative(b *testing.B) {
	r := newRig()
	for i := range 1000 {
		r.add(b, r.stage.entity(fmt.Sprint(i)), &probe{})
	}
	b.ReportAllocs()
	for b.Loop() {
		r.Update(0.016)
	}
}
