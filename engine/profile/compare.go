package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/internal/columns"
)

// Comparison is what changed since a baseline.
type Comparison struct {
	Against       string   `json:"against"`
	Forced        []string `json:"forced,omitempty"` // why the two cannot be compared, overruled
	MaxRegression float64  `json:"max_regression"`   // percent; 0: none was set
	Frame         Change   `json:"frame"`
	Rows          []Change `json:"rows"` // in frame order; rows that are gone last
	Plan          []string `json:"plan"` // of the plan as a whole
}

// Change is how a row's median changed. Times are milliseconds.
type Change struct {
	Name    string  `json:"name"`
	Kind    Kind    `json:"kind"`
	Old     float64 `json:"old_ms"`
	New     float64 `json:"new_ms"`
	Change  float64 `json:"change_ms"`
	Percent float64 `json:"percent"` // of Old; 0 where that is 0
	// Noise is what the change would have to exceed to be one: how far the two
	// medians may be off, together.
	Noise     float64  `json:"noise_ms"`
	Beyond    bool     `json:"beyond_noise"`
	Regressed bool     `json:"regressed"`
	Gone      bool     `json:"gone,omitempty"`  // the baseline has the row, this run has not
	Fresh     bool     `json:"fresh,omitempty"` // the other way around
	Plan      []string `json:"plan"`            // what changed of the pass
}

// ReadReport reads what JSON wrote.
func ReadReport(in io.Reader) (*Report, error) {
	r := &Report{}
	if err := json.NewDecoder(in).Decode(r); err != nil {
		return nil, fmt.Errorf("it is not the JSON of a profile: %w", err)
	}
	switch {
	case r.Format == 0:
		return nil, errors.New("it is not the JSON of a profile, or of an old version: make it anew with bindpose profile --json")
	case r.Format != Format:
		return nil, fmt.Errorf("it has format %d, and this version reads %d: make it anew with bindpose profile --json", r.Format, Format)
	}
	return r, nil
}

// Incomparable says why the figures of two runs cannot be compared; empty where
// they can.
func (r *Report) Incomparable(old *Report) []string {
	var why []string
	differ := func(what, before, now string) {
		if before != now {
			why = append(why, fmt.Sprintf("the baseline's %s is %s, this run's %s", what, before, now))
		}
	}
	mode := func(r *Report) string {
		if r.Serialised {
			return "serialised"
		}
		return "overlapped"
	}
	size := func(r *Report) string { return fmt.Sprintf("%d×%d", r.Size[0], r.Size[1]) }
	differ("device", old.Device.Name, r.Device.Name)
	differ("driver", old.Device.Driver, r.Device.Driver)
	differ("mode", mode(old), mode(r))
	differ("scene", old.Scene, r.Scene)
	differ("size", size(old), size(r))
	return why
}

// Compare puts each row's change since old beside it. maxRegression is by how many
// percent a row may grow; 0 sets no bound. It says whether a row exceeds it,
// beyond the noise.
func (r *Report) Compare(old *Report, name string, maxRegression float64) (regressed bool) {
	c := &Comparison{Against: name, MaxRegression: maxRegression, Rows: []Change{}, Plan: planChanges(old.Plan, r.Plan)}
	changed := func(name string, kind Kind, a, b Stats) Change {
		x := Change{Name: name, Kind: kind, Old: a.P50, New: b.P50, Change: nanoseconds(b.P50 - a.P50), Plan: []string{}}
		if a.P50 > 0 {
			x.Percent = math.Round(x.Change/a.P50*1000) / 10
		}
		// Not in the noise of either run is what the clock and the scheduler add to
		// the shortest of rows, a hundredth of a millisecond; and that the processors
		// that other programs took from all of one run may have been free in the
		// other.
		x.Noise = nanoseconds(a.Noise + b.Noise + 0.01 + a.P50*old.Noise.Load + b.P50*r.Noise.Load)
		enough := old.Frames >= 3 && r.Frames >= 3
		x.Beyond = enough && math.Abs(x.Change) > x.Noise
		// A row that is new has nothing that it grew from: the frame tells its cost.
		x.Regressed = maxRegression > 0 && x.Beyond && a.P50 > 0 && x.Change > a.P50*maxRegression/100
		regressed = regressed || x.Regressed
		return x
	}
	c.Frame = changed("frame", Whole, old.Frame.MS, r.Frame.MS)
	for i := range r.Rows {
		row := &r.Rows[i]
		before := old.row(row.Name, row.Kind)
		if before == nil {
			x := changed(row.Name, row.Kind, Stats{}, row.MS)
			x.Fresh = true
			c.Rows = append(c.Rows, x)
			continue
		}
		x := changed(row.Name, row.Kind, before.MS, row.MS)
		if row.Kind == GPU {
			x.Plan = append(workChanges(&before.Counts, &row.Counts), passChanges(old.Plan, r.Plan, row.Name)...)
		}
		c.Rows = append(c.Rows, x)
	}
	for i := range old.Rows {
		if row := &old.Rows[i]; r.row(row.Name, row.Kind) == nil {
			x := changed(row.Name, row.Kind, row.MS, Stats{})
			x.Gone, x.Regressed = true, false
			c.Rows = append(c.Rows, x)
		}
	}
	r.Comparison = c
	return regressed
}

// workChanges are the counts that changed, in words.
func workChanges(a, b *Counts) []string {
	out := []string{}
	count := func(what string, a, b int) {
		if d := b - a; d != 0 {
			out = append(out, fmt.Sprintf("%s %s (%s)", signed(columns.Int(d)), what, columns.Int(b)))
		}
	}
	count("draws", a.Draws, b.Draws)
	count("dispatches", a.Dispatches, b.Dispatches)
	count("triangles", a.Triangles, b.Triangles)
	size := func(what string, a, b uint64) {
		switch {
		case b > a:
			out = append(out, fmt.Sprintf("+%s %s", columns.Bytes(int64(b-a)), what))
		case a > b:
			out = append(out, fmt.Sprintf("−%s %s", columns.Bytes(int64(a-b)), what))
		}
	}
	size("loaded", a.Loaded, b.Loaded)
	size("stored", a.Stored, b.Stored)
	return out
}

func signed(s string) string {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return "−" + rest
	}
	return "+" + s
}

// passChanges are the changes in how a pass was planned.
func passChanges(before, now *Plan, name string) []string {
	a, b := before.pass(name), now.pass(name)
	if a == nil || b == nil {
		return nil
	}
	out := listChanges(nil, "load of", a.Loads, b.Loads)
	out = listChanges(out, "store of", a.Stores, b.Stores)
	out = listChanges(out, "barrier on", a.Barriers, b.Barriers)
	switch {
	case a.Merged && !b.Merged:
		out = append(out, "no longer merged into the pass before it")
	case b.Merged && !a.Merged:
		out = append(out, "merged into the pass before it")
	}
	if a.Culled != b.Culled {
		out = append(out, map[bool]string{true: "culled", false: "no longer culled"}[b.Culled])
	}
	return out
}

func listChanges(out []string, what string, a, b []string) []string {
	for _, x := range missing(b, a) {
		out = append(out, "new: "+what+" "+x)
	}
	for _, x := range missing(a, b) {
		out = append(out, "gone: "+what+" "+x)
	}
	return out
}

// missing are the entries of a that b lacks, as often as it lacks them.
func missing(a, b []string) (out []string) {
	left := slices.Clone(b)
	for _, x := range a {
		if i := slices.Index(left, x); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		out = append(out, x)
	}
	return out
}

func (p *Plan) pass(name string) *PlanPass {
	if p == nil {
		return nil
	}
	for i := range p.Passes {
		if p.Passes[i].Name == name {
			return &p.Passes[i]
		}
	}
	return nil
}

// planChanges are the changes of the plan as a whole.
func planChanges(a, b *Plan) []string {
	out := []string{}
	if a == nil || b == nil {
		return out
	}
	count := func(what string, a, b int) {
		if a != b {
			out = append(out, fmt.Sprintf("%s: %d, were %d", what, b, a))
		}
	}
	count("barriers", a.Barriers, b.Barriers)
	count("rendering scopes", a.Scopes, b.Scopes)
	count("merged passes", a.Merged, b.Merged)
	if a.AliasedBytes != b.AliasedBytes {
		out = append(out, fmt.Sprintf("transient memory: %s, was %s", columns.Bytes(int64(b.AliasedBytes)), columns.Bytes(int64(a.AliasedBytes))))
	}
	for i := range b.Passes {
		if p := &b.Passes[i]; a.pass(p.Name) == nil {
			out = append(out, "new: pass "+p.Name)
		}
	}
	for i := range a.Passes {
		if p := &a.Passes[i]; b.pass(p.Name) == nil {
			out = append(out, "gone: pass "+p.Name)
		}
	}
	return out
}

// comparisonText is the table of changes: only those beyond the noise are marked.
func (r *Report) comparisonText(w io.Writer) error {
	c := r.Comparison
	if c == nil {
		return nil
	}
	t := columns.New("llrrrrrl")
	t.Row("since "+columns.Clean(c.Against, 40), "", "was", "is", "change", "", "noise", "")
	line := func(x *Change) {
		mark, change, percent := "", fmt.Sprintf("%+.3f", x.Change), fmt.Sprintf("%+.1f %%", x.Percent)
		switch {
		case x.Regressed:
			mark = fmt.Sprintf("▲ more than %g %%", c.MaxRegression)
		case x.Beyond && x.Change > 0:
			mark = "▲"
		case x.Beyond:
			mark = "▼"
		}
		if x.Fresh {
			mark, percent = "new", ""
		}
		if x.Gone {
			mark, percent = "gone", ""
		}
		if len(x.Plan) > 0 {
			mark = strings.TrimSpace(mark + " " + strings.Join(x.Plan, "; "))
		}
		t.Row(columns.Clean(x.Name, 32), strings.TrimPrefix(string(x.Kind), "frame"), fmt.Sprintf("%.3f", x.Old), fmt.Sprintf("%.3f", x.New),
			change, percent, fmt.Sprintf("±%.3f", x.Noise), mark)
	}
	for i := range c.Rows {
		line(&c.Rows[i])
	}
	line(&c.Frame)
	for _, why := range c.Forced {
		t.Row("forced: " + why)
	}
	for _, p := range c.Plan {
		t.Row("plan: " + p)
	}
	return section(w, "", t)
}
