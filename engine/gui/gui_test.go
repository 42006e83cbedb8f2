package gui

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/input"
)

// make golden sets it, to draw the golden pictures anew.
var update = os.Getenv("BINDPOSE_GOLDEN") == "write"

func newStage(t testing.TB, o Options) *stage {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	s := &stage{Context: c, panel: newPanel()}
	for range 3 { // sizes of tables and windows settle in two frames
		s.frame()
	}
	return s
}

// The golden was drawn by this test's own rasteriser and judged by eye.
func TestGoldenPanel(t *testing.T) {
	s := newStage(t, Options{})
	s.in.MoveMouse(120, 210)
	d := s.frame()
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	got := rasterise(d, s.Atlas(), color.RGBA{70, 76, 84, 255})
	compareGolden(t, got, filepath.Join("testdata", "panel.png"))
}

func compareGolden(t *testing.T, got *image.RGBA, path string) {
	t.Helper()
	write := func(path string) {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := png.Encode(f, got); err != nil {
			t.Fatal(err)
		}
	}
	if update {
		write(path)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != got.Bounds() {
		t.Fatalf("the picture is %v, the golden %v", got.Bounds(), want.Bounds())
	}
	if n := differing(got, want, 3); n > 800*600/1000 {
		out := filepath.Join(os.TempDir(), "bindpose-gui-"+filepath.Base(path))
		write(out)
		t.Errorf("%d pixels differ from %s by more than 3 of 255; the new picture is %s", n, path, out)
	}
}

// differing counts the pixels of which a channel differs by more than tolerance.
func differing(a, b image.Image, tolerance int) int {
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r0, g0, b0, _ := a.At(x, y).RGBA()
			r1, g1, b1, _ := b.At(x, y).RGBA()
			if off(r0, r1) > tolerance || off(g0, g1) > tolerance || off(b0, b1) > tolerance {
				n++
			}
		}
	}
	return n
}

func off(a, b uint32) int { d := int(a>>8) - int(b>>8); return max(d, -d) }

func TestLayoutIsStable(t *testing.T) {
	s := newStage(t, Options{})
	first := slices.Clone(s.frame().Lists)
	var vertices [][]Vertex
	for _, l := range first {
		vertices = append(vertices, slices.Clone(l.Vertices))
	}
	for range 5 {
		d := s.frame()
		for i, l := range d.Lists {
			if !slices.Equal(l.Vertices, vertices[i]) {
				t.Fatal("an untouched panel moves from frame to frame")
			}
		}
	}
}

func TestCommandsStayInTheirBuffersAndOnTheScreen(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 2} {
		s := newStage(t, Options{})
		s.NewFrame(nil, Frame{Width: 800, Height: 600, FramebufferScale: scale, Delta: 1.0 / 60})
		s.panel.build(s.Context)
		s.Foreground().AddLine(-500, -500, 5000, 5000, Accent, 2)
		d := s.EndFrame()
		indices := make([]uint16, d.IndexCount)
		if d.CopyIndices(indices) != d.IndexCount || d.CopyVertices(make([]Vertex, d.VertexCount)) != d.VertexCount {
			t.Fatal("the lists do not add up to the counts")
		}
		if len(d.Commands) == 0 {
			t.Fatal("nothing is drawn")
		}
		for _, c := range d.Commands {
			if c.ClipX < 0 || c.ClipY < 0 || c.ClipW <= 0 || c.ClipH <= 0 ||
				float32(c.ClipX+c.ClipW) > 800*scale || float32(c.ClipY+c.ClipH) > 600*scale {
				t.Fatalf("scissor %+v leaves the framebuffer", c)
			}
			if c.Texture != FontTexture {
				t.Fatalf("texture %d", c.Texture)
			}
			for _, i := range indices[c.IndexOffset : c.IndexOffset+c.IndexCount] {
				if int(c.VertexOffset)+int(i) >= d.VertexCount {
					t.Fatalf("index %d + %d of %d vertices", c.VertexOffset, i, d.VertexCount)
				}
			}
		}
	}
}

func TestClickTogglesACheckbox(t *testing.T) {
	s := newStage(t, Options{})
	s.click(s.panel.mouse.checkbox.center())
	if s.panel.shadows {
		t.Error("the click was lost")
	}
	if !s.WantMouse() {
		t.Error("the mouse is over a window, and the GUI does not want it")
	}
	s.click(795, 595)
	if s.WantMouse() {
		t.Error("the mouse is over nothing, and the GUI wants it")
	}
}

// A press and release between two frames is one click all the same.
func TestQuickClickIsSeen(t *testing.T) {
	s := newStage(t, Options{})
	s.in.MoveMouse(s.panel.mouse.checkbox.center())
	s.frame()
	s.in.SetButton(input.ButtonLeft, true)
	s.in.SetButton(input.ButtonLeft, false)
	s.frame()
	s.frame()
	if s.panel.shadows {
		t.Error("a click within one frame was lost")
	}
}

func TestDragMovesASlider(t *testing.T) {
	s := newStage(t, Options{})
	r := s.panel.mouse.slider
	_, y := r.center()
	s.in.MoveMouse(r.x0+20, y)
	s.frame()
	s.in.SetButton(input.ButtonLeft, true)
	s.frame()
	low := s.panel.exposure
	s.in.MoveMouse(r.x0+500, y)
	s.frame()
	s.in.SetButton(input.ButtonLeft, false)
	s.frame()
	if low > 1 || s.panel.exposure != 4 {
		t.Errorf("exposure went to %g then %g, want under 1 then 4", low, s.panel.exposure)
	}
}

type memory struct{ text string }

func (m *memory) ClipboardText() string     { return m.text }
func (m *memory) SetClipboardText(s string) { m.text = s }

// A window is found where it was, in a context that was told the layout.
func TestLayoutPutsWindowsWhereTheyWere(t *testing.T) {
	place := func(c *Context, move bool) (x0, y0, x1, y1 float32) {
		c.NewFrame(nil, Frame{Width: 640, Height: 480, FramebufferScale: 1, Delta: 1.0 / 60})
		defer c.EndFrame()
		if move {
			c.SetNextWindowPos(211, 97, Always)
			c.SetNextWindowSize(180, 120, Always)
		} else {
			c.SetNextWindowPos(10, 10, FirstUse)
			c.SetNextWindowSize(50, 60, FirstUse)
		}
		c.Begin("moved", nil, 0)
		defer c.End()
		return c.WindowRect()
	}
	open := func() *Context {
		c, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	a, b, c := open(), open(), open()
	place(a, true)
	b.SetLayout(a.Layout())
	c.SetLayout("[Window][")
	if x0, y0, x1, y1 := place(b, false); x0 != 211 || y0 != 97 || x1 != 391 || y1 != 217 {
		t.Errorf("the window is from %v, %v to %v, %v", x0, y0, x1, y1)
	}
	if x, y, _, _ := place(c, false); x != 10 || y != 10 {
		t.Errorf("with a layout that says nothing the window is at %v, %v", x, y)
	}
}

func TestTextFieldTakesTypingAndClipboard(t *testing.T) {
	board := &memory{}
	s := newStage(t, Options{Clipboard: board})
	s.click(s.panel.mouse.field.center())
	if !s.WantText() || !s.WantKeyboard() {
		t.Fatal("the field did not take the keyboard")
	}
	for _, r := range "Füße λ" {
		s.in.Type(r)
	}
	s.frame()
	if s.panel.name != "Füße λ" {
		t.Fatalf("typed text is %q", s.panel.name)
	}
	chord := func(k input.Key) {
		s.in.SetKey(input.KeyLeftControl, true)
		s.in.SetKey(k, true)
		s.frame()
		s.in.SetKey(k, false)
		s.in.SetKey(input.KeyLeftControl, false)
		s.frame()
	}
	chord(input.KeyA)
	chord(input.KeyX)
	if board.text != "Füße λ" || s.panel.name != "" {
		t.Fatalf("cut left %q in the field and %q on the clipboard", s.panel.name, board.text)
	}
	board.text = "mixamorig:Hips"
	chord(input.KeyV)
	if s.panel.name != "mixamorig:Hips" {
		t.Fatalf("pasted text is %q", s.panel.name)
	}
	s.in.SetKey(input.KeyBackspace, true)
	s.frame()
	if s.panel.name != "mixamorig:Hip" {
		t.Fatalf("after Backspace the text is %q", s.panel.name)
	}
}

func TestComboChooses(t *testing.T) {
	s := newStage(t, Options{})
	s.click(s.panel.mouse.combo.center())
	r := s.panel.mouse.combo
	x, y := r.center()
	s.click(x, y+(r.y1-r.y0)+60) // the third row of the list below
	if s.panel.clip != 2 {
		t.Errorf("clip %d is chosen, want 2", s.panel.clip)
	}
}

func TestSteadyFrameAllocatesNothing(t *testing.T) {
	s := newStage(t, Options{})
	label := []byte("joint ")
	lines := make([]float32, 4*64)
	frame := func() {
		s.in.MoveMouse(300, 300)
		s.NewFrame(&s.in, Frame{Width: 800, Height: 600, Delta: 1.0 / 60})
		s.panel.build(s.Context)
		s.Foreground().AddLines(lines, Accent, 1.5)
		s.Begin("Extra", nil, 0)
		s.TextBytes(label)
		s.Number(1.5, 2, " m")
		v := float32(0.5)
		n := 3
		s.SliderFloat("local", &v, 0, 1, 2)
		s.SliderInt("local int", &n, 0, 9)
		s.DragFloat3("position", &s.panel.sun, 0.01, 0, 1, 3)
		s.End()
		s.EndFrame()
		s.in.BeginFrame()
	}
	frame()
	frame()
	if n := testing.AllocsPerRun(50, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestContextsDoNotInterfere(t *testing.T) {
	a, b := newStage(t, Options{}), newStage(t, Options{Scale: 2})
	ax, ay := a.panel.mouse.checkbox.center()
	a.in.MoveMouse(ax, ay)
	a.in.SetButton(input.ButtonLeft, true)
	a.NewFrame(&a.in, Frame{Width: 800, Height: 600, Delta: 1.0 / 60})
	b.NewFrame(&b.in, Frame{Width: 800, Height: 600, Delta: 1.0 / 60})
	// Call by call, one inside the other's frame.
	a.Begin("A", nil, 0)
	b.Begin("B", nil, 0)
	wa, _ := a.TextSize("joint")
	wb, _ := b.TextSize("joint")
	a.End()
	b.End()
	b.EndFrame()
	a.EndFrame()
	if wb < 1.7*wa {
		t.Errorf("text is %g wide at scale 1 and %g at scale 2", wa, wb)
	}
	if a.Err() != nil || b.Err() != nil {
		t.Error(a.Err(), b.Err())
	}
	if !a.WantMouse() || b.WantMouse() {
		t.Error("the mouse of one context reached the other")
	}
	b.Close()
	a.in.BeginFrame()
	if d := a.frame(); len(d.Commands) == 0 || !b.panel.shadows {
		t.Error("closing one context hurt the other")
	}
}

func TestUnbalancedCallsAreMendedAndNamed(t *testing.T) {
	s := newStage(t, Options{})
	cases := map[string]func(){
		"End":          func() { s.End() },
		"TreePop":      func() { s.Begin("w", nil, 0); s.TreePop(); s.End() },
		"PopID":        func() { s.Begin("w", nil, 0); s.PopID(); s.End() },
		"PopStyle":     func() { s.PopStyleColor(3) },
		"PopFont":      func() { s.PopFont() },
		"EndTable":     func() { s.Begin("w", nil, 0); s.EndTable(); s.End() },
		"EndPopup":     func() { s.Begin("w", nil, 0); s.EndPopup(); s.End() },
		"EndTabBar":    func() { s.Begin("w", nil, 0); s.EndTabBar(); s.End() },
		"NextRow":      func() { s.Begin("w", nil, 0); s.NextRow(); s.NextColumn(); s.HeadersRow(); s.End() },
		"missing End":  func() { s.Begin("w", nil, 0) },
		"missing Pop":  func() { s.Begin("w", nil, 0); s.PushID("x"); s.PushStyleColor(StyleText, Bad); s.End() },
		"open table":   func() { s.Begin("w", nil, 0); s.BeginTable("t", 2, 0, 0, 0) },
		"EndChild":     func() { s.Begin("w", nil, 0); s.EndChild(); s.End() },
		"EndGroup":     func() { s.Begin("w", nil, 0); s.EndGroup(); s.End() },
		"EndDisabled":  func() { s.EndDisabled() },
		"EndMenu":      func() { s.Begin("w", nil, 0); s.EndMenu(); s.EndMenuBar(); s.EndMainMenuBar(); s.End() },
		"PopClip":      func() { s.Foreground().PopClip(); s.Foreground().PopClip() },
		"EndTooltip":   func() { s.Begin("w", nil, 0); s.EndTooltip(); s.End() },
		"BeginTab":     func() { s.Begin("w", nil, 0); s.BeginTab("t"); s.EndTab(); s.End() },
		"late columns": func() { s.Begin("w", nil, 0); s.SetupColumn("c", 0, 0); s.End() },
	}
	for name, call := range cases {
		s.NewFrame(nil, Frame{Width: 800, Height: 600, Delta: 1.0 / 60})
		call()
		s.EndFrame()
		if s.Err() == nil {
			t.Errorf("%s: not reported", name)
		}
		s.frame()
		if s.Err() != nil {
			t.Errorf("%s: the next frame fails too: %v", name, s.Err())
		}
	}
}

func TestEmptyAndLongStrings(t *testing.T) {
	s := newStage(t, Options{})
	long := strings.Repeat("joint/", 2000)
	s.NewFrame(nil, Frame{Width: 800, Height: 600, Delta: 1.0 / 60})
	s.Begin("w", nil, 0)
	for _, text := range []string{"", long, "100 %s %n", "a\x00b", "\xff\xfe"} {
		s.PushID(text)
		s.Text(text)
		s.TextBytes([]byte(text))
		s.TextDisabled(text)
		s.TextRight(text)
		s.Foreground().AddText(5, 5, Accent, text)
		s.Selectable(text+"##x", false, 0)
		s.ProgressBar(0.5, 0, 0, text)
		s.PlotLines("##"+text, &Plot{Overlay: text})
		s.PopID()
	}
	field := strings.Repeat("x", 10_000)
	s.InputText("field", "", &field, 0)
	s.End()
	if d := s.EndFrame(); d.VertexCount == 0 || s.Err() != nil {
		t.Errorf("%d vertices, %v", d.VertexCount, s.Err())
	}
	if len(field) != 10_000 {
		t.Errorf("an untouched field became %d bytes", len(field))
	}
}

func TestScaleRasterisesTheFontsAnew(t *testing.T) {
	s := newStage(t, Options{})
	before := s.Atlas()
	if err := s.SetScale(2); err != nil {
		t.Fatal(err)
	}
	after := s.Atlas()
	if after.Version == before.Version || len(after.Alpha) <= before.Width*before.Height/2 {
		t.Errorf("atlas %d (%d×%d) after %d (%d×%d)", after.Version, after.Width, after.Height, before.Version, before.Width, before.Height)
	}
	if d := s.frame(); len(d.Commands) == 0 || s.Scale() != 2 {
		t.Error("nothing is drawn at scale 2")
	}
	if s.SetScale(0) == nil {
		t.Error("scale 0 was taken")
	}
	if _, err := New(Options{FontSize: 1e9}); err == nil {
		t.Error("a font of 10⁹ pixels was taken")
	}
}

func TestVisibleRowsCoverTheWindow(t *testing.T) {
	s := newStage(t, Options{})
	s.NewFrame(nil, Frame{Width: 800, Height: 600, Delta: 1.0 / 60})
	s.SetNextWindowSize(200, 300, Always)
	s.Begin("list", nil, 0)
	first, last := s.VisibleRows(10_000, s.LineHeight())
	s.End()
	s.EndFrame()
	if rows := float32(last-first) * s.LineHeight(); first != 0 || rows < 250 || rows > 350 {
		t.Errorf("rows %d to %d of %g px for a window of 300", first, last, s.LineHeight())
	}
}

func TestNothingIsWrittenToDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newStage(t, Options{})
	for range 600 { // Dear ImGui saves its settings after five seconds
		s.frame()
	}
	s.Close()
	files, err := os.ReadDir(".")
	if err != nil || len(files) != 0 {
		t.Errorf("files %v, %v", files, err)
	}
}

func BenchmarkPanel(b *testing.B) {
	s := newStage(b, Options{})
	b.ReportAllocs()
	for b.Loop() {
		s.frame()
	}
}
