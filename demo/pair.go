package demo

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/assets"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
)

// Pair is the porter, whose 213 joints do what the mannequin's 65 do in its clips,
// live, and the mannequin that shows what that is: beside the porter, in the same
// clip at the same time, and as large, so that the two step alike.
type Pair struct {
	Porter, Source *scene.Entity
	// Machine is the porter's state machine, that of porter.json. Its states name clips
	// by the aliases of porter.aliases.json. Source's steps with it.
	Machine *machine.Instance
	// Map says which joint does what which does.
	Map *retarget.Map

	size float32 // of the source, so that it is as large
}

// sourceAside is how far to the porter's left its source stands, metres.
const sourceAside = 1.0

// pair adds the porter and its source.
func (d *Demo) pair() (*Pair, error) {
	porter, err := asset("porter.glb")
	if err != nil {
		return nil, err
	}
	var files [2][]byte
	for i, name := range []string{"porter.json", "porter.aliases.json"} {
		if files[i], err = demoassets.Files.ReadFile(name); err != nil {
			return nil, err
		}
	}
	aliases, err := retarget.ReadAliases(files[1])
	if err != nil {
		return nil, err
	}
	clips, err := aliases.Clips(d.clips)
	if err != nil {
		return nil, err
	}
	soul, err := machine.Load(files[0], d.mannequin.Skeleton, clips)
	if err != nil {
		return nil, fmt.Errorf("porter.json: %w", err)
	}
	p := &Pair{}
	if p.Map, err = mapOf(d.mannequin, porter); err != nil {
		return nil, err
	}
	follower, err := retarget.New(p.Map, retarget.Options{})
	if err != nil {
		return nil, err
	}
	p.size, _ = p.Map.Ratios()

	p.Source = d.Scene.Spawn("source", nil)
	p.Source.Mesh = &scene.MeshRenderer{Model: d.mannequin}
	p.Source.Animator = animation.NewAnimator(d.mannequin.Skeleton, d.mannequin.Skins, clips)
	p.Source.DriveBy(soul, 1)
	p.Source.Local.Scale = mgl32.Vec3{p.size, p.size, p.size}
	p.Source.RootMotion = true

	p.Machine = machine.New(soul)
	p.Porter = d.Scene.Spawn("porter", nil)
	p.Porter.Mesh = &scene.MeshRenderer{Model: porter}
	p.Porter.Animator = animation.NewAnimator(porter.Skeleton, porter.Skins, nil)
	p.Porter.Animator.Drive(&shadow{
		source: &machine.Driver{Instance: p.Machine}, retargeter: follower,
		pose: animation.NewPose(d.mannequin.Skeleton), stride: p.size,
	})
	p.Porter.RootMotion = true
	return p, nil
}

// mapOf pairs the joints of two models.
func mapOf(source, target *assets.Model) (*retarget.Map, error) {
	var rigs [2]*retarget.Rig
	for i, m := range []*assets.Model{source, target} {
		var err error
		if rigs[i], err = retarget.NewRig(m.Skeleton, retarget.RigOptions{}); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return retarget.NewMap(rigs[0], rigs[1])
}

// shadow poses the porter after what drives a mannequin.
type shadow struct {
	source     animation.Driver
	retargeter *retarget.Retargeter
	pose       *animation.Pose // of the mannequin
	stride     float32         // how far the porter goes for each metre of the mannequin
}

// Drive is called by the animator.
func (s *shadow) Drive(dt float32, out *animation.Pose) error {
	if err := s.source.Drive(dt, s.pose); err != nil {
		return err
	}
	return s.retargeter.Pose(s.pose, out)
}

// Motion is the mannequin's, as long as the porter's steps. Both face +Z.
func (s *shadow) Motion() animation.Motion {
	m := s.source.Motion()
	m.Translation = m.Translation.Mul(s.stride)
	return m
}

// set tells both state machines the same.
func (p *Pair) set(name string, value float32) error {
	if err := p.Machine.SetFloat(name, value); err != nil {
		return err
	}
	return p.Source.Machine().SetFloat(name, value)
}

// beside puts the source at the porter's left.
type beside struct {
	*Pair
	legs *float32 // the porter's, or nil
}

// Update is called before both step.
func (b *beside) Update(*script.Context, float32) error {
	p, at := &b.Porter.Local, &b.Source.Local
	at.Rotation = p.Rotation
	y := at.Translation[1]
	at.Translation = p.Translation.Add(p.Rotation.Rotate(mgl32.Vec3{sourceAside, 0, 0}))
	if b.Source.Stance != nil { // which has it on the ground
		at.Translation[1] = y
	}
	size := b.size
	if b.legs != nil {
		size *= *b.legs
	}
	at.Scale = mgl32.Vec3{size, size, size}
	return nil
}

// pairRoute is where the source walks in the yard, the porter at its right, clear of
// where others stop and of where a window has its panels.
var pairRoute = Route{Stops: []Stop{
	{At: mgl32.Vec3{3.6, 0, 7.35}, Seconds: 1.4}, {At: mgl32.Vec3{1.7, 0, 7.55}, Seconds: 1.4},
}, Ahead: 0.4}

// ShowPair adds the porter and, beside it, the mannequin whose motion it does, to
// the yard, or takes both away again.
func (d *Demo) ShowPair(on bool) error {
	if on == (d.Pair != nil) {
		return nil
	}
	if !on {
		d.Scene.Remove(d.Pair.Porter)
		d.Scene.Remove(d.Pair.Source)
		d.Pair = nil
		return nil
	}
	p, err := d.pair()
	if err != nil {
		return err
	}
	route := pairRoute
	route.state = "march"
	if err := route.bind(p.Source); err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return p.Machine.SetFloat("speed", walkSpeed) },
		func() error { return p.Machine.Go(0, "march", machine.Fade{}) },
		func() error { return p.Porter.Animator.Update(0) },
		func() error { return p.Porter.Animator.Update(float32(route.Ahead)) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, e := range []*scene.Entity{p.Source, p.Porter} {
		stance, err := e.Stand(ground.Flat(0)) // the yard is level
		if err != nil {
			return err
		}
		stance.Mode = ground.Planted
	}
	p.Source.Scripts = []any{&route}
	p.Porter.Scripts = []any{&follow{p}}
	if err := (&follow{p}).Update(nil, 0); err != nil {
		return err
	}
	d.Pair = p
	d.Scene.UpdateWorld()
	return nil
}

// follow puts the porter at the source's right and hands the source's parameters on.
type follow struct{ *Pair }

// Update is called after the source's route has steered.
func (f *follow) Update(*script.Context, float32) error {
	s, at := &f.Source.Local, &f.Porter.Local
	at.Rotation = s.Rotation
	at.Translation = s.Translation.Add(s.Rotation.Rotate(mgl32.Vec3{-sourceAside, 0, 0}))
	m := f.Source.Machine()
	for _, name := range []string{"speed", "pace"} {
		if err := f.Machine.Set(name, m.Value(name)); err != nil {
			return err
		}
	}
	return nil
}
