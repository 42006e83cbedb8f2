package main

import (
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// inspection is what a model file holds, as inspect --json prints it. Lists are
// in the order of the file; a reference is the index in the list that it names,
// -1 for none.
type inspection struct {
	File       string        `json:"file"`
	Bytes      int64         `json:"bytes"` // of the file alone
	Version    string        `json:"version"`
	Generator  string        `json:"generator"`
	Extensions extensions    `json:"extensions"`
	Scene      int           `json:"scene"` // the default one
	Scenes     []sceneRow    `json:"scenes"`
	Bounds     *boundsRow    `json:"bounds"` // at rest; null without vertices
	Meshes     []meshRow     `json:"meshes"`
	Skins      []skinRow     `json:"skins"`
	Joints     []jointRow    `json:"joints"` // every node, parents first
	Clips      []clipRow     `json:"clips"`
	Materials  []materialRow `json:"materials"`
	Images     []imageRow    `json:"images"`
	Textures   int           `json:"textures"`
	Cameras    []cameraRow   `json:"cameras"`
	Lights     []lightRow    `json:"lights"`
	Memory     memoryRow     `json:"memory"`
	Warnings   []warningRow  `json:"warnings"`
}

type extensions struct {
	Used     []string `json:"used"`
	Required []string `json:"required"`
}

type sceneRow struct {
	Name  string `json:"name"`
	Roots int    `json:"roots"`
}

// boundsRow is a box in world space, metres.
type boundsRow struct {
	Min  mgl32.Vec3 `json:"min"`
	Max  mgl32.Vec3 `json:"max"`
	Size mgl32.Vec3 `json:"size"`
	// NonFinite are vertices that are NaN or infinite, left out of the box.
	NonFinite int `json:"non_finite"`
}

type meshRow struct {
	Name       string         `json:"name"`
	Targets    int            `json:"targets"` // morph targets
	Primitives []primitiveRow `json:"primitives"`
}

type primitiveRow struct {
	Topology   string   `json:"topology"`
	Vertices   int      `json:"vertices"`
	Count      int      `json:"count"` // of triangles, lines or points
	Material   int32    `json:"material"`
	Attributes []string `json:"attributes"`
}

type skinRow struct {
	Name        string   `json:"name"`
	Joints      int      `json:"joints"`
	Roots       []string `json:"roots"`        // joints whose parent is no joint of the skin
	InverseBind bool     `json:"inverse_bind"` // false: all are identity, or the file has none
}

type jointRow struct {
	Name   string `json:"name"`
	Node   int32  `json:"node"` // index in the file
	Parent int32  `json:"parent"`
	Skins  []int  `json:"skins"` // that it is a joint of
	Mesh   int32  `json:"mesh"`
	Camera int32  `json:"camera"`
	Light  int32  `json:"light"`
}

type clipRow struct {
	Name          string   `json:"name"`
	Duration      float32  `json:"duration"` // seconds
	Tracks        int      `json:"tracks"`
	Keys          int      `json:"keys"`
	Joints        int      `json:"joints"` // that it moves
	Paths         []string `json:"paths"`
	Interpolation []string `json:"interpolation"`
	Speed         float32  `json:"speed_m_s"`  // 0: unknown
	Properties    []string `json:"properties"` // JSON pointers of what else it moves
}

type materialRow struct {
	Name        string     `json:"name"`
	Alpha       string     `json:"alpha"`
	BaseColor   mgl32.Vec4 `json:"base_color"` // linear
	Metallic    float32    `json:"metallic"`
	Roughness   float32    `json:"roughness"`
	Emissive    mgl32.Vec3 `json:"emissive"`
	DoubleSided bool       `json:"double_sided"`
	Unlit       bool       `json:"unlit"`
	Maps        []mapRow   `json:"maps"`
}

// mapRow is a material's use of an image.
type mapRow struct {
	Use   string `json:"use"`
	Image int32  `json:"image"` // -1: missing
	UVSet int32  `json:"uv_set"`
}

type imageRow struct {
	Name   string `json:"name"`
	Path   string `json:"path"` // "" where embedded
	MIME   string `json:"mime"`
	Width  int    `json:"width"` // pixels; 0 where unknown
	Height int    `json:"height"`
	Bytes  int    `json:"bytes"` // encoded
	Fault  string `json:"fault,omitempty"`
}

type cameraRow struct {
	Name         string  `json:"name"`
	Orthographic bool    `json:"orthographic"`
	YFovDegrees  float32 `json:"y_fov_deg"`
	YMag         float32 `json:"y_mag"`
	Near         float32 `json:"near"`
	Far          float32 `json:"far"` // 0: infinite
}

type lightRow struct {
	Name      string     `json:"name"`
	Kind      string     `json:"kind"`
	Color     mgl32.Vec3 `json:"color"`
	Intensity float32    `json:"intensity"` // lux of a directional light, otherwise candela
	Range     float32    `json:"range"`     // metres; 0: unbounded
}

// memoryRow is in bytes, as the model lies in memory.
type memoryRow struct {
	Vertices  int64 `json:"vertices"`
	Indices   int64 `json:"indices"`
	Morphs    int64 `json:"morphs"`
	Skins     int64 `json:"skins"`
	Animation int64 `json:"animation"`
	Encoded   int64 `json:"images_encoded"`
	Decoded   int64 `json:"images_decoded"` // as 8-bit RGBA without mipmaps
	Total     int64 `json:"total"`          // without decoded images
}

type warningRow struct {
	Where   string `json:"where"`
	Message string `json:"message"`
}

// inspect looks through a model.
func inspect(m *assets.Model) (*inspection, error) {
	file, err := os.Stat(fileOf(m.Path))
	if err != nil {
		return nil, err
	}
	b, err := m.Bounds(animation.NewPose(m.Skeleton))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	f := m.Footprint()
	r := &inspection{
		File: m.Path, Bytes: file.Size(), Version: m.Version, Generator: m.Generator,
		Extensions: extensions{list(m.Extensions), list(m.ExtensionsRequired)},
		Scene:      m.Scene, Textures: len(m.Textures),
		Scenes:    each(m.Scenes, func(s *assets.Scene) sceneRow { return sceneRow{s.Name, len(s.Roots)} }),
		Meshes:    each(m.Meshes, newMeshRow),
		Skins:     each(m.Skins, func(k *animation.Skin) skinRow { return newSkinRow(m, k) }),
		Joints:    jointRows(m),
		Clips:     each(m.Clips, func(c **animation.Clip) clipRow { return newClipRow(m, *c) }),
		Materials: each(m.Materials, func(a *assets.Material) materialRow { return newMaterialRow(m, a) }),
		Images:    each(m.Images, newImageRow),
		Cameras: each(m.Cameras, func(c *assets.Camera) cameraRow {
			return cameraRow{c.Name, c.Orthographic, c.YFov * 180 / math.Pi, c.YMag, c.Near, c.Far}
		}),
		Lights: each(m.Lights, func(l *assets.Light) lightRow {
			return lightRow{l.Name, [...]string{"directional", "point", "spot"}[l.Kind], l.Color, l.Intensity, l.Range}
		}),
		Memory: memoryRow{
			f.VertexBytes, f.IndexBytes, f.MorphBytes, f.SkinBytes, f.AnimationBytes, f.ImageBytes, f.DecodedBytes, f.Bytes(),
		},
		Warnings: each(m.Warnings, func(w *assets.Warning) warningRow { return warningRow{w.Where, w.Message} }),
	}
	if b.Vertices > b.NonFinite {
		r.Bounds = &boundsRow{b.Min, b.Max, b.Max.Sub(b.Min), b.NonFinite}
	}
	return r, nil
}

// each makes a row of each element; never nil, so that JSON has an empty list.
func each[T, R any](in []T, row func(*T) R) []R {
	out := make([]R, len(in))
	for i := range in {
		out[i] = row(&in[i])
	}
	return out
}

func list(in []string) []string { return append([]string{}, in...) }

func newMeshRow(m *assets.Mesh) meshRow {
	return meshRow{m.Name, len(m.Weights), each(m.Primitives, newPrimitiveRow)}
}

func newPrimitiveRow(p *assets.Primitive) primitiveRow {
	corners := len(p.Positions)
	if p.Indices != nil {
		corners = len(p.Indices)
	}
	r := primitiveRow{
		Topology: [...]string{"triangles", "lines", "points"}[p.Topology], Vertices: len(p.Positions),
		Count: corners / [...]int{3, 2, 1}[p.Topology], Material: p.Material, Attributes: []string{},
	}
	add := func(has bool, name string) {
		if has {
			r.Attributes = append(r.Attributes, name)
		}
	}
	add(p.Positions != nil, "position")
	add(p.Normals != nil, "normal")
	add(p.Tangents != nil, "tangent")
	for i := range p.UV {
		add(p.UV[i] != nil, fmt.Sprintf("uv%d", i))
	}
	add(p.Colors != nil, "color")
	add(len(p.Joints) > 0, fmt.Sprintf("joints×%d", 4*len(p.Joints)))
	add(p.Indices != nil, "indices")
	return r
}

func newSkinRow(m *assets.Model, k *animation.Skin) skinRow {
	s := m.Skeleton
	r := skinRow{Name: k.Name, Joints: len(k.Joints), Roots: []string{}}
	in := make(map[int32]bool, len(k.Joints))
	for _, j := range k.Joints {
		in[j] = true
	}
	for _, j := range k.Joints {
		if p := s.Parents[j]; p < 0 || !in[p] {
			root := s.Names[j]
			if root == "" {
				root = fmt.Sprintf("node %d", m.Nodes[j].Source)
			}
			r.Roots = append(r.Roots, root)
		}
	}
	for _, b := range k.InverseBind {
		r.InverseBind = r.InverseBind || b != mgl32.Ident4()
	}
	return r
}

func jointRows(m *assets.Model) []jointRow {
	out := make([]jointRow, len(m.Nodes))
	for j := range out {
		n := &m.Nodes[j]
		out[j] = jointRow{m.Skeleton.Names[j], n.Source, m.Skeleton.Parents[j], []int{}, n.Mesh, n.Camera, n.Light}
	}
	for i := range m.Skins {
		for _, j := range m.Skins[i].Joints {
			if s := &out[j].Skins; len(*s) == 0 || (*s)[len(*s)-1] != i {
				*s = append(*s, i)
			}
		}
	}
	return out
}

func newClipRow(m *assets.Model, c *animation.Clip) clipRow {
	r := clipRow{Name: c.Name, Duration: c.Duration, Tracks: len(c.Tracks) + len(c.Properties), Speed: c.Speed, Properties: []string{}}
	var paths, kinds [4]bool
	last := int32(-1)
	for i := range c.Tracks {
		t := &c.Tracks[i]
		r.Keys += len(t.Times)
		paths[t.Path], kinds[t.Interpolation] = true, true
		if t.Joint != last { // tracks are sorted by joint
			r.Joints, last = r.Joints+1, t.Joint
		}
	}
	for i := range c.Properties {
		t := &c.Properties[i]
		r.Keys += len(t.Times)
		kinds[t.Interpolation] = true
		r.Properties = append(r.Properties, gltf.PropertyPath(m, t))
	}
	r.Paths = chosen(paths, pathNames)
	r.Interpolation = chosen(kinds, interpolationNames)
	return r
}

var pathNames = [4]string{
	animation.Translation: "translation", animation.Rotation: "rotation", animation.Scale: "scale", animation.Weights: "weights",
}

var interpolationNames = [4]string{
	animation.Linear: "linear", animation.Step: "step", animation.CubicSpline: "cubic spline",
}

func chosen(which [4]bool, names [4]string) []string {
	out := []string{}
	for i, yes := range which {
		if yes {
			out = append(out, names[i])
		}
	}
	return out
}

func newMaterialRow(m *assets.Model, a *assets.Material) materialRow {
	r := materialRow{
		Name: a.Name, Alpha: [...]string{"opaque", "mask", "blend"}[a.Alpha], BaseColor: a.BaseColor,
		Metallic: a.Metallic, Roughness: a.Roughness, Emissive: a.Emissive,
		DoubleSided: a.DoubleSided, Unlit: a.Unlit, Maps: []mapRow{},
	}
	for _, use := range []struct {
		name string
		ref  *assets.TextureRef
	}{
		{"base color", &a.BaseColorMap}, {"metallic-roughness", &a.MetalRoughMap}, {"normal", &a.NormalMap},
		{"occlusion", &a.OcclusionMap}, {"emissive", &a.EmissiveMap},
	} {
		if use.ref.Texture >= 0 {
			r.Maps = append(r.Maps, mapRow{use.name, m.Textures[use.ref.Texture].Image, use.ref.UVSet})
		}
	}
	return r
}

func newImageRow(p *assets.Image) imageRow {
	r := imageRow{Name: p.Name, Path: p.Path, MIME: p.MIME, Bytes: len(p.Data)}
	if len(p.Data) == 0 {
		r.Fault = "missing"
		return r
	}
	var err error
	if r.Width, r.Height, err = image.Size(p.Data); err != nil {
		r.Fault = strings.TrimPrefix(err.Error(), "image: ")
	}
	return r
}
