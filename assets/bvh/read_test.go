package bvh_test

import (
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/bvh"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

const small = `HIERARCHY
ROOT hips
{
	OFFSET 0 90 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT head top
	{
		OFFSET 0 80 0
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{
			OFFSET 0 10 0
		}
	}
}
MOTION
Frames: 2
Frame Time: 0.5
1 2 3 0 0 0 0 0 0
0 0 0 90 0 0 0 90 0
`

func pose(t *testing.T, m *assets.Model, at float32) []mgl32.Mat4 {
	t.Helper()
	p := animation.NewPose(m.Skeleton)
	c := m.Clips[0]
	if err := c.Validate(m.Skeleton); err != nil {
		t.Fatal(err)
	}
	job := animation.SamplingJob{Clip: c, Skeleton: m.Skeleton, Time: at, Cursors: make([]int32, len(c.Tracks)), Out: p}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	world := make([]mgl32.Mat4, m.Skeleton.Len())
	p.ToModel(m.Skeleton, world)
	return world
}

// Worked by hand: a quarter turn of the hips about Z lays the head to -X; the
// head's own X then points up, and a quarter turn about it takes the end from -X
// to +Z.
func TestSmall(t *testing.T) {
	m, err := bvh.Decode("small.bvh", []byte(small), bvh.Options{Scale: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.Skeleton.Names, ","); got != "hips,head top,head top_end" {
		t.Errorf("joints %s", got)
	}
	near := func(got mgl32.Mat4, want mgl32.Vec3) {
		t.Helper()
		if got.Col(3).Vec3().Sub(want).Len() > 1e-5 {
			t.Errorf("at %v, want %v", got.Col(3), want)
		}
	}
	w := pose(t, m, 0)
	near(w[0], mgl32.Vec3{0.01, 0.92, 0.03})
	near(w[2], mgl32.Vec3{0.01, 1.82, 0.03})
	w = pose(t, m, 0.5)
	near(w[0], mgl32.Vec3{0, 0.9, 0})
	near(w[1], mgl32.Vec3{-0.8, 0.9, 0})
	near(w[2], mgl32.Vec3{-0.8, 0.9, 0.1})
}

// The mocap file of the corpus: a person who walks, at 120 Hz.
func TestWalk(t *testing.T) {
	m, err := bvh.Load(corpus.Path(t, "bvh/01_01.bvh"), bvh.Options{})
	if err != nil {
		t.Fatal(err)
	}
	joints := 0
	for _, n := range m.Skeleton.Names {
		if !strings.HasSuffix(n, "_end") {
			joints++
		}
	}
	c := m.Clips[0]
	if joints != 31 || len(c.Tracks[0].Times) != 2752 || math.Abs(float64(c.Duration)-2751*0.0083333) > 1e-3 {
		t.Errorf("%d joints, %d frames, %v s", joints, len(c.Tracks[0].Times), c.Duration)
	}
	if missing := humanoid.Guess(m.Skeleton).Missing(); len(missing) > 0 {
		t.Errorf("bones not found: %v", missing)
	}
	head, foot := m.Skeleton.Joint("Head"), m.Skeleton.Joint("LeftFoot")
	for _, at := range []float32{0, 5, 10, 20} {
		w := pose(t, m, at)
		if h := w[head].Col(3)[1] - w[foot].Col(3)[1]; h < 1 || h > 1.9 {
			t.Errorf("at %v s the head is %v m above the foot", at, h)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "HIERARCHY"},
		{"HIERARCHY MOTION Frames: 0", "no ROOT"},
		{strings.Replace(small, "80 0", "80 x", 1), "line 8: \"x\" is no number"},
		{strings.Replace(small, "Frames: 2", "Frames: 2000000000", 1), "cut off"},
		{strings.Replace(small, "Zrotation", "Wrotation", 1), "is no channel"},
		{small[:len(small)-20], "cut off"},
		{strings.Replace(small, "0.5", "-1", 1), "no time"},
		{"HIERARCHY ROOT a\n" + strings.Repeat("{ JOINT a\n", 2000), "deeper"},
		{strings.Replace(small, "90 0 0 0", "nan 0 0 0", 1), "is no number"},
	} {
		_, err := bvh.Decode("bad.bvh", []byte(c.text), bvh.Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "bad.bvh: line ") {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
}

// FuzzDecode: whatever the bytes are, there is a model whose clip fits its
// skeleton, or an error, within memory bounded by their number.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(small[:200]))
	if os.Getenv("BINDPOSE_SHARED") != "" {
		if data, err := os.ReadFile(corpus.Path(f, "bvh/01_01.bvh")); err == nil {
			f.Add(data[:6000])
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := bvh.Decode("fuzz.bvh", data, bvh.Options{})
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(8<<20+64*len(data)); got > most {
			t.Errorf("%d bytes allocated, at most %d expected", got, most)
		}
		if err != nil {
			return
		}
		if err := m.Skeleton.Validate(); err != nil {
			t.Error(err)
		}
		for _, c := range m.Clips {
			if err := c.Validate(m.Skeleton); err != nil {
				t.Error(err)
			}
		}
	})
}
