package stride_test

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// walker makes a motion whose figures are known: feet that go back evenly while they
// stand and come forward through the air.
type walker struct {
	duration, speed, duty float64
	heading               float64 // radians from +Z towards +X
	offsets               []float64
	cycles                int
	travels               bool
	scale                 float64
	// swing says where along its stance, 0 to 1, a foot stands: even where nil.
	swing func(u float64) float64
	lift  float64
}

var biped = walker{duration: 1.1, speed: 1.3, duty: 0.6, offsets: []float64{0.13, 0.63}, cycles: 1, scale: 1, lift: 0.07}

const frames = 264

func (w walker) motion() stride.Motion {
	m := stride.Motion{Clip: "walk", Duration: w.duration, Leg: 0.9 * w.scale}
	period := w.duration / float64(w.cycles)
	long := w.speed * period * w.duty
	sin, cos := math.Sincos(w.heading)
	for k, offset := range w.offsets {
		p := stride.Path{Name: string(rune('a' + k))}
		for i := range frames + 1 {
			t := w.duration * float64(i) / frames
			phase := t/period - offset
			phase -= math.Floor(phase)
			var z, y float64
			if phase < w.duty {
				u := phase / w.duty
				if w.swing != nil {
					u = w.swing(u)
				}
				z = long * (0.5 - u)
			} else {
				u := (phase - w.duty) / (1 - w.duty)
				z = long * (-0.5 + u*u*(3-2*u))
				y = w.lift * math.Sin(math.Pi*u)
			}
			if w.travels {
				z += w.speed * t
			}
			var sole []mgl32.Vec3
			for _, c := range [][2]float64{{-0.04, -0.1}, {0.04, -0.1}, {-0.05, 0.12}, {0.05, 0.12}, {0, 0.02}} {
				x, z := 0.1*float64(k)+c[0], z+c[1]
				sole = append(sole, mgl32.Vec3{
					float32(w.scale * (x*cos + z*sin)), float32(w.scale * (y - 0.02)), float32(w.scale * (z*cos - x*sin)),
				})
			}
			p.Frames = append(p.Frames, sole)
		}
		m.Feet = append(m.Feet, p)
	}
	return m
}

func measure(t *testing.T, m stride.Motion) stride.Report {
	t.Helper()
	r, err := stride.Measure(m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s is %.5g, want %.5g ± %.2g", what, got, want, by)
	}
}

// A walk of known figures is measured right: in place and with root motion, walking,
// running, turned about, as large as a house, two cycles in one clip, four feet.
func TestKnownWalks(t *testing.T) {
	for name, change := range map[string]func(*walker){
		"walk":         func(*walker) {},
		"root motion":  func(w *walker) { w.travels = true },
		"half duty":    func(w *walker) { w.duty = 0.5 },
		"run":          func(w *walker) { w.duty, w.speed, w.lift, w.duration = 0.3, 4, 0.3, 0.7 },
		"turned":       func(w *walker) { w.heading = 0.64 },
		"backward":     func(w *walker) { w.heading = math.Pi },
		"large":        func(w *walker) { w.scale = 85 },
		"two cycles":   func(w *walker) { w.cycles, w.duration = 2, 2.2 },
		"four feet":    func(w *walker) { w.offsets = []float64{0.25, 0.75, 0, 0.5} },
		"over the end": func(w *walker) { w.offsets = []float64{0.8, 0.3} },
		"low steps":    func(w *walker) { w.lift = 0.012 },
	} {
		t.Run(name, func(t *testing.T) {
			w := biped
			change(&w)
			r := measure(t, w.motion())
			if !r.Steps {
				t.Fatalf("it does not step: %s", r.Why)
			}
			near(t, "speed", r.Speed/w.scale, w.speed, 0.002*w.speed)
			near(t, "stride", r.Stride/w.scale, w.speed*w.duration/float64(w.cycles), 0.002*w.speed*w.duration)
			near(t, "angle", math.Remainder(r.Angle*math.Pi/180-w.heading, 2*math.Pi), 0, 1e-3)
			if r.Cycles != w.cycles || r.InPlace == w.travels || !r.Loops {
				t.Errorf("%d cycles, in place %v, loops %v", r.Cycles, r.InPlace, r.Loops)
			}
			dt := w.duration / frames
			for k, f := range r.Feet {
				near(t, "duty", f.Duty, w.duty, 0.025)
				near(t, "back", f.Back/w.scale, w.speed*w.duration/float64(w.cycles)*f.Duty, 0.01)
				near(t, "slide", f.Slide/w.scale, 0, 0.004)
				near(t, "floor", f.Floor/w.scale, -0.02, 0.001)
				if len(f.Stance) != w.cycles {
					t.Fatalf("foot %s stands %v", f.Name, f.Stance)
				}
				for c, s := range f.Stance {
					want := (w.offsets[k] + float64(c)) * w.duration / float64(w.cycles)
					near(t, "touch", math.Remainder(s[0]-want, w.duration), 0, 5*dt)
					near(t, "lift", math.Remainder(s[1]-want-w.duty*w.duration/float64(w.cycles), w.duration), 0, 5*dt)
					if !(s[0] >= 0 && s[0] < w.duration && s[1] > s[0]) {
						t.Errorf("foot %s stands from %v to %v of %v s", f.Name, s[0], s[1], w.duration)
					}
				}
			}
			flight := math.Max(0, 1-float64(len(w.offsets))*w.duty)
			near(t, "flight", r.Flight, flight, 0.06)
		})
	}
}

// The stride is twice the way of a sole where feet take turns, and in general that
// way over the duty.
func TestStrideIsTwiceTheWayBackAtHalfDuty(t *testing.T) {
	for _, duty := range []float64{0.35, 0.5, 0.62} {
		w := biped
		w.duty = duty
		r := measure(t, w.motion())
		f := r.Feet[0]
		near(t, "back / duty", f.Back/f.Duty, r.Stride, 0.01*r.Stride)
		if duty == 0.5 {
			near(t, "twice back", 2*f.Back, r.Stride, 0.02*r.Stride)
		}
	}
}

// A leg that swings as a sine slides: with a sole's amplitude of a third of a metre
// it leaves even motion by 7 cm to either side (a·(sin φ - 2φ/π) is 0.21 a at most).
// The same soles at even speed do not.
func TestASineSlides(t *testing.T) {
	w := biped
	w.duty = 0.5
	w.speed = 4 * 0.335 / w.duration // an amplitude of 0.335 m: half of the way of a stance
	even := measure(t, w.motion())
	w.swing = func(u float64) float64 { return 0.5 + 0.5*math.Sin(math.Pi*(u-0.5)) }
	sine := measure(t, w.motion())
	if !sine.Steps || !even.Steps {
		t.Fatal(sine.Why, even.Why)
	}
	for k := range sine.Feet {
		if s := sine.Feet[k].Slide; s < 0.06 || s > 0.2 {
			t.Errorf("foot %d: a sine slides by %.4f m", k, s)
		}
		if s := even.Feet[k].Slide; s > 0.004 {
			t.Errorf("foot %d: even steps slide by %.4f m", k, s)
		}
	}
}

// A clip without steps says so, and has no figures that could be taken for some.
func TestNoSteps(t *testing.T) {
	stand := biped
	stand.speed = 1e-9
	rest := stand.motion()
	for _, f := range rest.Feet { // nothing moves
		for i := range f.Frames {
			f.Frames[i] = f.Frames[0]
		}
	}
	hop := biped.motion() // up and down in place
	for k, f := range hop.Feet {
		for i, frame := range f.Frames {
			y := float32(0.3 * math.Max(0, math.Sin(2*math.Pi*float64(i)/frames)))
			for v := range frame {
				frame[v] = mgl32.Vec3{0.1 * float32(k), y, 0.05 * float32(v)}
			}
		}
	}
	blow := biped.motion() // one foot forth, a pause, and back
	for k, f := range blow.Feet {
		for i, frame := range f.Frames {
			u := float64(i) / frames
			z := 0.4 * math.Max(0, math.Min(1, math.Min(10*(u-0.2), 10*(0.8-u))))
			y := 0.05 * (1 - math.Cos(2*math.Pi*z/0.4)) / 2
			if k == 1 {
				z, y = 0, 0
			}
			for v := range frame {
				frame[v] = mgl32.Vec3{0.1 * float32(k), float32(y), float32(z) + 0.05*float32(v)}
			}
		}
	}
	ends := biped.motion() // its end is not its start
	for _, f := range ends.Feet[:1] {
		for i, frame := range f.Frames {
			for v := range frame {
				frame[v][0] += 0.5 * float32(i) / frames
			}
		}
	}
	pose := biped.motion()
	pose.Duration = 0
	for name, m := range map[string]stride.Motion{"rest": rest, "hop": hop, "blow": blow, "ends elsewhere": ends, "pose": pose} {
		r := measure(t, m)
		if r.Steps || r.Why == "" || r.Speed != 0 || r.Stride != 0 || len(r.Order) != 0 || r.Rate(1) != 0 {
			t.Errorf("%s: %+v", name, r)
		}
		for _, f := range r.Feet {
			if len(f.Stance) != 0 || f.Stance == nil || f.Slide != 0 {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// Numbers that are none, and shapes that do not fit, are refused by name.
func TestBadMotions(t *testing.T) {
	for name, spoil := range map[string]func(*stride.Motion){
		"no feet":     func(m *stride.Motion) { m.Feet = nil },
		"no frames":   func(m *stride.Motion) { m.Feet[0].Frames = nil },
		"few":         func(m *stride.Motion) { m.Feet[1].Frames = m.Feet[1].Frames[:5] },
		"no vertices": func(m *stride.Motion) { m.Feet[1].Frames[3] = nil },
		"nan":         func(m *stride.Motion) { m.Feet[1].Frames[3][0][1] = float32(math.NaN()) },
		"inf":         func(m *stride.Motion) { m.Duration = math.Inf(1) },
		"no leg":      func(m *stride.Motion) { m.Leg = 0 },
		"hips":        func(m *stride.Motion) { m.Hips = make([]mgl32.Vec3, 2) },
	} {
		m := biped.motion()
		spoil(&m)
		if _, err := stride.Measure(m); !errors.Is(err, stride.ErrMotion) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One foot alone takes no steps, and a clip of minutes takes no minutes.
func TestOneFootAndManyFrames(t *testing.T) {
	w := biped
	w.offsets = w.offsets[:1]
	if r := measure(t, w.motion()); r.Steps {
		t.Errorf("one foot: %+v", r)
	}
	long := biped.motion()
	for k := range long.Feet {
		once := long.Feet[k].Frames
		for range 40 {
			long.Feet[k].Frames = append(long.Feet[k].Frames, once[1:]...)
		}
	}
	long.Duration *= 41
	begin := time.Now()
	r := measure(t, long)
	near(t, "speed", r.Speed, biped.speed, 0.01)
	if r.Cycles != 41 {
		t.Errorf("%d cycles", r.Cycles)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("%d frames took %v", len(long.Feet[0].Frames), took)
	}
}

func TestRate(t *testing.T) {
	r := measure(t, biped.motion())
	near(t, "rate", float64(r.Rate(2.6)), 2, 0.01)
	if v := r.Velocity(); math.Abs(float64(v[2])-1.3) > 0.01 {
		t.Errorf("velocity %v", v)
	}
}

// Whatever the soles do, measuring ends and gives finite figures.
func FuzzMeasure(f *testing.F) {
	f.Add([]byte("feet that jitter and jump as bytes do, thirty-two of them"), 1.0)
	f.Add(slices.Repeat([]byte{0, 0, 0x7f, 0x7f}, 40), 0.5)
	f.Fuzz(func(t *testing.T, data []byte, duration float64) {
		const feet, vertices = 2, 2
		m := stride.Motion{Clip: "fuzz", Duration: duration, Leg: 1}
		n := min(len(data)/(feet*vertices*6), 300)
		at := 0
		number := func() float32 {
			x := int16(binary.LittleEndian.Uint16(data[at:]))
			at += 2
			return float32(x) / 3000
		}
		for range feet {
			var p stride.Path
			for range n {
				frame := make([]mgl32.Vec3, vertices)
				for v := range frame {
					frame[v] = mgl32.Vec3{number(), number(), number()}
				}
				p.Frames = append(p.Frames, frame)
			}
			m.Feet = append(m.Feet, p)
		}
		r, err := stride.Measure(m)
		if err != nil {
			return
		}
		figures := []float64{r.Speed, r.Stride, r.Flight, r.SoleMin, r.SoleRange, r.StepsPerMinute}
		for _, f := range r.Feet {
			figures = append(figures, f.Slide, f.Back, f.Duty)
		}
		for _, x := range figures {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%+v", r)
			}
		}
	})
}
