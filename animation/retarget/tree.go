package retarget

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// pairTrees pairs two skeletons of no body and no common names: chain with chain,
// where a chain forks each branch with the one that goes off most alike.
func (m *Map) pairTrees() error {
	s, t := m.Source, m.Target
	x := &trees{m: m, a: newTree(s), b: newTree(t), paired: [2]map[int32]bool{{}, {}}}
	x.pair(s.Hips, t.Hips)
	if n, all := len(m.Pairs), min(x.a.size[s.Hips], x.b.size[t.Hips]); 2*n <= all {
		return fmt.Errorf("%w: only %d of %d joints match by hierarchy and place, and no person was found in either; pair them by hand in a map file", ErrMap, n, all)
	}
	return nil
}

type trees struct {
	m      *Map
	a, b   tree
	paired [2]map[int32]bool
}

// tree is a rig's hierarchy from above.
type tree struct {
	frame
	below [][]int32 // by joint its children, those with most below them first
	size  []int     // by joint how many there are below it and itself
}

func newTree(r *Rig) tree {
	n := r.Skeleton.Len()
	x := tree{frame: r.now(), below: make([][]int32, n), size: make([]int, n)}
	for j := n - 1; j >= 0; j-- {
		x.size[j]++
		if p := r.Skeleton.Parents[j]; p >= 0 {
			x.size[p] += x.size[j]
			x.below[p] = append(x.below[p], int32(j))
		}
	}
	for _, kids := range x.below {
		slices.SortStableFunc(kids, func(a, b int32) int { return x.size[b] - x.size[a] })
	}
	return x
}

// maxForks bounds how many branches of a fork are looked at, the largest ones.
const maxForks = 64

// chain goes down from a joint as long as there is one way.
func (x *tree) chain(j int32) (links, forks []int32) {
	for {
		links = append(links, j)
		forks = x.below[j]
		if len(forks) != 1 {
			return links, forks[:min(len(forks), maxForks)]
		}
		j = forks[0]
	}
}

func (x *trees) pair(i, j int32) {
	u, forksU := x.a.chain(i)
	v, forksV := x.b.chain(j)
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
			p, q := float32(x.a.size[i]), float32(x.b.size[j])
			choices = append(choices, choice{i, j, like + min(p, q)/max(p, q)})
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(b.like, a.like) })
	for _, c := range choices {
		if c.like > 1 && !x.paired[0][c.i] && !x.paired[1][c.j] {
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
	for ja, jb := range inOrder(along(x.a.at, u), along(x.b.at, v), false) {
		x.paired[0][u[ja]], x.paired[1][v[jb]] = true, true
		x.m.Pairs = append(x.m.Pairs, Pair{u[ja], v[jb], "", 0.6, "position"})
	}
}
