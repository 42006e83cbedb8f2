package animation

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrNoClip is wrapped by the error of playing a clip that is not there.
var ErrNoClip = errors.New("no such clip")

// Animator takes one entity from a clip to its bone matrices: it plays, samples,
// walks the hierarchy and multiplies by the inverse bind matrices. Make one with
// NewAnimator; it starts in the rest pose, its matrices ready. Different animators
// may be updated at once on different goroutines.
type Animator struct {
	Player // speed, loop mode, pause, weight, seek

	clips []*Clip
	skins []Skin
	pose  *Pose
	model []mgl32.Mat4
	// palettes holds all skins' bone matrices one after another; skin i's are
	// palettes[starts[i]:starts[i+1]].
	palettes []mgl32.Mat4
	starts   []int32
	driver   Driver
	modifier Modifier

	// World is where the model stands, world space from model space, for what
	// swings behind it. Scene.Animate sets it.
	World mgl32.Mat4
	// Moves says that Motion moves the entity once Update is done. Scene.Animate sets
	// it too.
	Moves bool
}

// Place is where a Modifier may take the model to stand when the frame is shown:
// World, moved on by Motion where that Moves the entity.
func (a *Animator) Place() mgl32.Mat4 {
	if !a.Moves {
		return a.World
	}
	return a.World.Mul4(a.Motion().Apply(Identity()).Mat4())
}

// Modifiers are called in turn, as one. The first that fails is the last called.
type Modifiers []Modifier

// Modify calls all.
func (m Modifiers) Modify(dt float32, a *Animator) error {
	for _, one := range m {
		if err := one.Modify(dt, a); err != nil {
			return err
		}
	}
	return nil
}

// Modifier changes an entity's pose after its clips: springs, faces, IK.
type Modifier interface {
	// Modify changes a.Pose and keeps a.Model right; palettes are made after it. It
	// is called once an Update with the seconds since the last, 0 while Paused.
	Modify(dt float32, a *Animator) error
}

// Modify has a modifier, or with nil none, called in each Update.
func (a *Animator) Modify(m Modifier) { a.modifier = m }

// Modifier is what Modify set.
func (a *Animator) Modifier() Modifier { return a.modifier }

// Driver poses an entity instead of its Player: a state machine's instance, say.
type Driver interface {
	// Drive advances by dt seconds, which may be 0, and writes the whole pose. A
	// bad step is an error that wraps ErrTimeStep and changes nothing.
	Drive(dt float32, out *Pose) error
	// Motion is how far root motion moved the entity in the last Drive.
	Motion() Motion
}

// Drive hands the animator's pose to a driver, or with nil back to its Player.
// Update then calls the driver, with 0 s while Paused; of the Player only Paused
// counts.
func (a *Animator) Drive(d Driver) { a.driver = d }

// Driver is what Drive set.
func (a *Animator) Driver() Driver { return a.driver }

// Motion is how far root motion moved the entity in the last Update.
func (a *Animator) Motion() Motion {
	if a.driver != nil {
		return a.driver.Motion()
	}
	return a.Player.Motion()
}

// NewAnimator returns an animator of one entity. Skeleton, skins and clips are
// shared and only read; a skin's joints lie within the skeleton.
func NewAnimator(s *Skeleton, skins []Skin, clips []*Clip) *Animator {
	a := &Animator{
		Player: *NewPlayer(s),
		clips:  clips,
		skins:  skins,
		pose:   NewPose(s),
		model:  make([]mgl32.Mat4, s.Len()),
		World:  mgl32.Ident4(),
		starts: make([]int32, len(skins)+1),
	}
	for i := range skins {
		a.starts[i+1] = a.starts[i] + int32(len(skins[i].Joints))
	}
	a.palettes = make([]mgl32.Mat4, a.starts[len(skins)])
	a.Refresh()
	return a
}

// Skeleton, Skins and Clips are what the animator was made with.
func (a *Animator) Skeleton() *Skeleton { return a.skeleton }

// Skins are the skins that Palette counts.
func (a *Animator) Skins() []Skin { return a.skins }

// Clips are the clips that PlayIndex counts and PlayName searches.
func (a *Animator) Clips() []*Clip { return a.clips }

// PlayIndex plays the clip of that index, as Play does.
func (a *Animator) PlayIndex(i int, fade float32) error {
	if i < 0 || i >= len(a.clips) {
		return fmt.Errorf("%w: index %d of %d clips", ErrNoClip, i, len(a.clips))
	}
	return a.Play(a.clips[i], fade)
}

// PlayName plays the first clip of that name, as Play does.
func (a *Animator) PlayName(name string, fade float32) error {
	for _, c := range a.clips {
		if c.Name == name {
			return a.Play(c, fade)
		}
	}
	return fmt.Errorf("%w: %q; there are: %s", ErrNoClip, name, clipNames(a.clips))
}

func clipNames(clips []*Clip) string {
	if len(clips) == 0 {
		return "none"
	}
	names := make([]string, len(clips))
	for i, c := range clips {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// Update advances by dt seconds and computes pose, model-space matrices and
// palettes. A bad step is an error (ErrTimeStep) that changes nothing, and the
// next good one goes on from there. It allocates nothing.
func (a *Animator) Update(dt float32) error {
	if a.driver != nil {
		if a.Paused {
			dt = 0
		}
		if err := a.driver.Drive(dt, a.pose); err != nil {
			return err
		}
		return a.finish(dt)
	}
	if err := a.Player.Update(dt); err != nil {
		return err
	}
	if a.Paused {
		dt = 0
	}
	return a.evaluate(dt)
}

// Evaluate computes pose and matrices at the present time, as after Play or Seek
// with no time passing.
func (a *Animator) Evaluate() error {
	if a.driver != nil {
		return a.Update(0)
	}
	return a.evaluate(0)
}

func (a *Animator) evaluate(dt float32) error {
	if err := a.Sample(a.pose); err != nil {
		return err
	}
	return a.finish(dt)
}

// finish goes from the clips' pose to palettes.
func (a *Animator) finish(dt float32) error {
	a.pose.ToModel(a.skeleton, a.model)
	var err error
	if a.modifier != nil {
		err = a.modifier.Modify(dt, a)
	}
	a.palette()
	return err
}

// Refresh computes the matrices from the pose as it stands, for whoever changes
// Pose after Update. It does not call the Modifier.
func (a *Animator) Refresh() {
	a.pose.ToModel(a.skeleton, a.model)
	a.palette()
}

func (a *Animator) palette() {
	for i := range a.skins {
		a.skins[i].Palette(a.model, a.palettes[a.starts[i]:a.starts[i+1]])
	}
}

// Pose is the local pose of the last Update. It is the animator's own and
// overwritten by the next.
func (a *Animator) Pose() *Pose { return a.pose }

// Model is each joint's matrix, model space from joint space, by joint.
func (a *Animator) Model() []mgl32.Mat4 { return a.model }

// Palette is the bone matrices of a skin, model space from the mesh's space at
// binding, by palette slot. Nil where there is no such skin.
func (a *Animator) Palette(skin int) []mgl32.Mat4 {
	if skin < 0 || skin >= len(a.skins) {
		return nil
	}
	return a.palettes[a.starts[skin]:a.starts[skin+1]]
}

// Palettes is the bone matrices of all skins, one skin after another, so that
// they are uploaded in one copy. Skin i's begin at PaletteStart(i).
func (a *Animator) Palettes() []mgl32.Mat4 { return a.palettes }

// PaletteStart is where a skin's matrices begin in Palettes.
func (a *Animator) PaletteStart(skin int) int { return int(a.starts[skin]) }

// MorphWeights are the morph weights of the mesh on a joint; empty where it has
// no morph targets.
func (a *Animator) MorphWeights(joint int) []float32 {
	return a.pose.MorphWeights(a.skeleton, joint)
}
