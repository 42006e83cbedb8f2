package mgl32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// numbers is a source of transforms that is the same in every run.
func numbers() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func randomVec3(r *rand.Rand, size float32) Vec3 {
	return Vec3{(2*r.Float32() - 1) * size, (2*r.Float32() - 1) * size, (2*r.Float32() - 1) * size}
}

func randomQuat(r *rand.Rand) Quat {
	f := func() float32 { return float32(r.NormFloat64()) }
	return Quat{f(), Vec3{f(), f(), f()}}.Normalize()
}

// randomScale is between a tenth and ten, mirrored along axes at will.
func randomScale(r *rand.Rand) Vec3 {
	var s Vec3
	for i := range s {
		s[i] = float32(math.Pow(10, 2*r.Float64()-1))
		if r.IntN(2) == 0 {
			s[i] = -s[i]
		}
	}
	return s
}

func nearMat4(t *testing.T, what string, got, want Mat4, tolerance float32) {
	t.Helper()
	for i := range got {
		if d := got[i] - want[i]; !(d <= tolerance && d >= -tolerance) {
			t.Fatalf("%s: element %d is %v, want %v\n%v\n%v", what, i, got[i], want[i], got, want)
		}
	}
}

func nearVec3(t *testing.T, what string, got, want Vec3, tolerance float32) {
	t.Helper()
	if d := got.Sub(want).Len(); !(d <= tolerance) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func TestInverse(t *testing.T) {
	r := numbers()
	for range 1000 {
		m := Compose(randomVec3(r, 10), randomQuat(r), randomScale(r))
		nearMat4(t, "m⁻¹·m", m.Inv().Mul4(m), Ident4(), 2e-5)
		nearMat4(t, "m·m⁻¹", m.Mul4(m.Inv()), Ident4(), 2e-5)
		n := m.Mat3()
		nearMat4(t, "3×3", n.Inv().Mul3(n).Mat4(), Ident4(), 2e-5)
		if d, e := m.Det(), n.Det(); math.Abs(float64(d-e)) > 1e-4*math.Abs(float64(d)) {
			t.Fatalf("determinants %v and %v", d, e)
		}
	}
	// A perspective has an inverse too, though its last row is no affine one.
	p := Perspective(1, 1.5, 0.1, 100)
	nearMat4(t, "perspective", p.Inv().Mul4(p), Ident4(), 1e-5)
	if (Mat4{}).Inv() != (Mat4{}) || (Mat3{1, 0, 0, 1, 0, 0, 0, 0, 1}).Inv() != (Mat3{}) {
		t.Error("a singular matrix has an inverse")
	}
}

func TestDecompose(t *testing.T) {
	r := numbers()
	for range 1000 {
		m := Compose(randomVec3(r, 10), randomQuat(r), randomScale(r))
		tr, q, s := m.Decompose()
		if l := q.Len(); math.Abs(float64(l)-1) > 1e-5 {
			t.Fatalf("the rotation's length is %v", l)
		}
		if m.Det() < 0 != (s[0] < 0) || s[1] < 0 || s[2] < 0 {
			t.Fatalf("determinant %v, scale %v", m.Det(), s)
		}
		nearMat4(t, "recomposed", Compose(tr, q, s), m, 2e-5)
	}
}

func TestMulOrder(t *testing.T) {
	r := numbers()
	for range 200 {
		a := Compose(randomVec3(r, 2), randomQuat(r), Vec3{1, 2, 3})
		b := Compose(randomVec3(r, 2), randomQuat(r), Vec3{2, 1, 0.5})
		v := randomVec3(r, 2)
		nearVec3(t, "(a·b)·v", TransformCoordinate(v, a.Mul4(b)), TransformCoordinate(TransformCoordinate(v, b), a), 1e-4)
		p, q := randomQuat(r), randomQuat(r)
		nearVec3(t, "(p·q)·v", p.Mul(q).Rotate(v), p.Rotate(q.Rotate(v)), 1e-5)
		nearMat4(t, "transposed", a.Mul4(b).Transpose(), b.Transpose().Mul4(a.Transpose()), 1e-4)
	}
	// Column-major: the translation is the last column.
	if m := Translate3D(1, 2, 3); m.Col(3) != (Vec4{1, 2, 3, 1}) || m.At(1, 3) != 2 || m.Row(2) != (Vec4{0, 0, 1, 3}) {
		t.Errorf("translation %v", m)
	}
}

func TestQuat(t *testing.T) {
	r := numbers()
	for range 500 {
		q, v := randomQuat(r), randomVec3(r, 3)
		nearVec3(t, "matrix", q.Mat3().Mul3x1(v), q.Rotate(v), 1e-5)
		nearVec3(t, "back", q.Inverse().Rotate(q.Rotate(v)), v, 1e-5)
		if d := q.Mat3().Quat().Dot(q); math.Abs(math.Abs(float64(d))-1) > 1e-5 {
			t.Fatalf("%v became %v", q, q.Mat3().Quat())
		}
		from, to := randomVec3(r, 1).Normalize(), randomVec3(r, 1).Normalize()
		nearVec3(t, "between", QuatBetweenVectors(from, to).Rotate(from), to, 1e-5)
		nearVec3(t, "opposite", QuatBetweenVectors(from, from.Mul(-1)).Rotate(from), from.Mul(-1), 1e-5)
	}
	// Half turns about each axis, where the matrix's trace is least.
	for _, axis := range []Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		q := QuatRotate(math.Pi, axis)
		if d := q.Mat3().Quat().Dot(q); math.Abs(math.Abs(float64(d))-1) > 1e-6 {
			t.Errorf("half turn about %v became %v", axis, q.Mat3().Quat())
		}
	}
	// Right-handed: a quarter turn about Z takes X to Y.
	nearVec3(t, "right-handed", QuatRotate(math.Pi/2, Vec3{0, 0, 1}).Rotate(Vec3{1, 0, 0}), Vec3{0, 1, 0}, 1e-6)
	if q := QuatXYZW(1, 2, 3, 4); q.XYZW() != (Vec4{1, 2, 3, 4}) || q.W != 4 {
		t.Errorf("order of components: %v", q)
	}
	if (Quat{}).Normalize() != QuatIdent() {
		t.Error("the zero quaternion is not made the identity")
	}
}

func TestSlerp(t *testing.T) {
	r := numbers()
	axis := Vec3{1, 2, -2}.Normalize()
	for range 200 {
		a, b := randomQuat(r), randomQuat(r)
		same := func(what string, p, q Quat) {
			t.Helper()
			if d := math.Abs(float64(p.Dot(q))); d < 1-1e-6 {
				t.Fatalf("%s: %v and %v", what, p, q)
			}
		}
		same("begin", QuatSlerp(a, b, 0), a)
		same("end", QuatSlerp(a, b, 1), b)
		same("nlerp's middle", QuatSlerp(a, b, 0.5), QuatNlerp(a, b, 0.5))
		same("other sign", QuatSlerp(a, b, 0.3), QuatSlerp(a, b.Scale(-1), 0.3))
		same("backwards", QuatSlerp(a, b, 0.3), QuatSlerp(b, a, 0.7))
	}
	// Constant speed, along the shorter arc, also where the angle is small.
	for _, angle := range []float64{3, 1, 0.1, 1e-2, 1e-4} {
		b := QuatRotate(float32(angle), axis)
		for _, part := range []float64{0.25, 0.5, 0.75} {
			got := QuatSlerp(QuatIdent(), b, float32(part))
			want := math.Sin(angle * part / 2)
			if s := float64(got.V.Dot(axis)); math.Abs(s-want) > 1e-4*want+1e-9 {
				t.Errorf("%v of %v rad: sine of half the angle is %v, want %v", part, angle, s, want)
			}
		}
	}
	got := QuatSlerp(QuatIdent(), QuatRotate(1.5*math.Pi, axis), 0.5) // half of -90°
	if want := QuatRotate(-math.Pi/4, axis); math.Abs(float64(got.Dot(want))) < 1-1e-6 {
		t.Errorf("the longer arc was taken: %v, want %v", got, want)
	}
}

func TestPerspective(t *testing.T) {
	const near, far = 0.1, 50
	p := Perspective(math.Pi/2, 2, near, far)
	for _, c := range []struct {
		what     string
		in, want Vec3
	}{
		{"near plane", Vec3{0, 0, -near}, Vec3{0, 0, 1}},
		{"far plane", Vec3{0, 0, -far}, Vec3{0, 0, 0}},
		{"top is -1", Vec3{0, near, -near}, Vec3{0, -1, 1}},
		{"bottom is 1", Vec3{0, -10, -10}, Vec3{0, 1, near * (far/10. - 1) / (far - near)}},
		{"right is 1", Vec3{20, 0, -10}, Vec3{1, 0, near * (far/10. - 1) / (far - near)}},
	} {
		nearVec3(t, c.what, TransformCoordinate(c.in, p), c.want, 1e-5)
	}
	o := Ortho(-2, 4, -1, 3, 1, 5)
	nearVec3(t, "ortho near", TransformCoordinate(Vec3{-2, 3, -1}, o), Vec3{-1, -1, 1}, 1e-6)
	nearVec3(t, "ortho far", TransformCoordinate(Vec3{4, -1, -5}, o), Vec3{1, 1, 0}, 1e-6)
}

func TestLookAt(t *testing.T) {
	eye, center := Vec3{3, 4, 5}, Vec3{-1, 2, 0}
	v := LookAtV(eye, center, Vec3{0, 1, 0})
	nearVec3(t, "eye", TransformCoordinate(eye, v), Vec3{}, 1e-5)
	nearVec3(t, "center", TransformCoordinate(center, v), Vec3{0, 0, -center.Sub(eye).Len()}, 1e-5)
	if up := TransformNormal(Vec3{0, 1, 0}, v); up[1] <= 0 || math.Abs(float64(up[0])) > 1e-6 {
		t.Errorf("up became %v", up)
	}
	if d := v.Det(); math.Abs(float64(d)-1) > 1e-5 {
		t.Errorf("determinant %v", d)
	}
}

func TestVectors(t *testing.T) {
	x, y := Vec3{1, 0, 0}, Vec3{0, 1, 0}
	if x.Cross(y) != (Vec3{0, 0, 1}) {
		t.Error("the cross product is not right-handed")
	}
	if (Vec3{}).Normalize() != (Vec3{}) || (Vec3{3, 0, 4}).Len() != 5 {
		t.Error("lengths")
	}
	if (Vec3{1, 5, 2}).Min(Vec3{2, 3, 2}) != (Vec3{1, 3, 2}) || (Vec3{1, 5, 2}).Max(Vec3{2, 3, 2}) != (Vec3{2, 5, 2}) {
		t.Error("min and max")
	}
	if DegToRad(180) != math.Pi || RadToDeg(math.Pi) != 180 {
		t.Error("degrees")
	}
}

// A point on a hand, carried by its arm: parent matrices stand on the left.
func Example() {
	arm := Translate3D(0, 1.5, 0).Mul4(HomogRotate3D(DegToRad(90), Vec3{0, 0, 1}))
	hand := Translate3D(0.5, 0, 0)
	finger := TransformCoordinate(Vec3{0.1, 0, 0}, arm.Mul4(hand))
	fmt.Printf("%.2f\n", finger.Y())

	half := QuatSlerp(QuatIdent(), QuatRotate(DegToRad(90), Vec3{0, 0, 1}), 0.5)
	fmt.Printf("%.3f\n", half.Rotate(Vec3{1, 0, 0}))
	// Output:
	// 2.10
	// [0.707 0.707 0.000]
}
