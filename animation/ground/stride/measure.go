package stride

import (
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Report is what a clip's steps measure. Times are seconds of the clip; in place
// means that the even part of its travel is taken off.
type Report struct {
	Clip     string  `json:"clip"`
	Duration float64 `json:"duration"`
	// Steps says whether the clip steps at all; where not, Why says why not, and
	// stride, speed, slides and stances are none.
	Steps bool   `json:"steps"`
	Why   string `json:"why,omitempty"`
	// Stride is how far the body goes in one cycle of its steps, Speed how fast it
	// must go for its soles to stand: Stride = Speed · Duration / Cycles.
	Stride float64 `json:"stride_m"`
	Speed  float64 `json:"speed_m_s"`
	// Mean is the way back of all standing soles over their time. It is Speed where
	// they go back evenly; where they do not, Speed is what they have most.
	Mean   float64 `json:"mean_speed_m_s"`
	Cycles int     `json:"cycles"` // in the clip
	// Heading is the way that the body goes, a unit vector of model space; Angle the
	// same in degrees from +Z towards +X.
	Heading mgl32.Vec3 `json:"heading"`
	Angle   float64    `json:"heading_deg"`
	// InPlace says that the clip does not take the body along; else Travel is how
	// far it does.
	InPlace bool       `json:"in_place"`
	Travel  mgl32.Vec3 `json:"travel_m"`
	// Loops says that the clip's end is its start, but for Gap metres (root mean
	// square of the soles).
	Loops bool    `json:"loops"`
	Gap   float64 `json:"loop_gap_m"`

	StepsPerMinute float64  `json:"steps_per_minute"`
	Flight         float64  `json:"flight"` // share of the time in which no foot stands
	Order          []string `json:"order"`  // of the feet as they come down
	Feet           []Foot   `json:"feet"`

	SoleMin   float64 `json:"sole_min_m"`   // height of the lowest sole vertex in the whole clip
	SoleRange float64 `json:"sole_range_m"` // how much the height of the lowest vertex changes over the clip

	// Formula is the speed that something else than the soles gives; nil where
	// nothing does.
	Formula *Formula `json:"formula,omitempty"`
}

// Foot is one foot's part of a Report.
type Foot struct {
	Name string `json:"name"`
	// Stance is from when to when it stands. One over the seam of a loop ends beyond
	// the clip's duration.
	Stance [][2]float64 `json:"stance"`
	// Slide is how far the touching sole moves over the ground while it stands, were
	// the body to go at Speed: the greatest distance between two of its places in one
	// step, the worst step of the foot.
	Slide float64 `json:"slide_m"`
	// Back is how far the standing sole moves back in place, a step's mean, and Duty
	// the share of its cycle that the foot stands. Of a sole that goes back evenly
	// Stride is Back / Duty: twice Back for feet that take turns without pause or
	// overlap.
	Back  float64 `json:"back_m"`
	Duty  float64 `json:"duty"`
	Floor float64 `json:"floor_m"` // height of the lowest vertex as it stands
	Lift  float64 `json:"lift_m"`  // how far above that it rises
}

// Formula is a speed that is not measured on the soles.
type Formula struct {
	From       string  `json:"from"`
	Speed      float64 `json:"speed_m_s"`
	Difference float64 `json:"difference"` // from the measured one, as a share of it
}

// Measure measures.
func Measure(m Motion) (Report, error) {
	if err := m.validate(); err != nil {
		return Report{}, err
	}
	r := Report{Clip: m.Clip, Duration: m.Duration}
	d, gap := m.travel()
	r.Gap = gap
	r.Loops = gap <= mostGap*m.Leg
	if !r.Loops {
		d = mgl32.Vec3{}
		if m.Hips != nil {
			d = m.Hips[len(m.Hips)-1].Sub(m.Hips[0])
			d[1] = 0
		}
	}
	r.InPlace = along(d).len() <= 0.05*m.Leg
	if !r.InPlace {
		r.Travel = d
	}
	n := len(m.Feet[0].Frames) - 1
	dt := m.Duration / float64(n)
	r.soles(m)
	for _, f := range m.Feet {
		r.Feet = append(r.Feet, Foot{Name: f.Name, Stance: [][2]float64{}})
	}
	if m.Duration == 0 {
		r.none("it is a single pose")
		return r, nil
	}
	limbs := make([]*limb, len(m.Feet))
	for i, f := range m.Feet {
		limbs[i] = newLimb(f, d, dt, 0.005*m.Leg)
	}

	line := axis(limbs)
	if !r.InPlace {
		line = along(d).mul(1 / along(d).len())
	}
	heading, speed, stood := settle(limbs, line, m.Leg, r.Loops)
	if r.InPlace {
		// Which way along the line is for the soles to say: the one in which more of
		// them stands for longer.
		back := line.mul(-1)
		if h, s, t := settle(limbs, back, m.Leg, r.Loops); t > stood {
			heading, speed = h, s
		} else {
			heading, speed, _ = settle(limbs, line, m.Leg, r.Loops)
		}
	}
	r.report(m, limbs, heading, speed)
	if why := r.doubt(m, limbs); why != "" {
		r.none(why)
	}
	return r, nil
}

// settle goes from a line and its direction to heading, speed and stances that
// agree with one another, and how much sole stood for how long.
func settle(limbs []*limb, heading flat, leg float64, loops bool) (flat, float64, float64) {
	for _, l := range limbs {
		l.face(heading)
	}
	speed := pace(limbs)
	for range 4 {
		for _, l := range limbs {
			l.face(heading)
			l.stand(speed, leg, loops)
		}
		v := standing(limbs, leg, heading)
		if v.dot(heading) >= 0 {
			break
		}
		speed = v.len()
		heading = v.mul(-1 / speed)
	}
	stood := 0.0
	for _, l := range limbs {
		l.face(heading)
		for _, s := range l.stances {
			for i := s.from; i < s.to; i++ {
				if _, share, touches := l.tread(i, leg, heading); touches {
					stood += 0.1 + share
				}
			}
		}
	}
	return heading, speed, stood
}

// soles is the height of the lowest vertex over the clip.
func (r *Report) soles(m Motion) {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range m.Feet[0].Frames {
		low := math.Inf(1)
		for _, f := range m.Feet {
			for _, p := range f.Frames[i] {
				low = min(low, float64(p[1]))
			}
		}
		lowest, highest = min(lowest, low), max(highest, low)
	}
	r.SoleMin, r.SoleRange = lowest, highest-lowest
}

// standing is the velocity that the touching soles have most: the geometric median
// over all stances, by Weiszfeld's iteration (1937), each moment weighed by the
// share of the sole that touches. A foot that stands flat shows its slide; one that
// rolls off its heel or over its toes shows little, and tells the speed badly.
func standing(limbs []*limb, leg float64, heading flat) flat {
	type sample struct {
		u flat
		w float64
	}
	var all []sample
	var v flat
	total := 0.0
	for _, l := range limbs {
		for _, s := range l.stances {
			for i := s.from; i < s.to; i++ {
				u, share, touches := l.tread(i, leg, heading)
				w := 0.1 + 0.9*share
				if !touches {
					w *= 0.1
				}
				all = append(all, sample{u, w})
				v = v.add(u.mul(w))
				total += w
			}
		}
	}
	if total == 0 {
		return flat{}
	}
	v = v.mul(1 / total)
	for range 60 {
		var sum flat
		total = 0
		for _, s := range all {
			w := s.w / max(s.u.sub(v).len(), 1e-6*v.len()+1e-12)
			sum = sum.add(s.u.mul(w))
			total += w
		}
		next := sum.mul(1 / total)
		if next.sub(v).len() <= 1e-7*v.len() {
			return next
		}
		v = next
	}
	return v
}

// What a clip must do to be one of steps. The figures lie well between those of
// walks and runs (feet still or idle for a few hundredths of the time, slides of up
// to two fifths of the way back) and those of idles, blows, jumps and falls.
const (
	mostStill = 0.25 // share of the time that feet may be on the ground and still in place
	// Share of the time that feet may touch while none goes back: of a blow, say, that
	// steps forth and back. Of even steps more, since a leg that swings as a sine pauses
	// at either end.
	mostIdle     = 0.09
	mostIdleEven = 0.25
	leastBack    = 0.15 // of the leg: how far a standing sole goes back
	leastLift    = 0.005
	mostSlide    = 0.6 // of the way that the sole goes back
	// A clip whose end is its start within mostGap of the leg loops; one that does not
	// is measured where it travels by leastTravel.
	mostGap     = 0.10
	leastTravel = 0.5
)

// doubt says why a clip is not one of steps, or nothing.
func (r *Report) doubt(m Motion, limbs []*limb) string {
	if !r.Loops && along(r.Travel).len() < leastTravel*m.Leg {
		return fmt.Sprintf("its end is not its start (the soles end %.3g m away), so it is no cycle", r.Gap)
	}
	idle := idling(limbs, m.Leg)
	still, back, slide, lift, stands := 0.0, 0.0, 0.0, 0.0, 0
	for k, l := range limbs {
		for i, u := range l.move {
			if l.touches(i, m.Leg) && u.len() < 0.2*r.Speed {
				still += 1 / float64(len(l.move)*len(limbs))
			}
		}
		f := r.Feet[k]
		lift = max(lift, f.Lift)
		if len(f.Stance) > 0 {
			back, slide = back+f.Back, slide+f.Slide
			stands++
		}
	}
	switch {
	case len(limbs) < 2:
		return "it has one foot, and steps take two"
	case lift < leastLift*m.Leg:
		return "its feet stay on the ground"
	case stands == 0 || r.Speed == 0:
		return "no foot stands and moves back"
	case still > mostStill:
		return fmt.Sprintf("its feet are still for %.0f %% of the time", 100*still)
	case idle > mostIdle && (idle > mostIdleEven || !even(limbs)):
		return fmt.Sprintf("for %.0f %% of the time feet are on the ground and none goes back", 100*idle)
	case back/float64(stands) < leastBack*m.Leg:
		return fmt.Sprintf("its soles go back by no more than %.3g m", back/float64(stands))
	case slide > mostSlide*back:
		return fmt.Sprintf("its soles do not go back evenly (%.3g m, and %.3g m off that)", back/float64(stands), slide/float64(stands))
	}
	return ""
}

// even tells whether the feet take even steps: each as many, of like lengths, and those
// of two feet half a cycle apart.
func even(limbs []*limb) bool {
	shortest, longest := math.MaxInt, 0
	for _, l := range limbs {
		if len(l.stances) == 0 || len(l.stances) != len(limbs[0].stances) {
			return false
		}
		for _, s := range l.stances {
			shortest, longest = min(shortest, s.len()), max(longest, s.len())
		}
	}
	if len(limbs) == 2 {
		period := float64(len(limbs[0].low)) / float64(len(limbs[0].stances))
		apart := math.Mod(float64(limbs[1].stances[0].from-limbs[0].stances[0].from)+10*period, period) / period
		if math.Abs(apart-0.5) > 0.1 {
			return false
		}
	}
	return 10*shortest >= 7*longest
}

// idling is the share of the time in which a foot touches the ground and none goes
// back as a standing one does.
func idling(limbs []*limb, leg float64) float64 {
	n := len(limbs[0].low)
	idle := 0
	for i := range n {
		low, stands := false, false
		for _, l := range limbs {
			low = low || l.touches(i, leg)
			for _, s := range l.stances {
				stands = stands || i >= s.from && i < s.to || i+n < s.to
			}
		}
		if low && !stands {
			idle++
		}
	}
	return float64(idle) / float64(n)
}

func (r *Report) none(why string) {
	r.Steps, r.Why = false, why
	r.Stride, r.Speed, r.Mean, r.Cycles = 0, 0, 0, 0
	r.Heading, r.Angle = mgl32.Vec3{}, 0
	r.StepsPerMinute, r.Flight, r.Order = 0, 0, []string{}
	for i := range r.Feet {
		r.Feet[i] = Foot{Name: r.Feet[i].Name, Stance: [][2]float64{}}
	}
}

// report fills what follows from stances, heading and speed.
func (r *Report) report(m Motion, limbs []*limb, heading flat, speed float64) {
	n := len(limbs[0].low)
	dt := m.Duration / float64(n)
	r.Steps = true
	r.Speed = speed
	r.Heading = vec(heading.x, 0, heading.z)
	r.Angle = math.Atan2(heading.x, heading.z) * 180 / math.Pi
	r.Cycles = cycles(limbs)
	r.Stride = speed * m.Duration / float64(max(r.Cycles, 1))

	type touch struct {
		at   int
		name string
	}
	var touches []touch
	way, time := 0.0, 0.0
	up := make([]bool, n)
	for i := range up {
		up[i] = true
	}
	for k, l := range limbs {
		f := &r.Feet[k]
		f.Floor, f.Lift = l.floor, l.lift
		stood := 0
		for _, s := range l.stances {
			f.Stance = append(f.Stance, [2]float64{float64(s.from) * dt, float64(s.to) * dt})
			slide, back := l.slide(s, m.Leg, heading, speed)
			f.Slide = max(f.Slide, slide)
			f.Back += back / float64(len(l.stances))
			stood += s.len()
			touches = append(touches, touch{s.from, l.name})
			for i := s.from; i < s.to; i++ {
				up[i%n] = false
			}
		}
		f.Duty = float64(stood) / float64(n)
		way, time = way+f.Back*float64(len(l.stances)), time+float64(stood)*dt
	}
	if time > 0 {
		r.Mean = way / time
	}
	slices.SortStableFunc(touches, func(a, b touch) int { return a.at - b.at })
	r.Order = []string{}
	for _, t := range touches {
		r.Order = append(r.Order, t.name)
	}
	r.StepsPerMinute = float64(len(touches)) * 60 / m.Duration
	flight := 0
	for _, x := range up {
		if x {
			flight++
		}
	}
	r.Flight = float64(flight) / float64(n)
}

// cycles is how often most feet come down.
func cycles(limbs []*limb) int {
	count := map[int]int{}
	best := 0
	for _, l := range limbs {
		k := len(l.stances)
		count[k]++
		if k > 0 && (best == 0 || count[k] > count[best] || count[k] == count[best] && k < best) {
			best = k
		}
	}
	return best
}

// slide follows what touches over the ground, the body going at a speed: how far
// apart the places are that it comes to. back is how far it goes back in place.
func (l *limb) slide(s span, leg float64, heading flat, speed float64) (slide, back float64) {
	at := flat{}
	track := []flat{at}
	for i := s.from; i < s.to; i++ {
		u, _, touches := l.tread(i, leg, heading)
		back -= u.dot(heading) * l.dt
		// The first and the last interval lie partly in the air.
		if touches && i > s.from && i < s.to-1 {
			at = at.add(u.add(heading.mul(speed)).mul(l.dt))
			track = append(track, at)
		}
	}
	return spread(track), back
}

// spread is the greatest distance between two places, of many as of those farthest
// out in some directions.
func spread(track []flat) float64 {
	const most = 256
	if len(track) > most {
		var ends []flat
		for k := range most / 2 {
			sin, cos := math.Sincos(math.Pi * float64(k) / (most / 2))
			way := flat{cos, sin}
			lo, hi := track[0], track[0]
			for _, a := range track {
				if a.dot(way) < lo.dot(way) {
					lo = a
				}
				if a.dot(way) > hi.dot(way) {
					hi = a
				}
			}
			ends = append(ends, lo, hi)
		}
		track = ends
	}
	far := 0.0
	for i, a := range track {
		for _, b := range track[:i] {
			far = max(far, a.sub(b).len())
		}
	}
	return far
}
