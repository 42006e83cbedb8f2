package animation

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// crowd is what the benchmarks update: 1,000 characters of 65 joints that each
// blend two clips of 30 keys at 60 Hz, out of step with one another.
type crowd struct {
	skeleton *Skeleton
	skin     Skin
	clips    [2]*Clip
	each     []walker
}

type walker struct {
	jobs    [2]SamplingJob
	weight  float32
	model   []mgl32.Mat4
	palette []mgl32.Mat4
}

func newCrowd() *crowd {
	const characters, joints, keys = 1000, 65, 30
	c := &crowd{each: make([]walker, characters)}
	c.skeleton, c.clips[0] = character(joints, keys, 1)
	_, c.clips[1] = character(joints, keys, 2)
	c.skin = skinOf(c.skeleton)
	for i := range c.each {
		w := &c.each[i]
		w.weight = float32(i) / characters
		w.model = make([]mgl32.Mat4, joints)
		w.palette = make([]mgl32.Mat4, joints)
		for k := range w.jobs {
			w.jobs[k] = SamplingJob{
				Clip: c.clips[k], Skeleton: c.skeleton, Time: float32(i) / characters,
				Cursors: make([]int32, len(c.clips[k].Tracks)), Out: NewPose(c.skeleton),
			}
		}
	}
	return c
}

// update moves the characters of one share on by a sixtieth of a second.
func (c *crowd) update(b *testing.B, share []walker) {
	for i := range share {
		w := &share[i]
		for k := range w.jobs {
			j := &w.jobs[k]
			if j.Time += 1.0 / 60; j.Time >= j.Clip.Duration {
				j.Time -= j.Clip.Duration
			}
			if err := j.Run(); err != nil {
				b.Fatal(err)
			}
		}
		out := w.jobs[0].Out
		Lerp(out, w.jobs[1].Out, w.weight, out)
		out.ToModel(c.skeleton, w.model)
		c.skin.Palette(w.model, w.palette)
	}
}

func (c *crowd) joints() float64 { return float64(len(c.each) * c.skeleton.Len()) }

// BenchmarkPose is the design's figure "pose": one thread.
func BenchmarkPose(b *testing.B) {
	c := newCrowd()
	b.ReportAllocs()
	for b.Loop() {
		c.update(b, c.each)
	}
	b.ReportMetric(c.joints()*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mjoints/s")
}

// BenchmarkPoseScale is the design's figure "pose-scale": how much faster two
// threads are than one.
func BenchmarkPoseScale(b *testing.B) {
	if runtime.GOMAXPROCS(0) < 2 {
		b.Skip("skipped: one processor")
	}
	c := newCrowd()
	half := len(c.each) / 2
	var one, two time.Duration
	for b.Loop() {
		start := time.Now()
		c.update(b, c.each)
		one += time.Since(start)
		start = time.Now()
		var wg sync.WaitGroup
		for _, share := range [][]walker{c.each[:half], c.each[half:]} {
			wg.Go(func() { c.update(b, share) })
		}
		wg.Wait()
		two += time.Since(start)
	}
	b.ReportMetric(float64(one)/float64(two), "times")
}

// BenchmarkAnimator is a whole Animator.Update of one character.
func BenchmarkAnimator(b *testing.B) {
	s, clip := character(65, 30)
	a := NewAnimator(s, []Skin{skinOf(s)}, []*Clip{clip})
	if err := a.PlayIndex(0, 0); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := a.Update(1.0 / 60); err != nil {
			b.Fatal(err)
		}
	}
}
