package physics

import (
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

const frame = float32(1.0 / 60)

func newWorld(t testing.TB, c Config) *World {
	t.Helper()
	w, err := NewWorld(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func add(t testing.TB, w *World, d BodyDesc) Body {
	t.Helper()
	b, err := w.Add(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func step(t testing.TB, w *World, frames int) {
	t.Helper()
	for range frames {
		if _, err := w.Step(frame); err != nil {
			t.Fatal(err)
		}
	}
}

// where returns a body's transform among all of them.
func where(t testing.TB, w *World, b Body) Collider {
	t.Helper()
	for _, c := range w.Colliders(nil) {
		if c.Body == b {
			return c
		}
	}
	t.Fatalf("body %v is not in its world", b)
	return Collider{}
}

func near(t testing.TB, what string, got, want, tolerance float32) {
	t.Helper()
	if !(math.Abs(float64(got-want)) <= float64(tolerance)) {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, tolerance)
	}
}

func floor(t testing.TB, w *World) Body {
	d := NewBodyDesc(Static, Plane(mgl32.Vec3{0, 1, 0}))
	d.Restitution = 1
	return add(t, w, d)
}

// Velocity first, then position: after n steps the body has fallen
// g·dt²·n(n+1)/2, which tends to g·t²/2.
func TestFreeFall(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	b := add(t, w, BodyDesc{Shape: Sphere(0.5), Motion: Dynamic, Mass: 3, Position: mgl32.Vec3{1, 100, 2}})
	const n = 120
	step(t, w, n)
	dt := 1.0 / 60
	want := 100 - 9.81*dt*dt*n*(n+1)/2
	p := where(t, w, b).Position
	// The frame is a whole step long, so the picture lies one step back.
	want += 9.81 * dt * dt * n
	near(t, "height", p[1], float32(want), 2e-3)
	if p[0] != 1 || p[2] != 2 {
		t.Errorf("it drifted to %v", p)
	}
	v, _, err := w.Velocity(b)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "velocity", v[1], -9.81*2, 1e-3)
}

func TestRest(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape Shape
		turn  mgl32.Quat
		rest  float32
	}{
		{"box", Box(mgl32.Vec3{0.5, 0.3, 0.4}), mgl32.QuatIdent(), 0.3},
		{"box on its side", Box(mgl32.Vec3{0.5, 0.3, 0.4}), mgl32.QuatRotate(math.Pi/2, mgl32.Vec3{1, 0, 0}), 0.4},
		{"sphere", Sphere(0.7), mgl32.QuatIdent(), 0.7},
		{"capsule lying", Capsule(0.25, 1), mgl32.QuatRotate(math.Pi/2, mgl32.Vec3{0, 0, 1}), 0.25},
		{"small box", Box(mgl32.Vec3{0.02, 0.02, 0.02}), mgl32.QuatIdent(), 0.02},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, DefaultConfig())
			floor(t, w)
			d := NewBodyDesc(Dynamic, c.shape)
			d.Rotation, d.Position = c.turn, mgl32.Vec3{0, c.rest + 0.2, 0}
			b := add(t, w, d)
			step(t, w, 240)
			s := where(t, w, b)
			near(t, "height", s.Position[1], c.rest, 0.01)
			if !s.State.Has(StateDynamic | StateTouching) {
				t.Errorf("state is %b, want dynamic and touching", s.State)
			}
		})
	}
}

// An upright capsule measures Height + 2·Radius from end to end.
func TestCapsuleSize(t *testing.T) {
	w := newWorld(t, Config{})
	b := add(t, w, NewBodyDesc(Static, Capsule(0.3, 1)))
	for _, c := range []struct {
		from, to mgl32.Vec3
		want     mgl32.Vec3
	}{
		{mgl32.Vec3{0, 5, 0}, mgl32.Vec3{0, -5, 0}, mgl32.Vec3{0, 0.8, 0}},
		{mgl32.Vec3{5, 0.4, 0}, mgl32.Vec3{-5, 0.4, 0}, mgl32.Vec3{0.3, 0.4, 0}},
	} {
		h, ok, err := w.RayCast(Ray{From: c.from, To: c.to})
		if err != nil || !ok || h.Body != b {
			t.Fatalf("ray from %v: %v %v %v", c.from, h, ok, err)
		}
		if h.Point.Sub(c.want).Len() > 2e-3 {
			t.Errorf("ray from %v hits %v, want %v", c.from, h.Point, c.want)
		}
	}
}

func TestStackSleeps(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	floor(t, w)
	var stack []Body
	for i := range 5 {
		d := NewBodyDesc(Dynamic, Box(mgl32.Vec3{0.5, 0.5, 0.5}))
		d.Position = mgl32.Vec3{0, 0.5 + float32(i), 0}
		stack = append(stack, add(t, w, d))
	}
	step(t, w, 360)
	for i, b := range stack {
		s := where(t, w, b)
		near(t, "height of box "+strconv.Itoa(i), s.Position[1], 0.5+float32(i), 0.03)
		if !s.State.Has(StateAsleep | StateTouching) {
			t.Errorf("box %d has state %b, want asleep and touching", i, s.State)
		}
	}
	// Taking the lowest box away wakes what lay on it.
	if err := w.Remove(stack[0]); err != nil {
		t.Fatal(err)
	}
	step(t, w, 30)
	if y := where(t, w, stack[1]).Position[1]; y > 1 {
		t.Errorf("the second box hangs at %v", y)
	}
}

// A ball dropped from h with restitution e comes back to e²·h.
func TestRestitution(t *testing.T) {
	for _, e := range []float32{0, 0.5, 0.9} {
		w := newWorld(t, Config{Gravity: mgl32.Vec3{0, -9.81, 0}, FixedStep: 1.0 / 240})
		floor(t, w)
		d := BodyDesc{Shape: Sphere(0.1), Motion: Dynamic, Mass: 1, Restitution: e, Position: mgl32.Vec3{0, 2.1, 0}}
		b := add(t, w, d)
		bounced, top := false, float32(0)
		for range 90 {
			step(t, w, 1)
			v, _, _ := w.Velocity(b)
			bounced = bounced || v[1] >= -0.01
			if bounced {
				top = max(top, where(t, w, b).Position[1]-0.1)
			}
		}
		near(t, "top of the bounce", top, e*e*2, 0.08)
	}
}

func TestInterpolation(t *testing.T) {
	w := newWorld(t, Config{FixedStep: 0.125})
	d := BodyDesc{Shape: Sphere(1), Motion: Dynamic, Mass: 1, Velocity: mgl32.Vec3{8, 0, 0}, AngularVelocity: mgl32.Vec3{0, 1, 0}}
	b := add(t, w, d)
	for _, c := range []struct{ dt, x, angle, alpha float32 }{
		{0, 0, 0, 0},
		{0.125, 0, 0, 0},          // one step, none over: the picture of the start
		{0.0625, 0.5, 0.0625, .5}, // half a step over
		{0.03125, 0.75, 0.09375, .75},
		{0.03125, 1, 0.125, 0},
	} {
		if _, err := w.Step(c.dt); err != nil {
			t.Fatal(err)
		}
		near(t, "alpha", w.Alpha(), c.alpha, 1e-5)
		got := w.Transforms(nil)
		if len(got) != 1 || got[0].Body != b {
			t.Fatalf("transforms are %v", got)
		}
		near(t, "x", got[0].Position[0], c.x, 1e-5)
		near(t, "angle", 2*float32(math.Asin(float64(got[0].Rotation.V[1]))), c.angle, 1e-4)
	}
}

func TestSpiralOfDeath(t *testing.T) {
	w := newWorld(t, Config{FixedStep: 0.01, MaxSteps: 3})
	r, err := w.Step(1.005)
	if err != nil || r.Steps != 3 {
		t.Fatalf("step: %+v %v", r, err)
	}
	near(t, "dropped", r.Dropped, 0.97, 1e-4)
	near(t, "alpha", w.Alpha(), 0.5, 1e-3)
	if r, _ = w.Step(0); r.Steps != 0 || r.Dropped != 0 {
		t.Errorf("an empty frame ran %+v", r)
	}
}

// A display at 60 Hz whose float32 period lies a little under or over the step
// gets one step a frame, not none and then two.
func TestOneStepAFrame(t *testing.T) {
	for _, dt := range []float32{frame, math.Nextafter32(frame, 0), math.Nextafter32(frame, 1)} {
		w := newWorld(t, DefaultConfig())
		for i := range 600 {
			if r, err := w.Step(dt); err != nil || r.Steps != 1 {
				t.Fatalf("frame %d of %v s: %+v %v", i, dt, r, err)
			}
		}
	}
}

func TestStepRefuses(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	for _, dt := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), -0.1} {
		if _, err := w.Step(dt); err == nil || !strings.Contains(err.Error(), "dt") {
			t.Errorf("step of %v: %v", dt, err)
		}
	}
	if r, err := w.Step(math.MaxFloat32); err != nil || r.Steps != 8 {
		t.Errorf("a huge step: %+v %v", r, err)
	}
}

func TestConfigRefuses(t *testing.T) {
	nan := float32(math.NaN())
	for field, c := range map[string]Config{
		"FixedStep": {FixedStep: nan},
		"MaxSteps":  {MaxSteps: -1},
		"Gravity":   {Gravity: mgl32.Vec3{0, nan, 0}},
	} {
		if _, err := NewWorld(c); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := NewWorld(Config{FixedStep: -1}); err == nil {
		t.Error("a negative FixedStep is taken")
	}
}

// heap drops n boxes in columns that lean on each other.
func heap(t testing.TB, w *World, n int) {
	floor(t, w)
	for i := range n {
		d := NewBodyDesc(Dynamic, Box(mgl32.Vec3{0.25, 0.25, 0.25}))
		x, y, z := i%10, i/100, i/10%10
		d.Position = mgl32.Vec3{float32(x)*0.55 + float32(y%3)*0.1, 0.5 + float32(y)*0.6, float32(z)*0.55 + float32(y%2)*0.1}
		add(t, w, d)
	}
}

func TestThousandBoxes(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	heap(t, w, 1000)
	step(t, w, 180)
	touching := 0
	for _, x := range w.Transforms(nil) {
		if !finiteVec(x.Position) || math.Abs(float64(x.Rotation.Len())-1) > 1e-3 {
			t.Fatalf("body %d stands at %v", x.Body.Index(), x)
		}
		if x.Position[1] < 0.1 {
			t.Fatalf("body %d sank to %v", x.Body.Index(), x.Position)
		}
		if x.State.Has(StateTouching) {
			touching++
		}
	}
	// A few still hop as the heap slides apart.
	if touching < 900 {
		t.Errorf("%d of 1000 boxes touch something", touching)
	}
}

func TestDeterminism(t *testing.T) {
	run := func() ([]Transform, []Contact) {
		w := newWorld(t, DefaultConfig())
		heap(t, w, 200)
		var contacts []Contact
		for i := range 120 {
			step(t, w, 1)
			contacts = w.Contacts(contacts)
			if i == 60 {
				if err := w.Remove(w.Transforms(nil)[7].Body); err != nil {
					t.Fatal(err)
				}
				add(t, w, NewBodyDesc(Dynamic, Sphere(0.4)))
			}
		}
		return w.Transforms(nil), contacts
	}
	a, ac := run()
	b, bc := run()
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("body %d: %v and %v", i, a[i], b[i])
		}
	}
	if len(ac) != len(bc) || len(ac) == 0 {
		t.Fatalf("%d and %d contacts", len(ac), len(bc))
	}
	for i := range ac {
		if ac[i] != bc[i] {
			t.Fatalf("contact %d: %v and %v", i, ac[i], bc[i])
		}
	}
}

func TestSteadyFrameAllocatesNothing(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	heap(t, w, 100)
	door := add(t, w, NewBodyDesc(Kinematic, Box(mgl32.Vec3{1, 1, 0.1})))
	poses := []Transform{{Body: door}}
	rays, hits := make([]Ray, 16), make([]Hit, 16)
	for i := range rays {
		rays[i] = Ray{From: mgl32.Vec3{float32(i), 9, 0}, To: mgl32.Vec3{float32(i), -9, 0}}
	}
	transforms, contacts, colliders := make([]Transform, 0, 128), make([]Contact, 0, 4096), make([]Collider, 0, 128)
	body := w.Transforms(nil)[0].Body
	allocs := testing.AllocsPerRun(50, func() {
		poses[0].Position[2] += 0.01
		err := errors.Join(w.SetKinematic(poses), w.RayCasts(rays, hits))
		if _, e := w.Step(frame); e != nil || err != nil {
			t.Fatal(e, err)
		}
		if err := w.ApplyImpulse(body, mgl32.Vec3{0, 0.1, 0}, mgl32.Vec3{}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.RayCast(rays[0]); err != nil {
			t.Fatal(err)
		}
		transforms, contacts, colliders = w.Transforms(transforms[:0]), w.Contacts(contacts[:0]), w.Colliders(colliders[:0])
	})
	if allocs != 0 {
		t.Errorf("a frame allocates %v times", allocs)
	}
}

func resident(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("resident memory is read from /proc/self/statm: ", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(b))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func TestCreateAndCloseLeaksNothing(t *testing.T) {
	before := liveObjects()
	cycle := func() {
		w, err := NewWorld(DefaultConfig())
		if err != nil {
			t.Fatal(err)
		}
		heap(t, w, 50)
		step(t, w, 5)
		if liveObjects() < before+52 {
			t.Fatalf("%d objects live, want 52 more than %d", liveObjects(), before)
		}
		w.Close()
		w.Close()
	}
	for range 20 {
		cycle()
	}
	start := resident(t)
	for range 100 {
		cycle()
	}
	if n := liveObjects(); n != before {
		t.Errorf("%d objects live, were %d", n, before)
	}
	// One world is about 5 MB: a hundred leaked would be far over this.
	if grown := resident(t) - start; grown > 20<<20 {
		t.Errorf("a hundred worlds left %d bytes behind", grown)
	}
}

func TestClosedWorld(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	b := add(t, w, NewBodyDesc(Dynamic, Sphere(1)))
	w.Close()
	_, e1 := w.Step(frame)
	_, e2 := w.Add(NewBodyDesc(Static, Sphere(1)))
	_, _, e3 := w.RayCast(Ray{})
	_, _, e4 := w.Velocity(b)
	for i, err := range []error{
		e1, e2, e3, e4, w.Remove(b), w.SetVelocity(b, mgl32.Vec3{}, mgl32.Vec3{}), w.Wake(b),
		w.ApplyImpulse(b, mgl32.Vec3{}, mgl32.Vec3{}), w.SetKinematic([]Transform{{Body: b}}),
		w.Teleport(Transform{Body: b}), w.SetGravity(mgl32.Vec3{}),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("call %d on a closed world: %v", i, err)
		}
	}
	if w.Transforms(nil) != nil || w.Colliders(nil) != nil || w.Contacts(nil) != nil || w.Len() != 0 || w.Alpha() != 0 {
		t.Error("a closed world holds bodies")
	}
}

func BenchmarkStep1000(b *testing.B) {
	w := newWorld(b, DefaultConfig())
	heap(b, w, 1000)
	step(b, w, 30)
	bodies := w.Transforms(nil)
	contacts := w.Contacts(nil)
	b.ReportAllocs()
	for b.Loop() {
		for i := range bodies { // nothing may fall asleep
			if err := w.Wake(bodies[i].Body); err != nil {
				b.Fatal(err)
			}
		}
		step(b, w, 1)
		bodies, contacts = w.Transforms(bodies[:0]), w.Contacts(contacts[:0])
	}
	b.ReportMetric(float64(len(contacts)), "contacts")
}
