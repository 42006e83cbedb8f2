package gpu

import (
	"fmt"
	"slices"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// lane is what a frame records for one queue until the next submission begins.
type lane struct {
	pool  vk.CommandPool
	all   []vk.CommandBuffer // of the pool
	used  int                // of them, in this frame
	cb    vk.CommandBuffer   // being recorded; 0 where none is
	ended []vk.CommandBuffer // recorded; they run before cb
	links []link
	steps []int // of the plan
}

// link is what a submission waits for: another of the frame, or where that is −1 a moment before.
type link struct {
	submission int
	reached    reached
}

// submission is one of a frame, with its places in the frame's lists.
type submission struct {
	queue               framegraph.Queue
	cbs, reached, steps [2]int
	links               [2]int
	value               uint64 // that it signals, once it is sent
}

// outgoing is what a frame submits, in order. Each queue's own are in its order, and none stands before what it waits for: so
// queues that are really one cannot block each other.
type outgoing struct {
	submissions []submission
	cbs         []vk.CommandBuffer
	links       []link
	reached     []reached
	steps       []int
}

func (o *outgoing) reset() {
	o.submissions, o.cbs, o.links, o.reached, o.steps = o.submissions[:0], o.cbs[:0], o.links[:0], o.reached[:0], o.steps[:0]
}

// open is the command buffer that a queue's commands are recorded into.
func (f *Frame) open(q framegraph.Queue) (vk.CommandBuffer, error) {
	l := &f.lanes[q]
	if l.cb != 0 {
		return l.cb, nil
	}
	if l.used == len(l.all) {
		name := fmt.Sprintf("frame %d of %d", f.slot+1, framesInFlight)
		if q != framegraph.GraphicsQueue {
			name += ", " + q.String()
		}
		pool, cb, err := l.pool, vk.CommandBuffer(0), error(nil)
		if pool == 0 {
			pool, cb, err = f.d.newCommandBuffer(q, name)
		} else {
			cb, err = f.d.commandBuffer(pool, name)
		}
		if err != nil {
			return 0, err
		}
		l.pool, l.all = pool, append(l.all, cb)
	}
	cb := l.all[l.used]
	if err := f.d.begin(cb); err != nil {
		return 0, err
	}
	l.used++
	l.cb = cb
	return cb, nil
}

// add lets a command buffer recorded elsewhere run behind what the queue has; 0: ends what is being recorded.
func (f *Frame) add(q framegraph.Queue, cb vk.CommandBuffer) error {
	l := &f.lanes[q]
	if l.cb != 0 {
		if err := vk.EndCommandBuffer(l.cb); err != nil {
			f.d.drain()
			return fmt.Errorf("gpu: ending the frame's commands: %w", f.d.check(err))
		}
		l.ended, l.cb = append(l.ended, l.cb), 0
	}
	if cb != 0 {
		l.ended = append(l.ended, cb)
	}
	return nil
}

// cut ends a queue's submission and says which one it is.
func (f *Frame) cut(q framegraph.Queue) (int, error) {
	if err := f.add(q, 0); err != nil {
		return 0, err
	}
	l, o := &f.lanes[q], &f.out
	s := submission{queue: q}
	s.cbs, o.cbs = appended(o.cbs, l.ended)
	s.links, o.links = appended(o.links, l.links)
	s.steps, o.steps = appended(o.steps, l.steps)
	o.submissions = append(o.submissions, s)
	l.ended, l.links, l.steps = l.ended[:0], l.links[:0], l.steps[:0]
	return len(o.submissions) - 1, nil
}

func appended[T any](to, what []T) ([2]int, []T) {
	return [2]int{len(to), len(to) + len(what)}, append(to, what...)
}

// after makes what a queue gets from now on wait.
func (f *Frame) after(q framegraph.Queue, links []link) error {
	if len(links) == 0 {
		return nil
	}
	l := &f.lanes[q]
	if l.cb != 0 || len(l.ended) > 0 {
		if _, err := f.cut(q); err != nil {
			return err
		}
	}
	l.links = append(l.links, links...)
	return nil
}

// restart forgets what was recorded.
func (f *Frame) restart() error {
	f.out.reset()
	for q := range f.lanes {
		l := &f.lanes[q]
		if l.pool != 0 {
			if err := vk.ResetCommandPool(f.d.handle, l.pool, 0); err != nil {
				return fmt.Errorf("gpu: resetting a command pool: %w", f.d.check(err))
			}
		}
		l.cb, l.used, l.ended, l.links, l.steps = 0, 0, l.ended[:0], l.links[:0], l.steps[:0]
	}
	return nil
}

// submit sends all that is recorded. The image is acquired before the graphics queue's first submission and can be presented
// after its last, which is the frame's last.
func (f *Frame) submit(present vk.Semaphore) error {
	if _, err := f.cut(framegraph.GraphicsQueue); err != nil {
		return err
	}
	o := &f.out
	for i := range o.submissions {
		if err := f.sendOne(i, present); err != nil {
			if i > 0 {
				vk.DeviceWaitIdle(f.d.handle) // nothing else says when the others are done
			}
			return err
		}
	}
	f.value = o.submissions[len(o.submissions)-1].value
	f.d.ended = f.value
	return nil
}

func (f *Frame) sendOne(i int, present vk.Semaphore) error {
	d, o := f.d, &f.out
	s := &o.submissions[i]
	first := len(o.reached)
	for _, l := range o.links[s.links[0]:s.links[1]] {
		r := l.reached
		if l.submission >= 0 {
			r = reached{o.submissions[l.submission].queue, o.submissions[l.submission].value}
		}
		if r.value > 0 { // 0: before the first frame
			o.reached = join(o.reached, first, r)
		}
	}
	var acquired vk.Semaphore
	switch {
	case s.queue != framegraph.GraphicsQueue:
		// What the processor saw finished on the graphics queue, as uploads, still has to be made visible here.
		if up := d.once.value; up > d.queues[s.queue].waited {
			o.reached = join(o.reached, first, reached{framegraph.GraphicsQueue, up})
		}
		present = 0
	case f.waits:
		acquired = f.acquire
	}
	if i < len(o.submissions)-1 {
		present = 0
	}
	s.reached = [2]int{first, len(o.reached)}
	var err error
	s.value, err = d.send(s.queue, o.cbs[s.cbs[0]:s.cbs[1]], o.reached[first:], acquired, present)
	if err == nil && acquired != 0 {
		f.waits = false
	}
	return err
}

// join adds what to wait for to a list from first on: of each queue the latest moment is enough.
func join(list []reached, first int, r reached) []reached {
	for i := first; i < len(list); i++ {
		if list[i].queue == r.queue {
			list[i].value = max(list[i].value, r.value)
			return list
		}
	}
	return append(list, r)
}

// Submission is one call of vkQueueSubmit2 that a frame was sent with.
type Submission struct {
	Queue framegraph.Queue
	Steps []int // of the plan, in the order recorded; none in what only ends the frame
	Waits []Reached
	Value uint64 // that it signals of its queue's timeline
}

// Reached is a value of a queue's timeline.
type Reached struct {
	Queue framegraph.Queue
	Value uint64
}

// Submissions of the latest frame that was ended, in the order they were made, for tests and tools. The last one ends the
// frame. When [Serialised] only the last is known.
func (d *Device) Submissions() []Submission {
	if d.frameNo == 0 || d.current != nil {
		return nil
	}
	o := &d.frames[(d.frameNo-1)%framesInFlight].out
	out := make([]Submission, len(o.submissions))
	for i := range o.submissions {
		s := &o.submissions[i]
		out[i] = Submission{Queue: s.queue, Value: s.value, Steps: slices.Clone(o.steps[s.steps[0]:s.steps[1]])}
		for _, r := range o.reached[s.reached[0]:s.reached[1]] {
			out[i].Waits = append(out[i].Waits, Reached{r.queue, r.value})
		}
	}
	return out
}
