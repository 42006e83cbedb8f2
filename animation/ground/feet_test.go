package ground_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// clearances is how high each sole is over the ground, metres.
func (w *walker) clearances(t testing.TB, g ground.Ground) []float32 {
	t.Helper()
	var out []float32
	for i := range w.soles {
		c := ground.Contact{Soles: w.soles[i : i+1], Model: w.a.Model(), World: w.a.World, Ground: g}
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
		out = append(out, c.Clearance)
	}
	return out
}

// On a slope across, both feet of whoever stands meet it, flat.
func TestBothFeetMeetASlope(t *testing.T) {
	for _, p := range people[:4] {
		t.Run(p.name, func(t *testing.T) {
			c := p.load(t)
			slope := ground.Func(func(x, z float32) float32 { return 0.27*x + 0.1*z + 3 }) // 16°
			rest := make([]mgl32.Mat4, c.model.Skeleton.Len())
			animation.NewPose(c.model.Skeleton).ToModel(c.model.Skeleton, rest)
			for _, turn := range []float32{0, 70, 180, 250} {
				w := newWalker(t, c, nil, slope)
				w.stance.Feet = ground.NewFootIK(c.soles)
				w.at.Rotation = mgl32.QuatRotate(mgl32.DegToRad(turn), mgl32.Vec3{0, 1, 0})
				for range 60 {
					w.step(t, 1.0/60)
				}
				for i, h := range w.clearances(t, slope) {
					if abs(h) > 2e-3 {
						t.Errorf("turned by %v°: the sole %s is %.1f mm over the ground", turn, c.soles[i].Name, 1000*h)
					}
					// Flat: what the foot alone moves and is low at rest is near.
					var far float32
					for v := range c.soles[i].Len() {
						n := c.soles[i].Influences[c.soles[i].Starts[v]:c.soles[i].Starts[v+1]]
						if c.soles[i].At(v, rest)[1]-c.soles[i].Level < 0.003 && (n[0].Joint == c.soles[i].Foot.Foot || n[0].Joint == c.soles[i].Toe) && n[0].Weight > 0.99 {
							at := mgl32.TransformCoordinate(c.soles[i].At(v, w.a.Model()), w.a.World)
							far = max(far, at[1]-slope(at[0], at[2]))
						}
					}
					if far > 0.006 {
						t.Errorf("turned by %v°: the sole %s is %.1f mm off flat", turn, c.soles[i].Name, 1000*far)
					}
				}
			}
		})
	}
}

func TestFeetFollowHillsByIK(t *testing.T) {
	for _, p := range []struct {
		load func(testing.TB) *character
		clip string
	}{{demoMannequin, "walk"}, {demoMannequin, "run"}, {pab, "walk"}, {kayKit, "Rig_Medium|Walking_A"}, {fox, "Walk"}, {demoCarrier, "walk"}} {
		c := p.load(t)
		t.Run(c.name+" "+p.clip, func(t *testing.T) {
			w := newWalker(t, c, c.clip(p.clip), hills)
			w.stance.Feet = ground.NewFootIK(c.soles)
			flat := newWalker(t, c, c.clip(p.clip), ground.Flat(0)) // for comparison
			flatKnees := make([]mgl32.Vec3, len(c.soles))
			var flatKick float32
			if c.name == "Fox" {
				flat.at.Scale = mgl32.Vec3{0.02, 0.02, 0.02}
				w.at.Scale = mgl32.Vec3{0.02, 0.02, 0.02}
			}
			if w.speed = 1.4; c.name == "pab" {
				w.speed = 0
			}
			flat.speed = w.speed
			var deep, pop, kick, float float32
			var last float32
			knees := make([]mgl32.Vec3, len(c.soles))
			locked, slid := 0, float32(0)
			before := make([][]mgl32.Vec3, len(c.soles))
			held := make([]bool, len(c.soles))
			for i := range 60 * 15 {
				w.step(t, 1.0/60)
				flat.step(t, 1.0/60)
				y := w.at.Translation[1] + w.stance.Lift
				for f := range c.soles {
					s := &c.soles[f]
					knee := mgl32.TransformCoordinate(w.a.Model()[s.Knee].Col(3).Vec3(), w.a.World)
					if i > 0 {
						kick = max(kick, knee.Sub(knees[f]).Len())
					}
					knees[f] = knee
					knee = mgl32.TransformCoordinate(flat.a.Model()[s.Knee].Col(3).Vec3(), flat.a.World)
					if i > 0 {
						flatKick = max(flatKick, knee.Sub(flatKnees[f]).Len())
					}
					flatKnees[f] = knee
					points := make([]mgl32.Vec3, s.Len())
					s.Points(w.a.Model(), points)
					low := 0
					for v := range points {
						points[v] = mgl32.TransformCoordinate(points[v], w.a.World)
						if points[v][1]-hills(points[v][0], points[v][2]) < points[low][1]-hills(points[low][0], points[low][2]) {
							low = v
						}
					}
					if held[f] && w.stance.Feet.Locked(f) {
						d := points[low].Sub(before[f][low])
						d[1] = 0
						slid = max(slid, d.Len())
						locked++
					}
					before[f], held[f] = points, w.stance.Feet.Locked(f)
				}
				if i > 0 {
					pop = max(pop, abs(y-last))
					own := flat.clearances(t, ground.Flat(0))
					for f, h := range w.clearances(t, hills) {
						if own[f] < 2e-3 { // the clip has it stand
							float = max(float, h)
						}
					}
				}
				last = y
				if i%11 == 0 {
					deep = max(deep, w.depth(t, hills))
				}
			}
			t.Logf("at most %.1f mm deep; a foot that stands at most %.1f mm up; the root moves %.1f mm a frame, a knee %.1f mm (%.1f on the flat); locked in %d frames of a foot, sliding %.1f mm in one", 1000*deep, 1000*float, 1000*pop, 1000*kick, 1000*flatKick, locked, 1000*slid)
			if deep > 0.01 {
				t.Errorf("it sinks %.1f cm in", 100*deep)
			}
			if float > 0.01 && c.name != "carrier" || float > 0.06 {
				t.Errorf("a foot that stands is %.1f cm up", 100*float)
			}
			if pop > 0.05 {
				t.Errorf("the root pops by %.1f cm", 100*pop)
			}
			if kick > 2*flatKick {
				t.Errorf("a knee pops by %.1f cm", 100*kick)
			}
			if slid > 0.006 {
				t.Errorf("a locked foot slides %.1f mm in a frame", 1000*slid)
			}
		})
	}
}

// A walk that is 10 % too slow for its clip slides; locked feet do not.
func TestLockedFeetDoNotSlide(t *testing.T) {
	c := demoMannequin(t)
	slide := func(lock bool) (worst float32, locked int) {
		w := newWalker(t, c, c.clip("walk"), ground.Flat(0))
		w.stance.Feet = ground.NewFootIK(c.soles)
		w.stance.Feet.Lock = lock
		w.speed = 0.9 * 1.4
		before := make([][]mgl32.Vec3, len(c.soles))
		held := make([]bool, len(c.soles))
		for range 300 {
			w.step(t, 1.0/60)
			for f := range c.soles {
				s := &c.soles[f]
				points := make([]mgl32.Vec3, s.Len())
				s.Points(w.a.Model(), points)
				low := 0
				for v := range points {
					points[v] = mgl32.TransformCoordinate(points[v], w.a.World)
					if points[v][1] < points[low][1] {
						low = v
					}
				}
				now := w.stance.Feet.Locked(f)
				if !lock {
					now = points[low][1] < 1e-3
				}
				if held[f] && now {
					d := points[low].Sub(before[f][low])
					d[1] = 0
					worst = max(worst, d.Len())
					locked++
				}
				before[f], held[f] = points, now
			}
		}
		return worst, locked
	}
	free, _ := slide(false)
	held, locked := slide(true)
	t.Logf("at most %.2f mm a frame locked, in %d frames; %.2f mm free", 1000*held, locked, 1000*free)
	if held > 1e-3 || locked < 200 || free < 2e-3 {
		t.Errorf("at most %v m a frame locked, in %d frames; %v m free", held, locked, free)
	}
}

// However the world is turned or mirrored, the rig scaled and the entity placed, the
// body stands the same.
func TestStanceIsTheSameInAnyFrame(t *testing.T) {
	scaled := func(c *character, by float32) *character {
		m := *c.model
		s := *m.Skeleton
		s.Rest = slices.Clone(s.Rest)
		for j, p := range s.Parents {
			if p < 0 {
				s.Rest[j].Scale = s.Rest[j].Scale.Mul(by)
				s.Rest[j].Translation = s.Rest[j].Translation.Mul(by)
			}
		}
		m.Skeleton = &s
		return (&character{name: c.name, model: &m, clips: c.clips}).find(t)
	}
	base := demoMannequin(t)
	turn := mgl32.HomogRotate3D(2.2, mgl32.Vec3{0, 1, 0}).Mul4(mgl32.Translate3D(3, 0, -2))
	mirror := mgl32.Scale3D(-1, 1, 1)
	through := func(m mgl32.Mat4) ground.Ground {
		back := m.Inv()
		return ground.Func(func(x, z float32) float32 {
			p := mgl32.TransformCoordinate(mgl32.Vec3{x, 0, z}, back)
			return hills(p[0], p[2])
		})
	}
	for _, v := range []struct {
		name string
		c    *character
		to   mgl32.Mat4 // the variant's world from the base's
		size float32    // of the entity
		free bool       // without Follow
	}{
		{"turned", base, turn, 1, false},
		{"mirrored", base, mirror, 1, false},
		{"in centimetres", scaled(base, 100), mgl32.Ident4(), 0.01, false},
		{"not followed", base, mgl32.Ident4(), 1, true},
	} {
		t.Run(v.name, func(t *testing.T) {
			a := newWalker(t, base, base.clip("walk"), hills)
			b := newWalker(t, v.c, v.c.clip("walk"), through(v.to))
			a.speed, b.speed = 1.4, 1.4
			b.before = v.to
			b.at.Scale = mgl32.Vec3{v.size, v.size, v.size}
			b.stance.Follow = !v.free
			a.stance.Feet, b.stance.Feet = ground.NewFootIK(a.soles), ground.NewFootIK(b.soles)
			if v.free {
				a.stance.Feet, b.stance.Feet = nil, nil
			}
			var worst float32
			for range 240 {
				a.step(t, 1.0/60)
				b.step(t, 1.0/60)
				back := v.to.Inv()
				for j := range a.a.Model() {
					p := mgl32.TransformCoordinate(a.a.Model()[j].Col(3).Vec3(), a.a.World)
					q := mgl32.TransformCoordinate(b.a.Model()[j].Col(3).Vec3(), back.Mul4(b.a.World))
					if j > 0 { // but for the node of the mesh
						worst = max(worst, p.Sub(q).Len())
					}
				}
			}
			if worst > 3e-3 {
				t.Errorf("a joint is off by %.1f mm", 1000*worst)
			}
		})
	}
}

// leap is the mannequin's idle clip with a jump of 40 cm in half a second.
func leap(c *character) *animation.Clip {
	track := animation.Track{Joint: int32(c.model.Skeleton.Joint("root")), Path: animation.Translation, Width: 3}
	for i := range 61 {
		at, up := float32(i)/30, float32(0)
		if u := (at - 0.5) / 0.57; u > 0 && u < 1 {
			up = 0.4 * 4 * u * (1 - u)
		}
		track.Times = append(track.Times, at)
		track.Values = append(track.Values, 0, up, 0)
	}
	tracks := append(slices.Clone(c.clip("idle").Tracks), track)
	slices.SortStableFunc(tracks, func(a, b animation.Track) int {
		return cmp.Or(cmp.Compare(a.Joint, b.Joint), cmp.Compare(a.Path, b.Path))
	})
	return &animation.Clip{Name: "leap", Duration: 2, Tracks: tracks}
}

func TestAJumpLeavesTheGround(t *testing.T) {
	c := demoMannequin(t)
	clip := leap(c)
	c.clips = append(c.clips, clip)
	for _, bend := range []bool{false, true} {
		for _, mode := range []ground.Mode{ground.Measured, ground.Planted} {
			w := newWalker(t, c, clip, ground.Flat(2))
			w.stance.Mode = mode
			if bend {
				w.stance.Feet = ground.NewFootIK(c.soles)
			}
			w.speed = 1
			pose := animation.NewPose(c.model.Skeleton)
			var high, off float32
			for i := range 110 {
				w.step(t, 1.0/60)
				c.sample(t, clip, float32(i+1)/60, pose)
				own := c.every(t, pose)
				high = max(high, own)
				off = max(off, abs(w.stance.Clearance-own))
			}
			if mode == ground.Measured && (high < 0.39 || off > 0.03) || mode == ground.Planted && off < 0.3 {
				t.Errorf("mode %d, bent %v: of %v m it is off by %v m", mode, bend, high, off)
			}
		}
	}
	// What physics lifts stays where it is, and is pushed out of the ground.
	w := newWalker(t, c, clip, ground.Flat(2))
	w.stance.Mode = ground.Airborne
	for _, y := range []float32{3, 2.5, 2.1, 1.7} {
		w.at.Translation[1] = y
		for range 60 {
			w.step(t, 1.0/60)
		}
		if got := w.at.Translation[1] + w.stance.Lift; abs(got-max(y, 2)) > 0.41 || y > 2.5 && abs(w.stance.Lift) > 1e-3 || w.stance.Clearance < -1e-3 {
			t.Errorf("in the air at %v m: it is at %v m, %v m over the ground", y, got, w.stance.Clearance)
		}
	}
}

// Whoever changes legs in the midst of a walk, longer or shorter, finds the feet on
// the ground again.
func TestFeetStayDownWhenLegsChange(t *testing.T) {
	c := demoMannequin(t)
	for _, bend := range []bool{false, true} {
		w := newWalker(t, c, c.clip("walk"), hills)
		if bend {
			w.stance.Feet = ground.NewFootIK(c.soles)
		}
		length := float32(1)
		w.a.Modify(animation.Modifiers{stretch{c, &length}, w.stance})
		w.speed = 1.4
		for i := range 60 * 12 {
			switch { // as a slider is drawn
			case i >= 120 && i < 150:
				length += 0.01
			case i >= 360 && i < 410:
				length -= 0.01
			}
			w.step(t, 1.0/60)
			settled := i < 360 || i > 360+180
			if h := w.stance.Clearance; h < -0.01 || settled && h > 0.03 {
				t.Fatalf("bent %v, frame %d, legs %v times as long: %.1f cm over the ground", bend, i, length, 100*h)
			}
		}
	}
}

// stretch makes legs longer.
type stretch struct {
	c  *character
	by *float32
}

func (s stretch) Modify(_ float32, a *animation.Animator) error {
	for i := range s.c.soles {
		f := &s.c.soles[i].Foot
		for _, j := range []int32{f.Knee, f.Foot} {
			a.Pose().Local[j].Translation = a.Pose().Local[j].Translation.Mul(*s.by)
		}
		a.Pose().ToModelBelow(a.Skeleton(), f.Hip, a.Model())
	}
	return nil
}

// A ledge is taken within some frames, not in one; a teleport in one.
func TestALedgeIsTakenSmoothly(t *testing.T) {
	c := demoMannequin(t)
	for _, bend := range []bool{false, true} {
		w := newWalker(t, c, c.clip("walk"), ground.Func(func(_, z float32) float32 {
			if z > 2 {
				return 0.18
			}
			return 0
		}))
		if bend {
			w.stance.Feet = ground.NewFootIK(c.soles)
		}
		w.speed = 1.4
		var last, pop float32
		for i := range 180 {
			w.step(t, 1.0/60)
			y := w.at.Translation[1] + w.stance.Lift
			if i > 0 {
				pop = max(pop, abs(y-last))
			}
			last = y
		}
		if pop > 0.07 || abs(last-0.18) > 0.05 {
			t.Errorf("bent %v: it pops by %v m and ends at %v m", bend, pop, last)
		}
		w.at.Translation = mgl32.Vec3{0, 50, -5}
		w.step(t, 1.0/60)
		if y := w.at.Translation[1] + w.stance.Lift; abs(y) > 0.05 {
			t.Errorf("bent %v: teleported, it stands at %v m", bend, y)
		}
	}
}

func TestAStanceAllocatesNothing(t *testing.T) {
	for _, bend := range []bool{false, true} {
		c := demoMannequin(t)
		field := &ground.HeightField{X: -5, Z: -5, Cell: 0.5, Columns: 60, Heights: make([]float32, 3600)}
		w := newWalker(t, c, c.clip("walk"), field)
		w.stance.Tilt = 1
		if bend {
			w.stance.Feet = ground.NewFootIK(c.soles)
		}
		w.step(t, 1.0/60)
		if n := testing.AllocsPerRun(100, func() { w.step(t, 1.0/60) }); n != 0 {
			t.Errorf("bent %v: %v allocations", bend, n)
		}
	}
}

// BenchmarkStance is what a character costs beyond its clips.
func BenchmarkStance(b *testing.B) {
	c := demoMannequin(b)
	field := &ground.HeightField{X: -5, Z: -5, Cell: 0.5, Columns: 60, Heights: make([]float32, 3600)}
	for _, what := range []string{"clips alone", "contact", "contact and tilt", "foot IK"} {
		b.Run(what, func(b *testing.B) {
			w := newWalker(b, c, c.clip("walk"), field)
			switch what {
			case "clips alone":
				w.a.Modify(nil)
			case "contact and tilt":
				w.stance.Tilt = 1
			case "foot IK":
				w.stance.Feet = ground.NewFootIK(c.soles)
			}
			for b.Loop() {
				w.step(b, 1.0/60)
			}
		})
	}
}
