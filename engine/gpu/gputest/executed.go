package gputest

import (
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// Executed is a plan as a frame really ran it: its steps' waits and signals are those of the submissions, so that
// hazard.Check proves what was done rather than what was meant. before is the value that the frame before ended with. The test
// fails where a step was left out, stands on another queue, or out of its order.
func Executed(t testing.TB, p *framegraph.Plan, submissions []gpu.Submission, before uint64) *framegraph.Plan {
	t.Helper()
	out := *p
	out.Steps, out.FinalWaits = slices.Clone(p.Steps), nil
	for i := range out.Steps {
		out.Steps[i].Waits, out.Steps[i].Signals = nil, nil
	}
	signalled := map[gpu.Reached]uint64{} // the plan's value
	var count [3]uint64
	var carried [3][]framegraph.Semaphore // waits of a submission without steps
	last := [3]int{-1, -1, -1}
	seen := 0
	for i, s := range submissions {
		waits := carried[s.Queue]
		carried[s.Queue] = nil
		for _, w := range s.Waits {
			value, ok := signalled[w]
			switch {
			case ok:
			case w.Queue == framegraph.GraphicsQueue && w.Value >= before && count[framegraph.GraphicsQueue] == 0,
				w.Queue == framegraph.GraphicsQueue && w.Value == before:
				value = 0
			case w.Queue == framegraph.GraphicsQueue && w.Value < before:
				continue // older than the frame before
			default:
				t.Fatalf("submission %d waits for %v, which no earlier one signals", i, w)
			}
			waits = append(waits, framegraph.Semaphore{Queue: w.Queue, Value: value, Stage: framegraph.AllCommands})
		}
		for _, at := range s.Steps {
			if out.Steps[at].Queue != s.Queue || at <= last[s.Queue] {
				t.Errorf("step %s of the %s queue ran on the %s queue behind step %d", out.Steps[at].Name, out.Steps[at].Queue, s.Queue, last[s.Queue])
			}
			last[s.Queue] = at
			seen++
		}
		if len(s.Steps) == 0 {
			if i == len(submissions)-1 {
				out.FinalWaits = waits
			} else {
				carried[s.Queue] = waits
			}
			continue
		}
		count[s.Queue]++
		signalled[gpu.Reached{Queue: s.Queue, Value: s.Value}] = count[s.Queue]
		out.Steps[s.Steps[0]].Waits = waits
		end := &out.Steps[s.Steps[len(s.Steps)-1]]
		end.Signals = []framegraph.Semaphore{{Queue: s.Queue, Value: count[s.Queue], Stage: framegraph.AllCommands}}
	}
	want := 0
	for i := range p.Steps {
		if p.Steps[i].Kind != framegraph.Phase {
			want++
		}
	}
	if seen != want {
		t.Errorf("%d of %d passes were submitted", seen, want)
	}
	return &out
}
