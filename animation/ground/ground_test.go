package ground_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func TestHeightFieldIsWhatItWasSampledFrom(t *testing.T) {
	plane := ground.Func(func(x, z float32) float32 { return 0.3*x - 0.2*z + 1 })
	f := &ground.HeightField{X: -2, Z: 1, Cell: 0.5, Columns: 9}
	for iz := range 5 {
		for ix := range 9 {
			f.Heights = append(f.Heights, plane(f.X+float32(ix)*f.Cell, f.Z+float32(iz)*f.Cell))
		}
	}
	if err := f.Validate(); err != nil {
		t.Fatal(err)
	}
	for x := float32(-2); x <= 2; x += 0.13 {
		for z := float32(1); z <= 3; z += 0.11 {
			at := mgl32.Vec3{x, 7, z}
			h, n, ok := f.Under(at)
			want, normal, _ := plane.Under(at)
			only, ok2 := f.Height(at)
			if !ok || !ok2 || abs(h-want) > 1e-5 || only != h || n.Sub(normal).Len() > 1e-4 {
				t.Fatalf("at %v: %v, %v, %v, want %v, %v", at, h, n, only, want, normal)
			}
		}
	}
	nan := float32(math.NaN())
	for _, at := range []mgl32.Vec3{{-90, 0, 2}, {90, 0, -90}, {0, 0, 90}, {nan, 0, nan}, {float32(math.Inf(1)), 0, 0}} {
		if h, _, ok := f.Under(at); !ok || h-h != 0 { // its edge goes on
			t.Errorf("at %v: %v, %v", at, h, ok)
		}
	}
	for _, bad := range []ground.HeightField{{}, {Cell: 1, Columns: 2, Heights: []float32{1, 2, 3}}, {Columns: 2, Heights: make([]float32, 4)},
		{Cell: 1, Columns: 2, Heights: []float32{0, 0, nan, 0}}, {Cell: 1, X: nan, Columns: 2, Heights: make([]float32, 4)}} {
		if err := bad.Validate(); !errors.Is(err, animation.ErrJob) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// A few samples find what all find, on ground as curved as hills are.
func TestAFewSamplesAreAsGoodAsAll(t *testing.T) {
	for _, c := range []*character{demoMannequin(t), carrier(t)} {
		clip := c.clip("walk")
		pose := animation.NewPose(c.model.Skeleton)
		model := make([]mgl32.Mat4, c.model.Skeleton.Len())
		var worst float32
		for i := range 300 {
			if clip != nil {
				c.sample(t, clip, clip.Duration*float32(i%30)/30, pose)
			}
			pose.ToModel(c.model.Skeleton, model)
			at := mgl32.Translate3D(0, 1, float32(i)*0.1).Mul4(mgl32.HomogRotate3D(float32(i), mgl32.Vec3{0, 1, 0}))
			all := ground.Contact{Soles: c.soles, Model: model, World: at, Ground: hills}
			few := all
			few.Samples = 3
			if err := errors.Join(all.Run(), few.Run()); err != nil {
				t.Fatal(err)
			}
			if h, _, _ := hills.Under(all.Point); abs(all.Point[1]-h-all.Clearance) > 1e-5 {
				t.Fatalf("the point %v is not %v m over the ground", all.Point, all.Clearance)
			}
			worst = max(worst, abs(all.Clearance-few.Clearance))
		}
		if worst > 2e-3 {
			t.Errorf("%s: three samples are %.2f mm off", c.name, 1000*worst)
		}
	}
}

func TestWhatCannotStandSaysWhy(t *testing.T) {
	c := demoMannequin(t)
	s := c.model.Skeleton
	meshes := c.model.SkinnedMeshes()
	for _, v := range []struct {
		err  error
		want string
	}{
		{second(ground.FindFeet(&animation.Skeleton{})), "no height"},
		{second(ground.FindSoles(s, nil, meshes)), "there are none"},
		{second(ground.FindSoles(s, []ground.Foot{{Name: "left", Foot: 9999}}, meshes)), "joint 9999"},
		{second(ground.FindSoles(s, []ground.Foot{{Name: "left", Foot: 0, Toe: -1}}, nil)), `foot "left"`},
		{second(ground.FindSoles(s, []ground.Foot{{Name: "left", Hip: 9999, Toe: -1}}, meshes)), "hip 9999"},
		{(&ground.Sole{Foot: ground.Foot{Name: "left", Knee: 9999}, Starts: c.soles[0].Starts, Influences: c.soles[0].Influences}).Fits(s), "knee 9999"},
		{second(ground.FindFeet(s, ground.SkinnedMesh{Positions: make([]mgl32.Vec3, 3)})), "without a whole skin"},
		{second(ground.NewStance(nil, c.soles)), "needs ground"},
		{second(ground.NewStance(ground.Flat(0), nil)), "soles"},
		{(&ground.Contact{Soles: c.soles, Ground: ground.Flat(0)}).Run(), "names joint"},
		{(&ground.Slope{Ground: ground.Flat(0)}).Run(), "length"},
		{(&ground.Slope{Ground: ground.Flat(0), Front: 1, Heading: mgl32.Vec3{0, 1, 0}}).Run(), "along"},
	} {
		if v.err == nil || !strings.Contains(v.err.Error(), v.want) {
			t.Errorf("%v, want %q", v.err, v.want)
		}
		if v.err != nil && !errors.Is(v.err, animation.ErrJob) && !errors.Is(v.err, ground.ErrNoFeet) {
			t.Errorf("%v wraps nothing", v.err)
		}
	}
	bad := meshes[0]
	bad.Joints = [][][4]uint16{make([][4]uint16, len(bad.Positions))}
	bad.Joints[0][7][0] = 60000
	if _, err := ground.FindFeet(s, bad); err == nil || !strings.Contains(err.Error(), "vertex 7") {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// Where there is no ground, and where world matrices are no numbers, nothing breaks.
func TestNoGroundAndNoNumbers(t *testing.T) {
	c := demoMannequin(t)
	for _, bend := range []bool{false, true} {
		w := newWalker(t, c, c.clip("walk"), nowhere{})
		if bend {
			w.stance.Feet = ground.NewFootIK(c.soles)
		}
		w.stance.Tilt = 1
		w.at.Translation[1] = 3
		for range 30 {
			w.step(t, 1.0/60)
		}
		if w.at.Translation[1] != 3 || abs(w.stance.Lift) > 0.02 {
			t.Errorf("bent %v: without ground it is at %v m and lifted by %v", bend, w.at.Translation[1], w.stance.Lift)
		}
		for _, world := range []mgl32.Mat4{{}, mgl32.Scale3D(0, 0, 0), mgl32.Translate3D(float32(math.NaN()), 0, 0)} {
			w.a.World = world
			if err := w.a.Update(1.0 / 60); err == nil {
				t.Errorf("bent %v: %v is no error", bend, world)
			}
		}
		w.step(t, 1.0/60)
		for _, m := range w.a.Model() {
			for _, x := range m {
				if x-x != 0 {
					t.Fatalf("bent %v: a matrix is %v", bend, m)
				}
			}
		}
	}
}

// nowhere is ground that is not there.
type nowhere struct{}

func (nowhere) Under(mgl32.Vec3) (float32, mgl32.Vec3, bool) { return 0, mgl32.Vec3{}, false }
