package golden

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder stands in for a test, and keeps what it is told.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Name() string              { return "TestOf/a_picture#01" }
func (r *recorder) Logf(string, ...any)       {}
func (r *recorder) Errorf(f string, a ...any) { r.failures = append(r.failures, fmt.Sprintf(f, a...)) }
func (r *recorder) Fatalf(f string, a ...any) { r.Errorf(f, a...) }

// passed and failed say what a check must have done.
func (r *recorder) passed(t *testing.T) {
	t.Helper()
	if len(r.failures) > 0 {
		t.Errorf("must pass, but: %s", r.failures)
	}
	r.failures = nil
}

func (r *recorder) failed(t *testing.T, words ...string) {
	t.Helper()
	if len(r.failures) != 1 {
		t.Fatalf("must fail once; failures: %q", r.failures)
	}
	for _, w := range words {
		if !strings.Contains(r.failures[0], w) {
			t.Errorf("the failure does not say %q: %s", w, r.failures[0])
		}
	}
	r.failures = nil
}

// inPackage goes to an empty folder, as if it were a package's.
func inPackage(t *testing.T) (out string) {
	t.Chdir(t.TempDir())
	out = t.TempDir()
	t.Setenv("BINDPOSE_GOLDEN_OUT", out)
	t.Setenv("BINDPOSE_GOLDEN", "")
	return out
}

// gradient has as many colours as pixels; its bounds begin anywhere, and its
// lines are longer than its width.
func gradient(w, h int) *image.NRGBA {
	whole := image.NewNRGBA(image.Rect(0, 0, w+10, h+10))
	m := whole.SubImage(image.Rect(7, 5, 7+w, 5+h)).(*image.NRGBA)
	for y := range h {
		for x := range w {
			set(m, x, y, color.NRGBA{uint8(50 + x%100), uint8(50 + y%100), uint8(x / 100), 255})
		}
	}
	return m
}

func set(m *image.NRGBA, x, y int, c color.NRGBA) { m.SetNRGBA(m.Rect.Min.X+x, m.Rect.Min.Y+y, c) }

// brighter is gradient with red brighter by so much on the first n pixels.
func brighter(w, h, n int, by uint8) *image.NRGBA {
	m := gradient(w, h)
	for i := range n {
		m.Pix[m.PixOffset(m.Rect.Min.X+i%w, m.Rect.Min.Y+i/w)] += by
	}
	return m
}

func writeGolden(t *testing.T, name string, m *image.NRGBA) {
	t.Helper()
	var r recorder
	t.Setenv("BINDPOSE_GOLDEN", "write")
	Check(&r, name, m)
	t.Setenv("BINDPOSE_GOLDEN", "")
	r.passed(t)
}

func TestToleranceAtItsEdges(t *testing.T) {
	inPackage(t)
	const w, h = 100, 50 // 0.1 % are 5 pixels
	writeGolden(t, "sub/edge", gradient(w, h))
	for _, c := range []struct {
		pixels int
		by     uint8
		passes bool
	}{
		{0, 0, true},
		{w * h, 3, true},
		{w * h, 4, false},
		{5, 4, true},
		{5, 100, true},
		{6, 4, false},
		{6, 3, true},
	} {
		var r recorder
		Check(&r, "sub/edge", brighter(w, h, c.pixels, c.by))
		if passes := len(r.failures) == 0; passes != c.passes {
			t.Errorf("%d pixels brighter by %d: passes is %v, must be %v", c.pixels, c.by, passes, c.passes)
		}
	}
	var r recorder
	Check(&r, "sub/edge", brighter(w, h, w*h/2, 9), Within(8, 0.5))
	r.passed(t)
	Check(&r, "sub/edge", brighter(w, h, w*h/2+1, 9), Within(8, 0.5))
	r.failed(t)
	Check(&r, "sub/edge", brighter(w, h, 1, 1), Within(0, 0))
	r.failed(t)
}

func TestFailureSaysWhatAndWhere(t *testing.T) {
	out := inPackage(t)
	writeGolden(t, "told", gradient(40, 30))
	got := gradient(40, 30)
	set(got, 12, 7, color.NRGBA{62 + 4, 57, 0, 255})
	set(got, 30, 20, color.NRGBA{80, 70, 200, 255})
	set(got, 0, 0, color.NRGBA{51, 50, 0, 255})
	var r recorder
	Check(&r, "told", got)
	r.failed(t, "3 of 1200 pixels differ", "2 too much", "200 of 255 at (30, 20)", "got #5046c8ff", "want #504600ff",
		filepath.Join(out, "told-*.png"), "BINDPOSE_GOLDEN=write")

	saved, err := read(filepath.Join(out, "told-got.png"))
	if err != nil {
		t.Fatal(err)
	}
	Same(&r, got, saved)
	r.passed(t)
	diff, err := read(filepath.Join(out, "told-difference.png"))
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[image.Point]color.NRGBA{
		{12, 7}: {64, 0, 0, 255}, {30, 20}: {0, 0, 255, 255}, {0, 0}: {16, 0, 0, 255}, {1, 1}: {0, 0, 0, 255},
	} {
		if c := diff.NRGBAAt(at.X, at.Y); c != want {
			t.Errorf("the difference picture has %v at %v, want %v", c, at, want)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "told-want.png")); err != nil {
		t.Error(err)
	}
}

func TestAlphaCounts(t *testing.T) {
	inPackage(t)
	a, b := gradient(8, 8), gradient(8, 8)
	set(a, 3, 3, color.NRGBA{53, 53, 0, 254})
	writeGolden(t, "alpha", a)
	var r recorder
	Check(&r, "alpha", a, Within(0, 0)) // also: what is not opaque is kept exactly
	r.passed(t)
	Check(&r, "alpha", b, Within(0, 0))
	r.failed(t, "1 of 255 at (3, 3)")
}

func TestMissingGolden(t *testing.T) {
	out := inPackage(t)
	var r recorder
	Check(&r, "none", gradient(4, 4))
	r.failed(t, filepath.Join("testdata", "golden", "none.png"), "BINDPOSE_GOLDEN=write go test -run")
	if _, err := os.Stat(filepath.Join("testdata", "golden", "none.png")); err == nil {
		t.Error("a missing golden was made without being asked for")
	}
	if _, err := os.Stat(filepath.Join(out, "none-got.png")); err != nil {
		t.Error(err)
	}
}

func TestSizeMismatch(t *testing.T) {
	inPackage(t)
	writeGolden(t, "size", gradient(8, 6))
	var r recorder
	Check(&r, "size", gradient(6, 8))
	r.failed(t, "got 6×8 pixels, want 8×6")
	Check(&r, "size", image.NewNRGBA(image.Rectangle{}))
	r.failed(t, "got 0×0")
	Same(&r, gradient(6, 8), gradient(8, 6))
	r.failed(t, "got 6×8 pixels, want 8×6")
}

func TestBlankIsNotWritten(t *testing.T) {
	inPackage(t)
	t.Setenv("BINDPOSE_GOLDEN", "write")
	var r recorder
	one := image.NewNRGBA(image.Rect(0, 0, 9, 9))
	for i := range one.Pix {
		one.Pix[i] = byte(20 + i%4)
	}
	Check(&r, "blank", one)
	r.failed(t, "one colour")
	Check(&r, "blank", image.NewNRGBA(image.Rectangle{}))
	r.failed(t, "one colour")
	if _, err := os.Stat("testdata"); err == nil {
		t.Error("a blank picture was written")
	}
	set(one, 8, 8, color.NRGBA{A: 255}) // one pixel makes it a picture
	Check(&r, "blank", one)
	r.passed(t)
}

func TestWriteReplaces(t *testing.T) {
	inPackage(t)
	writeGolden(t, "again", gradient(8, 6))
	writeGolden(t, "again", gradient(20, 10))
	var r recorder
	Check(&r, "again", gradient(20, 10), Within(0, 0))
	r.passed(t)
}

func TestSameIsExact(t *testing.T) {
	out := inPackage(t)
	var r recorder
	Same(&r, gradient(30, 20), gradient(30, 20))
	r.passed(t)
	Same(&r, gradient(30, 20), brighter(30, 20, 1, 1))
	r.failed(t, "1 of 600 pixels differ", "1 of 255 at (0, 0)")
	if _, err := os.Stat(filepath.Join(out, "TestOf", "a_picture-01-difference.png")); err != nil {
		t.Error(err)
	}
}

func TestMisuse(t *testing.T) {
	inPackage(t)
	var r recorder
	Check(&r, "../outside", gradient(4, 4))
	r.failed(t, "../outside")
	t.Setenv("BINDPOSE_GOLDEN", "wirte")
	Check(&r, "name", gradient(4, 4))
	r.failed(t, "wirte")
	t.Setenv("BINDPOSE_GOLDEN", "")
	if err := os.MkdirAll("testdata/golden", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/golden/broken.png", []byte("not a picture"), 0o666); err != nil {
		t.Fatal(err)
	}
	Check(&r, "broken", gradient(4, 4))
	r.failed(t, "broken.png")
}

func TestPicturesOfFailuresGoBelowTheModule(t *testing.T) {
	t.Setenv("BINDPOSE_GOLDEN_OUT", "")
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	pkg := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(pkg, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(pkg)
	if got, want := outFolder(), filepath.Join(root, "out", "golden", "a", "b"); got != want {
		t.Errorf("pictures go to %s, want %s", got, want)
	}
}
