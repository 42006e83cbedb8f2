package gpu_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
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
	if face, err = gpu.Reflect(push); err != nil || face.Push != 28 {
		t.Errorf("seven words of push constants are %d bytes, %v", face.Push, err)
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
