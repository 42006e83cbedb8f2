package verify

import (
	"fmt"
	"testing"
	"time"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
)

// library is so many clips, made of those of the project's own mannequin of 65
// joints: slower and faster ones, 0.5 to 6 s long, 1.9 s on average.
func library(b *testing.B, clips int) (*animation.Skeleton, []*animation.Clip) {
	b.Helper()
	data, err := demoassets.Files.ReadFile("mannequin.glb")
	if err != nil {
		b.Fatal(err)
	}
	m, err := gltf.Decode("mannequin.glb", data, nil)
	if err != nil {
		b.Fatal(err)
	}
	var out []*animation.Clip
	for i := range clips {
		c := m.Clips[i%len(m.Clips)]
		pace := 0.7 + 0.8*float32(i)/float32(clips)
		var tracks []animation.Track
		for _, tr := range c.Tracks {
			times := make([]float32, len(tr.Times))
			for k, t := range tr.Times {
				times[k] = t * pace
			}
			tr.Times = times
			tracks = append(tracks, tr)
		}
		slow := c.With(tracks)
		slow.Name, slow.Duration = fmt.Sprintf("%s %d", c.Name, i), c.Duration*pace
		out = append(out, slow)
	}
	return m.Skeleton, out
}

// BenchmarkVerify measures and judges a library of 262 clips of 65 joints, as the
// command does once the files are read.
func BenchmarkVerify(b *testing.B) {
	s, clips := library(b, 262)
	var pairs []Pair
	for j := range s.Names {
		pairs = append(pairs, Pair{Source: int32(j), Target: int32(j)})
	}
	v, err := New(s, s, pairs, Options{})
	if err != nil {
		b.Fatal(err)
	}
	frames := 0
	start := time.Now()
	n := 0
	for b.Loop() {
		takes, err := v.MeasureAll(len(clips), func(i int) (*animation.Clip, Motion, error) { return clips[i], Play(s, clips[i]), nil }, nil)
		if err != nil {
			b.Fatal(err)
		}
		r := v.Report(takes)
		if !r.Pass || len(r.Clips) != len(clips) {
			b.Fatalf("%d clips, pass %v", len(r.Clips), r.Pass)
		}
		frames = 0
		for _, c := range r.Clips {
			frames += c.Samples
		}
		n++
	}
	b.ReportMetric(time.Since(start).Seconds()/float64(n), "s/library")
	b.ReportMetric(float64(frames), "frames")
}
