package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// cameraControl moves the scene's camera: around a point, or flying.
type cameraControl struct {
	target     mgl32.Vec3
	distance   float32
	yaw, pitch float32 // radians; yaw 0 looks along -Z, from +Z
	flying     bool
	speed      float32 // m/s
	home       *cameraControl
}

// named are the cameras that --camera knows by name: yaw and pitch in degrees.
var named = map[string][2]float32{
	"front": {0, 5}, "back": {180, 5}, "right": {-90, 5}, "left": {90, 5}, "top": {0, 89}, "three-quarter": {32, 14},
}

// frameBox points the camera at a box in the world so that all of it is seen.
func (c *cameraControl) frameBox(lo, hi mgl32.Vec3, view string, yFov, aspect float32) {
	angles, ok := named[view]
	if !ok {
		angles = named["three-quarter"]
	}
	radius := extent(lo, hi) / 2
	c.target = lo.Add(hi).Mul(0.5)
	c.yaw, c.pitch = mgl32.DegToRad(angles[0]), mgl32.DegToRad(angles[1])
	c.distance = fit(hi.Sub(lo).Mul(0.5), c.offset(), yFov, aspect)
	c.speed = radius
	c.keep()
}

// least is the smallest length that is told from none, metres: models of
// molecules have such.
const least float32 = 1e-9

// extent is a box's diagonal, metres; 1 where it is a point.
func extent(lo, hi mgl32.Vec3) float32 {
	if d := hi.Sub(lo).Len(); d > 0 {
		return max(d, least)
	}
	return 1
}

// fit is how far along offset from a box's centre a camera must stand to see
// every corner of the box, with a margin. half is half the box's size.
func fit(half, offset mgl32.Vec3, yFov, aspect float32) float32 {
	const margin = 1.22
	tanY := float32(math.Tan(float64(yFov)/2)) / margin
	tanX := tanY * aspect
	up := mgl32.Vec3{0, 1, 0}
	right := up.Cross(offset).Normalize()
	up = offset.Cross(right)
	distance := least
	if half.Len() == 0 {
		return 2 // of a point, any distance shows all
	}
	for i := range 8 {
		corner := half
		for c := range 3 {
			if i>>c&1 == 0 {
				corner[c] = -half[c]
			}
		}
		// The corner stands nearer than the centre by its part along offset.
		near := corner.Dot(offset)
		x, y := float32(math.Abs(float64(corner.Dot(right)))), float32(math.Abs(float64(corner.Dot(up))))
		distance = max(distance, near+x/tanX, near+y/tanY)
	}
	return distance
}

// keep remembers the present view as the one that R goes back to.
func (c *cameraControl) keep() {
	home := *c
	home.home = nil
	c.home = &home
}

// eye is where the camera stands.
func (c *cameraControl) eye() mgl32.Vec3 { return c.target.Add(c.offset().Mul(c.distance)) }

// offset is the unit vector from the target to the eye.
func (c *cameraControl) offset() mgl32.Vec3 {
	sy, cy := math.Sincos(float64(c.yaw))
	sp, cp := math.Sincos(float64(c.pitch))
	return mgl32.Vec3{float32(sy * cp), float32(sp), float32(cy * cp)}
}

// apply moves the camera entity, and its planes with the distance.
func (c *cameraControl) apply(e *scene.Entity) {
	e.LookAt(c.eye(), c.target)
	if e.Camera != nil {
		e.Camera.Near = max(c.distance/200, least)
		e.Camera.Far = max(c.distance*200, 500)
	}
}

// from sets the control so that it gives the camera eye and target.
func (c *cameraControl) from(eye, target mgl32.Vec3) {
	c.place(eye, target)
	c.keep()
}

// place is from, without keeping the view for R.
func (c *cameraControl) place(eye, target mgl32.Vec3) {
	d := eye.Sub(target)
	c.target, c.distance = target, max(d.Len(), least)
	d = d.Normalize()
	c.yaw = float32(math.Atan2(float64(d[0]), float64(d[2])))
	c.pitch = float32(math.Asin(float64(min(max(d[1], -1), 1))))
	c.speed = c.distance / 2
}

const (
	turnPerPoint = 0.0065 // radians
	maxPitch     = 1.55
)

func (c *cameraControl) input(in *input.State, dt float32, mouseTaken, keysTaken bool, e *engine.Engine) {
	if e.Scene.Camera == nil {
		return
	}
	if !keysTaken {
		if in.Pressed(input.KeyF) {
			c.flying = !c.flying
		}
		if in.Pressed(input.KeyR) && c.home != nil {
			home := c.home
			*c = *home
			c.home = home
		}
	}
	back := c.offset()
	right := mgl32.Vec3{0, 1, 0}.Cross(back).Normalize()
	up := back.Cross(right)
	if !mouseTaken {
		// A drag may begin and end within a slow frame: what is turned by is the
		// way with a button held.
		held := func(b input.Button) bool { return in.ButtonDown(b) || in.ButtonReleased(b) }
		switch {
		case held(input.ButtonLeft):
			eye := c.eye()
			c.yaw -= in.DragX * turnPerPoint
			c.pitch = min(max(c.pitch+in.DragY*turnPerPoint, -maxPitch), maxPitch)
			if c.flying { // turn about the eye instead of the target
				c.target = eye.Sub(c.offset().Mul(c.distance))
			}
		case held(input.ButtonRight), held(input.ButtonMiddle):
			scale := c.distance * 0.0015
			c.target = c.target.Add(right.Mul(-in.DragX * scale)).Add(up.Mul(in.DragY * scale))
		}
		if in.WheelY != 0 {
			c.distance *= float32(math.Pow(0.9, float64(in.WheelY)))
		}
	}
	if c.flying && !keysTaken {
		speed := c.speed * dt
		if in.Shift() {
			speed *= 4
		}
		move := right.Mul(in.Axis(input.KeyA, input.KeyD)).
			Add(back.Mul(in.Axis(input.KeyW, input.KeyS))).
			Add(mgl32.Vec3{0, in.Axis(input.KeyQ, input.KeyE), 0})
		c.target = c.target.Add(move.Mul(speed))
	}
	c.apply(e.Scene.Camera)
}

// parseCamera reads --camera's X,Y,Z:TX,TY,TZ[:FOV].
func parseCamera(s string) (eye, target mgl32.Vec3, yFov float32, err error) {
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return eye, target, 0, fmt.Errorf("--camera is %q: must be front, back, left, right, top, three-quarter, file:NAME, or X,Y,Z:TX,TY,TZ[:FOV]", s)
	}
	for i, out := range []*mgl32.Vec3{&eye, &target} {
		v, err := parseFloats(parts[i], 3)
		if err != nil {
			return eye, target, 0, fmt.Errorf("--camera: %w", err)
		}
		copy(out[:], v)
	}
	if eye == target {
		return eye, target, 0, fmt.Errorf("--camera is %q: the camera and its target are the same point", s)
	}
	if len(parts) == 3 {
		deg, err := strconv.ParseFloat(parts[2], 32)
		if err != nil || !(deg > 0.1 && deg < 179) {
			return eye, target, 0, fmt.Errorf("--camera: field of view %q: must be degrees between 0.1 and 179", parts[2])
		}
		yFov = mgl32.DegToRad(float32(deg))
	}
	return eye, target, yFov, nil
}

// fileCamera finds a camera in a model by the name or index of the camera, or
// the name of its node, and returns the node.
func fileCamera(m *assets.Model, name string) (node int, err error) {
	var names []string
	for j := range m.Nodes {
		k := m.Nodes[j].Camera
		if k < 0 {
			continue
		}
		if m.Cameras[k].Name == name || m.Skeleton.Names[j] == name || strconv.Itoa(int(k)) == name {
			return j, nil
		}
		names = append(names, fmt.Sprintf("%d %s", k, m.Cameras[k].Name))
	}
	if len(names) == 0 {
		return 0, fmt.Errorf("--camera file:%s: the file has no cameras", name)
	}
	return 0, fmt.Errorf("--camera file:%s: there is no such camera: there are %s", name, strings.Join(names, ", "))
}
