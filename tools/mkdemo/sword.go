package main

import "math"

// buildSword is a short arming sword: its origin is where a hand holds it, the
// blade along +Y, its edges along X.
func buildSword() ([]byte, error) {
	var sc scene
	s := solid{}
	grip := []vec{{0, -0.072, 0}, {0, -0.060, 0}, {0, -0.02, 0}, {0, 0.02, 0}, {0, 0.052, 0}}
	s.tube("leather", 14, white, grip, []float64{0.0125, 0.0135, 0.0155, 0.0148, 0.0128})
	for i := range 7 { // the grip's cord
		y := -0.056 + 0.0165*float64(i)
		s.tube("leather", 14, vec{0.7, 0.7, 0.7}, []vec{{0, y - 0.0022, 0}, {0, y, 0}, {0, y + 0.0022, 0}}, []float64{0.0142, 0.0170, 0.0142})
	}
	// The pommel is a ball, the guard a bar that bends towards the blade.
	var ball []vec
	var radii []float64
	for i := range 9 {
		sn, cs := math.Sincos(math.Pi * float64(i) / 8)
		ball, radii = append(ball, vec{0, -0.094 - 0.024*cs, 0}), append(radii, 0.024*sn)
	}
	s.tube("brass", 16, white, ball, radii)
	var guard []vec
	var thick []float64
	for i := range 15 {
		x := -1 + float64(i)/7
		guard = append(guard, vec{0.105 * x, 0.056 + 0.016*x*x, 0})
		thick = append(thick, 0.0085+0.0025*x*x)
	}
	guard, thick = append([]vec{guard[0]}, guard...), append([]float64{0}, thick...)
	guard, thick = append(guard, guard[len(guard)-1]), append(thick, 0)
	s.tube("brass", 12, white, guard, thick)
	swordBlade(s)
	if err := sc.node("sword", s, vec{}); err != nil {
		return nil, err
	}
	return sc.g.encode()
}

// swordBlade is a diamond in section that narrows to a point.
func swordBlade(s solid) {
	type ring struct{ y, wide, thick float64 }
	rings := []ring{{0.050, 0.0245, 0.0046}, {0.30, 0.0215, 0.0040}, {0.54, 0.0175, 0.0034}, {0.645, 0.0125, 0.0028}}
	tip := vec{0, 0.715, 0}
	corner := func(r ring, k int) vec {
		switch k & 3 {
		case 0:
			return vec{r.wide, r.y, 0}
		case 1:
			return vec{0, r.y, r.thick}
		case 2:
			return vec{-r.wide, r.y, 0}
		}
		return vec{0, r.y, -r.thick}
	}
	for i, r := range rings {
		for k := range 4 {
			a, b := corner(r, k), corner(r, k+1)
			if i+1 == len(rings) {
				s.polygon("steel", white, b, a, tip)
				continue
			}
			next := rings[i+1]
			s.polygon("steel", white, b, a, corner(next, k), corner(next, k+1))
		}
	}
}
