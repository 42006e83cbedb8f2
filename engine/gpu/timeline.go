package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// timeline orders all submissions of a queue: each signals the next value of one semaphore. The structures that a
// submission points to are made once, in C memory, so that submitting allocates nothing.
type timeline struct {
	semaphore vk.Semaphore
	submitted uint64 // the value that the latest submission signals

	arena    vk.Arena
	wait     *vk.SemaphoreWaitInfo
	value    *uint64
	submits  []vk.SubmitInfo2 // one
	commands []vk.CommandBufferSubmitInfo
	signals  []vk.SemaphoreSubmitInfo // the timeline, and a present semaphore
	waits    []vk.SemaphoreSubmitInfo // the acquired image, and values of timelines
}

// reached is a moment in a queue's work: the end of the submission that signals the value.
type reached struct {
	queue framegraph.Queue
	value uint64
}

// maxWaits is the acquired image and, for each queue, what a plan and what an upload ask for.
const maxWaits = 1 + 2*queueCount

func (t *timeline) open(d *Device, name string) error {
	a := &t.arena
	kind := vk.New[vk.SemaphoreTypeCreateInfo](a)
	kind.SemaphoreType = vk.SEMAPHORE_TYPE_TIMELINE
	info := vk.New[vk.SemaphoreCreateInfo](a)
	info.PNext = ptr(kind)
	var err error
	if t.semaphore, err = vk.CreateSemaphore(d.handle, info); err != nil {
		return fmt.Errorf("gpu: making the %s: %w", name, err)
	}
	d.name(vk.OBJECT_TYPE_SEMAPHORE, uint64(t.semaphore), name)
	t.value = vk.Slice(a, uint64(0))
	t.wait = vk.New[vk.SemaphoreWaitInfo](a)
	t.wait.SemaphoreCount = 1
	t.wait.PSemaphores = vk.Slice(a, t.semaphore)
	t.wait.PValues = t.value

	t.room(1)
	t.waits = vk.MakeSlice[vk.SemaphoreSubmitInfo](a, maxWaits)
	for i := range t.waits {
		t.waits[i].Init()
	}
	t.signals = vk.MakeSlice[vk.SemaphoreSubmitInfo](a, 2)
	for i := range t.signals {
		t.signals[i].Init()
		t.signals[i].StageMask = vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT
	}
	t.signals[0].Semaphore = t.semaphore
	t.submits = vk.MakeSlice[vk.SubmitInfo2](a, 1)
	s := &t.submits[0]
	s.Init()
	s.PWaitSemaphoreInfos = &t.waits[0]
	s.PSignalSemaphoreInfos = &t.signals[0]
	return nil
}

// room makes room for n command buffers. What is outgrown stays in the arena: a frame's number of passes seldom grows.
func (t *timeline) room(n int) {
	if n <= len(t.commands) {
		return
	}
	t.commands = vk.MakeSlice[vk.CommandBufferSubmitInfo](&t.arena, max(n, 2*len(t.commands)))
	for i := range t.commands {
		t.commands[i].Init()
	}
}

// send submits command buffers to a queue, in order, after the acquire semaphore where it isn't 0 and what other queues
// reached, and before the present semaphore. It returns the value of the queue's timeline that says it is done.
func (d *Device) send(queue framegraph.Queue, cbs []vk.CommandBuffer, after []reached, acquired, present vk.Semaphore) (uint64, error) {
	q := &d.queues[queue]
	t := &q.timeline
	s := &t.submits[0]
	t.room(len(cbs))
	for i, cb := range cbs {
		t.commands[i].CommandBuffer = cb
	}
	s.CommandBufferInfoCount, s.PCommandBufferInfos = uint32(len(cbs)), &t.commands[0]
	n := 0
	if acquired != 0 {
		t.waits[n].Semaphore, t.waits[n].Value, t.waits[n].StageMask = acquired, 0, vk.PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT
		n++
	}
	for _, r := range after {
		w := &t.waits[n]
		w.Semaphore, w.Value, w.StageMask = d.queues[r.queue].semaphore, r.value, vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT
		n++
		if r.queue == framegraph.GraphicsQueue {
			q.waited = max(q.waited, r.value)
		}
	}
	s.WaitSemaphoreInfoCount = uint32(n)
	t.signals[0].Value = t.submitted + 1
	s.SignalSemaphoreInfoCount = 1
	if present != 0 {
		t.signals[1].Semaphore = present
		s.SignalSemaphoreInfoCount = 2
	}
	if err := vk.QueueSubmit2(q.handle, t.submits, 0); err != nil {
		d.drain()
		return 0, fmt.Errorf("gpu: submitting work: %w", d.check(err))
	}
	t.submitted++
	d.drain()
	return t.submitted, nil
}

// waitFor the graphics queue's timeline to reach a value. A frame ends on that queue when all others are done.
func (d *Device) waitFor(value uint64) error {
	if value == 0 {
		return nil
	}
	const patience = 60e9 // nanoseconds; software devices may be slow, and a hang must end
	t := &d.queues[framegraph.GraphicsQueue].timeline
	*t.value = value
	res, err := vk.WaitSemaphores(d.handle, t.wait, patience)
	if err != nil {
		return fmt.Errorf("gpu: waiting for the device: %w", d.check(err))
	}
	if res == vk.TIMEOUT {
		return fmt.Errorf("gpu: the device did not finish within 60 s; look for an endless loop in a shader: %w", ErrDeviceLost)
	}
	return nil
}

func (t *timeline) close(d *Device) {
	if t.semaphore != 0 {
		vk.DestroySemaphore(d.handle, t.semaphore)
		t.semaphore = 0
	}
	t.arena.Free()
}
