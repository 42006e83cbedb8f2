package ground_test

import (
	"fmt"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// carrier is a body of 6 m on four stiff legs, 1.5 m before and behind its middle.
func carrier(t testing.TB) *character {
	t.Helper()
	s := &animation.Skeleton{}
	joint := func(name string, parent int32, at mgl32.Vec3) int32 {
		x := animation.Identity()
		x.Translation = at
		s.Names, s.Parents, s.Rest = append(s.Names, name), append(s.Parents, parent), append(s.Rest, x)
		return int32(len(s.Names) - 1)
	}
	m := &assets.Model{Name: "carrier", Skeleton: s, Scene: -1, Meshes: []assets.Mesh{{}}}
	joint("root", -1, mgl32.Vec3{})
	body := joint("body", 0, mgl32.Vec3{0, 2, 0})
	var p assets.Primitive
	p.Joints, p.Weights = make([][][4]uint16, 1), make([][][4]float32, 1)
	box := func(j int32, center, half mgl32.Vec3) {
		for i := range 8 {
			at := center
			for c := range 3 {
				if i>>c&1 == 0 {
					at[c] -= half[c]
				} else {
					at[c] += half[c]
				}
			}
			p.Positions = append(p.Positions, at)
			p.Joints[0] = append(p.Joints[0], [4]uint16{uint16(j)})
			p.Weights[0] = append(p.Weights[0], [4]float32{1})
		}
	}
	box(body, mgl32.Vec3{0, 2.2, 0}, mgl32.Vec3{0.8, 0.5, 3})
	for _, z := range []float32{1.5, -1.5} {
		for _, x := range []float32{0.7, -0.7} {
			hip := joint("hip", body, mgl32.Vec3{x, -0.3, z})
			knee := joint("knee", hip, mgl32.Vec3{0, -0.8, 0})
			foot := joint("foot", knee, mgl32.Vec3{0, -0.8, 0})
			box(hip, mgl32.Vec3{x, 1.3, z}, mgl32.Vec3{0.1, 0.4, 0.1})
			box(knee, mgl32.Vec3{x, 0.5, z}, mgl32.Vec3{0.08, 0.4, 0.08})
			box(foot, mgl32.Vec3{x, 0.05, z}, mgl32.Vec3{0.12, 0.05, 0.15})
		}
	}
	m.Meshes[0].Primitives = []assets.Primitive{p}
	joint("mesh", -1, mgl32.Vec3{})
	m.Nodes = make([]assets.Node, s.Len())
	for j := range m.Nodes {
		m.Nodes[j] = assets.Node{Mesh: -1, Skin: -1, Camera: -1, Light: -1}
	}
	m.Nodes[s.Len()-1].Mesh, m.Nodes[s.Len()-1].Skin = 0, 0
	skin := animation.Skin{}
	world := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, world)
	for j := range s.Len() - 1 {
		skin.Joints = append(skin.Joints, int32(j))
		skin.InverseBind = append(skin.InverseBind, world[j].Inv())
	}
	m.Skins = []animation.Skin{skin}
	return (&character{name: "carrier", model: m}).find(t)
}

// body is where a pitched body's points are: along its axis and up, metres.
type laid struct{ z, height, pitch float32 }

// soleDepth is how deep the feet of a stiff carrier, laid so, are in the ground.
func soleDepth(c *character, l laid, g ground.Ground) float32 {
	at := mgl32.Translate3D(0, l.height, l.z).Mul4(mgl32.HomogRotate3D(-l.pitch, mgl32.Vec3{1, 0, 0}))
	s := c.model.Skeleton
	model := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, model)
	contact := ground.Contact{Soles: c.soles, Model: model, World: at, Ground: g}
	if contact.Run() != nil {
		return 99
	}
	return -contact.Clearance
}

// On convex tops the ground between a body's ends is higher than the line through
// them. Tilting by two points alone sinks its legs there by tens of centimetres; five
// points do not.
func TestFivePointsKeepACarriersSolesUp(t *testing.T) {
	c := carrier(t)
	if len(c.soles) != 4 || c.soles[0].Row != 0 || c.soles[3].Row != 1 {
		t.Fatalf("%d soles", len(c.soles))
	}
	const half = 3
	var two, five float32
	for z := float32(0); z < 30; z += 0.05 {
		front, _, _ := hills.Under(mgl32.Vec3{0, 0, z + half})
		back, _, _ := hills.Under(mgl32.Vec3{0, 0, z - half})
		slope := ground.Slope{Ground: hills, At: mgl32.Vec3{0, 0, z}, Heading: mgl32.Vec3{0, 0, 1}, Front: half, Back: half}
		if err := slope.Run(); err != nil || !slope.Ok {
			t.Fatal(err)
		}
		two = max(two, soleDepth(c, laid{z, (front + back) / 2, atan(front-back, 2*half)}, hills))
		five = max(five, soleDepth(c, laid{z, slope.Height, slope.Pitch}, hills))
	}
	t.Logf("two points: %.1f cm deep; five: %.1f cm", 100*two, 100*five)
	if five > 0.06 {
		t.Errorf("five points: %.1f cm deep", 100*five)
	}
	if two < 0.2 {
		t.Errorf("two points: %.1f cm deep, and the test shows nothing", 100*two)
	}
}

// The ends of the pitched body lie on the ground: both are measured horizontally.
func TestSlopeMeasuresBodyAndGroundByOneRuler(t *testing.T) {
	for _, degrees := range []float32{-35, -20, 0, 10, 30} {
		tan := sin(degrees) / sin(90-degrees)
		g := ground.Func(func(_, z float32) float32 {
			if z > 0 { // level, then a ramp, so that distances count
				return tan * z
			}
			return 0
		})
		s := ground.Slope{Ground: g, At: mgl32.Vec3{0, 0, 1}, Heading: mgl32.Vec3{0, 0, 1}, Front: 4, Back: 2}
		if err := s.Run(); err != nil || !s.Ok {
			t.Fatal(err)
		}
		s1, c1 := sincos(s.Pitch)
		front, _, _ := g.Under(mgl32.Vec3{0, 0, 1 + 4*c1})
		back, _, _ := g.Under(mgl32.Vec3{0, 0, 1 - 2*c1})
		if d := front - back - 6*s1; abs(d) > 2e-3 {
			t.Errorf("%v°: the ends are off by %v m", degrees, d)
		}
	}
}

func TestACarrierWalksOverHills(t *testing.T) {
	for _, c := range []*character{carrier(t), demoCarrier(t), fox(t)} {
		t.Run(fmt.Sprintf("%s of %d joints", c.name, c.model.Skeleton.Len()), func(t *testing.T) {
			var clip *animation.Clip
			scale := float32(1)
			if c.name == "Fox" {
				clip, scale = c.clip("Walk"), 0.02
			} else if len(c.clips) > 0 {
				clip = c.clip("walk")
			}
			w := newWalker(t, c, clip, hills)
			w.at.Scale = mgl32.Vec3{scale, scale, scale}
			w.speed = 1.5
			var deep, high, most float32
			for i := range 60 * 20 {
				w.step(t, 1.0/60)
				most = max(most, abs(w.stance.Pitch))
				if i > 0 {
					high = max(high, w.stance.Clearance)
				}
				if i%11 == 0 {
					deep = max(deep, w.depth(t, hills))
				}
			}
			t.Logf("at most %.1f cm deep, %.1f cm high, %.1f° pitched", 100*deep, 100*high, mgl32.RadToDeg(most))
			if deep > 0.06 {
				t.Errorf("it sinks %.1f cm in", 100*deep)
			}
			if high > 0.15 {
				t.Errorf("it hovers at %.1f cm", 100*high)
			}
			if most < 0.25 || most > 0.36 {
				t.Errorf("it is pitched by %v°", mgl32.RadToDeg(most))
			}
		})
	}
}
