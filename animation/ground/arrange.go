package ground

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// arrange finds which way the body faces, and puts its feet in order.
func (b *body) arrange(feet []Foot) {
	var forward mgl32.Vec3
	for i := range feet {
		if f := &feet[i]; f.Toe >= 0 {
			d := b.model[f.Toe].Col(3).Vec3().Sub(b.model[f.Foot].Col(3).Vec3())
			forward = forward.Add(mgl32.Vec3{d[0], 0, d[2]})
		}
	}
	if forward.Len() < 0.01*b.height {
		forward = b.facing(feet)
	}
	forward = forward.Normalize()
	// Feet of people turn out, not alike, and bodies are built along axes.
	for _, axis := range []mgl32.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}} {
		if forward.Dot(axis) > 0.94 {
			forward = axis
		}
	}
	left := up.Cross(forward)
	var center mgl32.Vec3
	for i := range feet {
		center = center.Add(b.model[feet[i].Foot].Col(3).Vec3().Mul(1 / float32(len(feet))))
	}
	along := func(f *Foot) float32 { return b.model[f.Foot].Col(3).Vec3().Sub(center).Dot(forward) }
	for i := range feet {
		f := &feet[i]
		f.Forward = forward
		switch d := b.model[f.Foot].Col(3).Vec3().Sub(center).Dot(left); {
		case d > 0.005*b.height:
			f.Side = 1
		case d < -0.005*b.height:
			f.Side = -1
		}
	}
	apart := 0.15 * b.height
	if len(feet) <= 2 { // a stride makes no rows
		apart = float32(math.Inf(1))
	}
	slices.SortStableFunc(feet, func(x, y Foot) int {
		if d := along(&y) - along(&x); abs(d) > apart {
			return int(math.Copysign(1, float64(d)))
		}
		return int(y.Side) - int(x.Side)
	})
	row := int8(0)
	for i := range feet {
		if i > 0 && along(&feet[i-1])-along(&feet[i]) > apart {
			row++
		}
		feet[i].Row = row
	}
	for i := range feet {
		feet[i].Name = name(feet[i], row)
	}
}

// facing is which way a body without toes faces: +Z, unless the names of left and
// right say that it looks along -Z, as files of VRM 0.x do.
func (b *body) facing(feet []Foot) mgl32.Vec3 {
	var votes float32
	for i := range feet {
		f := &feet[i]
		for _, j := range []int32{f.Foot, f.Knee, f.Hip} {
			if j < 0 {
				continue
			}
			if side := sideNamed(b.s.Names[j]); side != 0 {
				votes += side * b.model[f.Foot][12]
				break
			}
		}
	}
	if votes < 0 {
		return mgl32.Vec3{0, 0, -1}
	}
	return mgl32.Vec3{0, 0, 1}
}

// sideNamed is 1 where a name says left, -1 where it says right.
func sideNamed(name string) float32 {
	lower := strings.ToLower(name)
	left, right := strings.Contains(lower, "left"), strings.Contains(lower, "right")
	if left == right {
		left, right = false, false
		for _, word := range strings.FieldsFunc(lower, func(r rune) bool { return r < 'a' || r > 'z' }) {
			left, right = left || word == "l", right || word == "r"
		}
	}
	switch {
	case left && !right:
		return 1
	case right && !left:
		return -1
	}
	return 0
}

func name(f Foot, last int8) string {
	side := [3]string{"right", "middle", "left"}[f.Side+1]
	switch {
	case last == 0:
		return side
	case f.Row == 0:
		return "front " + side
	case f.Row == last:
		return "hind " + side
	}
	return fmt.Sprintf("row %d %s", f.Row+1, side)
}

var (
	noLegs  = []string{"tail", "cloak", "cape", "skirt", "dress", "coat", "hair", "wing", "weapon", "sword", "prop", "ctrl", "control", "effector", "pole", "target", "ik_", "_ik", "-ik", "ikh", "mch-", "org-"}
	helpers = []string{"twist", "roll", "helper", "adjust", "_end", "nub", "tip"}
	ankles  = []string{"foot", "ankle", "paw", "hoof"}
)

func isNoLeg(name string) bool  { return mentions(name, noLegs) }
func isHelper(name string) bool { return mentions(name, helpers) }
func isAnkle(name string) bool  { return mentions(name, ankles) && !isHelper(name) }

func mentions(name string, words []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}
