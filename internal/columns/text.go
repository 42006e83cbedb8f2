package columns

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Width is how many cells of a terminal s takes: two for the letters of East
// Asia and emoji (Unicode Standard Annex 11, wide and full-width), none for
// marks that combine with the letter before.
func Width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.Is(wide, r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// wide is the blocks whose letters are wide.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

// Clean makes text from a file fit to print: what cannot be printed, escape
// sequences above all, becomes a dot, and what is longer than most cells is cut.
func Clean(s string, most int) string {
	var out strings.Builder
	n, cutAt := 0, 0
	for _, r := range s {
		if !unicode.IsPrint(r) {
			r = '·'
		}
		w := Width(string(r))
		if n+w > most {
			return out.String()[:cutAt] + "…"
		}
		out.WriteRune(r)
		if n += w; n < most {
			cutAt = out.Len()
		}
	}
	return out.String()
}

// Plain is a message made fit to print: of what Clean makes dots, line ends alone
// stay.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, s)
}

// Int writes a whole number with commas: 1,728.
func Int[T ~int | ~int32 | ~int64](v T) string {
	digits := strconv.FormatInt(int64(v), 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Bytes writes an amount of memory with a unit: 162.9 kB is 162,852 bytes.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 999_950:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 999_950_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// Bar draws share, from 0 to 1, as a bar of at most width cells, to an eighth of
// a cell.
func Bar(share float64, width int) string {
	eighths := int(min(max(share, 0), 1)*float64(width)*8 + 0.5)
	out := strings.Repeat("█", eighths/8)
	if r := eighths % 8; r > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[r-1])
	}
	return out
}
