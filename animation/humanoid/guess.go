package humanoid

import (
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

// Bones maps VRM 1.0 bone names, such as leftUpperArm, to joints of a
// skeleton.
type Bones map[string]int32

// Required are the bones that a VRM must have (VRMC_vrm 1.0, humanoid.md).
var Required = []string{
	"hips", "spine", "head",
	"leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot",
	"leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand",
}

// Missing lists the required bones that are not there.
func (h Bones) Missing() []string {
	var out []string
	for _, b := range Required {
		if _, ok := h[b]; !ok {
			out = append(out, b)
		}
	}
	return out
}

// LooksHuman tells whether a skeleton has what makes a person: hips, a head, two
// legs and two arms, and no tail, which animals have whose joints bear the names
// of people's. A ponytail, which hangs on the head, is none.
func LooksHuman(s *animation.Skeleton) bool {
	h := Guess(s)
	for _, b := range []string{"hips", "head", "leftUpperLeg", "rightUpperLeg", "leftUpperArm", "rightUpperArm"} {
		if _, ok := h[b]; !ok {
			return false
		}
	}
	g := guess{s: s}
	for j, name := range s.Names {
		if strings.Contains(parse(name).stem, "tail") && !g.under(int32(j), h["head"]) {
			return false
		}
	}
	return true
}

// Guess finds the bones of a person by hierarchy and names, as the common tools
// name them (Mixamo, Blender, Unreal, 3ds Max, Maya, Poser): ends are found by
// name (head, hands, feet), and what lies between them and the hips by its place
// where its name does not tell. It may miss bones; see Missing.
func Guess(s *animation.Skeleton) Bones {
	g := guess{s: s, words: make([]word, s.Len()), h: Bones{}}
	prefix := commonPrefix(s.Names)
	for j, name := range s.Names {
		g.words[j] = parse(strings.TrimPrefix(name, prefix))
	}
	g.deforming()
	g.hips()
	if _, ok := g.h["hips"]; !ok {
		return g.h
	}
	g.head()
	for _, side := range []string{"left", "right"} {
		g.limb(side, "Foot", []string{"foot", "ankle"}, []string{"UpperLeg", "LowerLeg"},
			map[string][]string{"UpperLeg": {"upleg", "upperleg", "thigh", "legupper"}, "LowerLeg": {"lowerleg", "calf", "shin", "knee", "leglower"}})
		g.limb(side, "Hand", []string{"hand", "wrist"}, []string{"UpperArm", "LowerArm"},
			map[string][]string{"UpperArm": {"upperarm", "uparm", "armupper"}, "LowerArm": {"forearm", "lowerarm", "elbow", "armlower"}})
		g.below(side+"Toes", side+"Foot", side, "toe", "toes", "toebase", "ball")
		g.onlyBelow(side+"Toes", side+"Foot", side)
		g.shoulder(side)
	}
	g.trunk()
	for _, side := range []string{"left", "right"} {
		// The middle finger last: of the others some have links such as ring_mid.
		g.finger(side, "Thumb", "0", "thumb")
		g.finger(side, "Index", "1", "index")
		g.finger(side, "Ring", "3", "ring")
		g.finger(side, "Little", "4", "pinky", "little")
		g.finger(side, "Middle", "2", "middle", "mid")
	}
	for _, side := range []string{"left", "right"} {
		g.below(side+"Eye", "head", side, "eye", "eyeball")
	}
	g.below("jaw", "head", "", "jaw")
	return g.h
}

type guess struct {
	s     *animation.Skeleton
	words []word
	h     Bones
}

// helper bones hang beside the chain and are none of its links.
func (w word) helper() bool {
	for _, part := range []string{"twist", "roll", "end", "nub", "ik", "pole", "target", "socket", "attach"} {
		if strings.HasSuffix(w.stem, part) || strings.HasPrefix(w.stem, "ik") {
			return true
		}
	}
	return false
}

func (g *guess) first(match func(j int32, w word) bool) int32 {
	for j, w := range g.words {
		if !w.helper() && !w.control && match(int32(j), w) {
			return int32(j)
		}
	}
	return -1
}

func (g *guess) under(j, top int32) bool {
	if top < 0 {
		return false
	}
	for j >= 0 && j != top {
		j = g.s.Parents[j]
	}
	return j == top && j >= 0
}

func (g *guess) set(bone string, j int32) {
	if j < 0 {
		return
	}
	if !g.taken(j) {
		g.h[bone] = j
	}
}

// taken tells whether a joint is some bone already.
func (g *guess) taken(j int32) bool {
	for _, other := range g.h {
		if other == j {
			return true
		}
	}
	return false
}

// deforming marks of a rig that is exported whole, as Rigify's, all but the joints
// that deform as its mechanism.
func (g *guess) deforming() {
	n := 0
	for _, name := range g.s.Names {
		if strings.HasPrefix(name, "DEF-") {
			n++
		}
	}
	if n < 10 {
		return
	}
	for j, name := range g.s.Names {
		if !strings.HasPrefix(name, "DEF-") {
			g.words[j].control = true
		}
	}
}

func (g *guess) hips() {
	// Where several are so called the topmost carries the others.
	for _, stems := range [][]string{{"hips", "pelvis", "hip"}, {"torso"}} {
		j := g.first(func(_ int32, w word) bool { return w.side == "" && slices.Contains(stems, w.stem) })
		if j >= 0 {
			g.set("hips", j)
			return
		}
	}
	// Rigify calls the hips spine: they are above both thighs.
	left := g.first(func(_ int32, w word) bool { return w.side == "left" && w.stem == "thigh" })
	right := g.first(func(_ int32, w word) bool { return w.side == "right" && w.stem == "thigh" })
	if left < 0 || right < 0 {
		return
	}
	j := g.common(left, right)
	if j < 0 || g.words[j].stem != "spine" {
		if k := g.first(func(_ int32, w word) bool { return w.side == "" && w.stem == "spine" }); k >= 0 {
			j = k
		}
	}
	g.set("hips", j)
}

// common is the lowest joint that is above both, or one of them; -1 where there
// is none.
func (g *guess) common(a, b int32) int32 {
	for a >= 0 && !g.under(b, a) {
		a = g.s.Parents[a]
	}
	return a
}

func (g *guess) head() {
	hips := g.h["hips"]
	head := g.first(func(j int32, w word) bool { return w.stem == "head" && w.side == "" && g.under(j, hips) && j != hips })
	if head < 0 { // Rigify calls it spine, the last of them
		for j, w := range g.words {
			if w.stem == "spine" && w.side == "" && !w.control && w.number >= 4 && g.under(int32(j), hips) && (head < 0 || w.number > g.words[head].number) {
				head = int32(j)
			}
		}
	}
	g.set("head", head)
}

// trunk finds what lies between hips and head. Where the named hips lie above the
// joint that carries both legs and trunk, the hips are that joint.
func (g *guess) trunk() {
	hips, head := g.h["hips"], g.at("head")
	if head < 0 {
		return
	}
	legs := g.common(g.at("leftUpperLeg"), g.at("rightUpperLeg"))
	if legs >= 0 {
		if both := g.common(legs, head); both >= 0 && both != hips && g.under(both, hips) && both != head {
			g.h["hips"] = both
			hips = both
		}
	}
	var chain []int32 // from hips to head
	for j := g.s.Parents[head]; j >= 0 && j != hips; j = g.s.Parents[j] {
		chain = append(chain, j)
	}
	slices.Reverse(chain)
	chest := len(chain) // where the neck begins
	for chest > 0 && strings.Contains(g.words[chain[chest-1]].stem, "neck") {
		chest--
	}
	arms := g.common(g.at("leftUpperArm"), g.at("rightUpperArm"))
	if i := slices.Index(chain[:chest], arms); arms >= 0 && i >= 0 {
		chest = i + 1
	}
	if chest < len(chain) {
		g.set("neck", chain[chest])
		chain = chain[:chest]
	}
	chain = slices.DeleteFunc(chain, func(j int32) bool { return g.words[j].helper() })
	n := len(chain)
	switch {
	case n == 0:
		return
	case n <= 3:
		for i, j := range chain {
			g.set([]string{"spine", "chest", "upperChest"}[i], j)
		}
	default:
		g.set("spine", chain[0])
		g.set("chest", chain[n/2])
		g.set("upperChest", chain[n-1])
	}
}

// limb finds an end by name and the links above it by name or place.
func (g *guess) limb(side, end string, stems, links []string, names map[string][]string) {
	hips := g.h["hips"]
	foot := int32(-1)
	for _, stem := range stems {
		if foot = g.first(func(j int32, w word) bool { return w.side == side && w.stem == stem && g.under(j, hips) }); foot >= 0 {
			break
		}
	}
	var chain []int32
	if foot >= 0 {
		for j := g.s.Parents[foot]; j >= 0 && j != hips && g.words[j].side == side; j = g.s.Parents[j] {
			if w := g.words[j]; !w.helper() && !w.control && !g.second(j) {
				chain = append(chain, j)
			}
		}
	}
	slices.Reverse(chain)
	named := false
	for _, link := range links {
		j := g.first(func(j int32, w word) bool {
			return w.side == side && slices.Contains(names[link], w.stem) && (foot < 0 || g.under(foot, j))
		})
		if j >= 0 {
			named = true
			g.set(side+link, j)
		}
	}
	if n := len(chain); n >= 2 { // by place: the lower link is the end's parent
		if !named || g.free(side+links[1]) {
			g.set(side+links[1], chain[n-1])
		}
		if g.free(side + links[0]) {
			if k := slices.Index(chain, g.at(side+links[1])); k > 0 {
				g.set(side+links[0], chain[k-1])
			}
		}
	}
	g.set(side+end, foot)
}

func (g *guess) free(bone string) bool { _, ok := g.h[bone]; return !ok }

func (g *guess) at(bone string) int32 {
	if j, ok := g.h[bone]; ok {
		return j
	}
	return -1
}

func (g *guess) shoulder(side string) {
	arm := g.at(side + "UpperArm")
	if arm < 0 {
		return
	}
	for j := g.s.Parents[arm]; j >= 0 && g.words[j].side == side; j = g.s.Parents[j] {
		if stem := g.words[j].stem; strings.Contains(stem, "shoulder") || strings.Contains(stem, "clav") || strings.Contains(stem, "collar") {
			g.set(side+"Shoulder", j)
			return
		}
	}
}

// below finds a bone of that name under another.
func (g *guess) below(bone, top, side string, stems ...string) {
	from := g.at(top)
	if from < 0 {
		return
	}
	g.set(bone, g.first(func(j int32, w word) bool {
		return w.side == side && slices.Contains(stems, w.stem) && j != from && g.under(j, from)
	}))
}

// onlyBelow takes the one joint below another for a bone that has no name that is
// known.
func (g *guess) onlyBelow(bone, top, side string) {
	from := g.at(top)
	if from < 0 || !g.free(bone) {
		return
	}
	only := int32(-1)
	for j, p := range g.s.Parents {
		if w := g.words[j]; p != from || w.helper() || w.control {
			continue
		}
		if only >= 0 || g.words[j].side != side {
			return
		}
		only = int32(j)
	}
	g.set(bone, only)
}

// second tells whether a joint bears its parent's name and a number more: the
// lower half of a bone that is cut in two for its twist.
func (g *guess) second(j int32) bool {
	p := g.s.Parents[j]
	return p >= 0 && g.words[p].stem == g.words[j].stem && g.words[p].side == g.words[j].side && g.words[j].digits != "" &&
		!strings.Contains(g.words[j].stem, "joint")
}

// finger finds three links in a row. A fourth is the tip, or where the names say
// so the bone in the palm, and neither is a link. biped is the digit by which 3ds
// Max's Biped tells fingers apart.
func (g *guess) finger(side, finger, biped string, stems ...string) {
	hand := g.at(side + "Hand")
	if hand < 0 {
		return
	}
	links := []string{"Proximal", "Intermediate", "Distal"}
	if finger == "Thumb" {
		links = []string{"Metacarpal", "Proximal", "Distal"}
	}
	n := 0
	last := int32(-1)
	for j := range g.words {
		w := g.words[j]
		if n >= 3 || w.side != side || w.helper() || w.control || !g.under(int32(j), hand) {
			continue
		}
		named := slices.ContainsFunc(stems, func(s string) bool { return strings.Contains(w.stem, s) })
		if finger != "Little" && strings.Contains(w.stem, "pinky") {
			named = false // some say RingPinky of the little one
		}
		named = named || w.stem == "finger" && strings.HasPrefix(w.digits, biped)
		palm := strings.Contains(w.stem, "palm") || strings.Contains(w.stem, "knuckle") || strings.Contains(w.stem, "socket") || strings.Contains(w.stem, "inhand") || finger != "Thumb" && strings.Contains(w.stem, "meta")
		if !named || palm || g.taken(int32(j)) || last >= 0 && !g.under(int32(j), last) {
			continue
		}
		g.set(side+finger+links[n], int32(j))
		last = int32(j)
		n++
	}
}
