package retarget_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// twoJoints is a thing that is no body.
func twoJoints() *animation.Skeleton {
	return &animation.Skeleton{
		Names: []string{"post", "lamp"}, Parents: []int32{-1, 0},
		Rest: []animation.Transform{
			{Translation: mgl32.Vec3{0, 1, 0}, Rotation: mgl32.QuatIdent(), Scale: mgl32.Vec3{1, 1, 1}},
			{Translation: mgl32.Vec3{0, 1, 0}, Rotation: mgl32.QuatIdent(), Scale: mgl32.Vec3{1, 1, 1}},
		},
	}
}

func sweep(times ...float32) animation.Track {
	tr := animation.Track{Joint: 1, Path: animation.Rotation, Interpolation: animation.Linear, Width: 4, Times: times}
	for i := range times {
		q := mgl32.QuatRotate(float32(i%2), mgl32.Vec3{1, 0, 0}).XYZW()
		tr.Values = append(tr.Values, q[:]...)
	}
	return tr
}

// A jump that lies a rounding away from a sixtieth, beside something that moves
// smoothly, is where the source's is: neither smeared over a frame nor moved by one.
func TestJumpsStayWhereTheyAre(t *testing.T) {
	at := math.Nextafter32(50.0/60, 1)
	for name, place := range map[string]animation.Track{
		"STEP": {Joint: 0, Path: animation.Translation, Interpolation: animation.Step, Width: 3,
			Times: []float32{0, at, 1.5}, Values: []float32{0, 1, 0, 5, 1, 0, -3, 1, 0}},
		"two keys": {Joint: 0, Path: animation.Translation, Interpolation: animation.Linear, Width: 3,
			Times: []float32{0, math.Nextafter32(at, 0), at, 2}, Values: []float32{0, 1, 0, 0, 1, 0, 5, 1, 0, 5, 1, 0}},
	} {
		s := twoJoints()
		source := rig(t, s)
		clip := &animation.Clip{Name: name, Duration: 2, Tracks: []animation.Track{place, sweep(0, 0.3, 2)}}
		baked, err := bound(t, source, source, retarget.Options{}).Bake(clip)
		if err != nil {
			t.Fatal(err)
		}
		for _, now := range []float32{0, 49.0 / 60, 50.0 / 60, math.Nextafter32(at, 0), at, math.Nextafter32(at, 1), 51.0 / 60, 1.4999, 1.5, 2} {
			a, b := sample(t, s, clip, now), sample(t, s, baked, now)
			if d := a.Local[0].Translation.Sub(b.Local[0].Translation).Len(); d > 1e-3 {
				t.Errorf("%s: at %v s off by %v m", name, now, d)
			}
		}
	}
}

// A clip of days is refused at once, and not sampled at 60 Hz; one of days that only
// steps is brought over.
func TestEndlessClip(t *testing.T) {
	source := rig(t, twoJoints())
	r := bound(t, source, source, retarget.Options{})
	clip := &animation.Clip{Name: "orbit", Duration: 1e6, Tracks: []animation.Track{sweep(0, 1e6)}}
	if _, err := r.Bake(clip); err == nil || !strings.Contains(err.Error(), `"orbit"`) || !strings.Contains(err.Error(), "3600 s") {
		t.Errorf("got %v", err)
	}
	clip.Tracks[0].Interpolation = animation.Step
	if _, err := r.Bake(clip); err != nil {
		t.Error(err)
	}
}
