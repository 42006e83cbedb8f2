package doctor

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// Mended is what Mend did, proven by measuring again.
type Mended struct {
	Out     string   `json:"out"`
	Changed []string `json:"changed"` // what was mended; empty where the file was copied as it is
	Before  Boxes    `json:"before"`
	After   Boxes    `json:"after"`
	Report  Report   `json:"report"` // of what was written
	Notes   []string `json:"notes,omitempty"`
}

// Mend writes a copy of path to out with exactly what was found mended, and
// examines it again. A file in which nothing mendable was found is copied byte
// for byte. Only what must change changes: a mesh that is bound with a wrong
// matrix gets new inverse bind matrices, in place where the file is a GLB.
//
// out is a .glb, or of the same kind as path where nothing was found or a GLB can
// be mended in place. It is an error if the file cannot be loaded, or if what
// would be written differs in kind from what out's name says.
func Mend(path, out string, report Report, m *assets.Model, load func(string) (*assets.Model, error), budget Budget) (Mended, error) {
	done := Mended{Out: out, Changed: []string{}}
	if m == nil {
		return done, fmt.Errorf("%s: it cannot be loaded, so it cannot be mended", path)
	}
	done.Before = boxes(m)
	original, err := ordinary.ReadFile(path, 8<<30)
	if err != nil {
		return done, err
	}
	data := original
	if report.Mendable() {
		mended, changed, skins := mendModel(m)
		done.Changed = changed
		// In place, where bytes for the new matrices are there already.
		inPlace := false
		if skins != nil {
			if data, inPlace = gltf.PatchInverseBind(original, skins); !inPlace {
				data = original
			}
		}
		if !inPlace {
			if lost := lostExtensions(m); len(lost) > 0 {
				done.Notes = append(done.Notes, "the file was written anew, without "+strings.Join(lost, ", "))
			}
			var buffer bytes.Buffer
			if err := gltf.Write(mended, &buffer); err != nil {
				return done, err
			}
			data = buffer.Bytes()
		}
	}
	wantGLB, isGLB := strings.EqualFold(filepath.Ext(out), ".glb"), bytes.HasPrefix(data, []byte("glTF"))
	switch {
	case isGLB && !IsGLTF(out) || isGLB && strings.EqualFold(filepath.Ext(out), ".gltf"):
		return done, fmt.Errorf("%s: what is mended is written as GLB; name it .glb", out)
	case !isGLB && wantGLB:
		var buffer bytes.Buffer
		if err := gltf.Write(m, &buffer); err != nil {
			return done, err
		}
		data = buffer.Bytes()
	case !isGLB && filepath.Dir(out) != filepath.Dir(path):
		done.Notes = append(done.Notes, "what the file refers to beside it was not copied")
	}
	if err := ordinary.WriteBytes(out, data); err != nil {
		return done, err
	}
	after, again, err := Examine(out, load, budget)
	if err != nil {
		return done, err
	}
	done.Report = after
	if again != nil {
		done.After = boxes(again)
	}
	return done, nil
}

// kept are the extensions that the writer writes.
var kept = []string{
	"KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_texture_transform", "KHR_lights_punctual",
	"KHR_materials_clearcoat", "EXT_texture_webp", "KHR_materials_pbrSpecularGlossiness",
	"KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_draco_mesh_compression", // unpacked
}

func lostExtensions(m *assets.Model) []string {
	return slices.DeleteFunc(slices.Clone(m.Extensions), func(name string) bool { return slices.Contains(kept, name) })
}

// boxes measures a model at rest and in motion.
func boxes(m *assets.Model) Boxes {
	x := &examination{m: m, rest: animation.NewPose(m.Skeleton)}
	var out Boxes
	if b, err := m.Bounds(x.rest); err == nil {
		out.Rest = vec(size(b))
	}
	most := float32(0)
	for _, c := range m.Clips[:min(len(m.Clips), mostClips)] {
		if b, _ := x.stretch(c); b.Vertices > 0 && size(b).Len() > most {
			most = size(b).Len()
			out.Motion = vec(size(b))
		}
	}
	return out
}

// mendModel returns a model with what was found mended, and what that was. skins
// are the new inverse bind matrices by skin where nothing but they changed, else
// nil.
func mendModel(m *assets.Model) (out *assets.Model, changed []string, skins map[int][]mgl32.Mat4) {
	c := *m
	out = &c
	x := &examination{m: m, rest: animation.NewPose(m.Skeleton), world: make([]mgl32.Mat4, m.Skeleton.Len())}
	x.rest.ToModel(m.Skeleton, x.world)
	skins = map[int][]mgl32.Mat4{}

	users := map[int32]int{} // drawn or not, by skin
	for _, n := range m.Nodes {
		if n.Skin >= 0 && n.Mesh >= 0 {
			users[n.Skin]++
		}
	}
	out.Skins = slices.Clone(m.Skins)
	out.Nodes = slices.Clone(m.Nodes)
	shared := false
	for _, b := range x.bindings() {
		if !b.mismatched() {
			continue
		}
		skin := m.Nodes[b.node].Skin
		k := m.Skins[skin]
		again := b.rebind(x.world[b.node])
		k.InverseBind = slices.Clone(k.InverseBind)
		for i := range k.InverseBind {
			k.InverseBind[i] = k.InverseBind[i].Mul4(again)
		}
		if users[skin] > 1 { // the others keep theirs
			shared = true
			out.Skins = append(out.Skins, k)
			out.Nodes[b.node].Skin = int32(len(out.Skins) - 1)
		} else {
			out.Skins[skin] = k
			skins[int(skin)] = k.InverseBind
		}
		changed = append(changed, fmt.Sprintf("%s: bound again at its world matrix", x.nodeName(b.node)))
	}
	before := len(changed)
	for i := range out.Skins {
		if n := dropTwins(out, i); n > 0 {
			changed = append(changed, fmt.Sprintf("%s: %d joints that were listed twice were dropped", named(fmt.Sprintf("skins[%d]", i), out.Skins[i].Name), n))
		}
	}
	if n := wrongWeights(out); n > 0 {
		changed = append(changed, fmt.Sprintf("the weights of %d vertices were put right", n))
		// The writer puts them right, see gltf.Write.
	}
	if len(changed) > before || shared || len(skins) == 0 {
		skins = nil
	}
	return out, changed, skins
}

// wrongWeights counts vertices whose weights the writer changes.
func wrongWeights(m *assets.Model) int {
	n := 0
	for i := range m.Meshes {
		for k := range m.Meshes[i].Primitives {
			p := &m.Meshes[i].Primitives[k]
			for v := range p.Positions {
				sum, bad := 0.0, false
				for s := range p.Weights {
					for c, w := range p.Weights[s][v] {
						sum += float64(w)
						bad = bad || w < 0
						for o := range 4*s + c {
							bad = bad || w != 0 && p.Weights[o/4][v][o%4] != 0 && p.Joints[o/4][v][o%4] == p.Joints[s][v][c]
						}
					}
				}
				if len(p.Weights) > 0 && (bad || sum < 1-1e-6 || sum > 1+1e-6) {
					n++
				}
			}
		}
	}
	return n
}

// dropTwins takes joints out of a skin that are listed twice with the same
// matrix, and returns how many.
func dropTwins(m *assets.Model, skin int) int {
	k := &m.Skins[skin]
	first := map[int32]int{}
	slotOf := make([]uint16, len(k.Joints))
	var joints []int32
	var matrices []mgl32.Mat4
	for slot, j := range k.Joints {
		if at, ok := first[j]; ok && offIdentity(matrices[at].Inv().Mul4(k.InverseBind[slot])) < bindTolerance {
			slotOf[slot] = uint16(at)
			continue
		} else if !ok {
			first[j] = len(joints)
		}
		slotOf[slot] = uint16(len(joints))
		joints, matrices = append(joints, j), append(matrices, k.InverseBind[slot])
	}
	dropped := len(k.Joints) - len(joints)
	if dropped == 0 {
		return 0
	}
	m.Skins[skin] = animation.Skin{Name: k.Name, Joints: joints, InverseBind: matrices}
	meshes := map[int32]bool{}
	for _, n := range m.Nodes {
		if int(n.Skin) == skin && n.Mesh >= 0 {
			meshes[n.Mesh] = true
		}
	}
	m.Meshes = slices.Clone(m.Meshes)
	for i := range meshes {
		m.Meshes[i].Primitives = slices.Clone(m.Meshes[i].Primitives)
		for q := range m.Meshes[i].Primitives {
			p := &m.Meshes[i].Primitives[q]
			p.Joints = slices.Clone(p.Joints)
			for s := range p.Joints {
				p.Joints[s] = slices.Clone(p.Joints[s])
				for v := range p.Joints[s] {
					for c, j := range p.Joints[s][v] {
						p.Joints[s][v][c] = slotOf[j]
					}
				}
			}
		}
	}
	return dropped
}
