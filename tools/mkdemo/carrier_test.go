package main

import (
	"math"
	"testing"
)

func TestCarrierHoldsTheGround(t *testing.T) {
	d := committed(t, "carrier.glb")
	vs, err := readBound("carrier.glb")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"idle", "walk"} {
		anim, _ := d.clip(t, name)
		worst, lowest := slide(t, d, vs, name, d.Animations[anim].Extras.Speed, 0.002)
		t.Logf("%s: slides %.2f mm, lowest %.2f mm", name, worst*1000, lowest*1000)
		if worst > 0.003 || lowest < -0.002 {
			t.Errorf("%s: a standing sole slides %.1f mm, at most 3; the lowest is at %.1f mm, at least -2", name, worst*1000, lowest*1000)
		}
	}
	if worst, _ := slide(t, d, vs, "walk", carrierSpeed*1.1, 0.002); worst < 0.04 {
		t.Errorf("a tenth too fast it slides only %.1f mm: the check sees nothing", worst*1000)
	}
}

// At every moment of its walk it stands on two feet at least, one of them of each
// pair, so that it would not fall over sideways for long.
func TestCarrierStandsOnTwoFeet(t *testing.T) {
	for i := range 300 {
		phase := float64(i) / 300
		standing, fore := 0, 0
		for k, leg := range carrierLegs {
			if _, y, _ := carrierStep(phase - 0.25*float64(k)); y == 0 {
				standing++
				if leg[0] == 'f' {
					fore++
				}
			}
		}
		if standing < 2 || fore == 0 || standing == fore {
			t.Fatalf("at phase %.2f %d feet stand, %d of them fore", phase, standing, fore)
		}
	}
	if z, y, _ := carrierStep(0); math.Abs(z-carrierSpeed*carrierStance/2) > 1e-9 || y != 0 {
		t.Errorf("a step begins %.3f m ahead, %.3f m up", z, y)
	}
}
