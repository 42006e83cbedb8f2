package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

func newView() *cobra.Command {
	f := &drawFlags{}
	var environment string
	c := &cobra.Command{
		Use:   "view FILE...",
		Short: "Show a model in a window, or draw it into a picture",
		Long: `Show one or more models in a window: drag to orbit, F to fly, H for all keys. Drop a file onto the window to show it.
A file that changes on disk is read again. A file of clips without meshes lends its clips to the others, by the names of
the joints; alone, its skeleton is shown. A FILE may be a folder with one model in it, or a .zip archive: its first model is
shown, or the one named as in pack.zip!hero/hero.gltf.

Headless, or with --out, frames are drawn into files; the first is at --time.`,
		Example: `  bindpose view fox.glb --clip Run
  bindpose view fox.glb --clip Run --time 0.4 --out fox.png
  bindpose view mannequin.gltf walks.glb --clip Walk
  bindpose view hero.vrm walks.glb --expression happy=0.7,blink
  bindpose view fox.glb --clip Run --frames 29 --out fox.gif --size 480x360`,
		Args: files(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return view(f, args, environment)
		},
	}
	f.register(c)
	f.registerWatch(c)
	c.Flags().StringSliceVar(&f.expressions, "expression", nil, "face of an avatar (.vrm): NAME, or NAME=WEIGHT from 0 to 1; several with commas")
	c.Flags().StringVar(&environment, "environment", "", "equirectangular picture (.png, .jpg, .webp) that stands around the model")
	return c
}

// viewer shows models side by side.
type viewer struct {
	*app
	files   []string
	models  []*assets.Model
	shown   []*scene.Entity
	floor   *scene.Entity
	lo, hi  mgl32.Vec3
	changes *watcher
	lens    int           // the node of the file's camera that is looked through, -1 for none
	seen    cameraControl // as lookThrough left it
}

func view(f *drawFlags, files []string, environment string) (err error) {
	around, err := loadEnvironment(environment)
	if err != nil {
		return err
	}
	v, err := openViewer(f, files)
	if err != nil {
		return err
	}
	defer func() { err = v.close(err) }()
	v.engine.Scene.Environment.Picture = around
	err = v.last(true, func(l *lasting) { l.Files = v.files }, func(l *lasting) error {
		if before := v.files; !slices.Equal(l.Files, before) {
			v.files = l.Files // they were dropped onto the window
			if !v.load(true) {
				v.files = before
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !f.headless {
		v.changes = watch(v.files)
		defer v.changes.close()
		v.key = v.keys
		v.engine.BeforeFrame = v.reload
	}
	return v.run()
}

// openViewer reads the files and sets the scene with them.
func openViewer(f *drawFlags, files []string) (*viewer, error) {
	models, err := loadModels(files, warnToStderr)
	if err != nil {
		return nil, err
	}
	// The flags are checked against the files before the device is opened.
	if _, err := findClips(models, f.clip); err != nil {
		return nil, err
	}
	if _, err := bringToLife(models, f.expressions); err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), filepath.Ext(files[0]))
	if err := f.spares(models); err != nil {
		return nil, err
	}
	// A texture may well be called as its model is.
	a, err := openApp("Bindpose: "+filepath.Base(files[0]), f, name+"-view")
	if err != nil {
		return nil, err
	}
	v := &viewer{app: a, files: files, lens: -1}
	panels := a.engine.Panels
	a.engine.Panels = func(g *gui.Context) { // after this frame's animation
		v.lookThrough()
		panels(g)
	}
	if err := v.setUp(models); err != nil {
		return nil, a.close(err)
	}
	return v, nil
}

// setUp builds the scene: the models beside each other on a floor, in the light
// of a studio.
func (v *viewer) setUp(models []*assets.Model) error {
	s := v.engine.Scene
	s.Environment = scene.Studio()
	s.Camera = s.Spawn("camera", nil)
	s.Camera.Camera = scene.DefaultCamera()
	s.Camera.Camera.YFov = mgl32.DegToRad(34)
	if err := v.show(models); err != nil {
		return err
	}
	return v.aim()
}

// show spawns the models, replacing those shown before.
func (v *viewer) show(models []*assets.Model) error {
	s := v.engine.Scene
	boxes := make([]assets.Bounds, len(models))
	clips, err := findClips(models, v.flags.clip)
	if err != nil {
		return err
	}
	for i, m := range models {
		if boxes[i], err = playedBounds(m, clips[i]); err != nil {
			return err
		}
	}
	avatars, err := bringToLife(models, v.flags.expressions)
	if err != nil {
		return err
	}
	for _, e := range v.shown {
		s.Remove(e)
	}
	for i, m := range v.models {
		if i >= len(models) || m != models[i] {
			v.engine.Library.Forget(m)
		}
	}
	v.models, v.shown = models, v.shown[:0]
	v.lens = -1
	if !slices.ContainsFunc(models, func(m *assets.Model) bool { return len(m.Meshes) > 0 }) {
		v.engine.Show.Skeleton = true // there is nothing else to see
	}
	x := float32(0)
	for i, m := range models {
		b := boxes[i]
		e := s.SpawnModel(m.Name, m, nil)
		if i > 0 {
			x -= b.Min[0]
			e.Local.Translation[0] = x
		}
		at := e.Local.Translation
		if i == 0 {
			v.lo, v.hi = b.Min, b.Max
		} else {
			v.lo, v.hi = v.lo.Min(b.Min.Add(at)), v.hi.Max(b.Max.Add(at))
		}
		x += b.Max[0] + 0.2*(b.Max[0]-b.Min[0])
		v.shown = append(v.shown, e)
		if e.Animator == nil && avatars[i] != nil {
			e.Animator = animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
		}
		if e.Animator == nil {
			continue
		}
		if err := e.Animator.Play(clips[i], 0); err != nil {
			return err
		}
		if err := e.Animator.Update(0); err != nil {
			return err
		}
		if err := seek(e.Animator, v.flags.time); err != nil {
			return err
		}
		if avatars[i] != nil {
			if err := comeToHang(e, avatars[i]); err != nil {
				return err
			}
		}
	}
	v.lights()
	v.setFloor()
	return nil
}

// seek goes to a time of a clip that loops: past its end it has begun again.
func seek(a *animation.Animator, t float64) error {
	c := a.Clip()
	if c == nil || c.Duration <= 0 {
		return a.Evaluate()
	}
	d := float64(c.Duration)
	if t > d || t < 0 {
		if t = math.Mod(t, d); t < 0 {
			t += d
		}
	}
	if err := a.Seek(float32(t)); err != nil {
		return err
	}
	return a.Evaluate()
}

// playedBounds is the box of a model over a clip, sampled at some of its times.
func playedBounds(m *assets.Model, clip *animation.Clip) (assets.Bounds, error) {
	const samples = 9
	var out assets.Bounds
	m = m.NormalizeWeights() // as it is drawn
	player := animation.NewPlayer(m.Skeleton)
	if err := player.Play(clip, 0); err != nil {
		return out, err
	}
	pose := animation.NewPose(m.Skeleton)
	for i := range samples {
		if clip != nil {
			if err := player.Seek(clip.Duration * float32(i) / (samples - 1)); err != nil {
				return out, err
			}
		}
		if err := player.Sample(pose); err != nil {
			return out, err
		}
		b, err := m.Bounds(pose)
		if err != nil {
			return out, err
		}
		if b.Vertices == 0 {
			b = jointBounds(m, pose)
		}
		if i == 0 {
			out = b
		}
		out.Min, out.Max = out.Min.Min(b.Min), out.Max.Max(b.Max)
		if clip == nil {
			break
		}
	}
	return out, nil
}

// jointBounds is the box of a model's joints, for one that has no vertices.
func jointBounds(m *assets.Model, pose *animation.Pose) assets.Bounds {
	world := make([]mgl32.Mat4, m.Skeleton.Len())
	pose.ToModel(m.Skeleton, world)
	var b assets.Bounds
	for i := range world {
		at := world[i].Col(3).Vec3()
		if i == 0 {
			b.Min, b.Max = at, at
		}
		b.Min, b.Max = b.Min.Min(at), b.Max.Max(at)
	}
	return b
}

// lights spawns the lights that the files hold.
func (v *viewer) lights() {
	for i, m := range v.models {
		parent := v.shown[i]
		for j := range m.Nodes {
			k := m.Nodes[j].Light
			if k < 0 {
				continue
			}
			e := v.engine.Scene.Spawn(m.Skeleton.Names[j], parent)
			e.Light = scene.NewLight(m, k)
			if parent.Animator != nil {
				e.Attachment = &animation.Attachment{Joint: int32(j), Offset: animation.Identity()}
				continue
			}
			pose := animation.NewPose(m.Skeleton)
			world := make([]mgl32.Mat4, m.Skeleton.Len())
			pose.ToModel(m.Skeleton, world)
			e.Local.Translation, e.Local.Rotation, _ = world[j].Decompose()
		}
	}
}

// setFloor puts a round floor under the models, which fades into the
// background.
func (v *viewer) setFloor() {
	s := v.engine.Scene
	radius := extent(v.lo, v.hi) * 1.6
	center := v.lo.Add(v.hi).Mul(0.5)
	if v.floor == nil {
		v.floor = s.Spawn("floor", nil)
		v.floor.Mesh = &scene.MeshRenderer{Model: floorModel(), NoShadow: true}
	}
	v.floor.Local.Translation = mgl32.Vec3{center[0], v.lo[1] - radius*0.0005, center[2]}
	v.floor.Local.Scale = mgl32.Vec3{radius, 1, radius}
	s.Environment.ShadowFocus = center
	s.Environment.ShadowRadius = extent(v.lo, v.hi) * 0.62
}

// aim points the camera as --camera says.
func (v *viewer) aim() error {
	camera := v.engine.Scene.Camera
	f := v.flags
	aspect := float32(f.width) / float32(f.height)
	name, isFile := strings.CutPrefix(f.camera, "file:")
	_, isNamed := named[f.camera]
	switch {
	case f.camera == "" || isNamed:
		v.camera.frameBox(v.lo, v.hi, f.camera, camera.Camera.YFov, aspect)
	case isFile:
		m := v.models[0]
		node, err := fileCamera(m, name)
		if err != nil {
			return err
		}
		v.lens, v.seen = node, v.camera
		v.lookThrough()
		v.camera.keep()
		v.seen = v.camera
	default:
		eye, target, yFov, err := parseCamera(f.camera)
		if err != nil {
			return err
		}
		v.camera.from(eye, target)
		if yFov > 0 {
			camera.Camera.YFov = yFov
		}
	}
	v.camera.apply(camera)
	v.engine.Scene.UpdateWorld()
	return nil
}

// keys reads files that are dropped onto the window.
func (v *viewer) keys(in *input.State) {
	if len(in.Dropped) > 0 {
		v.drop(append([]string(nil), in.Dropped...))
	}
}

// drop shows other files. Where that fails, those shown stay and are watched on.
func (v *viewer) drop(files []string) {
	before := v.files
	v.files = files
	if !v.load(true) {
		v.files = before
		return
	}
	v.changes.close()
	v.changes = watch(v.files)
}

// reload reads the files again when one has changed.
func (v *viewer) reload(float32) error {
	if v.changes.changed(time.Now()) {
		v.load(false)
	}
	return nil
}

// load reads the files and shows them; where one fails, what is shown stays and
// the error is told.
func (v *viewer) load(aim bool) (ok bool) {
	models, err := loadModels(v.files, warnToStderr)
	if err != nil {
		warnToStderr(fmt.Sprintf("%v; what is shown stays", err))
		return false
	}
	clip, expressions := v.flags.clip, v.flags.expressions
	lo, hi := v.lo, v.hi
	if aim {
		v.flags.clip, v.flags.expressions = "", nil // they were asked for of other files
	}
	if err := v.show(models); err != nil {
		v.flags.clip, v.flags.expressions = clip, expressions
		warnToStderr(fmt.Sprintf("%v; what is shown stays", err))
		return false
	}
	v.panels.selected = nil
	if aim || !alike(lo, hi, v.lo, v.hi) {
		w, h := v.engine.Size()
		v.camera.frameBox(v.lo, v.hi, "", v.engine.Scene.Camera.Camera.YFov, float32(w)/float32(h))
	}
	if aim {
		if w := v.engine.Window; w != nil {
			w.SetTitle("Bindpose: " + filepath.Base(v.files[0]))
		}
	}
	return true
}

// alike reports whether a camera that frames the first box is of use for the
// second: it is not much larger, smaller or elsewhere.
func alike(lo, hi, newLo, newHi mgl32.Vec3) bool {
	old, size := hi.Sub(lo).Len(), newHi.Sub(newLo).Len()
	apart := newLo.Add(newHi).Sub(lo.Add(hi)).Len() / 2
	return size < 2.5*old && old < 2.5*size && apart < old
}
