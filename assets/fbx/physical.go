package fbx

import (
	"bytes"
	stdimage "image"
	"image/png"
	"strings"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// What 3ds Max and Maya write of their physical materials, as properties under a
// name of the program: Physical Material (Parameters), PBR Metal/Rough and
// Specular/Gloss (main), glTF Material (main, extension), Arnold's and Autodesk's
// Standard Surface and Stingray PBS (Maya). There is no public description; this
// follows the property names and what each of the programs' manuals says of them.

// physical reads a group of properties: those whose names begin with prefix.
type physical struct {
	o      *object
	prefix string
}

// physicalGroups begin the names of properties, in the order in which they count.
var physicalGroups = []string{"Maya|", "3dsMax|Parameters|", "3dsMax|main|", "3dsMax|extension|"}

// number is the first of some properties that is there.
func (p physical) number(otherwise float64, names ...string) float64 {
	for _, name := range names {
		if p.o.has(p.prefix + name) {
			return p.o.number(p.prefix+name, otherwise)
		}
	}
	return otherwise
}

func (p physical) has(names ...string) bool {
	for _, name := range names {
		if p.o.has(p.prefix + name) {
			return true
		}
	}
	return false
}

func (p physical) vector(otherwise vec3, names ...string) vec3 {
	for _, name := range names {
		if p.o.has(p.prefix + name) {
			return p.o.vector(p.prefix+name, otherwise)
		}
	}
	return otherwise
}

// read puts what the group says into a material; color, opacity and emissive are
// not in it yet.
func (p physical) read(m *assets.Material, color, emissive *vec3, opacity *float64) {
	if p.has("base_color", "baseColor", "basecolor", "base_color_value") {
		*color = p.vector(*color, "base_color", "baseColor", "basecolor", "base_color_value").mul(p.number(1, "base_weight", "base"))
	}
	m.Metallic = clamp(p.number(float64(m.Metallic), "metalness", "metallic", "specularMetalness"))
	rough := p.number(float64(m.Roughness), "roughness", "specularRoughness")
	// useGlossiness 1 says that the roughness is a glossiness, 2 that it is none.
	if p.has("roughness") && (p.number(0, "roughness_inv") != 0 || p.number(2, "useGlossiness") == 1) {
		rough = 1 - rough
	}
	if p.has("glossiness", "Glossiness") {
		if rough = p.number(0, "glossiness", "Glossiness"); p.number(1, "useGlossiness") == 1 {
			rough = 1 - rough
		}
	}
	m.Roughness = clamp(rough)
	if p.has("emit_color", "emissionColor", "emissive") {
		*emissive = p.vector(*emissive, "emit_color", "emissionColor", "emissive").mul(p.number(1, "emission", "emissive_intensity"))
	}
	if p.has("opacity") {
		c := p.vector(ones, "opacity")
		*opacity = (c[0] + c[1] + c[2]) / 3
	}
	if p.prefix == "3dsMax|Parameters|" && p.has("transparency") {
		*opacity = 1 - p.number(0, "transparency")
	}
	m.NormalScale = float32(p.number(float64(m.NormalScale), "bump_map_amt", "normal"))
	m.OcclusionStrength = clamp(p.number(float64(m.OcclusionStrength), "ambientOcclusion"))
	if p.has("alphaMode") { // of the glTF material: opaque, mask, blend
		m.Alpha = [...]assets.AlphaMode{assets.Opaque, assets.Mask, assets.Blend}[min(max(int(p.number(1, "alphaMode"))-1, 0), 2)]
		m.AlphaCutoff = clamp(p.number(0.5, "alphaCutoff"))
	}
	m.DoubleSided = m.DoubleSided || p.number(0, "DoubleSided") != 0
	m.Unlit = m.Unlit || p.number(0, "unlit") != 0
	if coat := p.number(0, "coating", "coat", "clearcoat"); coat > 0 && p.number(1, "enableClearCoat") != 0 {
		rough := p.number(0, "coat_roughness", "coatRoughness", "clearcoatRoughness")
		if p.number(0, "coat_roughness_inv") != 0 {
			rough = 1 - rough
		}
		none := assets.TextureRef{Texture: -1, Scale: mgl32.Vec2{1, 1}}
		m.Clearcoat = &assets.Clearcoat{
			Factor: clamp(coat), Roughness: clamp(rough), NormalScale: 1, Map: none, RoughMap: none, NormalMap: none,
		}
	}
}

// off tells whether a map is switched off: Physical Material has NAME_on, Stingray
// PBS use_NAME for TEX_NAME.
func off(o *object, property string) bool {
	if o.has(property+"_on") && o.number(property+"_on", 1) == 0 {
		return true
	}
	group, name, _ := strings.Cut(property, "|")
	use := group + "|use_" + strings.TrimPrefix(name, "TEX_")
	return strings.HasPrefix(name, "TEX_") && o.has(use) && o.number(use, 1) == 0
}

// glossy tells whether the map of a roughness is one of glossiness.
func glossy(o *object) bool {
	for _, group := range physicalGroups {
		p := physical{o, group}
		if p.number(0, "roughness_inv") != 0 || p.has("glossiness", "Glossiness") && p.number(1, "useGlossiness") == 1 ||
			p.has("roughness") && p.number(2, "useGlossiness") == 1 {
			return true
		}
	}
	return false
}

// metalRough puts the maps of metalness and roughness, each a grey picture or nil,
// into one as glTF has them: roughness green, metalness blue. A map takes the
// number's place; without a map that can be read the material stays as it is.
func (l *loader) metalRough(o *object, m *assets.Material, metal, rough *object) {
	if metal == nil && rough == nil {
		return
	}
	var w, h int
	var ref assets.TextureRef
	pixels := func(t *object) *stdimage.NRGBA {
		if t == nil || l.err != nil {
			return nil
		}
		r := l.textureRef(t)
		i := l.m.Textures[r.Texture].Image
		if i < 0 {
			return nil
		}
		x, y, err := image.Size(l.m.Images[i].Data)
		if err != nil || !l.budget.affords(8*int64(x)*int64(y)) {
			return nil
		}
		p, err := image.Decode(l.m.Images[i].Data)
		if err != nil {
			return nil
		}
		w, h, ref = max(w, x), max(h, y), r
		return p
	}
	a, b := pixels(metal), pixels(rough)
	if a == nil && b == nil || !l.budget.affords(12*int64(w)*int64(h)) {
		if l.err == nil {
			l.warn(o.where(), "its maps of metalness and roughness cannot be read, and are left out")
		}
		return
	}
	invert := glossy(o)
	out := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	grey := func(p *stdimage.NRGBA, x, y int) byte {
		if p == nil {
			return 255
		}
		return p.Pix[y*p.Rect.Dy()/h*p.Stride+4*(x*p.Rect.Dx()/w)]
	}
	for y := range h {
		for x := range w {
			c := out.Pix[y*out.Stride+4*x:][:4]
			c[0], c[1], c[2], c[3] = 255, grey(b, x, y), grey(a, x, y), 255
			if invert && b != nil {
				c[1] = 255 - c[1]
			}
		}
	}
	var data bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&data, out); err != nil {
		return
	}
	if a != nil {
		m.Metallic = 1
	}
	if b != nil {
		m.Roughness = 1
	}
	texture := l.m.Textures[ref.Texture]
	texture.Name, texture.Image = o.name+" metal and roughness", int32(len(l.m.Images))
	l.m.Images = append(l.m.Images, assets.Image{Name: texture.Name, MIME: "image/png", Data: data.Bytes()})
	ref.Texture = int32(len(l.m.Textures))
	l.m.Textures = append(l.m.Textures, texture)
	m.MetalRoughMap = ref
}
