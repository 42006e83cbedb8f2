package engine_test

import (
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// glass is an unlit blended colour.
func glass(r, g, b float32) *assets.Model {
	m := unlit(mgl32.Vec4{r, g, b, 0.5})
	m.Alpha = assets.Blend
	return quad(m)
}

// Blended surfaces are drawn from back to front whatever the order in which
// they came: the nearest colours the picture most.
func TestBlendedSurfacesAreDrawnFromBackToFront(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	e.Scene.Environment.Shadows = false
	eye := camera(e, mgl32.Vec3{0, 0, 6}, mgl32.Vec3{})
	red, green, blue := glass(1, 0, 0), glass(0, 1, 0), glass(0, 0, 1)
	e.Scene.SpawnModel("middle", green, nil)
	e.Scene.SpawnModel("front", red, nil).Local.Translation[2] = 1
	e.Scene.SpawnModel("back", blue, nil).Local.Translation[2] = -1
	again := e.Scene.SpawnModel("far", red, nil) // the same model twice: one batch each
	again.Local.Translation[2] = -3
	enginetest.Frames(t, e, 1, 0)
	if n := len(e.Draw.Blended); n != 4 || len(e.Draw.Opaque) != 0 {
		t.Fatalf("%d blended and %d opaque draws", n, len(e.Draw.Opaque))
	}
	front := at(enginetest.Picture(t, e), 16, 16)
	if !(front.R > front.G && front.G > front.B) {
		t.Errorf("from the front: %v, want red before green before blue", front)
	}
	// From the other side the order is the other way around; faces are one-sided,
	// so they are turned with the camera.
	again.Hidden = true
	eye.LookAt(mgl32.Vec3{0, 0, -6}, mgl32.Vec3{})
	for _, x := range foxesOf(e) {
		x.Local.Rotation = mgl32.QuatRotate(mgl32.DegToRad(180), mgl32.Vec3{0, 1, 0})
	}
	enginetest.Frames(t, e, 1, 0)
	back := at(enginetest.Picture(t, e), 16, 16)
	if !(back.B > back.G && back.G > back.R) {
		t.Errorf("from behind: %v, want blue before green before red", back)
	}
	// Opaque surfaces hide blended ones behind them.
	wall := e.Scene.SpawnModel("wall", box(mgl32.Vec3{2, 2, 0.1}, unlit(mgl32.Vec4{0, 0, 0, 1})), nil)
	wall.Local.Translation[2] = -4
	enginetest.Frames(t, e, 1, 0)
	if c := at(enginetest.Picture(t, e), 16, 16); c.R > 5 || c.G > 5 || c.B > 5 {
		t.Errorf("behind a black wall: %v", c)
	}
}

// A picture that is missing or broken is told once each, and seen.
func TestMissingPicturesAreToldAndSeen(t *testing.T) {
	for name, m := range map[string]assets.Model{
		"missing": {Images: []assets.Image{{Name: "wood"}}, Textures: []assets.Texture{{Image: 0}}},
		"broken":  {Images: []assets.Image{{Name: "wood", Data: []byte("\x89PNG\r\n\x1a\nrust")}}, Textures: []assets.Texture{{Image: 0}}},
		"no image": {
			Textures: []assets.Texture{{Image: -1}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var told []string
			e := enginetest.Open(t, engine.Options{Width: 64, Height: 64, Warn: func(_ *assets.Model, s string) { told = append(told, s) }})
			e.Show.NoAntialias = true
			camera(e, mgl32.Vec3{0, 0, 3}, mgl32.Vec3{})
			material := unlit(mgl32.Vec4{1, 1, 1, 1})
			material.BaseColorMap.Texture = 0
			q := quad(material)
			q.Images, q.Textures = m.Images, m.Textures
			e.Scene.SpawnModel("quad", q, nil)
			enginetest.Frames(t, e, 3, 0)
			if len(told) != 1 || !strings.Contains(told[0], "checkerboard") || name != "no image" && !strings.Contains(told[0], "wood") {
				t.Errorf("told %q", told)
			}
			p := enginetest.Picture(t, e)
			magenta, black := 0, 0
			for y := range 64 {
				for x := range 64 {
					switch c := at(p, x, y); {
					case c.R > 150 && c.B > 150 && c.G < 20:
						magenta++
					case c.R < 20 && c.B < 20 && c.G < 20:
						black++
					}
				}
			}
			if magenta < 400 || black < 400 {
				t.Errorf("%d magenta and %d black pixels", magenta, black)
			}
		})
	}
}

// Mirrored instances are a draw of their own, with the faces the other way
// around, and lit as the others are.
func TestMirroredInstances(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 32})
	e.Scene.Environment.Shadows = false
	e.Scene.Environment.ToSun = mgl32.Vec3{0, 0, 1}
	camera(e, mgl32.Vec3{0, 0, 6}, mgl32.Vec3{})
	m := box(mgl32.Vec3{0.8, 0.8, 0.8}, plain(mgl32.Vec4{0.8, 0.2, 0.2, 1}))
	e.Scene.SpawnModel("plain", m, nil).Local.Translation[0] = -1.6
	x := e.Scene.SpawnModel("mirrored", m, nil)
	x.Local.Translation[0], x.Local.Scale = 1.6, mgl32.Vec3{1, -1, 1}
	enginetest.Frames(t, e, 1, 0)
	var mirrored []bool
	for _, b := range e.Draw.Opaque {
		if b.Count != 1 {
			t.Errorf("a draw of %d", b.Count)
		}
		mirrored = append(mirrored, b.Mirrored)
	}
	if !slices.Equal(mirrored, []bool{false, true}) {
		t.Errorf("draws, mirrored or not: %v", mirrored)
	}
	p := enginetest.Picture(t, e)
	l, r := at(p, 18, 16), at(p, 45, 16)
	if !close(l, r, 6) || l.R < 100 || l.G > l.R-40 {
		t.Errorf("plain %v, mirrored %v", l, r)
	}
}

func close(a, b color.NRGBA, by int) bool {
	for _, d := range [3]int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
		if d > by || d < -by {
			return false
		}
	}
	return true
}

// A shadow falls beneath what casts one, and not beneath an entity that shows
// the same model with NoShadow.
func TestNoShadowIsOneEntitysOwn(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 32})
	e.Scene.Environment.ToSun = mgl32.Vec3{0, 1, 0}
	e.Scene.Environment.ShadowRadius = 8
	camera(e, mgl32.Vec3{0, 7, 7}, mgl32.Vec3{})
	ground := e.Scene.SpawnModel("ground", box(mgl32.Vec3{8, 0.1, 8}, plain(mgl32.Vec4{0.7, 0.7, 0.7, 1})), nil)
	ground.Local.Translation[1] = -2
	m := box(mgl32.Vec3{0.5, 0.1, 0.5}, plain(mgl32.Vec4{0.7, 0.7, 0.7, 1}))
	light := e.Scene.SpawnModel("light", m, nil)
	light.Mesh.NoShadow = true
	light.Local.Translation[0] = -3
	heavy := e.Scene.SpawnModel("heavy", m, nil)
	heavy.Local.Translation[0] = 3
	below := func(x *scene.Entity) color.NRGBA {
		p := x.Local.Translation
		clip := mgl32.TransformCoordinate(mgl32.Vec3{p[0], -1.9, 0}, e.Draw.Globals.ViewProjection)
		return at(enginetest.Picture(t, e), int((clip[0]+1)*32), int((clip[1]+1)*16))
	}
	enginetest.Frames(t, e, 1, 0)
	bare := below(ground)
	if got := below(heavy); got.R > bare.R-40 {
		t.Errorf("beneath what casts a shadow: %v, beside it %v", got, bare)
	}
	if got := below(light); !close(got, bare, 12) {
		t.Errorf("beneath what casts none: %v, beside it %v", got, bare)
	}
}

// A masked surface has holes; a double-sided one is seen, and lit, from behind.
func TestMaskedAndDoubleSidedSurfaces(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	e.Scene.Environment.Shadows = false
	camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
	e.Scene.Environment.ToSun = mgl32.Vec3{0, 0, 1}
	material := plain(mgl32.Vec4{0.9, 0.1, 0.1, 0.4})
	material.Alpha, material.AlphaCutoff = assets.Mask, 0.5
	x := e.Scene.SpawnModel("quad", quad(material), nil)
	enginetest.Frames(t, e, 1, 0)
	if c := at(enginetest.Picture(t, e), 16, 16); c.G < 60 {
		t.Errorf("alpha 0.4 below a cutoff of 0.5 shows %v", c)
	}
	material.AlphaCutoff, material.DoubleSided = 0.3, true
	x.Mesh.Model = quad(material)
	enginetest.Frames(t, e, 1, 0)
	front := at(enginetest.Picture(t, e), 16, 16)
	x.Local.Rotation = mgl32.QuatRotate(mgl32.DegToRad(180), mgl32.Vec3{1, 0, 0})
	enginetest.Frames(t, e, 1, 0)
	back := at(enginetest.Picture(t, e), 16, 16)
	if front.R < 100 || front.G > front.R-60 || !close(front, back, 6) {
		t.Errorf("front %v, back %v", front, back)
	}
}

// Lines and points without normals show their colour, whatever the light; with
// normals they are lit; a normal map without tangents is left out
// (glTF 2.0 §3.9.7).
func TestLinesAndPoints(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	e.Scene.Environment.Shadows = false
	e.Show.NoAntialias = true
	camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
	for _, topology := range []assets.Topology{assets.Lines, assets.Points} {
		for _, normals := range []bool{false, true} {
			m := tilted(t, mgl32.Vec3{1, 0, 1}, false)
			m.Materials[0].BaseColor = mgl32.Vec4{0, 1, 0, 1}
			p := &m.Meshes[0].Primitives[0]
			p.Topology, p.Indices = topology, nil
			p.Positions, p.UV, p.Normals = nil, [][]mgl32.Vec2{nil}, nil
			for i := range 64 {
				for j := range 2 {
					p.Positions = append(p.Positions, mgl32.Vec3{float32(2*j - 1), float32(i)/32 - 1, 0})
					p.UV[0] = append(p.UV[0], mgl32.Vec2{float32(j), 0})
					if normals {
						p.Normals = append(p.Normals, mgl32.Vec3{0, 0, 1})
					}
				}
			}
			x := e.Scene.SpawnModel("lines", m, nil)
			count := func(sun mgl32.Vec3) (green, bright int) {
				e.Scene.Environment.ToSun = sun
				enginetest.Frames(t, e, 1, 0)
				picture := enginetest.Picture(t, e)
				for y := range 32 {
					for i := range 32 {
						if c := at(picture, i, y); c.R < c.G/2 && c.B < c.G/2 {
							green, bright = green+1, max(bright, int(c.G))
						}
					}
				}
				return green, bright
			}
			n, front := count(mgl32.Vec3{0, 0, 1})
			_, behind := count(mgl32.Vec3{0, 0, -1})
			if n < 20 {
				t.Errorf("topology %d, normals %v: %d green pixels", topology, normals, n)
			}
			if lit := front > behind+20; lit != normals {
				t.Errorf("topology %d, normals %v: %d in front of the sun, %d behind", topology, normals, front, behind)
			}
			e.Scene.Remove(x)
		}
	}
}

// What faces the sun casts a shadow, on one side or mirrored; so does what faces
// away and has two sides.
func TestASurfaceThatFacesTheSunCastsAShadow(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 32})
	e.Scene.Environment.ToSun = mgl32.Vec3{0, 1, 0}
	e.Scene.Environment.ShadowRadius = 8
	camera(e, mgl32.Vec3{0, 7, 7}, mgl32.Vec3{})
	ground := e.Scene.SpawnModel("ground", box(mgl32.Vec3{8, 0.1, 8}, plain(mgl32.Vec4{0.7, 0.7, 0.7, 1})), nil)
	ground.Local.Translation[1] = -2
	sheet := plain(mgl32.Vec4{0.7, 0.7, 0.7, 1})
	one := quad(sheet)
	sheet.DoubleSided = true
	two := quad(sheet)
	for _, c := range []struct {
		name  string
		model *assets.Model
		turn  float32 // degrees about X; -90 faces up
		scale mgl32.Vec3
	}{
		{"one side, up", one, -90, mgl32.Vec3{0.6, 0.6, 1}},
		{"two sides, down", two, 90, mgl32.Vec3{0.6, 0.6, 1}},
		{"mirrored, up", one, -90, mgl32.Vec3{-0.6, 0.6, 1}},
	} {
		x := e.Scene.SpawnModel(c.name, c.model, nil)
		x.Local.Rotation, x.Local.Scale = mgl32.QuatRotate(mgl32.DegToRad(c.turn), mgl32.Vec3{1, 0, 0}), c.scale
		x.Local.Translation[0] = 3
		enginetest.Frames(t, e, 1, 0)
		below := func(x float32) color.NRGBA {
			clip := mgl32.TransformCoordinate(mgl32.Vec3{x, -1.9, 0}, e.Draw.Globals.ViewProjection)
			return at(enginetest.Picture(t, e), int((clip[0]+1)*32), int((clip[1]+1)*16))
		}
		if got, bare := below(3), below(-3); got.R > bare.R-40 {
			t.Errorf("%s: beneath it %v, elsewhere %v", c.name, got, bare)
		}
		e.Scene.Remove(x)
	}
}

// The holes of a masked surface let the sun through.
func TestMaskedSurfacesCastTheShadowOfWhatIsThere(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 32})
	e.Scene.Environment.ToSun = mgl32.Vec3{0, 1, 0}
	e.Scene.Environment.ShadowRadius = 8
	camera(e, mgl32.Vec3{0, 7, 7}, mgl32.Vec3{})
	ground := e.Scene.SpawnModel("ground", box(mgl32.Vec3{8, 0.1, 8}, plain(mgl32.Vec4{0.7, 0.7, 0.7, 1})), nil)
	ground.Local.Translation[1] = -2
	shown := func(x float32, cutoff float32) *scene.Entity {
		m := plain(mgl32.Vec4{0.7, 0.7, 0.7, 0.5})
		m.Alpha, m.AlphaCutoff = assets.Mask, cutoff
		entity := e.Scene.SpawnModel("masked", box(mgl32.Vec3{0.5, 0.1, 0.5}, m), nil)
		entity.Local.Translation[0] = x
		return entity
	}
	here, hole := shown(3, 0.4), shown(-3, 0.6)
	enginetest.Frames(t, e, 1, 0)
	below := func(x *scene.Entity) color.NRGBA {
		clip := mgl32.TransformCoordinate(mgl32.Vec3{x.Local.Translation[0], -1.9, 0}, e.Draw.Globals.ViewProjection)
		return at(enginetest.Picture(t, e), int((clip[0]+1)*32), int((clip[1]+1)*16))
	}
	bare := below(ground)
	if got := below(here); got.R > bare.R-40 {
		t.Errorf("beneath what is there: %v, beside it %v", got, bare)
	}
	if got := below(hole); !close(got, bare, 12) {
		t.Errorf("beneath a hole: %v, beside it %v", got, bare)
	}
}
