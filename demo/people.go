package demo

import (
	"errors"
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/assets"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
)

// people are the mannequins that the scene was composed with: one that walks to
// the door and back, and two that walk their rounds. All are driven by the state
// machine of mannequin.json.
var people = [composed]struct {
	name  string
	route Route
}{
	{"walker", Route{Stops: []Stop{
		{At: mgl32.Vec3{0.65, 0, 8.6}}, {At: mgl32.Vec3{0.65, 0, 4.1}, Seconds: 3.5}, {At: mgl32.Vec3{0.65, 0, 8.6}},
		{At: mgl32.Vec3{2.2, 0, 9.1}}, {At: mgl32.Vec3{-0.6, 0, 9.3}},
	}, Ahead: 1.4}},
	{"stroller", Route{Stops: []Stop{
		{At: mgl32.Vec3{-4.4, 0, 5.4}}, {At: mgl32.Vec3{-1.0, 0, 5.5}, Seconds: 1.6}, {At: mgl32.Vec3{-1.6, 0, 6.7}},
		{At: mgl32.Vec3{-4.8, 0, 6.9}},
	}, Ahead: 3.9}},
	{"wanderer", Route{Stops: []Stop{
		{At: mgl32.Vec3{2.7, 0, 5.6}}, {At: mgl32.Vec3{4.9, 0, 5.2}, Seconds: 2}, {At: mgl32.Vec3{4.7, 0, 6.4}}, {At: mgl32.Vec3{2.8, 0, 6.8}},
	}, Ahead: 0.6}},
}

// composed is how many they are.
const composed = 3

// person adds the mannequin of that number.
func (d *Demo) person(i int) error {
	p := people[i]
	e := d.spawnMannequin(p.name, 1, nil)
	e.Collider = scene.NewCollider(physics.Capsule(0.28, 1.2))
	e.Collider.Offset = mgl32.Vec3{0, 0.9, 0}
	e.Body = &scene.RigidBody{Motion: physics.Kinematic}
	route := p.route
	if err := route.bind(e); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	e.Scripts = []any{&route}
	if i == 0 {
		if err := d.arm(e); err != nil {
			return err
		}
	}
	d.Mannequins = append(d.Mannequins, e)
	return nil
}

// arm gives a mannequin a sword: in its right hand, the blade out between thumb and
// forefinger, the edge ahead.
func (d *Demo) arm(e *scene.Entity) error {
	sword := d.Scene.Spawn("sword", e)
	sword.Mesh = &scene.MeshRenderer{Model: d.sword}
	if err := sword.Attach("hand_r"); err != nil {
		return err
	}
	// The hand's fingers point along -X at rest and its palm faces down: the palm's
	// middle is before the wrist and below it, and a fist's hole is along Z.
	sword.Local.Translation = mgl32.Vec3{-0.088, -0.030, 0.004}
	sword.Local.Rotation = mgl32.QuatRotate(mgl32.DegToRad(80), mgl32.Vec3{1, 0, 0})
	return nil
}

// souls makes the definition that all mannequins share: their clips walk, so that
// root motion moves them as their feet step, also in a fade and at any pace.
func (d *Demo) souls() error {
	m := d.mannequin
	var err error
	if d.clips, err = walking(m); err != nil {
		return err
	}
	text, err := demoassets.Files.ReadFile("mannequin.json")
	if err != nil {
		return err
	}
	if d.Soul, err = machine.Load(text, m.Skeleton, d.clips); err != nil {
		return fmt.Errorf("mannequin.json: %w", err)
	}
	return nil
}

// walking are a model's clips, of which those that step move the entity as fast as
// their soles go back, whatever the file says of their speed.
func walking(m *assets.Model) ([]*animation.Clip, error) {
	soles, err := m.Soles()
	if err != nil {
		return nil, fmt.Errorf("the demo's own asset: %w", err)
	}
	root := int32(m.Skeleton.Joint("root"))
	var out []*animation.Clip
	for _, c := range m.Clips {
		job := stride.Job{Clip: c, Skeleton: m.Skeleton, Soles: soles}
		r, err := job.Run()
		if err == nil && r.Steps {
			c, err = stride.Walk(c, m.Skeleton, root, r)
		}
		if err != nil {
			return nil, fmt.Errorf("the demo's own asset: %w", err)
		}
		out = append(out, c)
	}
	return out, nil
}

// spawnMannequin adds a mannequin that is asked every so many frames.
func (d *Demo) spawnMannequin(name string, every int, parent *scene.Entity) *scene.Entity {
	e := d.Scene.Spawn(name, parent)
	e.Mesh = &scene.MeshRenderer{Model: d.mannequin}
	e.Animator = animation.NewAnimator(d.mannequin.Skeleton, d.mannequin.Skins, d.clips)
	e.DriveBy(d.Soul, every)
	e.RootMotion = true
	return e
}

// Route walks an entity from stop to stop, round and round. It says where to and
// how fast; the state machine steps, and its root motion moves the entity, so that
// feet do not slide.
type Route struct {
	Stops []Stop
	Ahead float64 // seconds that the walk is ahead of its start, so that walkers are out of step

	state   string // of the state machine, that walks; "" is walk
	next    int
	pause   float32
	heading float32 // radians from +Z towards +X
}

// Stop is a place on a Route, and how long to stand there.
type Stop struct {
	At      mgl32.Vec3
	Seconds float32
}

// bind puts the entity at the first stop, in the midst of its walk.
func (r *Route) bind(e *scene.Entity) error {
	if len(r.Stops) < 2 {
		return errors.New("a route needs two stops")
	}
	e.Local.Translation = r.Stops[0].At
	r.next = 1
	r.heading = r.towards(e.Local.Translation)
	e.Local.Rotation = mgl32.QuatRotate(r.heading, mgl32.Vec3{0, 1, 0})
	m := e.Machine()
	if err := m.SetFloat("speed", walkSpeed); err != nil {
		return err
	}
	walk := "walk"
	if r.state != "" {
		walk = r.state
	}
	if err := m.Go(0, walk, machine.Fade{}); err != nil {
		return err
	}
	if err := e.Animator.Update(0); err != nil {
		return err
	}
	return e.Animator.Update(float32(r.Ahead))
}

func (r *Route) towards(at mgl32.Vec3) float32 {
	d := r.Stops[r.next].At.Sub(at)
	return float32(math.Atan2(float64(d[0]), float64(d[2])))
}

const (
	walkSpeed = 1.4  // m/s that the state machine is asked for; the clip that it picks says how fast it goes
	turnSpeed = 2.6  // radians a second
	arrival   = 0.25 // metres: as far as a walk goes on while it fades into standing
)

// Update steers for dt seconds.
func (r *Route) Update(ctx *script.Context, dt float32) error {
	if r.pause > 0 {
		if r.pause -= dt; r.pause > 0 {
			return ctx.SetParam("speed", 0)
		}
	}
	at := ctx.Position()
	goal := r.Stops[r.next]
	away := goal.At.Sub(at).Len()
	turn := wrap(r.towards(at) - r.heading)
	r.heading = wrap(r.heading + min(max(turn, -turnSpeed*dt), turnSpeed*dt))
	ctx.SetRotation(mgl32.QuatRotate(r.heading, mgl32.Vec3{0, 1, 0}))
	// The body goes where it looks; near a stop that lies aside it would go round
	// and round, and stands to turn.
	speed := walkSpeed
	if away < walkSpeed/turnSpeed+arrival && math.Abs(float64(turn)) > 1 {
		speed = 0
	}
	if away <= arrival {
		r.pause = goal.Seconds
		r.next = (r.next + 1) % len(r.Stops)
	}
	return ctx.SetParam("speed", speed)
}

// wrap brings an angle into -π to π.
func wrap(a float32) float32 {
	return float32(math.Remainder(float64(a), 2*math.Pi))
}
