package engine_test

import (
	"runtime"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
	"github.com/bindpose/bindpose/passes"
)

// A steady frame allocates nothing on the Go heap: skinned and morphed models
// that play, bodies that fall and rest, a script, a light, a blended surface,
// a panel, colliders and skeletons drawn.
func TestASteadyFrameAllocatesNothing(t *testing.T) {
	for name, o := range map[string]engine.Options{
		"serialised":             {Mode: gpu.Serialised},
		"overlapped":             {Mode: gpu.Overlapped},
		"on three goroutines":    {Mode: gpu.Overlapped, Workers: 3},
		"on queues":              {Mode: gpu.Overlapped, Queues: gpu.SplitQueues},
		"on queues, three do it": {Mode: gpu.Overlapped, Queues: gpu.SplitQueues, Workers: 3},
	} {
		t.Run(name, func(t *testing.T) {
			o.Width, o.Height = 64, 64
			e := enginetest.Open(t, o)
			busy(t, e)
			if o.Queues == gpu.SplitQueues {
				ssao := must(passes.NewSSAO(e.Images()))(t)
				if err := ssao.AddTo(e); err != nil {
					t.Fatal(err)
				}
			}
			const dt = 1.0 / 60
			enginetest.Frames(t, e, 40, dt) // rings and lists grow to their size
			if n := allocations(func() { enginetest.Frames(t, e, 10, dt) }); n > 0 {
				t.Errorf("10 frames allocate %d times", n)
			}
		})
	}
}

// allocations counts f's, at its best of some tries: the runtime's own are none
// of f's. testing.AllocsPerRun would round one in a few frames down to none.
func allocations(f func()) uint64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if least = min(least, after.Mallocs-before.Mallocs); least == 0 {
			break
		}
	}
	return least
}

// touched is a script that counts contacts.
type touched struct{ n int }

func (c *touched) Contact(*script.Context, script.Contact) error { c.n++; return nil }

// busy fills an engine's scene with one of everything.
func busy(t testing.TB, e *engine.Engine) {
	t.Helper()
	camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
	e.Show.Colliders, e.Show.Skeleton = true, true
	for i, file := range []string{
		"gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb", "gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb",
		"gltf/CesiumMan/glTF-Binary/CesiumMan.glb", "gltf/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb",
	} {
		m := load(t, file)
		x := e.Scene.SpawnModel(m.Name, m, nil)
		x.Local.Translation[0] = float32(i)
		if err := x.Animator.PlayIndex(0, 0); err != nil {
			t.Fatal(err)
		}
	}
	glass := plain(mgl32.Vec4{1, 1, 1, 0.5})
	glass.Alpha = assets.Blend
	x := e.Scene.SpawnModel("glass", quad(glass), nil)
	x.Mesh.Without = []string{"some", "others"}
	x.Scripts = []any{&counting{}}
	lamp := e.Scene.Spawn("lamp", nil)
	lamp.Light = &scene.Light{Kind: assets.Point, Color: mgl32.Vec3{1, 1, 1}, Intensity: 5, Shadows: true}
	for i := range 6 { // more than cast shadows
		x := e.Scene.Spawn("spot", lamp)
		x.Local.Translation[0] = float32(i)
		x.Light = &scene.Light{Kind: assets.Spot, Color: mgl32.Vec3{1, 1, 1}, Intensity: 5, Range: 9, OuterCone: 0.5, Shadows: true}
	}
	ground := e.Scene.Spawn("ground", nil)
	ground.Collider = scene.NewCollider(physics.Plane(mgl32.Vec3{0, 1, 0}))
	for i, shape := range []physics.Shape{physics.Box(mgl32.Vec3{0.2, 0.2, 0.2}), physics.Sphere(0.2), physics.Capsule(0.2, 0.3)} {
		b := e.Scene.Spawn("body", nil)
		b.Collider = scene.NewCollider(shape)
		b.Body = &scene.RigidBody{Motion: physics.Dynamic, Mass: 1}
		b.Local.Translation = mgl32.Vec3{float32(i), 2, 0}
		b.Scripts = []any{&touched{}}
	}
	mover := e.Scene.Spawn("mover", nil)
	mover.Collider = scene.NewCollider(physics.Sphere(0.3))
	mover.Body = &scene.RigidBody{Motion: physics.Kinematic}
	e.Panels = func(g *gui.Context) {
		if g.Begin("panel", nil, 0) {
			g.Text("text")
			if g.BeginTable("table", 2, 0, 0, 0) {
				for range 3 {
					g.NextRow()
					g.NextColumn()
					g.Text("a")
					g.NextColumn()
					g.Text("b")
				}
				g.EndTable()
			}
		}
		g.End()
	}
}
