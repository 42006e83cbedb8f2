package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/engine/scene"
)

// night is a scene that only lamps light.
func night(t testing.TB, o engine.Options) *engine.Engine {
	t.Helper()
	if o.Width == 0 {
		o.Width, o.Height = 320, 180
	}
	e := enginetest.Open(t, o)
	e.Show.NoAntialias = true
	e.Scene.Environment = scene.Environment{ToSun: mgl32.Vec3{0, 1, 0}, Exposure: 1}
	return e
}

// lampAt puts a lamp that casts shadows into the scene.
func lampAt(e *engine.Engine, kind assets.LightKind, at mgl32.Vec3, candela, reach float32) *scene.Entity {
	x := e.Scene.Spawn("lamp", nil)
	x.Local.Translation = at
	x.Light = &scene.Light{Kind: kind, Color: mgl32.Vec3{1, 1, 1}, Intensity: candela, Range: reach, Shadows: true}
	return x
}

var white = mgl32.Vec4{0.8, 0.8, 0.8, 1}

// rough mirrors next to nothing.
func rough() assets.Material {
	m := plain(white)
	m.Roughness = 1
	return m
}

// put puts a box into the scene.
func put(e *engine.Engine, half, at mgl32.Vec3) *scene.Entity {
	x := e.Scene.SpawnModel("box", box(half, rough()), nil)
	x.Local.Translation = at
	return x
}

// room puts six walls about the origin, half metres from it.
func room(e *engine.Engine, half float32) (walls []*scene.Entity) {
	for axis := range 3 {
		for _, side := range []float32{-1, 1} {
			size, at := mgl32.Vec3{half + 0.2, half + 0.2, half + 0.2}, mgl32.Vec3{}
			size[axis], at[axis] = 0.1, side*(half+0.1)
			walls = append(walls, put(e, size, at))
		}
	}
	return walls
}

type v3 [3]float64

func (a v3) add(b v3) v3      { return v3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a v3) mul(s float64) v3 { return v3{a[0] * s, a[1] * s, a[2] * s} }
func (a v3) sub(b v3) v3      { return a.add(b.mul(-1)) }
func (a v3) dot(b v3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a v3) cross(b v3) v3 {
	return v3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func (a v3) unit() v3      { return a.mul(1 / math.Sqrt(a.dot(a))) }
func wide(p mgl32.Vec3) v3 { return v3{float64(p[0]), float64(p[1]), float64(p[2])} }

// soup is every triangle of the scene, in the world.
type soup [][3]v3

// gather takes the triangles of all that is shown, skinned on the processor.
func gather(t testing.TB, e *engine.Engine) (out soup) {
	t.Helper()
	e.Scene.UpdateWorld()
	for x := range e.Scene.All() {
		if x.Mesh == nil || !x.Visible() {
			continue
		}
		m, world := x.Mesh.Model, x.World()
		pose := animation.NewPose(m.Skeleton)
		if x.Animator != nil {
			pose = x.Animator.Pose()
		}
		err := m.Evaluate(pose, func(_, mesh, primitive int, positions []mgl32.Vec3) {
			indices := m.Meshes[mesh].Primitives[primitive].Indices
			for n := 0; n+2 < len(indices); n += 3 {
				var tri [3]v3
				for c := range tri {
					tri[c] = wide(mgl32.TransformCoordinate(positions[indices[n+c]], world))
				}
				out = append(out, tri)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// hit is where a ray first meets a triangle, beyond nearest and before farthest,
// in lengths of along (Möller, Trumbore, "Fast, minimum storage ray/triangle
// intersection", 1997).
func (s soup) hit(from, along v3, nearest, farthest float64) (at float64, normal v3, ok bool) {
	at = farthest
	for i := range s {
		a, b := s[i][1].sub(s[i][0]), s[i][2].sub(s[i][0])
		p := along.cross(b)
		det := a.dot(p)
		if math.Abs(det) < 1e-14 {
			continue
		}
		q := from.sub(s[i][0])
		u := q.dot(p) / det
		r := q.cross(a)
		v := along.dot(r) / det
		if d := b.dot(r) / det; u >= 0 && v >= 0 && u+v <= 1 && d > nearest && d < at {
			at, normal, ok = d, a.cross(b).unit(), true
		}
	}
	return at, normal, ok
}

// judged compares sample pixels of the picture with rays: of those whose
// surroundings the lamp reaches as a whole, or not at all, it says how many are lit
// and dark. inCone says whether the light is strong towards a point, weak, or in
// between.
func judged(t *testing.T, e *engine.Engine, s soup, lamp mgl32.Vec3, inCone func(v3) int) (lit, dark int) {
	t.Helper()
	p := enginetest.Picture(t, e)
	w, h := e.Size()
	g := &e.Draw.Globals
	eye, light := wide(g.Eye.Vec3()), wide(lamp)
	texel := 2.0 / float64(render.ShadowSize(w, h)/2) // of a face, at distance 1
	wrong := 0
	for y := 2; y < h; y += 9 {
		for x := 2; x < w; x += 9 {
			clip := mgl32.Vec4{(float32(x)+0.5)/float32(w)*2 - 1, (float32(y)+0.5)/float32(h)*2 - 1, 0.5, 1}
			far := g.InverseViewProjection.Mul4x1(clip)
			along := wide(far.Vec3().Mul(1 / far[3])).sub(eye).unit()
			d, normal, ok := s.hit(eye, along, 1e-3, 1e9)
			if !ok {
				continue
			}
			if normal.dot(along) > 0 {
				normal = normal.mul(-1)
			}
			at := eye.add(along.mul(d))
			to := light.sub(at)
			away := math.Sqrt(to.dot(to))
			if cos := to.dot(normal) / away; cos < 0.1 && cos > -0.02 {
				continue // the light grazes
			}
			right := normal.cross(v3{0.31, 0.82, 0.47}).unit()
			up := normal.cross(right)
			aside := 3.5 * texel * away
			votes, agree := 0, true
			for k := range 9 {
				angle := 2 * math.Pi * float64(k) / 8
				q := at
				if k < 8 {
					q = at.add(right.mul(aside * math.Cos(angle))).add(up.mul(aside * math.Sin(angle)))
				}
				// The point must be seen, not lie beyond an edge of what is.
				if d, _, _ := s.hit(eye, q.sub(eye), 1e-3, 2); d < 0.999 || d > 1.001 {
					agree = false
					break
				}
				reached := 0
				if to.dot(normal) > 0 && inCone(q) > 0 {
					from := q.add(normal.mul(1e-4))
					if _, _, hidden := s.hit(from, light.sub(from), 0, 1); !hidden {
						reached = 1
					}
				}
				if inCone(q) == 0 {
					agree = false
				}
				votes += reached
			}
			if !agree || votes != 0 && votes != 9 {
				continue
			}
			c := at8(p.Pix[p.PixOffset(x, y):])
			switch {
			case votes == 9 && c < 12 || votes == 0 && c > 1:
				if wrong++; wrong <= 5 {
					t.Errorf("pixel %d, %d at %.2f, %.2f m from the lamp: brightness %d, and %d of 9 rays reach the lamp", x, y, at, away, c, votes)
				}
			case votes == 9:
				lit++
			default:
				dark++
			}
		}
	}
	if wrong > 5 {
		t.Errorf("and %d pixels more", wrong-5)
	}
	return lit, dark
}

func at8(pix []byte) int { return int(max(pix[0], pix[1], pix[2])) }

func everywhere(v3) int { return 1 }

// What a lamp lights is what rays to it reach: all around a point light, across the
// faces of its map, seen from inside its light and from outside; in the cone of a
// spot, narrow or wide.
func TestLampsLightWhatTheirRaysReach(t *testing.T) {
	e := night(t, engine.Options{})
	const half = 4
	walls := room(e, half)
	random := rand.New(rand.NewPCG(1, 2))
	within := func(a float32) float32 { return a * (2*random.Float32() - 1) }
	for range 40 { // in each direction, so over the seams too
		way := mgl32.Vec3{within(1), within(1), within(1)}.Normalize()
		x := put(e, mgl32.Vec3{0.1 + 0.2*random.Float32(), 0.1 + 0.2*random.Float32(), 0.1 + 0.2*random.Float32()}, way.Mul(1.3+1.6*random.Float32()))
		x.Local.Rotation = mgl32.QuatRotate(within(math.Pi), mgl32.Vec3{within(1), 1, within(1)}.Normalize())
	}
	eye := camera(e, mgl32.Vec3{}, mgl32.Vec3{0, 0, 1})
	eye.Camera.YFov = mgl32.DegToRad(75)
	lamp := lampAt(e, assets.Point, mgl32.Vec3{0.1, -0.15, 0.05}, 30, 12)
	s := gather(t, e)
	for _, c := range []struct {
		name     string
		kind     assets.LightKind
		cone     float32 // half angle, degrees
		faces    int
		eye      []mgl32.Vec3
		lit, not int // at least
	}{
		{"point", assets.Point, 0, 6, []mgl32.Vec3{{3.5, 3.4, 3.3}, {-3.5, 3.1, 3.3}, {3.3, -3.4, -3.6}, {-3.4, -3.1, 3.6}, {-3.3, 3.5, -3.5}, {0.5, 0.2, -3.7}}, 300, 300},
		{"narrow spot", assets.Spot, 20, 1, []mgl32.Vec3{{3.5, 3.4, 3.3}, {-3.4, -3.1, 3.6}}, 8, 200},
		{"spot", assets.Spot, 52, 1, []mgl32.Vec3{{3.5, 3.4, 3.3}, {-3.4, -3.1, 3.6}}, 30, 200},
		{"wide spot", assets.Spot, 80, 6, []mgl32.Vec3{{3.5, 3.4, 3.3}, {-3.4, -3.1, 3.6}}, 50, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			lamp.Light.Kind = c.kind
			lamp.Light.OuterCone = mgl32.DegToRad(c.cone)
			lamp.Light.InnerCone = mgl32.DegToRad(c.cone * 0.8)
			toward := mgl32.Vec3{-0.5, -0.6, 0.7}.Normalize()
			lamp.LookAt(lamp.Local.Translation, lamp.Local.Translation.Add(toward))
			inCone := everywhere
			if c.kind == assets.Spot {
				inCone = func(p v3) int {
					angle := mgl32.RadToDeg(float32(math.Acos(p.sub(wide(lamp.Local.Translation)).unit().dot(wide(toward)))))
					switch {
					case angle < c.cone*0.85:
						return 1
					case angle < c.cone:
						return 0
					}
					return -1
				}
			}
			lit, dark := 0, 0
			for _, from := range c.eye {
				eye.LookAt(from, mgl32.Vec3{})
				enginetest.Frames(t, e, 1, 0)
				if l := e.Draw.Lamps(); len(l) != 1 || l[0].Faces != c.faces {
					t.Fatalf("lamps: %d", len(l))
				}
				l, d := judged(t, e, s, lamp.Local.Translation, inCone)
				lit, dark = lit+l, dark+d
			}
			t.Logf("%d lit, %d dark", lit, dark)
			if lit < c.lit || dark < c.not {
				t.Errorf("%d are lit and %d dark: the test must see many", lit, dark)
			}
		})
	}
	t.Run("from outside", func(t *testing.T) {
		lamp.Light.Kind, lamp.Light.Range = assets.Point, 5.5
		walls[5].Hidden = true // +Z
		defer func() { walls[5].Hidden = false }()
		s := gather(t, e)
		eye.LookAt(mgl32.Vec3{1, 2, 8.5}, mgl32.Vec3{})
		enginetest.Frames(t, e, 1, 0)
		inCone := func(p v3) int { // light fades at its range
			d := p.sub(wide(lamp.Local.Translation))
			if d.dot(d) < 4.5*4.5 {
				return 1
			}
			return 0
		}
		if lit, dark := judged(t, e, s, lamp.Local.Translation, inCone); lit < 20 || dark < 8 {
			t.Errorf("%d are lit and %d dark: the test must see many", lit, dark)
		}
	})
}

// apart is the greatest difference of two pictures, of 255.
func apart(t testing.TB, e *engine.Engine, change func()) (most int) {
	t.Helper()
	enginetest.Frames(t, e, 1, 0)
	a := enginetest.Picture(t, e)
	change()
	enginetest.Frames(t, e, 1, 0)
	b := enginetest.Picture(t, e)
	for i := range a.Pix {
		most = max(most, int(a.Pix[i])-int(b.Pix[i]), int(b.Pix[i])-int(a.Pix[i]))
	}
	return most
}

// Where nothing stands in the way, a lamp with shadows lights as one without: no
// surface shadows itself, not at a flat angle, not at a seam of the map, not in a
// corner; with coats, and through what is transparent.
func TestALampThatNothingHidesLightsAsWithoutShadows(t *testing.T) {
	for name, build := range map[string]func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity){
		"a room": func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity) {
			room(e, 4)
			return mgl32.Vec3{3.5, 3, 3.7}, mgl32.Vec3{-1, -1, -1}, lampAt(e, assets.Point, mgl32.Vec3{1, 0.5, -1.5}, 20, 15)
		},
		"a lamp near a wall": func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity) {
			room(e, 4)
			return mgl32.Vec3{0, 0, 3.8}, mgl32.Vec3{0, 0, -4}, lampAt(e, assets.Point, mgl32.Vec3{0.2, -3.7, -3.5}, 6, 20)
		},
		"a spot": func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity) {
			room(e, 4)
			lamp = lampAt(e, assets.Spot, mgl32.Vec3{}, 20, 15)
			lamp.Light.InnerCone, lamp.Light.OuterCone = 0.3, 0.9
			lamp.LookAt(mgl32.Vec3{1, 3, 1}, mgl32.Vec3{-2, -4, -1})
			return mgl32.Vec3{3.5, 3, 3.7}, mgl32.Vec3{-1, -1, -1}, lamp
		},
		"no range": func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity) {
			room(e, 4)
			return mgl32.Vec3{3.5, 3, 3.7}, mgl32.Vec3{-1, -1, -1}, lampAt(e, assets.Point, mgl32.Vec3{1, 0.5, -1.5}, 20, 0)
		},
		"a range that ends": func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity) {
			room(e, 4)
			return mgl32.Vec3{3.5, 3, 3.7}, mgl32.Vec3{-1, -1, -1}, lampAt(e, assets.Point, mgl32.Vec3{-3, -3, -3}, 3, 2.5)
		},
		"coats": func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity) {
			none := assets.TextureRef{Texture: -1, Scale: mgl32.Vec2{1, 1}}
			for i := range 3 {
				m := plain(mgl32.Vec4{0.4, 0.1, 0.1, 1})
				m.Roughness = 0.7
				m.Clearcoat = &assets.Clearcoat{Factor: 0.5 + 0.25*float32(i), Roughness: 0.15 + 0.2*float32(i), NormalScale: 1, Map: none, RoughMap: none, NormalMap: none}
				x := e.Scene.SpawnModel("quad", quad(m), nil)
				x.Local.Translation = mgl32.Vec3{2.2 * float32(i-1), 0, 0}
				x.Local.Rotation = mgl32.QuatRotate(0.5-0.5*float32(i), mgl32.Vec3{1, 1, 0}.Normalize())
			}
			return mgl32.Vec3{0.3, 1.5, 4}, mgl32.Vec3{}, lampAt(e, assets.Point, mgl32.Vec3{0, 1.5, 3}, 12, 15)
		},
		"glass": func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity) {
			m := rough()
			m.Alpha, m.BaseColor[3] = assets.Blend, 0.7
			e.Scene.SpawnModel("glass", quad(m), nil)
			return mgl32.Vec3{0.3, 1.5, 4}, mgl32.Vec3{}, lampAt(e, assets.Point, mgl32.Vec3{0, 1, 2}, 5, 15)
		},
		"unlit": func(e *engine.Engine) (eye, target mgl32.Vec3, lamp *scene.Entity) {
			e.Scene.SpawnModel("unlit", quad(unlit(mgl32.Vec4{0.3, 0.1, 0.1, 1})), nil)
			return mgl32.Vec3{0.3, 1.5, 4}, mgl32.Vec3{}, lampAt(e, assets.Point, mgl32.Vec3{0, 1, 2}, 5, 15)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := night(t, engine.Options{})
			eye, target, lamp := build(e)
			camera(e, eye, target)
			most := apart(t, e, func() { lamp.Light.Shadows = false })
			if most > 2 { // of rounding: light passes through 16-bit floats
				lamp.Light.Shadows = true
				enginetest.Frames(t, e, 1, 0)
				save(t, fmt.Sprintf("/tmp/lamps/%s.png", name), enginetest.Picture(t, e))
				t.Errorf("the pictures differ by up to %d of 255", most)
			}
			bright := 0
			for _, v := range enginetest.Picture(t, e).Pix {
				if v > 40 && v < 255 {
					bright++
				}
			}
			if bright < 3000 {
				t.Errorf("only %d values are bright: the test must see much light", bright)
			}
		})
	}
}
