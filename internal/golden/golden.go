package golden

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Option changes what Check forgives.
type Option func(*tolerance)

// Within forgives any difference up to channel, of 255, and larger ones in a
// share, 0 to 1, of the pixels. Without it, Check forgives as Within(3, 0.001)
// does.
func Within(channel int, share float64) Option {
	return func(t *tolerance) { *t = tolerance{channel, share} }
}

// Check fails the test where got differs from testdata/golden/NAME.png by more
// than is forgiven, has another size, or there is no such file. name may have
// slashes. With BINDPOSE_GOLDEN=write it writes got there instead, and fails
// where got is all of one colour.
func Check(t testing.TB, name string, got *image.NRGBA, options ...Option) {
	t.Helper()
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		t.Fatalf("golden: the name %q must be a path below testdata/golden", name)
		return
	}
	path := filepath.Join("testdata", "golden", filepath.FromSlash(name)+".png")
	switch mode := os.Getenv("BINDPOSE_GOLDEN"); mode {
	case "":
	case "write":
		write(t, path, got)
		return
	default:
		t.Fatalf("golden: BINDPOSE_GOLDEN is %q; it may be write, or unset", mode)
		return
	}
	want, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		where := save(name, map[string]*image.NRGBA{"got": got})
		t.Errorf("golden: there is no %s to compare with. What was drawn is %s. Where it is right, make the golden: BINDPOSE_GOLDEN=write go test -run '^%s$'", path, where, t.Name())
		return
	}
	if err != nil {
		t.Errorf("golden: %v", err)
		return
	}
	tol := tolerance{channel: 3, share: 0.001}
	for _, o := range options {
		o(&tol)
	}
	if text := differ(name, got, want, tol); text != "" {
		t.Errorf("golden: %s is not %s, which may differ by more than %d of 255 on %g %% of its pixels: %s. Where the change is right: BINDPOSE_GOLDEN=write go test -run '^%s$'",
			name, path, tol.channel, 100*tol.share, text, t.Name())
	}
}

// Same fails the test where the pictures are not alike bit for bit.
func Same(t testing.TB, a, b *image.NRGBA) {
	t.Helper()
	name := strings.NewReplacer("#", "-", ":", "-", "\\", "-").Replace(t.Name())
	if text := differ(name, a, b, tolerance{}); text != "" {
		t.Errorf("golden: the two pictures must be the same (got is the first, want the second): %s", text)
	}
}

// differ says how the pictures differ by more than tol forgives, and where it
// has put them; "" where they don't.
func differ(name string, got, want *image.NRGBA, tol tolerance) string {
	pictures := map[string]*image.NRGBA{"got": got, "want": want}
	if g, w := got.Rect.Size(), want.Rect.Size(); g != w {
		return fmt.Sprintf("got %d×%d pixels, want %d×%d; see %s", g.X, g.Y, w.X, w.Y, save(name, pictures))
	}
	d := compare(got, want, tol)
	if d.within(tol) {
		return ""
	}
	pictures["difference"] = amplified(got, want)
	return fmt.Sprintf("%v; see %s", d, save(name, pictures))
}

func write(t testing.TB, path string, got *image.NRGBA) {
	t.Helper()
	if blank(got) {
		t.Errorf("golden: %s is not written: the picture is all of one colour, so the frame drew nothing", path)
		return
	}
	if err := encode(path, got); err != nil {
		t.Errorf("golden: %v", err)
		return
	}
	t.Logf("golden: wrote %s", path)
}

func read(path string) (*image.NRGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nrgba(m), nil
}

func encode(path string, m *image.NRGBA) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return png.Encode(f, m)
}

// save writes NAME-KEY.png for each picture that has pixels, and returns the
// names with a * for the key, or what went wrong.
func save(name string, pictures map[string]*image.NRGBA) string {
	base := filepath.Join(outFolder(), filepath.FromSlash(name))
	for key, m := range pictures {
		if m.Rect.Empty() {
			continue
		}
		if err := encode(base+"-"+key+".png", m); err != nil {
			return fmt.Sprintf("nothing: the pictures could not be saved: %v", err)
		}
	}
	return base + "-*.png"
}

// outFolder is where pictures of failures go: apart for each package, since
// two may have a golden of one name.
func outFolder() string {
	out := os.Getenv("BINDPOSE_GOLDEN_OUT")
	here, err := os.Getwd()
	if err != nil {
		here = "."
	}
	for root := here; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			if out == "" {
				out = filepath.Join(root, "out", "golden")
			}
			pkg, _ := filepath.Rel(root, here) // here is below root
			return filepath.Join(out, pkg)
		}
		if root == filepath.Dir(root) {
			break
		}
	}
	if out == "" {
		out = filepath.Join(os.TempDir(), "bindpose-golden")
	}
	return out
}
