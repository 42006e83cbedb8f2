package animation

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// walker is a clip of a second that walks the joint 2 m along +z, sways it and
// turns it by so much, on a skeleton whose joint hangs under a root that is
// turned, moved and scaled: the skeleton's root is not the hips.
func walking(turn float64, how Interpolation) (*Skeleton, *Clip) {
	s := named("armature", "hips", "head")
	s.Parents = []int32{-1, 0, 1}
	s.Rest[0] = Transform{
		Translation: mgl32.Vec3{0.5, 1, -2},
		Rotation:    mgl32.QuatRotate(-math.Pi/2, mgl32.Vec3{1, 0, 0}),
		Scale:       mgl32.Vec3{0.01, 0.01, 0.01},
	}
	up := s.Rest[0].Mat4()
	tr := Track{Joint: 1, Path: Translation, Width: 3}
	rot := Track{Joint: 1, Path: Rotation, Width: 4}
	for k := range 5 {
		u := float64(k) / 4
		tr.Times = append(tr.Times, float32(u))
		at := mgl32.TransformCoordinate(mgl32.Vec3{float32(0.1 * math.Sin(2*math.Pi*u)), 1 + float32(0.05*math.Sin(4*math.Pi*u)), float32(2 * u)}, up.Inv())
		local := s.Rest[0].Rotation.Conjugate().Mul(yaw(turn * u)).Mul(mgl32.QuatRotate(0.3, mgl32.Vec3{1, 0, 0}))
		if how == CubicSpline {
			tr.Values = append(append(append(tr.Values, 0, 0, 0), at[:]...), 0, 0, 0)
			rot.Values = append(append(append(rot.Values, 0, 0, 0, 0), xyzw(local)...), 0, 0, 0, 0)
		} else {
			tr.Values = append(tr.Values, at[:]...)
			rot.Values = append(rot.Values, xyzw(local)...)
		}
	}
	rot.Times = tr.Times
	tr.Interpolation, rot.Interpolation = how, how
	return s, &Clip{Name: "walk", Duration: 1, Tracks: []Track{tr, rot}}
}

func extracted(t testing.TB, c *Clip, s *Skeleton, joint int32, axes RootAxes) *Clip {
	t.Helper()
	out, err := ExtractRoot(c, s, joint, axes)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var ground = RootAxes{X: true, Z: true, Yaw: true}

// Entity and joint together are where the clip has the joint, at every time,
// whatever is extracted and however keys are interpolated.
func TestRootMotionAndJointTogetherAreTheClip(t *testing.T) {
	for _, how := range []Interpolation{Linear, CubicSpline, Step} {
		s, clip := walking(math.Pi/2, how)
		for bits := range 16 {
			axes := RootAxes{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0}
			moving := extracted(t, clip, s, 1, axes)
			for _, at := range []float32{0, 0.1, 0.33, 0.5, 0.99, 1} {
				want, got := make([]mgl32.Mat4, 3), make([]mgl32.Mat4, 3)
				sampleAt(t, s, clip, at, makeCursors(clip)).ToModel(s, want)
				sampleAt(t, s, moving, at, makeCursors(clip)).ToModel(s, got)
				entity := Span{To: float64(at)}.Motion(s, moving).Apply(Identity()).Mat4()
				for j := 1; j < 3; j++ {
					m := entity.Mul4(got[j])
					for c := range m {
						if !near(m[c], want[j][c], 2e-5) {
							t.Fatalf("%v, axes %v, at %v: joint %d\n%v, want\n%v", how, axes, at, j, m, want[j])
						}
					}
				}
			}
		}
	}
}

func TestRootMotionPerAxis(t *testing.T) {
	s, clip := walking(0, Linear)
	m := Span{To: 0.25}.Motion(s, extracted(t, clip, s, 1, RootAxes{Z: true}))
	if m.Translation[0] != 0 || m.Translation[1] != 0 || !near(m.Translation[2], 0.5, 1e-5) || m.Yaw != 0 {
		t.Errorf("%v", m)
	}
	m = Span{To: 0.25}.Motion(s, extracted(t, clip, s, 1, RootAxes{X: true}))
	if !near(m.Translation[0], 0.1, 1e-5) || m.Translation[2] != 0 {
		t.Errorf("%v", m)
	}
	if m := (Span{To: 0.25}).Motion(s, clip); m != (Motion{}) {
		t.Errorf("a clip without root motion moved: %v", m)
	}
}

// travel plays the clip and moves an entity by it for so many seconds.
func travel(t testing.TB, s *Skeleton, c *Clip, seconds float64, dt func() float64, speed float32, loop Loop) Transform {
	t.Helper()
	p := NewPlayer(s)
	p.Speed, p.Loop = speed, loop
	mustPlay(t, p, c, 0)
	entity := Identity()
	for now := 0.0; now < seconds; {
		d := min(dt(), seconds-now)
		step(t, p, float32(d))
		entity = p.Motion().Apply(entity)
		now += d
	}
	return entity
}

// A 90° turn turns 90° at any frame rate, and rounds add up: four of them close
// the square.
func TestRootMotionAtAnyFrameRate(t *testing.T) {
	s, clip := walking(math.Pi/2, Linear)
	moving := extracted(t, clip, s, 1, ground)
	r := rand.New(rand.NewPCG(1, 2))
	for name, dt := range map[string]func() float64{
		"10 Hz":      func() float64 { return 0.1 },
		"60 Hz":      func() float64 { return 1.0 / 60 },
		"240 Hz":     func() float64 { return 1.0 / 240 },
		"irregular":  func() float64 { return 0.2 * r.Float64() },
		"whole":      func() float64 { return 1 },
		"two rounds": func() float64 { return 2 },
	} {
		for rounds := 1; rounds <= 4; rounds++ {
			got := travel(t, s, moving, float64(rounds), dt, 1, Repeat)
			if !quatNear(got.Rotation, yaw(float64(rounds)*math.Pi/2), 1e-6) {
				t.Errorf("%s: %d rounds turn to %v", name, rounds, got.Rotation)
			}
			if rounds == 4 && got.Translation.Len() > 1e-3 {
				t.Errorf("%s: the square ends at %v", name, got.Translation)
			}
		}
	}
}

func TestRootMotionReversesWithTheClip(t *testing.T) {
	s, clip := walking(math.Pi/3, Linear)
	moving := extracted(t, clip, s, 1, ground)
	dt := func() float64 { return 0.07 }
	p := NewPlayer(s)
	mustPlay(t, p, moving, 0)
	entity := Identity()
	for range 50 {
		step(t, p, float32(dt()))
		entity = p.Motion().Apply(entity)
	}
	if entity.Translation.Len() < 0.5 {
		t.Fatalf("it did not go: %v", entity)
	}
	p.Speed = -1
	for range 50 {
		step(t, p, float32(dt()))
		entity = p.Motion().Apply(entity)
	}
	if entity.Translation.Len() > 1e-3 || !quatNear(entity.Rotation, mgl32.QuatIdent(), 1e-5) {
		t.Errorf("there and back ends at %v", entity)
	}
	// A ping-pong comes back by itself.
	got := travel(t, s, moving, 4, dt, 1, PingPong)
	if got.Translation.Len() > 1e-3 {
		t.Errorf("ping-pong ends at %v", got)
	}
	// Once stops at the end.
	got = travel(t, s, moving, 7, dt, 1, Once)
	if !near(got.Translation[2], 2, 1e-3) {
		t.Errorf("once ends at %v", got)
	}
}

func TestRootMotionOfASeekIsNone(t *testing.T) {
	s, clip := walking(0, Linear)
	p := NewPlayer(s)
	mustPlay(t, p, extracted(t, clip, s, 1, ground), 0)
	step(t, p, 0.1)
	if err := p.Seek(0.9); err != nil {
		t.Fatal(err)
	}
	step(t, p, 0.05)
	if z := p.Motion().Translation[2]; !near(z, 0.1, 1e-5) {
		t.Errorf("moved %v over a seek, want 0.1", z)
	}
	step(t, p, 0)
	if m := p.Motion(); m != (Motion{}) {
		t.Errorf("no time, but %v", m)
	}
	p.Paused = true
	step(t, p, 0.1)
	if m := p.Motion(); m != (Motion{}) {
		t.Errorf("paused, but %v", m)
	}
}

func TestRootMotionBlendsInAFade(t *testing.T) {
	s, clip := walking(0, Linear)
	p := NewPlayer(s)
	mustPlay(t, p, extracted(t, clip, s, 1, ground), 0)
	step(t, p, 0.25)
	mustPlay(t, p, clip, 1) // the same without root motion
	step(t, p, 0.5)         // half of the fade, an even blend
	if z := p.Motion().Translation[2]; !near(z, 0.5, 1e-4) {
		t.Errorf("moved %v, want half of 1 m", z)
	}
	mustPlay(t, p, clip, 1) // interrupted: the pose is held
	step(t, p, 0.1)
	if z := p.Motion().Translation[2]; z != 0 {
		t.Errorf("a held pose moved by %v", z)
	}
}

func TestBindByNameKeepsRootMotionCurvesAndEvents(t *testing.T) {
	s, clip := walking(1, Linear)
	clip.Events, clip.Curves = []Event{{"step", 0.5}}, []Curve{{Name: "c", Times: []float32{0}, Values: []float32{1}}}
	moving := extracted(t, clip, s, 1, ground)
	to := named("hips", "x")
	to.Parents = []int32{-1, -1}
	bound, unbound := BindByName(moving, s, to)
	if bound.Root == nil || bound.Root.Joint != 0 || len(bound.Events) != 1 || len(bound.Curves) != 1 || unbound != nil {
		t.Errorf("%+v, unbound %v", bound, unbound)
	}
	if bound, unbound = BindByName(moving, s, named("x")); bound.Root != nil || len(unbound) != 1 {
		t.Errorf("%+v, unbound %v", bound, unbound)
	}
}
