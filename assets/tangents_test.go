package assets_test

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// plainUse is a normal map on UV set 0, as it lies in the file.
var plainUse = assets.DefaultMaterial().NormalMap

// tangled makes tangents and checks what must hold of any: unit, across the
// normal, a sign of 1 or -1, no more vertices than corners beyond those there
// were, and every triangle where it was.
func tangled(t *testing.T, p assets.Primitive, use assets.TextureRef) assets.Primitive {
	t.Helper()
	made, ok := p.WithTangents(use)
	if !ok {
		t.Fatal("no tangents were made")
	}
	corners := len(p.Indices)
	if p.Indices == nil {
		corners = len(p.Positions)
	}
	if n := len(made.Positions); n < len(p.Positions) || n > len(p.Positions)+corners || len(made.Tangents) != n || len(made.Normals) != n || len(made.UV[0]) != n {
		t.Fatalf("%d vertices of %d with %d corners; %d tangents, %d normals, %d UVs", n, len(p.Positions), corners, len(made.Tangents), len(made.Normals), len(made.UV[0]))
	}
	for v, x := range made.Tangents {
		n := float64(x.Vec3().Len())
		if !(math.Abs(n-1) < 1e-5) || x[3] != 1 && x[3] != -1 || math.Abs(float64(x.Vec3().Dot(made.Normals[v]))) > 1e-3 {
			t.Fatalf("the tangent of vertex %d is %v, its normal %v", v, x, made.Normals[v])
		}
	}
	for k, v := range made.Indices {
		if made.Positions[v] != p.Positions[p.Indices[k]] || made.UV[0][v] != p.UV[0][p.Indices[k]] {
			t.Fatalf("corner %d has moved", k)
		}
	}
	return made
}

func near(t *testing.T, what string, have, want mgl32.Vec4) {
	t.Helper()
	if d := have.Sub(want); !(d.Dot(d) < 1e-10) {
		t.Errorf("%s: tangent %v, by hand %v", what, have, want)
	}
}

// plane is a unit square facing +Z whose U grows along X and whose V grows down.
func plane() assets.Primitive {
	z := mgl32.Vec3{0, 0, 1}
	return assets.Primitive{
		Positions: []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
		Normals:   []mgl32.Vec3{z, z, z, z},
		UV:        [][]mgl32.Vec2{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
}

func TestTangentsOfAPlane(t *testing.T) {
	made := tangled(t, plane(), plainUse)
	for v := range made.Tangents {
		near(t, "plane", made.Tangents[v], mgl32.Vec4{1, 0, 0, 1})
	}
	if len(made.Positions) != 4 {
		t.Errorf("%d vertices", len(made.Positions))
	}
	// The picture turned by a quarter, counter-clockwise in it: its U now grows
	// along V of the mesh (KHR_texture_transform's own figure).
	turned := plainUse
	turned.Rotation = math.Pi / 2
	near(t, "turned", tangled(t, plane(), turned).Tangents[0], mgl32.Vec4{0, -1, 0, 1})
	mirrored := plainUse
	mirrored.Scale = mgl32.Vec2{-1, 1}
	near(t, "mirrored", tangled(t, plane(), mirrored).Tangents[0], mgl32.Vec4{-1, 0, 0, -1})
}

// A seam at which U turns back splits its two vertices, with opposite signs.
func TestTangentsSplitAtAMirroredSeam(t *testing.T) {
	z := mgl32.Vec3{0, 0, 1}
	p := assets.Primitive{
		Positions: []mgl32.Vec3{{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-1, 1, 0}, {0, 1, 0}, {1, 1, 0}},
		Normals:   []mgl32.Vec3{z, z, z, z, z, z},
		UV:        [][]mgl32.Vec2{{{1, 1}, {0, 1}, {1, 1}, {1, 0}, {0, 0}, {1, 0}}},
		Colors:    []mgl32.Vec4{{0}, {1}, {2}, {3}, {4}, {5}},
		Joints:    [][][4]uint16{{{0}, {1}, {2}, {3}, {4}, {5}}},
		Targets:   []assets.Target{{Positions: []mgl32.Vec3{{0}, {1}, {2}, {3}, {4}, {5}}}},
		Indices:   []uint32{0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4},
	}
	made := tangled(t, p, plainUse)
	if len(made.Positions) != 8 {
		t.Fatalf("%d vertices, by hand 8", len(made.Positions))
	}
	for k, v := range made.Indices {
		want := mgl32.Vec4{-1, 0, 0, -1}
		if k >= 6 {
			want = mgl32.Vec4{1, 0, 0, 1}
		}
		near(t, "seam", made.Tangents[v], want)
		from := p.Indices[k]
		if made.Colors[v] != p.Colors[from] || made.Joints[0][v] != p.Joints[0][from] || made.Targets[0].Positions[v] != p.Targets[0].Positions[from] {
			t.Errorf("corner %d has another vertex's colour, joints or target", k)
		}
	}
	if len(p.Positions) != 6 || p.Tangents != nil || p.Indices[6] != 1 {
		t.Error("the primitive itself was changed")
	}
}

// Two triangles of other sizes around a corner count by their angles, not their
// areas: U grows along (1, 2) over 45° and along (0, 1) over 90°.
func TestTangentsAreWeightedByAngle(t *testing.T) {
	z := mgl32.Vec3{0, 0, 1}
	p := assets.Primitive{
		Positions: []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {10, 10, 0}, {-10, 10, 0}},
		Normals:   []mgl32.Vec3{z, z, z, z},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
		// With w = -v: over the first triangle u = x and w = y - 2x, over the
		// second u = y and w = -x.
		UV: [][]mgl32.Vec2{{{0, 0}, {1, 2}, {10, 10}, {10, -10}}},
	}
	made := tangled(t, p, plainUse)
	root := float32(math.Sqrt(5))
	want := mgl32.Vec3{1 / root, 2/root + 2, 0}.Normalize()
	near(t, "fan", made.Tangents[0], want.Vec4(1))
}

func TestTangentsOfACube(t *testing.T) {
	var p assets.Primitive
	var want []mgl32.Vec4
	for axis := range 3 {
		for _, sign := range []float32{-1, 1} {
			var n, u mgl32.Vec3
			n[axis], u[(axis+1)%3] = sign, 1
			up := n.Cross(u) // the bitangent of an upright face
			first := uint32(len(p.Positions))
			for _, c := range [][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				p.Positions = append(p.Positions, n.Add(u.Mul(c[0])).Add(up.Mul(c[1])))
				p.Normals = append(p.Normals, n)
				if len(p.UV) == 0 {
					p.UV = append(p.UV, nil)
				}
				p.UV[0] = append(p.UV[0], mgl32.Vec2{(1 + c[0]) / 2, (1 - c[1]) / 2})
				want = append(want, u.Vec4(1))
			}
			for _, k := range []uint32{0, 1, 2, 0, 2, 3} {
				p.Indices = append(p.Indices, first+k)
			}
		}
	}
	made := tangled(t, p, plainUse)
	if len(made.Positions) != 24 {
		t.Fatalf("%d vertices", len(made.Positions))
	}
	for v := range want {
		near(t, "cube", made.Tangents[v], want[v])
	}
}

// sphere is a unit sphere by longitude and latitude, with a seam of doubled
// vertices and poles whose triangles have one corner of many vertices.
func sphere(columns, rows int) assets.Primitive {
	p := assets.Primitive{UV: [][]mgl32.Vec2{nil}}
	for r := range rows + 1 {
		for c := range columns + 1 {
			sinA, cosA := math.Sincos(2 * math.Pi * float64(c%columns) / float64(columns))
			sinB, cosB := math.Sincos(math.Pi * float64(r) / float64(rows))
			at := mgl32.Vec3{float32(sinB * cosA), float32(cosB), float32(-sinB * sinA)}
			p.Positions, p.Normals = append(p.Positions, at), append(p.Normals, at)
			p.UV[0] = append(p.UV[0], mgl32.Vec2{float32(c) / float32(columns), float32(r) / float32(rows)})
		}
	}
	w := uint32(columns + 1)
	for r := range uint32(rows) {
		for c := range uint32(columns) {
			a := r*w + c
			if r > 0 {
				p.Indices = append(p.Indices, a, a+w, a+1)
			}
			if int(r) < rows-1 {
				p.Indices = append(p.Indices, a+1, a+w, a+w+1)
			}
		}
	}
	return p
}

// On a sphere the tangent is the way of growing longitude.
func TestTangentsOfASphere(t *testing.T) {
	const columns, rows = 64, 32
	p := sphere(columns, rows)
	made := tangled(t, p, plainUse)
	if len(made.Positions) != len(p.Positions) {
		t.Errorf("%d vertices became %d", len(p.Positions), len(made.Positions))
	}
	worst := 0.0
	for v, n := range made.Normals {
		if r := v / (columns + 1); r == 0 || r == rows {
			continue
		}
		along := mgl32.Vec3{n[2], 0, -n[0]}.Normalize()
		if made.Tangents[v][3] != 1 {
			t.Fatalf("vertex %d is mirrored", v)
		}
		off := math.Acos(math.Min(1, float64(along.Dot(made.Tangents[v].Vec3()))))
		worst = max(worst, off)
	}
	// At the seam only one side counts: half a column's turn.
	if limit := 1.5 * math.Pi / columns; worst > limit {
		t.Errorf("%.4f rad off, of %.4f", worst, limit)
	}
}

// Corners that look the same are one, indexed or not (MikkTSpace's promise).
func TestTangentsDoNotDependOnIndices(t *testing.T) {
	p := sphere(12, 8)
	made := tangled(t, p, plainUse)
	loose := assets.Primitive{UV: [][]mgl32.Vec2{nil}}
	for _, v := range p.Indices {
		loose.Positions, loose.Normals = append(loose.Positions, p.Positions[v]), append(loose.Normals, p.Normals[v])
		loose.UV[0] = append(loose.UV[0], p.UV[0][v])
	}
	other := tangled(t, loose, plainUse)
	for k, v := range made.Indices {
		near(t, "loose", other.Tangents[k], made.Tangents[v])
	}
	for k, v := range p.Indices[:min(len(p.Indices), len(made.Indices))] {
		near(t, "indexed", made.Tangents[v], other.Tangents[k])
	}
}

// UVs without area take their neighbours' side, and where there are none too any
// direction will do, but a number it must be.
func TestTangentsOfDegenerateUVs(t *testing.T) {
	p := plane()
	p.UV[0][3] = mgl32.Vec2{0.5, 0.5} // on the diagonal: the second triangle has no area of UV
	made := tangled(t, p, plainUse)
	near(t, "beside", made.Tangents[2], mgl32.Vec4{1, 0, 0, 1})

	p = plane()
	for i := range p.UV[0] {
		p.UV[0][i] = mgl32.Vec2{}
	}
	tangled(t, p, plainUse)
	p.Positions = make([]mgl32.Vec3, 4)
	tangled(t, p, plainUse)
	p = plane()
	for i := range p.UV[0] {
		p.UV[0][i] = p.UV[0][i].Mul(1e-30)
		p.Positions[i] = p.Positions[i].Mul(1e30)
	}
	tangled(t, p, plainUse)
	p = plane()
	p.Indices = append(p.Indices, 0, 0, 2, 1, 1, 1) // and triangles without area
	if made = tangled(t, p, plainUse); len(made.Positions) != 4 {
		t.Errorf("triangles without area made %d vertices", len(made.Positions))
	}
}

func TestTangentsAreMadeOnlyWhereNeeded(t *testing.T) {
	material := assets.DefaultMaterial()
	mapped := assets.DefaultMaterial()
	mapped.NormalMap.Texture = 0
	unlit := mapped
	unlit.Unlit = true
	with, without := plane(), plane()
	with.Material, without.Material = 1, 0
	bare := plane()
	bare.Material, bare.Normals = 1, nil
	dark := plane()
	dark.Material = 2
	m := &assets.Model{Materials: []assets.Material{material, mapped, unlit}, Meshes: []assets.Mesh{{Primitives: []assets.Primitive{without, bare, dark}}}}
	if m.MakeTangents() != m {
		t.Error("a model that needs no tangents was copied")
	}
	m.Meshes = append(m.Meshes, assets.Mesh{Primitives: []assets.Primitive{with}})
	out := m.MakeTangents()
	if out == m || out.Meshes[1].Primitives[0].Tangents == nil || m.Meshes[1].Primitives[0].Tangents != nil || out.Meshes[0].Primitives[0].Tangents != nil {
		t.Error("tangents in the wrong place")
	}
	if out.MakeTangents() != out {
		t.Error("tangents were made twice")
	}
	broken := plane()
	broken.Indices = []uint32{0, 1, 9}
	if _, ok := broken.WithTangents(plainUse); ok {
		t.Error("an index beyond the vertices was taken")
	}
}

// A file that brings tangents, read without them: what is made is what its
// exporter, which follows MikkTSpace too, wrote.
func TestTangentsAgainstAnExporter(t *testing.T) {
	m, err := gltf.Load(corpus.Path(t, "gltf/draco-testdata/sphere.gltf"))
	if err != nil {
		t.Fatal(err)
	}
	p := m.Meshes[0].Primitives[0]
	bare := p
	bare.Tangents = nil
	made := tangled(t, bare, plainUse)
	for k, v := range p.Indices {
		have, want := made.Tangents[made.Indices[k]], p.Tangents[v]
		if have[3] != want[3] || have.Vec3().Dot(want.Vec3()) < 0.99 {
			t.Errorf("corner %d: %v, in the file %v", k, have, want)
		}
	}
	if len(p.Indices) != 672 {
		t.Errorf("%d corners were compared", len(p.Indices))
	}
}

func TestTangentsOfNormalTangentTest(t *testing.T) {
	m, err := gltf.Load(corpus.Path(t, "gltf/NormalTangentTest/glTF-Binary/NormalTangentTest.glb"))
	if err != nil {
		t.Fatal(err)
	}
	before := m.Meshes[0].Primitives[0]
	made := tangled(t, before, m.Materials[before.Material].NormalMap)
	t.Logf("%d vertices became %d", len(before.Positions), len(made.Positions))
	if got := m.MakeTangents(); got == m {
		t.Error("the model has a normal map and no tangents, and none were made")
	}
}

func BenchmarkTangents(b *testing.B) {
	p := sphere(256, 128)
	b.ReportAllocs()
	for b.Loop() {
		p.WithTangents(plainUse)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(p.Indices)/3), "ns/triangle")
}
