package gui

import (
	"math"

	"github.com/bindpose/bindpose/engine/input"
)

// panel is a sample of what Bindpose's own panels hold. It keeps the rectangles
// of the widgets that tests click.
type panel struct {
	shadows, overlay bool
	exposure         float32
	samples          int
	clip             int
	name             string
	sun              [3]float32
	frames           []float32
	mouse            struct{ checkbox, slider, field, combo rect }
}

type rect struct{ x0, y0, x1, y1 float32 }

func (r rect) center() (x, y float32) { return (r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2 }

func newPanel() *panel {
	p := &panel{shadows: true, exposure: 1.25, samples: 4, sun: [3]float32{1, 0.93, 0.82}, clip: 1}
	for i := range 120 {
		p.frames = append(p.frames, 7+float32(math.Sin(float64(i)*0.21))+float32(math.Sin(float64(i)*1.3))*0.6)
	}
	return p
}

var samplePasses = []struct {
	name             string
	cpu, gpu         float64
	draws, triangles int
}{
	{"scripts", 0.112, 0, 0, 0},
	{"physics", 0.874, 0, 0, 0},
	{"animation", 1.431, 0, 0, 0},
	{"shadow", 0.058, 1.204, 12, 148_320},
	{"geometry", 0.071, 2.655, 14, 151_008},
	{"lighting", 0.012, 1.910, 1, 1},
	{"gui", 0.094, 0.311, 9, 2_214},
}

var sampleClips = []string{"Survey", "Walk", "Run"}

func (p *panel) build(c *Context) {
	item := func(r *rect) { r.x0, r.y0, r.x1, r.y1 = c.ItemRect() }
	if c.BeginMainMenuBar() {
		if c.BeginMenu("File") {
			c.MenuItem("Open…", "Ctrl+O", false, true)
			c.EndMenu()
		}
		if c.BeginMenu("View") {
			c.MenuItem("Skeleton", "S", true, true)
			c.EndMenu()
		}
		c.EndMainMenuBar()
	}
	c.SetNextWindowPos(16, 40, FirstUse)
	c.SetNextWindowSize(452, 388, FirstUse)
	if c.Begin("Profile", nil, 0) {
		c.Number(7.52, 2, " ms")
		c.SameLine()
		c.TextDisabled("median of 120 frames")
		c.PlotLines("##frames", &Plot{Values: p.frames, Lo: 0, Hi: 12, W: -1, H: 56})
		if c.BeginTable("passes", 5, TableStripes|TableSortable, 0, 0) {
			c.SetupColumn("Pass", -1, 0)
			c.SetupColumn("CPU ms", 62, Numeric)
			c.SetupColumn("GPU ms", 62, Numeric)
			c.SetupColumn("Draws", 52, Numeric)
			c.SetupColumn("Triangles", 76, Numeric)
			c.HeadersRow()
			for i := range samplePasses {
				s := &samplePasses[i]
				c.NextRow()
				c.CellText(s.name)
				c.CellNumber(s.cpu, 3)
				c.CellNumber(s.gpu, 3)
				c.CellInt(s.draws)
				c.CellInt(s.triangles)
			}
			c.EndTable()
		}
		x, y := c.CursorScreenPos()
		w, _ := c.ContentAvail()
		d, at := c.WindowDrawList(), x
		for i := range samplePasses {
			width := float32(samplePasses[i].cpu+samplePasses[i].gpu) / 8.732 * w
			d.AddRectFilled(at, y+4, at+width-1, y+24, Series[i], 2)
			if tw, _ := c.TextSize(samplePasses[i].name); tw+8 < width {
				d.AddText(at+5, y+5, Hex(0x101317), samplePasses[i].name)
			}
			at += width
		}
		c.Dummy(w, 24)
	}
	c.End()

	c.SetNextWindowPos(484, 40, FirstUse)
	c.SetNextWindowSize(300, 544, FirstUse)
	if c.Begin("Character", nil, 0) {
		c.SetNextItemWidth(-80)
		c.InputText("Filter", "joint name", &p.name, 0)
		item(&p.mouse.field)
		c.SetNextItemWidth(-80)
		c.Combo("Clip", &p.clip, sampleClips)
		item(&p.mouse.combo)
		c.SetNextItemWidth(-80)
		c.SliderFloat("Exposure", &p.exposure, 0, 4, 2)
		item(&p.mouse.slider)
		c.SetNextItemWidth(-80)
		c.SliderInt("Samples", &p.samples, 1, 16)
		c.SetNextItemWidth(-80)
		c.ColorEdit3("Sun", &p.sun)
		c.Checkbox("Shadows", &p.shadows)
		item(&p.mouse.checkbox)
		c.SameLine()
		c.Checkbox("Overlay", &p.overlay)
		c.Button("Play")
		c.SameLine()
		c.BeginDisabled(true)
		c.Button("Export")
		c.EndDisabled()
		c.SameLine()
		c.SetNextItemWidth(-1)
		c.ProgressBar(0.62, -1, 0, "loading 62 %")
		c.Separator()
		if c.CollapsingHeader("Skeleton", TreeDefaultOpen) {
			if c.TreeNode("Hips", TreeDefaultOpen|TreeSpanWidth) {
				if c.TreeNode("Spine", TreeDefaultOpen|TreeSpanWidth) {
					c.TreeNode("Neck", TreeLeaf|TreeSpanWidth)
					c.TreePop()
					c.TreeNode("LeftArm", TreeLeaf|TreeSpanWidth|TreeSelected)
					c.TreePop()
					c.TreePop()
				}
				if c.TreeNode("LeftUpLeg", TreeSpanWidth) {
					c.TreePop()
				}
				c.TreePop()
			}
		}
		c.Spacing()
		c.Heading("Findings")
		c.TextColored(Good, "bind pose matches")
		c.TextColored(Warn, "LeftFoot slides 3.1 cm")
		c.TextColored(Bad, "weights of 12 vertices exceed 1")
	}
	c.End()
}

// stage runs a panel headless, at 800×600.
type stage struct {
	*Context
	in    input.State
	panel *panel
}

func (s *stage) frame() *DrawData {
	s.NewFrame(&s.in, Frame{Width: 800, Height: 600, Delta: 1.0 / 60})
	s.panel.build(s.Context)
	d := s.EndFrame()
	s.in.BeginFrame()
	return d
}

// click presses and lets go at a point, a frame apart.
func (s *stage) click(x, y float32) {
	s.in.MoveMouse(x, y)
	s.frame()
	s.in.SetButton(input.ButtonLeft, true)
	s.frame()
	s.in.SetButton(input.ButtonLeft, false)
	s.frame()
}
