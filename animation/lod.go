package animation

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Lod is a skeleton with fewer joints, for characters far away: fingers and toes go,
// and what they carried goes with the joint above as it rests. Everything made for
// it, animators, masks, machines, costs less by as much as there are fewer joints.
// Palettes keep their slots, so meshes are drawn as before.
type Lod struct {
	Skeleton *Skeleton
	Skins    []Skin
	// Joint is by joint of the whole skeleton its index here, or that of the joint
	// that it goes with.
	Joint []int32
	kept  []bool
	moved int32 // how far the properties lie behind their place in the whole skeleton's poses
}

// KeepLonger tells which joints matter at a distance: those from which some joint
// below lies at least so many metres along the bones, at rest. It is for NewLod.
func KeepLonger(s *Skeleton, metres float32) []bool {
	model := make([]mgl32.Mat4, s.Len())
	NewPose(s).ToModel(s, model)
	reach, keep := make([]float32, s.Len()), make([]bool, s.Len())
	for j := s.Len() - 1; j >= 0; j-- {
		keep[j] = reach[j] >= metres
		if p := s.Parents[j]; p >= 0 {
			bone := model[j].Col(3).Vec3().Sub(model[p].Col(3).Vec3()).Len()
			reach[p] = max(reach[p], reach[j]+bone)
		}
	}
	return keep
}

// NewLod returns the skeleton of the joints to keep, by joint. Joints above one that
// is kept, roots, and joints with morph targets are kept too.
func NewLod(s *Skeleton, skins []Skin, keep []bool) (*Lod, error) {
	n := s.Len()
	if len(keep) != n {
		return nil, fmt.Errorf("%w: a level of %d joints for a skeleton of %d", ErrJob, len(keep), n)
	}
	l := &Lod{Skeleton: &Skeleton{}, Joint: make([]int32, n), kept: make([]bool, n)}
	for j := n - 1; j >= 0; j-- {
		begin, end := s.morphs(j)
		l.kept[j] = l.kept[j] || keep[j] || s.Parents[j] < 0 || end > begin
		if p := s.Parents[j]; p >= 0 && l.kept[j] {
			l.kept[p] = true
		}
	}
	k := l.Skeleton
	rest := NewPose(s)
	down := make([]mgl32.Mat4, n) // space of the joint that it goes with, from its own
	one := make([]mgl32.Mat4, n)
	rest.ToModel(&Skeleton{Parents: roots(n), RestMatrix: s.RestMatrix, Rest: s.Rest}, one)
	for j, p := range s.Parents {
		if !l.kept[j] {
			l.Joint[j], down[j] = l.Joint[p], down[p].Mul4(one[j])
			continue
		}
		at := int32(len(k.Parents))
		l.Joint[j], down[j] = at, mgl32.Ident4()
		if p >= 0 {
			p = l.Joint[p]
		}
		k.Parents, k.Names, k.Rest = append(k.Parents, p), append(k.Names, s.Names[j]), append(k.Rest, s.Rest[j])
		if m, ok := s.RestMatrix[int32(j)]; ok {
			if k.RestMatrix == nil {
				k.RestMatrix = map[int32]mgl32.Mat4{}
			}
			k.RestMatrix[at] = m
		}
		if s.MorphOffset != nil {
			begin, end := s.morphs(j)
			k.MorphOffset = append(k.MorphOffset, int32(len(k.MorphWeights)))
			k.MorphWeights = append(k.MorphWeights, s.MorphWeights[begin:end]...)
		}
	}
	if s.MorphOffset != nil {
		l.moved = int32(len(k.MorphWeights)) - int32(s.properties())
		k.MorphOffset = append(k.MorphOffset, int32(len(k.MorphWeights)))
		k.MorphWeights = append(k.MorphWeights, s.MorphWeights[s.properties():]...)
	}
	for _, skin := range skins {
		x := Skin{Name: skin.Name}
		for i, j := range skin.Joints {
			x.Joints = append(x.Joints, l.Joint[j])
			x.InverseBind = append(x.InverseBind, down[j].Mul4(skin.InverseBind[i]))
		}
		l.Skins = append(l.Skins, x)
	}
	return l, nil
}

func roots(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// Clip returns the clip for the level's skeleton; keys are shared. What it loses
// Dropped lists. Root motion of a joint that goes is lost: keep it.
func (l *Lod) Clip(c *Clip) *Clip {
	var tracks []Track
	for _, tr := range c.Tracks {
		if l.kept[tr.Joint] {
			tr.Joint = l.Joint[tr.Joint]
			tracks = append(tracks, tr)
		}
	}
	out := c.With(tracks)
	out.Properties = nil
	for _, p := range c.Properties {
		if p.At+l.moved >= int32(l.Skeleton.properties()) { // morph weights of joints that go are lost with them
			p.At += l.moved
			out.Properties = append(out.Properties, p)
		}
	}
	out.Root = nil
	if c.Root != nil && l.kept[c.Root.Joint] {
		root := *c.Root
		root.Joint = l.Joint[root.Joint]
		out.Root = &root
	}
	return out
}

// Dropped are the names of the joints that the clip moves and the level does not have,
// in the skeleton's order, nameless ones as "": their channels are not in Clip.
func (l *Lod) Dropped(s *Skeleton, c *Clip) []string {
	var out []string
	last := int32(-1)
	for i := range c.Tracks { // sorted by joint
		if j := c.Tracks[i].Joint; !l.kept[j] && j != last {
			out, last = append(out, s.Names[j]), j
		}
	}
	return out
}

// Take copies what the level has of a pose of the whole skeleton, so that a change
// of levels shows no jump but in the joints that go.
func (l *Lod) Take(s *Skeleton, whole, out *Pose) {
	for j, kept := range l.kept {
		if !kept {
			continue
		}
		at := l.Joint[j]
		out.Local[at], out.Moved[at] = whole.Local[j], whole.Moved[j]
		copy(out.MorphWeights(l.Skeleton, int(at)), whole.MorphWeights(s, j))
	}
	copy(out.Weights[l.Skeleton.properties():], whole.Weights[s.properties():])
}
