package gpu_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/shaders"
)

// What a shader declares is what its source says.
func TestReflect(t *testing.T) {
	face, err := gpu.Reflect(shaders.Code("ssao_apply.comp"))
	if err != nil {
		t.Fatal(err)
	}
	if len(face.Bindings) != 2 || face.Push != 0 {
		t.Fatalf("the interface is %+v", face)
	}
	a, b := face.Bindings[0], face.Bindings[1]
	if a.Set != 1 || a.Slot != 0 || a.Kind != gpu.Texture || a.Writable {
		t.Errorf("occlusion is %+v", a)
	}
	if b.Set != 1 || b.Slot != 1 || b.Kind != gpu.StorageTexture || !b.Writable {
		t.Errorf("material is %+v", b)
	}
	face, err = gpu.Reflect(shaders.Code("lighting.frag"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range face.Bindings {
		switch {
		case b.Set == 0 && (b.Kind != gpu.StorageRange || b.Writable):
			t.Errorf("a frame buffer is %+v", b)
		case b.Set == 1 && b.Slot == 5 && b.StandIn != gpu.FarDepth:
			t.Errorf("the shadow map is %+v", b)
		}
	}
	push, err := os.ReadFile("../testdata/world.comp.spv")
	if err != nil {
		t.Fatal(err)
	}
	if face, err = gpu.Reflect(push); err != nil || face.Push != 32 {
		t.Errorf("eight words of push constants are %d bytes, %v", face.Push, err)
	}
}

// What is no SPIR-V, or cut off, is an error.
func FuzzReflect(f *testing.F) {
	f.Add(shaders.Code("bloom.frag"))
	f.Add(shaders.Code("ssao.comp")[:60])
	f.Add([]byte("text"))
	f.Fuzz(func(t *testing.T, code []byte) {
		face, err := gpu.Reflect(code)
		if err == nil && len(face.Bindings) > len(code) {
			t.Errorf("%d bindings in %d bytes", len(face.Bindings), len(code))
		}
	})
}

// A pipeline whose layout lacks what its shader declares, or has something else there, is refused in words.
func TestAShaderThatDoesNotSuitItsLayoutIsRefused(t *testing.T) {
	d := gputest.Open(t)
	s := gpu.Shader{Name: "ssao_apply.comp", Code: shaders.Code("ssao_apply.comp")}
	empty := must(d.NewSetLayout(gpu.SetLayoutDesc{Name: "empty"}))(t)
	for _, c := range []struct {
		bindings []gpu.Binding
		want     string
	}{
		{[]gpu.Binding{{Slot: 0, Kind: gpu.Texture, Stages: gpu.ComputeStage}}, "no such binding"},
		{[]gpu.Binding{{Slot: 0, Kind: gpu.Texture, Stages: gpu.ComputeStage}, {Slot: 1, Kind: gpu.StorageRange, Stages: gpu.ComputeStage}}, "a storage image"},
		{[]gpu.Binding{{Slot: 0, Kind: gpu.Texture, Stages: gpu.FragmentStage}, {Slot: 1, Kind: gpu.StorageTexture, Stages: gpu.ComputeStage}}, "that stage"},
	} {
		set := must(d.NewSetLayout(gpu.SetLayoutDesc{Name: "own", Bindings: c.bindings}))(t)
		layout := must(d.NewLayout(gpu.LayoutDesc{Name: "own", Sets: []*gpu.SetLayout{empty, set}}))(t)
		_, err := d.NewCompute(gpu.ComputeDesc{Name: "own", Layout: layout, Shader: s})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "ssao_apply.comp") {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
	layout := must(d.NewLayout(gpu.LayoutDesc{Name: "none"}))(t)
	if _, err := d.NewCompute(gpu.ComputeDesc{Name: "own", Layout: layout, Shader: s}); err == nil || !strings.Contains(err.Error(), "0 sets") {
		t.Errorf("the error is %v", err)
	}
}

// A pass that binds an image of the graph which it did not declare, or declared
// otherwise, is told so.
func TestWhatAPassBindsMustBeDeclared(t *testing.T) {
	d := gputest.Open(t)
	s := gpu.Shader{Name: "ssao_apply.comp", Code: shaders.Code("ssao_apply.comp")}
	layout := must(d.LayoutOf("own", nil, gpu.ComputeStage, s))(t)
	pipeline := must(d.NewCompute(gpu.ComputeDesc{Name: "own", Layout: layout, Shader: s}))(t)
	sampler := must(d.Sampler(gpu.SamplerDesc{NoMips: true}))(t)
	for _, c := range []struct {
		name, want     string
		samples, write bool
		format         framegraph.Format
	}{
		{"right", "", true, true, framegraph.RGBA16Float},
		{"no sample", "no Sample", false, true, framegraph.RGBA16Float},
		{"no write", "no StorageWriteImage", true, false, framegraph.RGBA16Float},
		{"whole numbers", "binding 0 is a texture of fractions (sampler2D), which image from is not", true, true, framegraph.R32Uint},
	} {
		t.Run(c.name, func(t *testing.T) {
			dr := newDrawing(t, d, 16, 16, gpu.ModeAuto)
			dr.declare = func(g *framegraph.Graph, back framegraph.Image) {
				image := func(name string, f framegraph.Format) framegraph.Image {
					return g.CreateImage(name, framegraph.ImageDesc{Format: f, Width: 16, Height: 16})
				}
				from, into := image("from", c.format), image("into", framegraph.RGBA8Unorm)
				g.AddPass("fill", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
					from = b.ColorAttachment(from, framegraph.Clear(1, 1, 1, 1))
					return nil
				})
				g.AddPass("fill too", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
					into = b.ColorAttachment(into, framegraph.Clear(1, 1, 1, 1))
					return nil
				})
				g.AddPass("apply", framegraph.Compute, func(b *framegraph.Builder) framegraph.Record {
					if c.samples {
						b.Sample(from, framegraph.ComputeShader)
					} else {
						b.StorageReadImage(from, framegraph.ComputeShader)
					}
					b.StorageReadImage(into, framegraph.ComputeShader)
					if c.write {
						into = b.StorageWriteImage(into, framegraph.ComputeShader)
					}
					b.SideEffect()
					return func(ctx framegraph.Context) {
						x := gpu.From(ctx)
						x.BindPipeline(pipeline)
						x.Bind(1, gpu.Tex(0, x.Image(from), sampler), gpu.StorageImage(1, x.Image(into), gpu.View{}))
						if c.want == "" {
							x.Dispatch(1, 1, 1)
						}
					}
				})
				g.AddPass("clear", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
					b.ColorAttachment(back, framegraph.Clear(0, 0, 0, 1))
					return nil
				})
			}
			err := dr.tryFrame()
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "pass apply") {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}
