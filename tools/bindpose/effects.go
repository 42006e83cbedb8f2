package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/passes"
)

// effects are passes that are no part of the engine's own frame. They are added
// to it as those of any program are, and cost nothing while they are off.
type effects struct {
	ssao  *passes.SSAO
	bloom *passes.Bloom
}

var effectNames = []string{"ssao", "bloom"}

// checkEffects says which name of --effects is not known.
func checkEffects(names []string) error {
	for _, n := range names {
		if !slices.Contains(effectNames, n) {
			return fmt.Errorf("--effects does not know %q: there are %s", n, strings.Join(effectNames, ", "))
		}
	}
	return nil
}

// addEffects adds all effects to an engine, those named switched on.
func addEffects(e *engine.Engine, on []string) (x effects, err error) {
	if x.ssao, err = passes.NewSSAO(e.Images()); err != nil {
		return x, err
	}
	if x.bloom, err = passes.NewBloom(e.Images()); err != nil {
		return x, err
	}
	x.ssao.Off, x.bloom.Off = !slices.Contains(on, "ssao"), !slices.Contains(on, "bloom")
	if err = x.ssao.AddTo(e); err != nil {
		return x, err
	}
	return x, x.bloom.AddTo(e)
}

// switches are the check boxes of the effects.
func (x *effects) switches(g *gui.Context) {
	ssao, bloom := !x.ssao.Off, !x.bloom.Off
	if g.Checkbox("ambient occlusion", &ssao) {
		x.ssao.Off = !ssao
	}
	g.SameLine()
	if g.Checkbox("bloom", &bloom) {
		x.bloom.Off = !bloom
	}
}

// watched are the folders whose shaders are taken up when they change. In
// Bindpose's own checkout, a window watches its own.
func (f *drawFlags) watched() []string {
	if len(f.shaders) > 0 || f.headless {
		return f.shaders
	}
	if _, err := os.Stat("shaders/frame.glsl"); err == nil {
		return []string{"shaders"}
	}
	return nil
}
