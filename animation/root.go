package animation

import (
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Motion is how far an entity moves in one step, in its own space before the
// step: it walks by Translation and then turns by Yaw. The zero Motion is none.
type Motion struct {
	Translation mgl32.Vec3 // metres
	Yaw         float32    // radians about +Y, in (-π, π]
}

// Apply moves an entity's place by the motion.
func (m Motion) Apply(at Transform) Transform {
	at.Translation = at.Translation.Add(at.Rotation.Rotate(m.Translation.MulVec(at.Scale)))
	at.Rotation = at.Rotation.Mul(mgl32.QuatRotate(m.Yaw, mgl32.Vec3{0, 1, 0})).Normalize()
	return at
}

// Mix is the motion of u parts of n and 1-u of m.
func (m Motion) Mix(n Motion, u float32) Motion {
	return Motion{m.Translation.Lerp(n.Translation, u), m.Yaw + u*(n.Yaw-m.Yaw)}
}

// Scale is w times the motion.
func (m Motion) Scale(w float32) Motion { return Motion{m.Translation.Mul(w), w * m.Yaw} }

// Add is the sum of two parts of one motion.
func (m Motion) Add(n Motion) Motion { return Motion{m.Translation.Add(n.Translation), m.Yaw + n.Yaw} }

// RootAxes says which parts of a joint's motion move the entity instead.
type RootAxes struct{ X, Y, Z, Yaw bool }

// RootMotion says of a clip which joint's motion, in model space, moves the
// entity: Clip.Root. Sampling such a clip leaves that part out of the joint, at
// every time and not only at keys, so that entity and joint together are where
// the clip has the joint. Make one with ExtractRoot.
type RootMotion struct {
	Joint int32
	RootAxes

	up, down mgl32.Mat4 // model space from the joint's parent's at rest, and back
	upTurn   mgl32.Quat
	// The joint at the clip's start, model space.
	at        mgl32.Vec3
	start     mgl32.Quat
	trackHint [2]int32
}

// ExtractRoot returns the clip with the motion of one joint, in model space along
// the axes and about +Y, as the entity's. The joint may be any: the hips, or a
// root above them. The joints above it count as at rest. Tracks are shared with
// the clip given.
func ExtractRoot(clip *Clip, s *Skeleton, joint int32, axes RootAxes) (*Clip, error) {
	if err := clip.Validate(s); err != nil {
		return nil, err
	}
	if joint < 0 || int(joint) >= s.Len() {
		return nil, fmt.Errorf("%w %q: root motion of joint %d of a skeleton of %d", ErrClip, clip.Name, joint, s.Len())
	}
	if clip.Additive {
		return nil, fmt.Errorf("%w %q: root motion of an additive clip", ErrClip, clip.Name)
	}
	model := make([]mgl32.Mat4, s.Len())
	NewPose(s).ToModel(s, model)
	r := &RootMotion{Joint: joint, RootAxes: axes, up: mgl32.Ident4(), trackHint: [2]int32{-1, -1}}
	if p := s.Parents[joint]; p >= 0 {
		r.up = model[p]
	}
	if r.up.Det() == 0 {
		return nil, fmt.Errorf("%w %q: root motion under a parent of scale 0", ErrClip, clip.Name)
	}
	r.down = r.up.Inv()
	_, r.upTurn, _ = r.up.Decompose()
	for i := range clip.Tracks {
		if tr := &clip.Tracks[i]; tr.Joint == joint && tr.Path <= Rotation {
			r.trackHint[tr.Path] = int32(i)
		}
	}
	r.start = mgl32.QuatIdent()
	local := r.sample(s, clip, 0)
	r.start = r.upTurn.Mul(local.Rotation)
	r.at = r.keep(mgl32.TransformCoordinate(local.Translation, r.up))
	out := clip.With(clip.Tracks)
	out.Root = r
	return out, nil
}

// WalkRoot returns a clip that was made in place as one whose entity walks: along
// +Z of model space at the clip's Speed. A joint without a translation of its own,
// such as the root, carries the motion. Tracks are shared with the clip given.
func WalkRoot(clip *Clip, s *Skeleton, joint int32) (*Clip, error) {
	return WalkRootAlong(clip, s, joint, mgl32.Vec3{0, 0, clip.Speed})
}

// WalkRootAlong is WalkRoot at a velocity that was measured: metres a second in
// model space, of which what points up does not count.
func WalkRootAlong(clip *Clip, s *Skeleton, joint int32, velocity mgl32.Vec3) (*Clip, error) {
	if joint < 0 || int(joint) >= s.Len() {
		return nil, fmt.Errorf("%w %q: a walk of joint %d of a skeleton of %d", ErrClip, clip.Name, joint, s.Len())
	}
	if clip.find(joint, Translation) >= 0 {
		return nil, fmt.Errorf("%w %q: a walk of joint %q, which has a translation", ErrClip, clip.Name, s.Names[joint])
	}
	model := make([]mgl32.Mat4, s.Len())
	NewPose(s).ToModel(s, model)
	step := mgl32.Vec3{velocity[0] * clip.Duration, 0, velocity[2] * clip.Duration}
	if p := s.Parents[joint]; p >= 0 {
		if model[p].Det() == 0 {
			return nil, fmt.Errorf("%w %q: a walk under a parent of scale 0", ErrClip, clip.Name)
		}
		step = mgl32.TransformNormal(step, model[p].Inv())
	}
	from := s.Rest[joint].Translation
	to := from.Add(step)
	walk := Track{
		Joint: joint, Path: Translation, Width: 3, Times: []float32{0, clip.Duration},
		Values: []float32{from[0], from[1], from[2], to[0], to[1], to[2]},
	}
	if clip.Duration == 0 {
		walk.Times, walk.Values = walk.Times[:1], walk.Values[:3]
	}
	at := 0
	for at < len(clip.Tracks) && clip.Tracks[at].Joint < joint {
		at++
	}
	return ExtractRoot(clip.With(slices.Insert(slices.Clone(clip.Tracks), at, walk)), s, joint, RootAxes{X: velocity[0] != 0, Z: true})
}

// place is a rigid motion: turn by yaw, then move.
type place struct {
	x, y, z float64
	yaw     float64
}

func turned(x, z, yaw float64) (float64, float64) {
	sin, cos := math.Sincos(yaw)
	return cos*x + sin*z, cos*z - sin*x
}

// then is p·q.
func (p place) then(q place) place {
	x, z := turned(q.x, q.z, p.yaw)
	return place{p.x + x, p.y + q.y, p.z + z, p.yaw + q.yaw}
}

func (p place) inverse() place {
	x, z := turned(-p.x, -p.z, -p.yaw)
	return place{x, -p.y, z, -p.yaw}
}

// times is p·p·…, n times; negative n of the inverse.
func (p place) times(n int64) place {
	if n < 0 {
		p, n = p.inverse(), -n
	}
	var out place
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			out = out.then(p)
		}
		p = p.then(p)
		p.yaw = math.Remainder(p.yaw, 2*math.Pi)
	}
	return out
}

// keep is the vector along the axes that are extracted.
func (r *RootMotion) keep(v mgl32.Vec3) mgl32.Vec3 {
	for c, on := range [3]bool{r.X, r.Y, r.Z} {
		if !on {
			v[c] = 0
		}
	}
	return v
}

// of is the motion since the clip's start that a local transform of the joint
// holds.
func (r *RootMotion) of(local *Transform) place {
	var p place
	if r.Yaw {
		q := r.upTurn.Mul(local.Rotation).Mul(r.start.Conjugate())
		if q.W < 0 {
			q = q.Scale(-1)
		}
		p.yaw = 2 * math.Atan2(float64(q.V[1]), float64(q.W)) // the twist about +Y
	}
	at := r.keep(mgl32.TransformCoordinate(local.Translation, r.up))
	x, z := turned(float64(r.at[0]), float64(r.at[2]), p.yaw)
	p.x, p.y, p.z = float64(at[0])-x, float64(at[1])-float64(r.at[1]), float64(at[2])-z
	return p
}

// takeOut leaves of a sampled transform of the joint what is not the entity's.
func (r *RootMotion) takeOut(local *Transform) {
	p := r.of(local)
	p = p.inverse()
	at := mgl32.TransformCoordinate(local.Translation, r.up)
	x, z := turned(float64(at[0]), float64(at[2]), p.yaw)
	at = mgl32.Vec3{float32(x + p.x), float32(float64(at[1]) + p.y), float32(z + p.z)}
	local.Translation = mgl32.TransformCoordinate(at, r.down)
	if p.yaw != 0 {
		turn := mgl32.QuatRotate(float32(p.yaw), mgl32.Vec3{0, 1, 0})
		local.Rotation = r.upTurn.Conjugate().Mul(turn).Mul(r.upTurn).Mul(local.Rotation).Normalize()
	}
}

// sample reads the joint's translation and rotation as the clip has them.
func (r *RootMotion) sample(s *Skeleton, c *Clip, t float32) Transform {
	out := s.Rest[r.Joint]
	for path := Translation; path <= Rotation; path++ {
		i := r.trackHint[path]
		if i < 0 || int(i) >= len(c.Tracks) || c.Tracks[i].Joint != r.Joint || c.Tracks[i].Path != path {
			if i = c.find(r.Joint, path); i < 0 {
				continue
			}
		}
		tr := &c.Tracks[i]
		k, u, dt := between(tr.Times, t, seek(tr.Times, t, 0))
		switch {
		case tr.Interpolation == Linear && dt > 0:
			tr.linear(k, u, &out)
		case path == Rotation:
			out.Rotation = tr.quat(k, u, dt)
		default:
			out.Translation = tr.vec3(k, u, dt)
		}
	}
	return out
}

func (c *Clip) find(joint int32, path Path) int32 {
	for i := range c.Tracks {
		if c.Tracks[i].Joint == joint && c.Tracks[i].Path == path {
			return int32(i)
		}
	}
	return -1
}

// Motion is how far the clip's root motion takes the entity over the span, round
// by round where the clip loops and in reverse where it goes backward. Clips
// without Root do not move it, nor do spans of more than 2⁴⁰ rounds. It allocates
// nothing.
func (s Span) Motion(k *Skeleton, c *Clip) Motion {
	r := c.Root
	d := float64(c.Duration)
	if r == nil || s.From == s.To || s.absurd(d) {
		return Motion{}
	}
	t0, round0 := s.clipTime(s.From, d)
	t1, round1 := s.clipTime(s.To, d)
	x0, x1 := r.sample(k, c, float32(t0)), r.sample(k, c, float32(t1))
	p := r.of(&x0).inverse()
	if n := round1 - round0; n != 0 {
		end := r.sample(k, c, c.Duration)
		p = p.then(r.of(&end).times(n))
	}
	p = p.then(r.of(&x1))
	return Motion{
		mgl32.Vec3{float32(p.x), float32(p.y), float32(p.z)},
		float32(math.Remainder(p.yaw, 2*math.Pi)),
	}
}
