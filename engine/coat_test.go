package engine_test

import (
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// A clear coat mirrors the sun where its own normal does, whatever the roughness
// below, and darkens what it covers where it is seen at a flat angle; opaque and
// blended surfaces alike.
func TestClearCoat(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
	e.Show.NoAntialias = true
	env := &e.Scene.Environment
	env.Shadows = false
	env.SkyZenith, env.SkyHorizon, env.SkyGround = mgl32.Vec3{}, mgl32.Vec3{}, mgl32.Vec3{}
	middle := func(mode assets.AlphaMode, coat *assets.Clearcoat, base mgl32.Vec4, eye, sun mgl32.Vec3) (r, g int) {
		m := plain(base)
		m.Roughness, m.Metallic, m.Alpha, m.Clearcoat = 1, 0, mode, coat
		model := quad(m)
		x := e.Scene.SpawnModel("quad", model, nil)
		defer e.Library.Forget(model)
		defer e.Scene.Remove(x)
		env.ToSun = sun
		c := camera(e, eye, mgl32.Vec3{})
		defer e.Scene.Remove(c)
		enginetest.Frames(t, e, 1, 0)
		p := at(enginetest.Picture(t, e), 32, 32)
		return int(p.R), int(p.G)
	}
	none := assets.TextureRef{Texture: -1, Scale: mgl32.Vec2{1, 1}}
	coat := func(factor, roughness float32) *assets.Clearcoat {
		return &assets.Clearcoat{Factor: factor, Roughness: roughness, NormalScale: 1, Map: none, RoughMap: none, NormalMap: none}
	}
	black, red := mgl32.Vec4{0, 0, 0, 1}, mgl32.Vec4{0.5, 0, 0, 1}
	for _, mode := range []assets.AlphaMode{assets.Opaque, assets.Blend} {
		eye, mirror, aside := mgl32.Vec3{0, 1.5, 3}, mgl32.Vec3{0, -1.5, 3}, mgl32.Vec3{0, 3, 1}
		bare, _ := middle(mode, nil, black, eye, mirror)
		shiny, _ := middle(mode, coat(1, 0.1), black, eye, mirror)
		dull, _ := middle(mode, coat(1, 0.6), black, eye, mirror)
		half, _ := middle(mode, coat(0.5, 0.6), black, eye, mirror)
		away, _ := middle(mode, coat(1, 0.1), black, eye, aside)
		if !(shiny > dull && dull > half && half > bare) || shiny < 200 || away > bare+8 {
			t.Errorf("mode %d: without a coat %d; shiny %d, dull %d, half %d, the sun aside %d", mode, bare, shiny, dull, half, away)
		}
		flat := mgl32.Vec3{0, 3, 0.35}
		open, _ := middle(mode, nil, red, flat, mgl32.Vec3{3, 0, 3})
		covered, _ := middle(mode, coat(1, 0.1), red, flat, mgl32.Vec3{3, 0, 3})
		if covered > open-8 {
			t.Errorf("mode %d: at a flat angle %d under the coat, %d without", mode, covered, open)
		}
	}
}
