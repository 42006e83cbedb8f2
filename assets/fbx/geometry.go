package fbx

import "math"

// geometry is a mesh as the file has it: control points, and polygons whose
// corners name them. It is in the file's units, without a node.
type geometry struct {
	obj      *object
	points   []vec3
	corners  []int32 // control point by corner, over all polygons
	polygons []polygon

	normals, tangents, binormals, colors, materials *layer1
	uv                                              []*layer1

	clusters   []*cluster
	influences [][]influence // by control point; nil where there is no skin
	dual       []float32     // by control point, see assets.Primitive
	channels   []*channel    // of blend shapes
	targets    int
}

// polygon is corners start to start+count; index counts those left out too.
type polygon struct{ start, count, index int32 }

// layer1 is a layer element: values, and which of them a corner has.
type layer1 struct {
	name    string
	values  []float64
	width   int
	indices []int32 // nil: values in order
	mapping mapping
}

type mapping uint8

const (
	byCorner mapping = iota
	byPoint
	byPolygon
	allSame
)

// at is the value of a corner, nil where the file has none.
func (y *layer1) at(corner, point, polygon int32) []float64 {
	i := int32(0)
	switch y.mapping {
	case byCorner:
		i = corner
	case byPoint:
		i = point
	case byPolygon:
		i = polygon
	}
	if y.indices != nil {
		if int(i) >= len(y.indices) {
			return nil
		}
		i = y.indices[i]
	}
	if i < 0 || int(i) >= len(y.values)/y.width {
		return nil
	}
	return y.values[int(i)*y.width : (int(i)+1)*y.width]
}

// geometryOf reads a mesh; nil where the object has none that can be drawn.
func (l *loader) geometryOf(o *object) *geometry {
	if g, known := l.geometries[o]; known {
		return g
	}
	l.geometries[o] = nil
	e := o.el
	if e.child("KnotVectorU") != nil {
		g := l.nurbs(o)
		l.geometries[o] = g
		return g
	}
	flat := e.child("Vertices").floats()
	ends := e.child("PolygonVertexIndex").indices()
	if len(flat) < 3 {
		if l.doc.version >= 7000 && o.sub == "Mesh" {
			l.warn(o.where(), "has no vertices; it was left out")
		}
		return nil
	}
	n := len(flat) / 3
	if !l.pay(int64(n)*24+int64(len(ends))*4, o.where(), e.at) {
		return nil
	}
	g := &geometry{obj: o, points: make([]vec3, n)}
	broken := 0
	for i := range g.points {
		p := vec3{flat[3*i], flat[3*i+1], flat[3*i+2]}
		for c, x := range p {
			if math.IsNaN(x) || math.Abs(x) > 1e30 {
				p[c] = 0
				broken++
			}
		}
		g.points[i] = p
	}
	if broken > 0 {
		l.warn(o.where(), "%d coordinates are not finite; they became 0", broken)
	}
	g.obj.childrenOf("Deformer", "VertexCacheDeformer", func(d *object) {
		name := d.text("ChannelName")
		if c := d.child("Cache"); c != nil {
			name = c.text("CacheFileName")
			l.cache(c, name)
		}
		l.warn(o.where(), "is moved by the vertex cache %q, which is not read; the mesh keeps its shape", shorten(name))
	})
	l.polygons(g, ends)
	l.layers(g)
	l.geometries[o] = g
	l.skin(g)
	l.blendShapes(g)
	return g
}

// polygons reads PolygonVertexIndex: the last corner of each polygon is stored
// as its complement.
func (l *loader) polygons(g *geometry, ends []int32) {
	count := 0
	for _, x := range ends {
		if x < 0 {
			count++
		}
	}
	if !l.pay(int64(count)*12, g.obj.where(), g.obj.el.at) {
		return
	}
	g.corners = make([]int32, len(ends))
	g.polygons = make([]polygon, 0, count)
	start, bad, small := 0, 0, 0
	good := true
	index := int32(0)
	for i, x := range ends {
		last := x < 0
		if last {
			x = ^x
		}
		good = good && int(x) < len(g.points)
		g.corners[i] = x
		if !last {
			continue
		}
		switch n := i + 1 - start; {
		case !good:
			bad++
		case n < 2:
			small++
		default:
			g.polygons = append(g.polygons, polygon{int32(start), int32(n), index})
		}
		start, good = i+1, true
		index++
	}
	if start < len(ends) {
		bad++
	}
	if bad > 0 {
		l.warn(g.obj.where(), "%d polygons name vertices that are not there, or have no end; they were left out", bad)
	}
	if small > 0 {
		l.warn(g.obj.where(), "%d polygons of one corner were left out", small)
	}
}

// layers reads the layer elements.
func (l *loader) layers(g *geometry) {
	e := g.obj.el
	first := func(element, values, indices string, width int) *layer1 {
		if f := e.child(element); f != nil {
			return l.layerElement(g, f, values, indices, width)
		}
		return nil
	}
	g.normals = first("LayerElementNormal", "Normals", "NormalsIndex", 3)
	g.tangents = first("LayerElementTangent", "Tangents", "TangentsIndex", 3)
	g.binormals = first("LayerElementBinormal", "Binormals", "BinormalsIndex", 3)
	g.colors = first("LayerElementColor", "Colors", "ColorIndex", 4)
	g.materials = first("LayerElementMaterial", "Materials", "", 1)
	e.each("LayerElementUV", func(f *element) {
		if len(g.uv) < 8 {
			if y := l.layerElement(g, f, "UV", "UVIndex", 2); y != nil {
				g.uv = append(g.uv, y)
			}
		}
	})
	if l.doc.version < 6000 {
		l.legacyLayers(g)
	}
}

func (l *loader) layerElement(g *geometry, e *element, values, indices string, width int) *layer1 {
	y := &layer1{name: e.child("Name").text(0), values: e.child(values).floats(), width: width}
	if len(y.values) < width {
		// Some files call them "Tangent", "Binormal".
		y.values = e.child(values[:len(values)-1]).floats()
		if len(y.values) < width {
			return nil
		}
	}
	if r := e.child("ReferenceInformationType").text(0); indices != "" && (r == "IndexToDirect" || r == "Index") {
		y.indices = e.child(indices).indices()
		if y.indices == nil {
			if f := e.child(values + "Index"); f != nil {
				y.indices = f.indices()
			}
		}
	}
	n := len(y.values) / width
	if y.indices != nil {
		n = len(y.indices)
	}
	switch m := e.child("MappingInformationType").text(0); m {
	case "ByPolygonVertex":
		y.mapping = byCorner
	case "ByVertex", "ByVertice":
		y.mapping = byPoint
	case "ByPolygon":
		y.mapping = byPolygon
	case "AllSame":
		y.mapping = allSame
	default:
		switch n {
		case len(g.corners):
			y.mapping = byCorner
		case len(g.points):
			y.mapping = byPoint
		case 1:
			y.mapping = allSame
		default:
			l.warn(g.obj.where(), "%s is mapped %q, which is not known; it was left out", e.name, shorten(m))
			return nil
		}
	}
	if m := y.mapping; (m == byCorner && n < len(g.corners) || m == byPoint && n < len(g.points)) && l.err == nil {
		l.warn(g.obj.where(), "%s has %d values, too few; the others are 0", e.name, n)
	}
	return y
}
