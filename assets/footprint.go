package assets

import (
	"unsafe"

	"github.com/bindpose/bindpose/assets/image"
)

// Footprint is what a Model holds, counted, and how much memory that takes.
// Slices that several primitives or tracks share are counted once.
type Footprint struct {
	Nodes, Joints               int // Joints: nodes that a skin names
	Meshes, Primitives          int
	Vertices                    int
	Triangles, Lines, Points    int
	MorphTargets                int // of all meshes
	Influences                  int // the most a vertex has room for: 4 a set
	Skins, Clips, Tracks, Keys  int
	Materials, Textures, Images int
	Cameras, Lights             int

	VertexBytes    int64 // attributes as they lie in memory, without morph targets
	IndexBytes     int64
	MorphBytes     int64
	SkinBytes      int64 // inverse bind matrices
	AnimationBytes int64 // times and values

	ImageBytes   int64 // encoded
	DecodedBytes int64 // 8-bit RGBA without mipmaps, of the images whose size can be told
	BadImages    int   // missing, or of no size that can be told
}

// Bytes is the model's memory without decoded images.
func (f Footprint) Bytes() int64 {
	return f.VertexBytes + f.IndexBytes + f.MorphBytes + f.SkinBytes + f.AnimationBytes + f.ImageBytes
}

// Footprint counts. It reads the images' heads but decodes none.
func (m *Model) Footprint() Footprint {
	f := Footprint{
		Nodes: len(m.Nodes), Meshes: len(m.Meshes), Skins: len(m.Skins), Clips: len(m.Clips),
		Materials: len(m.Materials), Textures: len(m.Textures), Images: len(m.Images),
		Cameras: len(m.Cameras), Lights: len(m.Lights),
	}
	seen := shared{}
	for i := range m.Meshes {
		f.addMesh(&m.Meshes[i], seen)
	}
	joints := map[int32]bool{}
	for _, k := range m.Skins {
		f.SkinBytes += bytesOf(seen, k.InverseBind)
		for _, j := range k.Joints {
			joints[j] = true
		}
	}
	f.Joints = len(joints)
	for _, c := range m.Clips {
		f.Tracks += len(c.Tracks)
		for _, t := range c.Tracks {
			f.Keys += len(t.Times)
			f.AnimationBytes += bytesOf(seen, t.Times) + bytesOf(seen, t.Values)
		}
		f.Tracks += len(c.Properties)
		for _, t := range c.Properties {
			f.Keys += len(t.Times)
			f.AnimationBytes += bytesOf(seen, t.Times) + bytesOf(seen, t.Values)
		}
	}
	for _, p := range m.Images {
		f.ImageBytes += bytesOf(seen, p.Data)
		w, h, err := image.Size(p.Data)
		if err != nil {
			f.BadImages++
			continue
		}
		f.DecodedBytes += 4 * int64(w) * int64(h)
	}
	return f
}

func (f *Footprint) addMesh(mesh *Mesh, seen shared) {
	f.MorphTargets += len(mesh.Weights)
	for _, p := range mesh.Primitives {
		f.Primitives++
		if n := bytesOf(seen, p.Positions); n > 0 {
			f.Vertices += len(p.Positions)
			f.VertexBytes += n
		}
		corners := len(p.Positions)
		if p.Indices != nil {
			corners = len(p.Indices)
		}
		switch p.Topology {
		case Triangles:
			f.Triangles += corners / 3
		case Lines:
			f.Lines += corners / 2
		case Points:
			f.Points += corners
		}
		f.IndexBytes += bytesOf(seen, p.Indices)
		f.VertexBytes += bytesOf(seen, p.Normals) + bytesOf(seen, p.Tangents) + bytesOf(seen, p.Colors)
		for _, c := range p.MoreColors {
			f.VertexBytes += bytesOf(seen, c)
		}
		for _, uv := range p.UV {
			f.VertexBytes += bytesOf(seen, uv)
		}
		f.Influences = max(f.Influences, 4*len(p.Joints))
		for s := range p.Joints {
			f.VertexBytes += bytesOf(seen, p.Joints[s]) + bytesOf(seen, p.Weights[s])
		}
		for _, t := range p.Targets {
			f.MorphBytes += bytesOf(seen, t.Positions) + bytesOf(seen, t.Normals) + bytesOf(seen, t.Tangents)
		}
	}
}

// shared holds where the slices begin that were counted.
type shared map[unsafe.Pointer]bool

// bytesOf is a slice's size in memory, 0 where it was counted before.
func bytesOf[T any](seen shared, s []T) int64 {
	at := unsafe.Pointer(unsafe.SliceData(s))
	if len(s) == 0 || seen[at] {
		return 0
	}
	seen[at] = true
	var one T
	return int64(len(s)) * int64(unsafe.Sizeof(one))
}
