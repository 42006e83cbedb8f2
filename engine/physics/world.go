package physics

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrClosed is returned by a world that was closed.
var ErrClosed = errors.New("physics world is closed")

// Config sets up a [World]. [DefaultConfig] has Earth's gravity; the zero value
// is weightless.
type Config struct {
	// Gravity, m/s².
	Gravity mgl32.Vec3
	// FixedStep is the length of every step, seconds; zero means 1/60.
	FixedStep float32
	// MaxSteps is how many steps one call of Step may run; zero means 8.
	MaxSteps int
}

// DefaultConfig is gravity of 9.81 m/s² down, steps of 1/60 s, at most 8 a frame.
func DefaultConfig() Config {
	return Config{Gravity: mgl32.Vec3{0, -9.81, 0}, FixedStep: 1.0 / 60, MaxSteps: 8}
}

// World is a set of bodies that move together. NewWorld makes one.
type World struct {
	c         *C.bp_world
	fixedStep float64
	maxSteps  int
	// left is the time not stepped yet, seconds, below one step.
	left float64

	slots          []slot
	count, dynamic int
	contacts       int

	casting sync.Mutex // held while Bullet casts rays
	one     sync.Mutex // holds the two below
	oneRay  [1]Ray
	oneHit  [1]Hit
}

// slot mirrors what Go needs to know of a body, so that checking a number or
// reading a shape needs no call into C.
type slot struct {
	body   Body
	motion Motion
	shape  Shape
}

// NewWorld makes an empty world. Close frees it.
func NewWorld(c Config) (*World, error) {
	if c.FixedStep == 0 {
		c.FixedStep = 1.0 / 60
	}
	if c.MaxSteps == 0 {
		c.MaxSteps = 8
	}
	if !within(c.FixedStep, 1e-5, 1) {
		return nil, fmt.Errorf("new physics world: FixedStep is %v: must be between 1e-5 and 1 s", c.FixedStep)
	}
	if c.MaxSteps < 0 {
		return nil, fmt.Errorf("new physics world: MaxSteps is %d: must not be negative", c.MaxSteps)
	}
	if err := checkVec("Gravity", c.Gravity, maxSpeed); err != nil {
		return nil, fmt.Errorf("new physics world: %w", err)
	}
	g := floats(c.Gravity)
	w := &World{c: C.bp_world_new(&g[0], C.float(c.FixedStep)), fixedStep: float64(c.FixedStep), maxSteps: c.MaxSteps}
	if w.c == nil {
		return nil, errors.New("new physics world: out of memory")
	}
	return w, nil
}

// Close frees the world and all its bodies. Closing twice is harmless; every
// other call then returns [ErrClosed] or nothing.
func (w *World) Close() {
	if w.c == nil {
		return
	}
	C.bp_world_free(w.c)
	*w = World{}
}

// Len is the number of bodies.
func (w *World) Len() int { return w.count }

// SetGravity changes gravity (m/s²) and wakes every body.
func (w *World) SetGravity(gravity mgl32.Vec3) error {
	if w.c == nil {
		return fmt.Errorf("set gravity: %w", ErrClosed)
	}
	if err := checkVec("gravity", gravity, maxSpeed); err != nil {
		return fmt.Errorf("set gravity: %w", err)
	}
	g := floats(gravity)
	C.bp_world_gravity(w.c, &g[0])
	return nil
}

// StepReport says what a call of [World.Step] did.
type StepReport struct {
	// Steps is the number of fixed steps that ran.
	Steps int
	// Dropped is the time, seconds, that Config.MaxSteps left no room for. The
	// world runs behind the clock by it.
	Dropped float32
}

// Step moves the world on by dt, seconds: it runs the fixed steps that fit and
// keeps the rest for the next call. A negative, infinite or NaN dt is an error
// and changes nothing.
func (w *World) Step(dt float32) (StepReport, error) {
	if w.c == nil {
		return StepReport{}, fmt.Errorf("step: %w", ErrClosed)
	}
	if !finite(dt) || dt < 0 {
		return StepReport{}, fmt.Errorf("step: dt is %v: must be a time of 0 s or more", dt)
	}
	w.left += float64(dt)
	// A frame rounded to just under a step still gets its step.
	n := math.Floor(w.left/w.fixedStep + 1e-5)
	w.left = max(0, w.left-n*w.fixedStep)
	var r StepReport
	if n > float64(w.maxSteps) {
		r.Dropped = float32((n - float64(w.maxSteps)) * w.fixedStep)
		n = float64(w.maxSteps)
	}
	r.Steps = int(n)
	w.contacts = int(C.bp_step(w.c, C.int(r.Steps)))
	return r, nil
}

// Alpha is how far the present lies between the last step but one (0) and the
// last (1). [World.Transforms] blends by it.
func (w *World) Alpha() float32 {
	if w.c == nil {
		return 0
	}
	return float32(w.left / w.fixedStep)
}

// find returns a live body's slot.
func (w *World) find(b Body) (*slot, error) {
	if w.c == nil {
		return nil, ErrClosed
	}
	if i := b.Index(); b != 0 && i < len(w.slots) && w.slots[i].body == b {
		return &w.slots[i], nil
	}
	return nil, ErrNoBody
}

func (w *World) findDynamic(b Body) error {
	s, err := w.find(b)
	if err == nil && s.motion != Dynamic {
		return fmt.Errorf("%w: it is %v, not dynamic", ErrMotion, s.motion)
	}
	return err
}
