package machine

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
)

func TestHeroByTheClock(t *testing.T) {
	r := run(t, load(t, hero))
	r.in("ground/idle")
	r.step(0.5).in("ground/idle")
	r.set("speed", 1.5).step(0.1).in("ground/move")
	if s := r.Status(0); s.From != "ground/idle" || s.Fading != 0 || s.Transition != "idle → move" || s.Seconds != 0.3 {
		t.Errorf("%+v", s)
	}
	r.step(0.15)
	if s := r.Status(0); math.Abs(float64(s.Fading)-0.5) > 1e-6 {
		t.Errorf("%+v", s)
	}
	r.step(0.2)
	if s := r.Status(0); s.Fading != 1 || s.From != "" {
		t.Errorf("%+v", s)
	}
	r.set("attack", 1).step(0.1).in("attack")
	if r.Value("attack") != 0 {
		t.Error("the trigger was not taken back")
	}
	r.step(0.1).step(0.1).in("attack") // 0.2 of 0.4 s
	r.step(0.1).in("attack")
	r.step(0.1).in("ground/move") // at 0.8 of 0.5 s, and through idle, as speed says
	if s := r.Status(0); s.From != "attack" {
		t.Errorf("passing through idle hides what is on screen: %+v", s)
	}
	r.set("grounded", 0).set("attack", 1).step(0.1).in("air/fall") // the higher priority
	if r.Value("attack") != 1 {
		t.Error("a trigger was taken that no transition asked for")
	}
	r.step(1).in("air/fall")
	r.set("grounded", 1).step(0.1).in("air/land")
	r.step(0.2).in("air/land")
	r.step(0.1).in("attack") // to the ground, and on by the trigger that still is set
}

func TestTriggersAreSeenByAllLayers(t *testing.T) {
	d := load(t, `{"parameters": [{"name": "go", "type": "trigger"}], "layers": [
		{"name": "a", "machine": {"start": "idle", "states": [{"name": "idle", "clip": "idle"}, {"name": "walk", "clip": "walk"}, {"name": "jog", "clip": "jog"}],
			"transitions": [{"from": "idle", "to": "walk", "when": [{"parameter": "go"}]}, {"from": "walk", "to": "jog", "when": [{"parameter": "go"}]}]}},
		{"name": "b", "machine": {"start": "idle", "states": [{"name": "idle", "clip": "idle"}, {"name": "fall", "clip": "fall"}],
			"transitions": [{"from": "idle", "to": "fall", "when": [{"parameter": "go"}]}]}}]}`)
	r := run(t, d)
	r.set("go", 1).step(0.1).in("walk") // and not on to jog by the same trigger
	if s := r.Status(1).State; s != "fall" {
		t.Errorf("layer 1 is in %q", s)
	}
	r.step(0.1).in("walk")
	r.set("go", 1)
	if err := r.Calm("go"); err != nil {
		t.Fatal(err)
	}
	r.step(0.1).in("walk")
}

// A state entered twice in one frame: the chain of transitions a → b → a → … ends,
// each is entered at most once, and what is on screen does not snap.
func TestNoStateIsEnteredTwiceInOneUpdate(t *testing.T) {
	d := load(t, `{"parameters": [{"name": "on", "type": "bool"}], "layers": [{"name": "a", "machine": {"start": "idle",
		"states": [{"name": "idle", "clip": "idle"}, {"name": "walk", "clip": "walk"}, {"name": "jog", "clip": "jog"}],
		"transitions": [
			{"from": "idle", "to": "walk", "when": [{"parameter": "on"}], "duration": 0.2},
			{"from": "walk", "to": "jog", "when": [{"parameter": "on"}], "duration": 0.3},
			{"from": "jog", "to": "walk", "when": [{"parameter": "on"}], "duration": 0.2},
			{"from": "jog", "to": "idle", "when": [{"parameter": "on"}], "duration": 0.2}
		]}}]}`)
	r := run(t, d)
	r.step(0.3)
	before := r.angle(0)
	r.set("on", 1).step(0)
	r.in("jog")
	if math.Abs(r.angle(0)-before) > 1e-6 {
		t.Errorf("it snapped from %v to %v", before, r.angle(0))
	}
	if s := r.Status(0); s.Seconds != 0.3 || s.From != "idle" {
		t.Errorf("%+v", s)
	}
	// Two calls of Go before one Update: the last counts, once.
	r.set("on", 0)
	for _, state := range []string{"walk", "idle", "walk"} {
		if err := r.Go(0, state, Fade{Duration: 0.5}); err != nil {
			t.Fatal(err)
		}
	}
	r.step(0.1).in("walk")
	if s := r.Status(0); s.Phase != 0.0 && s.Rounds != 0 || s.Seconds != 0.5 {
		t.Errorf("%+v", s)
	}
	if err := r.Go(0, "wakl", Fade{}); !errors.Is(err, ErrState) {
		t.Error(err)
	}
}

func TestExitTimes(t *testing.T) {
	text := func(loop, exit string) string {
		return `{"layers": [{"name": "a", "machine": {"start": "walk",
		"states": [{"name": "walk", "clip": "walk", "loop": "` + loop + `"}, {"name": "idle", "clip": "idle"}],
		"transitions": [{"from": "walk", "to": "idle", "exit": ` + exit + `}]}}]}`
	}
	for _, c := range []struct {
		loop, exit string
		steps      int // of 0.1 s of a clip of 1 s
	}{{"repeat", "0.55", 6}, {"repeat", "2.05", 21}, {"once", "0.95", 10}, {"once", "1", 10}, {"pingpong", "1.35", 14}} {
		for _, speed := range []string{"", `, "speed": -1`} {
			r := run(t, load(t, replaceOnce(text(c.loop, c.exit), `"clip": "walk"`, `"clip": "walk"`+speed)))
			for i := 1; i < c.steps; i++ {
				r.step(0.1).in("walk")
			}
			r.step(0.1001).in("idle")
		}
	}
	// Exit and condition: the condition alone waits for the next round.
	r := run(t, load(t, `{"parameters": [{"name": "x", "type": "int"}], "layers": [{"name": "a", "machine": {"start": "walk",
		"states": [{"name": "walk", "clip": "walk"}, {"name": "idle", "clip": "idle"}],
		"transitions": [{"from": "walk", "to": "idle", "exit": 0.25, "when": [{"parameter": "x", "is": ">=", "value": 2}]}]}}]}`))
	r.step(0.5).set("x", 2).step(0.5).in("walk")
	r.step(0.2).in("walk")
	r.step(0.1).in("idle")
}

func replaceOnce(s, old, new string) string {
	i := 0
	for ; s[i:i+len(old)] != old; i++ {
	}
	return s[:i] + new + s[i+len(old):]
}

// speedOf is the greatest change of any joint between two poses, radians or metres.
func distance(a, b *animation.Pose) float64 {
	var most float64
	for j := range a.Local {
		x, y := &a.Local[j], &b.Local[j]
		most = max(most, float64(turnOf(x.Rotation.Mul(y.Rotation.Conjugate())).Len()), float64(x.Translation.Sub(y.Translation).Len()))
	}
	return most
}

// However transitions interrupt one another, no frame is far from the one before.
// The bound is what the clips and fades themselves move in a frame: a snap between
// the states' means would be many times that.
func TestInterruptionNeverSnaps(t *testing.T) {
	for _, mode := range []string{"fade", "inertial"} {
		text := `{"parameters": [{"name": "to", "type": "int"}], "layers": [{"name": "a", "machine": {"start": "idle", "states": [
			{"name": "idle", "clip": "idle"}, {"name": "attack", "clip": "attack"}, {"name": "fall", "clip": "fall"}], "transitions": [`
		for i, to := range []string{"idle", "attack", "fall"} {
			if i > 0 {
				text += ","
			}
			text += `{"from": "*", "to": "` + to + `", "duration": 0.4, "mode": "` + mode + `", "when": [{"parameter": "to", "is": "==", "value": ` + string(rune('0'+i)) + `}]}`
		}
		r := run(t, load(t, text+`]}}]}`))
		rnd := rand.New(rand.NewPCG(4, 4))
		last := animation.NewPose(r.def.skeleton)
		last.Copy(r.pose)
		const dt = 1.0 / 120
		var most float64
		for range 2000 {
			if rnd.IntN(12) == 0 {
				r.set("to", float64(rnd.IntN(3)))
			}
			r.step(dt)
			most = max(most, distance(r.pose, last))
			last.Copy(r.pose)
		}
		// attack swings by 0.5·2π/0.5 = 6.3 rad/s; a fade over at most 2 rad of
		// difference in 0.4 s adds at most 1.5·2/0.4 = 7.5 rad/s.
		if bound := (6.3 + 7.5) * dt * 1.3; most > bound {
			t.Errorf("%s: a frame moved by %v rad, more than %v", mode, most, bound)
		}
		if most < 0.02 {
			t.Errorf("%s: nothing moved", mode)
		}
	}
}

// A to B and back to A in mid-fade goes back from the pose on screen.
func TestBackInMidFade(t *testing.T) {
	d := load(t, `{"parameters": [{"name": "b", "type": "bool"}], "layers": [{"name": "x", "machine": {"start": "A",
		"states": [{"name": "A", "clip": "fall"}, {"name": "B", "clip": "attack"}],
		"transitions": [
			{"from": "A", "to": "B", "when": [{"parameter": "b"}], "duration": 0.5},
			{"from": "B", "to": "A", "when": [{"parameter": "b", "is": "!=", "value": true}], "duration": 0.5}
		]}}]}`)
	r := run(t, d)
	r.set("b", 1).step(0.01)
	for range 25 {
		r.step(0.01)
	}
	before := r.angle(2)
	r.set("b", 0).step(0.01)
	if s := r.Status(0); !s.Held || s.State != "A" {
		t.Fatalf("%+v", s)
	}
	if math.Abs(r.angle(2)-before) > 0.1 || math.Abs(r.angle(2)-(-0.5)) < 0.3 {
		t.Errorf("from %v to %v: it snapped", before, r.angle(2))
	}
	for range 60 {
		r.step(0.01)
	}
	if a := r.angle(2); math.Abs(a+0.5) > 0.11 {
		t.Errorf("back in A at %v", a)
	}
}

// An inertial transition leaves the velocity as it was: over a frame there is no
// kink, where a fade of zero length would have a jump.
func TestInertialKeepsPositionAndVelocity(t *testing.T) {
	d := load(t, `{"parameters": [{"name": "go", "type": "trigger"}], "layers": [{"name": "x", "machine": {"start": "A",
		"states": [{"name": "A", "clip": "wave"}, {"name": "B", "clip": "idle"}],
		"transitions": [{"from": "A", "to": "B", "when": [{"parameter": "go"}], "duration": 0.5, "mode": "inertial"}]}}]}`)
	r := run(t, d)
	const dt = 1.0 / 240
	var angles []float64
	for i := range 240 {
		if i == 100 {
			r.set("go", 1)
		}
		r.step(dt)
		angles = append(angles, r.angle(1))
	}
	for i := 2; i < len(angles); i++ {
		v0, v1 := angles[i-1]-angles[i-2], angles[i]-angles[i-1]
		if math.Abs(v1-v0) > 5e-3 { // the keys' own kinks are up to 3.4e-3; velocity lost would be 1.1e-2
			t.Fatalf("frame %d: a step of %v follows one of %v", i, v1, v0)
		}
	}
	r.in("B")
	r.step(0.2)
	if s := r.Status(0); s.Fading != 1 {
		t.Errorf("%+v", s)
	}
	if want := 0.05 * math.Sin(2*math.Pi*float64(r.Playing(0, nil)[0].Time)/2); math.Abs(r.angle(1)-want) > 0.002 {
		t.Errorf("after it, at %v, want the clip alone, %v", r.angle(1), want)
	}
}

// Declared in any order, the machine does the same, bit for bit.
func TestDeclarationOrderDoesNotMatter(t *testing.T) {
	g, err := Parse([]byte(hero))
	if err != nil {
		t.Fatal(err)
	}
	g.Layers[0].Machine.Transitions = append(g.Layers[0].Machine.Transitions,
		Transition{From: "*", To: "attack", Self: true, When: []Condition{{Parameter: "mood", Is: "==", Value: 3}}},
		Transition{From: "ground", To: "air", When: []Condition{{Parameter: "mood", Is: ">", Value: 2}}},
		Transition{From: "ground", To: "attack", When: []Condition{{Parameter: "mood", Is: ">", Value: 2}}, Duration: 0.3})
	var want []animation.Transform
	for seed := range uint64(6) {
		h := g.Clone()
		rnd := rand.New(rand.NewPCG(seed, 0))
		if seed > 0 {
			rnd.Shuffle(len(h.Parameters), func(i, j int) { h.Parameters[i], h.Parameters[j] = h.Parameters[j], h.Parameters[i] })
			shuffle(rnd, &h.Layers[0].Machine)
		}
		d, err := Compile(h, skeleton(), clips(t))
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, d)
		input := rand.New(rand.NewPCG(9, 9))
		var got []animation.Transform
		for range 600 {
			switch input.IntN(10) {
			case 0:
				r.set("speed", 4*input.Float64()-0.5)
			case 1:
				r.set("grounded", float64(input.IntN(2)))
			case 2:
				r.set("attack", 1)
			case 3:
				r.set("mood", float64(input.IntN(5)))
			case 4:
				r.set("arm", input.Float64())
			}
			r.step(input.Float32() / 20)
			got = append(got, r.pose.Local...)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Fatalf("shuffled by %d it plays otherwise", seed)
		}
	}
}

func shuffle(r *rand.Rand, m *Machine) {
	r.Shuffle(len(m.States), func(i, j int) { m.States[i], m.States[j] = m.States[j], m.States[i] })
	r.Shuffle(len(m.Transitions), func(i, j int) {
		m.Transitions[i], m.Transitions[j] = m.Transitions[j], m.Transitions[i]
	})
	for i := range m.States {
		if b := m.States[i].Blend; b != nil {
			slices.Reverse(b.Points)
		}
		if m.States[i].Machine != nil {
			shuffle(r, m.States[i].Machine)
		}
	}
}

// A recorded run of parameters, written as JSON and read back, replays to the same
// poses bit for bit.
func TestReplay(t *testing.T) {
	d := load(t, hero)
	m, scratch, pose := New(d), NewScratch(d), animation.NewPose(d.skeleton)
	var tape Recording
	m.Record(&tape)
	input := rand.New(rand.NewPCG(5, 5))
	var want []animation.Transform
	for range 400 {
		var err error
		switch input.IntN(8) {
		case 0:
			err = m.SetFloat("speed", 4*input.Float32())
		case 1:
			err = m.SetBool("grounded", input.IntN(2) == 0)
		case 2:
			err = m.Fire("attack")
		case 3:
			err = m.Go(0, "ground/idle", Fade{0.3, true})
		case 4:
			err = m.SetFloat("arm", input.Float32())
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Update(input.Float32()/30, scratch, pose); err != nil {
			t.Fatal(err)
		}
		want = append(want, pose.Local...)
	}
	text, err := json.Marshal(tape)
	if err != nil {
		t.Fatal(err)
	}
	var back Recording
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	var got []animation.Transform
	if err := Replay(d, &back, func(_ int, _ *Instance, p *animation.Pose) { got = append(got, p.Local...) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Error("the replay differs")
	}
	back.Steps[3].Set = []Set{{"nothing", 1}}
	if err := Replay(d, &back, func(int, *Instance, *animation.Pose) {}); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
}

// One entity's transition must not touch another's.
func TestInstancesAreIndependent(t *testing.T) {
	d := load(t, hero)
	a, b, alone := run(t, d), run(t, d), run(t, d)
	b.scratch = a.scratch
	for i := range 60 {
		if i == 10 {
			a.set("speed", 3).set("attack", 1)
		}
		if i == 30 {
			a.set("grounded", 0)
		}
		a.step(1.0 / 60)
		b.step(1.0 / 60)
		alone.step(1.0 / 60)
		if !slices.Equal(b.pose.Local, alone.pose.Local) {
			t.Fatalf("frame %d: another entity's transition moved this one", i)
		}
	}
	a.in("air/fall")
	b.in("ground/idle")
}

func TestBadStepsAndValuesChangeNothing(t *testing.T) {
	r := run(t, load(t, hero))
	r.set("speed", 2).step(0.1)
	before := *r.pose
	before.Local = slices.Clone(r.pose.Local)
	for _, dt := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), -1, 1e9} {
		if err := r.Update(dt, r.scratch, r.pose); !errors.Is(err, animation.ErrTimeStep) {
			t.Errorf("step %v: %v", dt, err)
		}
	}
	for name, x := range map[string]float64{"speed": math.NaN(), "mood": 1.5, "grounded": 2, "attack": -1, "nothing": 0} {
		if err := r.Set(name, x); !errors.Is(err, ErrParameter) {
			t.Errorf("%s = %v: %v", name, x, err)
		}
	}
	if err := r.SetInt("speed", 1); !errors.Is(err, ErrParameter) {
		t.Error(err)
	}
	if !slices.Equal(before.Local, r.pose.Local) {
		t.Error("a refused step moved the pose")
	}
	r.step(0.1).in("ground/move")
	if err := r.Update(0.1, NewScratch(load(t, hero)), r.pose); !errors.Is(err, animation.ErrJob) {
		t.Error(err)
	}
}

func TestLayers(t *testing.T) {
	r := run(t, load(t, hero))
	r.set("arm", 1).step(0.25)
	idle := 0.05 * math.Sin(2*math.Pi*0.125)
	wave := 0.5 + 0.5
	// breath adds half of the idle clip's own difference to rest, on every joint.
	for joint, want := range map[int]float64{1: 1.5 * idle, 3: wave + 0.5*idle, 2: (idle+wave)/2 + 0.5*idle} {
		if got := r.angle(joint); math.Abs(got-want) > 0.01 {
			t.Errorf("joint %d at %v, want %v", joint, got, want)
		}
	}
	r.set("arm", 0).step(0)
	if got := r.angle(3); math.Abs(got-1.5*idle) > 0.01 {
		t.Errorf("without the layer at %v, want %v", got, 1.5*idle)
	}
}

// A layer masked out completely does not turn the additive layer after it into
// the base.
func TestMaskedOutLayerUnderAnAdditiveOne(t *testing.T) {
	text := func(mask string) string {
		return `{"layers": [
		{"name": "base", "machine": {"start": "fall", "states": [{"name": "fall", "clip": "fall"}]}},
		{"name": "out", "mask": {` + mask + `}, "machine": {"start": "wave", "states": [{"name": "wave", "clip": "wave"}]}},
		{"name": "add", "mode": "additive", "machine": {"start": "idle", "states": [{"name": "idle", "clip": "idle"}]}}]}`
	}
	r := run(t, load(t, text(`"root": 0`)))
	r.step(0.25)
	if want := -0.4 + 0.05*math.Sin(2*math.Pi*0.125); math.Abs(r.angle(1)-want) > 0.01 {
		t.Errorf("at %v, want %v", r.angle(1), want)
	}
}

func TestRootMotionOfTheMachine(t *testing.T) {
	r := run(t, load(t, hero))
	go10 := func(n int) (z float64) {
		for range n {
			r.step(0.1)
			z += float64(r.Motion().Translation[2])
		}
		return z
	}
	if z := go10(10); z != 0 {
		t.Errorf("idle went %v m", z)
	}
	r.set("speed", 1.5).step(0.1)
	r.step(0.5)
	if z := go10(10); math.Abs(z-1.5) > 1e-3 {
		t.Errorf("walking a second went %v m", z)
	}
	r.set("speed", 2.25).step(0)
	// Half and half: a round of 0.9 s goes (1.5 + 2.4)/2 m.
	if z := go10(9); math.Abs(z-1.95) > 1e-3 {
		t.Errorf("a round half-way went %v m, want 1.95", z)
	}
	// The frame in which a transition begins still belongs to what was on screen.
	r.set("grounded", 0).step(0.09)
	if z := r.Motion().Translation[2]; math.Abs(float64(z)-0.195) > 1e-3 {
		t.Errorf("the frame of the transition went %v m", z)
	}
	r.step(10).step(0.1)
	if m := r.Motion(); m != (animation.Motion{}) {
		t.Errorf("falling went %v", m)
	}
}

func TestEventsAndCurves(t *testing.T) {
	r := run(t, load(t, hero))
	r.set("attack", 1).step(0.1)
	var names []string
	for range 4 {
		r.step(0.1)
		for _, e := range r.Events(0) {
			names = append(names, e.Name)
		}
		if s := r.Status(0); s.State == "attack" && s.Fading == 1 {
			at := r.Playing(0, nil)[0].Time
			if got := r.Curve("glow"); math.Abs(float64(got-2*at)) > 1e-5 {
				t.Errorf("glow is %v at %v s", got, at)
			}
		}
	}
	if !slices.Equal(names, []string{"hit"}) {
		t.Errorf("events %v", names)
	}
	if r.Curve("nothing") != 0 {
		t.Error("a curve that is not there")
	}
}

// An event at the very end of a clip that plays once is passed, though the state
// is left in the same step.
func TestTheLastEventIsNotLost(t *testing.T) {
	r := run(t, load(t, `{"layers": [{"name": "a", "machine": {"start": "attack",
		"states": [{"name": "attack", "clip": "attack", "loop": "once"}, {"name": "idle", "clip": "idle"}],
		"transitions": [{"from": "attack", "to": "idle", "exit": 1}]}}]}`))
	var names []string
	for range 4 {
		r.step(0.3)
		for _, e := range r.Events(0) {
			names = append(names, e.Name)
		}
	}
	if !slices.Equal(names, []string{"hit", "done"}) {
		t.Errorf("events %v", names)
	}
}

func TestAdopt(t *testing.T) {
	d := load(t, hero)
	r := run(t, d)
	r.set("speed", 2).step(0.1)
	r.step(0.7)
	g := d.Graph().Clone()
	g.Layers[0].Machine.Transitions[0].Duration = 2
	slices.Reverse(g.Layers[0].Machine.States)
	edited, err := Compile(g, skeleton(), clips(t))
	if err != nil {
		t.Fatal(err)
	}
	before := r.Status(0)
	r.Instance, r.scratch = r.Adopt(edited), NewScratch(edited)
	pose := slices.Clone(r.pose.Local)
	r.step(0).in("ground/move")
	if after := r.Status(0); math.Abs(float64(after.Phase-before.Phase)) > 1e-6 || r.Value("speed") != 2 {
		t.Errorf("%+v, before %+v", after, before)
	}
	if x := r.pose.Local[1].Rotation.Dot(pose[1].Rotation); math.Abs(float64(x)) < 1-1e-6 {
		t.Errorf("adopting moved the pose: %v", x)
	}
}

func TestUpdateAllocatesNothing(t *testing.T) {
	r := run(t, load(t, hero))
	frame := 0
	n := testing.AllocsPerRun(600, func() {
		frame++
		r.values[r.def.byName["speed"]] = float64(frame%90) / 30
		r.values[r.def.byName["attack"]] = float64(frame / 50 % 2)
		r.values[r.def.byName["grounded"]] = float64(frame / 130 % 2)
		r.step(1.0 / 60)
		r.Motion()
		r.Curve("glow")
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// An Animator takes a machine as its driver.
func TestDriver(t *testing.T) {
	d := load(t, hero)
	a := animation.NewAnimator(skeleton(), nil, nil)
	a.Drive(Driver{New(d), NewScratch(d)})
	r := run(t, d)
	for range 5 {
		if err := a.Update(0.1); err != nil {
			t.Fatal(err)
		}
		r.step(0.1)
	}
	if !slices.Equal(a.Pose().Local, r.pose.Local) || a.Motion() != r.Motion() {
		t.Error("the driven animator differs from the machine")
	}
	a.Paused = true
	if err := a.Update(0.1); err != nil || !slices.Equal(a.Pose().Local, r.pose.Local) {
		t.Error("a paused animator moved")
	}
	a.Drive(nil)
	if err := a.Update(0.1); err != nil || a.Driver() != nil {
		t.Error(err)
	}
}

// A crowd of machines over several workers has the poses of one worker, bit for
// bit, though drivers borrow their scratch.
func TestCrowdOfMachines(t *testing.T) {
	d := load(t, hero)
	crowd := func() ([]*animation.Animator, []*Instance) {
		var all []*animation.Animator
		var ms []*Instance
		for range 60 {
			a, m := animation.NewAnimator(skeleton(), nil, nil), New(d)
			a.Drive(Driver{Instance: m})
			all, ms = append(all, a), append(ms, m)
		}
		return all, ms
	}
	var want [][]animation.Transform
	for _, workers := range []int{1, 2, 5} {
		pool := animation.NewPool(workers)
		all, ms := crowd()
		input := rand.New(rand.NewPCG(8, 8))
		for range 100 {
			for _, m := range ms {
				if input.IntN(10) == 0 {
					if err := errors.Join(m.SetFloat("speed", 3*input.Float32()), m.SetBool("grounded", input.IntN(3) > 0)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := pool.UpdateAll(all, 1.0/60); err != nil {
				t.Fatal(err)
			}
		}
		pool.Close()
		for i, a := range all {
			if workers == 1 {
				want = append(want, a.Pose().Local)
			} else if !slices.Equal(a.Pose().Local, want[i]) {
				t.Fatalf("%d workers: character %d differs", workers, i)
			}
		}
	}
}

// A plane of four walks: the weights follow two parameters, and a round takes the
// mean of the clips' lengths.
func TestPlaneState(t *testing.T) {
	d := load(t, `{"parameters": [{"name": "x", "type": "float"}, {"name": "y", "type": "float"}],
		"layers": [{"name": "a", "machine": {"start": "m", "states": [{"name": "m", "blend": {"x": "x", "y": "y", "points": [
			{"clip": "walk", "x": 0, "y": 0}, {"clip": "jog", "x": 1, "y": 0}, {"clip": "fall", "x": 0, "y": 1}, {"clip": "idle", "x": 1, "y": 1}]}}]}}]}`)
	r := run(t, d)
	r.set("x", 0.25).set("y", 0.25).step(0.1)
	var sum float32
	for _, p := range r.Playing(0, nil) {
		sum += p.Weight
		if u := p.Time / p.Clip.Duration; math.Abs(float64(u-r.Status(0).Phase)) > 1e-5 {
			t.Errorf("%s is at %v of its round, the state at %v", p.Clip.Name, u, r.Status(0).Phase)
		}
	}
	if math.Abs(float64(sum)-1) > 1e-5 || len(r.Playing(0, nil)) < 2 {
		t.Errorf("%+v", r.Playing(0, nil))
	}
	r.set("x", 1).set("y", 0).step(0)
	before := r.Status(0).Phase
	r.step(0.2)
	if got := r.Status(0).Phase - before; math.Abs(float64(got)-0.25) > 1e-5 {
		t.Errorf("0.2 s of the jog alone are %v of a round of 0.8 s", got)
	}
}

// A transition with phase starts the new state where in its round the old one is,
// and a solid one is not interrupted.
func TestPhaseAndSolid(t *testing.T) {
	r := run(t, load(t, `{"parameters": [{"name": "to", "type": "int"}], "layers": [{"name": "a", "machine": {"start": "walk",
		"states": [{"name": "walk", "clip": "walk"}, {"name": "jog", "clip": "jog"}, {"name": "fall", "clip": "fall"}],
		"transitions": [
			{"from": "walk", "to": "jog", "when": [{"parameter": "to", "is": "==", "value": 1}], "duration": 0.3, "phase": true, "solid": true},
			{"from": "*", "to": "fall", "when": [{"parameter": "to", "is": "==", "value": 2}], "duration": 0.3}
		]}}]}`))
	r.step(0.35).set("to", 1).step(0).in("jog")
	if got := r.Status(0).Phase; math.Abs(float64(got)-0.35) > 1e-6 {
		t.Errorf("the jog starts at %v of its round", got)
	}
	r.set("to", 2).step(0.1).in("jog")
	r.step(0.1).in("jog")
	r.step(0.11).in("fall")
}

// A speed beyond all reason makes no events, no motion and no NaN.
func TestAbsurdSpeeds(t *testing.T) {
	d := load(t, `{"parameters": [{"name": "v", "type": "float"}], "layers": [{"name": "a", "machine": {"start": "walk",
		"states": [{"name": "walk", "clip": "walk", "speedParameter": "v"}]}}]}`)
	for _, v := range []float64{math.MaxFloat32, -math.MaxFloat32, 1e13, 1e-30} {
		r := run(t, d)
		r.set("v", v).step(1).step(1)
		m := r.Motion().Translation
		if x := r.angle(1); x != x || m[2] != m[2] || math.IsInf(float64(m[2]), 0) {
			t.Errorf("at speed %v the hips are at %v, the entity went %v", v, x, m)
		}
	}
}
