package fbx

import "math"

// KeyAttrFlags (Autodesk FBX SDK, FbxAnimCurveDef).
const (
	flagConstant               = 0x2
	flagLinear                 = 0x4
	flagNext                   = 0x100 // of constant keys
	flagAuto                   = 0x100 // of cubic keys
	flagTCB                    = 0x200
	flagUser                   = 0x400
	flagBreak                  = 0x800
	flagClamp                  = 0x1000
	flagTimeIndependent        = 0x2000
	flagClampProgressive       = 0x4000
	flagWeightedRight          = 0x1000000
	flagWeightedNextLeft       = 0x2000000
	packedWeight               = 9999.0
	defaultWeight              = 1.0 / 3
	sameWeight                 = 1e-6 // how far from a third time runs evenly
	extrapolatedMost           = 4096 // repetitions of a curve that are sampled
	bytesOfCurveKey      int64 = 88
)

// curveOf reads an AnimationCurve of version 7 and up; nil where there is none.
func (l *loader) curveOf(o *object) *curve {
	e := o.el
	times, values := e.child("KeyTime").ints(), e.child("KeyValueFloat").floats()
	n := min(len(times), len(values))
	if n == 0 || !l.pay(int64(n)*bytesOfCurveKey, o.where(), e.at) {
		return nil
	}
	flags, counts := e.child("KeyAttrFlags").ints(), e.child("KeyAttrRefCount").ints()
	attr := e.child("KeyAttrDataFloat").floats()
	// A text file writes the four numbers of an attribute as the bits of a
	// float32 from key version 4009 on; the third, two weights packed, always.
	bits := !l.binary && e.child("KeyVer").int(0) >= 4009
	number := func(i int) float64 {
		if i >= len(attr) {
			return 0
		}
		x := attr[i]
		if bits {
			x = float64(math.Float32frombits(uint32(toInt(x))))
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0
		}
		return x
	}
	weights := func(i int) (right, nextLeft float64) {
		if i >= len(attr) {
			return defaultWeight, defaultWeight
		}
		packed := math.Float32bits(float32(attr[i]))
		if !l.binary {
			packed = uint32(toInt(attr[i]))
		}
		return float64(packed&0xFFFF) / packedWeight, float64(packed>>16) / packedWeight
	}
	c := &curve{ticks: l.ticks, keys: make([]key, 0, n)}
	a, left := 0, int64(0)
	if len(counts) > 0 {
		left = counts[0]
	}
	for i := range n {
		for left <= 0 && a+1 < len(counts) {
			a++
			left = counts[a]
		}
		left--
		k := key{tick: times[i], value: values[i], rightWeight: defaultWeight, nextLeftWeight: defaultWeight, interp: cubic}
		if a < len(flags) {
			k.flags = flags[a]
			k.right, k.nextLeft = number(4*a), number(4*a+1)
			switch {
			case k.flags&flagConstant != 0 && k.flags&flagNext != 0:
				k.interp = constantNext
			case k.flags&flagConstant != 0:
				k.interp = constant
			case k.flags&flagLinear != 0:
				k.interp = linear
			case k.flags&flagUser == 0 && k.flags&flagTCB != 0:
				k.tcb, k.bias = true, number(4*a+2)
			case k.flags&flagUser == 0 && k.flags&flagAuto != 0:
				k.auto = true
			}
			right, nextLeft := weights(4*a + 2)
			if k.flags&flagWeightedRight != 0 {
				k.rightWeight = right
			}
			if k.flags&flagWeightedNextLeft != 0 {
				k.nextLeftWeight = nextLeft
			}
		} else {
			k.interp = linear
		}
		c.keys = append(c.keys, k)
	}
	c.extrapolations(e)
	return c.finish()
}

func (c *curve) extrapolations(e *element) {
	read := func(name string) extrapolation {
		x := extrapolation{mode: 'C', count: -1}
		f := e.child(name)
		if f == nil {
			return x
		}
		t := f.child("Type")
		if t == nil || len(t.values) == 0 {
			return x
		}
		if s := t.text(0); len(s) > 0 {
			x.mode = s[0]
		} else if n := t.int(0); n > 0 && n < 128 {
			x.mode = byte(n)
		}
		if r := f.child("Repetition"); r != nil {
			x.count = r.int(0)
		}
		return x
	}
	c.pre, c.post = read("Pre-Extrapolation"), read("Post-Extrapolation")
}

// legacyCurve reads a Channel of a Take, as versions before 7000 have it. Its
// keys are a list of time, value, a letter for the interpolation and what that
// asks for.
func (l *loader) legacyCurve(e *element) *curve {
	list := e.child("Key")
	if list == nil || len(list.values) == 0 || !l.pay(int64(len(list.values))*16, "Takes", list.at) {
		return nil
	}
	v := list.values
	if len(v) == 1 && v[0].array != nil {
		return nil
	}
	text := func(i int) string {
		if i >= len(v) {
			return ""
		}
		if v[i].kind == kindText {
			return v[i].text
		}
		if x := v[i].int(); x > 32 && x < 127 {
			return string(rune(x))
		}
		return ""
	}
	c := &curve{ticks: l.ticks}
	for i := 0; i+2 < len(v); {
		k := key{tick: v[i].int(), value: v[i+1].float(), rightWeight: defaultWeight, nextLeftWeight: defaultWeight, interp: linear}
		mode := text(i + 2)
		i += 3
		switch mode {
		case "C":
			k.interp = constant
			if t := text(i); t == "s" || t == "n" {
				if t == "n" {
					k.interp = constantNext
				}
				i++
			}
		case "U", "A", "P", "T", "S":
			k.interp = cubic
			slopes := text(i)
			i++
			switch slopes {
			case "s", "b", "p":
				if i+1 < len(v) {
					k.right, k.nextLeft = v[i].float(), v[i+1].float()
				}
				i += 2
			default:
				k.auto = true
				for i < len(v) && v[i].kind != kindText {
					i++
				}
			}
			switch text(i) {
			case "a":
				if i+2 < len(v) {
					k.rightWeight, k.nextLeftWeight = v[i+1].float(), v[i+2].float()
				}
				i += 3
			case "r":
				if i+1 < len(v) {
					k.rightWeight = v[i+1].float()
				}
				i += 2
			case "l":
				if i+1 < len(v) {
					k.nextLeftWeight = v[i+1].float()
				}
				i += 2
			case "n":
				i++
			}
		}
		for i < len(v) && v[i].kind == kindText { // velocities and what else there may be
			i++
		}
		c.keys = append(c.keys, k)
	}
	if !l.pay(int64(len(c.keys))*bytesOfCurveKey, "Takes", list.at) {
		return nil
	}
	c.extrapolations(e)
	return c.finish()
}
