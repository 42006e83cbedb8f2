package demo_test

import (
	"testing"
)

// The evening comes and goes, and the shadow map stays where the crowd is: without
// its ball shadows would be drawn for all of the meadow, and be coarse.
func TestTheEveningComesAndGoes(t *testing.T) {
	d := built(t)
	s := d.Scene
	day := s.Environment
	if day.ShadowRadius == 0 {
		t.Fatal("by day the shadow map has no ball")
	}
	d.SetEvening(true)
	evening := s.Environment
	if evening.Sun == day.Sun || evening.ShadowFocus != day.ShadowFocus || evening.ShadowRadius != day.ShadowRadius {
		t.Errorf("in the evening: %+v", evening)
	}
	d.SetEvening(false)
	if s.Environment != day {
		t.Errorf("the day after: %+v, the day before %+v", s.Environment, day)
	}
}
