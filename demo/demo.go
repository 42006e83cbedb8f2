package demo

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// Demo is the built scene and those of its parts that a program may want to
// find again.
type Demo struct {
	Scene      *scene.Scene
	Mannequins []*scene.Entity // the first is the one that opens the door
	Door       *scene.Entity
	Crates     []*scene.Entity
	// Soul is the state machine of the mannequins to come; those who are there
	// share it from the start.
	Soul *machine.Definition
	// Pair is the porter and its source while ShowPair shows them, else nil.
	Pair *Pair

	mannequin, house, props, sword *assets.Model
	clips                          []*animation.Clip // of the mannequin, walking
	crowd                          crowd
	lights, plants                 *scene.Entity // parents, that keep the scene's tree short
	lamps                          []lamp
	lit                            *assets.Model // the house in the evening
}

// Eye and Target are the view that the scene was composed for, metres; YFov is
// its field of view, radians.
var (
	Eye    = mgl32.Vec3{6.4, 2.35, 13.2}
	Target = mgl32.Vec3{0.75, 1.75, 1.8}
	YFov   = mgl32.DegToRad(33)
)

// Build fills an empty scene.
func Build(s *scene.Scene) (*Demo, error) {
	d := &Demo{Scene: s}
	if err := d.load(); err != nil {
		return nil, err
	}
	d.light()
	d.plants = s.Spawn("yard", nil)
	d.yard()
	d.building()
	d.crates()
	if err := d.souls(); err != nil {
		return nil, err
	}
	if err := d.SetCrowd(composed); err != nil {
		return nil, err
	}
	return d, nil
}

// load reads the demo's assets.
func (d *Demo) load() error {
	for _, m := range []struct {
		file string
		into **assets.Model
	}{
		{"mannequin.glb", &d.mannequin}, {"house.glb", &d.house}, {"props.glb", &d.props}, {"sword.glb", &d.sword},
	} {
		var err error
		if *m.into, err = asset(m.file); err != nil {
			return err
		}
	}
	return nil
}

// asset reads one of the demo's own files.
func asset(file string) (*assets.Model, error) {
	data, err := demoassets.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := gltf.Decode(file, data, nil)
	if err != nil {
		return nil, fmt.Errorf("the demo's own asset: %w", err)
	}
	return m, nil
}

// put spawns a part of a model at a place on the ground, turned by degrees.
func (d *Demo) put(name string, m *assets.Model, part string, degrees float32, at mgl32.Vec3, parent *scene.Entity) *scene.Entity {
	e := d.Scene.Spawn(name, parent)
	e.Mesh = &scene.MeshRenderer{Model: m, Root: part}
	e.Local.Translation = at
	e.Local.Rotation = mgl32.QuatRotate(mgl32.DegToRad(degrees), mgl32.Vec3{0, 1, 0})
	return e
}

// light is a low sun from the right, warm against a clear sky, and lamps.
func (d *Demo) light() {
	s := d.Scene
	camera := s.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	camera.Camera.YFov = YFov
	camera.LookAt(Eye, Target)
	s.Camera = camera

	d.lights = s.Spawn("lights", nil)
	hang := func(name string, kind assets.LightKind, at mgl32.Vec3, candela, reach float32) *scene.Entity {
		e := s.Spawn(name, d.lights)
		e.Local.Translation = at
		e.Light = &scene.Light{Kind: kind, Color: mgl32.Vec3{1, 0.72, 0.42}, Intensity: candela, Range: reach, Shadows: true}
		d.lamps = append(d.lamps, lamp{e, candela, reach})
		return e
	}
	hang("room lamp", assets.Point, mgl32.Vec3{0.45, 1.95, -0.1}, 5, 3.6)
	hang("lantern light", assets.Point, mgl32.Vec3{1.62, 0.18, 3.55}, 0.9, 2.8)
	porch := hang("porch light", assets.Spot, mgl32.Vec3{0.65, 2.36, 2.84}, 4, 3.2)
	porch.Light.InnerCone, porch.Light.OuterCone = mgl32.DegToRad(28), mgl32.DegToRad(45)
	porch.Local.Rotation = mgl32.QuatRotate(mgl32.DegToRad(-80), mgl32.Vec3{1, 0, 0})
	d.SetEvening(false)
}

// yard is the ground and what grows and stands on it.
func (d *Demo) yard() {
	// Nothing lies below these for a shadow to fall on.
	d.put("ground", d.props, "ground", 0, mgl32.Vec3{}, d.plants).Mesh.NoShadow = true
	d.put("path", d.props, "path", 0, mgl32.Vec3{0.65, 0, 3.05}, d.plants).Mesh.NoShadow = true
	for _, p := range []struct {
		part    string
		degrees float32
		at      mgl32.Vec3
	}{
		{"tree", 0, mgl32.Vec3{-5.2, 0, -0.6}}, {"tree", 130, mgl32.Vec3{6.6, 0, -5.5}}, {"tree", 70, mgl32.Vec3{-8.5, 0, -6}},
		{"tree_small", 40, mgl32.Vec3{5.3, 0, 0.4}}, {"tree_small", 200, mgl32.Vec3{-4.6, 0, 6.4}},
		{"bush", 0, mgl32.Vec3{-2.0, 0, 3.05}}, {"bush", 100, mgl32.Vec3{-0.95, 0, 3.0}}, {"bush", 30, mgl32.Vec3{2.0, 0, 3.1}},
		{"lantern", 20, mgl32.Vec3{1.62, 0, 3.55}}, {"bench", 0, mgl32.Vec3{-1.3, 0, 4.0}},
		{"flowers", 0, mgl32.Vec3{-0.35, 0, 3.25}}, {"flowers", 160, mgl32.Vec3{1.75, 0, 4.3}}, {"rock", 0, mgl32.Vec3{2.5, 0, 5.1}},
		{"rock", 120, mgl32.Vec3{-3.1, 0, 5.4}},
	} {
		d.put(p.part, d.props, p.part, p.degrees, p.at, d.plants)
	}
	for i := range 4 {
		d.put("fence", d.props, "fence", 0, mgl32.Vec3{-3.2 - 2*float32(i), 0, 8.2}, d.plants)
		d.put("fence", d.props, "fence", 90, mgl32.Vec3{7.6, 0, 3.4 - 2*float32(i)}, d.plants)
	}
	random := sequence(7)
	for range 70 {
		at := mgl32.Vec3{-8 + 16*random(), 0, 2.9 + 6.5*random()}
		turn := 360 * random()
		if at[0] > -0.4 && at[0] < 1.7 {
			continue // the path
		}
		d.put("grass", d.props, "grass", turn, at, d.plants).Mesh.NoShadow = true // blades are thinner than its texels
	}
}

// sequence gives numbers from 0 to 1 that look random and are the same in each
// run (a linear congruential generator; constants of Numerical Recipes).
func sequence(seed uint32) func() float32 {
	return func() float32 {
		seed = seed*1664525 + 1013904223
		return float32(seed>>8) / (1 << 24)
	}
}
