package gpu

import (
	"github.com/bindpose/bindpose/framegraph"
)

// crossed is what a plan's submissions to several queues are made of. Serialised, each pass is waited for, and all go to the
// graphics queue: then it stays empty.
type crossed struct {
	several   bool
	before    link              // the end of the execution before
	signalled [queueCount][]int // submissions of this execution, in the order of the plan's values
	links     []link            // scratch
}

// queueOf a step is where it is submitted.
func (e *Executor) queueOf(s *framegraph.Step) framegraph.Queue {
	if e.mode == Serialised {
		return framegraph.GraphicsQueue
	}
	return s.Queue
}

// family of a queue of the plan.
func (e *Executor) family(q framegraph.Queue) uint32 {
	if e.mode == Serialised {
		q = framegraph.GraphicsQueue
	}
	return e.d.queues[q].family
}

// graphics has the main recorder record for the graphics queue.
func (e *Executor) graphics(f *Frame) (err error) {
	e.main.cb, err = f.open(framegraph.GraphicsQueue)
	return err
}

// flush runs what is recorded to its end, and has the recorder begin anew.
func (e *Executor) flush(f *Frame) error {
	if err := f.flush(); err != nil {
		return err
	}
	return e.graphics(f)
}

// beginQueues finds the end of the execution before, and where that was another plan's lets all queues wait for it: what they
// rely on is not known of that one.
func (e *Executor) beginQueues(f *Frame, unsettled bool) error {
	c := &e.crossed
	for q := range c.signalled {
		c.signalled[q] = c.signalled[q][:0]
	}
	ran := f.ran
	f.ran = true
	if !c.several || e.mode == Serialised {
		return nil
	}
	c.before = link{-1, reached{framegraph.GraphicsQueue, e.d.ended}}
	if ran {
		s, err := f.cut(framegraph.GraphicsQueue)
		if err != nil {
			return err
		}
		c.before = link{submission: s}
	}
	if !unsettled {
		return nil
	}
	c.links = append(c.links[:0], c.before)
	for q := framegraph.ComputeQueue; int(q) < queueCount; q++ {
		if e.d.queues[q].opened {
			if err := f.after(q, c.links); err != nil {
				return err
			}
		}
	}
	return nil
}

// waits has a step's queue wait for what the plan says.
func (e *Executor) waits(f *Frame, s *framegraph.Step) error {
	if len(s.Waits) == 0 || e.mode == Serialised {
		return nil
	}
	return f.after(s.Queue, e.crossed.linked(s.Waits))
}

// linked finds the submissions that semaphores of the plan stand for.
func (c *crossed) linked(list []framegraph.Semaphore) []link {
	c.links = c.links[:0]
	for _, w := range list {
		if w.Value == 0 {
			c.links = append(c.links, c.before)
			continue
		}
		c.links = append(c.links, link{submission: c.signalled[w.Queue][w.Value-1]})
	}
	return c.links
}

// signals ends a submission behind a step that others wait for.
func (e *Executor) signals(f *Frame, at int, s *framegraph.Step) error {
	if e.mode == Serialised {
		return nil
	}
	f.lanes[s.Queue].steps = append(f.lanes[s.Queue].steps, at)
	if len(s.Signals) == 0 {
		return nil
	}
	i, err := f.cut(s.Queue)
	e.crossed.signalled[s.Queue] = append(e.crossed.signalled[s.Queue], i)
	return err
}

// final ends the plan on the graphics queue: behind what the others did, imported resources get the state they leave in.
func (e *Executor) final(f *Frame, p *framegraph.Plan) error {
	if e.mode == Overlapped && e.crossed.several {
		for q := framegraph.ComputeQueue; int(q) < queueCount; q++ {
			if l := &f.lanes[q]; l.cb != 0 || len(l.ended) > 0 {
				if _, err := f.cut(q); err != nil { // nobody waits for it in this frame
					return err
				}
			}
		}
		if err := f.after(framegraph.GraphicsQueue, e.crossed.linked(p.FinalWaits)); err != nil {
			return err
		}
	}
	if err := e.graphics(f); err != nil {
		return err
	}
	if e.mode == Serialised && len(p.FinalWaits) > 0 {
		e.everything(&e.main)
	}
	if p.Final.Len() > 0 {
		e.barriers(&e.main, &p.Final, false)
	}
	e.main.stream.Replay(e.main.cb)
	e.main.stream.Reset()
	return nil
}
