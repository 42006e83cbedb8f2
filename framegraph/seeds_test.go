package framegraph_test

import (
	"fmt"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
)

// allOptions is each optimisation on and off.
func allOptions() []fg.Caps {
	var out []fg.Caps
	for i := range 16 {
		out = append(out, fg.Caps{Options: fg.Options{NoCull: i&1 != 0, NoReorder: i&2 != 0, NoMerge: i&4 != 0, NoAlias: i&8 != 0}})
	}
	for _, c := range []fg.Caps{{AsyncCompute: true}, {AsyncTransfer: true}, {AsyncCompute: true, AsyncTransfer: true}} {
		out = append(out, c)
		c.Options.NoReorder = true
		out = append(out, c)
	}
	for _, o := range []fg.Options{{}, {NoCull: true}, {NoAlias: true}, {NoMerge: true, NoReorder: true}} {
		out = append(out, fg.Caps{UnifiedLayouts: true, Options: o})
	}
	return append(out, fg.Caps{UnifiedLayouts: true, AsyncCompute: true})
}

// seeds are the random graphs to try: FRAMEGRAPH_SEEDS of them, or few enough for every run, from FRAMEGRAPH_FROM on.
func seeds(few uint64) iter.Seq[uint64] {
	from, until := seedRange(few)
	return func(yield func(uint64) bool) {
		for seed := from; seed < until && yield(seed); seed++ {
		}
	}
}

func seedRange(few uint64) (from, until uint64) {
	from, _ = strconv.ParseUint(os.Getenv("FRAMEGRAPH_FROM"), 10, 64)
	if n, err := strconv.ParseUint(os.Getenv("FRAMEGRAPH_SEEDS"), 10, 64); err == nil {
		few = n
	}
	return from, from + few
}

// eachSeed tries seeds on all processors, with a graph for each of those, and reports what try finds wrong with the first that it
// finds anything wrong with.
func eachSeed(t *testing.T, few uint64, try func(g *fg.Graph, seed uint64) []string) {
	t.Helper()
	// Checking a plan leaves much garbage and keeps little: collected less often, the processors hold each other up less.
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	from, until := seedRange(few)
	var next, failed atomic.Uint64 // failed: the first seed of those
	next.Store(from)
	failed.Store(until)
	var mu sync.Mutex
	var wrong []string
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			g := fg.New()
			for {
				seed := next.Add(1) - 1
				if seed >= failed.Load() {
					return
				}
				if list := try(g, seed); len(list) > 0 {
					mu.Lock()
					if seed < failed.Load() {
						failed.Store(seed)
						wrong = list
					}
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	for _, s := range wrong {
		t.Errorf("seed %d: %s", failed.Load(), s)
	}
}

// compiled is compile for a goroutine that isn't the test's.
func compiled(g *fg.Graph, caps fg.Caps) (*fg.Plan, []string) {
	p, err := g.Compile(caps)
	if err != nil {
		return nil, []string{err.Error()}
	}
	return p, nil
}

// with is how findings tell the capabilities.
func with(caps fg.Caps, x any) string {
	return fmt.Sprintf("%+v, queues %v %v, unified %v: %v", caps.Options, caps.AsyncCompute, caps.AsyncTransfer, caps.UnifiedLayouts, x)
}
