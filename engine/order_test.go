package engine_test

import (
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
	"github.com/bindpose/bindpose/framegraph"
)

// inOrder is the frame of DESIGN.md, from scripts to present.
var inOrder = []string{
	"scripts", "physics", "animation", "panels", "palette upload",
	"background", "shadow", "geometry", "lighting", "transparent", "collider", "antialias", "gui", "present",
}

// witness is a script that notes what it sees of the frame when it runs.
type witness struct {
	log     *[]string
	seen    func()
	contact func(script.Contact)
}

func (w *witness) Update(*script.Context, float32) error {
	*w.log = append(*w.log, "script")
	w.seen()
	return nil
}

func (w *witness) Contact(_ *script.Context, c script.Contact) error {
	*w.log = append(*w.log, "contact")
	w.contact(c)
	return nil
}

// What a phase writes is seen by the later ones in the same frame, and by no
// earlier one: a script moves a kinematic pusher into a box and starts a clip;
// the contact is told in the same frame; the panels see box and clip as they
// are then; and what the device skins is that pose.
func TestFrameRunsInItsOrder(t *testing.T) {
	for _, mode := range []gpu.Mode{gpu.Serialised, gpu.Overlapped} {
		t.Run(mode.String(), func(t *testing.T) {
			e := enginetest.Open(t, engine.Options{Width: 64, Height: 64, Mode: mode})
			camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
			e.Show.Colliders = true
			probe := newWorldProbe(t, e)
			const dt = 1.0 / 60

			m := load(t, "gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb")
			rig := e.Scene.SpawnModel("rig", m, nil)
			box := e.Scene.Spawn("box", nil)
			box.Collider = scene.NewCollider(physics.Box(mgl32.Vec3{0.5, 0.5, 0.5}))
			box.Body = &scene.RigidBody{Motion: physics.Dynamic, Mass: 1}
			box.Local.Translation = mgl32.Vec3{10, 0, 0}
			pusher := e.Scene.Spawn("pusher", nil)
			pusher.Collider = scene.NewCollider(physics.Box(mgl32.Vec3{0.5, 0.5, 0.5}))
			pusher.Body = &scene.RigidBody{Motion: physics.Kinematic}
			pusher.Local.Translation = mgl32.Vec3{-10, 0, 0}
			enginetest.Frames(t, e, 1, dt)

			var log []string
			var atScript, atContact, atPanels struct {
				box  mgl32.Vec3
				clip *animation.Clip
				time float32
			}
			note := func(into *struct {
				box  mgl32.Vec3
				clip *animation.Clip
				time float32
			}) {
				into.box, into.clip, into.time = box.WorldPosition(), rig.Animator.Clip(), rig.Animator.Time()
			}
			pusher.Scripts = []any{&witness{
				log: &log,
				seen: func() {
					note(&atScript)
					pusher.Local.Translation = box.Local.Translation.Add(mgl32.Vec3{-0.9, 0, 0})
					if err := rig.Animator.PlayIndex(0, 0); err != nil {
						t.Error(err)
					}
				},
				contact: func(c script.Contact) {
					if c.Other == nil || c.Other.Name() != "box" {
						t.Errorf("contact with %v", c.Other)
					}
					note(&atContact)
				},
			}}
			e.Panels = func(*gui.Context) {
				log = append(log, "panels")
				note(&atPanels)
			}
			for _, pass := range inOrder[5:13] {
				if err := e.AddPass(pass, "after "+pass, framegraph.Transfer, func(b *framegraph.Builder) framegraph.Record {
					b.SideEffect()
					return func(framegraph.Context) { log = append(log, pass) }
				}); err != nil {
					t.Fatal(err)
				}
			}
			enginetest.Frames(t, e, 1, dt)

			want := append([]string{"script", "contact", "panels"}, inOrder[5:13]...)
			if !slices.Equal(log, want) {
				t.Errorf("what ran: %v\nwant      %v", log, want)
			}
			if atScript.clip != nil || atScript.box == atContact.box {
				t.Errorf("scripts saw clip %v and the box at %v, which physics then left at %v", atScript.clip, atScript.box, atContact.box)
			}
			if atContact.clip == nil || atContact.time != 0 {
				t.Errorf("physics saw clip %v at %v s: animation must come after it", atContact.clip, atContact.time)
			}
			if atPanels.box != atContact.box || atPanels.time != dt {
				t.Errorf("panels saw the box at %v and the clip at %v s", atPanels.box, atPanels.time)
			}
			compareWithProcessor(t, "as uploaded", rig.Animator, m, probe.positions(t))
			pusher.Scripts = nil
			enginetest.Frames(t, e, 3, dt) // overlapped, times are known two frames later
			checkRows(t, e)
		})
	}
}

// checkRows checks that plan and timings hold the phases and passes in order.
func checkRows(t *testing.T, e *engine.Engine) {
	t.Helper()
	var planned, timed []string
	for _, s := range e.Plan().Steps {
		if slices.Contains(inOrder, s.Name) {
			planned = append(planned, s.Name)
		}
	}
	for _, r := range e.Executor().Timings() {
		if slices.Contains(inOrder, r.Name) {
			timed = append(timed, r.Name)
		}
	}
	if !slices.Equal(planned, inOrder) {
		t.Errorf("planned %v", planned)
	}
	if !slices.Equal(timed, inOrder) {
		t.Errorf("timed %v", timed)
	}
	var rows []string
	for _, r := range e.Profile.Rows() {
		if slices.Contains(inOrder, r.Name) {
			rows = append(rows, r.Name)
		}
	}
	if !slices.Equal(rows, inOrder) {
		t.Errorf("the profile has %v", rows)
	}
}
