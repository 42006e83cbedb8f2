package walk_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/animation/ground/walk"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

type rig struct {
	model *assets.Model
	soles []ground.Sole
	body  *walk.Body
}

func load(t testing.TB, path string) rig {
	t.Helper()
	read := gltf.Load
	if strings.EqualFold(filepath.Ext(path), ".fbx") {
		read = fbx.Load
	}
	m, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	soles, err := m.Soles()
	if err != nil {
		t.Fatal(err)
	}
	body, err := walk.NewBody(m.Skeleton, soles)
	if err != nil {
		t.Fatal(err)
	}
	return rig{m, soles, body}
}

func mannequin(t testing.TB) rig {
	return load(t, filepath.Join("..", "..", "..", "demo", "assets", "mannequin.glb"))
}

// cycle is one cycle of a walk under way, as stride measures it, and what the knees do
// meanwhile: the most that each bends in stance and in swing, radians.
func (r rig) cycle(t testing.TB, speed float32) (m stride.Motion, stance, swing []float64) {
	t.Helper()
	w := walk.New(r.body)
	if err := w.SetSpeed(speed); err != nil {
		t.Fatal(err)
	}
	seconds, _ := r.body.Cycle(speed)
	n := int(math.Ceil(240 * seconds))
	dt := float32(seconds / float64(n))
	pose := animation.NewPose(r.model.Skeleton)
	model := make([]mgl32.Mat4, r.model.Skeleton.Len())
	drive := func() {
		if err := w.Drive(dt, pose); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 * n { // it gets under way
		drive()
	}
	m = stride.Motion{Clip: "walk", Duration: seconds}
	stance, swing = make([]float64, len(r.soles)), make([]float64, len(r.soles))
	pose.ToModel(r.model.Skeleton, model)
	for i := range r.soles {
		m.Feet = append(m.Feet, stride.Path{Name: r.soles[i].Name})
	}
	animation.NewPose(r.model.Skeleton).ToModel(r.model.Skeleton, model)
	m.Leg = float64(model[r.soles[0].Hip][13] - r.soles[0].Level)
	for range n + 1 {
		pose.ToModel(r.model.Skeleton, model)
		for i := range r.soles {
			points := make([]mgl32.Vec3, r.soles[i].Len())
			r.soles[i].Points(model, points)
			m.Feet[i].Frames = append(m.Feet[i].Frames, points)
			at := func(j int32) mgl32.Vec3 { return model[j].Col(3).Vec3() }
			upper := at(r.soles[i].Knee).Sub(at(r.soles[i].Hip)).Normalize()
			lower := at(r.soles[i].Foot.Foot).Sub(at(r.soles[i].Knee)).Normalize()
			bend := math.Acos(float64(min(upper.Dot(lower), 1)))
			if stands, _ := w.Foot(i); stands {
				stance[i] = max(stance[i], bend)
			} else {
				swing[i] = max(swing[i], bend)
			}
		}
		drive()
	}
	return m, stance, swing
}

// The soles of a procedural walk stand, at any speed that the legs reach: the measure
// that sees 7 cm in a sine finds less than a millimetre a step, and the speed.
func TestSolesStand(t *testing.T) {
	r := mannequin(t)
	for _, speed := range []float32{0.3, 0.7, 1.2, 1.4, 2, r.body.MaxSpeed()} {
		m, stance, swing := r.cycle(t, speed)
		report, err := stride.Measure(m)
		if err != nil {
			t.Fatal(err)
		}
		if !report.Steps || math.Abs(report.Speed-float64(speed)) > 0.002*float64(speed) || report.Angle > 0.1 {
			t.Fatalf("at %.2f m/s: %+v", speed, report)
		}
		for i, f := range report.Feet {
			if f.Slide > 0.001 {
				t.Errorf("at %.2f m/s %s slides by %.5f m", speed, f.Name, f.Slide)
			}
			if f.Lift < 0.03 {
				t.Errorf("at %.2f m/s %s is lifted by %.4f m", speed, f.Name, f.Lift)
			}
			if math.Abs(f.Floor) > 0.002 {
				t.Errorf("at %.2f m/s %s stands at %.4f m", speed, f.Name, f.Floor)
			}
			// As the other foot comes down the standing leg gives by up to 38°.
			if stance[i] > 0.6*swing[i] || stance[i] > 0.7 {
				t.Errorf("at %.2f m/s the knee of %s bends by %.2f in stance, %.2f in swing", speed, f.Name, stance[i], swing[i])
			}
		}
		t.Logf("at %.2f m/s: slides %.5f %.5f m, stride %.3f m, duty %.2f, bob %.3f m, knees bend by %.2f in stance and %.2f in swing",
			speed, report.Feet[0].Slide, report.Feet[1].Slide, report.Stride, report.Feet[0].Duty, report.SoleRange, stance[0], swing[0])
	}
}

// A sine of the same legs, the knee bending in swing, slides by centimetres, and the
// measure sees it.
func TestASwungLegSlides(t *testing.T) {
	r := mannequin(t)
	s := r.model.Skeleton
	pose := animation.NewPose(s)
	model := make([]mgl32.Mat4, s.Len())
	const n = 264
	m := stride.Motion{Clip: "sine", Duration: 1.1, Leg: 0.9}
	for i := range r.soles {
		m.Feet = append(m.Feet, stride.Path{Name: r.soles[i].Name})
	}
	pelvis := s.Parents[r.soles[0].Hip]
	for k := range n + 1 {
		pose.SetRest(s)
		phase := 2 * math.Pi * float64(k) / n
		for i := range r.soles {
			p := phase + math.Pi*float64(i)
			set := func(j int32, angle float64) {
				pose.Local[j].Rotation = mgl32.QuatRotate(float32(angle), mgl32.Vec3{1, 0, 0}).Mul(s.Rest[j].Rotation)
				pose.Moved[j] = true
			}
			hip := 0.4 * math.Sin(p) // back is positive; it swings forward where cos p < 0
			knee := 0.9 * math.Max(0, -math.Cos(p))
			set(r.soles[i].Hip, hip-knee/2)
			set(r.soles[i].Knee, knee)
			set(r.soles[i].Foot.Foot, -hip-knee/2)
		}
		// The body rides on the lower foot.
		pose.ToModel(s, model)
		low := float32(math.Inf(1))
		for i := range r.soles {
			_, h := r.soles[i].Lowest(model, mgl32.Vec3{0, 1, 0})
			low = min(low, h)
		}
		pose.Local[pelvis].Translation = pose.Local[pelvis].Translation.Sub(mgl32.Vec3{0, low, 0})
		pose.Moved[pelvis] = true
		pose.ToModel(s, model)
		for i := range r.soles {
			points := make([]mgl32.Vec3, r.soles[i].Len())
			r.soles[i].Points(model, points)
			m.Feet[i].Frames = append(m.Feet[i].Frames, points)
		}
	}
	report, err := stride.Measure(m)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Steps {
		t.Fatal(report.Why)
	}
	for _, f := range report.Feet {
		t.Logf("%s: a swung leg slides by %.3f m at %.2f m/s", f.Name, f.Slide, report.Speed)
		if f.Slide < 0.04 {
			t.Errorf("%s: a swung leg slides by %.4f m", f.Name, f.Slide)
		}
	}
}

// Whatever the speed and the turning do, and at any frame rate, a standing foot stays
// where it is in the world.
func TestStandingFeetStay(t *testing.T) {
	r := mannequin(t)
	for _, rate := range []float32{30, 60, 144} {
		w := walk.New(r.body)
		pose := animation.NewPose(r.model.Skeleton)
		model := make([]mgl32.Mat4, r.model.Skeleton.Len())
		place := animation.Identity()
		stood := make([]bool, 2)
		was := make([]mgl32.Vec3, 2)
		worst, steps := float32(0), 0
		var rest []mgl32.Vec3
		for i := range r.soles {
			_, at := w.Foot(i)
			rest = append(rest, at)
		}
		for k := range int(11 * rate) {
			time := float64(k) / float64(rate)
			if err := w.SetSpeed(float32(1 + math.Sin(time))); err != nil {
				t.Fatal(err)
			}
			w.Turning = float32(0.6 * math.Cos(0.7*time))
			if time > 6 {
				w.Turning = 0
				if err := w.SetSpeed(0); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Drive(1/rate, pose); err != nil {
				t.Fatal(err)
			}
			place = w.Motion().Apply(place)
			pose.ToModel(r.model.Skeleton, model)
			for i := range r.soles {
				stands, _ := w.Foot(i)
				at := mgl32.TransformCoordinate(model[r.soles[i].Foot.Foot].Col(3).Vec3(), place.Mat4())
				if stands && stood[i] {
					worst = max(worst, at.Sub(was[i]).Len())
				}
				if stands && !stood[i] {
					steps++
				}
				stood[i], was[i] = stands, at
			}
		}
		if worst > 5e-4 || steps < 8 {
			t.Errorf("at %v Hz a standing foot moves by %.5f m between frames; %d steps", rate, worst, steps)
		}
		for i := range r.soles {
			if stands, at := w.Foot(i); !stands || at.Sub(rest[i]).Len() > 0.03 {
				t.Errorf("at %v Hz, halted, foot %d stands %v at %v", rate, i, stands, at)
			}
		}
	}
}

// Rigs of other builds walk by their own legs: short ones, ones bound with scales and
// other axes, and four of them.
func TestOtherRigs(t *testing.T) {
	for _, c := range []struct {
		file  string
		speed float32
		feet  int
		slide float64
	}{
		// Its boots share vertices with its shins and give as these turn: no rigid sole.
		{"gltf/KayKit/mannequin/manny_med_mod.gltf", 0.6, 2, 0.012},
		{"fbx/ozz/pab/arnaud.fbx", 1.3, 2, 0.001},
		{"gltf/CesiumMan/glTF-Binary/CesiumMan.glb", 0.9, 2, 0.001},
		{"gltf/Fox/glTF-Binary/Fox.glb", 12, 4, 0.1}, // legs of 49 m, and paws that give as boots do
	} {
		r := load(t, corpus.Path(t, c.file))
		if len(r.body.Feet()) != c.feet {
			t.Errorf("%s: feet %v", c.file, r.body.Feet())
		}
		m, stance, swing := r.cycle(t, c.speed)
		report, err := stride.Measure(m)
		if err != nil {
			t.Fatal(err)
		}
		if !report.Steps || math.Abs(report.Speed-float64(c.speed)) > 0.005*float64(c.speed) {
			t.Errorf("%s at %.2f m/s of %.2f: %+v", c.file, c.speed, r.body.MaxSpeed(), report)
			continue
		}
		for i, f := range report.Feet {
			t.Logf("%s: %s slides by %.5f m; knee %.2f in stance, %.2f in swing", c.file, f.Name, f.Slide, stance[i], swing[i])
			if f.Slide > c.slide {
				t.Errorf("%s: %s slides by %.5f m", c.file, f.Name, f.Slide)
			}
		}
	}
}

// A baked walk is measured as any clip: at its speed, in place, a loop, and its soles
// stand.
func TestClip(t *testing.T) {
	r := mannequin(t)
	for _, speed := range []float32{0.6, 1.4, -0.8} {
		clip, err := r.body.Clip("walk", speed)
		if err != nil {
			t.Fatal(err)
		}
		job := stride.Job{Clip: clip, Skeleton: r.model.Skeleton, Soles: r.soles}
		report, err := job.Run()
		if err != nil {
			t.Fatal(err)
		}
		if !report.Steps || !report.InPlace || !report.Loops || math.Abs(float64(report.Velocity()[2]-speed)) > 0.01 {
			t.Errorf("at %.2f m/s: %+v", speed, report)
		}
		for _, f := range report.Feet {
			if f.Slide > 0.001 {
				t.Errorf("at %.2f m/s %s slides by %.5f m", speed, f.Name, f.Slide)
			}
		}
	}
	if _, err := r.body.Clip("stand", 0); !errors.Is(err, walk.ErrBody) {
		t.Error(err)
	}
}

// Steps that are too fast, times that are none and bodies without legs are refused.
func TestRefusals(t *testing.T) {
	r := mannequin(t)
	w := walk.New(r.body)
	for _, v := range []float32{100, -100, float32(math.NaN())} {
		if err := w.SetSpeed(v); !errors.Is(err, walk.ErrBody) || w.Speed() != 0 {
			t.Errorf("at %v m/s: %v", v, err)
		}
	}
	pose := animation.NewPose(r.model.Skeleton)
	for _, dt := range []float32{-1, float32(math.NaN()), 1e9} {
		if err := w.Drive(dt, pose); !errors.Is(err, animation.ErrTimeStep) {
			t.Errorf("a step of %v: %v", dt, err)
		}
	}
	if err := w.Drive(0, &animation.Pose{}); err == nil {
		t.Error("a pose of another skeleton passes")
	}
	if _, err := walk.NewBody(r.model.Skeleton, r.soles[:1]); !errors.Is(err, walk.ErrBody) {
		t.Errorf("one leg: %v", err)
	}
	stumps := append([]ground.Sole{}, r.soles...)
	stumps[0].Knee = -1
	if _, err := walk.NewBody(r.model.Skeleton, stumps); !errors.Is(err, walk.ErrBody) {
		t.Errorf("a leg without a knee: %v", err)
	}
}

func TestNothingAllocates(t *testing.T) {
	r := mannequin(t)
	w := walk.New(r.body)
	if err := w.SetSpeed(1.4); err != nil {
		t.Fatal(err)
	}
	pose := animation.NewPose(r.model.Skeleton)
	if n := testing.AllocsPerRun(100, func() {
		if err := w.Drive(1.0/60, pose); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("a step allocates %v times", n)
	}
}

func BenchmarkDrive(b *testing.B) {
	r := mannequin(b)
	w := walk.New(r.body)
	if err := w.SetSpeed(1.4); err != nil {
		b.Fatal(err)
	}
	pose := animation.NewPose(r.model.Skeleton)
	for b.Loop() {
		if err := w.Drive(1.0/60, pose); err != nil {
			b.Fatal(err)
		}
	}
}
