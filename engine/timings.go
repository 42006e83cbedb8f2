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
	next    uint64   // frames before this one are sampled
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
	s.add("wait", profile.CPU, c.begun.Sub(c.start).Seconds())
	s.add("graph compile", profile.CPU, c.compiled.Sub(c.begun).Seconds())
	for i := range timings {
		t := &timings[i]
		switch t.Kind {
		case gpu.CPUTime:
			s.add(t.Name, profile.CPU, t.Duration)
		case gpu.GapTime:
			name := t.Name
			if i+1 < len(timings) {
				name = s.gaps.of(timings[i+1].Name, "before ")
			}
			s.add(name, profile.Gap, t.Duration)
		default:
			s.add(s.records.of(t.Name, "record "), profile.CPU, t.Record)
			s.add(t.Name, profile.GPU, t.Duration)
			row := &s.samples[len(s.samples)-1]
			row.Draws, row.Triangles = t.Draws, t.Triangles
		}
	}
	s.add("read times", profile.CPU, c.collecting.Seconds())
	s.add("submit", profile.CPU, c.ended.Sub(c.executed).Seconds())
	whole, named := c.ended.Sub(c.start).Seconds(), 0.0
	for i := range s.samples {
		if c.serialised || s.samples[i].Kind == profile.CPU {
			named += s.samples[i].Seconds
		}
	}
	s.add("other", profile.CPU, whole-named)
	s.add("frame", profile.Whole, whole)
	return s.samples, true
}

func (s *sampler) add(name string, kind profile.Kind, seconds float64) {
	s.samples = append(s.samples, profile.Sample{Name: name, Kind: kind, Seconds: max(seconds, 0)})
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
