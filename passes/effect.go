package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/shaders"
)

// Adder is where passes are added: an engine. See engine.Engine's AddPass and Images.
type Adder interface {
	Images() *Frame
	AddPass(after, name string, kind framegraph.Kind, declare func(*framegraph.Builder) framegraph.Record) error
}

// NewCompute builds the pipeline of a compute pass. Its layout is what the shader declares: set 0 is the frame's, as
// shaders/frame.glsl has it and Draw.Bind binds it; set 1 is the pass's own.
func NewCompute(f *Frame, s gpu.Shader) (*gpu.Pipeline, error) {
	d := f.Library.Device
	layout, err := d.LayoutOf(s.Name, f.Library.FrameSet, gpu.ComputeStage, s)
	if err != nil {
		return nil, err
	}
	return d.NewCompute(gpu.ComputeDesc{Name: s.Name, Layout: layout, Shader: s})
}

// NewFullscreen builds the pipeline of a pass that covers its attachments with one triangle, drawn by Draw(3, 1, 0, 0).
// The fragment shader gets uv at location 0: 0, 0 at the top left, 1, 1 at the bottom right. Its layout is as that of
// NewCompute.
func NewFullscreen(f *Frame, s gpu.Shader, outputs ...gpu.ColorOutput) (*gpu.Pipeline, error) {
	return newFullscreen(f, s, gpu.Depth{}, outputs...)
}

func newFullscreen(f *Frame, s gpu.Shader, depth gpu.Depth, outputs ...gpu.ColorOutput) (*gpu.Pipeline, error) {
	d := f.Library.Device
	layout, err := d.LayoutOf(s.Name, f.Library.FrameSet, gpu.FragmentStage, s)
	if err != nil {
		return nil, err
	}
	return d.NewGraphics(gpu.GraphicsDesc{
		Name: s.Name, Layout: layout, Fragment: s, Depth: depth, Color: outputs,
		Vertex: gpu.Shader{Name: "fullscreen.vert", Code: shaders.Code("fullscreen.vert")},
	})
}

// Groups is how many workgroups of n invocations cover size.
func Groups(size, n int) int { return (size + n - 1) / n }
