package gltf

import (
	"math"
	"math/bits"
)

// decimal reads a JSON number, rounded once to the nearest float64, ties to even,
// as strconv.ParseFloat has it. ok is false of what it leaves to that: more than
// 19 digits, or a power of ten beyond ±27.
//
// The digits without their point are a whole number below 10¹⁹, and so exact in
// 64 bits; and so is 5²⁷. What is small has an exact float64 as well, and the
// quotient or product of two such is rounded as it should be (Clinger, "How to
// Read Floating Point Numbers Accurately", 1990). Other fractions are divided by
// hand, for all bits of a float64 and to spare.
func decimal(raw []byte) (f float64, ok bool) {
	i, negative := 0, false
	if len(raw) > 0 && raw[0] == '-' {
		i, negative = 1, true
	}
	m, first, point := uint64(0), i, -1
	for ; i < len(raw); i++ {
		c := raw[i] - '0'
		if c <= 9 {
			m = 10*m + uint64(c)
		} else if raw[i] == '.' && point < 0 {
			point = i
			if i == first+1 && raw[first] == '0' {
				first = i + 1 // the leading zero is no digit
			}
		} else {
			break
		}
	}
	digits, power := i-first, 0
	if point >= first {
		digits--
	}
	if digits > 19 {
		return 0, false
	}
	if point >= 0 {
		power = point + 1 - i
	}
	if i < len(raw) {
		n, good := exponent(raw[i:])
		if !good {
			return 0, false
		}
		power += n
	}
	switch {
	case m == 0:
	case m < 1<<53 && power <= 0 && power >= -22:
		f = float64(m) / powersOf10[-power]
	case m < 1<<53 && power > 0 && power <= 22:
		f = float64(m) * powersOf10[power]
	case power < 0 && power >= -27:
		f = quotient(m, -power)
	default:
		return 0, false
	}
	if negative {
		f = -f
	}
	return f, true
}

// exponent reads e, an optional sign, and one or two digits.
func exponent(raw []byte) (n int, ok bool) {
	if raw[0]|0x20 != 'e' {
		return 0, false
	}
	raw = raw[1:]
	negative := len(raw) > 0 && raw[0] == '-'
	if negative || len(raw) > 0 && raw[0] == '+' {
		raw = raw[1:]
	}
	if len(raw) < 1 || len(raw) > 2 {
		return 0, false
	}
	for _, c := range raw {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

// quotient is m / 10ᵏ, of an m above 0.
func quotient(m uint64, k int) float64 {
	d := powersOf5[k]
	up, down := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	m, d = m<<up, d<<down
	// Both are in [2⁶³, 2⁶⁴), so 2⁶³·m/d is in (2⁶², 2⁶⁴).
	q, rest := bits.Div64(m>>1, m<<63, d)
	power := down - up - k - 63
	if q>>63 == 0 {
		q, power = q<<1, power-1
	}
	half := q & (1<<11 - 1)
	q >>= 11
	if half > 1<<10 || half == 1<<10 && (rest != 0 || q&1 != 0) {
		q++
	}
	return float64(q) * math.Float64frombits(uint64(1023+11+power)<<52)
}

var powersOf10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

var powersOf5 = func() (p [28]uint64) {
	p[0] = 1
	for k := 1; k < len(p); k++ {
		p[k] = 5 * p[k-1]
	}
	return p
}()
