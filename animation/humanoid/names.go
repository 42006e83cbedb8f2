package humanoid

import (
	"slices"
	"strings"
	"unicode"
)

// word is a joint's name taken apart: left, right or neither, and the rest in
// lower case without digits, prefixes and separators.
type word struct {
	side, stem string
	number     int    // the first
	digits     string // the last
	control    bool   // a rig's mechanism, which deforms nothing
}

// makers are what tools put before every name.
var makers = []string{"mixamorig", "bip", "bip001", "valve", "j", "bone", "def", "org", "mch", "b", "jnt", "cc", "base", "rl"}

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
			if !unicode.IsDigit(last) {
				w.digits = ""
			}
			w.digits += string(r)
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
	leading := true
	for i, t := range tokens {
		switch {
		case (t == "l" || t == "left") && w.side == "":
			w.side = "left"
		case (t == "r" || t == "right") && w.side == "":
			w.side = "right"
		case leading && i+1 < len(tokens) && slices.Contains(makers, t):
			w.control = w.control || t == "mch"
			continue
		case i > 0 && (t == "jnt" || t == "joint" || t == "bone" || t == "bind" || t == "bn" || t == "sec" || t == "adj" || t == "c"):
		default:
			if w.side == "" && strings.HasPrefix(t, "left") && len(t) > 4 {
				w.side, t = "left", t[4:]
			} else if w.side == "" && strings.HasPrefix(t, "right") && len(t) > 5 {
				w.side, t = "right", t[5:]
			}
			stem.WriteString(t)
			leading = false
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
