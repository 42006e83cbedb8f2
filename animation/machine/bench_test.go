package machine

import (
	"testing"

	"github.com/bindpose/bindpose/animation"
)

// BenchmarkUpdate is one Update of a machine of three layers on five joints: what a
// machine costs beside the sampling.
func BenchmarkUpdate(b *testing.B) {
	d := load(b, hero)
	m, scratch, pose := New(d), NewScratch(d), animation.NewPose(d.skeleton)
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Update(1.0/60, scratch, pose); err != nil {
			b.Fatal(err)
		}
	}
}
