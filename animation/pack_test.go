package animation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// medley is a skeleton and a clip of everything at once: tracks on several
// timelines, all interpolations, morph weights, a lone key, wide turns, keys on
// the far side, keys not of unit length, joints without tracks.
func medley() (*Skeleton, *Clip) {
	s, c := character(23, 13)
	s.MorphWeights, s.MorphOffset = []float32{0, 0.5}, make([]int32, s.Len()+1)
	for j := 5; j <= s.Len(); j++ {
		s.MorphOffset[j] = 2
	}
	r := rand.New(rand.NewPCG(5, 6))
	var tracks []Track
	for i := range c.Tracks {
		tr := c.Tracks[i]
		tr.Values = slices.Clone(tr.Values)
		switch {
		case tr.Joint%7 == 6:
			continue
		case tr.Joint%5 == 1: // a timeline of its own, longer than a cursor's
			tr.Times = slices.Clone(tr.Times)
			for k := range tr.Times {
				tr.Times[k] *= 0.9
			}
		case tr.Joint == 2:
			tr.Interpolation = Step
		case tr.Joint == 3:
			tr.Times, tr.Values = tr.Times[:1], tr.Values[:tr.Width]
		case tr.Joint == 4 && tr.Path == Rotation:
			for k := range tr.Times { // random turns up to 180°
				q := mgl32.Quat{W: r.Float32() - 0.5, V: mgl32.Vec3{r.Float32() - 0.5, r.Float32(), r.Float32()}}.Normalize()
				copy(tr.Values[4*k:], xyzw(q))
			}
		case tr.Joint == 8 && tr.Path == Rotation:
			for k := range tr.Times {
				for c := range 4 {
					tr.Values[4*k+c] *= []float32{-1, 1, 1.3}[k%3]
				}
			}
		case tr.Joint == 9:
			tr.Interpolation = CubicSpline
			tr.Values = append(append(slices.Clone(tr.Values), tr.Values...), tr.Values...)
		}
		tracks = append(tracks, tr)
		if tr.Joint == 4 && tr.Path == Scale {
			tracks = append(tracks, Track{Joint: 4, Path: Weights, Width: 2, Times: []float32{0, 1}, Values: []float32{0, 1, 1, 0}})
		}
	}
	c.Tracks = tracks
	return s, c
}

func TestPackedClipPlaysTheSame(t *testing.T) {
	s, c := medley()
	if err := c.Validate(s); err != nil {
		t.Fatal(err)
	}
	fast := (&Clip{Name: c.Name, Duration: c.Duration, Tracks: slices.Clone(c.Tracks)}).Pack()
	if n := len(fast.pack().groups); n < 3 {
		t.Fatalf("%d timelines", n)
	}
	if n := len(fast.pack().single); n < 6 || n == len(c.Tracks) {
		t.Fatalf("%d of %d tracks are sampled singly", n, len(c.Tracks))
	}
	cursors := make([]int32, len(c.Tracks))
	for at := float32(-0.1); at < 1.1; at += 0.007 {
		want := sampleAt(t, s, c, at, make([]int32, len(c.Tracks)))
		got := sampleAt(t, s, fast, at, cursors)
		if !slices.Equal(want.Moved, got.Moved) || !slices.Equal(want.Weights, got.Weights) {
			t.Fatalf("at %v s: moved %v, weights %v", at, got.Moved, got.Weights)
		}
		for j := range want.Local {
			a, b := want.Local[j], got.Local[j]
			if a.Translation.Sub(b.Translation).Len() > 1e-6 || a.Scale.Sub(b.Scale).Len() > 1e-6 ||
				a.Rotation.Add(b.Rotation.Scale(-1)).Len() > 1e-6 {
				t.Fatalf("at %v s joint %d: %v, want %v", at, j, b, a)
			}
		}
	}
}

// A copy whose tracks are others must not play what was packed before.
func TestPackedIsOfItsOwnTracks(t *testing.T) {
	c := ramp().Pack()
	copied := *c
	copied.Tracks = still(7).Tracks
	if x := sampleAt(t, one(), &copied, 1, make([]int32, 1)).Local[0].Translation[0]; x != 7 {
		t.Errorf("x %v, want 7", x)
	}
	if c := (&Clip{}).Pack(); c.pack() != nil {
		t.Error("an empty clip was packed")
	}
}

func TestPackedSamplingAllocatesNothing(t *testing.T) {
	s, c := medley()
	job := SamplingJob{Clip: c.Pack(), Skeleton: s, Cursors: make([]int32, len(c.Tracks)), Out: NewPose(s)}
	if n := testing.AllocsPerRun(100, func() {
		job.Time += 0.013
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The vector kernels compute what the plain ones do. Where a compiler fuses
// products and sums they differ in the last digit.
func TestKernelsAgreeWithPlainGo(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	floats := func(n int) []float32 {
		f := make([]float32, n)
		for i := range f {
			f[i] = r.Float32()*2 - 1
		}
		return f
	}
	same := func(what string, a, b []Transform) {
		t.Helper()
		for j := range a {
			x, y := a[j], b[j]
			if x.Translation.Sub(y.Translation).Len() > 1e-6 || x.Scale.Sub(y.Scale).Len() > 1e-6 ||
				x.Rotation.Add(y.Rotation.Scale(-1)).Len() > 1e-6 {
				t.Fatalf("%s: transform %d: %v, want %v", what, j, x, y)
			}
		}
	}
	for n := 1; n < 9; n++ {
		fast, plain := make([]Transform, 4*n), make([]Transform, 4*n)
		for i := range fast {
			f := floats(10)
			fast[i] = Transform{mgl32.Vec3(f), mgl32.Quat{W: f[3], V: mgl32.Vec3(f[4:])}, mgl32.Vec3(f[7:])}
			plain[i] = fast[i]
		}
		var vecAt, quatAt []int32
		for i := range int32(4 * n) {
			vecAt = append(vecAt, i*transformSize+(i%2)*scaleAt)
			quatAt = append(quatAt, i*transformSize+rotationAt)
		}
		a, b, u := floats(16*n), floats(16*n), r.Float32()
		lerpVecs(&a[0], &b[0], u, &vecAt[0], 4*n, &fast[0])
		lerpVecsGo(&a[0], &b[0], u, &vecAt[0], 4*n, &plain[0])
		same("lerpVecs", fast, plain)

		for i := 0; i < len(a); i += 16 { // unit keys with near turns, on either side
			for lane := range 4 {
				q := mgl32.Quat{W: a[i+lane], V: mgl32.Vec3{a[i+4+lane], a[i+8+lane], a[i+12+lane]}}.Normalize()
				p := q.Mul(mgl32.QuatRotate(0.4*r.Float32(), mgl32.Vec3{0, 1, 0})).Normalize()
				if r.IntN(2) == 0 {
					p = p.Scale(-1)
				}
				for c, x := range q.XYZW() {
					a[i+4*c+lane], b[i+4*c+lane] = x, p.XYZW()[c]
				}
			}
		}
		var series slerpSeries
		series.set(u)
		if done := slerpQuats(&a[0], &b[0], &series, &quatAt[0], n, &fast[0]); done != n {
			t.Fatalf("slerpQuats did %d of %d blocks", done, n)
		}
		slerpQuatsGo(&a[0], &b[0], &series, &quatAt[0], n, &plain[0])
		same("slerpQuats", fast, plain)

		other := make([]Transform, len(fast))
		for i := range other {
			other[i] = fast[len(fast)-1-i]
			other[i].Rotation = other[i].Rotation.Scale(float32(1 - 2*(i%2)))
		}
		mixed, want := slices.Clone(fast), make([]Transform, len(fast))
		lerpPosesGo(&mixed[0], &other[0], &want[0], 1-u, u, len(mixed))
		lerpPoses(&mixed[0], &other[0], &mixed[0], 1-u, u, len(mixed)) // over itself
		same("lerpPoses", mixed, want)

		parents := make([]int32, len(fast))
		for j := range parents {
			parents[j] = int32(r.IntN(j+1)) - 1
		}
		world, plainWorld := make([]mgl32.Mat4, len(fast)), make([]mgl32.Mat4, len(fast))
		if done := toModel(&fast[0], &parents[0], &world[0], len(fast)); done != len(fast) {
			t.Fatalf("toModel did %d of %d joints", done, len(fast))
		}
		toModelGo(&fast[0], &parents[0], &plainWorld[0], len(fast))
		for j := range world {
			full := fast[j].Mat4()
			if p := parents[j]; p >= 0 {
				full = world[p].Mul4(full)
			}
			for c := range full {
				if !near(world[j][c], plainWorld[j][c], 1e-5) || !near(world[j][c], full[c], 1e-5) {
					t.Fatalf("toModel: joint %d: %v, want %v", j, world[j], plainWorld[j])
				}
			}
		}
		parents[n] = int32(n)
		if done := toModel(&fast[0], &parents[0], &world[0], len(fast)); done != n {
			t.Fatalf("toModel did %d joints, want %d, with a parent that comes after", done, n)
		}

		model, bind := make([]mgl32.Mat4, n), make([]mgl32.Mat4, n)
		got, exact := make([]mgl32.Mat4, n), make([]mgl32.Mat4, n)
		joints := make([]int32, n)
		for i := range model {
			model[i], bind[i] = fast[i].Mat4(), other[i].Mat4()
			joints[i] = int32(n - 1 - i)
		}
		mulPalette(&model[0], &joints[0], &bind[0], &got[0], n)
		mulPaletteGo(&model[0], &joints[0], &bind[0], &exact[0], n)
		for i := range got {
			plain := model[joints[i]].Mul4(bind[i])
			for c := range plain {
				if !near(got[i][c], exact[i][c], 1e-6) || !near(got[i][c], plain[c], 1e-5) {
					t.Fatalf("mulPalette: %v, want %v", got[i], exact[i])
				}
			}
		}
	}
}

// Blocks that the short series is not for, or with keys not of unit length, are
// handed back.
func TestSlerpKernelHandsBack(t *testing.T) {
	turn := func(angle, length float32) (a, b []float32) {
		a, b = make([]float32, 32), make([]float32, 32)
		for lane := range 8 {
			q := mgl32.QuatIdent()
			p := mgl32.QuatRotate(0.1, mgl32.Vec3{1, 0, 0})
			if lane == 6 { // in the second block
				p = mgl32.QuatRotate(angle, mgl32.Vec3{1, 0, 0})
				p, q = p.Scale(length), q.Scale(length)
			}
			for c := range 4 {
				at := 16*(lane/4) + 4*c + lane%4
				a[at], b[at] = q.XYZW()[c], p.XYZW()[c]
			}
		}
		return a, b
	}
	at := make([]int32, 8)
	for i := range at {
		at[i] = int32(i)*transformSize + rotationAt
	}
	nan := float32(math.NaN())
	for _, c := range []struct{ angle, length float32 }{{2, 1}, {0.1, 1.2}, {0.1, 0.5}, {nan, 1}} {
		a, b := turn(c.angle, c.length)
		g := packedGroup{quatAt: at}
		local := make([]Transform, 8)
		g.slerp(a, b, 0.5, local)
		for lane, tr := range local {
			if l := tr.Rotation.Len(); !near(l, 1, 1e-6) && (lane != 6 || l == l) {
				t.Errorf("turn %v of length %v: lane %d has length %v", c.angle, c.length, lane, l)
			}
		}
		want := slerp(0, 0, 0, c.length, b[16+2], b[20+2], b[24+2], b[28+2], 0.5)
		if got := local[6].Rotation; got.Add(want.Scale(-1)).Len() > 1e-6 {
			t.Errorf("turn %v of length %v: %v, want %v", c.angle, c.length, got, want)
		}
	}
}

// Two rotations that cancel out leave the identity, not a division by zero, in
// the kernel as in the rest of the pose.
func TestLerpOfOppositeRotationsIsFinite(t *testing.T) {
	s, _ := character(7, 2)
	a, b := NewPose(s), NewPose(s)
	for j := range a.Local {
		a.Local[j].Rotation, b.Local[j].Rotation = mgl32.Quat{}, mgl32.Quat{}
	}
	Lerp(a, b, 0.5, a)
	for j := range a.Local {
		if a.Local[j].Rotation != mgl32.QuatIdent() {
			t.Errorf("joint %d: %v", j, a.Local[j].Rotation)
		}
	}
}
