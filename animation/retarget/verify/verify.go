package verify

import (
	"errors"
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Hz is how often a second both skeletons are sampled.
const Hz = 60

// longest is how long a clip may be: its samples are held in memory.
const longest = 3600 // seconds

// ErrInput is wrapped by every error of what cannot be measured.
var ErrInput = errors.New("verify: cannot measure")

// Pair says that a joint of the target is to do what a joint of the source does.
type Pair struct {
	Source, Target int32  // joints of the two skeletons
	Bone           string // by VRM 1.0's names, such as leftUpperArm; "" where not known
}

// Options are what is let pass. A zero is the default.
type Options struct {
	Drift  float64 `json:"drift_deg"` // degrees that a joint may drift: 0.5
	Height float64 `json:"height_m"`  // metres that the pelvis may drift, and a bone change its length: 0.003
	Limb   float64 `json:"limb_deg"`  // degrees between the directions of a limb of source and target: 5
	Ratio  float64 `json:"ratio"`     // by how much a ratio of the motion may differ from the skeletons': 0.15, of distance at most 0.05, of height 0.03 where both have meshes

	// Planted says that legs were bent so that feet stand: how they turn is told, and
	// passes.
	Planted bool `json:"planted,omitempty"`

	SourceKnown, TargetKnown Known `json:"-"`
}

// Known is what a file tells of its skeleton besides the joints. The zero value is
// nothing.
type Known struct {
	// Up and Forward are the body's directions in model space, where the file's format
	// fixes them; zero: they are measured at rest.
	Up, Forward mgl32.Vec3
	// Vertices are where the rest pose puts the mesh, model space: the soles are below
	// the joints of the feet. Nil: the ground is at the origin, where the feet are near it.
	Vertices []mgl32.Vec3
	// Bones are joints by VRM 1.0's names, also of bones that no pair names: where the
	// pelvis is, is measured between its hip joints. Nil: the pairs' alone.
	Bones map[string]int32
}

func (o Options) filled() Options {
	set := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	set(&o.Drift, 0.5)
	set(&o.Height, 0.003)
	set(&o.Limb, 5)
	set(&o.Ratio, 0.15)
	return o
}

// Verifier measures clips of one pair of skeletons. It is immutable: Measure may
// run at the same time on several goroutines.
type Verifier struct {
	source, target *animation.Skeleton
	pairs          []Pair
	options        Options

	src, dst body
	facing   quat    // target model space from source model space
	parent   []int32 // by pair: the pair next above on the target, or -1
	carrier  []bool  // by pair: above the pelvis, where only the sum of all counts
	pelvis   int     // the pair that carries the body, -1 where there is none
	limbs    []limb
	fingers  []hand
	same     []int32 // unpaired target joints that bear the name of an unpaired source joint, by source joint; -1
}

// limb is a bone whose direction is compared: two pairs.
type limb struct {
	name     string
	from, to int
	finger   bool // its direction counts only where it is not driven at all
}

// New measures the two skeletons at rest. The pairs' bone names say where the
// pelvis, limbs and hands are; without them these are found by the joints' names.
func New(source, target *animation.Skeleton, pairs []Pair, o Options) (*Verifier, error) {
	for _, s := range []*animation.Skeleton{source, target} {
		if err := s.Validate(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInput, err)
		}
	}
	for _, f := range []struct {
		name string
		v    float64
	}{{"drift", o.Drift}, {"height", o.Height}, {"limb", o.Limb}, {"ratio", o.Ratio}} {
		if !(f.v >= 0) || math.IsInf(f.v, 0) {
			return nil, fmt.Errorf("%w: the limit of %s is %v, and must be a positive number", ErrInput, f.name, f.v)
		}
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%w: no joint of the source is paired with one of the target", ErrInput)
	}
	taken := make(map[int32]bool, len(pairs))
	for _, p := range pairs {
		if p.Source < 0 || int(p.Source) >= source.Len() || p.Target < 0 || int(p.Target) >= target.Len() {
			return nil, fmt.Errorf("%w: a pair of joints %d and %d, of skeletons of %d and %d", ErrInput, p.Source, p.Target, source.Len(), target.Len())
		}
		if taken[p.Target] {
			return nil, fmt.Errorf("%w: the target's joint %q is in two pairs", ErrInput, nameOf(target, p.Target))
		}
		taken[p.Target] = true
	}
	v := &Verifier{source: source, target: target, options: o.filled()}
	v.pairs = append(v.pairs, pairs...)
	name(v.pairs, source, target)
	onSource, onTarget := bones{}, bones{}
	for _, p := range v.pairs {
		if _, twice := onSource[p.Bone]; p.Bone != "" && !twice {
			onSource[p.Bone], onTarget[p.Bone] = p.Source, p.Target
		}
	}
	v.src, v.dst = measure(source, onSource, o.SourceKnown), measure(target, onTarget, o.TargetKnown)
	v.facing = v.dst.turn().conj().mul(v.src.turn())
	if between(v.facing, identity) < 1e-9 {
		v.facing = identity
	}
	if _, body := onSource["hips"]; !body {
		v.src.spread(source, pairs, func(p Pair) int32 { return p.Source })
		v.dst.spread(target, pairs, func(p Pair) int32 { return p.Target })
	}
	v.relate()
	v.findHands()
	return v, nil
}

// relate finds, among the pairs, what stands above what.
func (v *Verifier) relate() {
	at := make(map[int32]int, len(v.pairs))
	byBone := map[string]int{}
	for i, p := range v.pairs {
		at[p.Target] = i
		if _, twice := byBone[p.Bone]; p.Bone != "" && !twice {
			byBone[p.Bone] = i
		}
	}
	v.parent = make([]int32, len(v.pairs))
	v.carrier = make([]bool, len(v.pairs))
	for i, p := range v.pairs {
		v.parent[i] = -1
		for j := v.target.Parents[p.Target]; j >= 0; j = v.target.Parents[j] {
			if k, ok := at[j]; ok {
				v.parent[i] = int32(k)
				break
			}
		}
	}
	v.pelvis = -1
	if i, ok := byBone["hips"]; ok {
		v.pelvis = i
		for k := v.parent[i]; k >= 0; k = v.parent[k] {
			v.carrier[k] = true
		}
	} else {
		for i := range v.pairs { // without a body, what stands highest
			if v.parent[i] < 0 {
				v.pelvis = i
				break
			}
		}
	}
	for _, side := range []string{"left", "right"} {
		for _, l := range [][2]string{
			{"UpperArm", "LowerArm"}, {"LowerArm", "Hand"}, {"UpperLeg", "LowerLeg"}, {"LowerLeg", "Foot"}, {"Hand", "MiddleProximal"},
		} {
			from, ok1 := byBone[side+l[0]]
			to, ok2 := byBone[side+l[1]]
			if ok1 && ok2 {
				v.limbs = append(v.limbs, limb{side + l[0], from, to, false})
			}
		}
		for _, finger := range []string{"Thumb", "Index", "Middle", "Ring", "Little"} {
			for _, l := range [][2]string{{"Metacarpal", "Proximal"}, {"Proximal", "Intermediate"}, {"Proximal", "Distal"}, {"Intermediate", "Distal"}} {
				from, ok1 := byBone[side+finger+l[0]]
				to, ok2 := byBone[side+finger+l[1]]
				if ok1 && ok2 && v.parent[to] == int32(from) {
					v.limbs = append(v.limbs, limb{side + finger + l[0], from, to, true})
				}
			}
		}
	}
}

func nameOf(s *animation.Skeleton, j int32) string {
	if n := s.Names[j]; n != "" {
		return n
	}
	return fmt.Sprintf("joint %d", j)
}
