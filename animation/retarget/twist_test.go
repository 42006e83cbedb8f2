package retarget_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/animation/retarget/verify"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Whatever they are called and wherever they hang, joints along a limb turn by where
// they lie when its end is turned about it, and nothing that has a partner moves.
func TestTwistIsShared(t *testing.T) {
	body := mannequin(t)
	for _, g := range []graft{
		{"lowerarm_twist_01_l", "leftLowerArm", "leftHand", 0.5, 0, "limb"},
		{"CC_Base_L_ForearmTwist01", "leftLowerArm", "leftHand", 0.25, 0.01, "limb"},
		{"Bip01 L ForeTwist", "leftLowerArm", "leftHand", 0.5, 0, "beside"},
		{"Bip01 L ForeTwist1", "leftLowerArm", "leftHand", 0.75, 0.01, "beside"},
		{"DEF-forearm.L.001", "leftLowerArm", "leftHand", 0.5, 0, "between"},
		{"DEF-forearm.L.002", "leftLowerArm", "leftHand", 0.5, 0.005, "between"},
		{"LeftForeArmRoll", "leftLowerArm", "leftHand", 0.6, 0, "limb"},
		{"forearm_b_l", "leftLowerArm", "leftHand", 0.4, 0, "limb"},
		{"calf_twist_01_r", "rightLowerLeg", "rightFoot", 0.5, 0, "limb"},
		{"Bip01 RCalfTwist", "rightLowerLeg", "rightFoot", 0.5, 0, "beside"},
	} {
		s, joints := grafted(body, g)
		target := rig(t, s)
		m, err := retarget.NewMap(body, target)
		if err != nil {
			t.Fatal(err)
		}
		j := joints[g.name]
		if len(m.Twists) != 1 || m.Twists[0].Joint != j || m.Twists[0].Of != target.Bones[g.end] || math.Abs(float64(m.Twists[0].Share-g.at)) > 1e-4 {
			t.Errorf("%s: %+v", g.name, m.Twists)
			continue
		}
		if slices.ContainsFunc(m.DroppedTarget, func(d retarget.Dropped) bool { return d.Joint == j }) || !strings.Contains(string(m.JSON()), `{"joint":"`+g.name+`"`) {
			t.Errorf("%s is dropped as well, or not in the map's text", g.name)
		}
		axis := limbAxis(body, g.limb, g.end)
		for _, degrees := range []float32{90, -90, 150, 0} {
			pose := turned(body, g.end, axis, degrees)
			out, plain := animation.NewPose(s), animation.NewPose(s)
			if err := bound(t, body, target, retarget.Options{}).Pose(pose, out); err != nil {
				t.Fatal(err)
			}
			if err := bound(t, body, target, retarget.Options{NoTwist: true}).Pose(pose, plain); err != nil {
				t.Fatal(err)
			}
			about, other := against(s, out, j, target.Bones[g.limb], axis)
			if want := float64(g.at * degrees); math.Abs(about-want) > 0.1 || other > 0.1 && g.aside == 0 {
				t.Errorf("%s: %.3f° of %v°, not %.3f°, and %.3f° about others", g.name, about, degrees, want, other)
			}
			if about, _ := against(s, plain, j, target.Bones[g.limb], axis); math.Abs(about) > 0.01 {
				t.Errorf("%s: %.3f° although it is off", g.name, about)
			}
			a, b := matrices(s, out), matrices(s, plain)
			for _, p := range m.Pairs {
				for k := range a[p.Target] {
					if d := a[p.Target][k] - b[p.Target][k]; max(d, -d) > 2e-5 {
						t.Fatalf("%s moves %s by %v", g.name, s.Names[p.Target], d)
					}
				}
			}
		}
	}
}

// Without names a joint for twisting is known by where it lies.
func TestTwistWithoutNames(t *testing.T) {
	body := mannequin(t)
	s, joints := grafted(body, graft{"half", "leftLowerArm", "leftHand", 0.5, 0, "limb"}, graft{"right half", "rightLowerArm", "rightHand", 0.5, 0, "limb"})
	for j := range s.Names {
		s.Names[j] = ""
	}
	target := rig(t, s)
	if target.Kind != "hierarchy" {
		t.Fatalf("%q", target.Kind)
	}
	out := animation.NewPose(s)
	r := bound(t, body, target, retarget.Options{})
	if err := r.Pose(turned(body, "leftHand", limbAxis(body, "leftLowerArm", "leftHand"), 90), out); err != nil {
		t.Fatal(err)
	}
	about, _ := against(s, out, joints["half"], target.Bones["leftLowerArm"], limbAxis(target, "leftLowerArm", "leftHand"))
	if len(r.Map.Twists) != 2 || math.Abs(about-45) > 0.1 {
		t.Errorf("%.2f°, %+v", about, r.Map.Twists)
	}
}

// What only lies near a limb, or is no part of it, is left as it rests.
func TestNotForTwisting(t *testing.T) {
	body := mannequin(t)
	for _, g := range []graft{
		{"forearm_shield_socket_l", "leftLowerArm", "leftHand", 0.5, 0, "limb"},
		{"CC_Base_L_ElbowShareBone", "leftUpperArm", "leftLowerArm", 1, 0, "limb"},
		{"lowerarm_bulge_l", "leftLowerArm", "leftHand", 0.5, 0, "limb"},
		{"watch", "leftLowerArm", "leftHand", 0.9, 0, "limb"},
		{"forearm_fin", "leftLowerArm", "leftHand", 0.5, 0.1, "limb"},
		{"cape_twist_l", "leftLowerArm", "leftHand", 0.5, 0.2, "limb"},
	} {
		s, _ := grafted(body, g)
		m, err := retarget.NewMap(body, rig(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Twists) != 0 {
			t.Errorf("%s: %+v", g.name, m.Twists)
		}
	}
	// One that has a partner does what that does.
	s, _ := grafted(body, graft{"lowerarm_twist_01_l", "leftLowerArm", "leftHand", 0.5, 0, "limb"})
	m, err := retarget.NewMap(rig(t, s), rig(t, s))
	if err != nil || len(m.Twists) != 0 {
		t.Errorf("%v, %v", m.Twists, err)
	}
}

// The skin at the shoulder stays with the shoulder: the first joint there undoes what
// the upper arm turns about itself, and those behind it less, as far as they lie.
func TestUpperLimbUndoesItsTwist(t *testing.T) {
	body := mannequin(t)
	for limb, end := range map[string]string{"leftUpperArm": "leftLowerArm", "rightUpperLeg": "rightLowerLeg"} {
		axis := limbAxis(body, limb, end)
		for _, c := range []struct {
			at, want []float32 // parts of the limb's twist, against the limb
		}{
			{[]float32{0, 0.5}, []float32{-1, -0.5}},
			{[]float32{0.1, 0.7}, []float32{-0.9, -0.3}},
			{[]float32{0.5, 0.8}, []float32{0, 0}}, // the limb's own joint has the shoulder's skin
		} {
			s, joints := grafted(body, graft{"a_twist", limb, end, c.at[0], 0, "limb"}, graft{"b_twist", limb, end, c.at[1], 0, "beside"})
			target := rig(t, s)
			out := animation.NewPose(s)
			if err := bound(t, body, target, retarget.Options{}).Pose(turned(body, limb, axis, 60), out); err != nil {
				t.Fatal(err)
			}
			for i, name := range []string{"a_twist", "b_twist"} {
				about, other := against(s, out, joints[name], target.Bones[limb], axis)
				if want := float64(60 * c.want[i]); math.Abs(about-want) > 0.1 || other > 0.1 {
					t.Errorf("%s of %v at %v: %.2f°, not %.2f°, and %.2f° about others", name, limb, c.at, about, want, other)
				}
			}
		}
	}
}

// A joint beside its limb goes where the limb takes it.
func TestBesideGoesAlong(t *testing.T) {
	body := mannequin(t)
	s, joints := grafted(body, graft{"a_twist", "leftLowerArm", "leftHand", 0.4, 0.01, "beside"}, graft{"b_twist", "leftLowerArm", "leftHand", 0.4, 0.01, "limb"})
	target := rig(t, s)
	r := bound(t, body, target, retarget.Options{})
	clip := dance(body)
	out := animation.NewPose(s)
	for i := range 60 {
		if err := r.Pose(sample(t, body.Skeleton, clip, float32(i)/30), out); err != nil {
			t.Fatal(err)
		}
		m := matrices(s, out)
		if d := m[joints["a_twist"]].Col(3).Vec3().Sub(m[joints["b_twist"]].Col(3).Vec3()).Len(); d > 1e-4 {
			t.Fatalf("at %d/30 s it is %.4f m away", i, d)
		}
	}
}

// porter is the body of 213 joints, with eight joints for twisting on arms and eight on legs.
func porter(t testing.TB) *assets.Model { return load(t, "../../demo/assets/porter.glb") }

// From frame to frame no joint for twisting turns by more than what drives it, baked
// or live: also past half a turn, where the shorter way changes sides.
func TestTwistIsContinuous(t *testing.T) {
	source, target := load(t, "../../demo/assets/mannequin.glb"), porter(t)
	from, to := rig(t, source.Skeleton), rig(t, target.Skeleton)
	hand := from.Bones["leftHand"]
	spin := &animation.Clip{Name: "spin", Duration: 2, Tracks: []animation.Track{{Joint: hand, Path: animation.Rotation, Width: 4}}}
	axis := limbAxis(from, "leftLowerArm", "leftHand")
	for k := range 21 {
		q := turned(from, "leftHand", axis, float32(k)*15-20).Local[hand].Rotation.XYZW()
		tr := &spin.Tracks[0]
		tr.Times, tr.Values = append(tr.Times, float32(k)/10), append(tr.Values, q[:]...)
	}
	worst := 0.0
	for _, clip := range append(slices.Clone(source.Clips), spin) {
		r := bound(t, from, to, retarget.Options{PlantFeet: clip.Name == "walk"})
		if len(r.Map.Twists) != 16 {
			t.Fatalf("%d joints: %+v", len(r.Map.Twists), r.Map.Twists)
		}
		baked, err := r.Bake(clip)
		if err != nil {
			t.Fatal(err)
		}
		live := bound(t, from, to, r.Options)
		out := animation.NewPose(to.Skeleton)
		last := map[int32]mgl32.Quat{}
		step := func(j int32, q mgl32.Quat) float64 {
			before, ok := last[j]
			last[j] = q
			if !ok {
				return 0
			}
			return 2 * math.Acos(min(1, math.Abs(float64(before.Dot(q))))) * 180 / math.Pi
		}
		least, most := 0.0, 0.0
		for i := 0; float32(i)/60 <= clip.Duration; i++ {
			at := float32(i) / 60
			if err := live.Pose(sample(t, source.Skeleton, clip, at), out); err != nil {
				t.Fatal(err)
			}
			p := sample(t, to.Skeleton, baked, at)
			steps := map[int32]float64{}
			for _, w := range r.Map.Twists {
				of := w.Of
				if _, done := steps[of]; !done {
					steps[of] = step(of, p.Local[of].Rotation)
				}
				d := step(w.Joint, p.Local[w.Joint].Rotation)
				worst = max(worst, d-steps[of])
				if d > steps[of]+1 {
					t.Fatalf("%s: at %v s %s turns %.2f° and %s %.2f°", clip.Name, at, to.Skeleton.Names[w.Joint], d, to.Skeleton.Names[of], steps[of])
				}
				if d := 2 * math.Acos(min(1, math.Abs(float64(out.Local[w.Joint].Rotation.Dot(p.Local[w.Joint].Rotation))))) * 180 / math.Pi; d > 0.1 {
					t.Fatalf("%s: at %v s %s is %.2f° off live", clip.Name, at, to.Skeleton.Names[w.Joint], d)
				}
			}
			if clip == spin {
				j := int32(to.Skeleton.Joint("CC_Base_L_ForearmTwist01"))
				about, _ := against(to.Skeleton, p, j, to.Bones["leftLowerArm"], limbAxis(to, "leftLowerArm", "leftHand"))
				if i == 0 {
					least = about
				}
				most = about
			}
		}
		if clip == spin && math.Abs(most-least-0.3*300) > 0.5 {
			t.Errorf("of 300° it turns %.2f°, not 90°", most-least)
		}
	}
	t.Logf("a joint for twisting turns at most %.2f° a frame more than what drives it", worst)
}

// thinnest is the narrowest that a posed forearm is against its rest: of slices across
// it the mean distance of the skin from the axis.
func thinnest(t testing.TB, m *assets.Model, limb, end string, pose *animation.Pose) float64 {
	t.Helper()
	s := m.Skeleton
	a, b := s.Joint(limb), s.Joint(end)
	const slices = 20
	around := func(p *animation.Pose, which [][]int) (out [slices]float64, in [][]int) {
		w := matrices(s, p)
		from, to := w[a].Col(3).Vec3(), w[b].Col(3).Vec3()
		axis := to.Sub(from).Normalize()
		length := to.Sub(from).Len()
		k := 0
		var n [slices]float64
		err := m.Evaluate(p, func(_, _, _ int, ps []mgl32.Vec3) {
			if which == nil || len(in) < k {
				in = append(in, make([]int, len(ps)))
			}
			for v, x := range ps {
				off := x.Sub(from)
				u := off.Dot(axis) / length
				beside := off.Sub(axis.Mul(u * length)).Len()
				slice := -1
				switch {
				case which != nil:
					slice = which[k][v]
				case u >= 0 && u < 1 && beside < 0.09:
					slice = int(u * slices)
				}
				if which == nil {
					in[k][v] = slice
				}
				if slice >= 0 {
					out[slice] += float64(beside)
					n[slice]++
				}
			}
			k++
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range out {
			out[i] /= max(n[i], 1)
			if n[i] < 6 {
				out[i] = 0
			}
		}
		return out, in
	}
	rest, in := around(animation.NewPose(s), nil)
	now, _ := around(pose, in)
	least := 1.0
	for i := range rest {
		if rest[i] > 0 {
			least = min(least, now[i]/rest[i])
		}
	}
	return least
}

// A wrist that turns does not wring the porter's forearm.
func TestSkinIsNotWrung(t *testing.T) {
	m := porter(t)
	to := rig(t, m.Skeleton)
	// The same body without the joints: they have no partner then.
	plain := *m.Skeleton
	plain.Names = slices.Clone(plain.Names)
	for j, n := range plain.Names {
		if strings.Contains(n, "Twist") {
			plain.Names[j] = ""
		}
	}
	from := rig(t, &plain)
	axis := limbAxis(from, "leftLowerArm", "leftHand")
	for _, c := range []struct {
		degrees     float32
		with, plain float64 // at least with, at most without
	}{{90, 0.95, 0.72}, {150, 0.87, 0.28}} {
		pose := turned(from, "leftHand", axis, c.degrees)
		out := animation.NewPose(m.Skeleton)
		var part [2]float64
		for i, o := range []retarget.Options{{}, {NoTwist: true}} {
			if err := bound(t, from, to, o).Pose(pose, out); err != nil {
				t.Fatal(err)
			}
			part[i] = thinnest(t, m, "CC_Base_L_Forearm", "CC_Base_L_Hand", out)
		}
		t.Logf("hand turned by %v°: at its thinnest the forearm has %.0f %% of its width, without %.0f %%", c.degrees, 100*part[0], 100*part[1])
		if part[0] < c.with || part[1] > c.plain {
			t.Errorf("hand turned by %v°: %.3f of its width, without %.3f", c.degrees, part[0], part[1])
		}
	}
}

// Live it allocates nothing.
func TestTwistAllocatesNothing(t *testing.T) {
	from, to := mannequin(t), rig(t, porter(t).Skeleton)
	r := bound(t, from, to, retarget.Options{PlantFeet: true})
	p, out := animation.NewPose(from.Skeleton), animation.NewPose(to.Skeleton)
	if n := testing.AllocsPerRun(20, func() {
		if err := r.Pose(p, out); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a pose", n)
	}
}

// With Stretch bones are longer by as much as the source's are, each by its own
// measure; what carries the body is not, and without Stretch none is.
func TestStretchedBones(t *testing.T) {
	body := mannequin(t)
	v := newVariant(body.Skeleton, animation.NewPose(body.Skeleton), change{turn: mgl32.QuatIdent(), scale: 100, frames: true})
	for _, side := range []string{"left", "right"} { // shorter arms than the source's
		j := v.joint[body.Bones[side+"LowerArm"]]
		v.skeleton.Rest[j].Translation = v.skeleton.Rest[j].Translation.Mul(0.7)
	}
	target := rig(t, v.skeleton)
	pose := animation.NewPose(body.Skeleton)
	parts := map[string]float32{"leftLowerArm": 1.3, "rightFoot": 0.8, "head": 1.1}
	for bone, part := range parts {
		j := body.Bones[bone]
		pose.Local[j].Translation = pose.Local[j].Translation.Mul(part)
		pose.Moved[j] = true
	}
	pose.Local[body.Hips].Translation = pose.Local[body.Hips].Translation.Add(mgl32.Vec3{0, 0.2, 0.5})
	pose.Moved[body.Hips] = true
	rest := matrices(v.skeleton, animation.NewPose(v.skeleton))
	var pelvis [2]mgl32.Vec3
	for i, o := range []retarget.Options{{Stretch: true}, {}} {
		r := bound(t, body, target, o)
		out := animation.NewPose(v.skeleton)
		if err := r.Pose(pose, out); err != nil {
			t.Fatal(err)
		}
		pelvis[i] = target.Pelvis(out)
		now := matrices(v.skeleton, out)
		for bone, j := range target.Bones {
			p := v.skeleton.Parents[j]
			if j == target.Hips {
				continue
			}
			want := float32(1)
			if part, ok := parts[bone]; ok && o.Stretch {
				want = part
			}
			length := func(m []mgl32.Mat4) float32 { return m[j].Col(3).Vec3().Sub(m[p].Col(3).Vec3()).Len() }
			if got := length(now) / length(rest); max(got-want, want-got) > 1e-3 {
				t.Errorf("%+v: %s is %.4f of its length, not %.4f", o, bone, got, want)
			}
		}
	}
	if d := pelvis[0].Sub(pelvis[1]).Len(); d > 1e-4*target.HipHeight {
		t.Errorf("stretching bones moves the pelvis by %v", d)
	}
}

// Where limbs are in two pieces, of which the second carries the hand, what is baked
// still does what the source does: package verify, which knows nothing of twists,
// finds as little drift as without them.
func TestSplitLimbsDriftNoMore(t *testing.T) {
	source := load(t, "../../demo/assets/mannequin.glb")
	body := rig(t, source.Skeleton)
	var grafts []graft
	for _, side := range []string{"left", "right"} {
		for _, l := range [][2]string{{"UpperArm", "LowerArm"}, {"LowerArm", "Hand"}, {"UpperLeg", "LowerLeg"}, {"LowerLeg", "Foot"}} {
			grafts = append(grafts, graft{side + l[0] + ".001", side + l[0], side + l[1], 0.5, 0.002, "between"})
		}
	}
	s, joints := grafted(body, grafts...)
	target := rig(t, s)
	clips := append(slices.Clone(source.Clips), dance(body))
	drift := func(o retarget.Options) (worst float64) {
		r := bound(t, body, target, o)
		if len(r.Map.Twists) != 8 {
			t.Fatalf("%+v", r.Map.Twists)
		}
		var pairs []verify.Pair
		for _, p := range r.Map.Pairs {
			pairs = append(pairs, verify.Pair{Source: p.Source, Target: p.Target, Bone: p.Bone})
		}
		v, err := verify.New(source.Skeleton, s, pairs, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		takes, err := v.MeasureAll(len(clips), func(i int) (*animation.Clip, verify.Motion, error) {
			baked, err := bound(t, body, target, o).Bake(clips[i]) // of its own: clips are measured at once
			if err != nil {
				return nil, verify.Motion{}, err
			}
			if moves := slices.ContainsFunc(baked.Tracks, func(tr animation.Track) bool { return tr.Joint == joints["leftLowerArm.001"] }); moves == o.NoTwist && clips[i].Name == "dance" {
				t.Errorf("%+v: its forearm's second piece moves: %v", o, moves)
			}
			return clips[i], verify.Play(s, baked), nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		report := v.Report(takes)
		if !report.Pass {
			t.Errorf("%+v: %s", o, report.Findings[0].Message)
		}
		for _, c := range report.Clips {
			worst = max(worst, c.MaxDeg)
		}
		return worst
	}
	with, without := drift(retarget.Options{}), drift(retarget.Options{NoTwist: true})
	t.Logf("drift %.4f°, without twists %.4f°", with, without)
	if with > without+0.005 {
		t.Errorf("drift %.4f°, without twists %.4f°", with, without)
	}
}
