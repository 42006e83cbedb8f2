package engine_test

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/internal/golden"
)

// knoll is a hill of up to 20°, with a top at the origin.
var knoll = ground.Func(func(x, z float32) float32 {
	return 0.75 * float32(math.Cos(0.5*float64(x))*math.Cos(0.2*float64(z)))
})

// terrain is a model of what knoll is.
func terrain(g ground.Func) *assets.Model {
	material := assets.DefaultMaterial()
	material.BaseColor = mgl32.Vec4{0.32, 0.42, 0.24, 1}
	material.Metallic, material.Roughness = 0, 0.9
	m := box(mgl32.Vec3{1, 1, 1}, material)
	p := &m.Meshes[0].Primitives[0]
	p.Positions, p.Normals, p.Indices = nil, nil, nil
	const side, cell = 97, 0.125
	for iz := range side {
		for ix := range side {
			x, z := (float32(ix)-side/2)*cell, (float32(iz)-side/2)*cell
			h, n, _ := g.Under(mgl32.Vec3{x, 0, z})
			p.Positions, p.Normals = append(p.Positions, mgl32.Vec3{x, h, z}), append(p.Normals, n)
			if ix > 0 && iz > 0 {
				at := uint32(iz*side + ix)
				p.Indices = append(p.Indices, at-side-1, at-1, at, at-side-1, at, at-side)
			}
		}
	}
	return m
}

// Four mannequins on a hillside: where their entity has them, by contact alone, with
// both feet brought to it, and so in the midst of a step.
func TestGoldenStanding(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 640, Height: 360})
	e.Scene.Spawn("hill", nil).Mesh = &scene.MeshRenderer{Model: terrain(knoll)}
	data := must(demoassets.Files.ReadFile("mannequin.glb"))(t)
	m := must(gltf.Decode("mannequin.glb", data, nil))(t)
	for i, x := range []float32{-3.9, -3.05, -2.2, -1.35} {
		hero := e.Scene.Spawn("hero", nil)
		hero.Mesh = &scene.MeshRenderer{Model: m}
		hero.Animator = animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
		if err := hero.Animator.PlayName([]string{"idle", "walk"}[i/3], 0); err != nil {
			t.Fatal(err)
		}
		if err := hero.Animator.Seek(0.45); err != nil {
			t.Fatal(err)
		}
		hero.Local.Translation = mgl32.Vec3{x, knoll(x, 0.6), 0.6}
		if i == 0 {
			continue
		}
		stance := must(hero.Stand(knoll))(t)
		if i > 1 {
			stance.Feet = ground.NewFootIK(stance.Soles())
		}
	}
	camera(e, mgl32.Vec3{-2.5, 0.9, 5.2}, mgl32.Vec3{-2.6, 0.85, 0.6})
	enginetest.Frames(t, e, 1, 0)
	golden.Check(t, "standing", enginetest.Picture(t, e))
}

// A carrier walks up a hill by root motion, pitched along it, all feet on it.
func TestGoldenCarrierOnAHill(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 480, Height: 270})
	hill := ground.Func(func(_, z float32) float32 { return 0.7 * float32(math.Cos(0.52*float64(z))) })
	e.Scene.Spawn("hill", nil).Mesh = &scene.MeshRenderer{Model: terrain(hill)}
	data := must(demoassets.Files.ReadFile("carrier.glb"))(t)
	m := must(gltf.Decode("carrier.glb", data, nil))(t)
	carrier := e.Scene.Spawn("carrier", nil)
	carrier.Mesh = &scene.MeshRenderer{Model: m}
	carrier.RootMotion = true
	for _, clip := range m.Clips {
		if clip.Name == "walk" {
			walk := must(animation.WalkRoot(clip, m.Skeleton, int32(m.Skeleton.Joint("root"))))(t)
			carrier.Animator = animation.NewAnimator(m.Skeleton, m.Skins, []*animation.Clip{walk})
		}
	}
	if err := carrier.Animator.PlayIndex(0, 0); err != nil {
		t.Fatal(err)
	}
	carrier.Local.Translation = mgl32.Vec3{0, 0, -5}
	stance := must(carrier.Stand(hill))(t)
	stance.Feet = ground.NewFootIK(stance.Soles())
	for range 140 {
		if err := e.Scene.Animate(1.0 / 60); err != nil {
			t.Fatal(err)
		}
	}
	at := carrier.WorldPosition()
	camera(e, at.Add(mgl32.Vec3{3.6, 1.0, 0.6}), at.Add(mgl32.Vec3{0, 0.75, 0}))
	enginetest.Frames(t, e, 1, 0)
	golden.Check(t, "carrier", enginetest.Picture(t, e))
}
