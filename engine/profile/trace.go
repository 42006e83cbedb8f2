package profile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Tracks of a trace, as thread ids.
const (
	trackFrames    = 1
	trackProcessor = 2
	trackDevice    = 3
)

// event is one entry of Chrome's trace event format ("Trace Event Format",
// complete events X and metadata M), which Perfetto and chrome://tracing read.
type event struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Cat   string         `json:"cat,omitempty"`
	TS    float64        `json:"ts"` // microseconds
	Dur   *float64       `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	Args  map[string]any `json:"args,omitempty"`
}

// placed says whether a row's start means something: what no other row names has
// none, nor do the gaps of passes that were waited for one by one.
func placed(r *Row, serialised bool) bool {
	return r.Kind != Whole && (r.Kind != CPU || r.Name != "other") && (r.Kind != Gap || !serialised)
}

// Trace writes the kept frames for Perfetto or chrome://tracing: a track of whole
// frames, one of the processor and one of the device. Overlapped, the device's
// track is where its own clock was placed on the processor's; see Report.Clocks.
func (t *Table) Trace(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	head, err := json.Marshal(map[string]any{
		"scene": r.Scene, "device": r.Device.Name, "driver": r.Device.Driver, "serialised": r.Serialised,
		"trusted": r.Trusted, "why_not_trusted": r.Why, "clocks_comparable": r.Clocks.Comparable,
	})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "{\"displayTimeUnit\":\"ms\",\"otherData\":%s,\"traceEvents\":[\n", head); err != nil {
		return err
	}
	first := true
	write := func(e event) error {
		if !first {
			if err := out.WriteByte(','); err != nil {
				return err
			}
		}
		first = false
		e.PID = 1
		return enc.Encode(e)
	}
	names := []struct {
		tid  int
		name string
	}{{trackFrames, "frames"}, {trackProcessor, "processor"}, {trackDevice, "device: " + r.Device.Name}}
	if err := write(event{Name: "process_name", Phase: "M", Args: map[string]any{"name": "bindpose: " + r.Scene}}); err != nil {
		return err
	}
	for _, n := range names {
		if err := write(event{Name: "thread_name", Phase: "M", TID: n.tid, Args: map[string]any{"name": n.name}}); err != nil {
			return err
		}
		if err := write(event{Name: "thread_sort_index", Phase: "M", TID: n.tid, Args: map[string]any{"sort_index": n.tid}}); err != nil {
			return err
		}
	}
	whole := t.Whole()
	for ago := t.Kept() - 1; ago >= 0 && whole != nil; ago-- {
		begun, seconds, ok := whole.Ago(ago)
		if !ok {
			continue
		}
		dur := seconds * 1e6
		e := event{Name: fmt.Sprintf("frame %d", t.frames-1-ago), Phase: "X", Cat: "frame", TS: begun * 1e6, Dur: &dur, TID: trackFrames}
		e.Args = map[string]any{"ms": nanoseconds(seconds * 1e3)}
		if err := write(e); err != nil {
			return err
		}
		for _, row := range t.rows {
			start, seconds, ok := row.Ago(ago)
			if !ok || !placed(row, r.Serialised) {
				continue
			}
			dur := seconds * 1e6
			e := event{Name: row.Name, Phase: "X", Cat: string(row.Kind), TS: (begun + start) * 1e6, Dur: &dur, TID: trackProcessor}
			if row.Kind != CPU {
				e.TID = trackDevice
			}
			if row.Kind == GPU {
				e.Args = row.args()
			}
			if err := write(e); err != nil {
				return err
			}
		}
	}
	if _, err := out.WriteString("]}\n"); err != nil {
		return err
	}
	return out.Flush()
}

// args are a pass's counts, those that are there.
func (r *Row) args() map[string]any {
	args := map[string]any{}
	add := func(name string, v uint64) {
		if v > 0 {
			args[name] = v
		}
	}
	c := &r.Counts
	add("draws", uint64(c.Draws))
	add("dispatches", uint64(c.Dispatches))
	add("triangles", uint64(c.Triangles))
	add("fragment invocations", c.FragmentInvocations)
	add("uploaded bytes", uint64(c.Uploaded))
	add("barriers", uint64(c.Barriers))
	add("loaded bytes", c.Loaded)
	add("stored bytes", c.Stored)
	return args
}
