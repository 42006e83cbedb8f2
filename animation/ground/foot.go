package ground

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrNoFeet is wrapped by the error of a body on which no feet are found.
var ErrNoFeet = errors.New("no feet found")

// Foot is what carries one corner of a body: the joints from its hip to its toes.
type Foot struct {
	Name string // such as "left", or "front left" where there are several rows
	// Hip, Knee, Foot and Toe are joints, each above the next, or -1: a foot may be
	// the lower leg itself, without toes. Foot is always one.
	Hip, Knee, Foot, Toe int32
	Side                 int8 // 1 left, -1 right, 0 in the middle
	Row                  int8 // from the front, from 0
	// Forward is the unit vector, horizontal in model space, that the whole body
	// faces: where the toes point, or what names of left and right say, else +Z.
	Forward mgl32.Vec3
}

// CanBend tells whether the leg has the two bones that IK bends.
func (f *Foot) CanBend() bool { return f.Hip >= 0 && f.Knee >= 0 }

// fits reports whether the foot can be of a skeleton of that many joints.
func (f *Foot) fits(joints int) error {
	if last := max(f.Hip, f.Knee, f.Foot, f.Toe); f.Foot < 0 || int(last) >= joints {
		return fmt.Errorf("%w: the foot %q is joint %d, its toe %d, its knee %d and its hip %d, of %d", animation.ErrJob, f.Name, f.Foot, f.Toe, f.Knee, f.Hip, joints)
	}
	return nil
}

// up is model space's.
var up = mgl32.Vec3{0, 1, 0}

// FindFeet finds the feet of people, four-legged bodies and others by how the
// skeleton rests: legs are the chains whose ends lie lowest and that meet only
// higher up. Names tell which joint of a chain is the ankle and what is no leg (a
// tail, a cloak, a control). With the meshes that the skeleton moves it also knows
// how low a joint's vertices reach, and leaves out joints that move none; without,
// it sees joints alone. Feet come row by row from the front, left before right. A
// body without any is an error that wraps ErrNoFeet.
func FindFeet(s *animation.Skeleton, meshes ...SkinnedMesh) ([]Foot, error) {
	b, err := newBody(s, meshes)
	if err != nil {
		return nil, err
	}
	var feet []Foot
	for _, leg := range b.legs() {
		feet = append(feet, b.foot(leg))
	}
	if len(feet) == 0 {
		return nil, fmt.Errorf("%w: no joint of %d ends a leg", ErrNoFeet, s.Len())
	}
	b.arrange(feet)
	return feet, nil
}

// body is a skeleton at rest, in model space.
type body struct {
	s      *animation.Skeleton
	model  []mgl32.Mat4
	alive  []bool    // whether the joint counts
	low    []float32 // how low the joint and its vertices reach, metres
	lowAt  []mgl32.Vec3
	high   []float32 // how high the joints at and below it reach
	leaf   []bool    // no joint below it counts
	floor  float32
	height float32
}

func newBody(s *animation.Skeleton, meshes []SkinnedMesh) (*body, error) {
	n := s.Len()
	b := &body{
		s: s, model: make([]mgl32.Mat4, n), alive: make([]bool, n), leaf: make([]bool, n),
		low: make([]float32, n), lowAt: make([]mgl32.Vec3, n), high: make([]float32, n),
	}
	animation.NewPose(s).ToModel(s, b.model)
	inf := float32(math.Inf(1))
	for j := range n {
		b.low[j], b.high[j] = inf, -inf
	}
	floor, top := inf, -inf
	if len(meshes) == 0 {
		b.largestTree()
	}
	for i := range meshes {
		m := &meshes[i]
		if err := m.validate(s); err != nil {
			return nil, err
		}
		for v := range m.Positions {
			at := m.at(v, b.model)
			floor, top = min(floor, at[1]), max(top, at[1])
			for set := range m.Joints {
				for c, w := range m.Weights[set][v] {
					if w >= 0.3 {
						j := m.Skin.Joints[m.Joints[set][v][c]]
						b.alive[j] = true
						if at[1] < b.low[j] {
							b.low[j], b.lowAt[j] = at[1], at
						}
					}
				}
			}
		}
	}
	below := make([]bool, n) // something below counts
	for j := n - 1; j >= 0; j-- {
		up := s.Parents[j]
		if b.alive[j] {
			y := b.model[j][13]
			b.high[j] = max(b.high[j], y)
			if len(meshes) == 0 {
				b.low[j], b.lowAt[j] = y, b.model[j].Col(3).Vec3()
				floor, top = min(floor, y), max(top, y)
			}
		}
		b.leaf[j] = b.alive[j] && !below[j]
		if up >= 0 {
			b.high[up] = max(b.high[up], b.high[j])
			below[up] = below[up] || below[j] || b.alive[j]
		}
	}
	b.floor, b.height = floor, top-floor
	if !(b.height > 0) || math.IsInf(float64(b.height), 0) {
		return nil, fmt.Errorf("%w: the skeleton of %d joints has no height", ErrNoFeet, n)
	}
	return b, nil
}

// largestTree counts the joints of the root that has most below it: cameras, lights
// and nodes of meshes stand beside it.
func (b *body) largestTree() {
	n := b.s.Len()
	root, count := make([]int, n), make([]int, n)
	best := 0
	for j, up := range b.s.Parents {
		root[j] = j
		if up >= 0 {
			root[j] = root[up]
		}
		count[root[j]]++
		if count[root[j]] > count[best] {
			best = root[j]
		}
	}
	for j := range n {
		b.alive[j] = n > 0 && root[j] == best && !strings.HasSuffix(b.s.Names[j], " scale")
	}
}

// leg is a chain from the hip to the joint whose end lies lowest, and the joint in
// which all of a foot's ends meet.
type leg struct {
	chain []int32
	low   float32
}

// lowest is the part of the body's height in which legs end.
const lowest = 0.22

// flat is the part of the height that a foot stays below: ends that meet in a joint
// with nothing higher below it are toes of one foot.
const flat = 0.3

// legs finds them.
func (b *body) legs() []leg {
	var ends []int32
	for j := range b.s.Parents {
		if b.alive[j] && b.leafLow(int32(j)) && !isNoLeg(b.s.Names[j]) && !b.vetoed(int32(j)) {
			ends = append(ends, int32(j))
		}
	}
	// Ends of one foot go together.
	var groups [][]int32
	for _, e := range ends {
		i := slices.IndexFunc(groups, func(g []int32) bool { return b.oneFoot(g[0], e) })
		if i < 0 {
			groups = append(groups, []int32{e})
			continue
		}
		groups[i] = append(groups[i], e)
	}
	var legs []leg
	for g, group := range groups {
		end := slices.MinFunc(group, func(x, y int32) int {
			switch {
			case b.low[x] < b.low[y]:
				return -1
			case b.low[x] > b.low[y]:
				return 1
			}
			return 0
		})
		// Above the end belongs to the leg what carries nothing but this foot and is
		// higher than all below it.
		chain := []int32{end}
		for j := b.s.Parents[end]; j >= 0; j = b.s.Parents[j] {
			alone := true
			for o, other := range groups {
				alone = alone && (o == g || !b.under(other[0], j))
			}
			if !alone || b.high[j] > b.model[j][13]+0.1*b.height {
				break
			}
			chain = append(chain, j)
		}
		slices.Reverse(chain)
		legs = append(legs, leg{chain, b.low[end]})
	}
	return b.dropStrays(legs)
}

// leafLow tells whether a joint ends a chain near the floor.
func (b *body) leafLow(j int32) bool {
	return b.leaf[j] && b.low[j] <= b.floor+lowest*b.height
}

// oneFoot tells whether two ends meet within a foot.
func (b *body) oneFoot(x, y int32) bool {
	j := x
	for j >= 0 && !b.under(y, j) {
		j = b.s.Parents[j]
	}
	return j >= 0 && b.high[j] <= b.floor+flat*b.height
}

func (b *body) under(j, top int32) bool {
	for j > top {
		j = b.s.Parents[j]
	}
	return j == top
}

// vetoed tells whether a joint above is named as no part of a leg.
func (b *body) vetoed(j int32) bool {
	for j = b.s.Parents[j]; j >= 0; j = b.s.Parents[j] {
		if b.alive[j] && isNoLeg(b.s.Names[j]) {
			return true
		}
	}
	return false
}

// dropStrays leaves out what ends where another leg does, and a single chain in the
// middle plane, such as a nameless tail, where legs stand on both sides.
func (b *body) dropStrays(legs []leg) []leg {
	slices.SortStableFunc(legs, func(x, y leg) int {
		if d := x.low - y.low; abs(d) > 0.02*b.height {
			return int(math.Copysign(1, float64(d)))
		}
		return len(y.chain) - len(x.chain)
	})
	var out []leg
	for _, l := range legs {
		at := b.end(l)
		if !slices.ContainsFunc(out, func(o leg) bool {
			d := b.end(o).Sub(at)
			return d[0]*d[0]+d[2]*d[2] < 0.035*0.035*b.height*b.height
		}) {
			out = append(out, l)
		}
	}
	if len(out) < 3 || len(out)%2 == 0 {
		return out
	}
	// What ends in the middle between the sides is the odd one.
	center := mgl32.Vec3{}
	for _, l := range out {
		center = center.Add(b.end(l).Mul(1 / float32(len(out))))
	}
	side := b.sideOf(out)
	return slices.DeleteFunc(out, func(l leg) bool {
		return abs(b.end(l).Sub(center).Dot(side)) < 0.03*b.height
	})
}

// sideOf is the horizontal direction, +X or +Z, in which ends lie most alike on both
// sides.
func (b *body) sideOf(legs []leg) mgl32.Vec3 {
	best, least := mgl32.Vec3{1, 0, 0}, float32(math.Inf(1))
	for _, axis := range []mgl32.Vec3{{1, 0, 0}, {0, 0, 1}} {
		var sum float32
		for _, l := range legs {
			at := b.end(l)
			at = at.Sub(axis.Mul(2 * at.Dot(axis)))
			near := float32(math.Inf(1))
			for _, o := range legs {
				near = min(near, b.end(o).Sub(at).Len())
			}
			sum += near
		}
		if sum < least-1e-3*b.height {
			best, least = axis, sum
		}
	}
	return best
}

func (b *body) end(l leg) mgl32.Vec3 { return b.lowAt[l.chain[len(l.chain)-1]] }

// foot says what the joints of a leg are.
func (b *body) foot(l leg) Foot {
	f := Foot{Hip: -1, Knee: -1, Toe: -1}
	c := slices.DeleteFunc(slices.Clone(l.chain), func(j int32) bool { return isHelper(b.s.Names[j]) && j != l.chain[len(l.chain)-1] })
	at := func(i int) mgl32.Vec3 { return b.model[c[i]].Col(3).Vec3() }
	// A short first link is no thigh but what carries it.
	var whole float32
	for i := 1; i < len(c); i++ {
		whole += at(i).Sub(at(i - 1)).Len()
	}
	for len(c) > 3 && at(1).Sub(at(0)).Len() < 0.08*whole {
		c = c[1:]
	}
	ankle := b.ankle(c)
	f.Foot = c[ankle]
	if ankle+1 < len(c) {
		f.Toe = c[ankle+1]
	}
	if ankle > 0 {
		f.Hip = c[0]
	}
	if ankle > 1 { // the knee is nearest to the middle of the leg
		var reach, best float32
		var length float32
		for i := 1; i <= ankle; i++ {
			length += at(i).Sub(at(i - 1)).Len()
		}
		best = float32(math.Inf(1))
		for i := 1; i < ankle; i++ {
			reach += at(i).Sub(at(i - 1)).Len()
			if d := abs(reach - length/2); d < best {
				best, f.Knee = d, c[i]
			}
		}
	}
	return f
}

// ankle is which joint of a leg, from the hip, is the ankle.
func (b *body) ankle(c []int32) int {
	if len(c) <= 3 {
		return len(c) - 1
	}
	for i := 1; i < len(c); i++ {
		if isAnkle(b.s.Names[c[i]]) {
			return i
		}
	}
	if len(c) == 4 {
		return 2
	}
	hip := b.model[c[0]][13] - b.floor
	for i := 2; i < len(c); i++ {
		if b.model[c[i]][13]-b.floor < 0.3*hip {
			return i
		}
	}
	return len(c) - 1
}

func abs(x float32) float32 { return max(x, -x) }
