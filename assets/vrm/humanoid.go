package vrm

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bindpose/bindpose/animation"
)

// Humanoid maps VRM 1.0 bone names, such as leftUpperArm, to joints of a
// skeleton.
type Humanoid map[string]int32

// Required are the bones that a VRM must have (VRMC_vrm 1.0, humanoid.md).
var Required = []string{
	"hips", "spine", "head",
	"leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot",
	"leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand",
}

// Missing lists the required bones that are not there.
func (h Humanoid) Missing() []string {
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
// of people's.
func LooksHuman(s *animation.Skeleton) bool {
	for _, name := range s.Names {
		if strings.Contains(parse(name).stem, "tail") {
			return false
		}
	}
	h := Guess(s)
	for _, b := range []string{"hips", "head", "leftUpperLeg", "rightUpperLeg", "leftUpperArm", "rightUpperArm"} {
		if _, ok := h[b]; !ok {
			return false
		}
	}
	return true
}

// Guess finds the bones of a person by hierarchy and names, as the common tools
// name them (Mixamo, Blender, Unreal, 3ds Max, Maya, Poser): ends are found by
// name (head, hands, feet), and what lies between them and the hips by its place
// where its name does not tell. It may miss bones; see Missing.
func Guess(s *animation.Skeleton) Humanoid {
	g := guess{s: s, words: make([]word, s.Len()), h: Humanoid{}}
	prefix := commonPrefix(s.Names)
	for j, name := range s.Names {
		g.words[j] = parse(strings.TrimPrefix(name, prefix))
	}
	g.hips()
	if _, ok := g.h["hips"]; !ok {
		return g.h
	}
	g.trunk()
	for _, side := range []string{"left", "right"} {
		g.limb(side, "Foot", []string{"foot", "ankle"}, []string{"UpperLeg", "LowerLeg"},
			map[string][]string{"UpperLeg": {"upleg", "upperleg", "thigh", "legupper"}, "LowerLeg": {"lowerleg", "calf", "shin", "knee", "leglower"}})
		g.limb(side, "Hand", []string{"hand", "wrist"}, []string{"UpperArm", "LowerArm"},
			map[string][]string{"UpperArm": {"upperarm", "uparm", "armupper"}, "LowerArm": {"forearm", "lowerarm", "elbow", "armlower"}})
		g.below(side+"Toes", side+"Foot", side, "toe", "toes", "toebase", "ball")
		g.shoulder(side)
		for finger, names := range map[string][]string{"Thumb": {"thumb"}, "Index": {"index"}, "Middle": {"middle", "mid"}, "Ring": {"ring"}, "Little": {"pinky", "little"}} {
			g.finger(side, finger, names)
		}
	}
	for _, side := range []string{"left", "right"} {
		g.below(side+"Eye", "head", side, "eye", "eyeball")
	}
	g.below("jaw", "head", "", "jaw")
	return g.h
}

// word is a joint's name taken apart: left, right or neither, and the rest in
// lower case without digits, prefixes and separators.
type word struct {
	side, stem string
	number     int
}

func parse(name string) word {
	if i := strings.LastIndexAny(name, ":|"); i >= 0 {
		name = name[i+1:]
	}
	var tokens []string
	var token []rune
	flush := func() {
		if len(token) > 0 {
			tokens = append(tokens, strings.ToLower(string(token)))
			token = nil
		}
	}
	var last rune
	w := word{number: -1}
	for _, r := range name {
		switch {
		case unicode.IsDigit(r):
			flush()
			if w.number < 0 {
				w.number = 0
			}
			w.number = min(w.number*10+int(r-'0'), 1000)
		case !unicode.IsLetter(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(last):
			flush()
			token = append(token, r)
		default:
			token = append(token, r)
		}
		last = r
	}
	flush()
	var stem strings.Builder
	for i, t := range tokens {
		switch {
		case (t == "l" || t == "left") && w.side == "":
			w.side = "left"
		case (t == "r" || t == "right") && w.side == "":
			w.side = "right"
		case i == 0 && len(tokens) > 1 && (t == "mixamorig" || t == "bip" || t == "j" || t == "bip001" || t == "bone" || t == "def" || t == "b" || t == "jnt"):
		case i > 0 && (t == "jnt" || t == "joint" || t == "bone" || t == "bind" || t == "bn" || t == "sec" || t == "adj" || t == "c"):
		default:
			if w.side == "" && strings.HasPrefix(t, "left") && len(t) > 4 {
				w.side, t = "left", t[4:]
			} else if w.side == "" && strings.HasPrefix(t, "right") && len(t) > 5 {
				w.side, t = "right", t[5:]
			}
			stem.WriteString(t)
		}
	}
	w.stem = stem.String()
	return w
}

// commonPrefix is what most names begin with up to a separator: a character's
// name, as in Character1_LeftArm.
func commonPrefix(names []string) string {
	count := map[string]int{}
	for _, name := range names {
		if i := strings.IndexAny(name, "_:. "); i > 0 {
			count[name[:i+1]]++
		}
	}
	for prefix, n := range count {
		if 5*n > 3*len(names) {
			return prefix
		}
	}
	return ""
}

type guess struct {
	s     *animation.Skeleton
	words []word
	h     Humanoid
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
		if !w.helper() && match(int32(j), w) {
			return int32(j)
		}
	}
	return -1
}

func (g *guess) under(j, top int32) bool {
	for j >= 0 && j != top {
		j = g.s.Parents[j]
	}
	return j == top && j >= 0
}

func (g *guess) set(bone string, j int32) {
	if j < 0 {
		return
	}
	for _, taken := range g.h {
		if taken == j {
			return
		}
	}
	g.h[bone] = j
}

func (g *guess) hips() {
	for _, stem := range []string{"hips", "pelvis", "hip", "torso"} {
		j := g.first(func(_ int32, w word) bool { return w.stem == stem && w.side == "" })
		if j >= 0 {
			g.set("hips", j)
			return
		}
	}
}

// trunk finds what lies between hips and head.
func (g *guess) trunk() {
	hips := g.h["hips"]
	head := g.first(func(j int32, w word) bool { return w.stem == "head" && w.side == "" && g.under(j, hips) && j != hips })
	if head < 0 {
		return
	}
	g.set("head", head)
	var chain []int32 // from hips to head
	for j := g.s.Parents[head]; j >= 0 && j != hips; j = g.s.Parents[j] {
		chain = append(chain, j)
	}
	slices.Reverse(chain)
	if n := len(chain); n > 0 && strings.Contains(g.words[chain[n-1]].stem, "neck") {
		for n > 1 && strings.Contains(g.words[chain[n-2]].stem, "neck") {
			n--
		}
		g.set("neck", chain[n-1])
		chain = chain[:n-1]
	}
	chain = slices.DeleteFunc(chain, func(j int32) bool { return g.words[j].helper() })
	for i, bone := range []string{"spine", "chest", "upperChest"} {
		switch {
		case i >= len(chain):
		case bone == "upperChest" && len(chain) > 3:
			g.set(bone, chain[len(chain)-1])
		default:
			g.set(bone, chain[i])
		}
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
			if !g.words[j].helper() {
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

// finger finds three links in a row.
func (g *guess) finger(side, finger string, stems []string) {
	hand := g.at(side + "Hand")
	if hand < 0 {
		return
	}
	links := []string{"Proximal", "Intermediate", "Distal"}
	if finger == "Thumb" {
		links = []string{"Metacarpal", "Proximal", "Distal"}
	}
	n := 0
	for j := range g.words {
		w := g.words[j]
		if n < 3 && w.side == side && !w.helper() && g.under(int32(j), hand) && slices.ContainsFunc(stems, func(s string) bool { return strings.Contains(w.stem, s) }) && !strings.Contains(w.stem, "meta") {
			g.set(side+finger+links[n], int32(j))
			n++
		}
	}
}
