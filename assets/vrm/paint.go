package vrm

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// stroke is what an expression adds to a number of the pose at weight 1: the bind's
// value less the material's own (VRMC_vrm 1.0, "Material Color Binds" and "Texture
// Transform Binds": each adds its difference from the first value, by weight).
type stroke struct {
	at   int32
	more float32
}

// paint finds what the expressions do to what is drawn of materials. What of a
// shade is not drawn, such as MToon's shadeColor, is left to Unshown.
func (a *Avatar) paint(m *assets.Model) {
	for k := range a.Expressions {
		e := &a.Expressions[k]
		e.strokes, e.unshown = nil, false
		for _, b := range e.Materials {
			f, width := assets.BaseColorField, 4
			switch b.Type {
			case "color":
			case "emissionColor":
				f, width = assets.EmissiveField, 3
			default:
				e.unshown = true
				continue
			}
			e.stroke(m, f, 0, b.Material, b.Value[:width])
		}
		for _, b := range e.UVs {
			for of := range assets.Map(assets.Maps) {
				e.stroke(m, assets.UVScaleField, of, b.Material, b.Scale[:])
				e.stroke(m, assets.OffsetField, of, b.Material, b.Offset[:])
			}
		}
	}
}

func (e *Expression) stroke(m *assets.Model, f assets.Field, of assets.Map, material int32, value []float32) {
	p, ok := m.Property(f, of, material)
	if !ok {
		return
	}
	if f == assets.EmissiveField { // of which a strength is a factor
		m.Property(assets.EmissiveStrengthField, 0, material)
	}
	for c, v := range value {
		at := p.At + int32(c)
		if more := v - m.Skeleton.MorphWeights[at]; more != 0 {
			e.strokes = append(e.strokes, stroke{at, more})
		}
	}
}

// show adds the expression's part of materials, by weight.
func (e *Expression) show(pose *animation.Pose, weight float32) {
	for _, s := range e.strokes {
		if int(s.at) < len(pose.Weights) {
			pose.Weights[s.at] += weight * s.more
		}
	}
}

// materialValue reads a 0.x materialValue, which names a property of a Unity
// material: colours in sRGB, and UV whose V runs up.
func (e *Expression) materialValue(m *assets.Material, index int32, property string, value []float32) {
	v := mgl32.Vec4{0, 0, 0, 1}
	copy(v[:], value)
	if kind, known := properties0[property]; known {
		for c := range 3 {
			v[c] = linear(v[c])
		}
		e.Materials = append(e.Materials, MaterialBind{index, kind, v})
		return
	}
	if len(value) < 4 {
		return
	}
	// Both halves of a transform that stays are the material's own.
	own := m.BaseColorMap
	u := UVBind{Material: index, Scale: own.Scale, Offset: own.Offset}
	across, down := property != "_MainTex_ST_T", property != "_MainTex_ST_S"
	if property != "_MainTex_ST" && across == down {
		return
	}
	if across {
		u.Scale[0], u.Offset[0] = v[0], v[2]
	}
	if down {
		u.Scale[1], u.Offset[1] = v[1], 1-v[3]-v[1]
	}
	e.UVs = append(e.UVs, u)
}

// linear decodes sRGB (IEC 61966-2-1).
func linear(c float32) float32 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return float32(math.Pow((float64(c)+0.055)/1.055, 2.4))
}
