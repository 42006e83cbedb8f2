package demo_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// limbs are bones by their ends in the mannequin and in the porter.
var limbs = [][4]string{
	{"upperarm_l", "lowerarm_l", "L_Upperarm", "L_Forearm"}, {"lowerarm_l", "hand_l", "L_Forearm", "L_Hand"},
	{"upperarm_r", "lowerarm_r", "R_Upperarm", "R_Forearm"}, {"lowerarm_r", "hand_r", "R_Forearm", "R_Hand"},
	{"index_02_l", "index_03_l", "L_Index2", "L_Index3"}, {"pinky_02_r", "pinky_03_r", "R_Pinky2", "R_Pinky3"},
}

var legs = [][4]string{
	{"thigh_l", "calf_l", "L_Thigh", "L_Calf"}, {"calf_l", "foot_l", "L_Calf", "L_Foot"},
	{"thigh_r", "calf_r", "R_Thigh", "R_Calf"}, {"calf_r", "foot_r", "R_Calf", "R_Foot"},
}

// bone is the direction of a bone in the world.
func bone(e *scene.Entity, from, to string) mgl32.Vec3 {
	at := func(name string) mgl32.Vec3 {
		j := e.Animator.Skeleton().Joint(name)
		return mgl32.TransformCoordinate(e.Animator.Model()[j].Col(3).Vec3(), e.World())
	}
	return at(to).Sub(at(from)).Normalize()
}

// apart is the widest angle between the pair's bones, degrees.
func apart(p *demo.Pair, bones [][4]string) (worst float64, which string) {
	for _, l := range bones {
		a, b := bone(p.Source, l[0], l[1]), bone(p.Porter, "CC_Base_"+l[2], "CC_Base_"+l[3])
		if d := math.Acos(min(1, float64(a.Dot(b)))) * 180 / math.Pi; d > worst || d != d {
			worst, which = d, l[0]
		}
	}
	return worst, which
}

// together tells whether both play the same clips at the same times.
func together(t *testing.T, p *demo.Pair) []machine.Playing {
	t.Helper()
	a := p.Machine.Playing(0, nil)
	b := p.Source.Machine().Playing(0, nil)
	if len(a) == 0 || len(a) != len(b) {
		t.Fatalf("the porter plays %d clips, its source %d", len(a), len(b))
	}
	for i := range a {
		if a[i].Clip != b[i].Clip || a[i].Time != b[i].Time || a[i].Weight != b[i].Weight {
			t.Fatalf("the porter is in %s at %v s, its source in %s at %v s", a[i].Clip.Name, a[i].Time, b[i].Clip.Name, b[i].Time)
		}
	}
	return a
}

// In the yard porter and source walk and stand side by side, in step, limbs alike; T
// again takes both away.
func TestThePorterDoesAsItsSource(t *testing.T) {
	seen := map[string]bool{}
	var worst, legged, off float64
	var where string
	d := build(t, 24, func(d *demo.Demo, at float64) {
		if at == 0 {
			n := d.Scene.Len()
			for _, on := range []bool{true, true, false, false, true} {
				if err := d.ShowPair(on); err != nil {
					t.Fatal(err)
				}
				if on != (d.Pair != nil) || d.Scene.Len() != n+map[bool]int{true: 2}[on] {
					t.Fatalf("shown %v: %d entities, before %d", on, d.Scene.Len(), n)
				}
			}
			return
		}
		p := d.Pair
		for _, c := range together(t, p) {
			seen[c.Clip.Name] = true
			if want := map[string]float32{"march": 1.4, "rest": 0}[c.Clip.Name]; math.Abs(float64(c.Clip.Speed-want)) > 0.01 {
				t.Fatalf("%s goes at %v m/s: the alias means another clip", c.Clip.Name, c.Clip.Speed)
			}
		}
		if a, name := apart(p, limbs); a > worst {
			worst, where = a, name
		}
		a, _ := apart(p, legs)
		legged = max(legged, a)
		lowest := math.Inf(1)
		for _, foot := range soles(p.Porter) {
			for _, v := range foot {
				lowest = min(lowest, float64(v[1]))
			}
		}
		off = max(off, math.Abs(lowest))
		away := p.Source.WorldPosition().Sub(p.Porter.WorldPosition()).Len()
		if away < 0.95 || away > 1.05 {
			t.Fatalf("at %.2f s they are %.2f m apart", at, away)
		}
	})
	if !seen["rest"] || !seen["march"] {
		t.Errorf("only %v was played", seen)
	}
	t.Logf("limbs point at most %.2f° apart (%s), legs %.2f°; soles at most %.1f mm off the ground", worst, where, legged, 1000*off)
	if off > 0.005 {
		t.Errorf("the lowest sole is up to %.1f mm off the ground", 1000*off)
	}
	if worst > 0.5 {
		t.Errorf("%s points %.2f° otherwise than the source's", where, worst)
	}
	if legged > 0.5 {
		t.Errorf("legs point %.1f° otherwise than the source's", legged)
	}
	// All 30 links of the fingers have their partner, by number.
	fingers := 0
	for _, x := range d.Pair.Map.Pairs {
		from, to := d.Pair.Source.Animator.Skeleton().Names[x.Source], d.Pair.Porter.Animator.Skeleton().Names[x.Target]
		for i, name := range []string{"thumb", "index", "middle", "ring", "pinky"} {
			if strings.HasPrefix(from, name+"_0") {
				fingers++
				want := []string{"Thumb", "Index", "Mid", "Ring", "Pinky"}[i] + from[len(name)+2:len(name)+3]
				if !strings.HasSuffix(to, want) {
					t.Errorf("%s moves %s", from, to)
				}
			}
		}
	}
	if fingers != 30 {
		t.Errorf("%d links of fingers are paired, want 30", fingers)
	}
}

// On the hills the source is there when it is asked for, in the porter's clip and time.
func TestTheSourceWalksBesideThePorterOnTheHills(t *testing.T) {
	var worst float64
	h := hills(t, 16, nil, func(h *demo.Hills, at float64) {
		h.ShowSource(at > 8)
		if at < 1 {
			return
		}
		together(t, h.Pair)
		a, _ := apart(h.Pair, limbs)
		worst = max(worst, a)
		d := h.Pair.Source.WorldPosition().Sub(h.Porter.Entity.WorldPosition())
		d[1] = 0
		if d.Len() < 0.9 || d.Len() > 1.1 {
			t.Fatalf("at %.2f s the source is %.2f m from the porter", at, d.Len())
		}
		if h.Pair.Source.Hidden != (at <= 8) {
			t.Fatal("the source is not shown as it is asked")
		}
	})
	t.Logf("limbs point at most %.2f° apart", worst)
	if worst > 0.5 {
		t.Errorf("limbs point %.2f° otherwise than the source's", worst)
	}
	if h.Pair.Source.Stance == nil {
		t.Error("the source does not stand on the hills")
	}
}

func TestSteadyHillsAllocateNothing(t *testing.T) {
	h := hills(t, 2, nil, nil)
	h.ShowSource(true)
	s := h.Scene
	if n := testing.AllocsPerRun(120, func() {
		for _, step := range []func(float32) error{s.RunScripts, s.StepPhysics, s.Animate} {
			if err := step(dt); err != nil {
				t.Fatal(err)
			}
		}
	}); n > 0 {
		t.Errorf("a frame allocates %v times", n)
	}
}
