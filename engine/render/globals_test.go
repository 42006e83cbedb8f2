package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// Whatever the sun and the ball, all of the ball lies in the shadow map, what is
// nearer to the sun has the greater depth, and a step smaller than a texel does
// not move the map.
func TestShadowMatrixHoldsItsBall(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	unit := func() mgl32.Vec3 {
		for {
			v := mgl32.Vec3{r.Float32()*2 - 1, r.Float32()*2 - 1, r.Float32()*2 - 1}
			if l := v.Len(); l > 0.1 && l < 1 {
				return v.Normalize()
			}
		}
	}
	for i := range 300 {
		toSun := unit()
		if i == 0 {
			toSun = mgl32.Vec3{0, 1, 0}
		}
		var g Globals
		g.SunDirection = toSun.Vec4(1)
		g.Viewport = mgl32.Vec4{float32(200 + 40*(i%50)), 180}
		size := float32(ShadowSize(200+40*(i%50), 180))
		radius := float32(math.Exp(float64(r.Float32()*8 - 2)))
		center := unit().Mul(r.Float32() * 10 * radius)
		g.setShadow(center, radius)
		for range 30 {
			p := center.Add(unit().Mul(radius * 0.999))
			c := mgl32.TransformCoordinate(p, g.Shadow)
			// A texel of room: the centre is moved to a whole one.
			room := 1 + 2.5/size
			if c[0] < -room || c[0] > room || c[1] < -room || c[1] > room || c[2] < 0 || c[2] > 1 {
				t.Fatalf("sun %v, ball %v %v: %v is at %v", toSun, center, radius, p, c)
			}
			near := mgl32.TransformCoordinate(p.Add(toSun.Mul(radius*0.1)), g.Shadow)
			if near[2] <= c[2] {
				t.Fatalf("nearer to the sun the depth is %v, not above %v", near[2], c[2])
			}
			if math.Abs(float64(near[0]-c[0]))+math.Abs(float64(near[1]-c[1])) > 1e-4 {
				t.Fatalf("towards the sun the place moves from %v to %v", c, near)
			}
		}
		if want := 2 * radius / size; g.Exposure[1] != want {
			t.Errorf("a texel is %v m, want %v", g.Exposure[1], want)
		}
	}
	var a, b Globals
	a.SunDirection = mgl32.Vec3{0.3, 0.8, 0.2}.Normalize().Vec4(1)
	b.SunDirection = a.SunDirection
	a.setShadow(mgl32.Vec3{1, 2, 3}, 4)
	texel := a.Exposure[1]
	for range 20 {
		b.setShadow(mgl32.Vec3{1, 2, 3}.Add(unit().Mul(texel*3)), 4)
		x, y := a.Shadow[12], b.Shadow[12]
		if steps := float64((x - y) / 2 * 512); math.Abs(steps-math.Round(steps)) > 0.02 {
			t.Errorf("the map moved by %v texels", steps)
		}
	}
}

func TestShadowSizeFollowsThePicture(t *testing.T) {
	for _, c := range []struct{ w, h, want int }{
		{1, 1, 512}, {512, 300, 512}, {320, 513, 1024}, {1280, 720, 2048}, {7680, 4320, 2048},
	} {
		if got := ShadowSize(c.w, c.h); got != c.want {
			t.Errorf("%d×%d: %d, want %d", c.w, c.h, got, c.want)
		}
	}
}

func TestCameraGlobals(t *testing.T) {
	s, err := scene.New()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := s.Spawn("camera", nil)
	c.Camera = &scene.Camera{YFov: mgl32.DegToRad(90), Near: 0.5, Far: 100}
	c.LookAt(mgl32.Vec3{0, 0, 10}, mgl32.Vec3{})
	s.UpdateWorld()
	var g Globals
	g.setCamera(c, 200, 100)
	project := func(p mgl32.Vec3) mgl32.Vec3 { return mgl32.TransformCoordinate(p, g.ViewProjection) }
	// 90° high at 10 m: 10 m up is the top, which is -1 in Vulkan; 20 m right the right edge.
	if at := project(mgl32.Vec3{20, 10, 0}); at.Sub(mgl32.Vec3{1, -1, at[2]}).Len() > 1e-4 {
		t.Errorf("the top right corner is at %v", at)
	}
	if at := project(mgl32.Vec3{0, 0, 9.5}); math.Abs(float64(at[2]-1)) > 1e-4 {
		t.Errorf("the near plane has depth %v", at[2])
	}
	if at := project(mgl32.Vec3{0, 0, -90}); math.Abs(float64(at[2])) > 1e-4 {
		t.Errorf("the far plane has depth %v", at[2])
	}
	back := mgl32.TransformCoordinate(project(mgl32.Vec3{1, 2, 3}), g.InverseViewProjection)
	if back.Sub(mgl32.Vec3{1, 2, 3}).Len() > 1e-3 {
		t.Errorf("to the screen and back: %v", back)
	}
	if g.Eye.Vec3() != (mgl32.Vec3{0, 0, 10}) || g.Viewport != (mgl32.Vec4{200, 100, 1.0 / 200, 1.0 / 100}) {
		t.Errorf("eye %v, viewport %v", g.Eye, g.Viewport)
	}
}

func TestLightRecords(t *testing.T) {
	s, err := scene.New()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := s.Spawn("lamp", nil)
	e.Local.Translation = mgl32.Vec3{1, 2, 3}
	e.Local.Rotation = mgl32.QuatRotate(mgl32.DegToRad(-90), mgl32.Vec3{1, 0, 0}) // -Z to -Y
	e.Local.Scale = mgl32.Vec3{3, 3, 3}
	e.Light = &scene.Light{
		Kind: assets.Spot, Color: mgl32.Vec3{1, 0.5, 0}, Intensity: 10, Range: 7, InnerCone: 0.2, OuterCone: 0.6,
	}
	s.UpdateWorld()
	r := record(e)
	if r.Position != (mgl32.Vec4{1, 2, 3, 7}) || r.Color.Vec3() != (mgl32.Vec3{10, 5, 0}) {
		t.Errorf("%+v", r)
	}
	if r.Direction.Vec3().Sub(mgl32.Vec3{0, -1, 0}).Len() > 1e-5 || r.Direction[3] != 2 {
		t.Errorf("shines along %v", r.Direction)
	}
	// KHR_lights_punctual: full within the inner cone, nothing outside the outer.
	falloff := func(angle float64) float64 {
		return math.Cos(angle)*float64(r.Cone[0]) + float64(r.Cone[1])
	}
	if math.Abs(falloff(0.2)-1) > 1e-4 || math.Abs(falloff(0.6)) > 1e-4 {
		t.Errorf("falloff %v at the inner and %v at the outer cone", falloff(0.2), falloff(0.6))
	}
	e.Light.Kind = assets.Directional
	if record(e).Direction[3] != 0 {
		t.Error("a directional light is told as another")
	}
}
