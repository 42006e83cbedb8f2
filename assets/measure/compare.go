package measure

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// What may differ without being a change: an exporter's rounding, another order of
// its keys. Counts and names may not.
const (
	// RelativeTolerance of strides and speeds.
	RelativeTolerance = 0.01
	// LengthTolerance of slides, soles and the places of joints, as a share of the body's height: 3.6 mm of
	// a person.
	LengthTolerance = 0.002
	// TimeTolerance of durations, seconds.
	TimeTolerance = 0.001
)

// Change is one figure that differs. Old or New is empty where there is none.
type Change struct {
	Where string `json:"where"` // "" the character, else a clip
	What  string `json:"what"`
	Old   string `json:"old"`
	New   string `json:"new"`
}

func (c Change) String() string {
	text := c.What
	if c.Where != "" {
		text = c.Where + ": " + text
	}
	switch {
	case c.New == "":
		return text + " gone, was " + c.Old
	case c.Old == "":
		return text + " new: " + c.New
	}
	return text + " " + c.New + ", was " + c.Old
}

// Compare lists what a character measures otherwise than it did, in the order of the
// old record. Nothing is alike enough to pass that a program could notice: see the
// tolerances.
func Compare(was, is Character) []Change {
	d := difference{height: max(was.Height, is.Height)}
	d.count("nodes", was.Nodes, is.Nodes)
	d.count("joints", was.Joints, is.Joints)
	d.count("vertices", was.Vertices, is.Vertices)
	d.count("triangles", was.Triangles, is.Triangles)
	d.length("height_m", was.Height, is.Height)
	if !slices.Equal(was.Feet, is.Feet) {
		d.add("feet", list(was.Feet), list(is.Feet))
	}
	left := slices.Clone(is.Clips)
	for _, a := range was.Clips {
		at := slices.IndexFunc(left, func(b Clip) bool { return b.Name == a.Name })
		d.where = ""
		if at < 0 {
			d.changes = append(d.changes, Change{What: fmt.Sprintf("clip %q", a.Name), Old: about(a)})
			continue
		}
		b := left[at]
		left = slices.Delete(left, at, at+1)
		d.where = fmt.Sprintf("clip %q", a.Name)
		if math.Abs(a.Duration-b.Duration) > TimeTolerance {
			d.add("duration", fmt.Sprintf("%.3f s", a.Duration), fmt.Sprintf("%.3f s", b.Duration))
		}
		d.channels(a.Channels, b.Channels)
		if a.Steps != b.Steps {
			d.add("steps", fmt.Sprint(a.Steps), fmt.Sprint(b.Steps))
		} else {
			d.ratio("stride_m", a.Stride, b.Stride)
			d.ratio("speed_m_s", a.Speed, b.Speed)
			d.length("slide_m", a.Slide, b.Slide)
		}
		d.length("sole_min_m", a.SoleMin, b.SoleMin)
		d.length("sole_range_m", a.SoleRange, b.SoleRange)
		d.ends(a.Ends, b.Ends)
	}
	for _, b := range left {
		d.changes = append(d.changes, Change{What: fmt.Sprintf("clip %q", b.Name), New: about(b)})
	}
	return d.changes
}

func about(c Clip) string { return fmt.Sprintf("%.3f s, %d channels", c.Duration, c.Channels.All) }

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// difference collects changes.
type difference struct {
	where   string
	height  float64
	changes []Change
}

func (d *difference) add(what, was, is string) {
	d.changes = append(d.changes, Change{Where: d.where, What: what, Old: was, New: is})
}

func (d *difference) count(what string, was, is int) {
	if was != is {
		d.add(what, fmt.Sprint(was), fmt.Sprint(is))
	}
}

func (d *difference) channels(was, is Channels) {
	d.count("channels", was.All, is.All)
	d.count("joints moved", was.Joints, is.Joints)
	d.count("translation channels", was.Translation, is.Translation)
	d.count("rotation channels", was.Rotation, is.Rotation)
	d.count("scale channels", was.Scale, is.Scale)
	d.count("weights channels", was.Weights, is.Weights)
}

// A figure that is no number differs from everything but the same.
func (d *difference) length(what string, was, is float64) {
	if was != is && !(math.Abs(was-is) <= LengthTolerance*d.height) {
		d.add(what, fmt.Sprintf("%.4g", was), fmt.Sprintf("%.4g", is))
	}
}

func (d *difference) ratio(what string, was, is float64) {
	if was != is && !(math.Abs(was-is) <= RelativeTolerance*max(math.Abs(was), math.Abs(is))) {
		d.add(what, fmt.Sprintf("%.4g", was), fmt.Sprintf("%.4g", is))
	}
}
