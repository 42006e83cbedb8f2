package verify

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bindpose/bindpose/animation"
)

// name gives pairs without a bone the bone that their joints' names tell. This is
// a reading of its own, so that a wrong map does not hide itself: it needs no more
// than the joints whose directions and fingers are checked.
func name(pairs []Pair, source, target *animation.Skeleton) {
	for i := range pairs {
		if p := &pairs[i]; p.Bone == "" {
			if p.Bone = boneOf(nameOf(source, p.Source)); p.Bone == "" {
				p.Bone = boneOf(nameOf(target, p.Target))
			}
		}
	}
}

// spoken are the words by which a bone is known, in any order of letters' case and
// separators, sides and digits taken away.
var spoken = map[string][]string{
	"hips":     {"hips", "pelvis", "hip"},
	"neck":     {"neck"},
	"head":     {"head"},
	"UpperArm": {"upperarm", "arm", "uparm"},
	"LowerArm": {"lowerarm", "forearm"},
	"Hand":     {"hand"},
	"UpperLeg": {"upperleg", "upleg", "thigh"},
	"LowerLeg": {"lowerleg", "leg", "calf", "shin"},
	"Foot":     {"foot"},
	"Toes":     {"toes", "toe", "toebase", "ball"},
}

func boneOf(name string) string {
	side, word := sideOf(name)
	for bone, words := range spoken {
		if slices.Contains(words, word) && (side == "") == unicode.IsLower(rune(bone[0])) {
			return side + bone
		}
	}
	return ""
}

// sideOf takes a name apart: "left", "right" or "", and its letters in lower case.
func sideOf(name string) (side, word string) {
	if i := strings.LastIndexAny(name, ":|"); i >= 0 {
		name = name[i+1:]
	}
	var words []string
	var w []rune
	var last rune
	for _, r := range name + " " {
		if !unicode.IsLetter(r) || unicode.IsUpper(r) && unicode.IsLower(last) {
			if len(w) > 0 {
				words = append(words, strings.ToLower(string(w)))
			}
			w = nil
		}
		if unicode.IsLetter(r) {
			w = append(w, r)
		}
		last = r
	}
	for _, t := range words {
		switch {
		case side == "" && (t == "l" || t == "left"):
			side = "left"
		case side == "" && (t == "r" || t == "right"):
			side = "right"
		case side == "" && strings.HasPrefix(t, "left"):
			side, word = "left", word+t[4:]
		case side == "" && strings.HasPrefix(t, "right"):
			side, word = "right", word+t[5:]
		default:
			word += t
		}
	}
	return side, word
}

// digits are the words in the names of fingers' joints.
var digits = []string{"thumb", "index", "middle", "ring", "pinky", "little", "finger"}

func isFinger(name string) bool {
	_, word := sideOf(name)
	for _, d := range digits {
		if strings.Contains(word, d) {
			return true
		}
	}
	return false
}

// hand is a paired hand, and the joints of its fingers that no pair names.
type hand struct {
	pair           int
	source, target []int32
	mitten         bool // one of the hands has no single fingers
}

// findHands lists what of hands the map leaves out: joints below a paired hand, by
// their names, or because three chains or more hang there. Beside them it lists
// unpaired joints that have the same name on both.
func (v *Verifier) findHands() {
	pairedS, pairedT := map[int32]bool{}, map[int32]bool{}
	for _, p := range v.pairs {
		pairedS[p.Source], pairedT[p.Target] = true, true
	}
	for i, p := range v.pairs {
		if p.Bone != "leftHand" && p.Bone != "rightHand" {
			continue
		}
		h := hand{pair: i, source: left(v.source, p.Source, pairedS), target: left(v.target, p.Target, pairedT)}
		h.mitten = chains(v.source, p.Source) < 3 || chains(v.target, p.Target) < 3
		if len(h.source) > 0 && len(h.target) > 0 {
			v.fingers = append(v.fingers, h)
		}
	}
	v.same = make([]int32, v.source.Len())
	byName := map[string]int32{}
	for j, n := range v.target.Names {
		if _, twice := byName[n]; twice {
			byName[n] = -1
		} else if n != "" && !pairedT[int32(j)] {
			byName[n] = int32(j)
		}
	}
	for j, n := range v.source.Names {
		v.same[j] = -1
		// What stands above the pelvis counts in sum, and is in the pelvis' own figures.
		above := v.pelvis >= 0 && under(v.source, v.pairs[v.pelvis].Source, int32(j))
		if k, ok := byName[n]; ok && k >= 0 && !pairedS[int32(j)] && !above {
			v.same[j] = k
		}
	}
}

// left are the joints of fingers below a hand that are not paired.
func left(s *animation.Skeleton, top int32, paired map[int32]bool) (out []int32) {
	var all []int32
	for j := range s.Parents {
		if int32(j) != top && under(s, int32(j), top) && !paired[int32(j)] {
			all = append(all, int32(j))
		}
	}
	for _, j := range all {
		if isFinger(s.Names[j]) {
			out = append(out, j)
		}
	}
	if len(out) == 0 && chains(s, top) >= 3 {
		return all
	}
	return out
}

// chains is how many joints hang on one.
func chains(s *animation.Skeleton, top int32) (n int) {
	for _, p := range s.Parents {
		if p == top {
			n++
		}
	}
	return n
}
