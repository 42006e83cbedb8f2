package mannequins

import (
	"fmt"
	"io"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Unit is the length that a variant's joints are told in.
type Unit uint8

// Units. The armature's scale makes up for them.
const (
	Metres Unit = iota
	Centimetres
	Hectometres
)

// scale is the armature's: metres from units.
func (u Unit) scale() float32 { return [...]float32{1, 0.01, 100}[u] }

func (u Unit) String() string { return [...]string{"m", "cm", "hm"}[u] }

// Variant is one of the guises.
type Variant struct {
	Joints int // 65, the mannequin with its clips, or 213, the porter without
	APose  bool
	Unit   Unit
	ZUp    bool
}

// All lists every variant.
func All() []Variant {
	var out []Variant
	for _, joints := range []int{65, 213} {
		for _, apose := range []bool{false, true} {
			for _, unit := range []Unit{Metres, Centimetres, Hectometres} {
				for _, z := range []bool{false, true} {
					out = append(out, Variant{joints, apose, unit, z})
				}
			}
		}
	}
	return out
}

// Name is such as mannequin65-t-cm-zup.
func (v Variant) Name() string {
	pose, up := "t", "yup"
	if v.APose {
		pose = "a"
	}
	if v.ZUp {
		up = "zup"
	}
	return fmt.Sprintf("mannequin%d-%s-%s-%s", v.Joints, pose, v.Unit, up)
}

// Write writes the variant as a GLB file.
func (v Variant) Write(w io.Writer) error {
	m, err := v.Model()
	if err != nil {
		return err
	}
	return gltf.Write(m, w)
}

// Model makes the variant. It is the caller's own.
func (v Variant) Model() (*assets.Model, error) {
	file, bound := "mannequin.glb", false
	switch v.Joints {
	case 65:
	case 213:
		file, bound = "porter.glb", true
	default:
		return nil, fmt.Errorf("mannequins: no figure of %d joints: there are 65 and 213", v.Joints)
	}
	data, err := demoassets.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := gltf.Decode(file, data, nil)
	if err != nil {
		return nil, fmt.Errorf("mannequins: the demo's own asset: %w", err)
	}
	m.Name = v.Name()
	if v.APose != bound {
		repose(m, v.APose)
	}
	if v.Unit != Metres || v.ZUp {
		arm(m, v.Unit.scale(), v.ZUp)
	}
	return m, nil
}

// worlds are the joints' matrices to model space at rest.
func worlds(s *animation.Skeleton) []mgl32.Mat4 {
	out := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, out)
	return out
}

// stance is what takes the left side's joints from the T-pose to the A-pose, turns
// in model space by both figures' names: tools/mkdemo has the same.
var stance = aPose()

func aPose() map[string]mgl32.Quat {
	turns := map[string]mgl32.Quat{}
	y, z := mgl32.Vec3{0, 1, 0}, mgl32.Vec3{0, 0, 1}
	for _, t := range []struct {
		names   [2]string
		degrees float32
		axis    mgl32.Vec3
	}{
		{[2]string{"clavicle", "Clavicle"}, -5, z},
		{[2]string{"upperarm", "Upperarm"}, -41, z},
		{[2]string{"lowerarm", "Forearm"}, -9, y},
		{[2]string{"hand", "Hand"}, -2, z},
		{[2]string{"thigh", "Thigh"}, 4, z},
		{[2]string{"foot", "Foot"}, -4, z},
	} {
		q := mgl32.QuatRotate(mgl32.DegToRad(t.degrees), t.axis)
		mirror := mgl32.Quat{W: q.W, V: mgl32.Vec3{q.V[0], -q.V[1], -q.V[2]}}
		turns[t.names[0]+"_l"], turns[t.names[0]+"_r"] = q, mirror
		turns["CC_Base_L_"+t.names[1]], turns["CC_Base_R_"+t.names[1]] = q, mirror
	}
	return turns
}

// repose binds a figure anew in the A-pose or, from there, in the T-pose: joints,
// mesh and inverse bind matrices. Joints' frames go along with what they move, so
// clips mean the same as before.
func repose(m *assets.Model, toA bool) {
	s := m.Skeleton
	was := worlds(s)
	n := s.Len()
	turn := make([]mgl32.Quat, n) // in model space, of what follows the joint
	at := make([]mgl32.Vec3, n)
	rest := make([]animation.Transform, n)
	// The A-pose's turns gather from the root on; the T-pose undoes their sum.
	gathered := make([]mgl32.Quat, n)
	for j, up := range s.Parents {
		q, ok := stance[s.Names[j]]
		if !ok {
			q = mgl32.QuatIdent()
		}
		if gathered[j] = q; up >= 0 {
			gathered[j] = gathered[up].Mul(q).Normalize()
		}
		turn[j] = gathered[j]
		if !toA {
			turn[j] = gathered[j].Conjugate()
		}
		rest[j] = s.Rest[j]
		at[j] = was[j].Col(3).Vec3()
		if up < 0 {
			continue
		}
		at[j] = at[up].Add(turn[up].Rotate(was[j].Col(3).Vec3().Sub(was[up].Col(3).Vec3())))
		_, mine, _ := was[j].Decompose()
		_, above, _ := was[up].Decompose()
		above = turn[up].Mul(above)
		rest[j].Rotation = above.Conjugate().Mul(turn[j].Mul(mine)).Normalize()
		rest[j].Translation = above.Conjugate().Rotate(at[j].Sub(at[up]))
	}
	next := *s
	next.Rest = rest
	m.Skeleton = &next
	// Legs that stand apart reach less deep: the figure is let down on its soles.
	skin := &m.Skins[0]
	lowest := float32(9)
	for i := range m.Meshes[0].Primitives {
		p := &m.Meshes[0].Primitives[i]
		for v := range p.Positions {
			var at3, nrm mgl32.Vec3
			for k, w := range p.Weights[0][v] {
				j := skin.Joints[p.Joints[0][v][k]]
				at3 = at3.Add(at[j].Add(turn[j].Rotate(p.Positions[v].Sub(was[j].Col(3).Vec3()))).Mul(w))
				nrm = nrm.Add(turn[j].Rotate(p.Normals[v]).Mul(w))
			}
			p.Positions[v], p.Normals[v] = at3, nrm.Normalize()
			lowest = min(lowest, at3[1])
		}
	}
	for i := range m.Meshes[0].Primitives {
		for v := range m.Meshes[0].Primitives[i].Positions {
			m.Meshes[0].Primitives[i].Positions[v][1] -= lowest
		}
	}
	hips := hipsOf(s)
	rest[hips].Translation[1] -= lowest
	bind(m)
}

// hipsOf is the joint below the root.
func hipsOf(s *animation.Skeleton) int {
	for _, name := range []string{"hips", "CC_Base_Hip"} {
		if j := s.Joint(name); j >= 0 {
			return j
		}
	}
	return 0
}

// bind makes the inverse bind matrices of how the skeleton rests.
func bind(m *assets.Model) {
	now := worlds(m.Skeleton)
	skin := &m.Skins[0]
	for k, j := range skin.Joints {
		skin.InverseBind[k] = now[j].Inv()
	}
}

// arm puts a node above the root that is scaled by scale and, with z, turns +Z up to
// +Y; joints and clips are told in its space.
func arm(m *assets.Model, scale float32, z bool) {
	q := mgl32.QuatIdent()
	if z {
		q = mgl32.QuatRotate(mgl32.DegToRad(-90), mgl32.Vec3{1, 0, 0})
	}
	back := q.Conjugate()
	place := func(v mgl32.Vec3) mgl32.Vec3 { return back.Rotate(v).Mul(1 / scale) }
	spin := func(r mgl32.Quat) mgl32.Quat { return back.Mul(r).Mul(q).Normalize() }

	old := m.Skeleton
	root := old.Joint("root")
	if root < 0 {
		root = old.Joint("CC_Base_BoneRoot")
	}
	inside := make([]bool, old.Len()) // the root and what is below it
	next := &animation.Skeleton{
		Names:   append([]string{"Armature"}, old.Names...),
		Parents: []int32{-1},
		Rest:    []animation.Transform{{Rotation: q, Scale: mgl32.Vec3{scale, scale, scale}}},
	}
	for j, up := range old.Parents {
		inside[j] = j == root || up >= 0 && inside[up]
		t := old.Rest[j]
		if inside[j] {
			t.Translation, t.Rotation = place(t.Translation), spin(t.Rotation)
		}
		up++
		if j != root && up == 0 {
			up = -1
		}
		next.Parents = append(next.Parents, up)
		next.Rest = append(next.Rest, t)
	}
	m.Skeleton = next
	m.Nodes = append([]assets.Node{{Mesh: -1, Skin: -1, Camera: -1, Light: -1, InScene: true}}, m.Nodes...)
	for i := range m.Scenes {
		for k, r := range m.Scenes[i].Roots {
			if m.Scenes[i].Roots[k] = r + 1; int(r) == root {
				m.Scenes[i].Roots[k] = 0
			}
		}
	}
	for k := range m.Skins[0].Joints {
		m.Skins[0].Joints[k]++
	}
	bind(m)
	for i, c := range m.Clips {
		tracks := make([]animation.Track, len(c.Tracks))
		for k, t := range c.Tracks {
			values := append([]float32{}, t.Values...)
			switch t.Path {
			case animation.Translation:
				for v := 0; v < len(values); v += 3 {
					p := place(mgl32.Vec3(values[v : v+3]))
					copy(values[v:], p[:])
				}
			case animation.Rotation:
				for v := 0; v < len(values); v += 4 {
					r := spin(mgl32.Quat{W: values[v+3], V: mgl32.Vec3(values[v : v+3])})
					copy(values[v:], r.V[:])
					values[v+3] = r.W
				}
			}
			t.Joint, t.Values = t.Joint+1, values
			tracks[k] = t
		}
		m.Clips[i] = c.With(tracks)
	}
}
