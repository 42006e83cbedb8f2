package demo

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
)

// Hills is the demo's other scene: a path over hills that a person, a porter and a
// four-legged carrier walk round and round, their feet on the ground by
// animation/ground. Trail says where the path is.
type Hills struct {
	Scene *scene.Scene
	// Ground is what they walk on: the triangles that are drawn.
	Ground ground.Ground
	// Person, Porter and Carrier are who walk. Pair is the porter and its source, who
	// is hidden until ShowSource.
	Person, Porter, Carrier *Walker
	Pair                    *Pair

	demo *Demo // for its assets
	all  []*Walker
}

// HillsEye and HillsTarget are the view that the hills were composed for, metres.
var (
	HillsEye    = mgl32.Vec3{8.9, 4.3, 17.2}
	HillsTarget = mgl32.Vec3{0.4, 0.9, 2.2}
)

// hillsPace is how fast they walk, m/s: the carrier's speed.
const hillsPace = 1.15

// BuildHills fills an empty scene with the hills.
func BuildHills(s *scene.Scene) (*Hills, error) {
	d := &Demo{Scene: s}
	if err := d.load(); err != nil {
		return nil, err
	}
	if err := d.souls(); err != nil {
		return nil, err
	}
	side := newHillside()
	h := &Hills{Scene: s, Ground: side, demo: d}
	h.light()
	land := s.Spawn("hills", nil)
	land.Mesh = &scene.MeshRenderer{Model: side.model(d.props)}
	h.plant()
	if err := h.walkers(); err != nil {
		return nil, err
	}
	s.UpdateWorld()
	return h, nil
}

// light is a low sun that models the slopes.
func (h *Hills) light() {
	s := h.Scene
	s.Environment = scene.Afternoon()
	s.Environment.ToSun = scene.SunAt(28, 118)
	s.Environment.ShadowFocus, s.Environment.ShadowRadius = mgl32.Vec3{0, 1, 0}, 14
	camera := s.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	camera.Camera.YFov = YFov
	camera.LookAt(HillsEye, HillsTarget)
	s.Camera = camera
}

// plant sets trees, bushes, rocks and grass about the path.
func (h *Hills) plant() {
	meadow := h.Scene.Spawn("meadow", nil)
	put := func(part string, degrees, x, z float32) *scene.Entity {
		y, _, _ := h.Ground.Under(mgl32.Vec3{x, 0, z})
		return h.demo.put(part, h.demo.props, part, degrees, mgl32.Vec3{x, y - 0.03, z}, meadow)
	}
	for _, p := range []struct {
		part          string
		degrees, x, z float32
	}{
		{"tree", 0, -2.4, -1.2}, {"tree_small", 40, 1.6, -2.2}, {"bush", 0, -1.2, -2.4}, {"rock", 30, 0.4, 0.6}, {"bush", 80, 2.6, 0.8},
		{"tree", 130, -13.4, -6.2}, {"tree", 70, 12.8, -7.5}, {"tree_small", 200, -14.2, 2.2}, {"tree", 20, -6.5, -15.2}, {"tree_small", 90, 7.2, -14.4},
		{"tree_small", 10, 15.5, 0.5}, {"bush", 120, -11.6, 5.4}, {"bush", 10, 11.8, 3.6}, {"rock", 0, -5.2, 4.4}, {"rock", 100, 11.4, -2.8},
		{"rock", 200, -10.9, -3.4}, {"flowers", 0, 3.4, 4.6}, {"flowers", 120, -3.6, 5.2}, {"flowers", 60, -6.0, -3.0}, {"bush", 200, 4.6, -5.6},
	} {
		put(p.part, p.degrees, p.x, p.z)
	}
	random := sequence(5)
	for range 90 {
		angle, r := 2*math.Pi*float64(random()), 3+float64(random())*12
		turn := 360 * random()
		sin, cos := math.Sincos(angle)
		if fromTrail(r*sin, r*cos) < 1.15 {
			continue
		}
		put("grass", turn, float32(r*sin), float32(r*cos)).Mesh.NoShadow = true
	}
}

// walkers sets them on the path, one behind the other.
func (h *Hills) walkers() error {
	model, err := asset("carrier.glb")
	if err != nil {
		return err
	}
	clips, err := walking(model)
	if err != nil {
		return err
	}
	e := h.Scene.Spawn("carrier", nil)
	e.Mesh = &scene.MeshRenderer{Model: model}
	e.Animator = animation.NewAnimator(model.Skeleton, model.Skins, clips)
	if err := e.Animator.PlayName("walk", 0); err != nil {
		return err
	}
	if h.Carrier, err = h.walk(e, -0.25, "front_calf_l", "front_foot_l", "hind_calf_l", "hind_foot_l",
		"front_calf_r", "front_foot_r", "hind_calf_r", "hind_foot_r"); err != nil {
		return err
	}
	e = h.demo.spawnMannequin("person", 1, nil)
	if h.Person, err = h.walk(e, 0.06, "calf_l", "foot_l", "calf_r", "foot_r"); err != nil {
		return err
	}
	h.Person.behind, h.Person.gap = h.Carrier, -2.45
	m := e.Machine()
	h.Person.speed, h.Person.set = walkSpeed, m.SetFloat
	if err := m.SetFloat("speed", walkSpeed); err != nil {
		return err
	}
	if err := m.Go(0, "walk", machine.Fade{}); err != nil {
		return err
	}
	return h.porter()
}

// porter sets the porter behind the carrier, its source unseen beside it.
func (h *Hills) porter() error {
	var err error
	if h.Pair, err = h.demo.pair(); err != nil {
		return err
	}
	if h.Porter, err = h.walk(h.Pair.Porter, -0.52, cc("Calf", "Foot")...); err != nil {
		return err
	}
	h.Porter.behind, h.Porter.gap = h.Carrier, 2.2
	h.Porter.speed, h.Porter.set = walkSpeed*h.Pair.size, h.Pair.set
	source := h.Pair.Source
	stance, err := source.Stand(h.Ground)
	if err != nil {
		return err
	}
	stance.Mode = ground.Planted
	stance.Feet = ground.NewFootIK(stance.Soles())
	source.Scripts = []any{&beside{h.Pair, &h.Porter.Legs}}
	source.Local.Translation = h.Porter.Entity.Local.Translation
	source.Hidden = true
	for _, m := range []*machine.Instance{h.Pair.Machine, source.Machine()} {
		if err := m.SetFloat("speed", walkSpeed); err != nil {
			return err
		}
		if err := m.Go(0, "march", machine.Fade{}); err != nil {
			return err
		}
	}
	return nil
}

// ShowSource shows or hides the mannequin that the porter does after.
func (h *Hills) ShowSource(on bool) { h.Pair.Source.Hidden = !on }

// cc are the porter's names of joints on both sides.
func cc(names ...string) (out []string) {
	for _, name := range names {
		out = append(out, "CC_Base_L_"+name, "CC_Base_R_"+name)
	}
	return out
}

// Walkers are all who walk.
func (h *Hills) Walkers() []*Walker { return h.all }

// Walker goes along the path. Its root motion moves it, its Stance keeps it on the
// ground.
type Walker struct {
	Entity *scene.Entity
	// Legs is how long its legs are, 1 as they were made: MinLegs to MaxLegs.
	Legs float32

	// Slider names Legs for a panel.
	Slider string

	legs    *stretch
	set     func(parameter string, value float32) error // of its state machine; nil: a clip
	speed   float32                                     // m/s at a pace of 1
	behind  *Walker                                     // who it keeps its distance from
	gap     float32                                     // metres along the path that it is behind, negative before
	angle   float32                                     // along the trail, of where it looks
	heading float32                                     // radians from +Z towards +X
}

// MinLegs and MaxLegs bound Walker.Legs.
const MinLegs, MaxLegs = 0.7, 1.4

// walk puts an entity on the path at an angle of the trail; the joints named hang
// where the leg's bones end.
func (h *Hills) walk(e *scene.Entity, angle float32, bones ...string) (*Walker, error) {
	w := &Walker{Entity: e, Legs: 1, Slider: e.Name + "'s legs", angle: angle}
	w.legs = &stretch{by: &w.Legs}
	for _, name := range bones {
		j := e.Animator.Skeleton().Joint(name)
		if j < 0 {
			return nil, fmt.Errorf("%s has no joint %s", e.Name, name)
		}
		w.legs.joints = append(w.legs.joints, int32(j))
	}
	e.Animator.Modify(w.legs)
	stance, err := e.Stand(h.Ground)
	if err != nil {
		return nil, err
	}
	stance.Mode = ground.Planted // a walk always stands
	stance.Feet = ground.NewFootIK(stance.Soles())
	e.Animator.Modify(animation.Modifiers{e.Animator.Modifier(), newFill(w.legs, e.Animator.Skeleton())})
	at := Trail(angle)
	at[1], _, _ = h.Ground.Under(at)
	e.Local.Translation = at
	w.heading = w.towards(at, Trail(angle+0.1))
	e.Local.Rotation = mgl32.QuatRotate(w.heading, mgl32.Vec3{0, 1, 0})
	e.RootMotion = true
	e.Scripts = []any{w}
	h.all = append(h.all, w)
	return w, nil
}

func (w *Walker) towards(at, goal mgl32.Vec3) float32 {
	d := goal.Sub(at)
	return float32(math.Atan2(float64(d[0]), float64(d[2])))
}

// trailAhead is how far before itself a walker looks, metres.
const trailAhead = 1.5

// Update steers for dt seconds.
func (w *Walker) Update(_ *script.Context, dt float32) error {
	w.Legs = min(max(w.Legs, MinLegs), MaxLegs)
	e := w.Entity
	at := e.Local.Translation
	at[1] = 0
	for i := 0; i < 64 && Trail(w.angle).Sub(at).Len() < trailAhead; i++ {
		w.angle += 0.01
	}
	turn := wrap(w.towards(at, Trail(w.angle)) - w.heading)
	const most = 1.4 // radians a second
	w.heading = wrap(w.heading + min(max(turn*4, -most), most)*dt)
	e.Local.Rotation = mgl32.QuatRotate(w.heading, mgl32.Vec3{0, 1, 0})
	// Longer legs step farther by as much, over what the clip's root motion gives.
	step := e.Animator.Motion().Translation.Mul(w.Legs - 1)
	e.Local.Translation = e.Local.Translation.Add(e.Local.Rotation.Rotate(step))
	if w.set == nil {
		return nil
	}
	pace := hillsPace / (w.speed * w.Legs)
	if w.behind != nil {
		pace *= w.behind.Legs
		// Whoever is too near or far slows or hastens a little.
		off := w.behind.along() - w.along() - w.gap
		pace *= 1 + min(max(0.15*off, -0.15), 0.15)
	}
	if err := w.set("speed", walkSpeed); err != nil {
		return err
	}
	return w.set("pace", min(max(pace, 0.5), 1.5))
}

// along is how far along the path the walker is, metres, nearly.
func (w *Walker) along() float32 { return w.angle * 8.6 }
