package scene

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/machine"
)

// DriveBy gives the entity's animator to a new instance of a state machine, in its
// start states, and returns that. With every above 1 the machine is asked only
// every so many frames, ahead, and what is shown is interpolated
// (animation.Rated).
func (e *Entity) DriveBy(d *machine.Definition, every int) *machine.Instance {
	m := &machine.Driver{Instance: machine.New(d)}
	e.Animator.Drive(m)
	if every > 1 {
		e.Animator.Drive(animation.NewRated(e.Animator.Skeleton(), m, every))
	}
	return m.Instance
}

// driver is the state machine behind the animator's driver, or nil.
func (e *Entity) driver() *machine.Driver {
	if e.Animator == nil {
		return nil
	}
	d := e.Animator.Driver()
	if r, ok := d.(*animation.Rated); ok {
		d = r.Inner()
	}
	m, _ := d.(*machine.Driver)
	return m
}

// Machine is the state machine that DriveBy gave the entity to, or nil.
func (e *Entity) Machine() *machine.Instance {
	if d := e.driver(); d != nil {
		return d.Instance
	}
	return nil
}

// Adopt lets the entity's machine go on by another definition for the same
// skeleton, such as that of an edited graph (machine.Instance.Adopt).
func (e *Entity) Adopt(d *machine.Definition) error {
	m := e.driver()
	if m == nil {
		return fmt.Errorf("entity %s has no state machine", e.Name)
	}
	if d.Skeleton() != m.Definition().Skeleton() {
		return fmt.Errorf("entity %s: the machine is for another skeleton", e.Name)
	}
	m.Instance = m.Instance.Adopt(d)
	return nil
}

// Attach hangs the entity on the named joint of its parent's animator.
func (e *Entity) Attach(joint string) error {
	if e.parent == nil || e.parent.Animator == nil {
		return fmt.Errorf("entity %s: its parent has no animator to attach it to", e.Name)
	}
	a, ok := animation.Attach(e.parent.Animator.Skeleton(), joint)
	if !ok {
		return fmt.Errorf("entity %s: %s has no joint %q", e.Name, e.parent.Name, joint)
	}
	e.Attachment = &a
	return nil
}
