package gpu

import (
	"fmt"
	"os"
	"slices"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// QueueUse says which queues [Open] makes beside the graphics queue, for passes that are declared with Builder.Async.
type QueueUse uint8

const (
	// OwnQueues takes a compute and a transfer queue where the device has them.
	OwnQueues QueueUse = iota
	// OneQueue does all on the graphics queue.
	OneQueue
	// SplitQueues has queues of its own for whichever the device lacks: they take turns on its graphics queue. Nothing is
	// gained; but all that several queues need is done, and can be tried on any device.
	SplitQueues
)

const queueCount = int(framegraph.TransferQueue) + 1

// queue is one that plans are submitted to, see framegraph.Queue.
type queue struct {
	timeline
	queuePlace
	handle vk.Queue
	waited uint64 // the value of the graphics queue's timeline that it has waited for
}

// queuePlace is where among a device's queues one is.
type queuePlace struct {
	opened        bool
	family, index uint32
	stamps        bool // it writes timestamps that compare with the graphics queue's
	pretended     bool // it is the graphics queue under another name
}

// queueFamily is what the choice of queues needs to know of a family.
type queueFamily struct {
	flags    vk.QueueFlags
	count    uint32
	stamps   uint32 // valid bits of a timestamp
	presents bool
}

const graphicsAndCompute = vk.QUEUE_GRAPHICS_BIT | vk.QUEUE_COMPUTE_BIT

// placeQueues chooses a device's queues; the first of them isn't open where no family can draw, dispatch and present. For
// compute a family without graphics comes first: it is what runs beside graphics on most devices; then any other family that
// dispatches, then a second queue of the graphics family. For transfers only a family that does nothing else is taken: that
// is the copy engine, and others gain nothing. What a video or another engine copies with is left alone.
func placeQueues(families []queueFamily, use QueueUse) (out [queueCount]queuePlace) {
	graphics := slices.IndexFunc(families, func(f queueFamily) bool {
		return f.flags&graphicsAndCompute == graphicsAndCompute && f.presents && f.count > 0
	})
	if graphics < 0 {
		return out
	}
	at := func(family, index int) queuePlace {
		f := &families[family]
		return queuePlace{opened: true, family: uint32(family), index: uint32(index), stamps: f.stamps > 0 && f.stamps == families[graphics].stamps}
	}
	g := &out[framegraph.GraphicsQueue]
	*g = at(graphics, 0)
	if use == OneQueue {
		return out
	}
	compute, best := -1, 0
	for i := range families {
		f := &families[i]
		if i == graphics || f.count == 0 || f.flags&vk.QUEUE_COMPUTE_BIT == 0 {
			continue
		}
		rank := 1
		if f.flags&vk.QUEUE_GRAPHICS_BIT == 0 {
			rank = 2
		}
		if rank > best {
			compute, best = i, rank
		}
	}
	switch {
	case compute >= 0:
		out[framegraph.ComputeQueue] = at(compute, 0)
	case families[graphics].count > 1:
		out[framegraph.ComputeQueue] = at(graphics, 1)
	}
	const plain = vk.QUEUE_TRANSFER_BIT | vk.QUEUE_SPARSE_BINDING_BIT | vk.QUEUE_PROTECTED_BIT
	for i := range families {
		if f := &families[i]; f.count > 0 && f.flags&vk.QUEUE_TRANSFER_BIT != 0 && f.flags&^plain == 0 {
			out[framegraph.TransferQueue] = at(i, 0)
			break
		}
	}
	if use == SplitQueues {
		for q := range out {
			if !out[q].opened {
				out[q] = *g
				out[q].pretended = true
			}
		}
	}
	return out
}

// queueUse is what the options ask for, or else the environment.
func (o *Options) queueUse() (QueueUse, error) {
	if o.Queues != OwnQueues {
		return o.Queues, nil
	}
	switch asked := os.Getenv("BINDPOSE_QUEUES"); asked {
	case "", "own":
		return OwnQueues, nil
	case "one":
		return OneQueue, nil
	case "split":
		return SplitQueues, nil
	default:
		return 0, fmt.Errorf("gpu: BINDPOSE_QUEUES=%s: it is own, one or split", asked)
	}
}

// families that the queues are of, each once.
func (d *Device) familiesInUse() []uint32 {
	var out []uint32
	for q := range d.queues {
		if p := &d.queues[q]; p.opened && !slices.Contains(out, p.family) {
			out = append(out, p.family)
		}
	}
	return out
}

// queueInfos ask for the queues: one structure a family.
func (d *Device) queueInfos(a *vk.Arena) []vk.DeviceQueueCreateInfo {
	used := d.familiesInUse()
	infos := vk.MakeSlice[vk.DeviceQueueCreateInfo](a, len(used))
	for i, family := range used {
		n := uint32(1)
		for q := range d.queues {
			if p := &d.queues[q]; p.opened && p.family == family {
				n = max(n, p.index+1)
			}
		}
		infos[i].Init()
		infos[i].QueueFamilyIndex, infos[i].QueueCount = family, n
		priorities := vk.MakeSlice[float32](a, int(n))
		for j := range priorities {
			priorities[j] = 1
		}
		infos[i].PQueuePriorities = &priorities[0]
	}
	return infos
}

// openQueues finds the queues of the open device and gives each its timeline.
func (d *Device) openQueues() error {
	for q := range d.queues {
		x := &d.queues[q]
		if !x.opened {
			continue
		}
		x.handle = vk.GetDeviceQueue(d.handle, x.family, x.index)
		if err := x.timeline.open(d, framegraph.Queue(q).String()+" timeline"); err != nil {
			return err
		}
	}
	if used := d.familiesInUse(); len(used) > 1 {
		d.sharers = vk.MakeSlice[uint32](&d.sharersArena, len(used))
		copy(d.sharers, used)
	}
	return nil
}

// Queues says which queues plans are submitted to, by framegraph.Queue.
func (d *Device) Queues() (open [queueCount]bool) {
	for q := range d.queues {
		open[q] = d.queues[q].opened
	}
	return open
}

// several says whether a plan uses other queues than the graphics queue, and whether the device has them.
func (d *Device) several(p *framegraph.Plan) (bool, error) {
	several := false
	for i := range p.Steps {
		if q := p.Steps[i].Queue; q != framegraph.GraphicsQueue {
			if int(q) >= queueCount || !d.queues[q].opened {
				return false, fmt.Errorf("pass %s: gpu: the plan puts it on the %s queue, which this device wasn't opened with: compile the graph with Device.Caps", p.Steps[i].Name, q)
			}
			several = true
		}
	}
	return several, nil
}

// crossing is how a barrier that takes an image from one queue to another is recorded. Where both are of one family, no
// ownership changes: the semaphore orders the two and the second half changes the layout, as any barrier does.
func crossing(from, to uint32, release bool) (src, dst uint32, record bool) {
	if from == to {
		return vk.QUEUE_FAMILY_IGNORED, vk.QUEUE_FAMILY_IGNORED, !release
	}
	return from, to, true
}

// sharing of a resource that several queue families may use at once.
func (d *Device) sharing(shared bool) (mode vk.SharingMode, count uint32, families *uint32) {
	if !shared || len(d.sharers) == 0 {
		return vk.SHARING_MODE_EXCLUSIVE, 0, nil
	}
	return vk.SHARING_MODE_CONCURRENT, uint32(len(d.sharers)), &d.sharers[0]
}
