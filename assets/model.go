package assets

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Model is what one file holds, in Bindpose's conventions: metres, +Y up,
// right-handed, counter-clockwise front faces, UV origin at the top left. It is
// immutable after loading and shared by every entity made from it.
type Model struct {
	Name string // the file's base name without its extension
	Path string // where it was read from

	// Skeleton holds every node of the file in parent-first order. Nodes has
	// the same order and says what each carries.
	Skeleton *animation.Skeleton
	Nodes    []Node
	Scenes   []Scene
	Scene    int // the default scene, -1 where the file has none

	Meshes    []Mesh
	Skins     []animation.Skin
	Clips     []*animation.Clip
	Materials []Material
	Textures  []Texture
	Images    []Image
	Cameras   []Camera
	Lights    []Light
	// Properties are what of materials, lights and cameras clips and expressions
	// move, sorted by what has them.
	Properties []Property

	// Generator, Version, Extensions are told as the file tells them.
	Generator, Version string
	Extensions         []string // used
	ExtensionsRequired []string
	Warnings           []Warning
	PoseMismatches     []PoseMismatch
}

// Scene is a set of root nodes.
type Scene struct {
	Name  string
	Roots []int32
}

// Node is what a joint of the Skeleton carries; -1 means nothing.
type Node struct {
	Mesh, Skin, Camera, Light int32
	InScene                   bool // reached from the default scene's roots
	// Source is the node's index in the file.
	Source int32
}

// Mesh is a list of primitives that are drawn together.
type Mesh struct {
	Name       string
	Primitives []Primitive
	Weights    []float32 // default morph weights
}

// Topology is how vertices make up a primitive.
type Topology uint8

// Loaders turn loops, strips and fans into these three.
const (
	Triangles Topology = iota
	Lines
	Points
)

// Primitive is a piece of a mesh with one material. Every attribute slice is
// either nil or as long as Positions.
type Primitive struct {
	Topology   Topology
	Material   int32 // -1: the default material
	Positions  []mgl32.Vec3
	Normals    []mgl32.Vec3   // unit; nil where the file has none
	Tangents   []mgl32.Vec4   // xyz unit, w the bitangent's sign
	UV         [][]mgl32.Vec2 // by set
	Colors     []mgl32.Vec4   // linear RGBA of set 0
	MoreColors [][]mgl32.Vec4 // sets 1 and on, which are kept and not drawn

	// Joints and Weights are by set of four influences; Joints are palette
	// slots of the node's skin. Weights are as the file has them.
	Joints  [][][4]uint16
	Weights [][][4]float32

	// DualQuaternion is, by vertex, how much of dual-quaternion skinning there
	// is in it: 0 is linear, as all of it is where this is nil.
	DualQuaternion []float32

	Indices []uint32 // nil: vertices in order
	Targets []Target // morph targets
}

// Target is a morph target: differences to be added, weighted. Nil slices mean
// no difference.
type Target struct {
	Name      string
	Positions []mgl32.Vec3
	Normals   []mgl32.Vec3
	Tangents  []mgl32.Vec3
}

// AlphaMode is how a material's alpha is used.
type AlphaMode uint8

// The alpha modes of glTF 2.0 §3.9.4.
const (
	Opaque AlphaMode = iota
	Mask
	Blend
)

// Material is a metallic-roughness material (glTF 2.0 §3.9). Colours are
// linear.
type Material struct {
	Name                                                              string
	BaseColor                                                         mgl32.Vec4
	Metallic, Roughness                                               float32
	Emissive                                                          mgl32.Vec3 // includes KHR_materials_emissive_strength
	NormalScale, OcclusionStrength                                    float32
	BaseColorMap, MetalRoughMap, NormalMap, OcclusionMap, EmissiveMap TextureRef
	Alpha                                                             AlphaMode
	AlphaCutoff                                                       float32
	DoubleSided                                                       bool
	Unlit                                                             bool // KHR_materials_unlit
	Clearcoat                                                         *Clearcoat
}

// Clearcoat is a second, clear layer (KHR_materials_clearcoat): a dielectric of
// index 1.5 over all else.
type Clearcoat struct {
	Factor, Roughness        float32
	NormalScale              float32
	Map, RoughMap, NormalMap TextureRef
}

// DefaultMaterial is what a primitive without one gets (glTF 2.0 §3.7.2.1).
func DefaultMaterial() Material {
	none := TextureRef{Texture: -1, Scale: mgl32.Vec2{1, 1}}
	return Material{
		BaseColor: mgl32.Vec4{1, 1, 1, 1}, Metallic: 1, Roughness: 1,
		NormalScale: 1, OcclusionStrength: 1, AlphaCutoff: 0.5,
		BaseColorMap: none, MetalRoughMap: none, NormalMap: none, OcclusionMap: none, EmissiveMap: none,
	}
}

// TextureRef is a material's use of a texture; Texture -1 means none. Offset,
// Rotation (radians) and Scale are KHR_texture_transform's.
type TextureRef struct {
	Texture  int32
	UVSet    int32
	Offset   mgl32.Vec2
	Rotation float32
	Scale    mgl32.Vec2
}

// Filter and Wrap are a sampler's settings.
type (
	Filter uint8
	Wrap   uint8
)

// Filters and wraps.
const (
	LinearFilter Filter = iota
	NearestFilter
)
const (
	Repeat Wrap = iota
	ClampToEdge
	MirroredRepeat
)

// Texture is an image with a sampler.
type Texture struct {
	Name         string
	Image        int32 // -1: missing; a stand-in is shown
	Mag, Min     Filter
	MipFilter    Filter
	Mipmaps      bool
	WrapU, WrapV Wrap
}

// Image is an encoded picture. Decoding is put off until the picture is drawn
// or inspected: see Decode in package image.
type Image struct {
	Name string
	Path string // the file beside the model, "" where embedded
	MIME string // sniffed from the bytes, not believed from the file
	Data []byte // encoded; nil where missing
}

// Camera is a projection; it looks along its node's -Z.
type Camera struct {
	Name         string
	Orthographic bool
	YFov, Aspect float32 // radians; Aspect 0: the window's
	XMag, YMag   float32
	Near, Far    float32 // Far 0: infinite
}

// LightKind is a kind of light.
type LightKind uint8

// The kinds of KHR_lights_punctual.
const (
	Directional LightKind = iota
	Point
	Spot
)

// Light is a KHR_lights_punctual light; it shines along its node's -Z.
type Light struct {
	Name                 string
	Kind                 LightKind
	Color                mgl32.Vec3 // linear
	Intensity            float32    // lux for directional, candela otherwise
	Range                float32    // metres; 0: unbounded
	InnerCone, OuterCone float32    // radians, half angles
}

// PoseMismatch is where an FBX file tells two bind matrices of one thing: the one
// that its skin was bound with, which counts, and that of its BindPose.
type PoseMismatch struct {
	Skin  int32 // of Model.Skins
	Joint int32 // -1: the mesh itself
	// Off is the largest element of BindPose⁻¹ · bound - 1, translation in metres.
	Off float32
}

// Warning is something that was repaired or left out while loading.
type Warning struct {
	Where   string // a JSON path, such as meshes[0].primitives[1].attributes.POSITION
	Message string
}
