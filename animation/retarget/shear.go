package retarget

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Shear is where a clip's joints are most askew. A joint that turns below one of
// uneven scale is sheared: no rotation says how it stands, so what is brought over
// differs from what is seen by up to about half the angle.
type Shear struct {
	Target  bool    // the joint is the target's, else the source's
	Joint   int32   //
	Degrees float32 // by which two of its axes are off a right angle; 0 where nothing is sheared
	Time    float32 // of the clip, seconds
}

// Shear measures the paired joints of both rigs, in a clip of the source, at some
// sixty moments.
func (r *Retargeter) Shear(clip *animation.Clip) (Shear, error) {
	const moments = 60
	s, t := r.Map.Source.Skeleton, r.Map.Target.Skeleton
	if err := clip.Validate(s); err != nil {
		return Shear{}, err
	}
	whole := clip.With(clip.Tracks)
	whole.Root = nil
	job := animation.SamplingJob{Clip: whole, Skeleton: s, Cursors: make([]int32, len(clip.Tracks)), Out: animation.NewPose(s)}
	out := animation.NewPose(t)
	from, to := make([]mgl32.Mat4, s.Len()), make([]mgl32.Mat4, t.Len())
	var worst Shear
	r.fixedGround = false
	r.unwind()
	for i := range moments {
		job.Time = clip.Duration * float32(i) / (moments - 1)
		if err := job.Run(); err != nil {
			return Shear{}, err
		}
		if i == 0 {
			r.Ground(job.Out)
		}
		if err := r.Pose(job.Out, out); err != nil {
			return Shear{}, err
		}
		job.Out.ToModel(s, from)
		out.ToModel(t, to)
		for _, p := range r.Map.Pairs {
			for _, x := range [2]struct {
				target bool
				joint  int32
				m      *mgl32.Mat4
			}{{false, p.Source, &from[p.Source]}, {true, p.Target, &to[p.Target]}} {
				if d := askew(x.m); d > worst.Degrees {
					worst = Shear{x.target, x.joint, d, job.Time}
				}
			}
		}
	}
	return worst, nil
}

// askew is the angle, degrees, by which two axes of a matrix are off a right
// angle; 0 where an axis has no length.
func askew(m *mgl32.Mat4) float32 {
	axis := func(c int) mgl32.Vec3 { return mgl32.Vec3{m[4*c], m[4*c+1], m[4*c+2]} }
	x, y, z := axis(0), axis(1), axis(2)
	lx, ly, lz := x.Len(), y.Len(), z.Len()
	if !(lx > 0 && ly > 0 && lz > 0) {
		return 0
	}
	xy, yz, zx := x.Dot(y)/(lx*ly), y.Dot(z)/(ly*lz), z.Dot(x)/(lz*lx)
	off := min(max(xy, -xy, yz, -yz, zx, -zx), 1)
	return float32(math.Asin(float64(off)) * 180 / math.Pi)
}
