package engine_test

import (
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/internal/corpus"
)

// openForBench opens a headless engine without validation, which would be what
// is measured.
func openForBench(b *testing.B, width, height int, mode gpu.Mode) *engine.Engine {
	b.Helper()
	e, err := engine.New(engine.Options{
		Headless: true, Width: width, Height: height, Mode: mode,
		Warn: func(m *assets.Model, message string) { b.Log(message) },
	})
	if err != nil {
		b.Skip("skipped: ", err)
	}
	b.Cleanup(e.Close)
	return e
}

// BenchmarkCrowd is the design's figure "crowd": a frame of so many characters
// of one model, each at a time of its own of the model's first clip, on a floor
// in the light of one sun with shadows. A frame is over when the device has
// drawn it; frames are not read back.
//
// With BINDPOSE_BENCH_OUT, the last frame of each crowd is written there.
func BenchmarkCrowd(b *testing.B) {
	for _, m := range []struct{ name, path string }{
		{"CesiumMan", "gltf/CesiumMan/glTF-Binary/CesiumMan.glb"},
		{"Fox", "gltf/Fox/glTF-Binary/Fox.glb"},
	} {
		for _, size := range [][2]int{{1280, 720}, {320, 180}} {
			for _, n := range []int{10, 100, 500, 1000} {
				b.Run(fmt.Sprintf("%s/%dx%d/%d", m.name, size[0], size[1], n), func(b *testing.B) {
					model, err := gltf.Load(corpus.Path(b, m.path))
					if err != nil {
						b.Fatal(err)
					}
					e := openForBench(b, size[0], size[1], gpu.Overlapped)
					spawnCrowd(b, e.Scene, model, n, float32(size[0])/float32(size[1]))
					benchmarkFrames(b, e)
				})
			}
		}
	}
}

// benchmarkFrames draws frames of a sixtieth of a second.
func benchmarkFrames(b *testing.B, e *engine.Engine) {
	b.Helper()
	frame := func() {
		if err := e.Frame(1.0 / 60); err != nil {
			b.Fatal(err)
		}
	}
	for range 3 { // uploads, pipelines, and every frame in flight
		frame()
	}
	if err := e.Device.WaitIdle(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		frame()
		if err := e.Device.WaitIdle(); err != nil {
			b.Fatal(err)
		}
	}
	if err := savePicture(b, e); err != nil {
		b.Fatal(err)
	}
}

// spawnCrowd puts characters in a square, row by row, on a floor, and a camera
// in front of them that sees them all.
func spawnCrowd(b *testing.B, s *scene.Scene, m *assets.Model, n int, aspect float32) {
	b.Helper()
	box, err := m.Bounds(animation.NewPose(m.Skeleton))
	if err != nil {
		b.Fatal(err)
	}
	if len(m.Clips) == 0 {
		b.Fatal("the model has no clip")
	}
	size := box.Max.Sub(box.Min)
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	step := mgl32.Vec3{1.3 * max(size[0], size[1]*0.4), 0, 1.3 * max(size[2], size[1]*0.4)}
	for i := range n {
		e := s.SpawnModel(fmt.Sprint("character ", i), m, nil)
		e.Local.Translation = mgl32.Vec3{
			(float32(i%columns) - float32(columns-1)/2) * step[0], -box.Min[1], -float32(i/columns) * step[2],
		}
		if err := e.Animator.Play(m.Clips[0], 0); err != nil {
			b.Fatal(err)
		}
		if err := e.Animator.Seek(m.Clips[0].Duration * float32(i) / float32(n)); err != nil {
			b.Fatal(err)
		}
	}
	rows := float32((n + columns - 1) / columns)
	width, depth := float32(columns)*step[0], rows*step[2]
	center := mgl32.Vec3{0, size[1] / 2, -(depth - step[2]) / 2}
	radius := mgl32.Vec3{width, size[1], depth}.Len() / 2

	floor := s.Spawn("floor", nil)
	floor.Mesh = &scene.MeshRenderer{Model: square()}
	floor.Local.Translation = mgl32.Vec3{center[0], 0, center[2]}
	floor.Local.Scale = mgl32.Vec3{4 * radius, 1, 4 * radius}

	s.Environment.ShadowFocus, s.Environment.ShadowRadius = center, radius
	camera := s.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	fov := camera.Camera.YFov
	distance := radius / float32(math.Tan(float64(fov/2))) / min(aspect, 1) * 0.75 // the crowd fills the picture, not the ball around it
	camera.Camera.Near, camera.Camera.Far = distance*0.01, distance*10
	camera.LookAt(center.Add(mgl32.Vec3{0.25, 0.45, 0.86}.Normalize().Mul(distance)), center)
	s.Camera = camera
}

// square is a floor of two triangles, from -1 to 1 along x and z.
func square() *assets.Model {
	m := assets.DefaultMaterial()
	m.BaseColor = mgl32.Vec4{0.5, 0.5, 0.5, 1}
	m.Metallic, m.Roughness = 0, 0.9
	up := mgl32.Vec3{0, 1, 0}
	return &assets.Model{
		Name: "square",
		Skeleton: &animation.Skeleton{
			Names: []string{"square"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()},
		},
		Nodes:  []assets.Node{{Mesh: 0, Skin: -1, Camera: -1, Light: -1, InScene: true}},
		Scenes: []assets.Scene{{Roots: []int32{0}}},
		Meshes: []assets.Mesh{{Name: "square", Primitives: []assets.Primitive{{
			Positions: []mgl32.Vec3{{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}},
			Normals:   []mgl32.Vec3{up, up, up, up},
			Indices:   []uint32{0, 1, 2, 0, 2, 3},
		}}}},
		Materials: []assets.Material{m},
	}
}

// BenchmarkSteadyFrame is the design's figure "frame-garbage": allocations in a
// frame of the demo in which nothing new comes: mannequins with their state
// machines, a crowd among them, bodies, scripts, shadows, overlays and a panel.
func BenchmarkSteadyFrame(b *testing.B) {
	e := openForBench(b, 320, 180, gpu.Overlapped)
	d, err := demo.Build(e.Scene)
	if err != nil {
		b.Fatal(err)
	}
	if err := d.SetCrowd(40); err != nil {
		b.Fatal(err)
	}
	e.Show.Skeleton, e.Show.Colliders = true, true
	e.Panels = func(g *gui.Context) {
		if g.Begin("Panel", nil, 0) {
			g.Text("A panel")
		}
		g.End()
	}
	frame := func() {
		if err := e.Frame(1.0 / 60); err != nil {
			b.Fatal(err)
		}
	}
	for range 120 { // also: each clip has begun again
		frame()
	}
	b.ReportAllocs()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		frame()
	}
	runtime.ReadMemStats(&after)
	// allocs/op is rounded down; this is not.
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(b.N), "allocs/frame")
	if err := savePicture(b, e); err != nil {
		b.Fatal(err)
	}
}

func savePicture(b *testing.B, e *engine.Engine) error {
	out := os.Getenv("BINDPOSE_BENCH_OUT")
	if out == "" {
		return nil
	}
	picture, err := e.Picture()
	if err != nil {
		return err
	}
	path := filepath.Join(out, b.Name()+".png")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, picture); err != nil {
		return err
	}
	return f.Close()
}
