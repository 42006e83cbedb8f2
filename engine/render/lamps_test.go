package render

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// lit is a scene with a camera, and what tests put into it.
type lit struct {
	*scene.Scene
	f    Frame
	view View
}

func newLit(t testing.TB) *lit {
	t.Helper()
	s, err := scene.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Environment.Exposure = 1
	camera := s.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	s.Camera = camera
	return &lit{Scene: s, view: View{Camera: camera, Width: 640, Height: 360}}
}

func (x *lit) lamp(kind assets.LightKind, at mgl32.Vec3, candela, reach float32) *scene.Entity {
	e := x.Spawn("lamp", nil)
	e.Local.Translation = at
	e.Light = &scene.Light{Kind: kind, Color: mgl32.Vec3{1, 1, 1}, Intensity: candela, Range: reach, OuterCone: 0.6, Shadows: true}
	return e
}

// chosen are the lamps of the next frame.
func (x *lit) chosen() (out []*scene.Entity) {
	x.f.ChooseLamps(x.Scene, x.view)
	for i := range x.f.Lamps() {
		out = append(out, x.f.Lamps()[i].entity)
	}
	return out
}

// set is what Upload does for the lamps.
func (x *lit) set() {
	x.UpdateWorld()
	x.f.Globals.setCamera(x.view.Camera, x.view.Width, x.view.Height)
	x.f.Globals.setEnvironment(&x.Environment)
	x.f.setLamps()
}

// Those lights cast shadows that may, that are seen, and that are the strongest on
// the screen; in the scene's order, whatever their strength.
func TestChooseLamps(t *testing.T) {
	x := newLit(t)
	x.view.Camera.LookAt(mgl32.Vec3{0, 0, 10}, mgl32.Vec3{})
	if got := x.chosen(); len(got) != 0 {
		t.Fatalf("%d lamps in a scene without lights", len(got))
	}
	weak := x.lamp(assets.Point, mgl32.Vec3{}, 1, 2)
	a := x.lamp(assets.Point, mgl32.Vec3{1, 0, 0}, 5, 2)
	b := x.lamp(assets.Spot, mgl32.Vec3{-1, 0, 0}, 9, 2)
	behind := x.lamp(assets.Point, mgl32.Vec3{0, 0, 15}, 100, 2)
	far := x.lamp(assets.Point, mgl32.Vec3{0, 0, -80}, 20, 2)
	c := x.lamp(assets.Point, mgl32.Vec3{0, 1, 0}, 2, 2)
	sun := x.lamp(assets.Directional, mgl32.Vec3{}, 50, 0)
	hidden := x.lamp(assets.Point, mgl32.Vec3{}, 50, 2)
	hidden.Hidden = true
	plain := x.lamp(assets.Point, mgl32.Vec3{}, 50, 2)
	plain.Light.Shadows = false
	d := x.lamp(assets.Point, mgl32.Vec3{0, 0, 11}, 30, 0) // behind the eye, and seen far
	for _, e := range []*scene.Entity{behind, sun, hidden, plain} {
		if slices.Contains(x.chosen(), e) {
			t.Errorf("a %v at %v is chosen", e.Light.Kind, e.Local.Translation)
		}
	}
	want := []*scene.Entity{a, b, c, d}
	if got := x.chosen(); !slices.Equal(got, want) {
		t.Errorf("chosen: %v", got)
	}
	a.Light.Intensity, c.Light.Intensity = 2, 5 // the order stays
	if got := x.chosen(); !slices.Equal(got, want) {
		t.Errorf("chosen: %v", got)
	}
	d.Light.Shadows = false
	if got := x.chosen(); !slices.Equal(got, []*scene.Entity{weak, a, b, c}) {
		t.Errorf("chosen: %v", got)
	}
	far.Light.Intensity = 2000
	if got := x.chosen(); !slices.Equal(got, []*scene.Entity{a, b, far, c}) {
		t.Errorf("chosen: %v", got)
	}
	// Places are those of the frame to come, without anything being updated.
	x.view.Camera.LookAt(mgl32.Vec3{0, 0, 10}, mgl32.Vec3{0, 0, 20})
	if got := x.chosen(); !slices.Equal(got, []*scene.Entity{behind}) {
		t.Errorf("chosen: %v", got)
	}
	x.view.Camera = nil
	if got := x.chosen(); len(got) != 0 {
		t.Errorf("%d without a camera", len(got))
	}
}

// A light that changes after it was chosen is lit without shadows in that frame.
func TestALampThatChangesIsLitWithoutShadows(t *testing.T) {
	for name, change := range map[string]func(x *lit, e *scene.Entity){
		"no":          func(*lit, *scene.Entity) {},
		"moves":       func(_ *lit, e *scene.Entity) { e.Local.Translation[0]++ },
		"hidden":      func(_ *lit, e *scene.Entity) { e.Hidden = true },
		"removed":     func(x *lit, e *scene.Entity) { x.Remove(e) },
		"without":     func(_ *lit, e *scene.Entity) { e.Light = nil },
		"directional": func(_ *lit, e *scene.Entity) { e.Light.Kind = assets.Directional },
		"a spot":      func(_ *lit, e *scene.Entity) { e.Light.Kind = assets.Spot },
	} {
		x := newLit(t)
		x.view.Camera.LookAt(mgl32.Vec3{0, 0, 10}, mgl32.Vec3{})
		e := x.lamp(assets.Point, mgl32.Vec3{}, 5, 3)
		x.chosen()
		change(x, e)
		x.set()
		if on, want := x.f.isLamp(e), name == "no" || name == "moves"; on != want {
			t.Errorf("%s: it casts shadows: %v", name, on)
		}
	}
}

// Whatever lamp and camera: what of the light's ball is in the picture lies inside
// its outline and before its far end.
func TestTheOutlineHoldsTheLight(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	within := func(a float32) float32 { return a * (2*random.Float32() - 1) }
	x := newLit(t)
	inside, seen, partly := 0, 0, 0
	for range 800 {
		at := mgl32.Vec3{within(6), within(6), within(6)}
		b := ball{mgl32.Vec3{within(8), within(8), within(8)}, 0.2 + 6*random.Float32()*random.Float32()}
		x.view.Camera.LookAt(at, mgl32.Vec3{within(3), within(3), within(3)})
		x.UpdateWorld()
		g := &x.f.Globals
		g.setCamera(x.view.Camera, 640, 360)
		var corners [outlineCorners / 2]mgl32.Vec4
		far, shown := g.outline(b, &corners)
		if at.Sub(b.center).Len() < b.radius {
			inside++
		}
		var shape [][2]float64
		area := 0.0
		for _, c := range corners {
			shape = append(shape, [2]float64{float64(c[0]), float64(c[1])}, [2]float64{float64(c[2]), float64(c[3])})
		}
		cross := func(o, p, q [2]float64) float64 {
			return (p[0]-o[0])*(q[1]-o[1]) - (p[1]-o[1])*(q[0]-o[0])
		}
		for i := range shape {
			area += cross([2]float64{}, shape[i], shape[(i+1)%len(shape)]) / 2
		}
		if shown && area < 3.9 {
			partly++
		}
		for range 200 {
			p := b.center.Add(mgl32.Vec3{within(1), within(1), within(1)}.Normalize().Mul(b.radius * (1 - random.Float32()*random.Float32())))
			c := g.ViewProjection.Mul4x1(p.Vec4(1))
			if !inside3(c) {
				continue
			}
			seen++
			if !shown {
				t.Fatalf("%v is in the picture, and %v is said not to be", p, b)
			}
			if c[2]/c[3] < far-1e-6 {
				t.Fatalf("%v is farther than the far end of %v", p, b)
			}
			q := [2]float64{float64(c[0] / c[3]), float64(c[1] / c[3])}
			for i := range shape {
				if d := cross(shape[i], shape[(i+1)%len(shape)], q); d < -1e-4 {
					t.Fatalf("%v is at %v in the picture, outside the outline of %v by %v: %v", p, q, b, d, shape)
				}
			}
		}
	}
	if inside < 10 || seen < 5000 || partly < 60 {
		t.Errorf("%d cameras are inside, %d points seen, %d outlines narrow: the test must see many", inside, seen, partly)
	}
}

func inside3(c mgl32.Vec4) bool {
	return c[3] > 0 && c[0] >= -c[3] && c[0] <= c[3] && c[1] >= -c[3] && c[1] <= c[3] && c[2] >= 0 && c[2] <= c[3]
}

// Of a point between a lamp and what the camera sees, a triangle's corner say, the
// face of the map that it appears in is drawn, and its box is found there; and most
// boxes are left out of most faces.
func TestNoCasterIsCulled(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	within := func(a float32) float32 { return a * (2*random.Float32() - 1) }
	x := newLit(t)
	var lamps []*scene.Entity
	for i := range MaxLamps {
		kind := assets.Point
		if i%2 == 1 {
			kind = assets.Spot
		}
		lamps = append(lamps, x.lamp(kind, mgl32.Vec3{}, 5, 4))
	}
	cast, drawn, possible := 0, 0, 0
	for range 80 {
		for i, e := range lamps {
			e.LookAt(mgl32.Vec3{within(3), within(3), within(3)}, mgl32.Vec3{within(3), within(3), within(3)})
			e.Light.OuterCone = 0.2 + 1.2*random.Float32()
			e.Light.Range = 1 + 4*random.Float32()
			if i == 3 {
				e.Light.Range = 0
			}
		}
		x.view.Camera.LookAt(mgl32.Vec3{within(5), within(4), within(5)}, mgl32.Vec3{within(2), within(2), within(2)})
		x.chosen()
		x.set()
		for range 200 {
			seen := mgl32.Vec3{within(5), within(5), within(5)} // a point on some surface
			if !inside3(x.f.Globals.ViewProjection.Mul4x1(seen.Vec4(1))) {
				continue
			}
			for i := range x.f.Lamps() {
				l := &x.f.Lamps()[i]
				at := l.light.Position.Vec3()
				to := seen.Sub(at)
				if to.Len() > l.light.Position[3] || l.light.Direction[3] == 2 && to.Normalize().Dot(l.light.Direction.Vec3()) < float32(math.Cos(float64(l.entity.Light.OuterCone))) {
					continue
				}
				caster := at.Add(to.Mul(0.05 + 0.9*random.Float32()))
				if d := caster.Sub(at); max(abs(d[0]), abs(d[1]), abs(d[2])) < 2*lampNear*l.light.Position[3] {
					continue
				}
				cast++
				box := animation.Box{Min: caster.Sub(mgl32.Vec3{0.3, 0.2, 0.1}), Max: caster.Add(mgl32.Vec3{0.1, 0.2, 0.3})}
				faces, found := x.f.lampsThatSee(&box), 0
				for k := range l.Faces {
					bit := faces>>LampFace(i, k)&1 == 1
					if bit {
						drawn++
					}
					possible++
					if inside3(l.faces[k].matrix.Mul4x1(caster.Vec4(1))) && l.faces[k].matrix.Mul4x1(seen.Vec4(1))[3] > 0 {
						if found++; !bit && inFace(&l.faces[k], seen) {
							t.Fatalf("lamp %d at %v, face %d: a caster at %v that shadows %v is left out", i, at, k, caster, seen)
						}
					}
				}
				if found == 0 {
					t.Fatalf("lamp %d at %v: no face sees the caster at %v", i, at, caster)
				}
			}
		}
	}
	if cast < 3000 || drawn*2 > possible {
		t.Errorf("%d casters, drawn in %d of %d faces: the test must see many, and few drawn", cast, drawn, possible)
	}
}

// inFace says whether a surface reads its shadow in a face.
func inFace(f *face, at mgl32.Vec3) bool {
	c := f.matrix.Mul4x1(at.Vec4(1))
	return c[3] > 0 && abs(c[0]) <= c[3] && abs(c[1]) <= c[3]
}

func abs(x float32) float32 { return max(x, -x) }

// The draws of a batch into a map are the instances, or their pieces, whose bits are
// set, each once.
func TestCastersAreDrawnOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		p := &Primitive{Count: 3 * (1 + random.IntN(3000)), Indexed: true}
		pieces := (p.Count/3 + pieceTriangles - 1) / pieceTriangles
		b := &Batch{Primitive: p, First: random.IntN(5), written: 1 + random.IntN(12), casts: random.IntN(9), pieced: random.IntN(2) == 0, lamps: ^uint32(0)}
		if p.pieces = make([]animation.Box, pieces); !b.pieced {
			pieces = 1
		}
		f := &Frame{casts: make([]uint32, b.casts+b.written*pieces)}
		for i := range f.casts {
			f.casts[i] = random.Uint32() | random.Uint32()
		}
		light := random.IntN(MaxLamps * LampFaces)
		count := map[[2]int]int{} // by instance and triangle
		draws := 0
		for next := f.Casters(b, light, Casting{}); next.Count > 0; next = f.Casters(b, light, next) {
			if draws++; draws > len(f.casts) {
				t.Fatal("the draws don't end")
			}
			for i := next.First; i < next.First+next.Count; i++ {
				for k := next.Start; k < next.End; k += 3 {
					count[[2]int{i, k}]++
				}
			}
		}
		for i := range b.written {
			for k := 0; k < p.Count; k += 3 {
				piece := 0
				if b.pieced {
					piece = k / (3 * pieceTriangles)
				}
				want := int(f.casts[b.casts+i*pieces+piece] >> light & 1)
				if got := count[[2]int{b.First + i, k}]; got != want {
					t.Fatalf("instance %d, index %d of %d: drawn %d times, want %d", i, k, p.Count, got, want)
				}
			}
		}
	}
}
