package engine_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

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

// bumpy is a model whose normals are tilted.
func bumpy(m *assets.Model) *assets.Model {
	tilted := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		tilted.Set(i%4, i/4, color.NRGBA{190, 90, 220, 255})
	}
	var file bytes.Buffer
	_ = png.Encode(&file, tilted) // a buffer takes all
	m.Images = []assets.Image{{Name: "tilt", Data: file.Bytes()}}
	m.Textures = []assets.Texture{{Image: 0}}
	m.Materials[0].NormalMap.Texture = 0
	return m
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
				if i == 1 { // below the coat the normal is another
					x.Mesh.Model = bumpy(x.Mesh.Model)
				}
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

// shadows puts a wall between each of some lamps and a floor.
func shadows(e *engine.Engine, lamps int) (all []*scene.Entity) {
	put(e, mgl32.Vec3{10, 0.1, 4}, mgl32.Vec3{0, -0.1, 0})
	for i := range lamps {
		x := 3 * (float32(i) - float32(lamps-1)/2)
		all = append(all, lampAt(e, assets.Point, mgl32.Vec3{x, 1.5, 0}, 4, 2.4))
		put(e, mgl32.Vec3{0.3, 0.02, 0.3}, mgl32.Vec3{x, 0.8, 0})
	}
	c := camera(e, mgl32.Vec3{0, 7, 12}, mgl32.Vec3{})
	c.Camera.YFov = mgl32.DegToRad(60)
	return all
}

// below is the brightness of the floor under each lamp's wall.
func below(t *testing.T, e *engine.Engine, lamps []*scene.Entity) (out []int) {
	t.Helper()
	enginetest.Frames(t, e, 1, 0)
	p := enginetest.Picture(t, e)
	w, h := e.Size()
	for _, l := range lamps {
		at := l.Local.Translation
		c := e.Draw.Globals.ViewProjection.Mul4x1(mgl32.Vec4{at[0], 0, at[2] + 0.2, 1})
		x, y := int((c[0]/c[3]+1)/2*float32(w)), int((c[1]/c[3]+1)/2*float32(h))
		out = append(out, at8(p.Pix[p.PixOffset(x, y):]))
	}
	return out
}

// Of more lamps than cast shadows, the others are lit without; what passes there are
// changes with those that are seen, and the picture is as before when they come back.
func TestMoreLampsThanCastShadows(t *testing.T) {
	e := night(t, engine.Options{})
	lamps := shadows(e, render.MaxLamps+2)
	dark := func() (out []bool) {
		for _, v := range below(t, e, lamps) {
			out = append(out, v < 20)
		}
		return out
	}
	passes := func() (n int) {
		for i := range e.Plan().Passes() {
			if strings.HasPrefix(e.Plan().PassName(i), "lamp ") {
				n++
			}
		}
		return n
	}
	for i, l := range lamps {
		if i == 2 || i == 3 {
			l.Light.Intensity = 2 // the others are 4, and not twice as far away
		}
	}
	want := []bool{true, true, false, false, true, true}
	if got := dark(); !slices.Equal(got, want) {
		t.Errorf("dark below the walls: %v, want %v", got, want)
	}
	first := enginetest.Picture(t, e)
	if n := passes(); n != 2*render.MaxLamps {
		t.Errorf("%d passes of lamps", n)
	}
	for _, l := range lamps[:3] {
		l.Hidden = true
	}
	if got := dark(); !slices.Equal(got[3:], []bool{true, true, true}) {
		t.Errorf("with three lamps dark below the walls: %v", got)
	}
	if n := passes(); n != 6 {
		t.Errorf("%d passes of three lamps", n)
	}
	eye := e.Scene.Camera.Local
	e.Scene.Camera.LookAt(mgl32.Vec3{0, 7, 12}, mgl32.Vec3{0, 20, 40})
	enginetest.Frames(t, e, 1, 0)
	if n := passes(); n != 0 {
		t.Errorf("%d passes of lamps that are not seen", n)
	}
	e.Scene.Camera.Local = eye
	for _, l := range lamps {
		l.Hidden = false
	}
	enginetest.Frames(t, e, 1, 0)
	enginetest.Same(t, enginetest.Picture(t, e), first)
}

// The frame goes without a lamp's passes: without its shadow, its light comes
// through; without its light, it is dark.
func TestWithoutALamp(t *testing.T) {
	e := night(t, engine.Options{})
	lamps := shadows(e, 2)
	check := func(what string, want ...bool) {
		t.Helper()
		for i, v := range below(t, e, lamps) {
			if lit := v > 30; lit != want[i] {
				t.Errorf("%s: below wall %d the brightness is %d", what, i, v)
			}
		}
	}
	check("all", false, false)
	for _, c := range []struct {
		name string
		lit  bool
	}{{"lamp 2 shadow", true}, {"lamp 2", false}} {
		if err := e.Without(c.name); err != nil {
			t.Fatal(err)
		}
		check("without "+c.name, false, c.lit)
		if how := e.HowWithout(c.name); how != "left out" {
			t.Errorf("%s: %s", c.name, how)
		}
	}
	if err := e.Without(); err != nil {
		t.Fatal(err)
	}
	check("all again", false, false)
}

// What casts: masked surfaces where they are not holes, nothing that is told not to,
// nothing transparent; mirrored things and those that only the lamp sees do.
func TestWhatCastsInALampsLight(t *testing.T) {
	hole := rough()
	hole.Alpha, hole.AlphaCutoff, hole.BaseColor[3] = assets.Mask, 0.5, 0.2
	solid := hole
	solid.BaseColor[3] = 0.9
	glass := rough()
	glass.Alpha, glass.BaseColor[3] = assets.Blend, 0.01
	for _, c := range []struct {
		name     string
		material assets.Material
		change   func(x *scene.Entity)
		casts    bool
	}{
		{"opaque", rough(), nil, true},
		{"a hole", hole, nil, false},
		{"masked", solid, nil, true},
		{"transparent", glass, nil, false},
		{"told not to", rough(), func(x *scene.Entity) { x.Mesh.NoShadow = true }, false},
		{"mirrored", rough(), func(x *scene.Entity) { x.Local.Scale[0] = -1 }, true},
		{"masked, mirrored", solid, func(x *scene.Entity) { x.Local.Scale[0] = -1 }, true},
		{"hidden", rough(), func(x *scene.Entity) { x.Hidden = true }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := night(t, engine.Options{Width: 160, Height: 90})
			put(e, mgl32.Vec3{4, 0.1, 4}, mgl32.Vec3{0, -0.1, 0})
			lamp := lampAt(e, assets.Point, mgl32.Vec3{0, 3, 0}, 12, 8)
			x := e.Scene.SpawnModel("box", box(mgl32.Vec3{0.5, 0.05, 0.5}, c.material), nil)
			x.Local.Translation = mgl32.Vec3{0, 2.6, 0} // above what the camera sees
			if c.change != nil {
				c.change(x)
			}
			camera(e, mgl32.Vec3{0, 1, 3}, mgl32.Vec3{0, 0, 0.5})
			if v := below(t, e, []*scene.Entity{lamp})[0]; (v < 10) != c.casts {
				t.Errorf("the floor's brightness is %d", v)
			}
			if got := e.Draw.Opaque; len(got) == 2 && got[0].Count+got[1].Count > 1 {
				t.Errorf("the camera sees what casts: the test must not")
			}
		})
	}
}

// A skinned character's shadow is that of its skinned vertices, whatever skins it.
func TestSkinnedShadowsInALampsLight(t *testing.T) {
	for _, c := range []struct {
		file string
		clip int
		time float32
	}{
		{"gltf/CesiumMan/glTF-Binary/CesiumMan.glb", 0, 0.4},
		{"gltf-magnum/AssimpImporter/skin-multiple-sets.gltf", -1, 0.7},
		{"fbx/ufbx/maya_dual_quaternion_7500_ascii.fbx", 0, 0.6},
		{"gltf/AnimatedMorphCube/glTF/AnimatedMorphCube.gltf", 0, 1.1},
	} {
		t.Run(c.file, func(t *testing.T) {
			e := night(t, engine.Options{Width: 640, Height: 360, Warn: func(*assets.Model, string) {}})
			m := load(t, c.file)
			x := e.Scene.SpawnModel(m.Name, m, nil)
			clip := swing(m.Skeleton)
			if c.clip >= 0 {
				clip = m.Clips[c.clip]
			}
			if err := x.Animator.Play(clip, 0); err != nil {
				t.Fatal(err)
			}
			if err := x.Animator.Seek(c.time); err != nil {
				t.Fatal(err)
			}
			x.Animator.Refresh()
			bounds, err := m.Bounds(x.Animator.Pose())
			if err != nil {
				t.Fatal(err)
			}
			// Its size is that of a person, upon a floor, before a wall.
			scale := 1.6 / bounds.Max.Sub(bounds.Min).Len()
			x.Local.Scale = mgl32.Vec3{scale, scale, scale}
			middle := bounds.Min.Add(bounds.Max).Mul(scale / 2)
			x.Local.Translation = mgl32.Vec3{0, 0.9, 0}.Sub(middle)
			put(e, mgl32.Vec3{4, 0.1, 4}, mgl32.Vec3{0, -0.1, 0})
			put(e, mgl32.Vec3{4, 4, 0.1}, mgl32.Vec3{0, 3, -2})
			lamp := lampAt(e, assets.Point, mgl32.Vec3{0.4, 1.4, 2}, 14, 12)
			camera(e, mgl32.Vec3{3, 2.5, 3}, mgl32.Vec3{-0.4, 0.6, -1.2})
			enginetest.Frames(t, e, 1, 0)
			e.Scene.Camera.Camera.YFov = mgl32.DegToRad(60)
			enginetest.Frames(t, e, 1, 0)
			lit, dark := judged(t, e, gather(t, e), lamp.Local.Translation, everywhere)
			t.Logf("%d lit, %d dark", lit, dark)
			if lit < 100 || dark < 8 {
				t.Errorf("%d are lit and %d dark: the test must see many", lit, dark)
			}
		})
	}
}
