package animation

import (
	"cmp"
	"slices"
)

// BindByName returns the clip rewritten for another skeleton: each track moves
// the joint that has its old joint's name there. Keys are shared, not copied,
// and values are kept as they are, so both skeletons should rest alike; for
// unlike ones there is retargeting.
//
// unbound lists what is left out, a joint once: joints whose name the other
// skeleton lacks, nameless joints, a second joint of a name, and morph weights
// whose number differs, the joint of the root motion. Properties, which are the
// model's own, are left out untold. Where a name repeats in to, its first joint is
// moved.
func BindByName(clip *Clip, from, to *Skeleton) (bound *Clip, unbound []string) {
	index := make(map[string]int32, to.Len())
	for j := to.Len() - 1; j >= 0; j-- {
		index[to.Names[j]] = int32(j)
	}
	delete(index, "")
	c := clip.With(nil)
	c.Root, c.Properties = nil, nil
	type slot struct {
		joint int32
		path  Path
	}
	taken := make(map[slot]bool, len(clip.Tracks))
	for _, tr := range clip.Tracks {
		name := from.Names[tr.Joint]
		j, ok := index[name]
		if begin, end := to.morphs(int(j)); ok && tr.Path == Weights {
			ok = end-begin == tr.Width
		}
		if !ok || taken[slot{j, tr.Path}] {
			if !slices.Contains(unbound, name) {
				unbound = append(unbound, name)
			}
			continue
		}
		taken[slot{j, tr.Path}] = true
		tr.Joint = j
		c.Tracks = append(c.Tracks, tr)
	}
	slices.SortFunc(c.Tracks, func(a, b Track) int {
		return cmp.Or(cmp.Compare(a.Joint, b.Joint), cmp.Compare(a.Path, b.Path))
	})
	if r := clip.Root; r != nil {
		name := from.Names[r.Joint]
		j, ok := index[name]
		if ok {
			moving, err := ExtractRoot(c, to, j, r.RootAxes)
			if ok = err == nil; ok {
				c = moving
			}
		}
		if !ok && !slices.Contains(unbound, name) {
			unbound = append(unbound, name)
		}
	}
	return c, unbound
}
