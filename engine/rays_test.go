package engine_test

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/render"
)

// Rays on the processor through a scene, for tests that ask what light reaches.

type v3 [3]float64

func (a v3) add(b v3) v3      { return v3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a v3) mul(s float64) v3 { return v3{a[0] * s, a[1] * s, a[2] * s} }
func (a v3) sub(b v3) v3      { return a.add(b.mul(-1)) }
func (a v3) dot(b v3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a v3) cross(b v3) v3 {
	return v3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func (a v3) unit() v3      { return a.mul(1 / math.Sqrt(a.dot(a))) }
func wide(p mgl32.Vec3) v3 { return v3{float64(p[0]), float64(p[1]), float64(p[2])} }

// soup is every triangle of the scene, in the world, by what shows it.
type soup []heap

type heap struct {
	skinned   bool
	triangles [][3]v3
	lo, hi    v3
}

// gather takes the triangles of all that is shown, skinned on the processor.
func gather(t testing.TB, e *engine.Engine) (out soup) {
	t.Helper()
	e.Scene.UpdateWorld()
	for x := range e.Scene.All() {
		if x.Mesh == nil || !x.Visible() {
			continue
		}
		m, world := x.Mesh.Model, x.World()
		pose := animation.NewPose(m.Skeleton)
		if x.Animator != nil {
			pose = x.Animator.Pose()
		}
		h := heap{skinned: x.Animator != nil, lo: v3{1e9, 1e9, 1e9}, hi: v3{-1e9, -1e9, -1e9}}
		err := m.NormalizeWeights().Evaluate(pose, func(_, mesh, primitive int, positions []mgl32.Vec3) {
			indices := m.Meshes[mesh].Primitives[primitive].Indices
			for i := 0; m.Meshes[mesh].Primitives[primitive].Indices == nil && i < len(positions); i++ {
				indices = append(indices, uint32(i))
			}
			for n := 0; n+2 < len(indices); n += 3 {
				var tri [3]v3
				for c := range tri {
					tri[c] = wide(mgl32.TransformCoordinate(positions[indices[n+c]], world))
					for k, x := range tri[c] {
						h.lo[k], h.hi[k] = min(h.lo[k], x), max(h.hi[k], x)
					}
				}
				h.triangles = append(h.triangles, tri)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, h)
	}
	return out
}

// near says whether a ray passes a box.
func (h *heap) near(from, along v3, farthest float64) bool {
	first, last := 0.0, farthest
	for c := range 3 {
		a, b := (h.lo[c]-1e-6-from[c])/along[c], (h.hi[c]+1e-6-from[c])/along[c]
		if along[c] != 0 {
			first, last = max(first, min(a, b)), min(last, max(a, b))
		} else if from[c] < h.lo[c] || from[c] > h.hi[c] {
			return false
		}
	}
	return first <= last
}

// hit is where a ray first meets a triangle, beyond nearest and before farthest,
// in lengths of along (Möller, Trumbore, "Fast, minimum storage ray/triangle
// intersection", 1997).
func (s soup) hit(from, along v3, nearest, farthest float64) (at float64, normal v3, on *heap) {
	at = farthest
	for i := range s {
		if !s[i].near(from, along, at) {
			continue
		}
		for _, tri := range s[i].triangles {
			a, b := tri[1].sub(tri[0]), tri[2].sub(tri[0])
			p := along.cross(b)
			det := a.dot(p)
			if math.Abs(det) < 1e-14 {
				continue
			}
			q := from.sub(tri[0])
			u := q.dot(p) / det
			r := q.cross(a)
			v := along.dot(r) / det
			if d := b.dot(r) / det; u >= 0 && v >= 0 && u+v <= 1 && d > nearest && d < at {
				at, normal, on = d, a.cross(b).unit(), &s[i]
			}
		}
	}
	return at, normal, on
}

// judged compares sample pixels of the picture with rays: of those whose
// surroundings the lamp reaches as a whole, or not at all, it says how many are lit
// and dark. inCone says whether the light is strong towards a point, weak, or in
// between.
func judged(t *testing.T, e *engine.Engine, s soup, lamp mgl32.Vec3, inCone func(v3) int) (lit, dark int) {
	t.Helper()
	p := enginetest.Picture(t, e)
	w, h := e.Size()
	g := &e.Draw.Globals
	eye, light := wide(g.Eye.Vec3()), wide(lamp)
	texel := 2.0 / float64(render.ShadowSize(w, h)/2) // of a face, at distance 1
	wrong := 0
	for y := 2; y < h; y += 9 {
		for x := 2; x < w; x += 9 {
			clip := mgl32.Vec4{(float32(x)+0.5)/float32(w)*2 - 1, (float32(y)+0.5)/float32(h)*2 - 1, 0.5, 1}
			far := g.InverseViewProjection.Mul4x1(clip)
			along := wide(far.Vec3().Mul(1 / far[3])).sub(eye).unit()
			d, normal, on := s.hit(eye, along, 1e-3, 1e9)
			if on == nil || on.skinned { // whose normals are not its triangles'
				continue
			}
			if normal.dot(along) > 0 {
				normal = normal.mul(-1)
			}
			at := eye.add(along.mul(d))
			to := light.sub(at)
			away := math.Sqrt(to.dot(to))
			if cos := to.dot(normal) / away; cos < 0.1 && cos > -0.02 {
				continue // the light grazes
			}
			right := normal.cross(v3{0.31, 0.82, 0.47}).unit()
			up := normal.cross(right)
			aside := 3.5 * texel * away
			votes, agree := 0, true
			for k := range 9 {
				angle := 2 * math.Pi * float64(k) / 8
				q := at
				if k < 8 {
					q = at.add(right.mul(aside * math.Cos(angle))).add(up.mul(aside * math.Sin(angle)))
				}
				// The point must be seen, not lie beyond an edge of what is.
				if d, _, _ := s.hit(eye, q.sub(eye), 1e-3, 2); d < 0.999 || d > 1.001 {
					agree = false
					break
				}
				reached := 0
				if to.dot(normal) > 0 && inCone(q) > 0 {
					from := q.add(normal.mul(1e-4))
					if _, _, by := s.hit(from, light.sub(from), 0, 1); by == nil {
						reached = 1
					}
				}
				if inCone(q) == 0 {
					agree = false
				}
				votes += reached
			}
			if !agree || votes != 0 && votes != 9 {
				continue
			}
			c := at8(p.Pix[p.PixOffset(x, y):])
			switch {
			case votes == 9 && c < 12 || votes == 0 && c > 1:
				if wrong++; wrong <= 5 {
					t.Errorf("pixel %d, %d at %.2f, %.2f m from the lamp: brightness %d, and %d of 9 rays reach the lamp", x, y, at, away, c, votes)
				}
			case votes == 9:
				lit++
			default:
				dark++
			}
		}
	}
	if wrong > 5 {
		t.Errorf("and %d pixels more", wrong-5)
	}
	return lit, dark
}

func at8(pix []byte) int { return int(max(pix[0], pix[1], pix[2])) }

func everywhere(v3) int { return 1 }
