package doctor

import (
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// What a person measures, metres: wide limits, since children and giants are
// people too. Arms held out make width no measure of thickness, so that is the
// lesser of width and depth.
const (
	leastPerson, mostPerson = 0.4, 3.0
	thickPerson             = 1.0
)

func (x *examination) box() {
	var err error
	if x.bounds, err = x.m.Bounds(x.rest); err != nil {
		x.find("pose-impossible", Error, "", "export the file again", nil, "the rest pose cannot be computed: %v", err)
		return
	}
	for i := range x.m.Meshes {
		for k := range x.m.Meshes[i].Primitives {
			x.skinned = x.skinned || len(x.m.Meshes[i].Primitives[k].Joints) > 0
		}
	}
	x.skinned = x.skinned && len(x.m.Skins) > 0
	x.person = x.skinned && humanoid.LooksHuman(x.m.Skeleton)
	s := size(x.bounds)
	figures := Figures{"size_m": vec(s), "min_m": vec(x.bounds.Min), "max_m": vec(x.bounds.Max)}
	if x.bounds.NonFinite > 0 {
		x.find("box-not-finite", Error, "", "look for a joint of scale 0 or a matrix that is not finite", Figures{"vertices": x.bounds.NonFinite},
			"%d of %d vertices are nowhere (not finite) in the rest pose", x.bounds.NonFinite, x.bounds.Vertices)
		return
	}
	if x.bounds.Vertices == 0 {
		if len(x.m.Meshes) > 0 {
			x.find("nothing-drawn", Info, "", "", nil, "no mesh is in the default scene")
		}
		return
	}
	x.zeroPositions()
	if !x.person {
		return
	}
	height, thick := float64(s[1]), float64(min(s[0], s[2]))
	switch {
	case thick > thickPerson && thick > 0.55*height && height < 2*mostPerson:
		x.find("person-thick", Warning, "", "see the findings on binding and weights: one part is away from the others, or the character lies on its back", figures,
			"a person is less than a metre thick, and this one measures %s (width × height × depth)", dimensions(s))
	case height < leastPerson:
		x.find("person-small", Warning, "", "scale it by 100 where it was made in metres and exported in centimetres; or, if all joints stand at one point, export with the joints' positions", figures,
			"a person of %.3g m", height)
	case height > mostPerson:
		x.find("person-tall", Warning, "", "scale it by 0.01 where it was made in centimetres: glTF is in metres", figures, "a person of %.3g m", height)
	}
}

// zeroPositions finds skeletons whose joints all stand at one point.
func (x *examination) zeroPositions() {
	zero, all := 0, 0
	for _, j := range x.skinJoints() {
		if x.m.Skeleton.Parents[j] < 0 {
			continue
		}
		all++
		if _, matrix := x.m.Skeleton.RestMatrix[j]; !matrix && x.m.Skeleton.Rest[j].Translation.Len() < 1e-9 {
			zero++
		}
	}
	if all >= 8 && zero*10 >= all*9 {
		x.find("positions-zero", Warning, "", "export again with the joints' translations", Figures{"joints": all, "zero": zero},
			"%d of %d joints stand at their parent's place: the positions are missing", zero, all)
	}
}

// skinJoints are the joints that skins name, each once, in order.
func (x *examination) skinJoints() []int32 {
	var all []int32
	for i := range x.m.Skins {
		all = append(all, x.m.Skins[i].Joints...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// part is one primitive as the rest pose puts it.
type part struct {
	where      string
	box        assets.Bounds // world
	posed, own float64       // diagonals: in the pose, and in the mesh's own space
}

func boxOf(positions []mgl32.Vec3) assets.Bounds {
	b := assets.Bounds{Vertices: len(positions)}
	for i, p := range positions {
		if i == 0 {
			b.Min, b.Max = p, p
		}
		b.Min, b.Max = b.Min.Min(p), b.Max.Max(p)
	}
	return b
}

// parts compares each part of a character with the whole: eyes that stay in
// place while the hair stands elsewhere, teeth that shrank to a point.
func (x *examination) parts() {
	if !x.skinned || x.bounds.NonFinite > 0 {
		return
	}
	var parts []part
	err := x.m.Evaluate(x.rest, func(_, mesh, primitive int, positions []mgl32.Vec3) {
		if len(positions) == 0 {
			return
		}
		p := &x.m.Meshes[mesh].Primitives[primitive]
		world, own := boxOf(positions), boxOf(p.Positions)
		where := named(fmt.Sprintf("meshes[%d].primitives[%d]", mesh, primitive), x.m.Meshes[mesh].Name)
		parts = append(parts, part{where, world, float64(size(world).Len()), float64(size(own).Len())})
	})
	if err != nil || len(parts) < 2 {
		return
	}
	var ratios []float64
	for _, p := range parts {
		if p.own > 0 {
			ratios = append(ratios, p.posed/p.own)
		}
	}
	slices.Sort(ratios)
	for i, p := range parts {
		if len(ratios) > 2 && p.own > 0 && p.posed/p.own < 0.02*ratios[len(ratios)/2] {
			x.find("part-point", Warning, p.where, "see the findings on its binding; a joint of scale 0 does this too", Figures{"size_m": round(p.posed), "expected_m": round(p.own * ratios[len(ratios)/2])},
				"the part shrank to %.2g m, and should measure about %.2g m", p.posed, p.own*ratios[len(ratios)/2])
			continue
		}
		var others assets.Bounds
		for k, o := range parts {
			switch {
			case k == i:
			case others.Vertices == 0:
				others = o.box
			default:
				others.Min, others.Max = others.Min.Min(o.box.Min), others.Max.Max(o.box.Max)
			}
		}
		gap := 0.0
		for c := range 3 {
			d := float64(max(p.box.Min[c]-others.Max[c], others.Min[c]-p.box.Max[c], 0))
			gap += d * d
		}
		if gap = math.Sqrt(gap); gap > 0.5*float64(size(others).Len()) && x.person {
			x.find("part-far", Warning, p.where, "see the findings on its binding", Figures{"gap_m": round(gap)},
				"the part is %.3g m away from all others, which measure %s", gap, dimensions(size(others)))
		}
	}
}

// mostClips bounds how many clips are posed.
const mostClips = 32

// clips measures the box while the character moves: a torn one is several times
// larger than at rest.
func (x *examination) clips() {
	if !x.skinned || x.bounds.NonFinite > 0 || x.bounds.Vertices == 0 {
		return
	}
	at := float64(size(x.bounds).Len())
	for i, c := range x.m.Clips[:min(len(x.m.Clips), mostClips)] {
		worst, when := x.stretch(c)
		if worst.Vertices > 0 && float64(size(worst).Len()) > 2.5*at {
			x.find("clip-stretches", Warning, named(fmt.Sprintf("animations[%d]", i), c.Name), "see the findings on binding, and whether the clip belongs to this skeleton",
				Figures{"size_m": vec(size(worst)), "rest_m": vec(size(x.bounds)), "time_s": round(float64(when))},
				"at %.3g s the box measures %s, and %s at rest", when, dimensions(size(worst)), dimensions(size(x.bounds)))
		}
	}
}

// stretch is the largest box of a few moments of a clip.
func (x *examination) stretch(c *animation.Clip) (worst assets.Bounds, when float32) {
	if c.Validate(x.m.Skeleton) != nil {
		return worst, 0
	}
	pose := animation.NewPose(x.m.Skeleton)
	for _, share := range []float32{0, 0.3, 0.6, 0.9} {
		job := animation.SamplingJob{Clip: c, Skeleton: x.m.Skeleton, Time: share * c.Duration, Cursors: make([]int32, len(c.Tracks)), Out: pose}
		if job.Run() != nil {
			return worst, 0
		}
		b, err := x.m.Bounds(pose)
		if err == nil && (worst.Vertices == 0 || size(b).Len() > size(worst).Len()) {
			worst, when = b, job.Time
		}
	}
	return worst, when
}
