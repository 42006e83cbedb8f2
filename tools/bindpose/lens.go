package main

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// lookThrough puts the camera where the file's is at this moment of its clip, with
// its field of view, until somebody moves it.
func (v *viewer) lookThrough() {
	if v.lens < 0 || len(v.models) == 0 {
		return
	}
	if v.camera != v.seen { // somebody has moved it
		v.lens = -1
		return
	}
	m, e := v.models[0], v.shown[0]
	if v.lens >= len(m.Nodes) || m.Nodes[v.lens].Camera < 0 {
		v.lens = -1
		return
	}
	at, weights := v.world(m, e.Animator)
	eye := at[v.lens].Col(3).Vec3()
	ahead := at[v.lens].Col(2).Vec3().Mul(-1).Normalize()
	v.camera.place(eye, eye.Add(ahead.Mul(max(v.lo.Add(v.hi).Mul(0.5).Sub(eye).Len(), 1e-3))))
	v.camera.apply(v.engine.Scene.Camera)
	if c := m.CameraAt(m.Nodes[v.lens].Camera, weights); !c.Orthographic && c.YFov > 0 && c.YFov < math.Pi {
		v.engine.Scene.Camera.Camera.YFov = c.YFov
	}
	v.seen = v.camera
	v.engine.Scene.UpdateWorld()
}

// world are a model's matrices and weights as they are drawn, or at rest.
func (v *viewer) world(m *assets.Model, a *animation.Animator) ([]mgl32.Mat4, []float32) {
	if a != nil {
		return a.Model(), a.Pose().Weights
	}
	world := make([]mgl32.Mat4, m.Skeleton.Len())
	animation.NewPose(m.Skeleton).ToModel(m.Skeleton, world)
	return world, m.Skeleton.MorphWeights
}
