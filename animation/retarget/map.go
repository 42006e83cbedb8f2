package retarget

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

// ErrMap is wrapped by the error of rigs that do not match, and of a map that does
// not fit its rigs.
var ErrMap = errors.New("retarget: no map")

// Pair says that a joint of the target does what a joint of the source does: in
// world space it turns from its rig's reference pose exactly as that one does.
type Pair struct {
	Source, Target int32   // joints of the two skeletons
	Bone           string  // what of a body it is, "" where that is not known
	Confidence     float32 // in (0, 1]; 1 is told by a file or a person
	By             string  // "file", "name", "rig", "hierarchy" or "position"
}

// Dropped is a joint that has no partner.
type Dropped struct {
	Joint  int32
	Reason string
}

// Map says which joint of the target does what which joint of the source does.
// Each joint is in one pair at most.
type Map struct {
	Source, Target *Rig
	Pairs          []Pair    // by target joint
	DroppedSource  []Dropped // by joint
	DroppedTarget  []Dropped
	Twists         []Twist // by joint; of the target, none of them in a pair
}

// Ratios are what displacement is multiplied by: across the ground by the sizes of
// the limbs, along Up by the heights of the hips. Where one of the two is no body, both
// are by what lies between the joints that are paired.
func (m *Map) Ratios() (across, up float32) {
	s, t := m.Source, m.Target
	var a, b float32
	if len(s.Bones) == 0 || len(t.Bones) == 0 {
		if a, b = m.lengths(); a > 0 && b > 0 {
			return b / a, b / a
		}
	}
	for i := range s.limbs { // of those that both have
		if s.limbs[i] > 0 && t.limbs[i] > 0 {
			a, b = a+s.limbs[i], b+t.limbs[i]
		}
	}
	if a == 0 {
		a, b = s.LimbLength, t.LimbLength
	}
	across, up = 1, 1
	if a > 0 && b > 0 {
		across = b / a
	}
	if s.HipHeight > 0 && t.HipHeight > 0 {
		up = t.HipHeight / s.HipHeight
	}
	return across, up
}

// lengths sums, of both rigs, how far paired joints are from the paired joints next
// above them.
func (m *Map) lengths() (source, target float32) {
	s, t := m.Source, m.Target
	partner := make(map[int32]int32, len(m.Pairs))
	for _, p := range m.Pairs {
		partner[p.Target] = p.Source
	}
	from, to := s.now(), t.now()
	for _, p := range m.Pairs {
		up := t.Skeleton.Parents[p.Target]
		for up >= 0 {
			if _, ok := partner[up]; ok {
				break
			}
			up = t.Skeleton.Parents[up]
		}
		if up >= 0 && below(s.Skeleton, p.Source, partner[up]) {
			source += from.at[p.Source].Sub(from.at[partner[up]]).Len()
			target += to.at[p.Target].Sub(to.at[up]).Len()
		}
	}
	return source, target
}

// NewMap pairs the joints of two rigs: of two bodies bone by bone, and chains of
// different numbers of joints by where along the chain they lie; of others by name,
// else by hierarchy and place. The error says why two rigs do not match.
func NewMap(source, target *Rig) (*Map, error) {
	m := &Map{Source: source, Target: target}
	switch a, b := len(source.Bones) > 0, len(target.Bones) > 0; {
	case a && b:
		m.pairBodies()
		if m.sameNames() {
			m.pairNames(0.9)
		}
	case m.sameNames():
		m.pairNames(0.98)
	case a != b:
		who, other := "source", "target"
		if b {
			who, other = other, who
		}
		return nil, fmt.Errorf("%w: the %s has the body of a person and the %s has not, and their joints bear other names; pair them by hand in a map file", ErrMap, who, other)
	default:
		if err := m.pairTrees(); err != nil {
			return nil, err
		}
	}
	if len(m.Pairs) == 0 {
		return nil, fmt.Errorf("%w: no joint of the source is like one of the target", ErrMap)
	}
	m.finish()
	return m, nil
}

func (m *Map) paired(target int32) bool {
	return slices.ContainsFunc(m.Pairs, func(p Pair) bool { return p.Target == target })
}

func (m *Map) pairedSource(source int32) bool {
	return slices.ContainsFunc(m.Pairs, func(p Pair) bool { return p.Source == source })
}

func (m *Map) add(source, target int32, bone string, confidence float32, by string) {
	if source >= 0 && target >= 0 && !m.paired(target) && !m.pairedSource(source) {
		m.Pairs = append(m.Pairs, Pair{source, target, bone, confidence, by})
	}
}

// pairBodies pairs bones, and the joints of spine and neck by their place.
func (m *Map) pairBodies() {
	s, t := m.Source, m.Target
	by, sure := "rig", float32(0.95)
	if s.Kind == "names" || t.Kind == "names" {
		sure = 0.9
	}
	if s.Kind == "hierarchy" || t.Kind == "hierarchy" {
		by, sure = "hierarchy", 0.7
	}
	one := func(bone string, a, b int32) {
		if a < 0 || b < 0 {
			return
		}
		if n := s.Skeleton.Names[a]; n != "" && strings.EqualFold(n, t.Skeleton.Names[b]) {
			m.add(a, b, bone, max(sure, 0.98), "name")
			return
		}
		m.add(a, b, bone, sure, by)
	}
	one("hips", s.Hips, t.Hips)
	one("head", s.bone("head"), t.bone("head"))
	a, b := s.spine, t.spine
	cutA, cutB := s.neckAt(), t.neckAt()
	m.pairChain(s, t, a, b, 1, 1, cutA, cutB, "spine", one)
	m.pairChain(s, t, a, b, cutA, cutB, len(a), len(b), "neck", one)
	bones := make([]string, 0, len(t.Bones))
	for bone := range t.Bones {
		bones = append(bones, bone)
	}
	slices.Sort(bones)
	for _, bone := range bones {
		if !slices.Contains(trunkBones, bone) {
			one(bone, s.bone(bone), t.bone(bone))
		}
	}
}

var trunkBones = []string{"hips", "spine", "chest", "upperChest", "neck", "head"}

// neckAt is where in the spine's chain the neck begins: behind the last joint that
// carries an arm.
func (r *Rig) neckAt() int {
	n := len(r.spine)
	if neck := r.bone("neck"); neck >= 0 {
		if i := slices.Index(r.spine, neck); i > 0 {
			return i
		}
	}
	if head := r.bone("head"); head >= 0 {
		if i := slices.Index(r.spine, head); i > 0 {
			return i
		}
	}
	return n
}

// pairChain pairs links of two chains in order. The last of a trunk carries the
// arms and goes with the other's last; between them nearest is by the part of the
// chain's length at which a link begins.
func (m *Map) pairChain(s, t *Rig, a, b []int32, fromA, fromB, toA, toB int, name string, one func(string, int32, int32)) {
	if name == "neck" { // the head is paired already
		if j := s.bone("head"); j >= 0 && toA > fromA && a[toA-1] == j {
			toA--
		}
		if j := t.bone("head"); j >= 0 && toB > fromB && b[toB-1] == j {
			toB--
		}
	}
	if fromA >= toA || fromB >= toB {
		return
	}
	u, v := s.parts(a, fromA, toA), t.parts(b, fromB, toB)
	for ja, jb := range inOrder(u, v, name == "spine") {
		bone := name
		for _, n := range trunkBones {
			if t.bone(n) == b[fromB+jb] {
				bone = n
			}
		}
		if bone == name && jb > 0 {
			bone = name + strconv.Itoa(jb+1)
		}
		one(bone, a[fromA+ja], b[fromB+jb])
	}
}

// inOrder pairs each place of the shorter of two rising lists with the nearest of
// the other behind those that are taken; the last ones with each other, if so
// asked.
func inOrder(u, v []float32, lastTogether bool) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		short, long := u, v
		swap := len(u) > len(v)
		if swap {
			short, long = v, u
		}
		at := 0
		for i := range short {
			best := at
			// Enough must be left for those to come.
			for k := at; k <= len(long)-(len(short)-i); k++ {
				d, e := long[k]-short[i], long[best]-short[i]
				if max(d, -d) < max(e, -e) {
					best = k
				}
			}
			if lastTogether && i == len(short)-1 {
				best = len(long) - 1
			}
			ja, jb := i, best
			if swap {
				ja, jb = best, i
			}
			if !yield(ja, jb) {
				return
			}
			at = best + 1
		}
	}
}

// parts are where along the chain its links begin, 0 at the joint before the
// first, 1 at the joint behind the last or at the last.
func (r *Rig) parts(chain []int32, from, to int) []float32 {
	f := r.now()
	out := make([]float32, 0, to-from)
	var length float32
	for i := from; i < to; i++ {
		length += f.at[chain[i]].Sub(f.at[chain[i-1]]).Len()
		out = append(out, length)
	}
	if to < len(chain) {
		length += f.at[chain[to]].Sub(f.at[chain[to-1]]).Len()
	}
	for i := range out {
		if length > 0 {
			out[i] /= length
		}
	}
	return out
}

// sameNames tells whether most joints of the smaller skeleton have one of the same
// name in the other.
func (m *Map) sameNames() bool {
	a, b := m.Source.Skeleton, m.Target.Skeleton
	if a.Len() > b.Len() {
		a, b = b, a
	}
	there := firstOf(b.Names)
	named, same := 0, 0
	for _, n := range a.Names {
		if n != "" {
			named++
			if _, ok := there[n]; ok {
				same++
			}
		}
	}
	return same >= 2 && 2*same > named
}

// pairNames pairs joints of one name below the hips.
func (m *Map) pairNames(sure float32) {
	s, t := m.Source, m.Target
	has := m.sides()
	ofSource, ofTarget := firstOf(s.Skeleton.Names), firstOf(t.Skeleton.Names)
	for j, n := range t.Skeleton.Names {
		i, ok := ofSource[n]
		if n == "" || !ok || ofTarget[n] != int32(j) || !t.body[j] || !s.body[i] || has[0][i] || has[1][int32(j)] {
			continue
		}
		m.Pairs = append(m.Pairs, Pair{i, int32(j), "", sure, "name"})
	}
}

// firstOf is by name the first joint that bears it.
func firstOf(names []string) map[string]int32 {
	out := make(map[string]int32, len(names))
	for j, n := range names {
		if _, there := out[n]; !there {
			out[n] = int32(j)
		}
	}
	return out
}

func below(s *animation.Skeleton, j, top int32) bool {
	for j >= 0 && j != top {
		j = s.Parents[j]
	}
	return j == top
}

// sides are the joints of source and target that are paired.
func (m *Map) sides() [2]map[int32]bool {
	has := [2]map[int32]bool{make(map[int32]bool, len(m.Pairs)), make(map[int32]bool, len(m.Pairs))}
	for _, p := range m.Pairs {
		has[0][p.Source], has[1][p.Target] = true, true
	}
	return has
}

// finish sorts, and says of every joint without a partner why.
func (m *Map) finish() {
	m.meetTrunks()
	slices.SortFunc(m.Pairs, func(a, b Pair) int { return cmp.Compare(a.Target, b.Target) })
	has := m.sides()
	m.findTwists(has[1])
	m.DroppedSource = m.Source.dropped(has[0], m.Target, "source")
	for _, w := range m.Twists {
		has[1][w.Joint] = true
	}
	m.DroppedTarget = m.Target.dropped(has[1], m.Source, "target")
}

// meetTrunks makes of the trunk of a rig without a body the partner of the other's,
// since the two are what is displaced. Where one joint of a rig is its trunk may hang
// on a node more that lies beside it; the pairs decide. Of two without a body it is the
// topmost pair, the one with the most joints below it.
func (m *Map) meetTrunks() {
	s, t := m.Source, m.Target
	thingS, thingT := len(s.Bones) == 0, len(t.Bones) == 0
	if !thingS && !thingT || slices.ContainsFunc(m.Pairs, func(p Pair) bool { return p.Source == s.Hips && p.Target == t.Hips }) {
		return
	}
	best, most := -1, 0
	for i, p := range m.Pairs {
		if !thingS && p.Source != s.Hips || !thingT && p.Target != t.Hips {
			continue
		}
		carried := 0
		for _, q := range m.Pairs {
			if below(s.Skeleton, q.Source, p.Source) && below(t.Skeleton, q.Target, p.Target) {
				carried++
			}
		}
		if carried > most {
			best, most = i, carried
		}
	}
	if best < 0 {
		return
	}
	if thingS {
		m.Source = s.withTrunk(m.Pairs[best].Source)
	}
	if thingT {
		m.Target = t.withTrunk(m.Pairs[best].Target)
	}
}

// dropped lists the joints without a partner, and why.
func (r *Rig) dropped(has map[int32]bool, other *Rig, side string) (out []Dropped) {
	bone := map[int32]string{}
	for b, j := range r.Bones {
		bone[j] = b
	}
	above := map[int32]bool{}
	for j := r.Hips; j >= 0; j = r.Skeleton.Parents[j] {
		above[j] = j != r.Hips
	}
	carries := make([]bool, r.Skeleton.Len()) // has a paired joint below it
	for j := range has {
		for up := r.Skeleton.Parents[j]; up >= 0; up = r.Skeleton.Parents[up] {
			carries[up] = true
		}
	}
	for j := range r.Skeleton.Parents {
		j := int32(j)
		if has[j] {
			continue
		}
		reason := "the other rig has no such joint"
		keeps := ", it keeps its rest"
		if side == "source" {
			keeps = ", its own motion is in the joints below it"
			if !carries[j] {
				keeps = ", its own motion is left out"
			}
		}
		name := strings.ToLower(r.Skeleton.Names[j])
		switch {
		case above[j]:
			reason, keeps = "above the hips", ", what it moves is the hips' motion"
			if side == "target" {
				keeps = ", it stays at rest"
				if below(r.Skeleton, j, r.carrier) {
					keeps = ", it moves with them"
				}
			}
		case bone[j] != "":
			reason = "the other rig has no " + bone[j]
			if k, there := other.Bones[bone[j]]; there {
				reason = fmt.Sprintf("no pair of the map names it, though %s is the other rig's %s", strings.Trim(named(other.Skeleton, k), `"`), bone[j])
			}
		case slices.Contains(r.spine, j):
			reason = "the other rig's spine has fewer joints"
			if side == "target" {
				keeps = ", it turns by its share between its neighbours"
			}
		case strings.Contains(name, "twist") || strings.Contains(name, "roll") || strings.Contains(name, "share"):
			reason = "a helper for twisting"
		case r.Hips >= 0 && !r.body[j]:
			reason = "not below the hips"
			if side == "source" {
				keeps = ""
			}
		case strings.HasSuffix(name, "_end") || strings.HasSuffix(name, "nub") || strings.Contains(name, "tip"):
			reason = "a tip"
			if side == "source" {
				keeps = ""
			}
		}
		out = append(out, Dropped{j, reason + keeps})
	}
	return out
}
