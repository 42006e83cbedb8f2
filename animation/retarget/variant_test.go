package retarget_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// variant is another rig of the same body: joints turned and mirrored in their own
// spaces, all of it turned, scaled and laid by a node above, some helpers more. Its
// matrices are known in every pose: turn · body's · inner.
type variant struct {
	skeleton *animation.Skeleton
	turn     mgl32.Mat4
	inner    []mgl32.Mat4
	joint    []int32 // of the variant, by joint of the body
}

type change struct {
	turn    mgl32.Quat
	scale   float32
	frames  bool // joints have other axes
	mirrors bool // joints have negative scales
	helpers int  // more joints
	rename  func(string) string
}

func matrices(s *animation.Skeleton, p *animation.Pose) []mgl32.Mat4 {
	out := make([]mgl32.Mat4, s.Len())
	p.ToModel(s, out)
	return out
}

func newVariant(body *animation.Skeleton, rest *animation.Pose, c change) *variant {
	rng := rand.New(rand.NewPCG(3, 4))
	v := &variant{skeleton: &animation.Skeleton{}}
	v.turn = c.turn.Mat4().Mul4(mgl32.Scale3D(c.scale, c.scale, c.scale))
	s := v.skeleton
	add := func(name string, parent int32, x animation.Transform) int32 {
		s.Names, s.Parents, s.Rest = append(s.Names, name), append(s.Parents, parent), append(s.Rest, x)
		return int32(s.Len() - 1)
	}
	top := add("Armature", -1, animation.Transform{Rotation: c.turn, Scale: mgl32.Vec3{c.scale, c.scale, c.scale}})
	world := matrices(body, rest)
	for j, parent := range body.Parents {
		inner := mgl32.Ident4()
		if c.frames {
			axis := mgl32.Vec3{rng.Float32() - 0.5, rng.Float32() - 0.5, rng.Float32() - 0.5}.Normalize()
			inner = mgl32.QuatRotate(rng.Float32()*6, axis).Mat4()
		}
		if c.mirrors && rng.IntN(2) == 0 {
			inner = inner.Mul4(mgl32.Scale3D(-1, 1, 1))
		}
		v.inner = append(v.inner, inner)
		above, p := mgl32.Ident4(), top
		if parent >= 0 {
			above, p = world[parent].Mul4(v.inner[parent]), v.joint[parent]
		}
		t, r, scale := above.Inv().Mul4(world[j].Mul4(inner)).Decompose()
		name := body.Names[j]
		if c.rename != nil {
			name = c.rename(name)
		}
		v.joint = append(v.joint, add(name, p, animation.Transform{Translation: t, Rotation: r, Scale: scale}))
	}
	for i := range c.helpers {
		j := v.joint[rng.IntN(len(v.joint))]
		add("helper_twist_"+strconv.Itoa(i), j, animation.Transform{
			Translation: mgl32.Vec3{0.01, 0.02, 0}, Rotation: mgl32.QuatRotate(0.3, mgl32.Vec3{0, 1, 0}), Scale: mgl32.Vec3{1, 1, 1},
		})
	}
	return v
}

// dance is a motion of every joint and of root and hips together.
func dance(rig *retarget.Rig) *animation.Clip {
	rng := rand.New(rand.NewPCG(1, 2))
	clip := &animation.Clip{Name: "dance", Duration: 2}
	s := rig.Skeleton
	for j := range s.Parents {
		var turn, move animation.Track
		turn = animation.Track{Joint: int32(j), Path: animation.Rotation, Width: 4}
		move = animation.Track{Joint: int32(j), Path: animation.Translation, Width: 3}
		axis := mgl32.Vec3{rng.Float32() - 0.5, rng.Float32() - 0.5, rng.Float32() - 0.5}.Normalize()
		far := rng.Float32()
		for k := range 21 {
			at := float32(k) / 10
			q := mgl32.QuatRotate(far*float32(math.Sin(float64(2*at)+float64(j))), axis).Mul(s.Rest[j].Rotation).XYZW()
			turn.Times, turn.Values = append(turn.Times, at), append(turn.Values, q[:]...)
			d := s.Rest[j].Translation.Add(mgl32.Vec3{0.3 * at, 0.1 * float32(math.Sin(float64(3*at))), 0.2 * at * at})
			move.Times, move.Values = append(move.Times, at), append(move.Values, d[:]...)
		}
		if int32(j) == rig.Hips || int32(j) == rig.Root {
			clip.Tracks = append(clip.Tracks, move)
		}
		clip.Tracks = append(clip.Tracks, turn)
	}
	return clip
}

func mannequin(t testing.TB) *retarget.Rig {
	t.Helper()
	r := rig(t, load(t, "../../demo/assets/mannequin.glb").Skeleton)
	// Its meshes' nodes are no part of the body.
	return r
}

// The same body, rigged otherwise, does exactly what the source does: every
// joint's matrix is the source's, turned, scaled and seen from its own axes.
func TestSameBodyOtherRig(t *testing.T) {
	source := mannequin(t)
	clip := dance(source)
	half := mgl32.QuatRotate(math.Pi, mgl32.Vec3{0, 1, 0})
	lying := mgl32.QuatRotate(math.Pi/2, mgl32.Vec3{1, 0, 0})
	for name, c := range map[string]change{
		"same":                                  {turn: mgl32.QuatIdent(), scale: 1},
		"centimetres":                           {turn: mgl32.QuatIdent(), scale: 100},
		"millimetres":                           {turn: mgl32.QuatIdent(), scale: 0.001},
		"turned by half":                        {turn: half, scale: 1},
		"Z up":                                  {turn: lying, scale: 1},
		"Z up, centimetres, turned, other axes": {turn: lying.Mul(half), scale: 0.01, frames: true},
		"other axes":                            {turn: mgl32.QuatIdent(), scale: 1, frames: true},
		"negative scale":                        {turn: mgl32.QuatIdent(), scale: 1, frames: true, mirrors: true},
		"213 joints":                            {turn: half, scale: 100, frames: true, helpers: 213 - 1 - source.Skeleton.Len()},
		"other names":                           {turn: mgl32.QuatIdent(), scale: 1, frames: true, rename: func(string) string { return "" }},
	} {
		v := newVariant(source.Skeleton, animation.NewPose(source.Skeleton), c)
		target := rig(t, v.skeleton)
		m, err := retarget.NewMap(source, target)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r, err := retarget.New(m, retarget.Options{})
		if err != nil {
			t.Fatal(err)
		}
		baked, err := r.Bake(clip)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		from := animation.SamplingJob{Clip: clip, Skeleton: source.Skeleton, Cursors: make([]int32, len(clip.Tracks)), Out: animation.NewPose(source.Skeleton)}
		to := animation.SamplingJob{Clip: baked, Skeleton: v.skeleton, Cursors: make([]int32, len(baked.Tracks)), Out: animation.NewPose(v.skeleton)}
		var apart, turned float64
		for i := range 121 {
			from.Time, to.Time = float32(i)/60, float32(i)/60
			if from.Run() != nil || to.Run() != nil {
				t.Fatal("sampling")
			}
			a, b := matrices(source.Skeleton, from.Out), matrices(v.skeleton, to.Out)
			for _, p := range m.Pairs {
				want := v.turn.Mul4(a[p.Source]).Mul4(v.inner[p.Source])
				got := b[p.Target]
				if v.joint[p.Source] != p.Target {
					t.Fatalf("%s: %q is paired with %q", name, source.Skeleton.Names[p.Source], v.skeleton.Names[p.Target])
				}
				apart = max(apart, float64(want.Col(3).Vec3().Sub(got.Col(3).Vec3()).Len()/c.scale))
				for k := range 3 {
					turned = max(turned, float64(want.Col(k).Vec3().Sub(got.Col(k).Vec3()).Len()/c.scale))
				}
			}
		}
		t.Logf("%s: %d pairs, %.5f m, %.5f rad", name, len(m.Pairs), apart, turned)
		if apart > 0.002 || turned > 0.002 {
			t.Errorf("%s: up to %.4f m and %.4f rad off", name, apart, turned)
		}
		if least := 60; len(m.Pairs) < least && name != "other names" || len(m.Pairs) < 50 {
			t.Errorf("%s: %d pairs", name, len(m.Pairs))
		}
	}
}
