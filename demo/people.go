package demo

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
)

// people are the mannequins: one that walks to the door and back, and two that
// walk their rounds.
func (d *Demo) people() error {
	for _, p := range []struct {
		name  string
		route Route
	}{
		{"walker", Route{Clip: "walk", Rest: "idle", Stops: []Stop{
			{At: mgl32.Vec3{0.65, 0, 8.6}}, {At: mgl32.Vec3{0.65, 0, 4.1}, Seconds: 3.5}, {At: mgl32.Vec3{0.65, 0, 8.6}},
			{At: mgl32.Vec3{2.2, 0, 9.1}}, {At: mgl32.Vec3{-0.6, 0, 9.3}},
		}, Ahead: 1.4}},
		{"stroller", Route{Clip: "walk", Rest: "idle", Stops: []Stop{
			{At: mgl32.Vec3{-4.4, 0, 5.4}}, {At: mgl32.Vec3{-1.0, 0, 5.5}, Seconds: 1.5}, {At: mgl32.Vec3{-1.6, 0, 6.7}},
			{At: mgl32.Vec3{-4.8, 0, 6.9}},
		}, Ahead: 3.9}},
		{"wanderer", Route{Clip: "walk", Rest: "idle", Stops: []Stop{
			{At: mgl32.Vec3{2.7, 0, 5.6}}, {At: mgl32.Vec3{4.9, 0, 5.2}, Seconds: 2}, {At: mgl32.Vec3{4.7, 0, 6.4}}, {At: mgl32.Vec3{2.8, 0, 6.8}},
		}, Ahead: 0.6}},
	} {
		e := d.Scene.SpawnModel(p.name, d.mannequin, nil)
		e.Collider = scene.NewCollider(physics.Capsule(0.28, 1.2))
		e.Collider.Offset = mgl32.Vec3{0, 0.9, 0}
		e.Body = &scene.RigidBody{Motion: physics.Kinematic}
		route := p.route
		if err := route.bind(e); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		e.Scripts = []any{&route}
		d.Mannequins = append(d.Mannequins, e)
	}
	return nil
}

// Route walks an entity from stop to stop, round and round, at the speed that
// its clip was made for, so that its feet do not slide.
type Route struct {
	Clip, Rest string // the clips for walking and for standing
	Stops      []Stop
	Ahead      float64 // seconds that the walk is ahead of its start, so that walkers are out of step

	speed   float32 // m/s
	next    int
	pause   float32
	walking bool
	heading float32 // radians from +Z towards +X
}

// Stop is a place on a Route, and how long to stand there.
type Stop struct {
	At      mgl32.Vec3
	Seconds float32
}

// bind finds the walk's speed and puts the entity at the first stop.
func (r *Route) bind(e *scene.Entity) error {
	for _, c := range e.Mesh.Model.Clips {
		if c.Name == r.Clip {
			r.speed = c.Speed
		}
	}
	if r.speed <= 0 || len(r.Stops) < 2 {
		return fmt.Errorf("a route needs two stops and a clip %q that says its speed", r.Clip)
	}
	e.Local.Translation = r.Stops[0].At
	r.next = 1
	r.heading = r.towards(e.Local.Translation)
	e.Local.Rotation = mgl32.QuatRotate(r.heading, mgl32.Vec3{0, 1, 0})
	if err := e.Animator.PlayName(r.Clip, 0); err != nil {
		return err
	}
	r.walking = true
	return e.Animator.Seek(float32(math.Mod(r.Ahead, float64(e.Animator.Clip().Duration))))
}

func (r *Route) towards(at mgl32.Vec3) float32 {
	d := r.Stops[r.next].At.Sub(at)
	return float32(math.Atan2(float64(d[0]), float64(d[2])))
}

const (
	turnSpeed = 2.6  // radians a second
	fade      = 0.25 // seconds between walking and standing
)

// Update walks on by dt seconds.
func (r *Route) Update(ctx *script.Context, dt float32) error {
	if r.pause > 0 {
		if r.pause -= dt; r.pause > 0 {
			return r.play(ctx, false)
		}
	}
	at := ctx.Position()
	goal := r.Stops[r.next]
	away := goal.At.Sub(at).Len()
	turn := wrap(r.towards(at) - r.heading)
	r.heading = wrap(r.heading + min(max(turn, -turnSpeed*dt), turnSpeed*dt))
	ctx.SetRotation(mgl32.QuatRotate(r.heading, mgl32.Vec3{0, 1, 0}))

	// The body goes where it looks; it slows down only to turn on the spot.
	step := r.speed * dt
	ahead := float32(math.Cos(float64(min(max(turn, -math.Pi/2), math.Pi/2))))
	if away < 0.6 {
		step *= max(ahead, 0)
	}
	s, c := math.Sincos(float64(r.heading))
	at = at.Add(mgl32.Vec3{float32(s), 0, float32(c)}.Mul(min(step, max(away, 0))))
	ctx.SetPosition(at)
	if away <= max(step, 0.06) {
		r.pause = goal.Seconds
		r.next = (r.next + 1) % len(r.Stops)
	}
	return r.play(ctx, true)
}

// play changes between walking and standing.
func (r *Route) play(ctx *script.Context, walking bool) error {
	if walking == r.walking {
		return nil
	}
	r.walking = walking
	if walking {
		return ctx.PlayClip(r.Clip, fade)
	}
	return ctx.PlayClip(r.Rest, fade)
}

// wrap brings an angle into -π to π.
func wrap(a float32) float32 {
	return float32(math.Remainder(float64(a), 2*math.Pi))
}
