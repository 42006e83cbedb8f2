package verify

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Motion is what the target does: a clip of its own, or anything that gives its
// pose at a time. Sample is called by one goroutine, with rising times.
type Motion struct {
	Name     string
	Duration float32 // seconds
	Sample   func(t float32, out *animation.Pose) error

	clip *animation.Clip // for errors that name the key
}

// Play is the motion of a clip. What the clip hands to the entity as root motion
// is left with the joints.
func Play(s *animation.Skeleton, clip *animation.Clip) Motion {
	c := clip.With(clip.Tracks)
	c.Root = nil
	job := animation.SamplingJob{Clip: c, Skeleton: s, Cursors: make([]int32, len(c.Tracks))}
	return Motion{Name: clip.Name, Duration: clip.Duration, clip: clip, Sample: func(t float32, out *animation.Pose) error {
		job.Time, job.Out = t, out
		return job.Run()
	}}
}

// checkClip refuses what has no meaning, and says which key it is.
func checkClip(whose string, s *animation.Skeleton, c *animation.Clip) error {
	if err := c.Validate(s); err != nil {
		return fmt.Errorf("%w: the %s's %w", ErrInput, whose, err)
	}
	if c.Additive {
		return fmt.Errorf("%w: the %s's clip %q is additive: its values are differences, not poses; verify what it was made from", ErrInput, whose, c.Name)
	}
	for i := range c.Tracks {
		tr := &c.Tracks[i]
		for k, x := range tr.Values {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				perKey := tr.Width
				if tr.Interpolation == animation.CubicSpline {
					perKey *= 3
				}
				key := k / perKey
				return fmt.Errorf("%w: the %s's clip %q, joint %q, %s, key %d at %.4g s is %v: export the clip anew, or take the track out",
					ErrInput, whose, c.Name, nameOf(s, tr.Joint), pathName(tr.Path), key, tr.Times[key], x)
			}
		}
	}
	return nil
}

func pathName(p animation.Path) string {
	return map[animation.Path]string{animation.Translation: "translation", animation.Rotation: "rotation", animation.Scale: "scale", animation.Weights: "weights"}[p]
}

// near is the cosine of half the angle between two rotations. In single precision
// that tells angles to a twentieth of a degree.
func near(a, b *mgl32.Quat) float64 {
	d := float64(a.W)*float64(b.W) + float64(a.V[0])*float64(b.V[0]) + float64(a.V[1])*float64(b.V[1]) + float64(a.V[2])*float64(b.V[2])
	return min(math.Abs(d), 1)
}

// moments are the times of the frames: k/60 s, and the clip's end.
func moments(duration float32) []float32 {
	n := int(math.Floor(float64(duration)*Hz + 1e-3))
	out := make([]float32, 0, n+2)
	for k := range n + 1 {
		out = append(out, min(float32(float64(k)/Hz), duration))
	}
	if float64(duration)-float64(n)/Hz > 1e-4 {
		out = append(out, duration)
	}
	return out
}

// samples is what both skeletons do in a clip, frame by frame. Frame k of pair p
// is at k·pairs+p.
type samples struct {
	times  []float32
	rs     []quat // source rotations in model space; zero where a matrix flattens
	offset []quat // inverse(Rs)·inverse(F)·Rt; zero likewise
	ps, pt []vec  // places in model space
	// The pelvis, by frame.
	pelvisS, pelvisT []vec
	// Lengths of the bones that end in the joints, and whether the source's is scaled
	// otherwise than at rest.
	boneS, boneT []float64
	scaled       []bool
	// Of every joint, how far its own rotation leaves that of the first frame, and
	// that of its rest, degrees.
	turnS, turnT   []float64
	leaveS, leaveT []float64
}

func (v *Verifier) sample(source, target Motion) (*samples, error) {
	times := moments(source.Duration)
	n := len(times) * len(v.pairs)
	out := &samples{
		times: times, rs: make([]quat, n), offset: make([]quat, n), ps: make([]vec, n), pt: make([]vec, n),
		boneS: make([]float64, n), boneT: make([]float64, n), scaled: make([]bool, n),
		turnS: make([]float64, v.source.Len()), turnT: make([]float64, v.target.Len()),
		leaveS: make([]float64, v.source.Len()), leaveT: make([]float64, v.target.Len()),
	}
	poseS, poseT := animation.NewPose(v.source), animation.NewPose(v.target)
	firstS, firstT := animation.NewPose(v.source), animation.NewPose(v.target)
	worldS, worldT := make([]mgl32.Mat4, v.source.Len()), make([]mgl32.Mat4, v.target.Len())
	back := v.facing.conj()
	for k, t := range times {
		for _, side := range []struct {
			whose       string
			m           *Motion
			s           *animation.Skeleton
			pose, first *animation.Pose
			world       []mgl32.Mat4
			turn, leave []float64
		}{{"source", &source, v.source, poseS, firstS, worldS, out.turnS, out.leaveS}, {"target", &target, v.target, poseT, firstT, worldT, out.turnT, out.leaveT}} {
			if err := side.m.Sample(t, side.pose); err != nil {
				return nil, fmt.Errorf("%w: the %s's clip %q at %.4g s: %w", ErrInput, side.whose, side.m.Name, t, err)
			}
			side.pose.ToModel(side.s, side.world)
			for j := range side.world {
				for _, x := range side.world[j] {
					if x-x != 0 {
						return nil, fmt.Errorf("%w: the %s's clip %q, joint %q, frame %d (%.4g s) is not finite", ErrInput, side.whose, side.m.Name, nameOf(side.s, int32(j)), k, t)
					}
				}
			}
			if k == 0 {
				side.first.Copy(side.pose)
			}
			for j := range side.turn {
				now := &side.pose.Local[j].Rotation
				side.turn[j] = max(side.turn[j], 1-near(&side.first.Local[j].Rotation, now))
				side.leave[j] = max(side.leave[j], 1-near(&side.s.Rest[j].Rotation, now))
			}
		}
		if v.pelvis >= 0 {
			p := v.pairs[v.pelvis]
			out.pelvisS = append(out.pelvisS, through(&worldS[p.Source], v.src.socket))
			out.pelvisT = append(out.pelvisT, through(&worldT[p.Target], v.dst.socket))
		}
		for p, pair := range v.pairs {
			i := k*len(v.pairs) + p
			ms, mt := &worldS[pair.Source], &worldT[pair.Target]
			out.ps[i], out.pt[i] = place(ms), place(mt)
			if up := v.source.Parents[pair.Source]; up >= 0 {
				out.boneS[i] = out.ps[i].sub(place(&worldS[up])).len()
				for axis, rest := range v.src.scale[up] {
					now := float64(worldS[up].Col(axis).Vec3().Len())
					out.scaled[i] = out.scaled[i] || math.Abs(now-rest) > 0.001*rest
				}
			}
			if up := v.target.Parents[pair.Target]; up >= 0 {
				out.boneT[i] = out.pt[i].sub(place(&worldT[up])).len()
			}
			rs, ok1 := rotationOf(ms)
			rt, ok2 := rotationOf(mt)
			if ok1 && ok2 {
				out.rs[i], out.offset[i] = rs, rs.conj().mul(back).mul(rt)
			}
		}
	}
	for _, x := range [][]float64{out.turnS, out.leaveS, out.turnT, out.leaveT} {
		for j, far := range x {
			x[j] = 2 * math.Acos(max(1-far, 0)) * 180 / math.Pi
		}
	}
	return out, nil
}
