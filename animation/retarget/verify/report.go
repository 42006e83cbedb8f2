package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Report is what all clips of two skeletons came to. As JSON it is what the command
// verify prints.
type Report struct {
	Source   string    `json:"source"` // files, by the caller
	Target   string    `json:"target"`
	Live     bool      `json:"live"` // the clips were retargeted for this report, not read from the target
	Notes    []string  `json:"notes,omitempty"`
	Pass     bool      `json:"pass"`
	Hz       int       `json:"hz"`
	Pairs    int       `json:"pairs"`
	Limits   Options   `json:"limits"`
	Ratios   Ratios    `json:"ratios"`
	Findings []Finding `json:"findings"`
	Clips    []Clip    `json:"clips"`
}

// Ratios are target over source, 0 where unknown.
type Ratios struct {
	Height      float64 `json:"height"`       // hips over floor, of the skeletons
	Distance    float64 `json:"distance"`     // limbs, of the skeletons
	HeightSeen  float64 `json:"height_seen"`  // of the clips' pelvis height
	TravelSeen  float64 `json:"travel_seen"`  // of the clips' pelvis along the ground
	TargetUnit  float64 `json:"target_unit"`  // metres a unit of the target's file
	FacingTurns float64 `json:"facing_turns"` // degrees between the axes of the two
}

// Clip is one clip's part.
type Clip struct {
	Name     string  `json:"name"`
	Samples  int     `json:"samples"`
	Duration float64 `json:"duration"` // seconds
	Joints   []Joint `json:"joints"`
	MaxDeg   float64 `json:"max_drift_deg"`
	MaxM     float64 `json:"max_drift_m"`
	Worst    string  `json:"worst_joint"`
	Frame    int     `json:"worst_frame"`
	Time     float64 `json:"worst_time"` // seconds
	HeightM  float64 `json:"pelvis_height_drift_m"`
	TravelM  float64 `json:"pelvis_travel_drift_m"`
	OffM     float64 `json:"pelvis_height_offset_m"` // constant: how much higher it is than the source's, scaled
	TravelS  float64 `json:"source_travel_m"`        // along the ground, scaled
	TravelT  float64 `json:"target_travel_m"`
	Limbs    []Limb  `json:"limbs,omitempty"`
	Errors   int     `json:"errors"`
	Pass     bool    `json:"pass"`

	curves     *curves
	bobS, bobT float64 // metres between the pelvis' lowest and highest, source scaled
}

// Limb is how far from the source's a limb of the target points.
type Limb struct {
	Bone string  `json:"bone"`
	Off  float64 `json:"off_deg"` // at half of the frames less, at half more
}

// Joint is one pair in one clip.
type Joint struct {
	Name     string  `json:"name"` // the target's
	Source   string  `json:"source"`
	Bone     string  `json:"bone,omitempty"`
	Offset   float64 `json:"offset_deg"` // the bind difference, which says nothing of the clip
	Drift    float64 `json:"drift_deg"`
	DriftM   float64 `json:"drift_m"` // of the pelvis, its place; of another joint, the length of the bone above
	Frame    int     `json:"frame"`   // of drift_deg
	Time     float64 `json:"time"`
	Measured int     `json:"measured"` // frames
}

// Report judges the takes together.
func (v *Verifier) Report(takes []*Take) *Report {
	r := &Report{Hz: Hz, Pairs: len(v.pairs), Limits: v.options, Findings: []Finding{}, Clips: []Clip{}}
	v.ratios(r, takes)
	offsets, idle := v.offsets(takes), v.idle(takes)
	var found []Finding
	for _, t := range takes {
		c := v.judge(r, t)
		for _, f := range t.findings {
			c.Errors += count(f)
		}
		found = append(found, t.findings...)
		own := v.turning(t)
		own = append(own, v.pointing(t, idle)...)
		own = append(own, v.differing(t, offsets)...)
		own = v.legs(v.swapped(takes, own))
		own = append(own, v.moving(r, t, &c)...)
		for _, f := range own {
			c.Errors += count(f)
		}
		found = append(found, own...)
		c.Pass = c.Errors == 0
		r.Clips = append(r.Clips, c)
	}
	r.Findings = gather(append(found, v.bothRatios(r)...))
	r.Pass = !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Level == Error })
	return r
}

func count(f Finding) int {
	if f.Level == Error {
		return 1
	}
	return 0
}

// ratios measures both ratios on the skeletons and in the clips.
func (v *Verifier) ratios(r *Report, takes []*Take) {
	q := Ratios{TargetUnit: v.dst.unit, FacingTurns: tidy(v.facing.degrees())}
	if v.src.legs > 0 && v.dst.legs > 0 {
		q.Height = v.dst.legs / v.src.legs
	}
	if a, b := limbs(&v.src, &v.dst); a > 0 {
		q.Distance = b / a
	}
	var kh, wh, kd, wd []float64
	for _, t := range takes {
		k, w := slope(axes(t.src, 1), axes(t.dst, 1))
		kh, wh = append(kh, k), append(wh, w/float64(max(len(t.src), 1))*math.Sqrt(float64(len(t.src))))
		k, w = slope(axes(t.src, 0, 2), axes(t.dst, 0, 2))
		kd, wd = append(kd, k), append(wd, w/float64(max(len(t.src), 1))*math.Sqrt(float64(len(t.src))))
	}
	least := 0.005 * v.src.height // what a pelvis that stands still moves by
	q.HeightSeen, _ = weighted(kh, wh, least)
	q.TravelSeen, _ = weighted(kd, wd, least)
	r.Ratios = q
}

// axes are the points with only some axes left.
func axes(x []vec, keep ...int) []vec {
	out := make([]vec, len(x))
	for i := range x {
		for _, a := range keep {
			out[i][a] = x[i][a]
		}
	}
	return out
}

// fits tells whether a ratio seen in clips is one that the skeletons have.
func fits(seen, skeletons, within float64) bool {
	return skeletons == 0 || seen > 0 && math.Abs(math.Log(seen/skeletons)) <= math.Log(1+within)
}

// The limbs' ratio is of bones alone, and known as closely as people may differ about
// which; the height's where both meshes tell where the soles are.
const (
	closely = 0.03
	limbsBy = 0.05
)

func (v *Verifier) heightFits(r *Ratios) bool {
	within := v.options.Ratio
	if v.src.meshed && v.dst.meshed {
		within = min(within, closely)
	}
	return r.HeightSeen == 0 || fits(r.HeightSeen, r.Height, within)
}

func (v *Verifier) travelFits(r *Ratios) bool {
	return r.TravelSeen == 0 || fits(r.TravelSeen, r.Distance, min(v.options.Ratio, limbsBy))
}

// used are the ratios that drift is measured with: those of the clips, which are
// exact, where they are the skeletons', which depend on what one calls a hip.
func (v *Verifier) used(r *Report) (height, distance float64) {
	pick := func(seen, skeletons float64, fits bool) float64 {
		switch {
		case seen != 0 && fits:
			return seen
		case skeletons != 0:
			return skeletons
		}
		return 0
	}
	q := &r.Ratios
	height, distance = pick(q.HeightSeen, q.Height, v.heightFits(q)), pick(q.TravelSeen, q.Distance, v.travelFits(q))
	return cmp.Or(height, distance, 1), cmp.Or(distance, height, 1) // of what has no limbs one may be all that is known
}

// offsets is the bind difference of each pair over all clips.
func (v *Verifier) offsets(takes []*Take) []quat {
	out := make([]quat, len(v.pairs))
	for p := range out {
		var all []quat
		for _, t := range takes {
			if j := &t.joints[p]; j.measured > 0 && j.max <= v.options.Drift {
				all = append(all, j.offset)
			}
		}
		out[p] = middle(all)
		if len(all) == 0 {
			out[p] = quat{}
		}
	}
	return out
}

// judge sums a clip up.
func (v *Verifier) judge(r *Report, t *Take) Clip {
	c := Clip{Name: t.name, Samples: len(t.times), Duration: t.duration, Joints: []Joint{}}
	kh, kd := v.used(r)
	unit := v.dst.unit
	// scaled is the pelvis on the target and, scaled, on the source, along some axes.
	scaled := func(k float64, keep ...int) (src, dst, off []vec) {
		src, dst = axes(t.src, keep...), axes(t.dst, keep...)
		off = make([]vec, len(src))
		for i := range src {
			src[i], dst[i] = src[i].mul(k*unit), dst[i].mul(unit)
			off[i] = dst[i].sub(src[i])
		}
		return src, dst, off
	}
	src, dst, up := scaled(kh, 1)
	c.bobS, c.bobT = span(src), span(dst)
	src, dst, along := scaled(kd, 0, 2)
	c.TravelS, c.TravelT = tidy(span(src)), tidy(span(dst))
	c.OffM = tidy(centred(up)[1])
	centred(along)
	worst := 0.0
	for k := range up {
		c.HeightM, c.TravelM = max(c.HeightM, up[k].len()), max(c.TravelM, along[k].len())
		worst = max(worst, up[k].add(along[k]).len())
	}
	c.HeightM, c.TravelM = tidy(c.HeightM), tidy(c.TravelM)
	c.MaxM = max(c.HeightM, c.TravelM)
	for p, pair := range v.pairs {
		if v.carrier[p] {
			continue
		}
		o := &t.joints[p]
		j := Joint{
			Name: nameOf(v.target, pair.Target), Source: nameOf(v.source, pair.Source), Bone: pair.Bone,
			Offset: tidy(o.offset.degrees()), Drift: tidy(o.max), DriftM: tidy(o.stretch), Frame: o.worst, Time: at(t, o.worst), Measured: o.measured,
		}
		if p == v.pelvis {
			j.DriftM = tidy(worst)
		}
		c.MaxM = max(c.MaxM, tidy(o.stretch))
		c.Joints = append(c.Joints, j)
		if v.options.Planted && isLeg(j.Bone) {
			continue // told apart
		}
		if j.Drift > c.MaxDeg || c.Worst == "" {
			c.MaxDeg, c.Worst, c.Frame = j.Drift, j.Name, j.Frame
		}
	}
	c.Time = at(t, c.Frame)
	for i, l := range v.limbs {
		if l.finger {
			continue
		}
		c.Limbs = append(c.Limbs, Limb{l.name, tidy(t.limbs[i].middle)})
	}
	c.curves = v.curves(r, t, &c)
	return c
}

// tidy leaves out what is less than a millionth, the noise of single precision.
func tidy(x float64) float64 { return math.Round(x*1e6) / 1e6 }

func at(t *Take, frame int) float64 {
	if frame < 0 || frame >= len(t.times) {
		return 0
	}
	return tidy(float64(t.times[frame]))
}

// gather makes one finding of those of a kind and joint: the worst, and in how many
// clips. Fingers are told by the hand.
func gather(found []Finding) []Finding {
	type key struct{ code, where string }
	var order []key
	best := map[key]*Finding{}
	clips := map[key]map[string]bool{}
	for _, f := range found {
		k := key{f.Code, f.Joint}
		if f.Code == FingersDropped {
			for _, side := range []string{"left", "right"} {
				if strings.HasPrefix(f.Bone, side) {
					k.where = side
				}
			}
		}
		if best[k] == nil {
			order = append(order, k)
			best[k], clips[k] = &Finding{}, map[string]bool{}
			*best[k] = f
		} else if ratio(f) > ratio(*best[k]) {
			*best[k] = f
		}
		if f.Clip != "" {
			clips[k][f.Clip] = true
		}
	}
	out := make([]Finding, 0, len(order))
	for _, k := range order {
		f := *best[k]
		f.Measured, f.Time = tidy(f.Measured), tidy(f.Time)
		if n := len(clips[k]); n > 1 {
			f.Clips = n
		}
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		if a.Level != b.Level {
			return cmp.Compare(a.Level, b.Level)
		}
		return cmp.Compare(rank(a.Code), rank(b.Code))
	})
	return out
}

// rank puts causes before what follows from them.
func rank(code string) int {
	return slices.Index([]string{
		Duration, WrongPartner, RootLost, OneRatio, WrongRatio, FingersDropped, JointDropped, JointStill, Alignment, Drift, OffsetDiffers, PelvisHeight, Travel, BoneLength, LegBent, NotMeasured,
	}, code)
}

func ratio(f Finding) float64 {
	if f.Limit == 0 {
		return f.Measured
	}
	return f.Measured / f.Limit
}

// Unlike is a finding for a clip that only one file has.
func Unlike(clip, target string) Finding {
	return Finding{
		Code: NotMeasured, Level: Warning, Clip: clip, Unit: "",
		Message: fmt.Sprintf("%s has no clip of that name, so nothing was measured of it", target),
		Means:   "it was left out when the clips were brought over",
		Fix:     "retarget it too, or name what to verify with --clip",
	}
}

// Join makes one report of those of several packs of clips on one target.
func Join(reports ...*Report) *Report {
	if len(reports) == 1 {
		return reports[0]
	}
	out := &Report{Hz: Hz, Pass: true, Findings: []Finding{}, Clips: []Clip{}}
	for i, r := range reports {
		if i == 0 {
			out.Source, out.Target, out.Limits = r.Source, r.Target, r.Limits
		} else {
			out.Source += ", " + r.Source
		}
		out.Live = out.Live || r.Live
		out.Pass = out.Pass && r.Pass
		out.Pairs = max(out.Pairs, r.Pairs)
		out.Findings = append(out.Findings, r.Findings...)
		out.Clips = append(out.Clips, r.Clips...)
		for _, n := range r.Notes {
			if !slices.Contains(out.Notes, n) {
				out.Notes = append(out.Notes, n)
			}
		}
	}
	out.Findings = gather(out.Findings)
	out.joinRatios(reports)
	return out
}

// joinRatios takes the ratios of the pack whose clips show most of them. Packs on
// skeletons of other sizes have others, which is told.
func (r *Report) joinRatios(reports []*Report) {
	shows := func(q Ratios) (n int) {
		for _, v := range []float64{q.HeightSeen, q.TravelSeen} {
			if v != 0 {
				n++
			}
		}
		return n
	}
	best := reports[0]
	for _, one := range reports {
		if shows(one.Ratios) > shows(best.Ratios) {
			best = one
		}
	}
	r.Ratios = best.Ratios
	unlike := func(a, b float64) bool { return a != 0 && b != 0 && math.Abs(a/b-1) > 0.01 }
	for _, one := range reports {
		if unlike(one.Ratios.Height, r.Ratios.Height) || unlike(one.Ratios.Distance, r.Ratios.Distance) {
			r.Notes = append(r.Notes, fmt.Sprintf("the ratios are those of %s; the others' skeletons are of other sizes, and each was judged by its own", best.Source))
			break
		}
	}
}
