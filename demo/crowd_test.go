package demo_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// crowd makes a demo of n mannequins.
func crowd(t testing.TB, n int) *demo.Demo {
	t.Helper()
	d := built(t)
	if err := d.SetCrowd(n); err != nil {
		t.Fatal(err)
	}
	return d
}

func step(t testing.TB, d *demo.Demo) {
	t.Helper()
	for _, f := range []func(float32) error{d.Scene.RunScripts, d.Scene.StepPhysics, d.Scene.Animate} {
		if err := f(dt); err != nil {
			t.Fatal(err)
		}
	}
}

// joint is where a mannequin's joint is in the world.
func joint(m *scene.Entity, name string) mgl32.Vec3 {
	at := m.World().Mul4(m.Animator.Model()[m.Animator.Skeleton().Joint(name)])
	return at.Col(3).Vec3()
}

// The crowd has as many as asked for, also after changes; no two are at one place
// or in one phase and pace; nobody stands in another or in the house, over time.
func TestTheCrowd(t *testing.T) {
	d := crowd(t, 1)
	entities := 0
	for _, n := range []int{1, 400, 2, 1000, 300} {
		if err := d.SetCrowd(n); err != nil {
			t.Fatal(err)
		}
		if len(d.Mannequins) != n {
			t.Fatalf("there are %d of %d", len(d.Mannequins), n)
		}
		if n == 1 {
			entities = d.Scene.Len()
		} else if more := d.Scene.Len() - entities; more != n && more != n-1 { // and the crowd's own
			t.Fatalf("with %d there are %d entities more than with one", n, more)
		}
	}
	for _, n := range []int{0, demo.MaxCrowd + 1} {
		if d.SetCrowd(n) == nil {
			t.Errorf("it took %d", n)
		}
	}
	start := map[*scene.Entity]mgl32.Vec3{}
	for _, m := range d.Mannequins {
		start[m] = m.WorldPosition()
	}
	states := map[string]int{}
	close, seconds := 0, 20.0
	for at := 0.0; at < seconds; at += dt {
		step(t, d)
		for i, m := range d.Mannequins {
			states[m.Machine().Status(0).State]++
			p := m.WorldPosition()
			if math.Abs(float64(p[0])) < 2.3 && math.Abs(float64(p[2])) < 2.6 || p.Len() > 37 {
				t.Fatalf("at %.2f s %s stands at %v", at, m.Name, p)
			}
			for _, o := range d.Mannequins[i+1:] {
				if away := p.Sub(o.WorldPosition()).Len(); away < 0.25 {
					close++
				}
			}
		}
	}
	steps := float64(len(d.Mannequins)) * seconds / dt
	if float64(close) > 0.004*steps {
		t.Errorf("in %d of %.0f steps one stands in another", close, steps)
	}
	for _, state := range []string{"idle", "walk", "run"} {
		if states[state] < int(steps/200) {
			t.Errorf("only %d of %.0f steps are in state %s", states[state], steps, state)
		}
	}
	moved := 0
	phases := map[[2]float32]bool{}
	for _, m := range d.Mannequins {
		if m.WorldPosition().Sub(start[m]).Len() > 0.5 {
			moved++
		}
		phases[[2]float32{m.Machine().Status(0).Phase, float32(m.Machine().Value("pace"))}] = true
	}
	if moved < len(d.Mannequins)/2 || len(phases) < len(d.Mannequins)-2 {
		t.Errorf("%d of %d moved, with %d phases", moved, len(d.Mannequins), len(phases))
	}
}

// Feet that bear stay where they are: of a walker's heels and toes, one at least is
// nearly still in the world at every moment.
func TestFeetDoNotSlide(t *testing.T) {
	d := crowd(t, 3)
	last := map[string]mgl32.Vec3{}
	heading := map[*scene.Entity]mgl32.Quat{}
	bad, all := 0, 0
	for i := range 60 * 25 {
		step(t, d)
		for _, m := range d.Mannequins[1:] {
			slowest := float32(math.Inf(1))
			for _, foot := range []string{"foot_l", "foot_r", "toe_l", "toe_r"} {
				at := joint(m, foot)
				if from, ok := last[m.Name+foot]; ok {
					slowest = min(slowest, at.Sub(from).Len()/dt)
				}
				last[m.Name+foot] = at
			}
			turns := heading[m] != m.Local.Rotation
			heading[m] = m.Local.Rotation
			if i > 0 && !turns && m.Machine().Status(0).Fading == 1 { // there are no clips for turning, starting and stopping
				all++
				if slowest > 0.5 { // m/s; the walk is 1.4
					bad++
				}
			}
		}
	}
	if float64(bad) > 0.05*float64(all) {
		t.Errorf("in %d of %d steps both feet move", bad, all)
	}
}

// The sword is in the hand of the same frame.
func TestTheSwordStaysInTheHand(t *testing.T) {
	d := crowd(t, 1)
	sword := d.Scene.Find("sword")
	if sword == nil || sword.Parent() != d.Mannequins[0] {
		t.Fatal("the first mannequin has no sword")
	}
	last := sword.WorldPosition()
	moved := 0
	for range 120 {
		step(t, d)
		e := d.Mannequins[0]
		hand := e.World().Mul4(e.Animator.Model()[e.Animator.Skeleton().Joint("hand_r")])
		want := hand.Mul4(sword.Local.Mat4())
		for i, x := range sword.World() {
			if math.Abs(float64(x-want[i])) > 1e-5 {
				t.Fatalf("element %d of the sword's matrix is %v, and of the hand's %v", i, x, want[i])
			}
		}
		if sword.WorldPosition().Sub(last).Len() > 0.005 {
			moved++
		}
		last = sword.WorldPosition()
	}
	if moved < 60 {
		t.Errorf("it moved in %d of 120 frames", moved)
	}
	if err := d.SetCrowd(5); err != nil || d.Scene.Find("sword") != sword {
		t.Errorf("a larger crowd took the sword: %v", err)
	}
}

// A steady crowd makes no garbage.
func TestASteadyCrowdAllocatesNothing(t *testing.T) {
	d := crowd(t, 200)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 200 {
		step(t, d)
	}
	least := uint64(math.MaxUint64)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 10 {
			step(t, d)
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	if least > 0 {
		t.Errorf("10 steps allocate %d times", least)
	}
}

// BenchmarkCrowd is what a step of 1,000 mannequins costs: scripts, physics,
// state machines, poses.
func BenchmarkCrowd(b *testing.B) {
	d := crowd(b, demo.MaxCrowd)
	for range 10 {
		step(b, d)
	}
	b.ReportAllocs()
	for b.Loop() {
		step(b, d)
	}
}
