package doctor

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// bindTolerance is how far from identity the bind error may be.
const bindTolerance = 1e-3

// binding is how a node's mesh hangs on its skin, in the rest pose.
type binding struct {
	node int
	// bind is what the joints at rest make of the skin: joint · inverse bind
	// matrix, the same of all joints where the rest pose is the pose of binding.
	bind mgl32.Mat4
	// agree of all slots have that matrix; spread is how far the others' are off.
	agree, all int
	spread     float64
	// told is set where the joints do not agree, and bind is what the file tells.
	told bool
	// err is the largest element of bind · inverse(meshWorld) - 1, and
	// difference that product.
	err        float64
	difference mgl32.Mat4
	// before and after are how far vertices lie from their joints at binding,
	// in the mesh's space: as it is, and bound anew at the mesh's world matrix.
	before, after float64
}

// mismatched tells whether the mesh is bound with another matrix than it stands
// at, and it matters: bound anew, the vertices lie by their joints.
func (b *binding) mismatched() bool {
	return b.err > bindTolerance && b.known() && b.after < 0.9*b.before
}

// known tells whether there is a bind matrix: most joints at rest agree on it, or
// the file tells it.
func (b *binding) known() bool { return b.told || 2*b.agree > b.all }

// rebind is what each inverse bind matrix is to be multiplied with.
func (b *binding) rebind(world mgl32.Mat4) mgl32.Mat4 { return b.bind.Inv().Mul4(world) }

// bindings measures each drawn node with a skin.
func (x *examination) bindings() []binding {
	var out []binding
	x.drawn(func(n int, mesh *assets.Mesh) {
		skin := x.m.Nodes[n].Skin
		if skin < 0 || len(x.m.Skins[skin].Joints) == 0 {
			return
		}
		b := binding{node: n}
		k := &x.m.Skins[skin]
		all := make([]mgl32.Mat4, len(k.Joints))
		for i, j := range k.Joints {
			all[i] = x.world[j].Mul4(k.InverseBind[i])
		}
		if b.vote(all); !b.known() && k.Bound != nil {
			b.bind, b.told = *k.Bound, true
		}
		inverse := x.world[n].Inv()
		if inverse == (mgl32.Mat4{}) || b.bind.Inv() == (mgl32.Mat4{}) {
			return // flat: scaled to nothing
		}
		b.difference = b.bind.Mul4(inverse)
		if b.err = offIdentity(b.difference); b.err > bindTolerance && b.known() {
			again := b.rebind(x.world[n])
			b.before = nearness(mesh, k.InverseBind, mgl32.Ident4())
			b.after = nearness(mesh, k.InverseBind, again)
		}
		out = append(out, b)
	})
	return out
}

// vote finds the bind matrix that most slots agree on.
func (b *binding) vote(all []mgl32.Mat4) {
	b.all = len(all)
	step := max(1, len(all)/24)
	for c := 0; c < len(all); c += step {
		inverse := all[c].Inv()
		if inverse == (mgl32.Mat4{}) {
			continue
		}
		agree, spread := 0, 0.0
		for _, m := range all {
			off := offIdentity(inverse.Mul4(m))
			if off <= agreement(m) {
				agree++
			} else {
				spread = max(spread, off)
			}
		}
		if agree > b.agree {
			b.agree, b.spread, b.bind = agree, spread, all[c]
		}
	}
}

// agreement is how far two bind matrices may differ: translations of hundreds
// of units, as files in centimetres have, round more.
func agreement(m mgl32.Mat4) float64 {
	return 2*bindTolerance + 1e-4*math.Sqrt(float64(m[12]*m[12]+m[13]*m[13]+m[14]*m[14]))
}

// nearness is the weighted mean distance of vertices from the joints that move
// them, in the mesh's space at binding. after is multiplied to each inverse bind
// matrix.
func nearness(mesh *assets.Mesh, inverseBind []mgl32.Mat4, after mgl32.Mat4) float64 {
	const mostVertices = 20000
	at := make([]mgl32.Vec3, len(inverseBind))
	for i, m := range inverseBind {
		at[i] = m.Mul4(after).Inv().Mul4x1(mgl32.Vec4{0, 0, 0, 1}).Vec3()
	}
	sum, weights := 0.0, 0.0
	for i := range mesh.Primitives {
		p := &mesh.Primitives[i]
		step := max(1, len(p.Positions)/mostVertices)
		for set := range p.Joints {
			for v := 0; v < len(p.Positions); v += step {
				for c, w := range p.Weights[set][v] {
					if j := int(p.Joints[set][v][c]); w > 0 && j < len(at) {
						sum += float64(w) * float64(p.Positions[v].Sub(at[j]).Len())
						weights += float64(w)
					}
				}
			}
		}
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}

func (x *examination) binds() {
	for _, b := range x.bindings() {
		where := x.nodeName(b.node)
		skin := x.m.Nodes[b.node].Skin
		if !b.known() {
			x.find("rest-not-bind", Info, where, "", Figures{"joints": b.all, "agree": b.agree},
				"the rest pose is not the pose of binding: of %d joints %d agree on a bind matrix", b.all, b.agree)
			continue
		}
		if b.told {
			x.find("rest-not-bind", Info, where, "", Figures{"joints": b.all, "agree": b.agree}, "the rest pose is not the pose of binding; the file tells the matrix that the mesh was bound with")
		} else if b.agree < b.all {
			x.find("joints-moved-since-binding", Info, x.skinName(int(skin)), "", Figures{"joints": b.all - b.agree, "of": b.all, "worst": round(b.spread)},
				"%d of %d joints stand at rest elsewhere than when they were bound (%.3g at worst)", b.all-b.agree, b.all, b.spread)
		}
		if b.err <= bindTolerance {
			continue
		}
		turn, figures := describe(b.difference)
		figures["error"] = round(b.err)
		figures["vertex_joint_distance_before"], figures["vertex_joint_distance_after"] = round(b.before), round(b.after)
		mesh := x.meshName(int(x.m.Nodes[b.node].Mesh))
		switch {
		case b.mismatched():
			x.find("bind-mismatch", Error, where, "--fix binds this mesh again at its own world matrix and keeps the joints' matrices", figures,
				"%s was bound with another matrix than it stands at: off by %s (bind error %.4g, at most %g). The difference goes through every joint's own rotation: the mesh tears when joints turn. Bound again, vertices lie %.3g from their joints instead of %.3g",
				mesh, turn, b.err, bindTolerance, b.after, b.before).Mendable = true
		default:
			x.find("mesh-elsewhere", Info, where, "", figures,
				"the node of %s stands elsewhere than the mesh was bound (off by %s); a skinned mesh ignores its node, so nothing need be done", mesh, turn)
		}
	}
}

// describe tells a matrix's turn, way and scale for people, and as figures.
func describe(m mgl32.Mat4) (string, Figures) {
	t, r, s := m.Decompose()
	angle := 2 * math.Acos(min(max(float64(r.W), -1), 1)) * 180 / math.Pi
	axis := r.V
	if angle > 180 {
		angle, axis = 360-angle, axis.Mul(-1)
	}
	figures := Figures{"distance_m": round(float64(t.Len())), "offset_m": vec(t)}
	text := ""
	if angle > 0.05 {
		axis = axis.Normalize()
		// The axis that it turns about most, positive.
		c := 0
		for k := range 3 {
			if math.Abs(float64(axis[k])) > math.Abs(float64(axis[c])) {
				c = k
			}
		}
		if axis[c] < 0 {
			angle, axis = -angle, axis.Mul(-1)
		}
		name := "XYZ"[c : c+1]
		if axis[c] < 0.9995 {
			name = fmt.Sprintf("the axis %.2f %.2f %.2f", axis[0], axis[1], axis[2])
		}
		figures["rotation_deg"], figures["axis"] = round(angle), vec(axis)
		text = fmt.Sprintf("%.4g° about %s", angle, name)
		if angle < 0 {
			text = fmt.Sprintf("−%.4g° about %s", -angle, name)
		}
	}
	join := func(s string) {
		if text != "" {
			text += " and "
		}
		text += s
	}
	if t.Len() > 1e-4 {
		join(fmt.Sprintf("%.4g m", t.Len()))
	}
	if off := max(math.Abs(float64(s[0]-1)), math.Abs(float64(s[1]-1)), math.Abs(float64(s[2]-1))); off > 1e-3 {
		figures["scale"] = vec(s)
		join(fmt.Sprintf("a scale of %.4g", s[0]))
	}
	if text == "" {
		text = "a shear"
	}
	return text, figures
}
