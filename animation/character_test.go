package animation

import (
	"math"
	"math/rand/v2"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// character returns a skeleton of n joints in chains of about eight, and a clip
// of one second that moves each joint by all three paths with so many keys.
// The same arguments give the same motion; more seed another.
func character(n, keys int, seed ...uint64) (*Skeleton, *Clip) {
	s := &Skeleton{}
	shape := rand.New(rand.NewPCG(7, 7))
	for j := range n {
		parent := int32(j - 1)
		if j%8 == 0 {
			parent = int32(j/16) - 1
			if j > 0 && parent < 0 {
				parent = 0
			}
		}
		rest := Identity()
		rest.Translation = mgl32.Vec3{0.1 * (shape.Float32() - 0.5), 0.1, 0.1 * (shape.Float32() - 0.5)}
		s.Names = append(s.Names, "joint"+string(rune('A'+j)))
		s.Parents = append(s.Parents, parent)
		s.Rest = append(s.Rest, rest)
	}
	r := rand.New(rand.NewPCG(uint64(n), uint64(keys)))
	for _, x := range seed {
		r = rand.New(rand.NewPCG(x, x))
	}
	c := &Clip{Name: "swing", Duration: 1}
	times := make([]float32, keys)
	for k := range times {
		times[k] = float32(k) / float32(keys-1)
	}
	for j := range n {
		var tv, rv, sv []float32
		axis := mgl32.Vec3{r.Float32() - 0.5, r.Float32() - 0.5, r.Float32() - 0.5}.Normalize()
		phase, wide := r.Float64()*6, r.Float64()
		for _, t := range times {
			swing := math.Sin(2*math.Pi*float64(t)+phase) * wide
			at := s.Rest[j].Translation.Add(mgl32.Vec3{0, float32(0.02 * swing), 0})
			tv = append(tv, at[:]...)
			rv = append(rv, xyzw(mgl32.QuatRotate(float32(swing), axis))...)
			sv = append(sv, 1, 1+float32(0.1*swing), 1)
		}
		joint := int32(j)
		c.Tracks = append(c.Tracks,
			Track{Joint: joint, Path: Translation, Width: 3, Times: times, Values: tv},
			Track{Joint: joint, Path: Rotation, Width: 4, Times: times, Values: rv},
			Track{Joint: joint, Path: Scale, Width: 3, Times: times, Values: sv})
	}
	return s, c
}

// skinOf binds every joint at rest.
func skinOf(s *Skeleton) Skin {
	model := make([]mgl32.Mat4, s.Len())
	NewPose(s).ToModel(s, model)
	k := Skin{Name: "skin"}
	for j := range model {
		k.Joints = append(k.Joints, int32(j))
		k.InverseBind = append(k.InverseBind, model[j].Inv())
	}
	return k
}
