package stride_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

func load(t *testing.T, path string) *assets.Model {
	t.Helper()
	read := gltf.Load
	if strings.EqualFold(filepath.Ext(path), ".fbx") {
		read = fbx.Load
	}
	m, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// job is a clip of one file on the mesh of another.
func job(t *testing.T, body, clips *assets.Model, name string) stride.Job {
	t.Helper()
	clip, err := clips.Clip(name)
	if err != nil {
		t.Fatal(err)
	}
	if body != clips {
		clip, _ = animation.BindByName(clip, clips.Skeleton, body.Skeleton)
	}
	soles, err := body.Soles()
	if err != nil {
		t.Fatal(err)
	}
	return stride.Job{Clip: clip, Skeleton: body.Skeleton, Soles: soles}
}

func mannequin(t *testing.T) *assets.Model {
	return load(t, filepath.Join("..", "..", "..", "demo", "assets", "mannequin.glb"))
}

// Real clips: the speeds that root motion or the maker of a clip gives are found on
// the soles alone, and what is known of the gaits. Duties and orders were read off
// pictures of the soles' tracks.
func TestRealClips(t *testing.T) {
	const pab, kaykit, fox = "fbx/ozz/pab/locomotions.fbx", "gltf/KayKit/Med_MovementBasic.glb", "gltf/Fox/glTF-Binary/Fox.glb"
	for _, c := range []struct {
		file, body, clip string
		speed, by        float64 // m/s, and the share that it may be off
		duty             [2]float64
		travels          bool
		order            string // of feet, from the first
		slide            float64
	}{
		{"", "", "walk", 1.4, 0.005, [2]float64{0.58, 0.62}, false, "right left", 0.003},
		{"", "", "run", 3.75, 0.005, [2]float64{0.30, 0.38}, false, "right left", 0.03},
		// Root motion: 1.4253 m in 1.3333 s, 3.3463 m in 0.6667 s, 2.5 m in 0.8 s.
		{pab, "fbx/ozz/pab/arnaud.fbx", "walk", 1.0690, 0.005, [2]float64{0.55, 0.7}, true, "right left", 0.11},
		{pab, "fbx/ozz/pab/arnaud.fbx", "run", 5.0195, 0.05, [2]float64{0.25, 0.36}, true, "right left", 0.11},
		{pab, "fbx/ozz/pab/arnaud.fbx", "jog", 3.1250, 0.05, [2]float64{0.3, 0.48}, true, "right left", 0.11},
		// Nothing declares these: a change of the measure shows.
		{kaykit, "gltf/KayKit/mannequin/manny_med_mod.gltf", "Walking_A", 0.777, 0.05, [2]float64{0.5, 0.7}, false, "left right", 0.2},
		{kaykit, "gltf/KayKit/mannequin/manny_med_mod.gltf", "Running_A", 3.43, 0.05, [2]float64{0.1, 0.3}, false, "left right", 0.05},
		{fox, fox, "Walk", 107.4, 0.05, [2]float64{0.25, 0.6}, false, "front left hind right front right hind left", 12},
		{fox, fox, "Run", 267, 0.08, [2]float64{0.1, 0.3}, false, "hind left hind right front right front left", 40},
		{"gltf/CesiumMan/glTF-Binary/CesiumMan.glb", "gltf/CesiumMan/glTF-Binary/CesiumMan.glb", "0", 0.893, 0.05, [2]float64{0.35, 0.6}, false, "left right", 0.2},
	} {
		t.Run(c.file+" "+c.clip, func(t *testing.T) {
			var j stride.Job
			if c.file == "" {
				m := mannequin(t)
				j = job(t, m, m, c.clip)
			} else {
				clips := load(t, corpus.Path(t, c.file))
				body := clips
				if c.body != c.file {
					body = load(t, corpus.Path(t, c.body))
				}
				j = job(t, body, clips, c.clip)
			}
			r, err := j.Run()
			if err != nil {
				t.Fatal(err)
			}
			if !r.Steps {
				t.Fatalf("it does not step: %s", r.Why)
			}
			near(t, "speed", r.Speed, c.speed, c.by*c.speed)
			near(t, "stride", r.Stride, r.Speed*r.Duration/float64(r.Cycles), 1e-9*r.Stride)
			if r.InPlace == c.travels || !r.Loops || r.Cycles != 1 {
				t.Errorf("in place %v, loops %v, %d cycles", r.InPlace, r.Loops, r.Cycles)
			}
			// The order goes round.
			if order := strings.Join(r.Order, " "); !strings.Contains(order+" "+order, c.order) {
				t.Errorf("feet come down in the order %v, not %s", r.Order, c.order)
			}
			for _, f := range r.Feet {
				if len(f.Stance) != 1 || f.Duty < c.duty[0] || f.Duty > c.duty[1] {
					t.Errorf("%s stands %v, %.2f of the time", f.Name, f.Stance, f.Duty)
				}
				if f.Slide > c.slide {
					t.Errorf("%s slides by %.4f m", f.Name, f.Slide)
				}
			}
		})
	}
}

// Idles, falls, jumps, seats and blows are no steps.
func TestClipsWithoutSteps(t *testing.T) {
	m := mannequin(t)
	j := job(t, m, m, "idle")
	if r, err := j.Run(); err != nil || r.Steps {
		t.Errorf("the mannequin's idle: %+v, %v", r, err)
	}
	body := load(t, corpus.Path(t, "gltf/KayKit/mannequin/manny_med_mod.gltf"))
	for _, file := range []string{"Med_MovementBasic", "Med_General", "Med_Simulation"} {
		clips := load(t, corpus.Path(t, "gltf/KayKit/"+file+".glb"))
		for _, clip := range clips.Clips {
			j := job(t, body, clips, clip.Name)
			r, err := j.Run()
			if err != nil {
				t.Fatal(err)
			}
			if steps := strings.Contains(clip.Name, "Walking") || strings.Contains(clip.Name, "Running"); r.Steps != steps {
				t.Errorf("%s: steps %v: %s", clip.Name, r.Steps, r.Why)
			}
		}
	}
}

// skating moves a whole model through the world at a velocity, and returns how far
// the vertices that touch the floor slip over it in one stance: by Model.Evaluate,
// which knows of no soles. A vertex touches while it is within so many metres of the
// floor or below.
func skating(t *testing.T, m *assets.Model, clip *animation.Clip, velocity mgl32.Vec3, floor, within float32) float64 {
	t.Helper()
	const n = 240
	pose := animation.NewPose(m.Skeleton)
	sample := animation.SamplingJob{Clip: clip, Skeleton: m.Skeleton, Cursors: make([]int32, len(clip.Tracks)), Out: pose}
	var before []mgl32.Vec3
	var slip []float64
	for i := range n + 1 {
		sample.Time = clip.Duration * float32(i) / n
		if err := sample.Run(); err != nil {
			t.Fatal(err)
		}
		var now []mgl32.Vec3
		err := m.Evaluate(pose, func(_, _, _ int, p []mgl32.Vec3) {
			for _, x := range p {
				now = append(now, x.Add(velocity.Mul(sample.Time)))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if before == nil {
			slip = make([]float64, len(now))
		} else {
			for v, x := range now {
				if y := before[v]; x[1] <= floor+within && y[1] <= floor+within {
					slip[v] += math.Hypot(float64(x[0]-y[0]), float64(x[2]-y[2]))
				}
			}
		}
		before = now
	}
	worst := 0.0
	for _, s := range slip {
		worst = max(worst, s)
	}
	return worst
}

// At the measured speed the whole mesh, moved through the world, hardly slips over
// the floor; a tenth faster it does.
func TestAtTheMeasuredSpeedTheMeshStands(t *testing.T) {
	m := mannequin(t)
	j := job(t, m, m, "walk")
	r, err := j.Run()
	if err != nil {
		t.Fatal(err)
	}
	at := skating(t, m, j.Clip, r.Velocity(), 0, 0.001)
	faster := skating(t, m, j.Clip, r.Velocity().Mul(1.1), 0, 0.001)
	t.Logf("vertices slip by %.4f m at the measured speed, %.4f m at a tenth more", at, faster)
	if at > 0.02 || faster < 3*at || faster < 0.05 {
		t.Errorf("vertices slip by %.4f m at the measured speed, %.4f m at a tenth more", at, faster)
	}
}

// Walk makes of a clip in place one whose entity goes at the measured speed, also
// where it heads elsewhere than +Z, and of one with root motion the same.
func TestWalk(t *testing.T) {
	m := mannequin(t)
	j := job(t, m, m, "walk")
	r, err := j.Run()
	if err != nil {
		t.Fatal(err)
	}
	root := int32(m.Skeleton.Joint("root"))
	r.Heading = mgl32.Vec3{0.6, 0, 0.8}
	walk, err := stride.Walk(j.Clip, m.Skeleton, root, r)
	if err != nil {
		t.Fatal(err)
	}
	d := animation.Span{From: 0, To: float64(walk.Duration), Loop: animation.Repeat}.Motion(m.Skeleton, walk).Translation
	near(t, "way", float64(d.Len()), r.Stride, 1e-4)
	near(t, "x", float64(d[0]), 0.6*r.Stride, 1e-4)
	if walk.Speed != float32(r.Speed) {
		t.Errorf("speed %v", walk.Speed)
	}
	// Measured again, with the motion in it.
	j.Clip = walk
	again, err := j.Run()
	if err != nil || again.InPlace || again.Formula == nil || again.Formula.From != "root motion" {
		t.Errorf("%+v, %v", again, err)
	}
	j = job(t, m, m, "idle")
	idle, err := j.Run()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stride.Walk(j.Clip, m.Skeleton, root, idle); err == nil {
		t.Error("an idle walks")
	}
}

// What a job cannot do it says.
func TestBadJobs(t *testing.T) {
	m := mannequin(t)
	for name, spoil := range map[string]func(*stride.Job){
		"no clip":  func(j *stride.Job) { j.Clip = nil },
		"no soles": func(j *stride.Job) { j.Soles = nil },
		"rate":     func(j *stride.Job) { j.Rate = 30 },
		"additive": func(j *stride.Job) { c := j.Clip.With(j.Clip.Tracks); c.Additive = true; j.Clip = c },
	} {
		j := job(t, m, m, "walk")
		spoil(&j)
		if _, err := j.Run(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
