package engine

import (
	"time"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
)

// clock is what the clock said in the course of one frame.
type clock struct {
	frame      uint64 // gpu.Frame's index
	serialised bool

	start, begun, compiled, executed, ended time.Time

	collecting time.Duration // reading times from the device, a part of executing
}

// sampler turns a frame's clock readings and the executor's timings into rows of
// the profile, in frame order. In overlapped mode the device's times are known
// some frames later; the readings wait for them, so that all rows of a frame are
// of that frame.
type sampler struct {
	clocks  [4]clock // by frame
	epoch   time.Time
	next    uint64 // frames before this one are sampled
	samples []profile.Sample
	records rowNames // recording each pass
	gaps    rowNames // before each pass
}

// note keeps a frame's clock readings until its timings are known.
func (s *sampler) note(c clock) { s.clocks[c.frame%uint64(len(s.clocks))] = c }

// frame gives the samples of the frame that timings are of; false where it has
// none, or gave them before.
//
// No time is in two rows. Serialised, the rows add up to the frame: passes are
// waited for within it. Overlapped, the processor's rows add up to the frame, and
// the device's run beside them.
func (s *sampler) frame(index uint64, timings []gpu.Timing) ([]profile.Sample, bool) {
	c := &s.clocks[index%uint64(len(s.clocks))]
	if index < s.next || c.frame != index || c.start.IsZero() {
		return nil, false
	}
	s.next = index + 1
	s.samples = s.samples[:0]
	since := func(t time.Time) float64 { return t.Sub(c.start).Seconds() }
	execute := since(c.compiled)
	s.add("wait", profile.CPU, 0, since(c.begun))
	s.add("graph compile", profile.CPU, since(c.begun), execute-since(c.begun))
	for i := range timings {
		t := &timings[i]
		switch t.Kind {
		case gpu.CPUTime:
			s.add(t.Name, profile.CPU, execute+t.Start, t.Duration).Uploaded = t.Uploaded
		case gpu.GapTime:
			name := t.Name
			if i+1 < len(timings) {
				name = s.gaps.of(timings[i+1].Name, "before ")
			}
			s.add(name, profile.Gap, execute+t.Start, t.Duration)
		default:
			s.add(s.records.of(t.Name, "record "), profile.CPU, execute+t.RecordedAt, t.Record)
			s.add(t.Name, profile.GPU, execute+t.Start, t.Duration).Counts = profile.Counts{
				Draws: t.Draws, Dispatches: t.Dispatches, Triangles: t.Triangles, Vertices: t.Vertices,
				VertexInvocations: t.VertexInvocations, FragmentInvocations: t.FragmentInvocations,
				ComputeInvocations: t.ComputeInvocations,
				Uploaded:           t.Uploaded, Barriers: t.Barriers, Loaded: t.Loaded, Stored: t.Stored,
			}
		}
	}
	// The device's times are read at the end of Execute where serialised, at its
	// beginning otherwise.
	reading := execute
	if c.serialised {
		reading = since(c.executed) - c.collecting.Seconds()
	}
	s.add("read times", profile.CPU, reading, c.collecting.Seconds())
	s.add("submit", profile.CPU, since(c.executed), c.ended.Sub(c.executed).Seconds())
	whole, named := c.ended.Sub(c.start).Seconds(), 0.0
	for i := range s.samples {
		if c.serialised || s.samples[i].Kind == profile.CPU {
			named += s.samples[i].Seconds
		}
	}
	s.add("other", profile.CPU, whole-max(whole-named, 0), whole-named)
	if s.epoch.IsZero() {
		s.epoch = c.start
	}
	s.add("frame", profile.Whole, c.start.Sub(s.epoch).Seconds(), whole)
	return s.samples, true
}

func (s *sampler) add(name string, kind profile.Kind, start, seconds float64) *profile.Sample {
	s.samples = append(s.samples, profile.Sample{Name: name, Kind: kind, Start: start, Seconds: max(seconds, 0)})
	return &s.samples[len(s.samples)-1]
}

// rowNames are names made of others' once, so that a steady frame makes no
// garbage.
type rowNames map[string]string

func (n *rowNames) of(name, prefix string) string {
	made, ok := (*n)[name]
	if !ok {
		if *n == nil {
			*n = rowNames{}
		}
		made = prefix + name
		(*n)[name] = made
	}
	return made
}
