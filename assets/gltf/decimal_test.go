package gltf

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// decimalIs compares with the standard library; read tells whether decimal had
// an answer.
func decimalIs(t *testing.T, text string) (read bool) {
	t.Helper()
	got, ok := decimal([]byte(text))
	if !ok {
		return false
	}
	want, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("%s is read as %v (%#x), not %v (%#x), %v", text, got, math.Float64bits(got), want, math.Float64bits(want), err)
	}
	return true
}

// Numbers come out as the standard library has them, to the bit.
func TestDecimal(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "0.0", "-0.0e5", "1", "-1", "0.1", "1e0", "1E+2", "1e-2", "9007199254740991", "9007199254740993", "9007199254740993.0",
		"9999999999999999999", "0.9999999999999999999", "0.00000000000000000001", "-3.352759847530251e-8", "0.026732556521892549",
		"0.50000000000000005551", "0.5000000000000000555", "1.00000000000000011102", "1.0000000000000001110", "4503599627370496.5", "4503599627370497.5",
		"1e22", "123456789e22", "1e-27", "9999999999999999999e-27", "00012.5", "0000000000000000000000000.5",
		"1" + strings.Repeat("0", 64) + ".0", "2" + strings.Repeat("0", 63) + ".5e-60", "18446744073709551616.25", "36893488147419103232.0", // their digits are 0 in 64 bits
	} {
		decimalIs(t, text)
	}
	for _, text := range []string{"123456789.25", "-0.7065613865852356", "1.1175900205273592e-08", "0.0013849755464033", "1e-10", "12345678901234567.5"} {
		if !decimalIs(t, text) {
			t.Errorf("%s is left to the standard library", text)
		}
	}
	for _, text := range []string{"", "-", "1e", "1e+", "x", "1.2.3", "1e400", "1e23x", "12345678901234567890", "1e-99"} {
		if f, ok := decimal([]byte(text)); ok && text != "" && text != "-" {
			t.Errorf("%q is read as %v", text, f)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	tried, read := 300_000, 0
	for range tried {
		var text string
		switch r.IntN(5) {
		case 0: // what exporters write
			text = strconv.FormatFloat(r.NormFloat64(), 'g', -1, 64)
		case 1:
			text = strconv.FormatFloat(float64(float32(r.NormFloat64())), 'f', -1, 64)
		case 2: // any digits, with a point anywhere and sometimes a power
			text = strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
			at := r.IntN(len(text) + 1)
			text = "0" + text[:at] + "." + text[at:] + "0"
			if r.IntN(2) == 0 {
				text += "e" + strconv.Itoa(r.IntN(80)-40)
			}
		case 3: // halfway between two floats, or as near as the digits allow
			f := math.Float64frombits(uint64(1023-r.IntN(30))<<52 | r.Uint64()>>12)
			text = strconv.FormatFloat(f+(math.Nextafter(f, 2)-f)/2, 'e', 16+r.IntN(3), 64)
		case 4:
			f := float64(1<<53+r.Uint64N(1<<53)) + 1
			text = strconv.FormatFloat(f, 'f', 0, 64) + ".5"
		}
		if r.IntN(2) == 0 {
			text = "-" + text
		}
		if decimalIs(t, text) {
			read++
		}
	}
	if read < tried/2 {
		t.Errorf("%d of %d numbers were read", read, tried)
	}
}

func FuzzDecimal(f *testing.F) {
	for _, text := range []string{"0", "-1.5", "3e8", "-3.352759847530251e-8", "9999999999999999999e-27", "1" + strings.Repeat("0", 64) + ".0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// Only what the parser lets through is asked for.
		if text == "" || text[0] != '-' && text[0]-'0' > 9 {
			return
		}
		if end, _, _, err := scanNumber([]byte(text), 0); err == nil && end == len(text) {
			decimalIs(t, text)
		}
	})
}
