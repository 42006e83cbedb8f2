package retarget

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Twist is a joint of the target that shares out what turns about a limb's own axis,
// so that the skin is not wrung in one place. It goes with the limb, and turns besides
// by Share of the angle by which the joint Of is turned about the limb.
type Twist struct {
	Joint, Limb int32 // the limb's own joint, as the forearm
	// Of is the joint at the limb's end, as the hand, whose turn from the limb counts:
	// then Share is how far along the limb the joint lies. Or it is the limb itself,
	// whose turn from its parent is undone: then Share is that less 1.
	Of    int32
	Share float32 // in [-1, 1]
}

// Bounds of what is a joint for twisting, by the limb's length.
const (
	namedAside   = 0.25 // how far beside the limb one may lie whose name says what it is
	unnamedAside = 0.05
	atTheEnds    = 0.02 // how near the limb's ends one without such a name may not lie
	// firstJoint is how near the shoulder the first joint of an upper limb must lie for
	// them to undo the limb's own twist. Where it lies farther the limb's own joint
	// carries the skin at the shoulder: behind it there is nothing to undo.
	firstJoint = 0.2
)

var twistLimbs = []struct {
	limb, end string
	upper     bool
}{
	{"UpperArm", "LowerArm", true}, {"LowerArm", "Hand", false}, {"UpperLeg", "LowerLeg", true}, {"LowerLeg", "Foot", false},
}

// findTwists looks for the target's joints for twisting among those without partner.
func (m *Map) findTwists(paired map[int32]bool) {
	m.Twists = nil
	t := m.Target
	if len(t.Bones) == 0 {
		return
	}
	resting := *t
	resting.Reference = t.base
	x := &twistFinder{rig: t, f: resting.now(), taken: map[int32]bool{}, carries: make([]bool, t.Skeleton.Len())}
	for j := range paired {
		x.taken[j] = true
	}
	for _, j := range t.Bones {
		x.taken[j] = true
	}
	for j := t.Skeleton.Len() - 1; j >= 0; j-- {
		if p := t.Skeleton.Parents[j]; p >= 0 && (x.taken[int32(j)] || x.carries[j]) {
			x.carries[p] = true
		}
	}
	// A child of a limb is that limb's before it can be one of the limb's child.
	for _, beside := range []bool{false, true} {
		for _, side := range []string{"left", "right"} {
			for _, l := range twistLimbs {
				limb, end := t.bone(side+l.limb), t.bone(side+l.end)
				if paired[limb] && paired[end] && limb != end && below(t.Skeleton, end, limb) {
					m.Twists = append(m.Twists, x.along(limb, end, beside)...)
				}
			}
		}
	}
	for _, side := range []string{"left", "right"} {
		for _, l := range twistLimbs {
			if l.upper {
				m.undo(t.bone(side + l.limb))
			}
		}
	}
	slices.SortFunc(m.Twists, func(a, b Twist) int { return cmp.Compare(a.Joint, b.Joint) })
}

// undo has the joints of an upper limb undo its own twist, all the more the nearer
// they lie to where it begins.
func (m *Map) undo(limb int32) {
	first := float32(1)
	for _, w := range m.Twists {
		if w.Limb == limb {
			first = min(first, w.Share)
		}
	}
	for i := range m.Twists {
		w := &m.Twists[i]
		if w.Limb != limb {
			continue
		}
		w.Of, w.Share = limb, w.Share-1
		if first > firstJoint {
			w.Share = 0
		}
	}
}

type twistFinder struct {
	rig     *Rig
	f       frame // at rest
	taken   map[int32]bool
	carries []bool // by joint: a bone or a paired joint is below it
}

// along finds a limb's joints: below it, or beside it below its parent.
func (x *twistFinder) along(limb, end int32, beside bool) (out []Twist) {
	s := x.rig.Skeleton
	way := x.f.at[end].Sub(x.f.at[limb])
	length := way.Len()
	if !(length > 1e-6) {
		return nil
	}
	way = way.Mul(1 / length)
	ours := map[int32]bool{limb: !beside, s.Parents[limb]: beside}
	for j, p := range s.Parents {
		j := int32(j)
		if p < 0 || x.taken[j] || !ours[p] {
			continue
		}
		off := x.f.at[j].Sub(x.f.at[limb])
		at, aside := off.Dot(way)/length, flat(off, way).Len()/length
		between := x.carries[j] && below(s, end, j)
		if x.carries[j] && !between {
			continue
		}
		name := strings.ToLower(s.Names[j])
		switch {
		case saysTwist(name):
			if !(aside <= namedAside && at >= -0.1 && at <= 1.1) || beside && at < 0 {
				continue
			}
		case beside, !(aside <= unnamedAside && at > atTheEnds && at < 1-atTheEnds):
			continue
		case !between && x.rig.Kind != "hierarchy" && name != "" && !saysLimb(name):
			continue
		}
		ours[j], x.taken[j] = true, true
		at = min(max(at, 0), 1)
		out = append(out, Twist{Joint: j, Limb: limb, Of: end, Share: at})
	}
	return out
}

// saysTwist tells whether a name is that of a joint for twisting: Character Creator's
// ForearmTwist01, Unreal's lowerarm_twist_01_l, Biped's ForeTwist, HumanIK's
// LeftForeArmRoll.
func saysTwist(name string) bool {
	return strings.Contains(name, "twist") || strings.Contains(name, "roll") && !strings.Contains(name, "control")
}

// saysLimb tells whether a name may be that of a part of a limb, and not of what a
// limb wears or holds.
func saysLimb(name string) bool {
	for _, word := range []string{
		"socket", "attach", "slot", "weapon", "shield", "prop", "armor", "armour", "pad", "guard", "plate", "ik", "pole", "target",
		"ctrl", "control", "share", "muscle", "bicep", "tricep", "bulge", "correct", "adjust", "_end", "nub", "tip", "elbow", "knee", "mch",
	} {
		if strings.Contains(name, word) {
			return false
		}
	}
	for _, word := range []string{"arm", "thigh", "leg", "calf", "shin"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// gauge measures by what angle a joint is turned about a limb, against another above
// it and against how both rest.
type gauge struct {
	limb, of, against int32 // against is -1 for model space
	axis              mgl32.Vec3
	before, behind    mgl32.Quat
	last              float32 // radians, followed over half a turn and more
	known             bool
	angle             float32 // of this pose
}

// Where a limb points nearly against where it rests, no way of turning it there is
// the shortest and the angle whirls: it is faded out between these, which are the
// cosine of half the swing, so from 133° to 169°.
const (
	clearSwing = 0.4
	lostSwing  = 0.1
	// leap is more than a joint turns from one frame to the next, radians: then the
	// pose is another's, and the angle is the shorter way again.
	leap = math.Pi / 3
)

// measure takes the rotations to model space of the two joints.
func (g *gauge) measure(against, of mgl32.Quat) {
	// The part of a rotation about an axis is that of its components of axis and W
	// (swing-twist decomposition).
	d := g.before.Mul(against.Conjugate()).Mul(of).Mul(g.behind).Normalize()
	v, w := float64(d.V.Dot(g.axis)), float64(d.W)
	angle := 2 * math.Atan2(v, w)
	angle = math.Remainder(angle, 2*math.Pi)
	if step := math.Remainder(angle-float64(g.last), 2*math.Pi); g.known && math.Abs(step) < leap {
		if on := float64(g.last) + step; math.Abs(on) <= 2*math.Pi {
			angle = on
		}
	}
	g.last, g.known = float32(angle), true
	u := (math.Hypot(v, w) - lostSwing) / (clearSwing - lostSwing)
	u = min(max(u, 0), 1)
	g.angle = float32(angle * u * u * (3 - 2*u))
}

// helper is a Twist in a Retargeter.
type helper struct {
	joint, limb int32
	gauge       int
	share       float32
	axis        mgl32.Vec3 // model space at rest
	before      mgl32.Quat // the limb's rest, undone
	rest        mgl32.Quat // the joint's own, to model space
	between     bool       // it carries the limb's end
	beside      bool       // its parent is the limb's
	offset      mgl32.Vec3 // from the limb, in its own space, of one beside it
}

// twist readies the target's joints for twisting.
func (r *Retargeter) twist() error {
	t := r.Map.Target
	s := t.Skeleton
	r.gaugeOf = make([]int32, s.Len())
	r.helperOf = make([]int32, s.Len())
	for j := range r.gaugeOf {
		r.gaugeOf[j], r.helperOf[j] = -1, -1
	}
	if r.Options.NoTwist || len(r.Map.Twists) == 0 {
		return nil
	}
	resting := *t
	resting.Reference = t.base
	f := resting.now()
	ends := map[int32]int32{}
	for _, side := range []string{"left", "right"} {
		for _, l := range twistLimbs {
			if limb, end := t.bone(side+l.limb), t.bone(side+l.end); limb >= 0 && end >= 0 {
				ends[limb] = end
			}
		}
	}
	for _, w := range r.Map.Twists {
		end, ok := ends[w.Limb]
		if !ok || w.Joint < 0 || int(w.Joint) >= s.Len() || w.Of != w.Limb && w.Of != end {
			return fmt.Errorf("%w: a joint %d for twisting along %d, by %d, which is no limb of the target's", ErrMap, w.Joint, w.Limb, w.Of)
		}
		if r.links[w.Limb].kind != follows || r.links[end].kind != follows || r.links[w.Joint].kind != keeps {
			continue
		}
		axis := f.at[end].Sub(f.at[w.Limb]).Normalize()
		if r.gaugeOf[w.Limb] < 0 {
			g := gauge{limb: w.Limb, of: w.Of, against: w.Limb, axis: axis, before: mgl32.QuatIdent()}
			if w.Of == w.Limb {
				g.against = s.Parents[w.Limb]
			}
			if g.against >= 0 {
				g.before = f.turned[g.against]
			}
			g.behind = f.turned[g.of].Conjugate()
			r.gaugeOf[w.Limb] = int32(len(r.gauges))
			r.gauges = append(r.gauges, g)
		}
		h := helper{
			joint: w.Joint, limb: w.Limb, gauge: int(r.gaugeOf[w.Limb]), share: w.Share, axis: axis,
			before: f.turned[w.Limb].Conjugate(), rest: f.turned[w.Joint], between: below(s, end, w.Joint),
		}
		if h.between { // about where it carries the end, so that the end stays where it is
			if d := f.at[end].Sub(f.at[w.Joint]); d.Len() > 0.01*f.at[end].Sub(f.at[w.Limb]).Len() {
				h.axis = d.Normalize()
			}
		}
		if p := s.Parents[w.Joint]; p == s.Parents[w.Limb] {
			a, b := &t.base.Local[w.Limb], &t.base.Local[w.Joint]
			h.beside = true
			h.offset = a.Rotation.Conjugate().Rotate(b.Translation.Sub(a.Translation))
			for c, x := range a.Scale {
				if x != 0 {
					h.offset[c] /= x
				}
			}
		}
		r.helperOf[w.Joint] = int32(len(r.helpers))
		r.helpers = append(r.helpers, h)
	}
	return nil
}

// unwind forgets how far joints are turned: what comes next is another motion.
func (r *Retargeter) unwind() {
	for i := range r.gauges {
		r.gauges[i].known = false
	}
}

// gaugeLimb measures the limb's twist as soon as its own rotation is known. The end
// of a limb may not be there yet; it follows, so it can be had.
func (r *Retargeter) gaugeLimb(limb int32) {
	g := &r.gauges[r.gaugeOf[limb]]
	against := mgl32.QuatIdent()
	if g.against >= 0 {
		against = r.to[g.against]
	}
	g.measure(against, r.follow(&r.links[g.of]).Normalize())
}

// turnOf is a helper's rotation to model space.
func (r *Retargeter) turnOf(h *helper) mgl32.Quat {
	spin := mgl32.QuatRotate(h.share*r.gauges[h.gauge].angle, h.axis)
	return r.to[h.limb].Mul(h.before).Mul(spin).Mul(h.rest).Normalize()
}

// turnHelpers turns those that carry no bone, when all bones are where they belong.
func (r *Retargeter) turnHelpers(out *animation.Pose) {
	t := r.Map.Target
	for i := range r.helpers {
		h := &r.helpers[i]
		if h.between {
			continue
		}
		up := mgl32.QuatIdent()
		if p := t.Skeleton.Parents[h.joint]; p >= 0 {
			up = r.to[p]
		}
		q := r.turnOf(h)
		r.to[h.joint] = q
		x := &out.Local[h.joint]
		x.Rotation = mirrored(up.Conjugate().Mul(q), t.above(h.joint)).Normalize()
		if h.beside {
			limb := &out.Local[h.limb]
			x.Translation = limb.Translation.Add(limb.Rotation.Rotate(limb.Scale.MulVec(h.offset)))
		}
		out.Moved[h.joint] = true
	}
}

// regauge measures anew what planting changed.
func (r *Retargeter) regauge(out *animation.Pose) {
	if len(r.gauges) == 0 {
		return
	}
	r.Map.Target.rotations(out, r.to)
	for i := range r.gauges {
		g := &r.gauges[i]
		against := mgl32.QuatIdent()
		if g.against >= 0 {
			against = r.to[g.against]
		}
		g.measure(against, r.to[g.of])
	}
}
