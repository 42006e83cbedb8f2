package fbx

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Triangles of a polygon cover its area once, all wound as it is.
func TestTriangulate(t *testing.T) {
	shapes := map[string][]vec3{
		"quad":        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
		"arrow":       {{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}},
		"other arrow": {{2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}, {0, 0, 0}},
		"L":           {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}},
		"on the side": {{0, 0, 0}, {0, 3, 0}, {0, 3, 1}, {0, 1, 1}, {0, 1, 3}, {0, 0, 3}},
	}
	r := rand.New(rand.NewPCG(1, 2))
	var star []vec3
	for i := range 400 { // simple, and very concave
		a := float64(i) / 400 * 2 * math.Pi
		d := 0.2 + r.Float64()
		star = append(star, vec3{d * math.Cos(a), 0.3 * d * math.Cos(a), d * math.Sin(a)})
	}
	shapes["star"] = star
	for name, p := range shapes {
		var whole vec3
		for i := range p {
			whole = whole.add(p[i].cross(p[(i+1)%len(p)]))
		}
		area, count := 0.0, 0
		newTriangulator(len(p)).cut(p, func(a, b, c int32) {
			n := p[b].sub(p[a]).cross(p[c].sub(p[a]))
			if n.dot(whole) < 0 {
				t.Errorf("%s: triangle %d %d %d is wound the other way", name, a, b, c)
			}
			area += n.len()
			count++
		})
		if count != len(p)-2 || math.Abs(area-whole.len()) > 1e-9*whole.len() {
			t.Errorf("%s: %d triangles of area %v, want %d of %v", name, count, area/2, len(p)-2, whole.len()/2)
		}
	}
}

func TestEuler(t *testing.T) {
	// A quarter turn about X, then one about Y: +Z goes to -Y and stays; +Y goes
	// to +Z, then to +X.
	xy := euler(vec3{90, 90, 0}, 0)
	for from, to := range map[vec3]vec3{{0, 0, 1}: {0, -1, 0}, {0, 1, 0}: {1, 0, 0}} {
		if d := xy.rotate(from).sub(to).len(); d > 1e-12 {
			t.Errorf("%v goes to %v, want %v", from, xy.rotate(from), to)
		}
	}
	// In the order ZYX, Y comes first: +Z goes to +X and stays.
	if v := euler(vec3{90, 90, 0}, 5).rotate(vec3{0, 0, 1}); v.sub(vec3{1, 0, 0}).len() > 1e-12 {
		t.Errorf("ZYX: %v", v)
	}
}

// curveAt makes a curve of a tick a second.
func curveAt(keys ...key) *curve {
	for i := range keys {
		if keys[i].rightWeight == 0 {
			keys[i].rightWeight, keys[i].nextLeftWeight = defaultWeight, defaultWeight
		}
	}
	c := &curve{ticks: 1, keys: keys, pre: extrapolation{'C', -1}, post: extrapolation{'C', -1}}
	return c.finish()
}

func TestCurve(t *testing.T) {
	steps := curveAt(key{tick: 0, value: 1, interp: constant}, key{tick: 10, value: 2, interp: constantNext}, key{tick: 20, value: 5, interp: linear}, key{tick: 30, value: 7})
	ease := curveAt(key{tick: 0, value: 0, interp: cubic}, key{tick: 10, value: 10})
	straight := curveAt(key{tick: 0, value: 0, interp: cubic, right: 1, nextLeft: 1, rightWeight: 0.8, nextLeftWeight: 0.1}, key{tick: 10, value: 10})
	saw := func(mode byte, count int64) *curve {
		c := curveAt(key{tick: 0, value: 0, interp: linear}, key{tick: 10, value: 10})
		c.pre, c.post = extrapolation{mode, count}, extrapolation{mode, count}
		return c
	}
	for _, x := range []struct {
		name   string
		c      *curve
		at     float64
		before bool
		want   float64
	}{
		{"held", steps, 9, false, 1}, {"just before a step", steps, 10, true, 1}, {"at a step", steps, 10, false, 5},
		{"next value", steps, 15, false, 5}, {"linear", steps, 25, false, 6}, {"after", steps, 40, false, 7}, {"ahead", steps, -3, false, 1},
		// 3u²-2u³ at 0.3.
		{"flat tangents", ease, 3, false, 2.16},
		// Tangents along the line: the weights change where, but not what.
		{"weighted", straight, 2.5, false, 2.5},
		{"repeated", saw('R', -1), 23, false, 3}, {"repeated ahead", saw('R', -1), -3, false, 7},
		{"mirrored", saw('M', -1), 13, false, 7}, {"mirrored twice", saw('M', -1), 23, false, 3}, {"mirrored ahead", saw('M', -1), -3, false, 3},
		{"going on", saw('A', -1), 23, false, 23}, {"going on ahead", saw('A', -1), -3, false, -3},
		{"the last turn", saw('R', 2), 33, false, 10}, {"sloping", saw('K', -1), 15, false, 15},
		{"the end of a turn", saw('R', -1), 20, true, 10}, {"the start of one", saw('R', -1), 20, false, 0},
	} {
		if got := x.c.at(x.at, x.before); math.Abs(got-x.want) > 1e-9 {
			t.Errorf("%s: %v at %v, want %v", x.name, got, x.at, x.want)
		}
	}
}

func TestAutoSlope(t *testing.T) {
	k := func(tick int64, v float64, flags int64) key {
		return key{tick: tick, value: v, interp: cubic, auto: true, flags: flags}
	}
	// A slope of 8/3 by the neighbours, and of 1 and 6 to them; clamped so that it
	// does not overshoot the key after, which is 0.1 off at a third of 10 seconds.
	if c := curveAt(k(0, 0, flagTimeIndependent), k(20, 20, flagTimeIndependent), k(30, 80, flagTimeIndependent)); math.Abs(c.keys[1].right-8.0/3) > 1e-12 || c.keys[0].nextLeft != c.keys[1].right {
		t.Errorf("slope %v", c.keys[1].right)
	}
	for bias, want := range map[float64]float64{0: 3.5, 100: 6, -100: 1, 50: 4.75} {
		middle := k(20, 20, 0)
		middle.right = bias
		if c := curveAt(k(0, 0, 0), middle, k(30, 80, 0)); math.Abs(c.keys[1].right-want) > 1e-12 {
			t.Errorf("bias %v: slope %v, want %v", bias, c.keys[1].right, want)
		}
	}
	if c := curveAt(k(0, 0, 0), k(10, 39.9, flagClampProgressive), k(20, 40, 0)); math.Abs(c.keys[1].right-0.03) > 1e-9 {
		t.Errorf("clamped slope %v", c.keys[1].right)
	}
}

// Tension ½, continuity 0.2 and bias -0.3 between slopes of 2 and ½, worked out
// by hand from Kochanek and Bartels' equations; a spline through equal steps
// without any of them is straight.
func TestTensionContinuityBias(t *testing.T) {
	k := func(tick int64, v float64) key { return key{tick: tick, value: v, interp: cubic, tcb: true} }
	middle := k(10, 20)
	middle.right, middle.nextLeft, middle.bias = 0.5, 0.2, -0.3
	c := curveAt(k(0, 0), middle, k(30, 30))
	if in, out := c.keys[0].nextLeft, c.keys[1].right; math.Abs(in-0.475) > 1e-12 || math.Abs(out-0.55) > 1e-12 {
		t.Errorf("slopes %v and %v, want 0.475 and 0.55", in, out)
	}
	c = curveAt(k(0, 0), k(10, 10), k(20, 20))
	for _, x := range []float64{1, 7, 13} {
		if got := c.at(x, false); math.Abs(got-x) > 1e-9 {
			t.Errorf("%v at %v", got, x)
		}
	}
}

// A half circle swept along a line, as a rational surface of order 3, has all
// its points on the cylinder.
func TestNurbs(t *testing.T) {
	const file = `FBXHeaderExtension: { FBXVersion: 7400 }
Objects: {
Geometry: 1, "Geometry::tube", "NurbsSurface" {
NurbsSurfaceOrder: 3,2
Dimensions: 5,2
Step: 6,1
Form: "Open", "Open"
Points: *40 { a: 1,0,0,1, 1,1,0,0.70710678118, 0,1,0,1, -1,1,0,0.70710678118, -1,0,0,1, 1,0,5,1, 1,1,5,0.70710678118, 0,1,5,1, -1,1,5,0.70710678118, -1,0,5,1 }
KnotVectorU: *8 { a: 0,0,0,1,1,2,2,2 }
KnotVectorV: *4 { a: 0,0,1,1 } }
Model: 2, "Model::tube", "NurbsSurface" { }
}
Connections: {
C: "OO",2,0
C: "OO",1,2
}`
	m, err := Options{Native: true}.Decode("tube.fbx", []byte(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Meshes) != 1 {
		t.Fatalf("%d meshes, %v", len(m.Meshes), m.Warnings)
	}
	p := &m.Meshes[0].Primitives[0]
	if len(p.Positions) != 26 || len(p.Indices) != 72 {
		t.Errorf("%d vertices, %d indices", len(p.Positions), len(p.Indices))
	}
	for i, v := range p.Positions {
		out := float64(v[0])*float64(p.Normals[i][0]) + float64(v[1])*float64(p.Normals[i][1])
		if r := math.Hypot(float64(v[0]), float64(v[1])); math.Abs(r-1) > 1e-6 || math.Abs(math.Abs(out)-1) > 1e-3 {
			t.Errorf("%v is %v from the axis, with a normal of %v", v, r, p.Normals[i])
		}
	}
}

// A node of each inherit type below one that is scaled along X and turned by a
// quarter about Z stands where the SDK's formulas put it.
func TestInheritTypes(t *testing.T) {
	const file = `FBXHeaderExtension: { FBXVersion: 7400 }
Objects: {
Model: 1, "Model::parent", "Null" { Properties70: {
P: "Lcl Scaling", "", "", "A",3,1,1
P: "InheritType", "enum", "", "",1 } }
Model: 2, "Model::child", "Null" { Properties70: {
P: "Lcl Translation", "", "", "A",1,0,0
P: "Lcl Rotation", "", "", "A",0,0,90
P: "InheritType", "enum", "", "",%TYPE } }
}
Connections: {
C: "OO",1,0
C: "OO",2,1
}`
	for kind, want := range map[string]mat{
		// Turned by 90°: its X axis points along +Y, its Y axis along -X.
		"0": {0, 3, 0, -1, 0, 0, 0, 0, 1, 3, 0, 0}, // its own X is scaled
		"1": {0, 1, 0, -3, 0, 0, 0, 0, 1, 3, 0, 0}, // the parent's X is
		"2": {0, 1, 0, -1, 0, 0, 0, 0, 1, 3, 0, 0}, // nothing is, but the place
	} {
		data := []byte(file)
		for i := range data {
			if string(data[i:min(i+5, len(data))]) == "%TYPE" {
				data = append(data[:i:i], append([]byte(kind), data[i+5:]...)...)
				break
			}
		}
		l, err := Options{Native: true}.read("inherit.fbx", data, nil)
		if err != nil {
			t.Fatal(err)
		}
		child := l.all[1]
		s := l.m.Skeleton
		world := identityMat()
		for j := child.inner; j >= 0; j = s.Parents[j] {
			r := s.Rest[j]
			local := transform{
				t: vec3{float64(r.Translation[0]), float64(r.Translation[1]), float64(r.Translation[2])},
				q: quat{float64(r.Rotation.V[0]), float64(r.Rotation.V[1]), float64(r.Rotation.V[2]), float64(r.Rotation.W)},
				s: vec3{float64(r.Scale[0]), float64(r.Scale[1]), float64(r.Scale[2])},
			}
			world = local.mat().mul(world)
		}
		other := l.worldOf(child)
		for i := range want {
			if math.Abs(world[i]-want[i]) > 1e-6 || math.Abs(other[i]-want[i]) > 1e-6 {
				t.Errorf("type %s: %v and %v, want %v", kind, world, other, want)
				break
			}
		}
	}
}
