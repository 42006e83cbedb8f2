package verify

import (
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// judged is the report of one clip.
func judged(t *testing.T, a, b *rig, pairs []Pair, source, target *animation.Clip) *Report {
	t.Helper()
	v, err := New(a.Skeleton, b.Skeleton, pairs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	take, err := v.Measure(source, Play(b.Skeleton, target))
	if err != nil {
		t.Fatal(err)
	}
	return v.Report([]*Take{take})
}

func codes(r *Report) string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Code)
	}
	return strings.Join(out, " ")
}

func (r *Report) find(t *testing.T, code string) Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Code == code {
			if f.Message == "" || f.Means == "" || f.Fix == "" || f.Level == "" {
				t.Errorf("%s says too little: %+v", code, f)
			}
			return f
		}
	}
	t.Fatalf("there is no finding %s, but %q: %+v", code, codes(r), r.Findings)
	return Finding{}
}

func TestItselfIsNought(t *testing.T) {
	a := adult().build()
	c := a.play("walk", walk(), faults{})
	r := judged(t, a, a, pairsOf(a, a), c, c)
	if !r.Pass || len(r.Findings) != 0 {
		t.Fatalf("a clip against itself: %+v", r.Findings)
	}
	x := r.Clips[0]
	if x.Samples != 61 || x.MaxDeg > 1e-5 || x.MaxM > 1e-6 {
		t.Errorf("%d samples, %v°, %v m", x.Samples, x.MaxDeg, x.MaxM)
	}
	for _, j := range x.Joints {
		if j.Offset > 1e-5 || j.Drift > 1e-5 {
			t.Errorf("%s: offset %v°, drift %v°", j.Name, j.Offset, j.Drift)
		}
	}
}

// What is right passes however the rigs differ: in axes, proportions, rest pose,
// in where they stand and in what units.
func TestRightPasses(t *testing.T) {
	a := adult().build()
	source := a.play("walk", walk(), faults{})
	onRoot := a.play("walk", walk(), faults{noRoot: true})
	zUp := mgl32.QuatRotate(-math.Pi/2, mgl32.Vec3{1, 0, 0})
	for name, change := range map[string]func(*person){
		"other axes":           func(*person) {},
		"an A-pose":            func(p *person) { p.arms = 45 },
		"turned by 90°":        func(p *person) { p.turned = mgl32.QuatRotate(math.Pi/2, mgl32.Vec3{0, 1, 0}) },
		"turned by 37°":        func(p *person) { p.turned = mgl32.QuatRotate(0.65, mgl32.Vec3{0, 1, 0}) },
		"Z up":                 func(p *person) { p.turned = zUp },
		"centimetres":          func(p *person) { p.raw = 100 },
		"centimetres, Z up":    func(p *person) { p.raw, p.turned = 100, zUp },
		"scaled at the root":   func(p *person) { p.scale = 0.01 },
		"mirrored twice":       func(p *person) { p.scale = -1 },
		"a dwarf":              func(p *person) { p.leg, p.limb = 0.4, 0.9 },
		"a dwarf in an A-pose": func(p *person) { p.leg, p.limb, p.arms = 0.4, 0.9, 30 },
	} {
		t.Run(name, func(t *testing.T) {
			p := adult()
			p.seed, p.prefix = 5, "x_"
			change(&p)
			b := p.build()
			target := b.play("walk", walk(), faults{})
			for _, s := range []*animation.Clip{source, onRoot} {
				r := judged(t, a, b, pairsOf(a, b), s, target)
				if !r.Pass || r.Clips[0].MaxDeg > 0.01 || r.Clips[0].MaxM > 1e-3 {
					t.Errorf("%v° %v m, ratios %+v: %+v", r.Clips[0].MaxDeg, r.Clips[0].MaxM, r.Ratios, r.Findings)
				}
				// And the other way.
				r = judged(t, b, a, pairsOf(b, a), target, s)
				if !r.Pass || r.Clips[0].MaxDeg > 0.01 || r.Clips[0].MaxM > 1e-3 {
					t.Errorf("back: %v° %v m, ratios %+v: %+v", r.Clips[0].MaxDeg, r.Clips[0].MaxM, r.Ratios, r.Findings)
				}
			}
		})
	}
}

// A drift of known size at one joint and one frame is found as that.
func TestKnownDrift(t *testing.T) {
	a, b := adult().build(), dwarf().build()
	source := a.play("walk", walk(), faults{})
	for _, size := range []float64{0.6, 2, 30} {
		target := b.play("walk", walk(), faults{})
		const frame = 23
		j := b.Joint("d_rightLowerArm")
		for i := range target.Tracks {
			if tr := &target.Tracks[i]; int(tr.Joint) == j && tr.Path == animation.Rotation {
				q := mgl32.QuatXYZW(tr.Values[4*frame], tr.Values[4*frame+1], tr.Values[4*frame+2], tr.Values[4*frame+3])
				copy(tr.Values[4*frame:], xyzw(fromQuat(q).mul(about(vec{1, 2, 3}, size))))
			}
		}
		r := judged(t, a, b, pairsOf(a, b), source, target)
		f := r.find(t, Drift)
		if len(r.Findings) != 1 || f.Joint != "d_rightLowerArm" || f.Clip != "walk" || f.Frame != frame || math.Abs(f.Time-23.0/60) > 1e-5 || math.Abs(f.Measured-size) > 0.01*size {
			t.Errorf("%v° were put in; found %+v", size, r.Findings)
		}
		if r.Pass || r.Clips[0].Pass || math.Abs(r.Clips[0].MaxDeg-size) > 0.01*size {
			t.Errorf("%v°: pass %v, %v°", size, r.Pass, r.Clips[0].MaxDeg)
		}
	}
	// What is below the limit passes.
	target := b.play("walk", walk(), faults{})
	if r := judged(t, a, b, pairsOf(a, b), source, target); !r.Pass {
		t.Errorf("%+v", r.Findings)
	}
}

// The pelvis a known way too high in one frame.
func TestKnownHeight(t *testing.T) {
	a, b := adult().build(), dwarf().build()
	source, target := a.play("walk", walk(), faults{}), b.play("walk", walk(), faults{})
	for i := range target.Tracks {
		if tr := &target.Tracks[i]; tr.Joint == 1 && tr.Path == animation.Translation {
			at := fromQuat(b.Rest[0].Rotation).conj().rotate(vec{0, 0.02, 0})
			for x := range 3 {
				tr.Values[3*40+x] += float32(at[x])
			}
		}
	}
	r := judged(t, a, b, pairsOf(a, b), source, target)
	if f := r.find(t, PelvisHeight); f.Frame != 40 || math.Abs(f.Measured-0.02) > 2e-4 || f.Joint != "d_hips" || len(r.Findings) != 1 {
		t.Errorf("2 cm at frame 40 were put in: %+v", r.Findings)
	}
}

// Each of the faults that retargeters have is seen, and called by its name.
func TestFaults(t *testing.T) {
	a := adult().build()
	source := a.play("walk", walk(), faults{noRoot: true})
	fingers := func(b string) bool {
		return strings.Contains(b, "Thumb") || strings.Contains(b, "Index") || strings.Contains(b, "Middle")
	}
	p := dwarf()
	p.arms = 30
	b := p.build()
	both := b.person.limbs() / adultLimbs()
	for _, c := range []struct {
		name    string
		f       faults
		without []string
		code    string
		joint   string
	}{
		{"fingers out of the map", faults{skip: fingers}, []string{"Thumb", "Index", "Middle"}, FingersDropped, "d_leftThumb1"},
		{"fingers out of the clip only", faults{skip: fingers}, nil, FingersDropped, ""},
		{"a forearm out of the clip", faults{skip: func(b string) bool { return b == "leftLowerArm" }}, nil, JointStill, "d_leftLowerArm"},
		{"no alignment", faults{unaligned: true}, nil, Alignment, ""},
		{"the limbs' ratio for both", faults{height: both}, nil, OneRatio, "d_hips"},
		{"the hip's ratio for both", faults{distance: p.leg / 0.95}, nil, OneRatio, "d_hips"},
		{"a wrong ratio", faults{height: 0.2}, nil, WrongRatio, "d_hips"},
		{"the root's track lost", faults{rootLost: true}, nil, RootLost, "d_hips"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judged(t, a, b, pairsOf(a, b, c.without...), source, b.play("walk", walk(), c.f))
			f := r.find(t, c.code)
			if r.Pass || r.Clips[0].Pass && c.code != OneRatio || f.Level != Error || c.joint != "" && f.Joint != c.joint {
				t.Errorf("pass %v: %+v", r.Pass, f)
			}
			if c.code == Alignment && (math.Abs(f.Measured-30) > 1 || r.Clips[0].MaxDeg > 0.01) {
				t.Errorf("30° of A-pose were measured as %v°, with a drift of %v°", f.Measured, r.Clips[0].MaxDeg)
			}
		})
	}
}

// A clip with a pose of its own all through has no drift, and differs from the rest.
func TestOffsetOfOneClip(t *testing.T) {
	a, b := adult().build(), dwarf().build()
	v, err := New(a.Skeleton, b.Skeleton, pairsOf(a, b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var takes []*Take
	for i, name := range []string{"one", "two", "three", "odd"} {
		source := a.play(name, walk(), faults{})
		target := b.play(name, walk(), faults{})
		if i == 3 {
			for j := range target.Tracks {
				if tr := &target.Tracks[j]; int(tr.Joint) == b.Joint("d_head") && tr.Path == animation.Rotation {
					for k := range tr.Times {
						q := mgl32.QuatXYZW(tr.Values[4*k], tr.Values[4*k+1], tr.Values[4*k+2], tr.Values[4*k+3])
						copy(tr.Values[4*k:], xyzw(fromQuat(q).mul(about(vec{1, 0, 0}, 7))))
					}
				}
			}
		}
		take, err := v.Measure(source, Play(b.Skeleton, target))
		if err != nil {
			t.Fatal(err)
		}
		takes = append(takes, take)
	}
	r := v.Report(takes)
	f := r.find(t, OffsetDiffers)
	if f.Clip != "odd" || f.Joint != "d_head" || math.Abs(f.Measured-7) > 0.01 || len(r.Findings) != 1 || !r.Clips[0].Pass || r.Clips[3].Pass {
		t.Errorf("%+v", r.Findings)
	}
}

func TestRefusals(t *testing.T) {
	a, b := adult().build(), dwarf().build()
	good := a.play("walk", walk(), faults{})
	bad := a.play("walk", walk(), faults{})
	bad.Tracks[4].Values[4*7+1] = float32(math.NaN())
	v, err := New(a.Skeleton, b.Skeleton, pairsOf(a, b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	says := func(err error, want ...string) {
		t.Helper()
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("the error must say %q: %v", w, err)
			}
		}
	}
	_, err = v.Measure(bad, Play(b.Skeleton, b.play("walk", walk(), faults{})))
	says(err, "source", `"walk"`, a.Names[bad.Tracks[4].Joint], "key 7", "NaN")
	wrong := b.play("walk", walk(), faults{})
	wrong.Tracks[1].Values[5] = float32(math.Inf(1))
	_, err = v.Measure(good, Play(b.Skeleton, wrong))
	says(err, "target", "d_hips", "translation", "key 1", "+Inf")
	_, err = v.Measure(good, Motion{Name: "walk", Duration: 1, Sample: func(t float32, out *animation.Pose) error {
		out.SetRest(b.Skeleton)
		if t > 0.5 {
			out.Local[3].Translation[0] = float32(math.NaN())
		}
		return nil
	}})
	says(err, "target", b.Names[3], "frame 31")
	long := *good
	long.Duration = 1e9
	_, err = v.Measure(&long, Play(b.Skeleton, wrong))
	says(err, "target", "d_hips")
	_, err = v.Measure(&long, Play(b.Skeleton, b.play("walk", walk(), faults{})))
	says(err, "lasts", "cut it")
	_, err = New(a.Skeleton, b.Skeleton, nil, Options{})
	says(err, "no joint")
	_, err = New(a.Skeleton, b.Skeleton, []Pair{{Source: 0, Target: 99}}, Options{})
	says(err, "99")
	_, err = New(a.Skeleton, b.Skeleton, []Pair{{Source: 0, Target: 1}, {Source: 1, Target: 1}}, Options{})
	says(err, "two pairs")
	_, err = New(a.Skeleton, b.Skeleton, pairsOf(a, b), Options{Drift: math.NaN()})
	says(err, "drift")
}

// The last moment counts, wherever it lies between two frames.
func TestMoments(t *testing.T) {
	for _, c := range []struct {
		duration float32
		frames   int
	}{{0, 1}, {1, 61}, {1.004, 62}, {1.0 / 60, 2}, {0.0666667, 5}, {2.75, 166}} {
		m := moments(c.duration)
		if len(m) != c.frames || m[0] != 0 || math.Abs(float64(m[len(m)-1]-c.duration)) > 1e-4 {
			t.Errorf("%v s: %d frames, the last at %v", c.duration, len(m), m[len(m)-1])
		}
	}
}

// A rotation comes out of a matrix whatever its scale.
func TestRotationOf(t *testing.T) {
	q := about(vec{1, -2, 0.5}, 77)
	for _, s := range []mgl32.Vec3{{1, 1, 1}, {100, 100, 100}, {0.01, 0.01, 0.01}, {-1, -1, -1}, {3, 1, 0.2}} {
		m := mgl32.Compose(mgl32.Vec3{1, 2, 3}, toQuat(q), s)
		if r, ok := rotationOf(&m); !ok || between(q, r) > 1e-4 {
			t.Errorf("scale %v: %v° off", s, between(q, r))
		}
	}
	// Mirrored in one axis, whichever half is taken it is the same for every pose.
	var off []quat
	for i := range 5 {
		p := about(vec{1, 0.1 * float64(i), 2}, 30*float64(i))
		m := mgl32.Compose(mgl32.Vec3{}, toQuat(p), mgl32.Vec3{-2, 2, 2})
		r, ok := rotationOf(&m)
		if !ok {
			t.Fatal("no rotation")
		}
		off = append(off, p.conj().mul(r))
	}
	for _, o := range off {
		if between(o, off[0]) > 1e-4 {
			t.Errorf("the choice changes by %v°", between(o, off[0]))
		}
	}
	// A shear keeps the rotation nearest to its axes: half way between them.
	shear := toQuat(q).Mat4().Mul4(mgl32.Mat4{1, 0, 0, 0, 0.2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
	if r, ok := rotationOf(&shear); !ok || math.Abs(between(q, r)-math.Atan(0.2)*90/math.Pi) > 1e-3 {
		t.Errorf("sheared: %v°", between(q, r))
	}
	flat := mgl32.Scale3D(1, 0, 1)
	if _, ok := rotationOf(&flat); ok {
		t.Error("a flat matrix has a rotation")
	}
}
