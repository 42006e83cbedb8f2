package animation

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

func TestAnimatorAtRestHasIdentityPalettes(t *testing.T) {
	s, clip := character(65, 30)
	a := NewAnimator(s, []Skin{skinOf(s)}, []*Clip{clip})
	for i, m := range a.Palette(0) {
		for c, want := range mgl32.Ident4() {
			if !near(m[c], want, 1e-5) {
				t.Fatalf("slot %d: %v", i, m)
			}
		}
	}
	if a.Palette(1) != nil || a.Palette(-1) != nil {
		t.Error("a palette of no skin")
	}
}

// The whole way from a clip to the palettes, against matrices multiplied out.
func TestAnimatorAgreesWithPlainMatrices(t *testing.T) {
	s, clip := character(40, 30)
	whole := skinOf(s)
	part := Skin{Joints: []int32{7, 3, 39}, InverseBind: []mgl32.Mat4{
		mgl32.Translate3D(1, 2, 3), mgl32.Scale3D(1, 2, 3), mgl32.HomogRotate3D(1, mgl32.Vec3{0, 0, 1})}}
	a := NewAnimator(s, []Skin{whole, part}, []*Clip{clip})
	if err := a.PlayName("swing", 0); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := a.Update(0.07); err != nil {
			t.Fatal(err)
		}
	}
	pose := sampleAt(t, s, clip, a.Time(), make([]int32, len(clip.Tracks)))
	var world func(j int32) mgl32.Mat4
	world = func(j int32) mgl32.Mat4 {
		x := pose.Local[j]
		m := mgl32.Translate3D(x.Translation[0], x.Translation[1], x.Translation[2]).
			Mul4(x.Rotation.Mat4()).Mul4(mgl32.Scale3D(x.Scale[0], x.Scale[1], x.Scale[2]))
		if p := s.Parents[j]; p >= 0 {
			return world(p).Mul4(m)
		}
		return m
	}
	check := func(what string, got, want mgl32.Mat4) {
		t.Helper()
		for c := range want {
			if !near(got[c], want[c], 1e-4) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
	}
	for j := range s.Parents {
		check("model", a.Model()[j], world(int32(j)))
	}
	for i, skin := range []Skin{whole, part} {
		for slot, j := range skin.Joints {
			check("palette", a.Palette(i)[slot], world(j).Mul4(skin.InverseBind[slot]))
			check("palettes", a.Palettes()[a.PaletteStart(i)+slot], a.Palette(i)[slot])
		}
	}
}

func TestAnimatorRestMatrixHoldsUntilMoved(t *testing.T) {
	s := one()
	shear := mgl32.Ident4()
	shear[4] = 0.5
	s.RestMatrix = map[int32]mgl32.Mat4{0: shear}
	a := NewAnimator(s, nil, nil)
	if a.Model()[0] != shear {
		t.Errorf("at rest: %v", a.Model()[0])
	}
	if err := a.Play(still(3), 0); err != nil {
		t.Fatal(err)
	}
	if err := a.Evaluate(); err != nil {
		t.Fatal(err)
	}
	if m := a.Model()[0]; m[4] != 0 || m[12] != 3 {
		t.Errorf("moved: %v", m)
	}
}

func TestAnimatorMorphWeights(t *testing.T) {
	a := NewAnimator(one(), nil, []*Clip{clipOf(Track{Path: Weights, Width: 2, Times: []float32{0}, Values: []float32{0.5, 1}})})
	if w := a.MorphWeights(0); len(w) != 2 || w[0] != 0.25 {
		t.Errorf("at rest %v", w)
	}
	if err := a.PlayIndex(0, 0); err != nil {
		t.Fatal(err)
	}
	if err := a.Update(1); err != nil {
		t.Fatal(err)
	}
	if w := a.MorphWeights(0); w[0] != 0.5 || w[1] != 1 {
		t.Errorf("played %v", w)
	}
	s, clip := character(3, 3)
	if w := NewAnimator(s, nil, []*Clip{clip}).MorphWeights(2); len(w) != 0 {
		t.Errorf("without morphs %v", w)
	}
}

func TestAnimatorKeepsItsPoseOnABadStep(t *testing.T) {
	s, clip := character(9, 9)
	a := NewAnimator(s, []Skin{skinOf(s)}, []*Clip{clip})
	if err := a.PlayIndex(0, 0); err != nil {
		t.Fatal(err)
	}
	if err := a.Update(0.25); err != nil {
		t.Fatal(err)
	}
	before := a.Palette(0)[8]
	for _, dt := range []float32{float32(math.NaN()), float32(math.Inf(1)), -1} {
		if err := a.Update(dt); !errors.Is(err, ErrTimeStep) {
			t.Errorf("step %v: %v", dt, err)
		}
	}
	if a.Palette(0)[8] != before {
		t.Error("a refused step moved the pose")
	}
	if err := a.Update(0.25); err != nil || a.Time() != 0.5 || a.Palette(0)[8] == before {
		t.Errorf("the next good step did not go on: time %v, %v", a.Time(), err)
	}
}

func TestAnimatorNamesTheClipsThereAre(t *testing.T) {
	s, clip := character(2, 2)
	a := NewAnimator(s, nil, []*Clip{clip})
	err := a.PlayName("Swing", 0)
	if !errors.Is(err, ErrNoClip) || !strings.Contains(err.Error(), "swing") {
		t.Error(err)
	}
	for _, i := range []int{-1, 1} {
		if err := a.PlayIndex(i, 0); !errors.Is(err, ErrNoClip) {
			t.Error(err)
		}
	}
}

// Animators share clips, skins and skeleton, so they may be updated on any number
// of threads at once, with the same result bit for bit.
func TestAnimatorsUpdateInParallel(t *testing.T) {
	s, clip := character(65, 30, 1)
	_, other := character(65, 30, 2)
	skins, clips := []Skin{skinOf(s)}, []*Clip{clip, other}
	crowd := func() []*Animator {
		var all []*Animator
		for i := range 24 {
			a := NewAnimator(s, skins, clips)
			a.Loop, a.Speed = Loop(i%3), float32(i)/10-1
			all = append(all, a)
		}
		return all
	}
	run := func(a *Animator) {
		for frame := range 60 {
			if frame%13 == 0 {
				if err := a.PlayIndex(frame%2, 0.3); err != nil {
					t.Error(err)
				}
			}
			if err := a.Update(1.0 / 60); err != nil {
				t.Error(err)
			}
		}
	}
	alone, together := crowd(), crowd()
	for _, a := range alone {
		run(a)
	}
	var wg sync.WaitGroup
	for _, a := range together {
		wg.Go(func() { run(a) })
	}
	wg.Wait()
	for i := range alone {
		if !slices.Equal(alone[i].Palettes(), together[i].Palettes()) {
			t.Errorf("animator %d differs when updated beside others", i)
		}
	}
}

// Place is World, moved on by root motion where that moves the entity; modifiers are
// called in turn until one fails.
func TestPlaceAndModifiers(t *testing.T) {
	s := &Skeleton{Names: []string{"root"}, Parents: []int32{-1}, Rest: []Transform{Identity()}}
	clip := &Clip{Name: "go", Duration: 1, Tracks: []Track{{
		Path: Translation, Width: 3, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 0, 0, 2}}}}
	clip, err := ExtractRoot(clip, s, 0, RootAxes{Z: true})
	if err != nil {
		t.Fatal(err)
	}
	a := NewAnimator(s, nil, []*Clip{clip})
	if err := a.PlayIndex(0, 0); err != nil {
		t.Fatal(err)
	}
	// Twice as large and turned to +X.
	a.World = mgl32.Compose(mgl32.Vec3{5, 0, 0}, mgl32.QuatRotate(mgl32.DegToRad(90), mgl32.Vec3{0, 1, 0}), mgl32.Vec3{2, 2, 2})
	var calls string
	var fail error
	a.Modify(Modifiers{
		modify(func() error { calls += "a"; return nil }),
		modify(func() error { calls += "b"; return fail }),
		modify(func() error { calls += "c"; return nil }),
	})
	if err := a.Update(0.25); err != nil {
		t.Fatal(err)
	}
	if a.Place() != a.World {
		t.Error("an entity that does not move is moved")
	}
	a.Moves = true
	if at := a.Place().Col(3).Vec3(); at.Sub(mgl32.Vec3{6, 0, 0}).Len() > 1e-5 {
		t.Errorf("it will be at %v", at)
	}
	fail = ErrJob
	if err := a.Update(0.25); !errors.Is(err, fail) || calls != "abcab" {
		t.Errorf("%v, called %s", err, calls)
	}
}

type modify func() error

func (m modify) Modify(float32, *Animator) error { return m() }
