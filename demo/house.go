package demo

import (
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
)

// building is the house, its walls as obstacles, and its door.
func (d *Demo) building() {
	house := d.put("house", d.house, "", 0, mgl32.Vec3{}, nil)
	house.Mesh.Without = []string{"door"}

	ground := d.Scene.Spawn("ground plane", nil)
	ground.Collider = scene.NewCollider(physics.Plane(mgl32.Vec3{0, 1, 0}))
	for _, w := range []struct {
		name         string
		center, half mgl32.Vec3
	}{
		{"wall left", mgl32.Vec3{-2.2, 1.6, 0}, mgl32.Vec3{0.15, 1.6, 2.5}},
		{"wall right", mgl32.Vec3{2.2, 1.6, 0}, mgl32.Vec3{0.15, 1.6, 2.5}},
		{"wall back", mgl32.Vec3{0, 1.6, -2.4}, mgl32.Vec3{2.2, 1.6, 0.15}},
		{"wall front left", mgl32.Vec3{-1.1, 1.6, 2.4}, mgl32.Vec3{1.2, 1.6, 0.15}},
		{"wall front right", mgl32.Vec3{1.7, 1.6, 2.4}, mgl32.Vec3{0.55, 1.6, 0.15}},
	} {
		e := d.Scene.Spawn(w.name, house)
		e.Local.Translation = w.center
		e.Collider = scene.NewCollider(physics.Box(w.half))
	}

	hinge := d.house.Skeleton.Joint("door")
	d.Door = d.put("door", d.house, "door", 0, d.house.Skeleton.Rest[hinge].Translation, nil)
	d.Door.Collider = scene.NewCollider(physics.Box(mgl32.Vec3{0.48, 1.04, 0.04}))
	d.Door.Collider.Offset = mgl32.Vec3{0.48, 1.04, 0}
	d.Door.Body = &scene.RigidBody{Motion: physics.Kinematic}
	d.Door.Scripts = []any{&Door{Visitors: []string{"walker", "stroller", "wanderer"}}}
}

// Door opens while one of the visitors stands near it, and closes behind them.
// It swings inwards about its hinge, gently at both ends.
type Door struct {
	Visitors []string // names of entities

	swung float32 // 0 closed, 1 open
}

const (
	doorNear    = 2.3  // metres from the hinge
	doorOpen    = 1.83 // radians
	doorSeconds = 1.1  // to swing all the way
)

// Update swings the door.
func (d *Door) Update(ctx *script.Context, dt float32) error {
	step := -dt / doorSeconds
	for _, name := range d.Visitors {
		if away, ok := ctx.Distance(name); ok && away < doorNear {
			step = dt / doorSeconds
		}
	}
	d.swung = min(max(d.swung+step, 0), 1)
	eased := 0.5 - 0.5*float32(math.Cos(math.Pi*float64(d.swung)))
	ctx.SetRotation(mgl32.QuatRotate(doorOpen*eased, mgl32.Vec3{0, 1, 0}))
	return nil
}

// crates fall in a heap beside the house, and now and then one falls again.
func (d *Demo) crates() {
	random := sequence(3)
	crates := d.Scene.Spawn("crates", nil)
	for i := range 9 {
		e := d.put("crate", d.props, "crate", 360*random(), mgl32.Vec3{
			4.3 + 0.5*(random()-0.5), 0.6 + 0.75*float32(i), 2.6 + 0.5*(random()-0.5),
		}, crates)
		e.Collider = scene.NewCollider(physics.Box(mgl32.Vec3{0.25, 0.25, 0.25}))
		e.Collider.Restitution = 0.1
		e.Body = &scene.RigidBody{Motion: physics.Dynamic, Mass: 8}
		d.Crates = append(d.Crates, e)
	}
	d.Crates[0].Scripts = []any{&rain{demo: d}}
}

// rain lifts one crate after another above the heap and lets it fall.
type rain struct {
	demo *Demo
	next int
	wait float32
}

const (
	rainStart = 6.0 // seconds
	rainEvery = 2.5
)

// Update drops the next crate when it is time.
func (r *rain) Update(ctx *script.Context, dt float32) error {
	r.wait += dt
	if ctx.Time() < rainStart || r.wait < rainEvery {
		return nil
	}
	r.wait = 0
	e := r.demo.Crates[r.next%len(r.demo.Crates)]
	r.next++
	turn := float32(r.next) * 0.7
	return r.demo.Scene.World().Teleport(physics.Transform{
		Body:     e.PhysicsBody(),
		Position: mgl32.Vec3{4.3, 4.6, 2.6},
		Rotation: mgl32.QuatRotate(turn, mgl32.Vec3{0.6, 0.8, 0}),
	})
}
