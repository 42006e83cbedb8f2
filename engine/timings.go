package engine

import (
	"time"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
)

// sampler turns a frame's clock readings and the executor's timings into rows
// of the profile, in frame order.
type sampler struct {
	samples []profile.Sample
	record  map[string]string // by pass: the name of its recording's row
}

func (s *sampler) frame(start, begun, compiled, executed, ended time.Time, timings []gpu.Timing) []profile.Sample {
	s.samples = s.samples[:0]
	s.cpu("begin", begun.Sub(start).Seconds())
	s.cpu("graph compile", compiled.Sub(begun).Seconds())
	accounted := 0.0
	for i := range timings {
		t := &timings[i]
		row := profile.Sample{Name: t.Name, Seconds: t.Duration, Draws: t.Draws, Triangles: t.Triangles}
		switch t.Kind {
		case gpu.CPUTime:
			row.Kind = profile.CPU
			accounted += t.Duration
		case gpu.GapTime:
			row.Kind = profile.Gap
		default:
			row.Kind = profile.GPU
			s.cpu(s.recording(t.Name), t.Record)
			accounted += t.Record
		}
		s.samples = append(s.samples, row)
	}
	// What executing cost beyond phases and recording: barriers, submits, and in
	// serialised mode the waits for the device.
	s.cpu("submit and wait", executed.Sub(compiled).Seconds()-accounted)
	s.cpu("end", ended.Sub(executed).Seconds())
	s.cpu("frame", ended.Sub(start).Seconds())
	return s.samples
}

func (s *sampler) recording(pass string) string {
	name, ok := s.record[pass]
	if !ok {
		if s.record == nil {
			s.record = map[string]string{}
		}
		name = "record " + pass
		s.record[pass] = name
	}
	return name
}

func (s *sampler) cpu(name string, seconds float64) {
	s.samples = append(s.samples, profile.Sample{Name: name, Kind: profile.CPU, Seconds: max(seconds, 0)})
}
