package torn

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	demo "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// PairFBX returns the mannequin as an ASCII FBX 7.4 file in centimetres, without
// clips, and the same torn.
func PairFBX() (healthy, sick []byte, err error) { return pairFBX(0) }

// BentFBX is PairFBX with another rest pose than that of binding: every joint is
// turned a little, as in files whose rest is a motion's first frame.
func BentFBX() (healthy, sick []byte, err error) { return pairFBX(math.Pi / 12) }

func pairFBX(bend float32) (healthy, sick []byte, err error) {
	file, err := demo.Files.ReadFile("mannequin.glb")
	if err != nil {
		return nil, nil, err
	}
	m, err := gltf.Decode("mannequin.glb", file, nil)
	if err != nil {
		return nil, nil, err
	}
	return fbx(m, bend), fbx(Tear(m, Difference()), bend), nil
}

// centimetres a metre.
const cm = 100

type text struct{ bytes.Buffer }

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// array writes an array property in the way of ASCII FBX.
func array[T int32 | float64](t *text, indent, name string, values []T) {
	fmt.Fprintf(t, "%s%s: *%d {\n%s\ta: ", indent, name, len(values), indent)
	for i, v := range values {
		if i > 0 {
			t.WriteByte(',')
		}
		t.WriteString(strconv.FormatFloat(float64(v), 'g', 9, 64))
	}
	fmt.Fprintf(t, "\n%s}\n", indent)
}

// inCentimetres is a matrix's 16 numbers with its way in centimetres.
func inCentimetres(m mgl32.Mat4) []float64 {
	out := make([]float64, 16)
	for i, x := range m {
		out[i] = float64(x)
	}
	for i := 12; i < 15; i++ {
		out[i] *= cm
	}
	return out
}

// euler is a rotation as FBX's default order has it, degrees: Z · Y · X.
func euler(q mgl32.Quat) [3]float64 {
	m := q.Mat4()
	at := func(r, c int) float64 { return float64(m.At(r, c)) }
	const degrees = 180 / math.Pi
	return [3]float64{
		math.Atan2(at(2, 1), at(2, 2)) * degrees,
		math.Asin(min(max(-at(2, 0), -1), 1)) * degrees,
		math.Atan2(at(1, 0), at(0, 0)) * degrees,
	}
}

// Object ids: a kind's base and the index.
const (
	modelID, attributeID, geometryID, skinID, clusterID, poseID = 1000000, 2000000, 3000000, 4000000, 5000000, 9000000
)

func fbx(m *assets.Model, bend float32) []byte {
	t := &text{}
	t.line("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n\tCreator: \"Bindpose mktorn\"\n}")
	t.line("GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {")
	for _, p := range [][2]string{{"UpAxis", "1"}, {"UpAxisSign", "1"}, {"FrontAxis", "2"}, {"FrontAxisSign", "1"}, {"CoordAxis", "0"}, {"CoordAxisSign", "1"}} {
		t.line("\t\tP: \"%s\", \"int\", \"Integer\", \"\",%s", p[0], p[1])
	}
	t.line("\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n\t}\n}")
	world := make([]mgl32.Mat4, m.Skeleton.Len())
	for j, p := range m.Skeleton.Parents {
		world[j] = m.Skeleton.Rest[j].Mat4()
		if p >= 0 {
			world[j] = world[p].Mul4(world[j])
		}
	}
	var links text
	connect := func(child, parent int) { links.line("\tC: \"OO\",%d,%d", child, parent) }
	t.line("Objects:  {")
	for j, name := range m.Skeleton.Names {
		kind, rest := "LimbNode", m.Skeleton.Rest[j]
		if m.Nodes[j].Mesh >= 0 {
			kind = "Mesh"
		} else {
			t.line("\tNodeAttribute: %d, \"NodeAttribute::\", \"LimbNode\" {\n\t\tTypeFlags: \"Skeleton\"\n\t}", attributeID+j)
			connect(attributeID+j, modelID+j)
		}
		if kind == "LimbNode" {
			rest.Rotation = rest.Rotation.Mul(mgl32.QuatRotate(bend, mgl32.Vec3{1, 0, 0}))
		}
		r := euler(rest.Rotation)
		t.line("\tModel: %d, \"Model::%s\", \"%s\" {\n\t\tVersion: 232\n\t\tProperties70:  {", modelID+j, name, kind)
		t.line("\t\t\tP: \"InheritType\", \"enum\", \"\", \"\",1")
		t.line("\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",%.9g,%.9g,%.9g", rest.Translation[0]*cm, rest.Translation[1]*cm, rest.Translation[2]*cm)
		t.line("\t\t\tP: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",%.12g,%.12g,%.12g", r[0], r[1], r[2])
		t.line("\t\t\tP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",%.9g,%.9g,%.9g\n\t\t}\n\t}", rest.Scale[0], rest.Scale[1], rest.Scale[2])
		parent := 0
		if p := m.Skeleton.Parents[j]; p >= 0 {
			parent = modelID + int(p)
		}
		connect(modelID+j, parent)
	}
	for j, n := range m.Nodes {
		if n.Mesh >= 0 {
			mesh(t, m, j, world, connect)
		}
	}
	t.line("}\nConnections:  {\n%s}", links.String())
	return t.Bytes()
}

// mesh writes a node's mesh, its skin with a cluster a joint, and its bind pose.
func mesh(t *text, m *assets.Model, node int, world []mgl32.Mat4, connect func(child, parent int)) {
	n := m.Nodes[node]
	var vertices []float64
	var polygons []int32
	of := make(map[int][]int32) // by joint slot: vertices
	weights := make(map[int][]float64)
	for _, p := range m.Meshes[n.Mesh].Primitives {
		base := int32(len(vertices) / 3)
		for v, at := range p.Positions {
			vertices = append(vertices, float64(at[0])*cm, float64(at[1])*cm, float64(at[2])*cm)
			for s := range p.Joints {
				for c, w := range p.Weights[s][v] {
					if slot := int(p.Joints[s][v][c]); w > 0 {
						of[slot], weights[slot] = append(of[slot], base+int32(v)), append(weights[slot], float64(w))
					}
				}
			}
		}
		for i := 0; i+2 < len(p.Indices); i += 3 { // a polygon's last index is ~i
			polygons = append(polygons, base+int32(p.Indices[i]), base+int32(p.Indices[i+1]), ^(base + int32(p.Indices[i+2])))
		}
	}
	name := m.Skeleton.Names[node]
	t.line("\tGeometry: %d, \"Geometry::%s\", \"Mesh\" {", geometryID+node, name)
	array(t, "\t\t", "Vertices", vertices)
	array(t, "\t\t", "PolygonVertexIndex", polygons)
	t.line("\t\tGeometryVersion: 124\n\t}")
	connect(geometryID+node, modelID+node)
	if n.Skin < 0 {
		return
	}
	k := m.Skins[n.Skin]
	t.line("\tDeformer: %d, \"Deformer::%s\", \"Skin\" {\n\t\tVersion: 101\n\t\tLink_DeformAcuracy: 50\n\t}", skinID+node, name)
	connect(skinID+node, geometryID+node)
	bound := world[k.Joints[0]].Mul4(k.InverseBind[0])
	for slot, j := range k.Joints {
		t.line("\tDeformer: %d, \"SubDeformer::%s\", \"Cluster\" {\n\t\tVersion: 100\n\t\tUserData: \"\", \"\"", clusterID+slot, m.Skeleton.Names[j])
		if of[slot] != nil {
			array(t, "\t\t", "Indexes", of[slot])
			array(t, "\t\t", "Weights", weights[slot])
		}
		array(t, "\t\t", "Transform", inCentimetres(k.InverseBind[slot]))
		array(t, "\t\t", "TransformLink", inCentimetres(world[j]))
		t.line("\t}")
		connect(clusterID+slot, skinID+node)
		connect(modelID+int(j), clusterID+slot)
	}
	t.line("\tPose: %d, \"Pose::bind\", \"BindPose\" {\n\t\tType: \"BindPose\"\n\t\tVersion: 100\n\t\tNbPoseNodes: %d", poseID, 1+len(k.Joints))
	pose := func(j int, m mgl32.Mat4) {
		t.line("\t\tPoseNode:  {\n\t\t\tNode: %d", modelID+j)
		array(t, "\t\t\t", "Matrix", inCentimetres(m))
		t.line("\t\t}")
	}
	pose(node, bound)
	for _, j := range k.Joints {
		pose(int(j), world[j])
	}
	t.line("\t}")
}
