package vrm

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// MissingBonesError lists the bones that a VRM must have and the model lacks.
type MissingBonesError struct{ Bones []string }

func (e *MissingBonesError) Error() string {
	return "no joint was found for the bones " + strings.Join(e.Bones, ", ") + ", which a VRM must have"
}

// presets are the expressions that VRM 1.0 names.
var presets = []string{"happy", "angry", "sad", "relaxed", "surprised", "aa", "ih", "ou", "ee", "oh", "blink", "blinkLeft", "blinkRight",
	"lookUp", "lookDown", "lookLeft", "lookRight", "neutral"}

type obj = map[string]any

// Write writes a model and its avatar as a VRM 1.0 file. The error is a
// *MissingBonesError where the avatar lacks bones that a VRM must have.
func Write(m *assets.Model, a *Avatar, w io.Writer) error {
	if missing := a.Bones.Missing(); len(missing) > 0 {
		return &MissingBonesError{missing}
	}
	bones := obj{}
	for bone, j := range a.Bones {
		if j < 0 || int(j) >= m.Skeleton.Len() {
			return fmt.Errorf("bone %s: there is no joint %d", bone, j)
		}
		bones[bone] = obj{"node": j}
	}
	extended := gltf.Extended{Extensions: map[string]any{"VRMC_vrm": obj{
		"specVersion": "1.0", "meta": meta(m, a), "humanoid": obj{"humanBones": bones},
		"lookAt": lookAt(a.LookAt), "expressions": expressions(a),
	}}}
	if len(a.Springs) > 0 {
		extended.Extensions["VRMC_springBone"] = springs(a)
	}
	return gltf.WriteExtended(m, w, extended)
}

// words are the permissions of VRM 1.0 that are words; the others are booleans.
var words = []string{"thirdPartyLicenses", "avatarPermission", "commercialUsage", "creditNotation", "modification", "otherLicenseUrl"}

var booleans = []string{"allowExcessivelyViolentUsage", "allowExcessivelySexualUsage", "allowPoliticalOrReligiousUsage", "allowAntisocialOrHateUsage", "allowRedistribution"}

func meta(m *assets.Model, a *Avatar) obj {
	name := a.Meta.Name
	if name == "" {
		name = m.Name
	}
	authors := slices.DeleteFunc(slices.Clone(a.Meta.Authors), func(s string) bool { return s == "" })
	if len(authors) == 0 {
		authors = []string{"unknown"}
	}
	o := obj{"name": name, "authors": authors, "licenseUrl": "https://vrm.dev/licenses/1.0/"}
	if a.Meta.Version != "" {
		o["version"] = a.Meta.Version
	}
	if a.Meta.Copyright != "" {
		o["copyrightInformation"] = a.Meta.Copyright
	}
	if a.Meta.LicenseURL != "" && a.Version == "0.x" {
		o["otherLicenseUrl"] = a.Meta.LicenseURL
	}
	if a.Version == "1.0" { // 0.x words its permissions otherwise; what is not said is the strictest
		if a.Meta.LicenseURL != "" {
			o["licenseUrl"] = a.Meta.LicenseURL
		}
		for key, v := range a.Meta.Permissions {
			if slices.Contains(words, key) {
				o[key] = v
			} else if slices.Contains(booleans, key) {
				o[key] = v == "true"
			}
		}
	}
	return o
}

func rangeMap(r Range) obj { return obj{"inputMaxValue": r.InputMax, "outputScale": r.OutputScale} }

func lookAt(l LookAt) obj {
	kind := "bone"
	if l.ByExpression {
		kind = "expression"
	}
	return obj{
		"type": kind, "offsetFromHeadBone": l.Offset,
		"rangeMapHorizontalInner": rangeMap(l.Inner), "rangeMapHorizontalOuter": rangeMap(l.Outer),
		"rangeMapVerticalDown": rangeMap(l.Down), "rangeMapVerticalUp": rangeMap(l.Up),
	}
}

func expressions(a *Avatar) obj {
	preset, custom := obj{}, obj{}
	for _, e := range a.Expressions {
		o := obj{"isBinary": e.Binary}
		for key, v := range map[string]string{"overrideBlink": e.OverrideBlink, "overrideLookAt": e.OverrideLookAt, "overrideMouth": e.OverrideMouth} {
			if v != "" {
				o[key] = v
			}
		}
		var morphs, materials []obj
		for _, b := range e.Morphs {
			morphs = append(morphs, obj{"node": b.Joint, "index": b.Target, "weight": min(max(b.Weight, 0), 1)})
		}
		for _, b := range e.Materials {
			materials = append(materials, obj{"material": b.Material, "type": b.Type, "targetValue": b.Value})
		}
		if morphs != nil {
			o["morphTargetBinds"] = morphs
		}
		if materials != nil {
			o["materialColorBinds"] = materials
		}
		var transforms []obj
		for _, b := range e.UVs {
			transforms = append(transforms, obj{"material": b.Material, "scale": b.Scale, "offset": b.Offset})
		}
		if transforms != nil {
			o["textureTransformBinds"] = transforms
		}
		if e.Preset && slices.Contains(presets, e.Name) {
			preset[e.Name] = o
		} else if e.Name != "" {
			custom[e.Name] = o
		}
	}
	o := obj{}
	if len(preset) > 0 {
		o["preset"] = preset
	}
	if len(custom) > 0 {
		o["custom"] = custom
	}
	return o
}

func springs(a *Avatar) obj {
	o := obj{"specVersion": "1.0"}
	var colliders, groups, chains []obj
	for _, c := range a.Colliders {
		body := obj{"offset": c.Offset, "radius": c.Radius}
		kind := "sphere"
		if c.Tail != c.Offset {
			kind, body["tail"] = "capsule", c.Tail
		}
		colliders = append(colliders, obj{"node": c.Joint, "shape": obj{kind: body}})
	}
	for _, s := range a.Springs {
		var joints []obj
		for _, j := range s.Joints {
			joint := obj{"node": j.Joint, "hitRadius": j.HitRadius, "stiffness": j.Stiffness, "gravityPower": j.GravityPower, "dragForce": min(max(j.Drag, 0), 1)}
			if j.GravityDir != (mgl32.Vec3{}) {
				joint["gravityDir"] = j.GravityDir
			}
			joints = append(joints, joint)
		}
		chain := obj{"joints": joints}
		if s.Name != "" {
			chain["name"] = s.Name
		}
		if s.Center >= 0 {
			chain["center"] = s.Center
		}
		if len(s.Colliders) > 0 { // a group for each spring
			groups = append(groups, obj{"colliders": s.Colliders})
			chain["colliderGroups"] = []int{len(groups) - 1}
		}
		chains = append(chains, chain)
	}
	o["springs"] = chains
	if colliders != nil {
		o["colliders"] = colliders
	}
	if groups != nil {
		o["colliderGroups"] = groups
	}
	return o
}
