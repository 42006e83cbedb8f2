package humanoid

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrNotHuman is the error of a skeleton that has no shape of a person.
var ErrNotHuman = errors.New("humanoid: no two legs below a trunk with two arms were found")

// Shape finds the bones of a person by hierarchy and by where joints are in a pose,
// nil the rest pose; names do not count. Limbs are the two longest pairs of chains
// that mirror one another; a body whose legs do not go on opposite to its trunk, as an
// animal's, is none of a person. Left and right are told by where the toes point.
func Shape(s *animation.Skeleton, pose *animation.Pose) (Bones, error) {
	if pose == nil {
		pose = animation.NewPose(s)
	}
	x := newShape(s, pose)
	pairs := x.pairs()
	for i := range pairs {
		for k := i + 1; k < len(pairs); k++ {
			legs, arms := pairs[i], pairs[k]
			if x.inside(arms.left, legs) || x.inside(legs.left, arms) {
				continue
			}
			if legs.from != arms.from && x.under(legs.from, arms.from) {
				legs, arms = arms, legs
			}
			if h := x.person(legs, arms); h != nil {
				return h, nil
			}
		}
	}
	return nil, ErrNotHuman
}

type shape struct {
	s     *animation.Skeleton
	at    []mgl32.Vec3
	below [][]int32 // children
	reach []float32 // to the farthest end of the chains below, along them
	next  []int32   // the child on that way
}

func newShape(s *animation.Skeleton, pose *animation.Pose) *shape {
	n := s.Len()
	model := make([]mgl32.Mat4, n)
	pose.ToModel(s, model)
	x := &shape{s: s, at: make([]mgl32.Vec3, n), below: make([][]int32, n), reach: make([]float32, n), next: make([]int32, n)}
	for j := range x.at {
		x.at[j], x.next[j] = model[j].Col(3).Vec3(), -1
	}
	for j := n - 1; j >= 0; j-- {
		p := s.Parents[j]
		if p < 0 {
			continue
		}
		x.below[p] = append(x.below[p], int32(j))
		if d := x.reach[j] + x.at[j].Sub(x.at[p]).Len(); d >= x.reach[p] && d > 0 {
			x.reach[p], x.next[p] = d, int32(j)
		}
	}
	return x
}

// limbs is a pair of chains that mirror one another.
type limbs struct {
	from, left, right int32 // the joint that carries them, and their first
	reach             float32
}

func (x *shape) under(j, top int32) bool {
	for j >= 0 && j != top {
		j = x.s.Parents[j]
	}
	return j == top
}

func (x *shape) inside(j int32, l limbs) bool { return x.under(j, l.left) || x.under(j, l.right) }

// maxLimbs bounds how many chains of one joint are compared, the longest ones.
const maxLimbs = 32

// pairs are limbs, longest first.
func (x *shape) pairs() (out []limbs) {
	for j, kids := range x.below {
		if len(kids) > maxLimbs {
			kids = slices.Clone(kids)
			slices.SortStableFunc(kids, func(a, b int32) int { return cmp.Compare(x.reach[b], x.reach[a]) })
			kids = kids[:maxLimbs]
		}
		for i, a := range kids {
			for _, b := range kids[i+1:] {
				la := x.reach[a] + x.at[a].Sub(x.at[j]).Len()
				lb := x.reach[b] + x.at[b].Sub(x.at[j]).Len()
				if x.reach[a] == 0 || x.reach[b] == 0 || math.Abs(float64(la-lb)) > 0.08*float64(la+lb) {
					continue
				}
				if len(x.chain(a)) < 3 || len(x.chain(b)) < 3 {
					continue
				}
				out = append(out, limbs{int32(j), a, b, (la + lb) / 2})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b limbs) int { return cmp.Compare(b.reach, a.reach) })
	return out[:min(len(out), 40)]
}

// chain is the longest way down from a joint. A joint that is called an end is none
// of it where three are left.
func (x *shape) chain(j int32) (out []int32) {
	for ; j >= 0; j = x.next[j] {
		out = append(out, j)
	}
	if n := len(out); n > 3 && x.isEnd(out[n-1]) {
		out = out[:n-1]
	}
	return out
}

func (x *shape) isEnd(j int32) bool {
	name := strings.ToLower(x.s.Names[j])
	for _, end := range []string{"_end", ".end", "nub", "tip"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// bend is the index in a chain at which the two longest links in a row begin.
func (x *shape) bend(chain []int32) int {
	best, longest := 0, float32(-1)
	for i := 0; i+2 < len(chain); i++ {
		a, b := x.at[chain[i+1]].Sub(x.at[chain[i]]).Len(), x.at[chain[i+2]].Sub(x.at[chain[i+1]]).Len()
		if d := a + b + min(a, b); d > longest {
			best, longest = i, d
		}
	}
	return best
}

func (x *shape) person(legs, arms limbs) Bones {
	legL, legR := x.chain(legs.left), x.chain(legs.right)
	armL, armR := x.chain(arms.left), x.chain(arms.right)
	i, k := x.bend(legL), x.bend(legR)
	if i != k || x.bend(armL) != x.bend(armR) {
		return nil
	}
	hips := x.at[legL[i]].Add(x.at[legR[i]]).Mul(0.5)
	feet := x.at[legL[i+2]].Add(x.at[legR[i+2]]).Mul(0.5)
	a := x.bend(armL)
	shoulders := x.at[armL[a]].Add(x.at[armR[a]]).Mul(0.5)
	trunk, down := shoulders.Sub(hips), feet.Sub(hips)
	if trunk.Len() < 0.1*down.Len() || trunk.Normalize().Dot(down.Normalize()) > -0.5 {
		return nil
	}
	// A hand's fingers are such limbs too, but hang on an arm of long bones. What a
	// person's legs hang on is a root, and what places that.
	long := 0
	for j := legs.from; j >= 0 && x.s.Parents[j] >= 0; j = x.s.Parents[j] {
		if x.at[j].Sub(x.at[x.s.Parents[j]]).Len() > 0.25*down.Len() {
			long++
		}
	}
	if long > 2 {
		return nil
	}
	up := trunk.Normalize()
	across := x.at[legL[i]].Sub(x.at[legR[i]])
	if flat(across, up).Len() < 0.02*down.Len() {
		return nil
	}
	// Forward is where the toes point, else where the knees bend.
	var forward mgl32.Vec3
	for _, leg := range [][]int32{legL, legR} {
		if i+3 < len(leg) {
			forward = forward.Add(flat(x.at[leg[i+3]].Sub(x.at[leg[i+2]]), up))
		}
	}
	if forward.Len() < 0.03*down.Len() {
		for _, leg := range [][]int32{legL, legR} {
			middle := x.at[leg[i]].Add(x.at[leg[i+2]]).Mul(0.5)
			forward = forward.Add(flat(x.at[leg[i+1]].Sub(middle), up))
		}
	}
	if forward.Len() < 1e-3*down.Len() {
		forward = mgl32.Vec3{0, 0, 1}
	}
	left := up.Cross(forward)
	if left.Dot(across) < 0 {
		legL, legR = legR, legL
	}
	if left.Dot(x.at[armL[a]].Sub(x.at[armR[a]])) < 0 {
		armL, armR = armR, armL
	}
	h := Bones{"hips": legs.from}
	for side, leg := range map[string][]int32{"left": legL, "right": legR} {
		h[side+"UpperLeg"], h[side+"LowerLeg"], h[side+"Foot"] = leg[i], leg[i+1], leg[i+2]
		if i+3 < len(leg) {
			h[side+"Toes"] = leg[i+3]
		}
	}
	for side, arm := range map[string][]int32{"left": armL, "right": armR} {
		if a > 0 {
			h[side+"Shoulder"] = arm[a-1]
		}
		h[side+"UpperArm"], h[side+"LowerArm"], h[side+"Hand"] = arm[a], arm[a+1], arm[a+2]
		x.fingers(h, side, arm[a+2], forward)
	}
	x.trunk(h, legs, arms, up)
	return h
}

// trunk names what lies between the hips and the arms, neck and head.
func (x *shape) trunk(h Bones, legs, arms limbs, up mgl32.Vec3) {
	var chain []int32
	for j := arms.from; j >= 0 && j != legs.from; j = x.s.Parents[j] {
		chain = append(chain, j)
	}
	slices.Reverse(chain)
	names := []string{"spine", "chest", "upperChest"}
	if n := len(chain); n > 3 {
		chain = []int32{chain[0], chain[n/2], chain[n-1]}
	}
	for i, j := range chain {
		h[names[i]] = j
	}
	best, most := int32(-1), float32(0)
	for _, j := range x.below[arms.from] {
		if j == arms.left || j == arms.right || x.inside(j, legs) || j == legs.left {
			continue
		}
		if d := x.at[j].Sub(x.at[arms.from]); d.Dot(up) > most {
			best, most = j, d.Dot(up)
		}
	}
	if best < 0 {
		return
	}
	var neck []int32
	for j := best; j >= 0; j = x.next[j] {
		neck = append(neck, j)
		if len(x.below[j]) != 1 {
			break
		}
	}
	if n := len(neck); n > 1 && x.isEnd(neck[n-1]) {
		neck = neck[:n-1]
	}
	switch n := len(neck); n {
	case 1:
		h["head"] = neck[0]
	case 2:
		h["neck"], h["head"] = neck[0], neck[1]
	default:
		h["neck"], h["head"] = neck[0], neck[n-1]
		if len(x.below[neck[n-1]]) == 0 { // a tip
			h["head"] = neck[n-2]
		}
	}
}

// fingers names five chains of a hand: the thumb begins nearest to the wrist, the
// others lie from front to back.
func (x *shape) fingers(h Bones, side string, hand int32, forward mgl32.Vec3) {
	var chains [][]int32
	for _, j := range x.below[hand] {
		if c := x.chain(j); len(c) >= 3 {
			chains = append(chains, c)
		}
	}
	if len(chains) != 5 {
		return
	}
	near := 0
	for i, c := range chains {
		if x.at[c[0]].Sub(x.at[hand]).Len() < x.at[chains[near][0]].Sub(x.at[hand]).Len() {
			near = i
		}
	}
	thumb := chains[near]
	chains = slices.Delete(chains, near, near+1)
	toThumb := x.at[thumb[2]].Sub(x.at[hand])
	if toThumb.Dot(forward) < 0 {
		forward = forward.Mul(-1)
	}
	slices.SortStableFunc(chains, func(a, b []int32) int {
		return cmp.Compare(x.at[b[0]].Dot(forward), x.at[a[0]].Dot(forward))
	})
	h[side+"ThumbMetacarpal"], h[side+"ThumbProximal"], h[side+"ThumbDistal"] = thumb[0], thumb[1], thumb[2]
	for i, finger := range []string{"Index", "Middle", "Ring", "Little"} {
		c := chains[i]
		h[side+finger+"Proximal"], h[side+finger+"Intermediate"], h[side+finger+"Distal"] = c[0], c[1], c[2]
	}
}

func flat(v, axis mgl32.Vec3) mgl32.Vec3 { return v.Sub(axis.Mul(v.Dot(axis))) }
