package animation

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// A level plays the joints that it keeps as the whole skeleton does, and carries
// what it drops at rest: the palettes are those of the whole skeleton with the
// dropped joints' tracks left out.
func TestLodIsTheSkeletonWithJointsAtRest(t *testing.T) {
	s, clip := character(40, 9)
	s.Names[17] = "tail"
	keep := make([]bool, 40)
	for j := range keep {
		keep[j] = j%8 < 4
	}
	skins := []Skin{skinOf(s)}
	lod, err := NewLod(s, skins, keep)
	if err != nil {
		t.Fatal(err)
	}
	if err := lod.Skeleton.Validate(); err != nil || lod.Skeleton.Len() >= 40 {
		t.Fatalf("%d joints: %v", lod.Skeleton.Len(), err)
	}
	still := clip.With(nil)
	for _, tr := range clip.Tracks {
		if lod.kept[tr.Joint] {
			still.Tracks = append(still.Tracks, tr)
		}
	}
	whole, far := NewAnimator(s, skins, []*Clip{still}), NewAnimator(lod.Skeleton, lod.Skins, []*Clip{lod.Clip(clip)})
	for _, a := range []*Animator{whole, far} {
		if err := a.PlayIndex(0, 0); err != nil {
			t.Fatal(err)
		}
		if err := a.Update(0.37); err != nil {
			t.Fatal(err)
		}
	}
	for slot := range whole.Palette(0) {
		for c, want := range whole.Palette(0)[slot] {
			if !near(far.Palette(0)[slot][c], want, 1e-4) {
				t.Fatalf("slot %d: %v, want %v", slot, far.Palette(0)[slot], whole.Palette(0)[slot])
			}
		}
	}
	out := NewPose(lod.Skeleton)
	lod.Take(s, whole.Pose(), out)
	if !slices.Equal(out.Local, far.Pose().Local) {
		t.Error("the pose taken over differs")
	}
	if _, err := NewLod(s, skins, keep[:3]); !errors.Is(err, ErrJob) {
		t.Error(err)
	}
}

func TestKeepLonger(t *testing.T) {
	s := named("hips", "spine", "head", "hand", "finger")
	s.Parents = []int32{-1, 0, 1, 1, 3}
	for j := range s.Rest {
		s.Rest[j].Translation = mgl32.Vec3{0, 0.3, 0}
	}
	s.Rest[4].Translation = mgl32.Vec3{0, 0.05, 0}
	if got := KeepLonger(s, 0.1); !slices.Equal(got, []bool{true, true, false, false, false}) {
		t.Errorf("%v", got)
	}
	if got := KeepLonger(s, 0.04); !slices.Equal(got, []bool{true, true, false, true, false}) {
		t.Errorf("%v", got)
	}
}

func TestLodKeepsMorphsAndShear(t *testing.T) {
	s := named("root", "face", "ear")
	s.MorphWeights, s.MorphOffset = []float32{0.5, 0.25}, []int32{0, 0, 2, 2}
	shear := mgl32.Ident4()
	shear[4] = 0.5
	s.RestMatrix = map[int32]mgl32.Mat4{2: shear}
	skin := Skin{Joints: []int32{2}, InverseBind: []mgl32.Mat4{mgl32.Ident4()}}
	lod, err := NewLod(s, []Skin{skin}, make([]bool, 3))
	if err != nil {
		t.Fatal(err)
	}
	if err := lod.Skeleton.Validate(); err != nil {
		t.Fatal(err)
	}
	if lod.Skeleton.Len() != 2 || !slices.Equal(lod.Skeleton.MorphWeights, s.MorphWeights) || lod.Skins[0].InverseBind[0] != shear || lod.Skins[0].Joints[0] != 1 {
		t.Errorf("%+v, %+v", lod.Skeleton, lod.Skins)
	}
}

// lineDriver goes along x at a speed, in its pose and as root motion.
type lineDriver struct {
	x, speed float64
	last     float64
	calls    int
}

func (d *lineDriver) Drive(dt float32, out *Pose) error {
	if !(dt >= 0) {
		return ErrTimeStep
	}
	d.calls++
	d.last = float64(dt) * d.speed
	d.x += d.last
	out.Local[0].Translation[0], out.Moved[0] = float32(d.x), true
	return nil
}

func (d *lineDriver) Motion() Motion {
	return Motion{Translation: mgl32.Vec3{float32(d.last), 0, 0}}
}

// At a lower rate the pose is that of the present time, without delay, and root
// motion adds up, whatever the steps.
func TestRatedInterpolatesWithoutDelay(t *testing.T) {
	s := one()
	for _, steps := range [][]float32{{0.02}, {0.01, 0.05, 0.002}, {0.3, 0.001}, {0.02, 0}} {
		inner := &lineDriver{speed: 2}
		r := NewRated(s, inner, 4)
		out := NewPose(s)
		var now, went float64
		for i := range 200 {
			dt := steps[i%len(steps)]
			if err := r.Drive(dt, out); err != nil {
				t.Fatal(err)
			}
			now += float64(dt)
			went += float64(r.Motion().Translation[0])
			if want := float32(2 * now); !near(out.Local[0].Translation[0], want, 1e-3) || !near(float32(went), want, 1e-3) {
				t.Fatalf("steps %v: at %v s the pose is at %v, the entity at %v, want %v", steps, now, out.Local[0].Translation[0], went, want)
			}
			if i == 100 {
				r.SetEvery(1)
			}
			if i == 150 {
				r.SetEvery(8)
			}
		}
		if len(steps) == 1 && inner.calls > 1+26+51+8 {
			t.Errorf("%d calls", inner.calls)
		}
	}
	r := NewRated(s, &lineDriver{}, 3)
	for _, dt := range []float32{float32(math.NaN()), -1, float32(math.Inf(1))} {
		if err := r.Drive(dt, NewPose(s)); !errors.Is(err, ErrTimeStep) {
			t.Error(err)
		}
	}
}

// Many characters over all workers have the poses that one after another gives,
// bit for bit.
func TestPoolGivesTheSamePoses(t *testing.T) {
	s, clip := character(65, 30, 1)
	skins := []Skin{skinOf(s)}
	crowd := func() []*Animator {
		var all []*Animator
		for i := range 100 {
			a := NewAnimator(s, skins, []*Clip{clip})
			a.Speed = 0.5 + float32(i)/100
			if err := a.PlayIndex(0, 0); err != nil {
				t.Fatal(err)
			}
			all = append(all, a)
		}
		return all
	}
	alone := crowd()
	for range 10 {
		for _, a := range alone {
			if err := a.Update(1.0 / 60); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, workers := range []int{1, 2, 3, 7} {
		p := NewPool(workers)
		together := crowd()
		for range 10 {
			if err := p.UpdateAll(together, 1.0/60); err != nil {
				t.Fatal(err)
			}
		}
		for i := range alone {
			if !slices.Equal(alone[i].Palettes(), together[i].Palettes()) {
				t.Fatalf("%d workers: animator %d differs", workers, i)
			}
		}
		if n := testing.AllocsPerRun(20, func() { _ = p.UpdateAll(together, 1.0/60) }); n != 0 {
			t.Errorf("%d workers: %v allocations", workers, n)
		}
		together[70].Speed, together[30].Speed = float32(math.NaN()), float32(math.NaN())
		if err := p.UpdateAll(together, 1.0/60); !errors.Is(err, ErrTimeStep) || err.Error()[:11] != "animator 30" {
			t.Error(err)
		}
		p.Close()
	}
}

func TestPoolDoesEachOnce(t *testing.T) {
	p := NewPool(0)
	defer p.Close()
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		times := make([]int, n)
		p.Each(n, func(worker, i int) {
			if worker < 0 || worker >= p.Workers() {
				t.Errorf("worker %d of %d", worker, p.Workers())
			}
			times[i]++
		})
		for i, k := range times {
			if k != 1 {
				t.Errorf("%d of %d was done %d times", i, n, k)
			}
		}
	}
}
