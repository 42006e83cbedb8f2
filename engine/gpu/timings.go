package gpu

import (
	"fmt"
	"time"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// Mode says how an [Executor] submits.
type Mode uint8

// The modes.
const (
	ModeAuto   Mode = iota // Serialised on a CPU device, otherwise Overlapped
	Overlapped             // one command buffer a frame, timestamps around each pass
	Serialised             // one submit and wait a pass, timed by the clock
)

func (m Mode) String() string {
	switch m {
	case Overlapped:
		return "overlapped"
	case Serialised:
		return "serialised"
	}
	return "auto"
}

// TimingKind says what a [Timing] measured.
type TimingKind uint8

// The kinds of timings.
const (
	CPUTime TimingKind = iota
	GPUTime
	GapTime // on the device, before the next row: barriers and waiting; when Serialised, all that no row names
)

func (k TimingKind) String() string {
	switch k {
	case CPUTime:
		return "cpu"
	case GPUTime:
		return "gpu"
	}
	return "gap"
}

// Timing is one row of a frame's table, in frame order.
type Timing struct {
	Name       string
	Kind       TimingKind
	Queue      framegraph.Queue // that the pass ran on
	Start      float64          // seconds since Execute began; overlapped, on the device's clock, see [Executor.Clocks]
	Duration   float64          // seconds
	RecordedAt float64          // seconds since Execute began
	Record     float64          // seconds of CPU time in the pass's record closure and the driver's recording
	Draws      int
	Dispatches int
	Triangles  int
	Vertices   int // vertices or indices drawn, instances counted
	Uploaded   int // bytes that the phase or pass wrote into the frame's ring or uploaded
	Barriers   int // before the pass
	// Attachment bytes by the plan, see [framegraph.Plan.Moved].
	Loaded, Stored uint64
	// From the pipeline statistics, where the device has them; otherwise 0. They are counted in one frame of 16, since
	// counting takes some drivers as long as a small frame: these are of the latest frame that was counted.
	VertexInvocations, FragmentInvocations, ComputeInvocations uint64
}

// rows of one frame in flight, and the queries that will complete them.
type rows struct {
	frame   uint64
	timings []Timing
	query   []int32 // of each row; −1: none
	stamps  vk.QueryPool
	stats   vk.QueryPool
	size    int // queries each pool has room for (two timestamps each)
	used    int
	want    int // queries the frame would have used
	pending bool
	counted bool // with pipeline statistics
	hosted  bool // the processor emptied the queries: any queue may write them
	mode    Mode // it was recorded in
	start   time.Time
	end     float64 // seconds since start at which all was recorded
	results []uint64
}

// countEvery is one frame of how many is counted. lavapipe takes 0.2 ms for the statistics of nine passes; a sixteenth of
// that is below a hundredth of any frame.
const countEvery = 16

// invocations of a pass's shaders: vertex, fragment, compute.
type invocations struct {
	pass  string
	count [statCount]uint64
}

const statCount = 3 // vertex, fragment and compute invocations, in that order (Vulkan 1.3 §18.2)

// prepare the rows for a frame: reads the results of the frame before that used them, and makes room for n passes.
func (e *Executor) prepare(f *Frame, n int) *rows {
	r := &e.rows[f.slot]
	if r.frame == f.index+1 {
		r.want += n
	} else {
		if r.pending && !e.o.NoTimings {
			e.collect(r)
		}
		r.frame = f.index + 1
		r.timings, r.query = r.timings[:0], r.query[:0]
		r.used, r.want = 0, n
		r.start = e.start
		r.counted = e.uncounted == 0
		e.uncounted = (e.uncounted + 1) % countEvery
	}
	if e.o.NoTimings {
		r.pending = false
		return r
	}
	if r.want > r.size && r.used == 0 {
		e.growQueries(r, max(r.want, 32))
	}
	if m := min(n, r.size-r.used); m > 0 {
		r.hosted = e.crossed.several && e.mode == Overlapped && e.d.props.Has.hostQueryReset
		if r.stamps != 0 && r.hosted {
			vk.ResetQueryPool(e.d.handle, r.stamps, uint32(2*r.used), uint32(2*m)) // the frame that wrote them is done
		} else if r.stamps != 0 && e.mode == Overlapped {
			f.stream.CmdResetQueryPool(r.stamps, uint32(2*r.used), uint32(2*m))
		}
		if r.stats != 0 && r.counted && r.hosted {
			vk.ResetQueryPool(e.d.handle, r.stats, uint32(r.used), uint32(m))
		} else if r.stats != 0 && r.counted {
			f.stream.CmdResetQueryPool(r.stats, uint32(r.used), uint32(m))
		}
	}
	return r
}

func (e *Executor) growQueries(r *rows, n int) {
	d := e.d
	d.discard(discardQueryPool, uint64(r.stamps), allocation{})
	d.discard(discardQueryPool, uint64(r.stats), allocation{})
	r.stamps, r.stats, r.size = 0, 0, n
	info := vk.QueryPoolCreateInfo{SType: vk.STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO}
	var err error
	if d.props.Has.Timestamps {
		info.QueryType, info.QueryCount = vk.QUERY_TYPE_TIMESTAMP, uint32(2*n)
		if r.stamps, err = vk.CreateQueryPool(d.handle, &info); err != nil {
			r.stamps = 0 // figures are missing, the frame isn't
		}
		d.name(vk.OBJECT_TYPE_QUERY_POOL, uint64(r.stamps), "pass times")
	}
	if d.props.Has.PipelineStatistics {
		info.QueryType, info.QueryCount = vk.QUERY_TYPE_PIPELINE_STATISTICS, uint32(n)
		info.PipelineStatistics = vk.QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
			vk.QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT | vk.QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT
		if r.stats, err = vk.CreateQueryPool(d.handle, &info); err != nil {
			r.stats = 0
		}
		d.name(vk.OBJECT_TYPE_QUERY_POOL, uint64(r.stats), "pass statistics")
	}
	r.results = make([]uint64, max(2, statCount)*n)
}

// phase adds the row of a phase that began at a time and ended now.
func (r *rows) phase(name string, began time.Time, uploaded int) {
	r.timings = append(r.timings, Timing{
		Name: name, Kind: CPUTime, Start: began.Sub(r.start).Seconds(), Duration: time.Since(began).Seconds(), Uploaded: uploaded,
	})
	r.query = append(r.query, -1)
}

// pass adds the row of a pass and gives its query; −1 if there is none left, or it is not to be timed.
func (r *rows) pass(name string, queue framegraph.Queue, timed bool) (row int, query int32) {
	query = -1
	if timed && r.used < r.size {
		query = int32(r.used)
		r.used++
	}
	r.timings = append(r.timings, Timing{Name: name, Kind: GPUTime, Queue: queue})
	r.query = append(r.query, query)
	return len(r.timings) - 1, query
}

// collect completes the rows of a finished frame and publishes them.
func (e *Executor) collect(r *rows) {
	began := time.Now()
	defer func() { e.collecting += time.Since(began) }()
	r.pending = false
	e.latestFrame = r.frame
	d := e.d
	if r.stats != 0 && r.counted && r.used > 0 {
		e.readStatistics(r)
	}
	for i := range r.timings {
		if t := &r.timings[i]; t.Kind == GPUTime {
			c := e.invocations(i, t.Name)
			t.VertexInvocations, t.FragmentInvocations, t.ComputeInvocations = c[0], c[1], c[2]
		}
	}
	e.latest = e.latest[:0]
	if !e.anchored && r.mode == Overlapped {
		e.Calibrate()
	}
	if r.mode == Serialised || r.stamps == 0 || r.used == 0 {
		e.latest = append(e.latest, r.timings...)
		return
	}
	into := r.results[:2*r.used]
	if res, err := vk.GetQueryPoolResults(d.handle, r.stamps, 0, uint32(2*r.used), vk.Bytes(into), 8, vk.QUERY_RESULT_64_BIT); err != nil || res != vk.SUCCESS {
		e.latest = append(e.latest, r.timings...)
		return
	}
	last := uint64(0)
	first := moment{} // the first pass begins when all is recorded where the clocks cannot be compared
	for i := range r.timings {
		t := r.timings[i]
		if q := r.query[i]; q >= 0 {
			begin, end := into[2*q], into[2*q+1]
			if first.ticks == 0 {
				first.ticks = begin
			}
			if t.Queue != framegraph.GraphicsQueue { // it runs beside the rows around it
				t.Start, t.Duration = e.placed(r, &first, begin), d.seconds(begin, end)
				e.latest = append(e.latest, t)
				continue
			}
			if last != 0 {
				if gap := d.seconds(last, begin); gap > 0 && gap < 60 {
					e.latest = append(e.latest, Timing{Name: "gap", Kind: GapTime, Start: e.placed(r, &first, last), Duration: gap})
				}
			}
			t.Start, t.Duration = e.placed(r, &first, begin), d.seconds(begin, end)
			last = end
		}
		e.latest = append(e.latest, t)
	}
}

// readStatistics of a frame that was counted.
func (e *Executor) readStatistics(r *rows) {
	into := r.results[:statCount*r.used]
	clear(into)
	// Not ready is what a pass is that records nothing, whose barriers are submitted with the frame's end: it counts 0.
	_, err := vk.GetQueryPoolResults(e.d.handle, r.stats, 0, uint32(r.used), vk.Bytes(into), 8*statCount, vk.QUERY_RESULT_64_BIT)
	if err != nil {
		return
	}
	e.counters = e.counters[:0]
	for i := range r.timings {
		c := invocations{pass: r.timings[i].Name}
		if q := r.query[i]; q >= 0 {
			copy(c.count[:], into[statCount*q:])
		}
		e.counters = append(e.counters, c)
	}
}

// invocations of a pass in the latest counted frame, where it most likely stood at the same place.
func (e *Executor) invocations(place int, pass string) [statCount]uint64 {
	if place < len(e.counters) && e.counters[place].pass == pass {
		return e.counters[place].count
	}
	for i := range e.counters {
		if e.counters[i].pass == pass {
			return e.counters[i].count
		}
	}
	return [statCount]uint64{}
}

// placed is a timestamp as seconds since the frame's Execute began.
func (e *Executor) placed(r *rows, first *moment, ticks uint64) float64 {
	if !e.clocks.Comparable {
		return r.end + e.d.between(first, ticks)
	}
	return e.anchor.host.Sub(r.start).Seconds() + e.d.between(&e.anchor, ticks)
}

// Timings of the latest frame whose figures are known: when Serialised the last one executed, when Overlapped the one
// before the last. The slice is reused by a later Execute.
func (e *Executor) Timings() []Timing { return e.latest }

// TimingsFrame is the [Frame.Index] of the frame that Timings are of; false before there are any.
func (e *Executor) TimingsFrame() (index uint64, ok bool) {
	return e.latestFrame - 1, e.latestFrame > 0
}

// Collecting is how long the latest Execute took to read times and statistics from the device. A driver may wait for the
// device there, as lavapipe does: what measuring Overlapped costs on it.
func (e *Executor) Collecting() time.Duration { return e.collecting }

// Trusted says whether the GPU figures can be trusted, and if not why.
func (e *Executor) Trusted() (ok bool, why string) { return e.doubt == "", e.doubt }

// doubted is why the GPU figures of the mode in use cannot be trusted; "" where they can.
func (e *Executor) doubted() string {
	switch {
	case e.mode == Serialised:
		return ""
	case e.d.props.IsCPU:
		return fmt.Sprintf("%s is a software device, whose timestamps inside one command buffer are wrong; measure serialised", e.d.props.Name)
	case !e.d.props.Has.Timestamps:
		return fmt.Sprintf("%s writes no timestamps; measure serialised", e.d.props.Name)
	}
	return ""
}
