package fbx

import (
	"errors"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// slotsOf are the model's materials of a node's slots, which polygons name by
// number.
func (l *loader) slotsOf(n *node) []int32 {
	var slots []int32
	for _, down := range n.obj.children {
		if down.to.class == "Material" && down.property == "" && len(slots) < 1<<16 {
			slots = append(slots, l.material(down.to))
		}
	}
	return slots
}

// material turns Lambert and Phong, and what 3ds Max and Maya add to them for
// physical shading, into metal and roughness.
func (l *loader) material(o *object) int32 {
	if i, known := l.materials[o]; known {
		return i
	}
	m := assets.DefaultMaterial()
	m.Name = o.name
	m.Metallic = 0
	// Shininess is the exponent n of Phong's model; roughness² = √(2/(n+2))
	// gives a highlight of the same width (Walter et al. 2007).
	m.Roughness = 1
	if shading := strings.ToLower(o.el.child("ShadingModel").text(0)); shading == "phong" || o.has("ShininessExponent") || o.has("Shininess") {
		n := o.number("ShininessExponent", o.number("Shininess", 20))
		m.Roughness = clamp(math.Sqrt(math.Sqrt(2 / (max(n, 0) + 2))))
	}
	color := o.vector("DiffuseColor", o.vector("Diffuse", vec3{0.8, 0.8, 0.8}))
	color = color.mul(o.number("DiffuseFactor", 1))
	opacity := 1.0
	if o.has("TransparencyFactor") || o.has("TransparentColor") {
		c := o.vector("TransparentColor", ones)
		opacity = 1 - o.number("TransparencyFactor", 0)*(c[0]+c[1]+c[2])/3
		// Maya writes a factor of 1 with black for what is opaque, others a
		// factor of 1 with white; Opacity, where told, decides.
		if o.has("Opacity") {
			opacity = o.number("Opacity", opacity)
		}
	}
	emissive := o.vector("EmissiveColor", o.vector("Emissive", vec3{})).mul(o.number("EmissiveFactor", 1))
	for _, group := range physicalGroups {
		physical{o, group}.read(&m, &color, &emissive, &opacity)
	}
	m.BaseColor = mgl32.Vec4{clamp(color[0]), clamp(color[1]), clamp(color[2]), clamp(opacity)}
	m.Emissive = mgl32.Vec3{float32(max(0, emissive[0])), float32(max(0, emissive[1])), float32(max(0, emissive[2]))}
	if opacity < 1 && m.Alpha == assets.Opaque {
		m.Alpha = assets.Blend
	}
	var metal, rough *object
	for _, down := range o.children {
		if down.property == "" {
			continue
		}
		t := down.to
		if t.class == "LayeredTexture" {
			if t = t.child("Texture"); t == nil {
				continue
			}
		}
		if t.class != "Texture" && t.class != "Video" {
			continue
		}
		ref := l.textureRef(t) // also of those that nothing is made of, which the file has all the same
		name := down.property
		if off(o, name) {
			continue
		}
		if i := strings.LastIndexByte(name, '|'); i >= 0 {
			name = name[i+1:]
		}
		switch strings.ToLower(name) {
		case "diffusecolor", "diffuse", "base_color_map", "basecolor", "base_color", "tex_color_map", "basecolormap":
			m.BaseColorMap = ref
			m.BaseColor[0], m.BaseColor[1], m.BaseColor[2] = 1, 1, 1
		case "normalmap", "bump", "norm_map", "normalcamera", "bump_map", "tex_normal_map":
			m.NormalMap = ref
		case "emissivecolor", "emissive", "emit_color_map", "emission_map", "emissionmap", "emissioncolor", "tex_emissive_map":
			m.EmissiveMap = ref
			if m.Emissive == (mgl32.Vec3{}) {
				m.Emissive = mgl32.Vec3{1, 1, 1}
			}
		case "ao_map", "tex_ao_map", "ambientocclusionmap", "ambientocclusion":
			m.OcclusionMap = ref
		case "metalness_map", "metalnessmap", "metalness", "metallic", "tex_metallic_map", "specularmetalness":
			metal = t
		case "roughness_map", "roughnessmap", "roughness", "specularroughness", "tex_roughness_map", "glossiness_map":
			rough = t
		case "coat_map", "clearcoatmap", "coat":
			if m.Clearcoat != nil {
				m.Clearcoat.Map = ref
			}
		case "clearcoatnormalmap", "coat_bump_map", "coatnormal":
			if m.Clearcoat != nil {
				m.Clearcoat.NormalMap = ref
			}
		case "transparentcolor", "transparencyfactor", "opacity":
			if m.Alpha == assets.Opaque && m.BaseColorMap.Texture >= 0 {
				m.Alpha = assets.Blend
			}
		}
	}
	l.metalRough(o, &m, metal, rough)
	i := int32(len(l.m.Materials))
	if l.pay(int64(len(o.name))+512, o.where(), o.el.at) {
		l.m.Materials = append(l.m.Materials, m)
		l.materials[o] = i
	}
	return i
}

func clamp(x float64) float32 { return float32(min(max(x, 0), 1)) }

func (l *loader) textureRef(o *object) assets.TextureRef {
	ref := assets.TextureRef{Texture: l.texture(o), Scale: mgl32.Vec2{1, 1}}
	move := o.vector("Translation", vec3{})
	scale := o.vector("Scaling", ones)
	if f := o.el.child("ModelUVTranslation").floats(); len(f) >= 2 {
		move = vec3{f[0], f[1]}
	}
	if f := o.el.child("ModelUVScaling").floats(); len(f) >= 2 {
		scale = vec3{f[0], f[1]}
	}
	u, v := float32(move[0]), float32(1-scale[1]-move[1]) // the origin goes from bottom to top
	if finite(u) && finite(v) && finite(float32(scale[0])) && finite(float32(scale[1])) {
		ref.Offset = mgl32.Vec2{u, v}
		ref.Scale = mgl32.Vec2{float32(scale[0]), float32(scale[1])}
	}
	return ref
}

func (l *loader) texture(o *object) int32 {
	if i, known := l.textures[o]; known {
		return i
	}
	t := assets.Texture{Name: o.name, Image: -1, Mipmaps: true}
	if o.int("WrapModeU", 0) == 1 {
		t.WrapU = assets.ClampToEdge
	}
	if o.int("WrapModeV", 0) == 1 {
		t.WrapV = assets.ClampToEdge
	}
	video := o
	if v := o.child("Video"); v != nil {
		video = v
	}
	t.Image = l.image(video, o)
	i := int32(len(l.m.Textures))
	l.m.Textures = append(l.m.Textures, t)
	l.textures[o] = i
	return i
}

// image is the picture that a Video holds or names, else the Texture.
func (l *loader) image(video, texture *object) int32 {
	if i, known := l.images[video]; known {
		return i
	}
	l.images[video] = -1
	img := assets.Image{Name: video.name}
	if c := video.el.child("Content"); c != nil {
		img.Data = l.embedded(video, c)
	}
	if img.Data == nil {
		var names []string
		for _, o := range []*object{video, texture} {
			for _, key := range []string{"RelativeFilename", "RelativeFileName", "Filename", "FileName"} {
				if name := o.el.child(key).text(0); name != "" {
					names = append(names, name)
				}
			}
			if name := o.text("Path"); name != "" {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			l.warn(texture.where(), "names no picture; a stand-in is shown")
			return -1
		}
		data, where, err := l.beside(names)
		if err != nil {
			l.warn(texture.where(), "the picture %q is not there: %s; a stand-in is shown", shorten(names[0]), cause(err))
			return -1
		}
		img.Data, img.Path = data, where
	}
	img.MIME = image.Sniff(img.Data)
	i := int32(len(l.m.Images))
	l.m.Images = append(l.m.Images, img)
	l.images[video] = i
	return i
}

// embedded is a picture inside the file: bytes, or in a text file lines of
// Base64.
func (l *loader) embedded(o *object, c *element) []byte {
	size := 0
	for i := range c.values {
		size += len(c.values[i].text)
	}
	if size == 0 || !l.pay(4*int64(size), o.where(), c.at) {
		return nil
	}
	if l.binary {
		raw := make([]byte, 0, size)
		for i := range c.values {
			raw = append(raw, c.values[i].text...)
		}
		return raw
	}
	// Long texts come in pieces, which may or may not be whole Base64 each.
	var text strings.Builder
	for i := range c.values {
		text.WriteString(c.values[i].text)
	}
	whole, err := decodeBase64(text.String())
	if err == nil {
		return whole
	}
	var raw []byte
	for i := range c.values {
		part, partErr := decodeBase64(c.values[i].text)
		if partErr != nil {
			l.warn(o.where(), "the embedded picture is not Base64: %v", err)
			return nil
		}
		raw = append(raw, part...)
	}
	return raw
}

// beside reads the first of the files that is there: below the model's folder
// by its path, else by its bare name.
func (l *loader) beside(names []string) ([]byte, string, error) {
	if l.fsys == nil {
		return nil, "", errors.New("there is no folder to read it from")
	}
	var first error
	for _, bare := range []bool{false, true} {
		for _, name := range names {
			name = strings.ReplaceAll(name, `\`, "/")
			if bare {
				name = path.Base(name)
			}
			name = path.Clean(strings.TrimPrefix(name, "./"))
			if !fs.ValidPath(name) || name == "." {
				continue
			}
			if data, known := l.files[name]; known {
				return data, name, nil
			}
			f, err := l.fsys.Open(name)
			if err != nil {
				if first == nil {
					first = err
				}
				continue
			}
			data, err := ordinary.Read(f, image.MaxBytes)
			f.Close()
			if err != nil {
				if first == nil {
					first = err
				}
				continue
			}
			l.files[name] = data
			return data, name, nil
		}
	}
	if first == nil {
		first = errors.New("only files in the model's own folder are read")
	}
	return nil, "", first
}
