package blendspace

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol }

func TestLineByHand(t *testing.T) {
	l, err := NewLine([]float32{4, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    float32
		want []Weight
	}{
		{-1, []Weight{{1, 1}}}, {0, []Weight{{1, 1}}}, {0.25, []Weight{{1, 0.75}, {2, 0.25}}},
		{1, []Weight{{2, 1}}}, {2.5, []Weight{{2, 0.5}, {0, 0.5}}}, {4, []Weight{{0, 1}}}, {9, []Weight{{0, 1}}},
		{float32(math.NaN()), []Weight{{1, 1}}},
	} {
		if got := l.Weights(c.x, nil); !slices.Equal(got, c.want) {
			t.Errorf("at %v: %v, want %v", c.x, got, c.want)
		}
	}
	for _, bad := range [][]float32{nil, {1, 1}, {float32(math.Inf(1))}} {
		if _, err := NewLine(bad); !errors.Is(err, ErrSamples) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func mustPlane(t testing.TB, at []Point) *Plane {
	t.Helper()
	p, err := NewPlane(at)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sets are point sets that triangulations trip over.
func sets() map[string][]Point {
	r := rand.New(rand.NewPCG(1, 1))
	out := map[string][]Point{
		"one":       {{1, 2}},
		"two":       {{0, 0}, {1, 1}},
		"line":      {{0, 0}, {0.1, 0.1}, {0.2, 0.2}, {3, 3}},
		"upright":   {{1, 0}, {1, 1}, {1, -1}},
		"square":    {{0, 0}, {1, 0}, {0, 1}, {1, 1}},
		"star":      {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}},
		"line, off": {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, -1}},
	}
	for i := range 5 {
		for j := range 5 {
			out["grid"] = append(out["grid"], Point{float32(i), float32(j)})
		}
	}
	for i := range 12 {
		a := 2 * math.Pi * float64(i) / 12
		out["circle"] = append(out["circle"], Point{float32(math.Cos(a)), float32(math.Sin(a))})
	}
	for range 30 {
		out["random"] = append(out["random"], Point{r.Float32(), r.Float32()})
		out["thin"] = append(out["thin"], Point{1e6 * r.Float32(), 1e-6 * r.Float32()})
	}
	return out
}

// The triangulation against its definition: all of the hull is covered once, and
// no circle holds a point.
func TestPlaneIsDelaunay(t *testing.T) {
	for name, at := range sets() {
		p := mustPlane(t, at)
		var area, hull float64
		e := make([]exact, len(at))
		for i := range at {
			e[i] = exactly(at[i])
		}
		used := map[int]bool{}
		for _, tri := range p.Triangles() {
			a, b, c := at[tri[0]], at[tri[1]], at[tri[2]]
			if orient(e[tri[0]], e[tri[1]], e[tri[2]]) <= 0 {
				t.Errorf("%s: %v is not counter-clockwise", name, tri)
			}
			area += cross(a, b, float64(c[0]), float64(c[1]))
			for i := range at {
				if inCircle(e[tri[0]], e[tri[1]], e[tri[2]], e[i]) {
					t.Errorf("%s: the circle of %v holds %d", name, tri, i)
				}
			}
			used[tri[0]], used[tri[1]], used[tri[2]] = true, true, true
		}
		if len(p.triangles) == 0 {
			continue
		}
		for _, h := range p.hull {
			a, b := p.points[h[0]], p.points[h[1]]
			hull += float64(a[0])*float64(b[1]) - float64(b[0])*float64(a[1])
		}
		if !near(area, hull, 1e-6*hull) || len(used) != len(at) {
			t.Errorf("%s: the triangles cover %v of %v, and %d of %d points", name, area, hull, len(used), len(at))
		}
	}
}

// Weights are at least 0, add up to 1, put a sample alone at its own point, give
// the point back as their mean within the hull, and do not jump.
func TestPlaneWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for name, at := range sets() {
		p := mustPlane(t, at)
		lo, hi := at[0], at[0]
		for i, x := range at {
			got := p.Weights(x, nil)
			for _, w := range got {
				if (w.At == i) != (w.W > 0.999) && w.W > 1e-3 {
					t.Errorf("%s: at sample %d: %v", name, i, got)
				}
			}
			for c := range x {
				lo[c], hi[c] = min(lo[c], x[c]), max(hi[c], x[c])
			}
		}
		all := func(x Point) []float64 {
			out := make([]float64, len(at))
			var sum float64
			for _, w := range p.Weights(x, nil) {
				if !(w.W >= 0) {
					t.Fatalf("%s: weight %v", name, w)
				}
				out[w.At] += float64(w.W)
				sum += float64(w.W)
			}
			if !near(sum, 1, 1e-5) {
				t.Fatalf("%s at %v: weights add up to %v", name, x, sum)
			}
			return out
		}
		for range 300 {
			x := Point{lo[0] + (hi[0]-lo[0])*(1.4*r.Float32()-0.2), lo[1] + (hi[1]-lo[1])*(1.4*r.Float32()-0.2)}
			a := all(x)
			b := all(Point{x[0] + 1e-5*(hi[0]-lo[0]), x[1]})
			for i := range a {
				if math.Abs(a[i]-b[i]) > 0.02 && name != "thin" {
					t.Errorf("%s: weight %d jumps from %v to %v at %v", name, i, a[i], b[i], x)
				}
			}
		}
	}
	p := mustPlane(t, []Point{{0, 0}, {1, 0}, {0, 1}})
	got := p.Weights(Point{0.25, 0.5}, nil)
	var x, y float32
	for _, w := range got {
		x += w.W * [...]float32{0, 1, 0}[w.At]
		y += w.W * [...]float32{0, 0, 1}[w.At]
	}
	if !near(float64(x), 0.25, 1e-6) || !near(float64(y), 0.5, 1e-6) {
		t.Errorf("the mean of %v is %v, %v", got, x, y)
	}
}

func TestPlaneDoesNotDependOnTheOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for name, at := range sets() {
		p := mustPlane(t, at)
		order := r.Perm(len(at))
		shuffled := make([]Point, len(at))
		for i, o := range order {
			shuffled[i] = at[o]
		}
		q := mustPlane(t, shuffled)
		for range 50 {
			x := Point{3*r.Float32() - 1, 3*r.Float32() - 1}
			a, b := p.Weights(x, nil), q.Weights(x, nil)
			for i := range b {
				b[i].At = order[b[i].At]
			}
			if !slices.Equal(a, b) {
				t.Errorf("%s at %v: %v, shuffled %v", name, x, a, b)
			}
		}
	}
}

func TestPlaneRefuses(t *testing.T) {
	for _, bad := range [][]Point{nil, {{1, 2}, {1, 2}}, {{float32(math.NaN()), 0}}, make([]Point, MaxSamples+1)} {
		if _, err := NewPlane(bad); !errors.Is(err, ErrSamples) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestWeightsAllocateNothing(t *testing.T) {
	p := mustPlane(t, sets()["grid"])
	buffer := make([]Weight, 0, 3)
	if n := testing.AllocsPerRun(100, func() { buffer = p.Weights(Point{1.3, 2.2}, buffer[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A walk of 30 frames and a jog of 24, whose feet fall at other fractions.
var (
	lengths = []float32{1, 0.8}
	feet    = [][]Mark{{{"left", 0.1}, {"right", 0.6}}, {{"right", 0.2}, {"left", 0.7}}}
)

func TestSyncKeepsMarksTogether(t *testing.T) {
	s, err := NewSync(lengths, feet)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ phase, walk, jog float64 }{
		{0, 0.1, 0.7}, {1, 0.6, 1.0}, {0.5, 0.35, 0.85}, {2, 1.1, 1.5}, {1.5, 0.85, 1.25}, {-1, -0.4, 0.2}, {3, 1.6, 1.8},
	} {
		if w, j := s.Time(0, c.phase), s.Time(1, c.phase); !near(w, c.walk, 1e-6) || !near(j, c.jog, 1e-6) {
			t.Errorf("phase %v: %v and %v, want %v and %v", c.phase, w, j, c.walk, c.jog)
		}
		for i := range 2 {
			if got := s.Phase(i, s.Time(i, c.phase)); !near(got, c.phase, 1e-6) {
				t.Errorf("phase %v of cycle %d comes back as %v", c.phase, i, got)
			}
		}
	}
}

func TestSyncAdvances(t *testing.T) {
	marked, err := NewSync(lengths, feet)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := NewSync(lengths, nil)
	if err != nil {
		t.Fatal(err)
	}
	half := []Weight{{0, 0.5}, {1, 0.5}}
	for name, s := range map[string]*Sync{"marked": marked, "plain": plain} {
		if l := s.Length(half); !near(l, 0.9, 1e-6) {
			t.Errorf("%s: a round of %v s", name, l)
		}
		for _, back := range []float64{1, -1} {
			for _, dt := range []float64{0.9, 0.01, 0.045, 1.8, 90} {
				phase, now := 0.3, 0.0
				for now < 89.999 {
					phase, now = s.Advance(phase, back*dt, half), now+dt
				}
				if want := 0.3 + back*100*float64(s.Count()); !near(phase, want, 1e-5) {
					t.Errorf("%s: 100 rounds in steps of %v end at phase %v, want %v", name, back*dt, phase, want)
				}
			}
		}
		// A cycle that plays alone runs as it does by itself.
		alone := []Weight{{1, 1}}
		phase := 0.0
		before := s.Time(1, phase)
		for range 33 {
			phase = s.Advance(phase, 0.02, alone)
		}
		if got := s.Time(1, phase) - before; !near(got, 0.66, 1e-6) {
			t.Errorf("%s: alone, 0.66 s took %v s of the clip", name, got)
		}
	}
}

// Half a walk and half a jog must not stumble: the height of a foot, blended, has
// one stance a round. Played without sync it has not, which shows that the test
// can fail.
func TestHalfWalkHalfJogDoesNotStumble(t *testing.T) {
	s, err := NewSync(lengths, [][]Mark{{{"left", 0.1}, {"right", 0.6}}, {{"left", 0.3}, {"right", 0.7}}})
	if err != nil {
		t.Fatal(err)
	}
	// The left foot is down at its mark.
	walk := func(x float64) float64 { return 0.1 * (1 - math.Cos(2*math.Pi*(x-0.1))) }
	jog := func(x float64) float64 { return 0.15 * (1 - math.Cos(2*math.Pi*(x-0.3)/0.8)) }
	half := []Weight{{0, 0.5}, {1, 0.5}}
	const frames = 30 * 60
	phase := 0.0
	var synced, plain []float64
	for f := range frames {
		synced = append(synced, 0.5*walk(s.Time(0, phase))+0.5*jog(s.Time(1, phase)))
		x := float64(f) / 60
		plain = append(plain, 0.5*walk(x)+0.5*jog(x))
		phase = s.Advance(phase, 1.0/60, half)
	}
	stances := func(h []float64) (n int, highest float64) {
		for f := 1; f < len(h)-1; f++ {
			if h[f] < h[f-1] && h[f] <= h[f+1] {
				n++
				highest = max(highest, h[f])
			}
		}
		return n, highest
	}
	rounds := 30 / 0.9
	if n, high := stances(synced); math.Abs(float64(n)-rounds) > 1 || high > 0.005 {
		t.Errorf("%d stances in %.1f rounds, the highest at %.3f m", n, rounds, high)
	}
	if _, high := stances(plain); high < 0.02 {
		t.Errorf("without sync the foot stays down at %.3f m: the test proves nothing", high)
	}
}

func TestSyncRefuses(t *testing.T) {
	for i, bad := range [][][]Mark{
		{feet[0]}, {feet[0], {}}, {feet[0], {{"left", 0.1}, {"left", 0.2}}},
		{feet[0], {{"left", 0.1}, {"right", 0.8}}}, {feet[0], {{"left", 0.1}, {"right", 0.1}}},
	} {
		if _, err := NewSync(lengths, bad); !errors.Is(err, ErrSamples) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if _, err := NewSync([]float32{0}, nil); !errors.Is(err, ErrSamples) {
		t.Error(err)
	}
}

func ExamplePlane() {
	p, _ := NewPlane([]Point{{0, 0}, {0, 2}, {1, 0}}) // stand, walk ahead, step aside
	for _, w := range p.Weights(Point{0.25, 1}, nil) {
		fmt.Println(w.At, w.W)
	}
	// Unordered output:
	// 0 0.25
	// 1 0.5
	// 2 0.25
}
