package retarget_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func bound(t testing.TB, source, target *retarget.Rig, o retarget.Options) *retarget.Retargeter {
	t.Helper()
	m, err := retarget.NewMap(source, target)
	if err != nil {
		t.Fatal(err)
	}
	r, err := retarget.New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sample(t testing.TB, s *animation.Skeleton, c *animation.Clip, at float32) *animation.Pose {
	t.Helper()
	p, err := animation.ReferenceOf(c, s, at)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A body that rests with its arms lowered by 45° does what the same body at rest in a
// T does: no shoulder is turned by the difference.
func TestLoweredArms(t *testing.T) {
	body := mannequin(t)
	tee := &animation.Skeleton{Names: body.Skeleton.Names, Parents: body.Skeleton.Parents, Rest: slices.Clone(body.Reference.Local)}
	lowered := &animation.Skeleton{Names: tee.Names, Parents: tee.Parents, Rest: slices.Clone(tee.Rest)}
	for bone, angle := range map[string]float32{"leftUpperArm": -math.Pi / 4, "rightUpperArm": math.Pi / 4} {
		j := body.Bones[bone]
		lowered.Rest[j].Rotation = mgl32.QuatRotate(angle, mgl32.Vec3{0, 0, 1}).Mul(lowered.Rest[j].Rotation)
	}
	source, target := rig(t, tee), rig(t, lowered)
	clip := dance(source)
	r := bound(t, source, target, retarget.Options{})
	out := animation.NewPose(lowered)
	for i := range 60 {
		p := sample(t, tee, clip, float32(i)/30)
		if err := r.Pose(p, out); err != nil {
			t.Fatal(err)
		}
		a, b := matrices(tee, p), matrices(lowered, out)
		for j := range a {
			below := int32(j)
			for below >= 0 && below != body.Hips {
				below = tee.Parents[below]
			}
			if below < 0 {
				continue // what it does the hips do
			}
			for k := range a[j] {
				if d := a[j][k] - b[j][k]; max(d, -d) > 2e-3 {
					t.Fatalf("at %d/30 s %q is %v, not %v", i, tee.Names[j], b[j], a[j])
				}
			}
		}
	}
	// Without the common pose it is 45° off, so that the check above sees it.
	unaligned := sample(t, tee, clip, 0)
	naive := animation.NewPose(lowered)
	j := body.Bones["leftUpperArm"]
	naive.Local[j].Rotation = lowered.Rest[j].Rotation.Mul(tee.Rest[j].Rotation.Conjugate().Mul(unaligned.Local[j].Rotation))
	a := matrices(tee, unaligned)[body.Bones["leftLowerArm"]].Col(3).Vec3()
	b := matrices(lowered, naive)[body.Bones["leftLowerArm"]].Col(3).Vec3()
	if a.Sub(b).Len() < 0.1 {
		t.Error("the check cannot see a missing alignment")
	}
}

// What root and hips do is one motion, whichever of them does it.
func TestRootAndHipsTogether(t *testing.T) {
	body := mannequin(t)
	r := bound(t, body, body, retarget.Options{})
	move := func(joint int32, to mgl32.Vec3) *animation.Pose {
		p := animation.NewPose(body.Skeleton)
		p.Local[joint].Translation = p.Local[joint].Translation.Add(to)
		p.Moved[joint] = true
		return p
	}
	knocked := mgl32.Vec3{0.2, 0, -1.5}
	out := animation.NewPose(body.Skeleton)
	for _, joint := range []int32{body.Hips, body.Root} {
		if err := r.Pose(move(joint, knocked), out); err != nil {
			t.Fatal(err)
		}
		if d := body.Pelvis(out).Sub(body.Pelvis(animation.NewPose(body.Skeleton))).Sub(knocked); d.Len() > 1e-4 {
			t.Errorf("moved at joint %q the pelvis is %v off", body.Skeleton.Names[joint], d)
		}
		if at := out.Local[body.Root].Translation; at.Len() > 1e-5 {
			t.Errorf("the root moved to %v", at)
		}
	}
	onto := bound(t, body, body, retarget.Options{OntoRoot: true})
	if err := onto.Pose(move(body.Hips, mgl32.Vec3{0.2, 0.1, -1.5}), out); err != nil {
		t.Fatal(err)
	}
	if d := out.Local[body.Root].Translation.Sub(mgl32.Vec3{0.2, 0, -1.5}); d.Len() > 1e-4 {
		t.Errorf("the root is %v off", d)
	}
	if d := body.Pelvis(out).Sub(body.Pelvis(animation.NewPose(body.Skeleton))).Sub(mgl32.Vec3{0.2, 0.1, -1.5}); d.Len() > 1e-4 {
		t.Errorf("the pelvis is %v off", d)
	}
}

// Across the ground the size of the limbs counts, in height that of the hips.
func TestTwoRatios(t *testing.T) {
	body := mannequin(t)
	long := &animation.Skeleton{Names: body.Skeleton.Names, Parents: body.Skeleton.Parents, Rest: slices.Clone(body.Skeleton.Rest)}
	legs := []string{"LowerLeg", "Foot"}
	grown := float32(0)
	for _, side := range []string{"left", "right"} {
		for _, b := range legs {
			j := body.Bones[side+b]
			grown += long.Rest[j].Translation.Len() * 0.5 / 2
			long.Rest[j].Translation = long.Rest[j].Translation.Mul(1.5)
		}
	}
	long.Rest[body.Hips].Translation[1] += grown
	target := rig(t, long)
	r := bound(t, body, target, retarget.Options{})
	across, up := r.Map.Ratios()
	wantUp, wantAcross := (body.HipHeight+grown)/body.HipHeight, (body.LimbLength+grown)/body.LimbLength
	if math.Abs(float64(up-wantUp)) > 0.02 || math.Abs(float64(across-wantAcross)) > 0.01 || up-across < 0.05 {
		t.Errorf("ratios %.3f %.3f, not %.3f %.3f", across, up, wantAcross, wantUp)
	}
	p := animation.NewPose(body.Skeleton)
	p.Local[body.Hips].Translation = p.Local[body.Hips].Translation.Add(mgl32.Vec3{0, -0.4, 1})
	p.Moved[body.Hips] = true
	out := animation.NewPose(long)
	if err := r.Pose(p, out); err != nil {
		t.Fatal(err)
	}
	rest := animation.NewPose(body.Skeleton)
	want := mgl32.Vec3{0, up * body.Pelvis(p)[1], target.Pelvis(animation.NewPose(long))[2] + across*(body.Pelvis(p)[2]-body.Pelvis(rest)[2])}
	if got := target.Pelvis(out); math.Abs(float64(got[1]-want[1])) > 2e-3 || math.Abs(float64(got[2]-want[2])) > 2e-3 {
		t.Errorf("the pelvis is at %v, not %v", got, want)
	}
}

// Clips whose motion was lost are refused, and the joint is named.
func TestRefusedByName(t *testing.T) {
	body := mannequin(t)
	r := bound(t, body, body, retarget.Options{})
	clip := dance(body)
	spoil := func(joint int32, path animation.Path, with func([]float32)) *animation.Clip {
		tracks := slices.Clone(clip.Tracks)
		i := slices.IndexFunc(tracks, func(tr animation.Track) bool { return tr.Joint == joint && tr.Path == path })
		tracks[i].Values = slices.Clone(tracks[i].Values)
		with(tracks[i].Values)
		return clip.With(tracks)
	}
	nan := float32(math.NaN())
	hips, root := body.Skeleton.Names[body.Hips], body.Skeleton.Names[body.Root]
	for name, c := range map[string]struct {
		clip *animation.Clip
		says []string
	}{
		"NaN":             {spoil(body.Root, animation.Translation, func(v []float32) { v[7] = nan }), []string{root, "NaN", "0.2 s", "dance"}},
		"zero rotation":   {spoil(body.Root, animation.Rotation, func(v []float32) { clear(v) }), []string{root, "no rotation"}},
		"zero hips":       {spoil(body.Hips, animation.Translation, func(v []float32) { clear(v) }), []string{hips, "lost"}},
		"infinite finger": {spoil(body.Bones["leftIndexDistal"], animation.Rotation, func(v []float32) { v[0] = float32(math.Inf(1)) }), []string{"index_03_l", "Inf"}},
	} {
		_, err := r.Bake(c.clip)
		if !errors.Is(err, retarget.ErrClip) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, word := range c.says {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %q does not say %q", name, err, word)
			}
		}
	}
	if _, err := r.Bake(clip); err != nil {
		t.Error(err)
	}
	// Root motion is asked for and there is none.
	turns := clip.With(slices.DeleteFunc(slices.Clone(clip.Tracks), func(tr animation.Track) bool { return tr.Path == animation.Translation }))
	onto := bound(t, body, body, retarget.Options{OntoRoot: true})
	if _, err := onto.Bake(turns); !errors.Is(err, retarget.ErrClip) || !strings.Contains(err.Error(), root) {
		t.Errorf("got %v", err)
	}
	// A pose that lasts lasts as long in a file, which knows no length but its keys'.
	held := clip.With([]animation.Track{{Joint: body.Hips, Path: animation.Rotation, Width: 4, Times: []float32{0, 1.5}, Values: []float32{0, 0, 0, 1, 0, 0, 0, 1}}})
	held.Duration = 1.5
	baked, err := r.Bake(held)
	if err != nil {
		t.Fatal(err)
	}
	last := float32(0)
	for _, tr := range baked.Tracks {
		last = max(last, tr.Times[len(tr.Times)-1])
	}
	if last != 1.5 {
		t.Errorf("its last key is at %v s", last)
	}
}

// A library of 262 clips of 65 joints and 1.5 s takes seconds.
func BenchmarkBakeLibrary(b *testing.B) {
	body := mannequin(b)
	v := newVariant(body.Skeleton, animation.NewPose(body.Skeleton), change{turn: mgl32.QuatIdent(), scale: 100, frames: true})
	r := bound(b, body, rig(b, v.skeleton), retarget.Options{})
	clip := dance(body)
	clip.Duration = 1.5
	for b.Loop() {
		for range 262 {
			if _, err := r.Bake(clip); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkPose(b *testing.B) {
	body := mannequin(b)
	r := bound(b, body, body, retarget.Options{})
	p, out := animation.NewPose(body.Skeleton), animation.NewPose(body.Skeleton)
	for b.Loop() {
		if err := r.Pose(p, out); err != nil {
			b.Fatal(err)
		}
	}
}

// An animal's clips are not for a person; two chains are.
func TestOtherThanPeople(t *testing.T) {
	fox, man := rig(t, shared(t, "gltf/Fox/glTF-Binary/Fox.glb").Skeleton), mannequin(t)
	if fox.Kind != "" {
		t.Errorf("the fox is %q: %v", fox.Kind, fox.Bones)
	}
	if _, err := retarget.NewMap(fox, man); !errors.Is(err, retarget.ErrMap) || !strings.Contains(err.Error(), "the target has the body of a person") {
		t.Errorf("got %v", err)
	}
	chain := func(n int, up float32) *animation.Skeleton {
		s := &animation.Skeleton{}
		for j := range n {
			x := animation.Identity()
			x.Translation[1] = 1
			if j > 0 {
				x.Translation[1] = up / float32(n-1)
			}
			s.Names, s.Parents, s.Rest = append(s.Names, ""), append(s.Parents, int32(j-1)), append(s.Rest, x)
		}
		return s
	}
	m, err := retarget.NewMap(rig(t, chain(3, 2)), rig(t, chain(5, 7)))
	if err != nil {
		t.Fatal(err)
	}
	var got []int32
	for _, p := range m.Pairs {
		got = append(got, p.Source, p.Target)
	}
	if !slices.Equal(got, []int32{0, 0, 1, 2, 2, 4}) {
		t.Errorf("pairs %v", got)
	}
	simple := shared(t, "gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb")
	r := bound(t, rig(t, simple.Skeleton), rig(t, simple.Skeleton), retarget.Options{})
	baked, err := r.Bake(simple.Clips[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float32{0, 0.5, 1, 2} {
		a := matrices(simple.Skeleton, sample(t, simple.Skeleton, simple.Clips[0], at))
		b := matrices(simple.Skeleton, sample(t, simple.Skeleton, baked, at))
		for j := range a {
			if a[j].Col(0).Vec3().Sub(b[j].Col(0).Vec3()).Len() > 1e-3 {
				t.Errorf("at %v s joint %d is %v, not %v", at, j, b[j], a[j])
			}
		}
	}
}

// Live is what baked is, and a frame allocates nothing.
func TestLive(t *testing.T) {
	body := mannequin(t)
	v := newVariant(body.Skeleton, animation.NewPose(body.Skeleton), change{turn: mgl32.QuatIdent(), scale: 100, frames: true})
	target := rig(t, v.skeleton)
	clip := dance(body)
	player := animation.NewPlayer(body.Skeleton)
	driver := retarget.NewDriver(bound(t, body, target, retarget.Options{PlantFeet: true, Stretch: true}), player)
	a := animation.NewAnimator(v.skeleton, nil, nil)
	a.Drive(driver)
	if err := player.Play(clip, 0); err != nil {
		t.Fatal(err)
	}
	if err := a.Update(0.5); err != nil {
		t.Fatal(err)
	}
	plain := bound(t, body, target, retarget.Options{PlantFeet: true, Stretch: true})
	want := animation.NewPose(v.skeleton)
	if err := plain.Pose(sample(t, body.Skeleton, clip, 0.5), want); err != nil {
		t.Fatal(err)
	}
	for j := range want.Local {
		if want.Local[j].Rotation.Dot(a.Pose().Local[j].Rotation) < 0.9999 {
			t.Errorf("joint %d", j)
		}
	}
	if n := testing.AllocsPerRun(50, func() {
		if err := a.Update(1.0 / 60); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// A clip's offset is eased: after a tenth of a second a twentieth is left.
func TestOffsetIsEased(t *testing.T) {
	body := mannequin(t)
	player := animation.NewPlayer(body.Skeleton)
	d := retarget.NewDriver(bound(t, body, body, retarget.Options{}), player)
	tread, swim := dance(body), dance(body)
	d.Offset = map[*animation.Clip]mgl32.Vec3{swim: {0, -0.5, 0}}
	out := animation.NewPose(body.Skeleton)
	height := func(dt float32) float32 {
		if err := d.Drive(dt, out); err != nil {
			t.Fatal(err)
		}
		return body.Pelvis(out).Sub(body.Pelvis(d.SourcePose()))[1]
	}
	if err := player.Play(tread, 0); err != nil {
		t.Fatal(err)
	}
	if h := height(0); math.Abs(float64(h)) > 1e-3 {
		t.Errorf("at first %v", h)
	}
	if err := player.Play(swim, 0); err != nil {
		t.Fatal(err)
	}
	var h float32
	for range 6 {
		h = height(1.0 / 60)
	}
	if want := -0.5 * (1 - math.Exp(-2*math.Pi*5*0.1)); math.Abs(float64(h)-want) > 2e-3 {
		t.Errorf("after a tenth of a second %v, not %v", h, want)
	}
}

// A foot that the source has on the ground stands as still on longer legs.
func TestPlantedFeet(t *testing.T) {
	source := shared(t, "gltf/KayKit/Med_MovementBasic.glb")
	from, to := rig(t, source.Skeleton), mannequin(t)
	clip, err := source.Clip("Walking_A")
	if err != nil {
		t.Fatal(err)
	}
	slide := func(o retarget.Options) (worst float64) {
		r := bound(t, from, to, o)
		across, _ := r.Map.Ratios()
		out := animation.NewPose(to.Skeleton)
		var lastS, lastT mgl32.Vec3
		for i := range 66 {
			p := sample(t, source.Skeleton, clip, float32(i)/60)
			if err := r.Pose(p, out); err != nil {
				t.Fatal(err)
			}
			s := matrices(source.Skeleton, p)[from.Bones["leftFoot"]].Col(3).Vec3()
			g := matrices(to.Skeleton, out)[to.Bones["leftFoot"]].Col(3).Vec3()
			if i > 0 && s[1] < 0.15 {
				d := g.Sub(lastT).Sub(s.Sub(lastS).Mul(across))
				worst = max(worst, float64(flatLen(d)))
			}
			lastS, lastT = s, g
		}
		return worst
	}
	planted, free := slide(retarget.Options{PlantFeet: true}), slide(retarget.Options{})
	t.Logf("a foot on the ground moves %.4f m a frame otherwise than the source's, planted %.4f", free, planted)
	if planted > free/4 || free < 0.002 {
		t.Errorf("planted %.4f m, free %.4f m", planted, free)
	}
}

func flatLen(v mgl32.Vec3) float32 { v[1] = 0; return v.Len() }
