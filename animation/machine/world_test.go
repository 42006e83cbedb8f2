package machine

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// skeleton is a root, hips, spine and arm, and a leg.
func skeleton() *animation.Skeleton {
	s := &animation.Skeleton{
		Names:   []string{"root", "hips", "spine", "arm", "leg"},
		Parents: []int32{-1, 0, 1, 2, 1},
	}
	for range s.Parents {
		s.Rest = append(s.Rest, animation.Identity())
	}
	return s
}

// wave is a clip that swings each joint about x by so many radians around a mean,
// smoothly and in a cycle.
func wave(name string, duration, mean, wide float64) *animation.Clip {
	c := &animation.Clip{Name: name, Duration: float32(duration)}
	const keys = 25
	for joint := range 5 {
		tr := animation.Track{Joint: int32(joint), Path: animation.Rotation, Width: 4}
		for k := range keys {
			u := float64(k) / (keys - 1)
			q := mgl32.QuatRotate(float32(mean+wide*math.Sin(2*math.Pi*u)), mgl32.Vec3{1, 0, 0}).XYZW()
			tr.Times = append(tr.Times, float32(u*duration))
			tr.Values = append(tr.Values, q[:]...)
		}
		c.Tracks = append(c.Tracks, tr)
	}
	return c
}

// walk is a wave that also goes along z at so many metres a second, as root motion.
func walk(t testing.TB, name string, duration, mean, speed float64) *animation.Clip {
	t.Helper()
	c := wave(name, duration, mean, 0.2)
	way := animation.Track{Joint: 0, Path: animation.Translation, Width: 3,
		Times: []float32{0, float32(duration)}, Values: []float32{0, 0, 0, 0, 0, float32(speed * duration)}}
	c.Tracks = append([]animation.Track{way}, c.Tracks...)
	out, err := animation.ExtractRoot(c, skeleton(), 0, animation.RootAxes{Z: true})
	if err != nil {
		t.Fatal(err)
	}
	out.Events = []animation.Event{{Name: "left", Time: float32(0.1 * duration)}, {Name: "right", Time: float32(0.6 * duration)}}
	return out
}

func clips(t testing.TB) []*animation.Clip {
	attack := wave("attack", 0.5, 1, 0.5)
	attack.Events = []animation.Event{{Name: "hit", Time: 0.25}, {Name: "done", Time: 0.5}}
	attack.Curves = []animation.Curve{{Name: "glow", Times: []float32{0, 0.5}, Values: []float32{0, 1}}}
	return []*animation.Clip{
		wave("idle", 2, 0, 0.05), walk(t, "walk", 1, 0.2, 1.5), walk(t, "jog", 0.8, 0.4, 3),
		attack, wave("fall", 1, -0.5, 0.1), wave("land", 0.25, -0.3, 0.1), wave("wave", 1, 0.5, 0.5),
	}
}

func load(t testing.TB, text string) *Definition {
	t.Helper()
	d, err := Load([]byte(text), skeleton(), clips(t))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// runner is an instance with what it needs.
type runner struct {
	*Instance
	t       testing.TB
	scratch *Scratch
	pose    *animation.Pose
}

func run(t testing.TB, d *Definition) *runner {
	r := &runner{New(d), t, NewScratch(d), animation.NewPose(d.skeleton)}
	r.step(0)
	return r
}

func (r *runner) step(dt float32) *runner {
	r.t.Helper()
	if err := r.Update(dt, r.scratch, r.pose); err != nil {
		r.t.Fatal(err)
	}
	return r
}

func (r *runner) set(name string, x float64) *runner {
	r.t.Helper()
	if err := r.Set(name, x); err != nil {
		r.t.Fatal(err)
	}
	return r
}

func (r *runner) in(state string) {
	r.t.Helper()
	if got := r.Status(0).State; got != state {
		r.t.Errorf("in %q, want %q", got, state)
	}
}

// angle is a joint's turn about x.
func (r *runner) angle(joint int) float64 {
	q := r.pose.Local[joint].Rotation
	return 2 * math.Atan2(float64(q.V[0]), float64(q.W))
}

const hero = `{
  "parameters": [
    {"name": "speed", "type": "float", "min": 0, "max": 3},
    {"name": "grounded", "type": "bool", "default": 1},
    {"name": "attack", "type": "trigger"},
    {"name": "mood", "type": "int"},
    {"name": "arm", "type": "float"}
  ],
  "layers": [
    {
      "name": "body",
      "machine": {
        "start": "ground",
        "states": [
          {"name": "ground", "machine": {
            "start": "idle",
            "states": [
              {"name": "idle", "clip": "idle"},
              {"name": "move", "blend": {"x": "speed", "sync": "events", "points": [
                {"clip": "walk", "x": 1.5}, {"clip": "jog", "x": 3}
              ]}}
            ],
            "transitions": [
              {"from": "idle", "to": "move", "when": [{"parameter": "speed", "is": ">", "value": 0.1}], "duration": 0.3},
              {"from": "move", "to": "idle", "when": [{"parameter": "speed", "is": "<=", "value": 0.1}], "duration": 0.4, "mode": "inertial"}
            ]
          }},
          {"name": "attack", "clip": "attack", "loop": "once"},
          {"name": "air", "machine": {
            "start": "fall",
            "states": [{"name": "fall", "clip": "fall"}, {"name": "land", "clip": "land", "loop": "once"}],
            "transitions": [
              {"from": "fall", "to": "land", "when": [{"parameter": "grounded"}], "duration": 0.05, "curve": "linear"},
              {"from": "land", "to": "/ground", "exit": 1, "duration": 0.2}
            ]
          }}
        ],
        "transitions": [
          {"from": "ground", "to": "attack", "when": [{"parameter": "attack"}], "duration": 0.1, "curve": "out"},
          {"from": "attack", "to": "ground", "exit": 0.8, "duration": 0.2},
          {"from": "*", "to": "air", "when": [{"parameter": "grounded", "is": "==", "value": false}], "duration": 0.15, "priority": 10}
        ]
      }
    },
    {
      "name": "arm", "weightParameter": "arm", "mask": {"spine": 0.5, "arm": 1},
      "machine": {"start": "wave", "states": [{"name": "wave", "clip": "wave"}]}
    },
    {
      "name": "breath", "mode": "additive", "weight": 0.5,
      "machine": {"start": "idle", "states": [{"name": "idle", "clip": "idle"}]}
    }
  ]
}`
