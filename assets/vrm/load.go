package vrm

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrNoAvatar is returned for a glTF file that is no VRM.
var ErrNoAvatar = errors.New("the file has neither the extension VRMC_vrm nor VRM: it is no avatar")

// Load reads the model of a VRM file, and the avatar in it.
func Load(path string) (*assets.Model, *Avatar, error) {
	m, err := gltf.Load(path)
	if err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	a, err := Read(data, m)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, a, nil
}

// Read reads the avatar in a file that m was decoded from. Bones, springs and
// expressions that name what is not there are left out.
//
// Where expressions change materials, poses of m's skeleton get numbers for that
// (assets.Model.Property), so poses and animators are to be made afterwards.
func Read(data []byte, m *assets.Model) (*Avatar, error) {
	text, err := gltf.JSON(data)
	if err != nil {
		return nil, err
	}
	var root struct {
		Extensions struct {
			VRM        *file0
			VRM1       *file1      `json:"VRMC_vrm"`
			SpringBone *springBone `json:"VRMC_springBone"`
		}
	}
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("extensions: %w", err)
	}
	r := &reader{m: m, joint: map[int]int32{}}
	for j, n := range m.Nodes {
		r.joint[int(n.Source)] = int32(j)
	}
	e := root.Extensions
	var a *Avatar
	switch {
	case e.VRM1 != nil:
		a = r.read1(e.VRM1, e.SpringBone)
	case e.VRM != nil:
		a = r.read0(e.VRM)
	default:
		return nil, ErrNoAvatar
	}
	a.paint(m)
	return a, nil
}

type reader struct {
	m     *assets.Model
	joint map[int]int32 // by node of the file
}

// at is the joint of a node of the file, -1 for none.
func (r *reader) at(node *int) int32 {
	if node == nil {
		return -1
	}
	if j, ok := r.joint[*node]; ok {
		return j
	}
	return -1
}

// The JSON of VRMC_vrm and VRMC_springBone 1.0.
type (
	file1 struct {
		SpecVersion string
		Meta        map[string]any
		Humanoid    struct {
			HumanBones map[string]struct{ Node *int }
		}
		LookAt struct {
			OffsetFromHeadBone      mgl32.Vec3
			Type                    string
			RangeMapHorizontalInner range1
			RangeMapHorizontalOuter range1
			RangeMapVerticalDown    range1
			RangeMapVerticalUp      range1
		}
		Expressions struct{ Preset, Custom map[string]expression1 }
	}
	range1      struct{ InputMaxValue, OutputScale float32 }
	expression1 struct {
		IsBinary         bool
		MorphTargetBinds []struct {
			Node   *int
			Index  int
			Weight float32
		}
		MaterialColorBinds []struct {
			Material    int
			Type        string
			TargetValue mgl32.Vec4
		}
		TextureTransformBinds []struct {
			Material      int
			Scale, Offset *mgl32.Vec2
		}
		OverrideBlink, OverrideLookAt, OverrideMouth string
	}
	springBone struct {
		Colliders []struct {
			Node  *int
			Shape struct{ Sphere, Capsule *shape }
		}
		ColliderGroups []struct{ Colliders []int }
		Springs        []struct {
			Name   string
			Center *int
			Joints []struct {
				Node                    *int
				HitRadius, GravityPower float32
				Stiffness, DragForce    *float32
				GravityDir              *mgl32.Vec3
			}
			ColliderGroups []int
		}
	}
	shape struct {
		Offset mgl32.Vec3
		Tail   *mgl32.Vec3
		Radius float32
	}
)

func (r *reader) read1(f *file1, s *springBone) *Avatar {
	a := &Avatar{Version: "1.0", Bones: humanoid.Bones{}, Meta: Meta{Thumbnail: -1, Permissions: map[string]string{}}}
	for key, v := range f.Meta {
		switch v := v.(type) {
		case string:
			switch key {
			case "name":
				a.Meta.Name = v
			case "version":
				a.Meta.Version = v
			case "copyrightInformation":
				a.Meta.Copyright = v
			case "licenseUrl":
				a.Meta.LicenseURL = v
			default:
				a.Meta.Permissions[key] = v
			}
		case bool:
			a.Meta.Permissions[key] = fmt.Sprint(v)
		case float64:
			if i := int32(v); key == "thumbnailImage" && v >= 0 && v < float64(len(r.m.Images)) {
				a.Meta.Thumbnail = i
			}
		case []any:
			for _, e := range v {
				if text, ok := e.(string); ok && key == "authors" {
					a.Meta.Authors = append(a.Meta.Authors, text)
				}
			}
		}
	}
	for bone, b := range f.Humanoid.HumanBones {
		if j := r.at(b.Node); j >= 0 {
			a.Bones[bone] = j
		}
	}
	look := f.LookAt
	a.LookAt = LookAt{
		ByExpression: look.Type == "expression", Offset: look.OffsetFromHeadBone,
		Inner: toRange(look.RangeMapHorizontalInner), Outer: toRange(look.RangeMapHorizontalOuter),
		Down: toRange(look.RangeMapVerticalDown), Up: toRange(look.RangeMapVerticalUp),
	}
	for _, set := range []struct {
		preset bool
		all    map[string]expression1
	}{{true, f.Expressions.Preset}, {false, f.Expressions.Custom}} {
		for name, e := range set.all {
			x := Expression{Name: name, Preset: set.preset, Binary: e.IsBinary, OverrideBlink: e.OverrideBlink, OverrideLookAt: e.OverrideLookAt, OverrideMouth: e.OverrideMouth}
			for _, b := range e.MorphTargetBinds {
				if j := r.at(b.Node); r.hasTarget(j, b.Index) {
					x.Morphs = append(x.Morphs, MorphBind{j, int32(b.Index), b.Weight})
				}
			}
			for _, b := range e.MaterialColorBinds {
				if b.Material >= 0 && b.Material < len(r.m.Materials) {
					x.Materials = append(x.Materials, MaterialBind{int32(b.Material), b.Type, b.TargetValue})
				}
			}
			for _, b := range e.TextureTransformBinds {
				u := UVBind{Material: int32(b.Material), Scale: mgl32.Vec2{1, 1}}
				if b.Scale != nil {
					u.Scale = *b.Scale
				}
				if b.Offset != nil {
					u.Offset = *b.Offset
				}
				if b.Material >= 0 && b.Material < len(r.m.Materials) {
					x.UVs = append(x.UVs, u)
				}
			}
			a.Expressions = append(a.Expressions, x)
		}
	}
	sortExpressions(a.Expressions)
	if s != nil {
		r.springs1(a, s)
	}
	return a
}

func toRange(r range1) Range { return Range{r.InputMaxValue, r.OutputScale} }

// sortExpressions puts presets in front, each by name: JSON objects have no
// order.
func sortExpressions(all []Expression) {
	slices.SortFunc(all, func(x, y Expression) int {
		if x.Preset != y.Preset {
			if x.Preset {
				return -1
			}
			return 1
		}
		return strings.Compare(x.Name, y.Name)
	})
}

func (r *reader) hasTarget(j int32, target int) bool {
	if j < 0 || target < 0 {
		return false
	}
	mesh := r.m.Nodes[j].Mesh
	return mesh >= 0 && target < len(r.m.Meshes[mesh].Weights)
}

func (r *reader) springs1(a *Avatar, s *springBone) {
	colliderAt := make([]int32, len(s.Colliders))
	for i, c := range s.Colliders {
		colliderAt[i] = -1
		j := r.at(c.Node)
		body := c.Shape.Sphere
		if body == nil {
			body = c.Shape.Capsule
		}
		if j < 0 || body == nil {
			continue
		}
		out := Collider{Joint: j, Offset: body.Offset, Tail: body.Offset, Radius: body.Radius}
		if body.Tail != nil && c.Shape.Sphere == nil {
			out.Tail = *body.Tail
		}
		colliderAt[i] = int32(len(a.Colliders))
		a.Colliders = append(a.Colliders, out)
	}
	for _, in := range s.Springs {
		out := Spring{Name: in.Name, Center: r.at(in.Center)}
		for _, jt := range in.Joints {
			j := r.at(jt.Node)
			if j < 0 {
				continue
			}
			joint := SpringJoint{Joint: j, HitRadius: jt.HitRadius, Stiffness: 1, Drag: 0.5, GravityPower: jt.GravityPower, GravityDir: mgl32.Vec3{0, -1, 0}}
			if jt.Stiffness != nil {
				joint.Stiffness = *jt.Stiffness
			}
			if jt.DragForce != nil {
				joint.Drag = *jt.DragForce
			}
			if jt.GravityDir != nil {
				joint.GravityDir = *jt.GravityDir
			}
			out.Joints = append(out.Joints, joint)
		}
		for _, g := range in.ColliderGroups {
			if g < 0 || g >= len(s.ColliderGroups) {
				continue
			}
			for _, c := range s.ColliderGroups[g].Colliders {
				if c >= 0 && c < len(colliderAt) && colliderAt[c] >= 0 && !slices.Contains(out.Colliders, colliderAt[c]) {
					out.Colliders = append(out.Colliders, colliderAt[c])
				}
			}
		}
		if len(out.Joints) > 0 {
			a.Springs = append(a.Springs, out)
		}
	}
}

// The JSON of the extension VRM, 0.x.
type (
	file0 struct {
		Meta     map[string]any
		Humanoid struct {
			HumanBones []struct {
				Bone string
				Node *int
			}
		}
		FirstPerson struct {
			FirstPersonBoneOffset                                                              xyz
			LookAtTypeName                                                                     string
			LookAtHorizontalInner, LookAtHorizontalOuter, LookAtVerticalDown, LookAtVerticalUp range0
		}
		BlendShapeMaster struct {
			BlendShapeGroups []struct {
				Name, PresetName string
				IsBinary         bool
				Binds            []struct {
					Mesh, Index int
					Weight      float32
				}
				MaterialValues []struct {
					MaterialName, PropertyName string
					TargetValue                []float32
				}
			}
		}
		SecondaryAnimation struct {
			BoneGroups []struct {
				Comment                            string
				Stiffness                          float32 `json:"stiffiness"` // so spelt in the specification
				GravityPower, DragForce, HitRadius float32
				GravityDir                         xyz
				Center                             *int
				Bones, ColliderGroups              []int
			}
			ColliderGroups []struct {
				Node      *int
				Colliders []struct {
					Offset xyz
					Radius float32
				}
			}
		}
	}
	range0 struct{ XRange, YRange float32 }
	xyz    struct{ X, Y, Z float32 }
)

// vec is a vector of a 0.x file, whose Z is Unity's.
func (v xyz) vec() mgl32.Vec3 { return mgl32.Vec3{v.X, v.Y, -v.Z} }

// presets0 are the 0.x expressions by their names of 1.0.
var presets0 = map[string]string{
	"neutral": "neutral", "a": "aa", "i": "ih", "u": "ou", "e": "ee", "o": "oh", "blink": "blink", "joy": "happy", "angry": "angry",
	"sorrow": "sad", "fun": "relaxed", "lookup": "lookUp", "lookdown": "lookDown", "lookleft": "lookLeft", "lookright": "lookRight",
	"blink_l": "blinkLeft", "blink_r": "blinkRight",
}

// properties0 are material properties by their names of 1.0.
var properties0 = map[string]string{"_Color": "color", "_EmissionColor": "emissionColor", "_ShadeColor": "shadeColor", "_RimColor": "rimColor", "_OutlineColor": "outlineColor"}

func bone0(name string) string {
	if side, ok := strings.CutSuffix(name, "ThumbProximal"); ok {
		return side + "ThumbMetacarpal"
	}
	if side, ok := strings.CutSuffix(name, "ThumbIntermediate"); ok {
		return side + "ThumbProximal"
	}
	return name
}

func (r *reader) read0(f *file0) *Avatar {
	a := &Avatar{Version: "0.x", Bones: humanoid.Bones{}, Meta: Meta{Thumbnail: -1, Permissions: map[string]string{}}}
	for key, v := range f.Meta {
		text, ok := v.(string)
		if n, isNumber := v.(float64); isNumber && key == "texture" && n >= 0 && n < float64(len(r.m.Textures)) {
			a.Meta.Thumbnail = r.m.Textures[int(n)].Image
		}
		switch {
		case !ok:
		case key == "title":
			a.Meta.Name = text
		case key == "version":
			a.Meta.Version = text
		case key == "author" && text != "":
			a.Meta.Authors = []string{text}
		case key == "otherLicenseUrl":
			a.Meta.LicenseURL = text
		default:
			a.Meta.Permissions[key] = text
		}
	}
	for _, b := range f.Humanoid.HumanBones {
		if j := r.at(b.Node); j >= 0 {
			a.Bones[bone0(b.Bone)] = j
		}
	}
	p := f.FirstPerson
	a.LookAt = LookAt{
		ByExpression: p.LookAtTypeName == "BlendShape", Offset: p.FirstPersonBoneOffset.vec(),
		Inner: Range{p.LookAtHorizontalInner.XRange, p.LookAtHorizontalInner.YRange}, Outer: Range{p.LookAtHorizontalOuter.XRange, p.LookAtHorizontalOuter.YRange},
		Down: Range{p.LookAtVerticalDown.XRange, p.LookAtVerticalDown.YRange}, Up: Range{p.LookAtVerticalUp.XRange, p.LookAtVerticalUp.YRange},
	}
	for _, g := range f.BlendShapeMaster.BlendShapeGroups {
		name, preset := presets0[strings.ToLower(g.PresetName)]
		if !preset {
			name = g.Name
		}
		x := Expression{Name: name, Preset: preset, Binary: g.IsBinary, OverrideBlink: "none", OverrideLookAt: "none", OverrideMouth: "none"}
		for _, b := range g.Binds {
			for j, n := range r.m.Nodes {
				if int(n.Mesh) == b.Mesh && r.hasTarget(int32(j), b.Index) {
					x.Morphs = append(x.Morphs, MorphBind{int32(j), int32(b.Index), b.Weight / 100})
				}
			}
		}
		for _, b := range g.MaterialValues {
			for i := range r.m.Materials {
				if r.m.Materials[i].Name == b.MaterialName {
					x.materialValue(&r.m.Materials[i], int32(i), b.PropertyName, b.TargetValue)
				}
			}
		}
		a.Expressions = append(a.Expressions, x)
	}
	sortExpressions(a.Expressions)
	r.springs0(a, f)
	return a
}

func (r *reader) springs0(a *Avatar, f *file0) {
	groups := make([][]int32, len(f.SecondaryAnimation.ColliderGroups))
	for i, g := range f.SecondaryAnimation.ColliderGroups {
		j := r.at(g.Node)
		if j < 0 {
			continue
		}
		for _, c := range g.Colliders {
			groups[i] = append(groups[i], int32(len(a.Colliders)))
			a.Colliders = append(a.Colliders, Collider{Joint: j, Offset: c.Offset.vec(), Tail: c.Offset.vec(), Radius: c.Radius})
		}
	}
	children := make([][]int32, r.m.Skeleton.Len())
	for j, p := range r.m.Skeleton.Parents {
		if p >= 0 {
			children[p] = append(children[p], int32(j))
		}
	}
	taken := map[int32]bool{}
	for _, g := range f.SecondaryAnimation.BoneGroups {
		common := Spring{Name: g.Comment, Center: r.at(g.Center)}
		for _, c := range g.ColliderGroups {
			if c >= 0 && c < len(groups) {
				common.Colliders = append(common.Colliders, groups[c]...)
			}
		}
		var starts []int32
		for _, b := range g.Bones {
			if j := r.at(&b); j >= 0 {
				starts = append(starts, j)
			}
		}
		// A 0.x group is whole trees; a spring is a chain, so each branch is one.
		for len(starts) > 0 {
			s := common
			j := starts[0]
			starts = starts[1:]
			for !taken[j] {
				taken[j] = true
				s.Joints = append(s.Joints, SpringJoint{
					Joint: j, HitRadius: g.HitRadius, Stiffness: g.Stiffness, Drag: g.DragForce,
					GravityPower: g.GravityPower, GravityDir: g.GravityDir.vec(),
				})
				below := children[j]
				if len(below) == 0 {
					break
				}
				starts = append(starts, below[1:]...)
				j = below[0]
			}
			if len(s.Joints) > 0 {
				a.Springs = append(a.Springs, s)
			}
		}
	}
}
