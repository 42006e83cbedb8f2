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

// walker is what a character keeps from frame to frame. Its poses are gone once
// its matrices are made, so a thread's characters share them.
type walker struct {
	time    float32
	weight  float32
	cursors [2][]int32
	model   []mgl32.Mat4
	palette []mgl32.Mat4
}

func newCrowd() *crowd {
	const characters, joints, keys = 1000, 65, 30
	c := &crowd{each: make([]walker, characters)}
	c.skeleton, c.clips[0] = character(joints, keys, 1)
	_, c.clips[1] = character(joints, keys, 2)
	c.clips[0].Pack()
	c.clips[1].Pack()
	c.skin = skinOf(c.skeleton)
	for i := range c.each {
		w := &c.each[i]
		w.weight = float32(i) / characters
		w.model = make([]mgl32.Mat4, joints)
		w.palette = make([]mgl32.Mat4, joints)
		w.time = float32(i) / characters
		for k := range w.cursors {
			w.cursors[k] = make([]int32, len(c.clips[k].Tracks))
		}
	}
	return c
}

// update moves the characters of one share on by a sixtieth of a second, with
// two poses of the calling thread's.
func (c *crowd) update(b *testing.B, share []walker, poses [2]*Pose) {
	for i := range share {
		w := &share[i]
		if w.time += 1.0 / 60; w.time >= 1 {
			w.time--
		}
		for k := range poses {
			job := SamplingJob{Clip: c.clips[k], Skeleton: c.skeleton, Time: w.time, Cursors: w.cursors[k], Out: poses[k]}
			if err := job.Run(); err != nil {
				b.Fatal(err)
			}
		}
		Lerp(poses[0], poses[1], w.weight, poses[0])
		poses[0].ToModel(c.skeleton, w.model)
		c.skin.Palette(w.model, w.palette)
	}
}

func (c *crowd) poses() [2]*Pose { return [2]*Pose{NewPose(c.skeleton), NewPose(c.skeleton)} }

func (c *crowd) joints() float64 { return float64(len(c.each) * c.skeleton.Len()) }

// BenchmarkPose is the design's figure "pose": one thread.
func BenchmarkPose(b *testing.B) {
	c := newCrowd()
	poses := c.poses()
	b.ReportAllocs()
	for b.Loop() {
		c.update(b, c.each, poses)
	}
	b.ReportMetric(c.joints()*float64(b.N)/b.Elapsed().Seconds(), "joints/s")
}

// BenchmarkPoseScale is the design's figure "pose-scale": how much faster two
// threads are than one.
func BenchmarkPoseScale(b *testing.B) {
	if runtime.GOMAXPROCS(0) < 2 {
		b.Skip("skipped: one processor")
	}
	c := newCrowd()
	half := len(c.each) / 2
	left, right := c.poses(), c.poses()
	var one, two time.Duration
	for b.Loop() {
		start := time.Now()
		c.update(b, c.each, left)
		one += time.Since(start)
		start = time.Now()
		var wg sync.WaitGroup
		wg.Go(func() { c.update(b, c.each[:half], left) })
		wg.Go(func() { c.update(b, c.each[half:], right) })
		wg.Wait()
		two += time.Since(start)
	}
	b.ReportMetric(float64(one)/float64(two), "times")
}

// BenchmarkAnimator is a whole Animator.Update of one character.
func BenchmarkAnimator(b *testing.B) {
	s, clip := character(65, 30)
	clip.Pack()
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

// BenchmarkSample is one clip of 65 joints sampled at 60 Hz: laid out in rows, and
// track by track.
func BenchmarkSample(b *testing.B) {
	for _, packed := range []bool{true, false} {
		name := "tracks"
		if packed {
			name = "rows"
		}
		b.Run(name, func(b *testing.B) {
			s, clip := character(65, 30)
			if packed {
				clip.Pack()
			}
			job := SamplingJob{Clip: clip, Skeleton: s, Cursors: makeCursors(clip), Out: NewPose(s)}
			for b.Loop() {
				if job.Time += 1.0 / 60; job.Time >= 1 {
					job.Time--
				}
				if err := job.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCrowd is 1,000 animators over a pool, by workers.
func BenchmarkCrowd(b *testing.B) {
	s, clip := character(65, 30)
	skins, clips := []Skin{skinOf(s)}, []*Clip{clip}
	var all []*Animator
	for range 1000 {
		a := NewAnimator(s, skins, clips)
		if err := a.PlayIndex(0, 0); err != nil {
			b.Fatal(err)
		}
		all = append(all, a)
	}
	for workers := 1; workers <= runtime.GOMAXPROCS(0); workers *= 2 {
		b.Run(string(rune('0'+workers)), func(b *testing.B) {
			p := NewPool(workers)
			defer p.Close()
			b.ReportAllocs()
			for b.Loop() {
				if err := p.UpdateAll(all, 1.0/60); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
