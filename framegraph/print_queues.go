package framegraph

import (
	"fmt"
	"slices"
	"strings"
)

// printedWait is what a pass waits for on another queue.
type printedWait struct {
	Queue string `json:"queue"`
	Pass  string `json:"pass"` // the last that must be done, "" for all of the frame before
}

// printedWaits are semaphores for people.
func (p *Plan) printedWaits(list []Semaphore) []printedWait {
	out := []printedWait{}
	for _, w := range list {
		out = append(out, printedWait{w.Queue.String(), p.signaller(w)})
	}
	return out
}

// signaller is the pass that a semaphore is signalled behind; "" for the frame before.
func (p *Plan) signaller(w Semaphore) string {
	for i := range p.Steps {
		for _, s := range p.Steps[i].Signals {
			if s.Queue == w.Queue && s.Value == w.Value {
				return p.Steps[i].Name
			}
		}
	}
	return ""
}

// several says whether passes run on more than one queue.
func (p *Plan) several() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Queue != GraphicsQueue })
}

// queueLine counts what several queues cost; "" where there is one.
func (p *Plan) queueLine() string {
	if !p.several() {
		return ""
	}
	var on [queueCount]int
	waits := len(p.FinalWaits)
	for i := range p.Steps {
		if s := &p.Steps[i]; s.Kind != Phase {
			on[s.Queue]++
			waits += len(s.Waits)
		}
	}
	var parts []string
	for q, n := range on {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d on the %s queue", n, Queue(q)))
		}
	}
	return fmt.Sprintf("passes: %s; %d waits between queues\n", strings.Join(parts, ", "), waits)
}

// explainQueue says where a pass runs, where it is not simply the graphics queue, and what it waits for there.
func (e *entry) explainQueue(s *strings.Builder, i, at int32) {
	p := &e.plan
	step := &p.Steps[at]
	switch d := &e.passes[i]; {
	case step.Queue != GraphicsQueue:
		fmt.Fprintf(s, "  runs on the %s queue, as it asks to by Async\n", step.Queue)
	case !d.async:
	case !e.key.compute && !(d.kind == Transfer && e.key.copies):
		s.WriteString("  asks by Async for a queue beside the graphics queue; the device has none for it\n")
	case !e.canLeave(d):
		s.WriteString("  asks by Async for a queue beside the graphics queue; it stays, for it uses more than transients, shared buffers and CPU resources\n")
	default:
		s.WriteString("  asks by Async for a queue beside the graphics queue; it stays, for no graphics pass could run meanwhile\n")
	}
	for _, w := range step.Waits {
		if by := p.signaller(w); by != "" {
			fmt.Fprintf(s, "  waits for %q on the %s queue\n", by, w.Queue)
		} else {
			s.WriteString("  waits for the frame before\n")
		}
	}
	for k := range step.After.Images {
		m := &step.After.Images[k]
		fmt.Fprintf(s, "  hands %q to the %s queue\n", e.nameOf(int32(m.Image)), m.To)
	}
}
