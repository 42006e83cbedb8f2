package render

import (
	"fmt"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
)

// Library makes models resident on a device, each once however many entities
// show it, and holds the descriptor set layouts that all passes share.
type Library struct {
	Device *gpu.Device

	// FrameSet is set 0 of every pass (shaders/frame.glsl), MaterialSet is set 1
	// of the passes that draw surfaces (shaders/surface.glsl).
	FrameSet, MaterialSet *gpu.SetLayout
	// ShadowSampler compares with the shadow map, Nearest reads a texel.
	ShadowSampler, Nearest *gpu.Sampler

	models map[*assets.Model]*Model
	warn   func(model *assets.Model, message string)
}

// NewLibrary makes an empty library. warn, which may be nil, is told what was
// replaced by a stand-in.
func NewLibrary(d *gpu.Device, warn func(model *assets.Model, message string)) (*Library, error) {
	if warn == nil {
		warn = func(*assets.Model, string) {}
	}
	l := &Library{Device: d, models: map[*assets.Model]*Model{}, warn: warn}
	all := gpu.VertexStage | gpu.FragmentStage | gpu.ComputeStage
	var err error
	l.FrameSet, err = d.NewSetLayout(gpu.SetLayoutDesc{Name: "frame", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.StorageRange, Stages: all},
		{Slot: 1, Kind: gpu.StorageRange, Stages: all},
		{Slot: 2, Kind: gpu.StorageRange, Stages: all},
		{Slot: 3, Kind: gpu.StorageRange, Stages: all},
	}})
	if err != nil {
		return nil, err
	}
	l.MaterialSet, err = d.NewSetLayout(gpu.SetLayoutDesc{Name: "material", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.UniformRange, Stages: gpu.FragmentStage},
		{Slot: 1, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.White},
		{Slot: 2, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.White},
		{Slot: 3, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.Normal},
		{Slot: 4, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.White},
		{Slot: 5, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.White},
		{Slot: 6, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.White},
		{Slot: 7, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.White},
		{Slot: 8, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.Normal},
	}})
	if err != nil {
		return nil, err
	}
	// Outside the map nothing casts a shadow; the shader tests that itself.
	l.ShadowSampler, err = d.Sampler(gpu.SamplerDesc{
		U: gpu.ClampToEdge, V: gpu.ClampToEdge, Compare: gpu.GreaterEqual, NoMips: true,
	})
	if err != nil {
		return nil, err
	}
	l.Nearest, err = d.Sampler(gpu.SamplerDesc{
		Mag: gpu.Nearest, Min: gpu.Nearest, Mip: gpu.Nearest, U: gpu.ClampToEdge, V: gpu.ClampToEdge, NoMips: true,
	})
	return l, err
}

// Model returns the resident form of m, uploading it on first use.
func (l *Library) Model(m *assets.Model) (*Model, error) {
	if r, ok := l.models[m]; ok {
		return r, nil
	}
	r, err := newModel(l, m)
	if err != nil {
		return nil, fmt.Errorf("uploading %s: %w", m.Name, err)
	}
	l.models[m] = r
	return r, nil
}

// Forget releases a model after the last frame that draws it.
func (l *Library) Forget(m *assets.Model) {
	if r, ok := l.models[m]; ok {
		r.release()
		delete(l.models, m)
	}
}

// Release releases every model.
func (l *Library) Release() {
	for m := range l.models {
		l.Forget(m)
	}
}
