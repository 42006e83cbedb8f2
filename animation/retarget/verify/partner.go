package verify

import "fmt"

// Of a joint that is said to follow another, how far that other must turn, and how
// far from the one that it should follow: between joints that move as one, or not at
// all, nothing can be told.
const (
	followsTurning = 5 // degrees
	followsApart   = 4 // times the drift that passes
)

// partner finds what a joint that drifts does instead: whether its offset to another
// pair's source joint is constant.
func (v *Verifier) partner(t *Take, s *samples, p int) {
	j, n := &t.joints[p], len(v.pairs)
	j.like = -1
	if v.carrier[p] || j.max <= followsApart*v.options.Drift {
		return
	}
	for q := range v.pairs {
		if q == p || v.carrier[q] || v.pairs[q].Source == v.pairs[p].Source {
			continue
		}
		// Rs and F⁻¹·Rt of different pairs: rs·offset is the target's rotation.
		var all []quat
		var first quat
		turns := 0.0
		for k := range s.times {
			a, b := k*n+p, k*n+q
			if s.offset[a] == (quat{}) || s.offset[b] == (quat{}) {
				continue
			}
			o := s.rs[b].conj().mul(s.rs[a].mul(s.offset[a]))
			if len(all) == 0 {
				first = s.rs[b]
			} else if between(all[0], o) > 2*v.options.Drift {
				all = nil // no constant, whatever its middle
				break
			}
			turns = max(turns, between(first, s.rs[b]))
			all = append(all, o)
		}
		if len(all) < 2 || turns < followsTurning {
			continue
		}
		at, by := middle(all), 0.0
		for _, o := range all {
			by = max(by, between(at, o))
		}
		if by <= v.options.Drift && (j.like < 0 || by < j.likeBy) {
			j.like, j.likeBy = q, by
		}
	}
}

// swapped tells what is wrong with joints that follow another than their own once,
// in place of all that comes of it.
func (v *Verifier) swapped(takes []*Take, found []Finding) []Finding {
	for p, pair := range v.pairs {
		like, by := -1, 0.0
		for _, t := range takes {
			if j := &t.joints[p]; j.like >= 0 && (like < 0 || j.likeBy < by) {
				like, by = j.like, j.likeBy
			}
		}
		if like < 0 {
			continue
		}
		joint, own, other := nameOf(v.target, pair.Target), nameOf(v.source, pair.Source), nameOf(v.source, v.pairs[like].Source)
		exchanged := ""
		if side, word := sideOf(own); side != "" {
			if s, w := sideOf(other); s != "" && s != side && w == word {
				exchanged = ": left and right are exchanged"
			}
		}
		for i := range found {
			f := &found[i]
			if f.Joint != joint || f.Code != Drift && f.Code != Alignment && f.Code != OffsetDiffers {
				continue
			}
			f.Code = WrongPartner
			f.Message = fmt.Sprintf("turns as the source's %s does (to %.2f°) instead of as its %s, from which it is %.3g° away", other, by, own, f.Measured)
			f.Means = fmt.Sprintf("the map with which the clip was brought over pairs it with %s%s", other, exchanged)
			f.Fix = fmt.Sprintf("pair %s with it in that map and retarget again; or, where %s is meant, verify with that map", own, other)
		}
	}
	return found
}
