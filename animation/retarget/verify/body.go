package verify

import (
	"math"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// body is what of a skeleton's geometry at rest is measured: which way it stands
// and how long its limbs are.
type body struct {
	scale    []vec      // by joint: how its axes are scaled at rest
	at       []vec      // by joint: place in model space at rest
	up, left vec        // unit, model space
	meshed   bool       // the legs count to the mesh's lowest point
	legs     float64    // from the hip joints down to the lowest joint of the feet, legs straight
	parts    [4]float64 // one leg, one arm, pelvis to shoulders, pelvis to head; 0 where it has none
	socket   vec        // from the hips joint to between the hip joints, in the hips' space
	below    float64    // from the lowest of foot and toes to the lowest joint that hangs on them
	height   float64    // of all joints along up
	unit     float64    // metres a model unit: 1, or a power of ten for rigs that are not in metres
}

// bones is a body's joints by the bone names of VRM 1.0.
type bones map[string]int32

func measure(s *animation.Skeleton, b bones, known Known) body {
	pose := animation.NewPose(s)
	world := make([]mgl32.Mat4, s.Len())
	pose.ToModel(s, world)
	out := body{at: make([]vec, s.Len()), scale: make([]vec, s.Len())}
	for j := range world {
		out.at[j] = place(&world[j])
		for axis := range 3 {
			out.scale[j][axis] = float64(world[j].Col(axis).Vec3().Len())
		}
	}
	out.stand(b)
	if up, ahead := toUnit(known.Up), toUnit(known.Forward); up.len() > 0 && up.cross(ahead).len() > 0 {
		out.up, out.left = up, up.cross(ahead).unit()
	}
	out.lengths(s, b, known.Bones, world)
	out.sole(b, known.Vertices)
	return out
}

// stand finds up and left. An axis within 40° of where legs and trunk point is up,
// and one within 12° of where hips and shoulders point is left: files rest in the
// middle of a stride, and still stand along the axes.
func (y *body) stand(b bones) {
	up := vec{}
	mean := func(names ...string) (vec, bool) {
		sum, n := vec{}, 0.0
		for _, name := range names {
			if j, ok := b[name]; ok {
				sum, n = sum.add(y.at[j]), n+1
			}
		}
		return sum.mul(1 / max(n, 1)), n > 0
	}
	if feet, ok := mean("leftFoot", "rightFoot"); ok {
		if hips, ok := mean("hips", "leftUpperLeg", "rightUpperLeg"); ok {
			up = up.add(hips.sub(feet).unit())
		}
	}
	if hips, ok := mean("hips"); ok {
		if head, ok := mean("head", "neck"); ok {
			up = up.add(head.sub(hips).unit())
		}
	}
	y.up = snap(up, 40)
	if y.up.len() == 0 {
		y.up = vec{0, 1, 0}
	}
	// Hips and shoulders turn against one another in a stride, and hands and feet far
	// more: those do not count.
	left := vec{}
	for name, l := range b {
		if rest, ok := strings.CutPrefix(name, "left"); ok && (rest == "UpperLeg" || rest == "UpperArm") {
			if r, ok := b["right"+rest]; ok {
				left = left.add(y.at[l].sub(y.at[r]))
			}
		}
	}
	left = left.sub(y.up.mul(left.dot(y.up))).unit()
	within := 12.0
	if y.mirrors(b, left) { // at rest, and turned as it is
		within = 2
	}
	y.left = snap(left, within)
	if y.left.len() == 0 {
		// Without a body: any axis across will do for both rigs alike.
		y.left = vec{1, 0, 0}
		if math.Abs(y.up[0]) > 0.9 {
			y.left = vec{0, 0, 1}
		}
		y.left = y.left.sub(y.up.mul(y.left.dot(y.up))).unit()
	}
}

// mirrors tells whether each left limb's direction is the right one's, seen in the
// mirror across left: then the body is at rest, and not in the middle of a motion.
func (y *body) mirrors(b bones, left vec) bool {
	limbs := 0
	for _, l := range [][2]string{{"UpperLeg", "LowerLeg"}, {"LowerLeg", "Foot"}, {"UpperArm", "LowerArm"}, {"LowerArm", "Hand"}} {
		var along [2]vec
		ok := true
		for i, side := range []string{"left", "right"} {
			j, ok1 := b[side+l[0]]
			k, ok2 := b[side+l[1]]
			if ok = ok && ok1 && ok2; ok {
				along[i] = y.at[k].sub(y.at[j])
			}
		}
		if !ok {
			continue
		}
		d := along[0].sub(left.mul(2 * along[0].dot(left)))
		if d.degreesTo(along[1]) > 2 {
			return false
		}
		limbs++
	}
	return limbs >= 3 && left.len() > 0
}

// snap is the axis within so many degrees of v, or v of length 1.
func snap(v vec, degrees float64) vec {
	if v.len() == 0 {
		return v
	}
	for i := range 3 {
		for _, sign := range []float64{1, -1} {
			axis := vec{}
			axis[i] = sign
			if v.degreesTo(axis) < degrees {
				return axis
			}
		}
	}
	return v.unit()
}

// turn takes model space to the body's own axes: left, up, ahead.
func (y *body) turn() quat {
	return fromColumns(y.left, y.up, y.left.cross(y.up)).conj()
}

// lengths measures limbs by their bones, so that a rest pose with bent legs
// measures as a straight one does.
func (y *body) lengths(s *animation.Skeleton, b, all bones, world []mgl32.Mat4) {
	bone := func(from, to string) float64 {
		j, ok1 := b[from]
		k, ok2 := b[to]
		if !ok1 || !ok2 {
			return 0
		}
		return y.at[k].sub(y.at[j]).len()
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	below := y.descendants(s, b)
	for _, j := range below {
		h := y.at[j].dot(y.up)
		lo, hi = min(lo, h), max(hi, h)
	}
	if hi > lo {
		y.height = hi - lo
	}
	n := 0.0
	for _, side := range []string{"left", "right"} {
		foot, ok := b[side+"Foot"]
		leg := bone(side+"UpperLeg", side+"LowerLeg") + bone(side+"LowerLeg", side+"Foot")
		if !ok || leg == 0 {
			continue
		}
		lowest := 0.0
		for j := range y.at {
			if under(s, int32(j), foot) {
				lowest = max(lowest, y.at[foot].sub(y.at[j]).dot(y.up))
			}
		}
		y.legs += leg + lowest
		toes := 0.0
		if j, ok := b[side+"Toes"]; ok {
			toes = max(toes, y.at[foot].sub(y.at[j]).dot(y.up))
		}
		y.below += lowest - toes
		y.parts[0] += leg
		n++
	}
	y.legs /= max(n, 1)
	y.below /= max(n, 1)
	y.parts[0] /= max(n, 1)
	n = 0
	for _, side := range []string{"left", "right"} {
		if arm := bone(side+"UpperArm", side+"LowerArm") + bone(side+"LowerArm", side+"Hand"); arm > 0 {
			y.parts[1] += arm
			n++
		}
	}
	y.parts[1] /= max(n, 1)
	leg := func(name string) (int32, bool) { // a map without legs leaves the pelvis where it is
		if j, ok := b[name]; ok {
			return j, true
		}
		j, ok := all[name]
		return j, ok && j >= 0 && int(j) < s.Len()
	}
	l, ok1 := leg("leftUpperLeg")
	r, ok2 := leg("rightUpperLeg")
	hips, ok3 := b["hips"]
	if ok1 && ok2 && ok3 {
		middle := y.at[l].add(y.at[r]).mul(0.5)
		if world[hips].Det() != 0 {
			inverse := world[hips].Inv()
			y.socket = through(&inverse, middle)
		}
		l, ok1 := b["leftUpperArm"]
		r, ok2 := b["rightUpperArm"]
		if ok1 && ok2 {
			y.parts[2] = y.at[l].add(y.at[r]).mul(0.5).sub(middle).len()
		}
		if j, ok := b["head"]; ok {
			y.parts[3] = y.at[j].sub(middle).len()
		}
	}
	y.measureUnit()
}

// spread measures what is no body: its height is the extent of the paired joints and
// of those that hang on them, whatever cameras and lamps stand beside it.
func (y *body) spread(s *animation.Skeleton, pairs []Pair, joint func(Pair) int32) {
	paired := make([]bool, s.Len())
	for _, p := range pairs {
		paired[joint(p)] = true
	}
	var at []vec
	for j := range y.at {
		for k := int32(j); k >= 0; k = s.Parents[k] {
			if paired[k] {
				at = append(at, y.at[j])
				break
			}
		}
	}
	if long := span(at); long > 0 {
		y.height = long
		y.measureUnit()
	}
}

// measureUnit takes giants and thumblings for rigs in centimetres and the like: which
// power of ten makes them 0.4 to 4 m tall.
func (y *body) measureUnit() {
	y.unit = 1
	if y.height > 20 {
		for y.height*y.unit > 4 {
			y.unit /= 10
		}
	} else if y.height > 0 && y.height < 0.1 {
		for y.height*y.unit < 0.4 {
			y.unit *= 10
		}
	}
}

func toUnit(v mgl32.Vec3) vec { return vec{float64(v[0]), float64(v[1]), float64(v[2])}.unit() }

// sole adds to the legs what the mesh reaches below the joints of the feet, where
// that can be a sole: up to a quarter of the legs. A file without a mesh that rests a
// little above the origin stands on it.
func (y *body) sole(b bones, vertices []mgl32.Vec3) {
	low := math.Inf(1)
	for _, name := range []string{"leftFoot", "rightFoot", "leftToes", "rightToes"} {
		if j, ok := b[name]; ok {
			low = min(low, y.at[j].dot(y.up))
		}
	}
	lowest := math.Inf(1)
	for _, p := range vertices {
		lowest = min(lowest, float64(p[0])*y.up[0]+float64(p[1])*y.up[1]+float64(p[2])*y.up[2])
	}
	if len(vertices) == 0 {
		lowest = 0
	}
	y.meshed = len(vertices) > 0
	if d := low - lowest - y.below; d > 0 && d < y.legs/4 {
		y.legs += d
	}
}

// limbs are the sums of the limbs that both bodies have.
func limbs(a, b *body) (x, y float64) {
	parts := []int{0, 1, 2}
	if a.parts[2] == 0 || b.parts[2] == 0 { // without shoulders, to the head
		parts[2] = 3
	}
	for _, i := range parts {
		if a.parts[i] > 0 && b.parts[i] > 0 {
			x, y = x+a.parts[i], y+b.parts[i]
		}
	}
	return x, y
}

// descendants are the joints of the body, all where it has no hips.
func (y *body) descendants(s *animation.Skeleton, b bones) (out []int32) {
	top, ok := b["hips"]
	for j := range y.at {
		if !ok || under(s, int32(j), top) {
			out = append(out, int32(j))
		}
	}
	return out
}

// under tells whether j is top or below it.
func under(s *animation.Skeleton, j, top int32) bool {
	for ; j >= 0; j = s.Parents[j] {
		if j == top {
			return true
		}
	}
	return false
}
