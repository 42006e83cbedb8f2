package demo

import (
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
)

// MaxCrowd is how many mannequins the demo shows at most.
const MaxCrowd = 1000

// SetCrowd sets how many mannequins there are, from 1 to MaxCrowd: first those
// that the scene was composed with, then people who stroll in the field about it,
// each with a state machine, pace and mind of its own. Those who are there stay.
func (d *Demo) SetCrowd(n int) error {
	if n < 1 || n > MaxCrowd {
		return fmt.Errorf("a crowd of %d: must be between 1 and %d", n, MaxCrowd)
	}
	for len(d.Mannequins) > n {
		last := len(d.Mannequins) - 1
		d.Scene.Remove(d.Mannequins[last])
		d.Mannequins[last] = nil
		d.Mannequins = d.Mannequins[:last]
	}
	for len(d.Mannequins) < min(n, composed) {
		if err := d.person(len(d.Mannequins)); err != nil {
			return err
		}
	}
	c := &d.crowd
	if n > composed && c.entity == nil {
		c.entity = d.Scene.Spawn("crowd", nil)
		c.demo, c.terrain, c.homes = d, newTerrain(d.props), homes()
		c.entity.Scripts = []any{c}
	}
	c.strollers = c.strollers[:min(len(c.strollers), max(n-composed, 0))]
	for i := len(c.strollers); i < n-composed; i++ {
		s, err := c.join(i)
		if err != nil {
			return err
		}
		c.strollers = append(c.strollers, s)
		d.Mannequins = append(d.Mannequins, s.entity)
	}
	d.shade(n > composed)
	d.Scene.UpdateWorld()
	return nil
}

// shade draws shadows about the house, or for a crowd also in the field behind,
// half as sharp.
func (d *Demo) shade(crowded bool) {
	e := &d.Scene.Environment
	e.ShadowFocus, e.ShadowRadius = mgl32.Vec3{0.5, 1, 2.5}, 11
	if crowded {
		e.ShadowFocus, e.ShadowRadius = mgl32.Vec3{0, 1, -5}, 23
	}
}

// crowd moves the strollers: one script for all, since each has to see the
// others.
type crowd struct {
	demo      *Demo
	entity    *scene.Entity
	terrain   *terrain
	homes     []mgl32.Vec3
	strollers []stroller

	// The strollers by cell of a grid of cellSize: head is the first of each cell,
	// stroller.after the next; -1 is none.
	head [crowdCells * crowdCells]int32
}

const (
	cellSize   = 1.6 // metres
	crowdCells = 50
	fieldEnd   = 33.0 // metres from the middle
	roam       = 4.5  // metres from home
	reach      = 1.5  // metres that a stroller looks about
	tooNear    = 0.8  // metres between two
)

// stroller is one of the crowd. Its random numbers are its own, so that it does
// the same however many others there are, as long as nobody is in its way.
type stroller struct {
	entity  *scene.Entity
	machine *machine.Instance
	rated   *animation.Rated
	random  func() float32

	home, goal mgl32.Vec3
	heading    float32 // radians from +Z towards +X
	wish       float32 // m/s that it would like
	wait       float32 // seconds to stand
	hurry      float32 // how likely it runs
	pace, slow float32 // of its steps, and the share that others let it go at
	after      int32
}

// join spawns the stroller of that number.
func (c *crowd) join(i int) (stroller, error) {
	s := stroller{random: sequence(uint32(i)*2654435761 + 99), home: c.homes[i]}
	for range 3 {
		s.random()
	}
	s.entity = c.demo.spawnMannequin(fmt.Sprint("stroller ", i+1), 2, c.entity)
	s.machine = s.entity.Machine()
	s.rated, _ = s.entity.Animator.Driver().(*animation.Rated)
	s.pace, s.slow = 0.86+0.3*s.random(), 1
	if err := s.machine.SetFloat("pace", s.pace); err != nil {
		return s, err
	}
	s.hurry = 0.02 + 0.16*s.random()*s.random()
	s.heading = float32(math.Pi) * (2*s.random() - 1)
	s.goal = s.home
	switch x := s.random(); {
	case x < 0.3:
		s.wait = 1 + 7*s.random()
	default:
		s.choose()
		d := s.goal.Sub(s.home)
		s.heading = float32(math.Atan2(float64(d[0]), float64(d[2])))
		s.wish = walkSpeed
		if err := s.machine.Go(0, "walk", machine.Fade{}); err != nil {
			return s, err
		}
	}
	if err := s.machine.SetFloat("speed", s.wish); err != nil {
		return s, err
	}
	if err := s.entity.Animator.Update(0); err != nil {
		return s, err
	}
	// Somewhere in its round, and asked in other frames than its neighbours.
	if err := s.entity.Animator.Update(4 * s.random()); err != nil {
		return s, err
	}
	s.entity.Local.Translation = mgl32.Vec3{s.home[0], c.terrain.at(s.home[0], s.home[2]), s.home[2]}
	s.entity.Local.Rotation = mgl32.QuatRotate(s.heading, mgl32.Vec3{0, 1, 0})
	return s, nil
}

// choose picks where to go next, about its home.
func (s *stroller) choose() {
	for range 8 {
		a, r := 2*math.Pi*float64(s.random()), roam*float32(math.Sqrt(float64(s.random())))
		sin, cos := math.Sincos(a)
		s.goal = s.home.Add(mgl32.Vec3{r * float32(sin), 0, r * float32(cos)})
		if free(s.goal, 0.5) && s.goal.Sub(s.entity.Local.Translation).Len() > 1.5 {
			return
		}
	}
	s.goal = s.home
}

// Update steers everybody for dt seconds.
func (c *crowd) Update(_ *script.Context, dt float32) error {
	for i := range c.head {
		c.head[i] = -1
	}
	for i := range c.strollers {
		cell := cellOf(c.strollers[i].entity.Local.Translation)
		c.strollers[i].after, c.head[cell] = c.head[cell], int32(i)
	}
	eye := Eye
	if camera := c.demo.Scene.Camera; camera != nil {
		eye = camera.WorldPosition()
	}
	for i := range c.strollers {
		s := &c.strollers[i]
		s.machine = s.entity.Machine() // it changes where an edited one is adopted
		if err := c.steer(i, s, dt); err != nil {
			return err
		}
		at := &s.entity.Local.Translation
		at[1] = c.terrain.at(at[0], at[2])
		s.rated.SetEvery(rateAt(at.Sub(eye).Len()))
	}
	return nil
}

// rateAt is every how many frames a machine at that distance is asked.
func rateAt(metres float32) int {
	switch {
	case metres < 12:
		return 1
	case metres < 24:
		return 2
	}
	return 4
}

func cellOf(p mgl32.Vec3) int {
	cell := func(x float32) int { return min(max(int((x+crowdCells*cellSize/2)/cellSize), 0), crowdCells-1) }
	return cell(p[2])*crowdCells + cell(p[0])
}

// steer turns a stroller towards its goal and away from who and what is in its
// way, and sets how fast it would like to go.
func (c *crowd) steer(i int, s *stroller, dt float32) error {
	if s.wait > 0 {
		if s.wait -= dt; s.wait > 0 {
			return s.machine.SetFloat("speed", 0)
		}
		s.choose()
		s.wish = walkSpeed
		if s.random() < s.hurry {
			s.wish = 3.4
		}
	}
	at := s.entity.Local.Translation
	way := s.goal.Sub(at)
	way[1] = 0
	away := way.Len()
	if away < 0.4 {
		s.wait = 0.01
		if s.random() < 0.45 {
			s.wait = 1.5 + 6*s.random()
		}
		return s.machine.SetFloat("speed", s.wish)
	}
	way = way.Mul(1 / away)
	sin, cos := math.Sincos(float64(s.heading))
	ahead := mgl32.Vec3{float32(sin), 0, float32(cos)}
	push, room := c.others(i, at, ahead)
	blocked, halt := room < 1.1, room < tooNear
	way = way.Add(push).Add(aside(at))
	want := s.heading
	if way.LenSqr() > 1e-4 {
		want = float32(math.Atan2(float64(way[0]), float64(way[2])))
	}
	turn := wrap(want - s.heading)
	rate := turnSpeed * dt
	s.heading = wrap(s.heading + min(max(turn, -rate), rate))
	s.entity.Local.Rotation = mgl32.QuatRotate(s.heading, mgl32.Vec3{0, 1, 0})
	// Behind others it takes slower steps; right behind them it stands.
	s.slow += (min(max((room-0.6)/0.6, 0.5), 1) - s.slow) * min(8*dt, 1)
	if err := s.machine.SetFloat("pace", s.pace*s.slow); err != nil {
		return err
	}
	if state := s.machine.Status(0).State; halt && (state == "walk" || state == "run") {
		s.wait = 0.6 + 1.2*s.random()
		return s.machine.Fire("halt")
	}
	speed := s.wish
	switch {
	case halt:
		speed = 0
	case blocked:
		speed = min(speed, walkSpeed)
	}
	if math.Abs(float64(turn)) > 1.2 && (away < 1.2 || blocked) {
		speed = 0 // turn on the spot rather than in a wide bend
	}
	if !free(at.Add(ahead.Mul(0.3+0.4*speed)), 0) && free(at.Sub(ahead.Mul(0.5)), 0) {
		speed = 0
	}
	return s.machine.SetFloat("speed", speed)
}

// others is which way those about push, and how far the nearest ahead is, at most
// reach.
func (c *crowd) others(i int, at, ahead mgl32.Vec3) (push mgl32.Vec3, room float32) {
	room = reach
	cell := cellOf(at)
	for dz := -1; dz <= 1; dz++ {
		for dx := -1; dx <= 1; dx++ {
			k := cell + dz*crowdCells + dx
			if k < 0 || k >= len(c.head) {
				continue
			}
			for j := c.head[k]; j >= 0; j = c.strollers[j].after {
				d := at.Sub(c.strollers[j].entity.Local.Translation)
				d[1] = 0
				distance := d.Len()
				if int(j) == i || distance > reach || distance == 0 {
					continue
				}
				d = d.Mul(1 / distance)
				near := (reach - distance) / reach
				facing := -d.Dot(ahead)
				push = push.Add(d.Mul(1.6 * near * near))
				if facing > 0 { // pass on the right, so that two who meet do not mirror each other
					push = push.Add(mgl32.Vec3{-ahead[2], 0, ahead[0]}.Mul(1.4 * near * facing))
				}
				if facing > 0.4 {
					room = min(room, distance)
				}
			}
		}
	}
	return push, room
}

// obstacle is a thing on the ground that strollers go round: a disc.
type obstacle struct {
	x, z, radius float32
}

// obstacles are the yard with the house, which stay clear, the trees, and the fence
// beside the yard.
var obstacles = []obstacle{
	{0, 1, 4.6}, {0.5, 5.5, 6.6}, {4.3, 2.6, 3.2}, {-4.2, 5.8, 4.4}, {5.2, 8.5, 5.8}, {-7.6, 8.2, 3.4},
	{-5.2, -0.6, 0.9}, {6.6, -5.5, 0.9}, {-8.5, -6, 0.9}, {5.3, 0.4, 0.9},
	{7.6, 3, 0.6}, {7.6, 2, 0.6}, {7.6, 1, 0.6}, {7.6, 0, 0.6}, {7.6, -1, 0.6}, {7.6, -2, 0.6}, {7.6, -3, 0.6}, {7.6, -4, 0.6},
}

// free reports whether a place is on the field and so far from what stands there.
func free(p mgl32.Vec3, margin float32) bool {
	if p[0]*p[0]+p[2]*p[2] > fieldEnd*fieldEnd {
		return false
	}
	for _, o := range obstacles {
		dx, dz := p[0]-o.x, p[2]-o.z
		if r := o.radius + margin; dx*dx+dz*dz < r*r {
			return false
		}
	}
	return true
}

// aside pushes away from obstacles near by.
func aside(p mgl32.Vec3) mgl32.Vec3 {
	var push mgl32.Vec3
	for _, o := range obstacles {
		d := mgl32.Vec3{p[0] - o.x, 0, p[2] - o.z}
		l := d.Len()
		if gap := l - o.radius; gap < 1.4 && l > 0 {
			push = push.Add(d.Mul(2.5 * (1.4 - max(gap, -1)) / l))
		}
	}
	return push
}

// homes are places all over the field, those first that the composed view shows
// and that are near the house.
func homes() []mgl32.Vec3 {
	const spacing = 1.62
	random := sequence(41)
	type place struct {
		at    mgl32.Vec3
		score float32
	}
	var all []place
	forward := Target.Sub(Eye)
	forward[1] = 0
	forward = forward.Normalize()
	for z := float32(-fieldEnd); z <= fieldEnd; z += spacing {
		for x := float32(-fieldEnd); x <= fieldEnd; x += spacing {
			at := mgl32.Vec3{x + 0.8*(random()-0.5), 0, z + 0.8*(random()-0.5)}
			if !free(at, 0.3) {
				continue
			}
			ray := at.Sub(Eye)
			ray[1] = 0
			score := at.Sub(mgl32.Vec3{0.75, 0, -1}).Len()
			if seen := ray.Normalize().Dot(forward); seen < 0.88 || ray.Len() < 9 {
				score += 30
			}
			all = append(all, place{at, score * (0.8 + 0.5*random())})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int {
		switch {
		case a.score < b.score:
			return -1
		case a.score > b.score:
			return 1
		}
		return 0
	})
	out := make([]mgl32.Vec3, len(all))
	for i, p := range all {
		out[i] = p.at
	}
	return out
}
