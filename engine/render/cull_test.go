package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// mannequin is the demo's, on the processor alone.
func mannequin(t testing.TB) *Model {
	t.Helper()
	data, err := demoassets.Files.ReadFile("mannequin.glb")
	if err != nil {
		t.Fatal(err)
	}
	m, err := gltf.Decode("mannequin.glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &Model{Source: m, rest: make([]mgl32.Mat4, m.Skeleton.Len())}
	animation.NewPose(m.Skeleton).ToModel(m.Skeleton, r.rest)
	return r
}

// vertices calls yield for the world position of every vertex of an instance, by
// definition rather than by boxes.
func vertices(p *part, sh *shown, yield func(mgl32.Vec3)) {
	m := p.model.Source
	for _, node := range p.nodes {
		n := &m.Nodes[node]
		for i := range m.Meshes[n.Mesh].Primitives {
			prim := &m.Meshes[n.Mesh].Primitives[i]
			for v, at := range prim.Positions {
				if n.Skin < 0 {
					yield(mgl32.TransformCoordinate(at, sh.base.Mul4(p.nodeMatrices(sh)[node])))
					continue
				}
				sum := mgl32.Vec3{}
				for k, w := range prim.Weights[0][v] {
					bone := mgl32.Ident4()
					if a := sh.entity.Animator; a != nil {
						bone = a.Palette(int(n.Skin))[prim.Joints[0][v][k]]
					}
					sum = sum.Add(mgl32.TransformCoordinate(at, bone).Mul(w))
				}
				yield(mgl32.TransformCoordinate(sum, sh.base))
			}
		}
	}
}

func inside(m *mgl32.Mat4, p mgl32.Vec3) bool {
	c := m.Mul4x1(p.Vec4(1))
	return c[0] >= -c[3] && c[0] <= c[3] && c[1] >= -c[3] && c[1] <= c[3] && c[2] >= 0 && c[2] <= c[3]
}

// Whatever the pose, the place and the camera: of whom a vertex is in the picture
// or over the shadow map, the camera or the sun sees them. And most of those are
// dropped of whom no vertex is.
func TestNobodyVisibleIsCulled(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	within := func(a float32) float32 { return a * (2*random.Float32() - 1) }
	s, err := scene.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	figure, build := mannequin(t), house()
	var parts []*part
	for _, p := range []struct {
		m *Model
		r scene.MeshRenderer
	}{{figure, scene.MeshRenderer{}}, {build, scene.MeshRenderer{}}, {build, scene.MeshRenderer{Root: "door"}}} {
		p.r.Model = p.m.Source
		parts = append(parts, p.m.part(&Library{}, &p.r))
	}
	camera := s.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	seen, dropped, wasted := 0, 0, 0
	for range 60 {
		camera.LookAt(mgl32.Vec3{within(8), within(4), within(8)}, mgl32.Vec3{within(3), within(2), within(3)})
		s.UpdateWorld()
		f := &Frame{}
		f.Globals.setCamera(camera, 640, 360)
		f.Globals.SunDirection = mgl32.Vec3{0.4, 0.8, 0.2}.Normalize().Vec4(1)
		f.Globals.setShadow(mgl32.Vec3{within(2), 0, within(2)}, 3)
		type drawn struct {
			part *part
			sh   shown
		}
		var all []drawn
		for k, p := range parts {
			p.shown = nil
			for i := range 12 {
				e := s.Spawn("e", nil)
				e.Local.Translation = mgl32.Vec3{within(9), within(3), within(9)}
				e.Local.Rotation = mgl32.QuatRotate(within(math.Pi), mgl32.Vec3{within(1), 1, within(1)}.Normalize())
				e.Local.Scale = mgl32.Vec3{1, 1 + within(0.5), 1 + within(0.4)}
				m := p.model.Source
				if k == 0 && i > 0 {
					e.Animator = animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
					pose := e.Animator.Pose()
					for j := range pose.Local { // far beyond what a clip does
						pose.Local[j].Rotation = mgl32.QuatRotate(within(1.5), mgl32.Vec3{within(1), within(1), 1}.Normalize())
						pose.Moved[j] = true
					}
					e.Animator.Refresh()
				}
				s.UpdateWorld()
				sh := shown{entity: e, base: e.World(), palette: -1}
				if p.root >= 0 {
					sh.base = sh.base.Mul4(p.nodeMatrices(&sh)[p.root].Inv())
				}
				p.shown = append(p.shown, sh)
				all = append(all, drawn{p, sh})
			}
		}
		f.parts = parts
		f.cull(true)
		reached := map[*scene.Entity]reach{} // 1 more; 0 is dropped
		for _, p := range parts {
			last := reach(0)
			for i := range p.shown {
				sh := &p.shown[i]
				if sh.reach < last {
					t.Fatal("instances are not in the order of their reach")
				}
				last = sh.reach
				reached[sh.entity] = sh.reach + 1
			}
		}
		for i := range all {
			d := &all[i]
			sees, shades := false, false
			vertices(d.part, &d.sh, func(at mgl32.Vec3) {
				sees = sees || inside(&f.Globals.ViewProjection, at)
				shades = shades || inside(&f.Globals.Shadow, at)
			})
			got := reached[d.sh.entity]
			if sees && got != cameraOnly+1 && got != cameraAndSun+1 || shades && got != sunOnly+1 && got != cameraAndSun+1 {
				t.Fatalf("seen by the camera %v and the sun %v, it is sorted as %d", sees, shades, int(got)-1)
			}
			switch {
			case sees || shades:
				seen++
			case got == 0:
				dropped++
			default:
				wasted++
			}
		}
	}
	if seen < 300 || dropped < 300 || wasted > dropped {
		t.Errorf("%d were seen, %d dropped, and %d kept that nobody sees: the test must see and drop many", seen, dropped, wasted)
	}
}

// BenchmarkCull is what sorting 1,000 mannequins costs.
func BenchmarkCull(b *testing.B) {
	s, err := scene.New()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	m := mannequin(b)
	p := m.part(&Library{}, &scene.MeshRenderer{Model: m.Source})
	for i := range 1000 {
		e := s.SpawnModel("e", m.Source, nil)
		e.Local.Translation = mgl32.Vec3{float32(i % 32), 0, float32(i / 32)}
	}
	camera := s.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	camera.LookAt(mgl32.Vec3{16, 2, -5}, mgl32.Vec3{16, 1, 0})
	s.UpdateWorld()
	f := &Frame{parts: []*part{p}}
	f.Globals.setCamera(camera, 640, 360)
	f.Globals.setShadow(mgl32.Vec3{16, 0, 16}, 10)
	b.ReportAllocs()
	for b.Loop() {
		p.shown = p.shown[:0]
		for e := range s.All() {
			if e.Animator != nil {
				p.shown = append(p.shown, shown{entity: e, base: e.World(), palette: -1})
			}
		}
		f.cull(true)
	}
}
