package measure

import (
	"fmt"
	"math"
	"sort"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Place is where a joint is in a clip, in model space: the middle of the box about its
// way and how far that box reaches from there, metres. As text it is a line of a
// record: "0.412 1.020 0.131 ± 0.210 0.144 0.305".
type Place struct{ Middle, Reach [3]float64 }

func (p Place) String() string {
	m, r := p.Middle, p.Reach
	return fmt.Sprintf("%.4f %.4f %.4f ± %.4f %.4f %.4f", m[0], m[1], m[2], r[0], r[1], r[2])
}

// MarshalText is String.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what String writes.
func (p *Place) UnmarshalText(text []byte) error {
	m, r := &p.Middle, &p.Reach
	if _, err := fmt.Sscanf(string(text), "%g %g %g ± %g %g %g", &m[0], &m[1], &m[2], &r[0], &r[1], &r[2]); err != nil || p.String() != string(text) {
		return fmt.Errorf("%q is no place of a joint: it must be six numbers of four decimals, x y z ± x y z", text)
	}
	return nil
}

// off is the largest difference in any of the figures.
func (p Place) off(q Place) float64 {
	worst := 0.0
	for i := range 3 {
		worst = max(worst, math.Abs(p.Middle[i]-q.Middle[i]), math.Abs(p.Reach[i]-q.Reach[i]))
	}
	return worst
}

// endsHz is how often a second places are taken.
const endsHz = 30

// ends are the places of the joints where what a clip moves ends, such as hands,
// fingertips and the head, by name: a limb that goes elsewhere shows there, wherever in
// it that began. Of joints of one name the first is taken.
func ends(s *animation.Skeleton, clip *animation.Clip) (map[string]Place, error) {
	moved := make([]bool, s.Len())
	for i := range clip.Tracks {
		moved[clip.Tracks[i].Joint] = true
	}
	end := append([]bool(nil), moved...)
	for j := range s.Parents {
		if !moved[j] {
			continue
		}
		for up := s.Parents[j]; up >= 0; up = s.Parents[up] {
			end[up] = false
		}
	}
	low, high := make([]mgl32.Vec3, s.Len()), make([]mgl32.Vec3, s.Len())
	c := clip.With(clip.Tracks)
	c.Root = nil // what the entity would do is done by the joints
	pose, model := animation.NewPose(s), make([]mgl32.Mat4, s.Len())
	job := animation.SamplingJob{Clip: c, Skeleton: s, Cursors: make([]int32, len(c.Tracks)), Out: pose}
	frames := int(math.Ceil(float64(clip.Duration)*endsHz - 1e-3))
	for k := range frames + 1 {
		job.Time = min(float32(float64(k)/endsHz), clip.Duration)
		if err := job.Run(); err != nil {
			return nil, err
		}
		pose.ToModel(s, model)
		for j := range model {
			p := model[j].Col(3).Vec3()
			if k == 0 {
				low[j], high[j] = p, p
			}
			for i := range 3 {
				low[j][i], high[j][i] = min(low[j][i], p[i]), max(high[j][i], p[i])
			}
		}
	}
	out := map[string]Place{}
	for j, is := range end {
		name := s.Names[j]
		if _, twice := out[name]; !is || twice || name == "" {
			continue
		}
		var p Place
		for i := range 3 {
			a, b := float64(low[j][i]), float64(high[j][i])
			p.Middle[i], p.Reach[i] = rounded((a+b)/2), rounded((b-a)/2)
		}
		out[name] = p
	}
	return out, nil
}

// rounded is what a record can hold, and never -0.
func rounded(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 }

// ends tells the joint that goes most elsewhere, and how many others do. A record
// that was made before there were places has none, and is not compared.
func (d *difference) ends(was, is map[string]Place) {
	if was == nil {
		return
	}
	names := make([]string, 0, len(was))
	for name := range was {
		if _, there := is[name]; there { // else channels or joints differ, which is told
			names = append(names, name)
		}
	}
	sort.Strings(names)
	worst, others := "", -1
	for _, name := range names {
		if off := was[name].off(is[name]); off <= LengthTolerance*d.height || was[name].String() == is[name].String() {
			continue
		} else if others++; worst == "" || off > was[worst].off(is[worst]) {
			worst = name
		}
	}
	if worst == "" {
		return
	}
	also := ""
	switch {
	case others == 1:
		also = " (and another)"
	case others > 1:
		also = fmt.Sprintf(" (and %d others)", others)
	}
	what := fmt.Sprintf("joint %q%s goes %.1f cm elsewhere, x y z ± reach in m:", worst, also, 100*was[worst].off(is[worst]))
	d.add(what, was[worst].String(), is[worst].String())
}
