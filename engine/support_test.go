package engine_test

import (
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/corpus"
)

// The pipeline cache of tests is their own.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bindpose-test-cache")
	if err != nil {
		panic(err)
	}
	// What tests build comes from go's own cache all the same.
	if user, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		os.Setenv("GOCACHE", filepath.Join(user, "go-build"))
	}
	os.Setenv("XDG_CACHE_HOME", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func load(t testing.TB, rel string) *assets.Model {
	t.Helper()
	read := gltf.Load
	if strings.HasSuffix(rel, ".fbx") {
		read = fbx.Load
	}
	m, err := read(corpus.Path(t, rel))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func shader(t testing.TB, name string) gpu.Shader {
	t.Helper()
	code, err := os.ReadFile(filepath.Join("testdata", name+".spv"))
	if err != nil {
		t.Fatal(err)
	}
	return gpu.Shader{Name: name, Code: code}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// camera puts a camera into the scene.
func camera(e *engine.Engine, eye, target mgl32.Vec3) *scene.Entity {
	c := e.Scene.Spawn("camera", nil)
	c.Camera = scene.DefaultCamera()
	c.LookAt(eye, target)
	e.Scene.Camera = c
	return c
}

// quad is a flat model in the XY plane, two metres wide, facing +Z.
func quad(material assets.Material) *assets.Model {
	m := box(mgl32.Vec3{1, 1, 0}, material)
	p := &m.Meshes[0].Primitives[0]
	p.Positions = []mgl32.Vec3{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}
	p.Normals = []mgl32.Vec3{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}
	p.UV = [][]mgl32.Vec2{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}}
	p.Indices = []uint32{0, 1, 2, 0, 2, 3}
	return m
}

// box is a model with flat faces and the given half extents.
func box(half mgl32.Vec3, material assets.Material) *assets.Model {
	var p assets.Primitive
	for axis := range 3 {
		for _, sign := range [2]float32{1, -1} {
			u, v := (axis+1)%3, (axis+2)%3
			var n mgl32.Vec3
			n[axis] = sign
			first := uint32(len(p.Positions))
			for _, c := range [4][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var at mgl32.Vec3
				at[axis], at[u], at[v] = sign*half[axis], c[0]*half[u], c[1]*half[v]
				p.Positions = append(p.Positions, at)
				p.Normals = append(p.Normals, n)
			}
			quad := []uint32{0, 1, 2, 0, 2, 3}
			if sign < 0 {
				quad = []uint32{0, 2, 1, 0, 3, 2}
			}
			for _, i := range quad {
				p.Indices = append(p.Indices, first+i)
			}
		}
	}
	m := &assets.Model{Name: "box", Scene: 0, Scenes: []assets.Scene{{Roots: []int32{0}}}}
	m.Skeleton = oneNode()
	m.Nodes = []assets.Node{{Mesh: 0, Skin: -1, Camera: -1, Light: -1, InScene: true}}
	m.Meshes = []assets.Mesh{{Primitives: []assets.Primitive{p}}}
	m.Materials = []assets.Material{material}
	return m
}

// plain is a rough, uncoloured material.
func plain(c mgl32.Vec4) assets.Material {
	m := assets.DefaultMaterial()
	m.BaseColor, m.Metallic = c, 0
	return m
}

// unlit shows its colour as it is, tone mapping apart.
func unlit(c mgl32.Vec4) assets.Material {
	m := plain(c)
	m.Unlit = true
	return m
}

func at(p *image.NRGBA, x, y int) color.NRGBA { return p.NRGBAAt(x, y) }

// worldProbe is a pass that computes the world positions of everything drawn,
// with the streams, records and palettes that the frame uploaded, as the vertex
// shaders do.
type worldProbe struct {
	e        *engine.Engine
	pipeline *gpu.Pipeline
	out      *gpu.Buffer
	graphOut framegraph.Buffer
	runs     []probed
}

// probed is one draw of one instance.
type probed struct {
	instance, prim int // prim: where the primitive lies in its model's buffer
	entity         int // which instance of the batch
	first, count   int
}

const probeRoom = 400_000 // vertices

func newWorldProbe(t testing.TB, e *engine.Engine) *worldProbe {
	t.Helper()
	d := e.Device
	p := &worldProbe{e: e}
	var bindings []gpu.Binding
	for slot := range 4 {
		bindings = append(bindings, gpu.Binding{Slot: slot, Kind: gpu.StorageRange, Stages: gpu.ComputeStage})
	}
	set := must(d.NewSetLayout(gpu.SetLayoutDesc{Name: "probe", Bindings: bindings}))(t)
	layout := must(d.NewLayout(gpu.LayoutDesc{
		Name: "probe", Sets: []*gpu.SetLayout{e.Library.FrameSet, set}, Push: 8 * 4, PushStages: gpu.ComputeStage,
	}))(t)
	p.pipeline = must(d.NewCompute(gpu.ComputeDesc{Name: "probe", Layout: layout, Shader: shader(t, "world.comp")}))(t)
	p.out = must(d.NewBuffer(gpu.BufferDesc{Name: "probe", Size: probeRoom * 16, Usage: framegraph.BufferStorage}))(t)
	if err := e.AddPass("geometry", "probe", framegraph.Compute, p.declare); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *worldProbe) declare(b *framegraph.Builder) framegraph.Record {
	buffer := p.e.Graph().ImportBuffer("probe", framegraph.BufferDesc{Bytes: probeRoom * 16}, p.out.Import(framegraph.State{}, framegraph.State{}))
	b.HostRead(p.e.Images().Uploaded)
	p.graphOut = b.StorageWrite(buffer, framegraph.ComputeShader)
	b.SideEffect()
	return p.record
}

func (p *worldProbe) record(ctx framegraph.Context) {
	c := gpu.From(ctx)
	p.runs = p.runs[:0]
	first := 0
	for _, batch := range slices.Concat(p.e.Draw.Opaque, p.e.Draw.Blended) {
		prim := batch.Primitive
		n := batch.Positions.Size / 12
		whole := func(r gpu.Range) (gpu.Range, uint32) {
			if r.Buffer == nil {
				return batch.Positions.Buffer.Range(0, -1), 0
			}
			return r.Buffer.Range(0, -1), uint32(r.Offset / 4)
		}
		positions, position := whole(batch.Positions)
		skin0, at0 := whole(prim.Skin[0])
		skin1, at1 := whole(prim.Skin[1])
		for i := range batch.Count {
			if first+n > probeRoom {
				c.Fail(os.ErrInvalid)
				return
			}
			c.BindPipeline(p.pipeline)
			p.e.Draw.Bind(c)
			c.Bind(1, gpu.StorageBytes(0, positions), gpu.StorageBytes(1, skin0), gpu.StorageBytes(2, skin1), gpu.StorageBytes(3, c.Buffer(p.graphOut)))
			var push []byte
			dual := uint32(0)
			if prim.Dual {
				dual = 1
			}
			for _, v := range []uint32{uint32(n), uint32(batch.First + i), uint32(prim.Influences), uint32(first), position, at0, at1, dual} {
				push = binary.LittleEndian.AppendUint32(push, v)
			}
			c.PushConstants(0, push)
			c.Dispatch((n+63)/64, 1, 1)
			p.runs = append(p.runs, probed{instance: batch.First + i, prim: prim.Positions.Offset, entity: i, first: first, count: n})
			first += n
		}
	}
}

// positions of every draw, instances in their order and within one the
// primitives in theirs: for one entity, the order of assets.Model.Evaluate.
func (p *worldProbe) positions(t testing.TB) [][]mgl32.Vec3 {
	t.Helper()
	raw := must(p.e.Device.ReadBuffer(p.out, 0, p.out.Size()))(t)
	runs := slices.Clone(p.runs)
	slices.SortFunc(runs, func(a, b probed) int {
		if a.instance != b.instance {
			return a.instance - b.instance
		}
		return a.prim - b.prim
	})
	var out [][]mgl32.Vec3
	for _, r := range runs {
		list := make([]mgl32.Vec3, r.count)
		for v := range list {
			for c := range 3 {
				list[v][c] = math.Float32frombits(binary.LittleEndian.Uint32(raw[16*(r.first+v)+4*c:]))
			}
		}
		out = append(out, list)
	}
	return out
}

func oneNode() *animation.Skeleton {
	return &animation.Skeleton{
		Names: []string{"node"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()},
		MorphOffset: []int32{0, 0},
	}
}

// foxesOf are the entities that show a model.
func foxesOf(e *engine.Engine) []*scene.Entity {
	var out []*scene.Entity
	for x := range e.Scene.All() {
		if x.Mesh != nil {
			out = append(out, x)
		}
	}
	return out
}

// furthest is the greatest distance between vertices of the same index.
func furthest(a, b []mgl32.Vec3) float32 {
	most := float32(0)
	for i := range a {
		most = max(most, a[i].Sub(b[i]).Len())
	}
	return most
}

// differing is in how many pixels two pictures differ visibly.
func differing(a, b *image.NRGBA) int {
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for c := range 3 {
			if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); d > 16 || d < -16 {
				n++
				break
			}
		}
	}
	return n
}

func save(t testing.TB, file string, p *image.NRGBA) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, p), f.Close()); err != nil {
		t.Fatal(err)
	}
}
