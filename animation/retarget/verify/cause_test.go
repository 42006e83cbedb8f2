package verify

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
)

// A finding leads to the cause: of two exchanged joints, the pair that is wrong.
func TestExchangedPairsAreNamed(t *testing.T) {
	a, b := adult().build(), dwarf().build()
	source, target := a.play("walk", walk(), faults{}), b.play("walk", walk(), faults{})
	pairs := pairsOf(a, b)
	at := func(bone string) int {
		for i, p := range pairs {
			if p.Bone == bone {
				return i
			}
		}
		t.Fatal("no pair", bone)
		return 0
	}
	// The clip is right, so that judged by a map whose sources are exchanged each does
	// what the other should.
	l, r := at("leftLowerArm"), at("rightUpperLeg")
	pairs[l].Source, pairs[r].Source = pairs[r].Source, pairs[l].Source
	report := judged(t, a, b, pairs, source, target)
	for joint, does := range map[string]string{"d_leftLowerArm": "leftLowerArm", "d_rightUpperLeg": "rightUpperLeg"} {
		told := 0
		for _, f := range report.Findings {
			if f.Joint != joint {
				continue
			}
			if told++; f.Code != WrongPartner || !strings.Contains(f.Message, "turns as the source's "+does+" does") || !strings.Contains(f.Means, "pairs it with "+does) {
				t.Errorf("%s follows %s: %+v", joint, does, f)
			}
		}
		if told != 1 {
			t.Errorf("%s is in %d findings, want 1: %+v", joint, told, report.Findings)
		}
	}
	if report.Findings[0].Code != WrongPartner {
		t.Errorf("what is told first is %+v", report.Findings[0])
	}
}

// A clip that lasts otherwise is told once, with what happened to it, and is compared
// at the moments that are alike.
func TestClipsThatLastOtherwise(t *testing.T) {
	a, b := adult().build(), dwarf().build()
	source := a.play("walk", walk(), faults{})
	whole := b.play("walk", walk(), faults{})
	shorter := walk()
	shorter.frames = 41
	longer := walk()
	longer.frames = 91
	slow := whole.With(append([]animation.Track(nil), whole.Tracks...))
	slow.Duration *= 1.25
	for i := range slow.Tracks {
		times := append([]float32(nil), slow.Tracks[i].Times...)
		for k := range times {
			times[k] *= 1.25
		}
		slow.Tracks[i].Times = times
	}
	for _, c := range []struct {
		name   string
		target *animation.Clip
		means  string
	}{
		{"slowed", slow, "1.25 times as slow"},
		{"cut", b.play("walk", shorter, faults{}), "cut"},
		{"appended to", b.play("walk", longer, faults{}), "appended"},
	} {
		r := judged(t, a, b, pairsOf(a, b), source, c.target)
		f := r.find(t, Duration)
		if len(r.Findings) != 1 || r.Pass || r.Clips[0].Pass || !strings.Contains(f.Means, c.means) || r.Clips[0].MaxDeg > 0.05 {
			t.Errorf("%s: pass %v, %v°: %+v", c.name, r.Pass, r.Clips[0].MaxDeg, r.Findings)
		}
	}
	// What is wrong besides is told too.
	p := dwarf()
	p.arms = 30
	other := p.build()
	r := judged(t, a, other, pairsOf(a, other), source, other.play("walk", shorter, faults{unaligned: true}))
	r.find(t, Duration)
	r.find(t, Alignment)
}

// Where one clip of several has its pelvis scaled, that clip's ratio is told.
func TestOneClipsRatio(t *testing.T) {
	a, b := adult().build(), dwarf().build()
	v, err := New(a.Skeleton, b.Skeleton, pairsOf(a, b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	right := b.person.leg / 0.95
	var takes []*Take
	for _, f := range []faults{{}, {}, {height: 1.3 * right}} {
		take, err := v.Measure(a.play("walk", walk(), faults{}), Play(b.Skeleton, b.play("walk", walk(), f)))
		if err != nil {
			t.Fatal(err)
		}
		takes = append(takes, take)
	}
	f := v.Report(takes).find(t, PelvisHeight)
	if !strings.Contains(f.Means, "another 1.3") || strings.Contains(f.Message, "the clips show") || math.Abs(f.Limit-0.003) > 1e-9 {
		t.Errorf("%+v", f)
	}
}

// Of packs joined, the one whose clips move the pelvis gives the ratios, wherever it
// stands; skeletons of other sizes are told.
func TestJoinedRatios(t *testing.T) {
	still := &Report{Source: "still", Pass: true, Ratios: Ratios{Height: 0.5, Distance: 0.9}}
	moves := &Report{Source: "moves", Pass: true, Ratios: Ratios{Height: 0.5, Distance: 0.9, HeightSeen: 0.5, TravelSeen: 0.9}}
	small := &Report{Source: "small", Pass: true, Ratios: Ratios{Height: 1.4, Distance: 1.1}}
	if r := Join(still, moves); r.Ratios != moves.Ratios || len(r.Notes) != 0 {
		t.Errorf("%+v, %q", r.Ratios, r.Notes)
	}
	if r := Join(still, moves, small); r.Ratios != moves.Ratios || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "those of moves") {
		t.Errorf("%+v, %q", r.Ratios, r.Notes)
	}
}

// Legs that were bent to plant feet fail unless they are let pass, and then are told;
// arms are not let pass with them.
func TestPlantedLegs(t *testing.T) {
	a, b := adult().build(), dwarf().build()
	source := a.play("walk", walk(), faults{})
	bend := func(bones ...string) *animation.Clip {
		d := walk()
		plain := d.turn
		d.turn = func(bone string, t float64) quat {
			if slices.Contains(bones, bone) {
				return about(vec{1, 0, 0}, 30*t).mul(plain(bone, t))
			}
			return plain(bone, t)
		}
		return b.play("walk", d, faults{})
	}
	measured := func(o Options, clip *animation.Clip) *Report {
		v, err := New(a.Skeleton, b.Skeleton, pairsOf(a, b), o)
		if err != nil {
			t.Fatal(err)
		}
		take, err := v.Measure(source, Play(b.Skeleton, clip))
		if err != nil {
			t.Fatal(err)
		}
		return v.Report([]*Take{take})
	}
	legs := bend("leftUpperLeg", "leftLowerLeg")
	if r := measured(Options{}, legs); r.Pass || !strings.Contains(r.Findings[0].Means, "--plant-feet") {
		t.Errorf("bent legs: pass %v, %+v", r.Pass, r.Findings)
	}
	r := measured(Options{Planted: true}, legs)
	if f := r.find(t, LegBent); !r.Pass || !r.Clips[0].Pass || f.Level != Warning || f.Measured < 10 || r.Clips[0].MaxDeg > 0.05 {
		t.Errorf("bent legs let pass: pass %v, %v°, %+v", r.Pass, r.Clips[0].MaxDeg, r.Findings)
	}
	r = measured(Options{Planted: true}, bend("leftUpperLeg", "leftUpperArm"))
	if f := r.find(t, Drift); r.Pass || f.Joint != "d_leftUpperArm" {
		t.Errorf("a bent arm: pass %v, %+v", r.Pass, r.Findings)
	}
	if r := measured(Options{}, bend("leftUpperLeg", "leftUpperArm")); strings.Contains(r.find(t, Drift).Means, "--plant-feet") {
		t.Errorf("an arm is bent too, and feet are blamed: %+v", r.Findings)
	}
}
