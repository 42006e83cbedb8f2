package retarget

import (
	"fmt"
	"slices"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// pairTrees pairs two skeletons of no body and no common names: chain with chain,
// where a chain forks each branch with the one that goes off most alike.
func (m *Map) pairTrees() error {
	s, t := m.Source, m.Target
	x := &trees{m: m, a: s.now(), b: t.now()}
	x.pair(s.Hips, t.Hips)
	if n, all := len(m.Pairs), min(x.count(s, s.Hips), x.count(t, t.Hips)); 2*n <= all {
		return fmt.Errorf("%w: only %d of %d joints match by hierarchy and place, and no person was found in either; pair them by hand in a map file", ErrMap, n, all)
	}
	return nil
}

type trees struct {
	m    *Map
	a, b frame
}

func (x *trees) count(r *Rig, top int32) (n int) {
	for j := range r.Skeleton.Parents {
		if below(r.Skeleton, int32(j), top) {
			n++
		}
	}
	return n
}

func children(r *Rig, j int32) (out []int32) {
	for k, p := range r.Skeleton.Parents {
		if p == j {
			out = append(out, int32(k))
		}
	}
	return out
}

// chain goes down from a joint as long as there is one way.
func chain(r *Rig, j int32) (links, forks []int32) {
	for {
		links = append(links, j)
		forks = children(r, j)
		if len(forks) != 1 {
			return links, forks
		}
		j = forks[0]
	}
}

func (x *trees) pair(i, j int32) {
	s, t := x.m.Source, x.m.Target
	u, forksU := chain(s, i)
	v, forksV := chain(t, j)
	x.links(u, v)
	endU, endV := u[len(u)-1], v[len(v)-1]
	type choice struct {
		i, j int32
		like float32
	}
	var choices []choice
	for _, i := range forksU {
		for _, j := range forksV {
			d := x.a.at[i].Sub(x.a.at[endU])
			e := x.b.at[j].Sub(x.b.at[endV])
			like := float32(0.6)
			if d.Len() > 1e-6 && e.Len() > 1e-6 {
				like = d.Normalize().Dot(e.Normalize())
			}
			p, q := float32(x.count(s, i)), float32(x.count(t, j))
			choices = append(choices, choice{i, j, like + min(p, q)/max(p, q)})
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int {
		switch {
		case a.like > b.like:
			return -1
		case a.like < b.like:
			return 1
		}
		return 0
	})
	for _, c := range choices {
		if c.like > 1 && !x.m.pairedSource(c.i) && !x.m.paired(c.j) {
			x.pair(c.i, c.j)
		}
	}
}

// links pairs two chains by the part of the way at which links lie.
func (x *trees) links(u, v []int32) {
	along := func(at []mgl32.Vec3, links []int32) []float32 {
		out := make([]float32, len(links))
		for i := 1; i < len(links); i++ {
			out[i] = out[i-1] + at[links[i]].Sub(at[links[i-1]]).Len()
		}
		if n := out[len(out)-1]; n > 0 {
			for i := range out {
				out[i] /= n
			}
		}
		return out
	}
	p, q := along(x.a.at, u), along(x.b.at, v)
	swap := len(p) > len(q)
	if swap {
		p, q = q, p
	}
	at := 0
	for i := range p {
		best := at
		for k := at; k <= len(q)-(len(p)-i); k++ {
			d, e := q[k]-p[i], q[best]-p[i]
			if max(d, -d) < max(e, -e) {
				best = k
			}
		}
		ja, jb := i, best
		if swap {
			ja, jb = best, i
		}
		x.m.add(u[ja], v[jb], "", 0.6, "position")
		at = best + 1
	}
}
