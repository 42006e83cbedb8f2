package ground_test

import (
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
	}{{demoMannequin, "walk"}, {demoMannequin, "run"}, {pab, "walk"}, {kayKit, "Rig_Medium|Walking_A"}, {fox, "Walk"}} {
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
			var deep, pop, kick float32
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
				}
				last = y
				if i%7 == 0 {
					deep = max(deep, w.depth(t, hills))
				}
			}
			t.Logf("at most %.1f mm deep; the root moves %.1f mm a frame, a knee %.1f mm (%.1f on the flat); locked in %d frames of a foot, sliding %.1f mm in one", 1000*deep, 1000*pop, 1000*kick, 1000*flatKick, locked, 1000*slid)
		})
	}
}
