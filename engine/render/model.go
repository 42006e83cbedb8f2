package render

import (
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/framegraph"
)

// Model is a model in GPU memory: one buffer with the streams and indices of
// every primitive, and its materials. It is shared by all that show it.
type Model struct {
	Source *assets.Model

	buffer    *gpu.Buffer
	packed    *assets.Model // Source as it was packed: its influences limited and normalised, tangents made
	meshes    [][]Primitive // as in Source.Meshes
	materials materialSet
	rest      []mgl32.Mat4 // model space from each node's, at rest
	joints    int          // bones of all skins
	parts     []*part
	moving    []movingMaterial
}

// Primitive is what one draw call draws.
type Primitive struct {
	Positions, Attributes gpu.Range // streams 0 and 1
	Skin                  [2]gpu.Range
	Influences            int  // 0, 4 or 8
	Dual                  bool // some vertices are skinned by dual quaternions
	Indices               gpu.Range
	Count                 int // indices, or vertices where there are none
	Indexed               bool
	Topology              gpu.Topology
	Facets                bool // some normals are missing: a facet's own stands in
	Colored               bool // vertices have colors
	Material              *Material
	// Maps and Unlit are the material's, as far as they fit a primitive of this
	// kind: lines and points without tangents have no normal map, and without
	// normals no light (glTF 2.0 §3.9.7).
	Maps  uint32
	Unlit bool

	source *assets.Primitive
	// pieces are boxes, in the node's space, around each pieceTriangles in their
	// order, of a rigid primitive of triangles; none of others.
	pieces []animation.Box
}

// Triangles that one instance draws.
func (p *Primitive) Triangles() int {
	if p.Topology != gpu.Triangles {
		return 0
	}
	return p.Count / 3
}

func newModel(l *Library, m *assets.Model) (_ *Model, err error) {
	r := &Model{Source: m}
	defer func() {
		if err != nil {
			r.release()
		}
	}()
	pose := animation.NewPose(m.Skeleton)
	r.rest = make([]mgl32.Mat4, m.Skeleton.Len())
	pose.ToModel(m.Skeleton, r.rest)

	for i := range m.Skins {
		r.joints += len(m.Skins[i].Joints)
	}
	up := l.Device.NewUpload()
	if r.materials, err = newMaterials(l, m, up); err != nil {
		return nil, err
	}
	r.moving = movingMaterials(m, &r.materials)
	data, meshes := r.pack()
	if len(data) > 0 {
		r.buffer, err = l.Device.NewBuffer(gpu.BufferDesc{
			Name: m.Name, Size: len(data), Usage: framegraph.BufferVertex | framegraph.BufferIndex | framegraph.BufferStorage,
		})
		if err != nil {
			return nil, err
		}
		if err = up.Buffer(r.buffer, 0, data); err != nil {
			return nil, err
		}
	}
	if err = up.Flush(); err != nil {
		return nil, err
	}
	for _, mesh := range meshes {
		for i := range mesh {
			p := &mesh[i]
			for _, range_ := range []*gpu.Range{&p.Positions, &p.Attributes, &p.Skin[0], &p.Skin[1], &p.Indices} {
				if range_.Size > 0 {
					range_.Buffer = r.buffer
				}
			}
		}
	}
	r.meshes = meshes
	return r, nil
}

// pack lays every primitive's streams and indices into one block. The ranges
// get their buffer once it is made.
func (r *Model) pack() (data []byte, meshes [][]Primitive) {
	m := r.Source
	reserve := func(n int) (gpu.Range, []byte) {
		at := (len(data) + 15) &^ 15
		data = append(data, make([]byte, at+n-len(data))...)
		return gpu.Range{Offset: at, Size: n}, data[at : at+n]
	}
	m = m.LimitInfluences(assets.MaxInfluences)
	m = m.NormalizeWeights() // what a file's weights lack would tear its mesh
	m = m.MakeTangents()     // where a normal map needs them and the file has none
	r.packed = m
	meshes = make([][]Primitive, len(m.Meshes))
	for i := range m.Meshes {
		for j := range m.Meshes[i].Primitives {
			src := &m.Meshes[i].Primitives[j]
			n := len(src.Positions)
			if n == 0 || src.Indices != nil && len(src.Indices) == 0 { // nothing is drawn
				continue
			}
			p := Primitive{source: src, Material: r.materials.at(src.Material), Count: n}
			switch src.Topology {
			case assets.Lines:
				p.Topology = gpu.Lines
			case assets.Points:
				p.Topology = gpu.Points
			}
			p.Maps, p.Unlit = p.Material.Maps, p.Material.Unlit
			if src.Topology != assets.Triangles {
				if src.Tangents == nil {
					p.Maps &^= 1<<normalMap | 1<<coatNormalMap
				}
				p.Unlit = p.Unlit || src.Normals == nil
			}
			p.Colored = src.Colors != nil
			p.Facets = slices.ContainsFunc(src.Normals, func(n mgl32.Vec3) bool { return n.LenSqr() < 1e-3 }) || src.Normals == nil
			var bytes []byte
			p.Positions, bytes = reserve(n * positionStride)
			packPositions(bytes, src.Positions)
			p.Attributes, bytes = reserve(n * attributeStride)
			packAttributes(bytes, src, src.Normals, src.Tangents)
			for set := range min(len(src.Joints), len(src.Weights), 2) {
				p.Skin[set], bytes = reserve(n * skinStride)
				packInfluences(bytes, src.Joints[set], src.Weights[set], src.DualQuaternion)
				p.Influences += 4
			}
			p.Dual = p.Influences > 0 && src.DualQuaternion != nil
			if src.Indices != nil {
				p.Indexed, p.Count = true, len(src.Indices)
				p.Indices, bytes = reserve(4 * p.Count)
				packIndices(bytes, src.Indices)
			}
			p.cut()
			meshes[i] = append(meshes[i], p)
		}
	}
	return data, meshes
}

// pieceTriangles is how many triangles of a primitive are culled together.
const pieceTriangles = 512

// cut finds the primitive's pieces.
func (p *Primitive) cut() {
	src := p.source
	if p.Influences > 0 || len(src.Targets) > 0 || p.Topology != gpu.Triangles {
		return
	}
	for i := range p.Count {
		if i%(3*pieceTriangles) == 0 {
			p.pieces = append(p.pieces, animation.NoBox())
		}
		v := uint32(i)
		if p.Indexed {
			v = src.Indices[i]
		}
		last := &p.pieces[len(p.pieces)-1]
		*last = last.With(src.Positions[v])
	}
}

func (r *Model) release() {
	r.buffer.Release()
	r.materials.release()
}
