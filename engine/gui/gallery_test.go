package gui

import (
	"image/color"
	"math"
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/engine/input"
)

// gallery shows what the panel does not, and keeps where its parts are.
type gallery struct {
	stage
	local, open, joint, row   bool
	opened, deleted, selected int
	position                  [3]float32
	column                    int
	descending                bool
	at                        map[string]rect
	lines                     []float32
}

func newGallery(t *testing.T, scale float32) *gallery {
	t.Helper()
	c, err := New(Options{Scale: scale})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	g := &gallery{stage: stage{Context: c}, local: true, open: true, position: [3]float32{0.12, 1.43, -0.08}, at: map[string]rect{}}
	for i := range 24 { // a skeleton's bones, as an overlay draws them
		a := float64(i) * 0.26
		x, y := 610+70*math.Sin(a), 330+90*math.Cos(2*a)
		g.lines = append(g.lines, float32(x), float32(y), float32(x+26*math.Cos(a)), float32(y+26*math.Sin(a)))
	}
	for range 3 {
		g.frame()
	}
	return g
}

func (g *gallery) mark(name string) {
	x0, y0, x1, y1 := g.ItemRect()
	g.at[name] = rect{x0, y0, x1, y1}
}

func (g *gallery) frame() *DrawData {
	c := g.Context
	s := c.Scale()
	c.NewFrame(&g.in, Frame{Width: 800, Height: 600, Delta: 1.0 / 60})
	c.Background().AddLines(g.lines, Accent.Alpha(0.9), 2)
	for i := 0; i < len(g.lines); i += 4 {
		c.Background().AddCircleFilled(g.lines[i], g.lines[i+1], 3, Warn)
	}
	c.Background().AddText(g.lines[0]+8, g.lines[1]-6, Hex(0xFFFFFF), "LeftHandThumb1")
	c.Background().AddRect(500, 200, 720, 460, Muted, 4, 1)
	c.Background().AddTriangleFilled(500, 480, 520, 480, 510, 495, Bad)
	c.SetNextWindowPos(16, 16, FirstUse)
	c.SetNextWindowSize(430*s, 500*s, FirstUse)
	if c.Begin("Gallery", &g.open, MenuBar) {
		if c.BeginMenuBar() {
			menu := c.BeginMenu("Scene")
			g.mark("menu")
			if menu {
				if c.MenuItem("Open…", "Ctrl+O", false, true) {
					g.opened++
				}
				g.mark("open")
				c.MenuItem("Export", "", false, false)
				c.MenuItem("Grid", "G", true, true)
				c.EndMenu()
			}
			c.EndMenuBar()
		}
		if c.BeginTabBar("tabs") {
			for i, name := range []string{"Pose", "Clips", "Materials"} {
				if c.BeginTab(name) {
					g.selected = i
					c.EndTab()
				}
				g.mark(name)
			}
			c.EndTabBar()
		}
		if c.RadioButton("local", g.local) {
			g.local = true
		}
		c.SameLine()
		if c.RadioButton("model", !g.local) {
			g.local = false
		}
		g.mark("model")
		c.SetNextItemWidth(-80 * s)
		c.DragFloat3("Position", &g.position, 0.01, 0, 0, 2)
		if c.Selectable("a row that is chosen", g.row, 0) {
			g.row = !g.row
		}
		g.mark("row")
		c.PlotBars("##bars", &Plot{Values: []float32{3, 5, 2, 8, 6, 7, 4, 9, 1, 5}, W: -1, H: 40 * s, Overlay: "own range"})
		c.BulletText("bullet → ≤ 3 µs, Ω λ Ж")
		c.PushFont(FontMono)
		c.Text("assets/fox.glb")
		c.PopFont()
		g.joint = c.TreeNode("Root joint", 0)
		g.mark("tree")
		if g.joint {
			c.TextDisabled("a child")
			c.TreePop()
		}
		if c.BeginTable("t", 2, TableSortable|TableScrollY|TableInnerV, 0, 100*s) {
			c.FreezeRows(1, 0)
			c.SetupColumn("Joint", -1, 0)
			c.SetupColumn("Weight", 90*s, Numeric|ColumnSortDescending)
			c.HeadersRow()
			g.column, g.descending, _ = c.Sort()
			for i := range 12 {
				c.NextRow()
				c.CellText("joint")
				c.CellNumber(float64(i)/11, 2)
				if i == 2 {
					c.CellColor(Bad.Alpha(0.4))
				}
			}
			c.EndTable()
		}
		g.mark("table")
		if c.Button("Delete") {
			c.OpenPopup("Delete the clip?")
		}
		g.mark("delete")
		c.Tooltip("Takes the clip out of the file. It cannot be brought back.")
		if c.BeginModal("Delete the clip?", nil, AutoResize) {
			c.TextWrapped("It cannot be brought back.")
			if c.ButtonSized("Delete##yes", 90*s, 0) {
				g.deleted++
				c.ClosePopup()
			}
			g.mark("yes")
			c.EndPopup()
		}
		c.BeginChild("log", 0, 0, true, 0)
		c.TextWrapped("A child window scrolls on its own and wraps what is too long for it.")
		c.EndChild()
	}
	c.End()
	d := c.EndFrame()
	g.in.BeginFrame()
	return d
}

func (g *gallery) click(name string) {
	g.in.MoveMouse(g.at[name].center())
	g.frame()
	g.in.SetButton(input.ButtonLeft, true)
	g.frame()
	g.in.SetButton(input.ButtonLeft, false)
	g.frame()
	g.frame()
}

func TestGoldenGallery(t *testing.T) {
	g := newGallery(t, 1)
	g.in.MoveMouse(g.at["delete"].center())
	for range 3 {
		g.frame()
	}
	d := g.frame()
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, rasterise(d, g.Atlas(), color.RGBA{70, 76, 84, 255}), filepath.Join("testdata", "gallery.png"))
}

func TestEveryPartAnswersItsClick(t *testing.T) {
	for _, scale := range []float32{1, 1.25} {
		g := newGallery(t, scale)
		g.click("model")
		g.click("row")
		g.click("Clips")
		g.click("tree")
		if g.local || !g.row || g.selected != 1 || !g.joint {
			t.Errorf("scale %g: radio %v, row %v, tab %d, tree %v", scale, !g.local, g.row, g.selected, g.joint)
		}
		g.click("menu")
		g.click("open")
		if g.opened != 1 {
			t.Errorf("scale %g: the menu item was chosen %d times", scale, g.opened)
		}
		table := g.at["table"]
		g.at["head"] = rect{table.x1 - 60*scale, table.y0, table.x1 - 30*scale, table.y0 + 16*scale}
		g.click("head")
		if g.column != 1 || !g.descending {
			t.Errorf("scale %g: sorted by %d, descending %v", scale, g.column, g.descending)
		}
		g.click("delete")
		g.click("row") // behind the modal: nothing happens
		g.click("yes")
		g.click("row")
		if g.deleted != 1 || g.row {
			t.Errorf("scale %g: deleted %d times, row %v", scale, g.deleted, g.row)
		}
		if err := g.Err(); err != nil {
			t.Error(err)
		}
	}
}

func TestDragChangesANumber(t *testing.T) {
	g := newGallery(t, 1)
	before := g.position
	model := g.at["model"]
	g.in.MoveMouse(60, model.y1+20)
	g.frame()
	g.in.SetButton(input.ButtonLeft, true)
	g.frame()
	for range 10 {
		g.in.MoveMouse(g.in.MouseX+5, g.in.MouseY)
		g.frame()
	}
	g.in.SetButton(input.ButtonLeft, false)
	g.frame()
	if g.position[0] < before[0]+0.3 || g.position[1] != before[1] {
		t.Errorf("position went from %v to %v", before, g.position)
	}
}
