package blendspace

import "math/big"

// Point is a place in a Plane.
type Point [2]float32

// exact is a point as fractions, for signs that rounding must not turn.
type exact [2]*big.Rat

func exactly(p Point) exact {
	return exact{new(big.Rat).SetFloat64(float64(p[0])), new(big.Rat).SetFloat64(float64(p[1]))}
}

func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }

// orient is +1 where a, b, c turn counter-clockwise, -1 clockwise, 0 on a line.
func orient(a, b, c exact) int {
	return mul(sub(b[0], a[0]), sub(c[1], a[1])).Cmp(mul(sub(b[1], a[1]), sub(c[0], a[0])))
}

// inCircle reports whether d lies within the circle through the
// counter-clockwise a, b, c, and not on it.
func inCircle(a, b, c, d exact) bool {
	var m [3][3]*big.Rat
	for i, p := range [3]exact{a, b, c} {
		x, y := sub(p[0], d[0]), sub(p[1], d[1])
		m[i] = [3]*big.Rat{x, y, add(mul(x, x), mul(y, y))}
	}
	minor := func(i, j int) *big.Rat { return sub(mul(m[i][0], m[j][1]), mul(m[j][0], m[i][1])) }
	det := add(sub(mul(m[0][2], minor(1, 2)), mul(m[1][2], minor(0, 2))), mul(m[2][2], minor(0, 1)))
	return det.Sign() > 0
}
