package stride_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// A second body in the file, which the clip leaves alone, changes nothing.
func TestBodyThatStandsBy(t *testing.T) {
	m := mannequin(t)
	alone := job(t, m, m, "walk")
	was, err := alone.Run()
	if err != nil {
		t.Fatal(err)
	}
	s := *m.Skeleton
	n := len(s.Names)
	s.Names = append(slices.Clone(s.Names), slices.Clone(s.Names)...)
	s.Rest = append(slices.Clone(s.Rest), slices.Clone(s.Rest)...)
	s.Parents = slices.Clone(s.Parents)
	for j := range n {
		p := s.Parents[j]
		if p >= 0 {
			p += int32(n)
		}
		s.Parents = append(s.Parents, p)
	}
	both := stride.Job{Clip: alone.Clip, Skeleton: &s, Soles: slices.Clone(alone.Soles)}
	for _, sole := range alone.Soles {
		other := sole
		other.Hip += int32(n)
		other.Influences = slices.Clone(sole.Influences)
		for i := range other.Influences {
			other.Influences[i].Joint += int32(n)
		}
		both.Soles = append([]ground.Sole{other}, both.Soles...)
	}
	is, err := both.Run()
	if err != nil {
		t.Fatal(err)
	}
	if !is.Steps || is.Stride != was.Stride || len(is.Feet) != len(was.Feet) {
		t.Errorf("stride %v of %d feet, alone %v of %d (%s)", is.Stride, len(is.Feet), was.Stride, len(was.Feet), is.Why)
	}
}

// A walk in a circle says that it turns; keys that are no numbers are an error.
func TestWalkInACircle(t *testing.T) {
	m := mannequin(t)
	j := job(t, m, m, "walk")
	top := j.Soles[0].Hip
	for m.Skeleton.Parents[top] >= 0 {
		top = m.Skeleton.Parents[top]
	}
	turn := animation.Track{Joint: top, Path: animation.Rotation, Width: 4}
	for i := range 9 {
		turn.Times = append(turn.Times, j.Clip.Duration*float32(i)/8)
		q := mgl32.QuatRotate(float32(i)*math.Pi/4, mgl32.Vec3{0, 1, 0}).XYZW()
		turn.Values = append(turn.Values, q[:]...)
	}
	tracks := slices.DeleteFunc(slices.Clone(j.Clip.Tracks), func(tr animation.Track) bool { return tr.Joint == top && tr.Path == animation.Rotation })
	j.Clip = j.Clip.With(append(tracks, turn))
	r, err := j.Run()
	if err != nil {
		t.Fatal(err)
	}
	if r.Steps || !strings.Contains(r.Why, "turns by 360°") {
		t.Errorf("steps %v: %s", r.Steps, r.Why)
	}
	turn.Values = slices.Clone(turn.Values)
	turn.Values[5] = float32(math.NaN())
	j.Clip = j.Clip.With(append(tracks, turn))
	if _, err := j.Run(); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("got %v", err)
	}
}
