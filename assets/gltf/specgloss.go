package gltf

import (
	"bytes"
	stdimage "image"
	"image/png"
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// specularGlossiness converts KHR_materials_pbrSpecularGlossiness: solved for the
// metalness whose reflections are as bright, as the extension's own appendix on
// conversion has it. Textures are solved pixel by pixel into pictures of their
// own; where that cannot be (a picture is missing or too large, or the two do not
// lie over each other), the material is taken as a dielectric, which most of what
// such textures were made for is.
func (l *loader) specularGlossiness(v value, m *assets.Material) {
	diffuse, specular := mgl32.Vec4{1, 1, 1, 1}, mgl32.Vec3{1, 1, 1}
	v.get("diffuseFactor").floats(diffuse[:])
	v.get("specularFactor").floats(specular[:])
	gloss := v.get("glossinessFactor").float(1)
	m.BaseColorMap = l.textureRef(v.get("diffuseTexture"))
	m.BaseColor, m.Metallic, m.Roughness = diffuse, 0, 1-gloss
	at := v.get("specularGlossinessTexture")
	textured := l.textureRef(at)
	if l.err != nil {
		return
	}
	// Metalness and colour depend on each other, so a diffuse texture over a
	// specular colour that is no dielectric's must be solved too.
	plain := max(specular[0], specular[1], specular[2]) <= 0.05
	switch {
	case textured.Texture < 0 && (m.BaseColorMap.Texture < 0 || plain):
		var c mgl32.Vec3
		c, m.Metallic = metalRough(diffuse.Vec3(), specular)
		m.BaseColor = c.Vec4(diffuse[3])
	case l.solvePixels(m, textured, diffuse, specular, gloss):
	case textured.Texture >= 0:
		m.Roughness = max(m.Roughness, 0.5)
		l.warn(at, "specular and glossiness by texture were replaced with a plain dielectric of roughness %.2g", m.Roughness)
	default:
		l.warn(v, "the specular colour over a texture was replaced with a plain dielectric's")
	}
}

// glossKey tells apart the pictures that solvePixels makes.
type glossKey struct {
	diffuse, specular assets.TextureRef
	diffuseFactor     mgl32.Vec4
	specularFactor    mgl32.Vec3
	gloss             float32
}

// solvePixels makes the textures of base colour, and of metalness and roughness.
func (l *loader) solvePixels(m *assets.Material, specularMap assets.TextureRef, diffuse mgl32.Vec4, specular mgl32.Vec3, gloss float32) bool {
	key := glossKey{m.BaseColorMap, specularMap, diffuse, specular, gloss}
	first, known := l.glossTextures[key]
	ref := m.BaseColorMap
	if ref.Texture < 0 {
		ref = specularMap
	} else if specularMap.Texture >= 0 {
		same := specularMap
		same.Texture = ref.Texture
		if same != ref {
			return false
		}
	}
	if !known {
		var sides [2]int
		for _, r := range []assets.TextureRef{m.BaseColorMap, specularMap} {
			if r.Texture < 0 {
				continue
			}
			i := l.m.Textures[r.Texture].Image
			if i < 0 {
				return false
			}
			w, h, err := image.Size(l.m.Images[i].Data)
			if err != nil {
				return false
			}
			sides[0], sides[1] = max(sides[0], w), max(sides[1], h)
		}
		// Two decoded pictures, two made ones, and what the codecs need.
		if !l.affords(int64(sides[0]) * int64(sides[1]) * 28) {
			return false
		}
		d, ok1 := l.pixels(m.BaseColorMap)
		s, ok2 := l.pixels(specularMap)
		if !ok1 || !ok2 {
			return false
		}
		color, metal := solve(sides[0], sides[1], d, s, diffuse, specular, gloss)
		first = int32(len(l.m.Textures))
		for _, p := range []*stdimage.NRGBA{color, metal} {
			var out bytes.Buffer
			encoder := png.Encoder{CompressionLevel: png.BestSpeed}
			if err := encoder.Encode(&out, p); err != nil {
				return false
			}
			texture := l.m.Textures[ref.Texture]
			texture.Image = int32(len(l.m.Images))
			l.m.Images = append(l.m.Images, assets.Image{Name: l.m.Images[l.m.Textures[ref.Texture].Image].Name, MIME: "image/png", Data: out.Bytes()})
			l.m.Textures = append(l.m.Textures, texture)
		}
		if l.glossTextures == nil {
			l.glossTextures = map[glossKey]int32{}
		}
		l.glossTextures[key] = first
	}
	ref.Texture = first
	m.BaseColorMap = ref
	ref.Texture = first + 1
	m.MetalRoughMap = ref
	m.BaseColor, m.Metallic, m.Roughness = mgl32.Vec4{1, 1, 1, 1}, 1, 1
	return true
}

// pixels decodes a texture's picture; nil where there is no texture.
func (l *loader) pixels(r assets.TextureRef) (*stdimage.NRGBA, bool) {
	if r.Texture < 0 {
		return nil, true
	}
	p, err := image.Decode(l.m.Images[l.m.Textures[r.Texture].Image].Data)
	return p, err == nil
}

// affords is charge without the error.
func (l *loader) affords(n int64) bool {
	if l.err != nil || n < 0 || l.spent+n > chargeLeast+chargePerByte*l.input {
		return false
	}
	l.spent += n
	return true
}

// solve converts pixel by pixel; a picture that is smaller is read between.
// Colours are sRGB, glossiness is linear (the alpha of specular).
func solve(w, h int, diffuse, specular *stdimage.NRGBA, df mgl32.Vec4, sf mgl32.Vec3, gloss float32) (color, metal *stdimage.NRGBA) {
	var linear [256]float32
	for i := range linear {
		linear[i] = fromSRGB(float32(i) / 255)
	}
	var srgb [4096]byte
	for i := range srgb {
		srgb[i] = byte(toSRGB(float32(i)/4095)*255 + 0.5)
	}
	white := []byte{255, 255, 255, 255}
	pixel := func(p *stdimage.NRGBA, x, y int) []byte {
		if p == nil {
			return white
		}
		return p.Pix[y*p.Rect.Dy()/h*p.Stride+4*(x*p.Rect.Dx()/w):][:4]
	}
	color, metal = stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h)), stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	at := 0
	for y := range h {
		for x := range w {
			d, s := pixel(diffuse, x, y), pixel(specular, x, y)
			c, m := metalRough(
				mgl32.Vec3{linear[d[0]] * df[0], linear[d[1]] * df[1], linear[d[2]] * df[2]},
				mgl32.Vec3{linear[s[0]] * sf[0], linear[s[1]] * sf[1], linear[s[2]] * sf[2]})
			for k := range 3 {
				color.Pix[at+k] = srgb[int(c[k]*4095+0.5)]
			}
			color.Pix[at+3] = byte(min(max(float32(d[3])*df[3], 0), 255) + 0.5)
			rough := 1 - float32(s[3])/255*gloss
			metal.Pix[at+1] = byte(min(max(rough, 0), 1)*255 + 0.5)
			metal.Pix[at+2] = byte(m*255 + 0.5)
			metal.Pix[at+3] = 255
			at += 4
		}
	}
	return color, metal
}

// The transfer function of sRGB, IEC 61966-2-1.
func fromSRGB(x float32) float32 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return float32(math.Pow((float64(x)+0.055)/1.055, 2.4))
}

func toSRGB(x float32) float32 {
	if x <= 0.0031308 {
		return x * 12.92
	}
	return float32(1.055*math.Pow(float64(x), 1/2.4) - 0.055)
}

// dielectric is the reflectance of what is not metal.
const dielectric = 0.04

// metalRough is the base colour and metalness of a linear diffuse and specular
// colour.
func metalRough(diffuse, specular mgl32.Vec3) (color mgl32.Vec3, metal float32) {
	strongest := max(specular[0], specular[1], specular[2])
	metal = metalness(brightness(diffuse), brightness(specular), 1-strongest)
	share := metal * metal
	for c := range 3 {
		fromDiffuse := diffuse[c] * (1 - strongest) / (1 - dielectric) / max(1-metal, 1e-6)
		fromSpecular := (specular[c] - dielectric*(1-metal)) / max(metal, 1e-6)
		color[c] = min(max(fromDiffuse*(1-share)+fromSpecular*share, 0), 1)
	}
	return color, metal
}

// brightness is how bright a linear colour is seen (the HSP weights).
func brightness(c mgl32.Vec3) float32 {
	return float32(math.Sqrt(float64(0.299*c[0]*c[0] + 0.587*c[1]*c[1] + 0.114*c[2]*c[2])))
}

// metalness solves the quadratic that sets diffuse and specular brightness of
// the two models equal.
func metalness(diffuse, specular, oneMinusSpecular float32) float32 {
	if specular < dielectric {
		return 0
	}
	a := float64(dielectric)
	b := float64(diffuse*oneMinusSpecular/(1-dielectric) + specular - 2*dielectric)
	c := float64(dielectric - specular)
	d := max(b*b-4*a*c, 0)
	return float32(min(max((-b+math.Sqrt(d))/(2*a), 0), 1))
}
