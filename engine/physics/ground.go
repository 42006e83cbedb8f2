package physics

import "github.com/bindpose/bindpose/engine/mgl32"

// Ground is what lies under points, by rays straight down: an animation/ground.Ground.
// Make one with World.Ground.
type Ground struct {
	// Above and Below are how far over a point a ray begins and how far under it it
	// ends, metres. Above is as high as a step that feet take by themselves.
	Above, Below float32
	// Ignore is a body that is no ground, such as the one of whoever stands on it.
	Ignore Body

	world *World
}

// Ground is the ground that the world's bodies make, from 0.5 m over a point to 2 m
// under it.
func (w *World) Ground(ignore Body) *Ground {
	return &Ground{Above: 0.5, Below: 2, Ignore: ignore, world: w}
}

// Under is the height and normal of the nearest body under a point, metres. It is
// not ok where there is none, or the world is closed. It takes a microsecond or two
// and may be called by several goroutines, one after another.
func (g *Ground) Under(at mgl32.Vec3) (height float32, normal mgl32.Vec3, ok bool) {
	w := g.world
	if w == nil {
		return 0, mgl32.Vec3{0, 1, 0}, false
	}
	w.one.Lock()
	defer w.one.Unlock()
	w.oneRay[0] = Ray{From: at.Add(mgl32.Vec3{0, g.Above, 0}), To: at.Sub(mgl32.Vec3{0, g.Below, 0}), Ignore: g.Ignore}
	if err := w.RayCasts(w.oneRay[:], w.oneHit[:]); err != nil || w.oneHit[0].Body == 0 {
		return 0, mgl32.Vec3{0, 1, 0}, false
	}
	return w.oneHit[0].Point[1], w.oneHit[0].Normal, true
}
