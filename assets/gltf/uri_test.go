package gltf_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

const pngHead = "\x89PNG\r\n\x1a\n"

// withURI is a file of one triangle in an external buffer, with an image.
func withURI(buffer, image string) []byte {
	b, _ := json.Marshal(buffer)
	i, _ := json.Marshal(image)
	return fmt.Appendf(nil, `{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":%s}],"bufferViews":[{"buffer":0,"byteLength":36}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"images":[{"uri":%s}]}`, b, i)
}

func TestURIs(t *testing.T) {
	bin, png := make([]byte, 36), []byte(pngHead+"…")
	names := []string{"a.bin", "a b.bin", "přívodní-šňůra.bin", "50%.bin", "sub/a.bin", "ä/ö.bin", "tex.png"}
	files := fstest.MapFS{}
	for _, n := range names {
		files[n] = &fstest.MapFile{Data: bin}
	}
	files["tex.png"].Data = png
	for _, c := range []struct {
		uri string
		ok  bool
	}{
		{"a.bin", true}, {"./a.bin", true}, {"a%20b.bin", true}, {"a b.bin", true},
		{"p%C5%99%C3%ADvodn%C3%AD-%C5%A1%C5%88%C5%AFra.bin", true}, {"přívodní-šňůra.bin", true},
		{"50%25.bin", true}, {"50%.bin", true}, {"sub/a.bin", true}, {`sub\a.bin`, true}, {"%C3%A4/%C3%B6.bin", true},
		{"data:application/octet-stream;base64," + strings.Repeat("A", 48), true},
		{"data:;base64," + strings.Repeat("A", 48), true},
		{"data:application/gltf-buffer;base64," + strings.Repeat("%41", 48), true},
		{"data:," + strings.Repeat("%00", 36), true},
		{"data:;base64," + strings.Repeat("A", 44) + "=", false}, {"data:;base64,****", false}, {"data:nothing", false},
		{"../a.bin", false}, {"sub/../a.bin", false}, {"%2e%2e/a.bin", false}, {"/a.bin", false}, {"%2Fa.bin", false},
		{"file:///a.bin", false}, {"https://example.org/a.bin", false}, {"b.bin", false}, {"", false}, {".", false}, {"sub", false},
		{`..\a.bin`, false}, {"a.bin\x00", false},
	} {
		m, err := gltf.Decode("model.gltf", withURI(c.uri, "tex.png"), files)
		if (err == nil) != c.ok {
			t.Errorf("%q: %v", c.uri, err)
		}
		if err == nil && (string(m.Images[0].Data) != string(png) || m.Images[0].Path != "tex.png" || m.Images[0].MIME != "image/png") {
			t.Errorf("%q: image %+v", c.uri, m.Images[0])
		}
		var e *gltf.Error
		if err != nil && (!errors.As(err, &e) || e.Path != "buffers[0].uri" && !strings.Contains(e.Message, "cut off")) {
			t.Errorf("%q: %v", c.uri, err)
		}
	}
}

// A missing image is a warning that names it.
func TestMissingImage(t *testing.T) {
	for _, uri := range []string{"gone.png", "../secret.png", "https://example.org/a.png", "data:image/png;base64,***"} {
		m, err := gltf.Decode("model.gltf", withURI("data:;base64,"+strings.Repeat("A", 48), uri), fstest.MapFS{})
		if err != nil {
			t.Fatalf("%q: %v", uri, err)
		}
		if m.Images[0].Data != nil || len(m.Warnings) != 1 || m.Warnings[0].Where != "images[0].uri" {
			t.Errorf("%q: image %+v, warnings %v", uri, m.Images[0], m.Warnings)
		}
	}
}

// Load leaves the model's folder neither by dots nor by a link, and does not
// wait for a pipe.
func TestLoadStaysInFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("secret.bin", make([]byte, 36))
	write("models/inside/a.bin", make([]byte, 36))
	for link, to := range map[string]string{"out.bin": "../secret.bin", "in.bin": "inside/a.bin", "up": ".."} {
		if err := os.Symlink(to, filepath.Join(dir, "models", link)); err != nil {
			t.Skip(err)
		}
	}
	for uri, ok := range map[string]bool{
		"inside/a.bin": true, "in.bin": true, "out.bin": false, "up/secret.bin": false, "../secret.bin": false,
		filepath.Join(dir, "secret.bin"): false, "inside": false,
	} {
		write("models/m.gltf", withURI(uri, "none.png"))
		m, err := gltf.Load(filepath.Join(dir, "models", "m.gltf"))
		if (err == nil) != ok {
			t.Errorf("%q: %v", uri, err)
		}
		if err == nil && (m.Name != "m" || m.Path != filepath.Join(dir, "models", "m.gltf")) {
			t.Errorf("name %q, path %q", m.Name, m.Path)
		}
	}
	for _, path := range []string{filepath.Join(dir, "models"), filepath.Join(dir, "none.gltf")} {
		if _, err := gltf.Load(path); err == nil || !strings.HasPrefix(err.Error(), path+": cannot be opened") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := gltf.Load(filepath.Join(dir, "none.gltf")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v is not os.ErrNotExist", err)
	}
}

// The same buffer in a GLB's chunk; three bytes of padding are allowed.
func TestGLB(t *testing.T) {
	var f made
	p := f.triangle()
	f.primitive(fmt.Sprintf(`"POSITION":%d`, p))
	text := f.json()
	from := strings.Index(text, `,"uri":"`)
	to := from + strings.Index(text[from:], `"}`)
	m, err := gltf.Decode("t.vrm", glb(text[:from]+text[to+1:], append(f.bin.Bytes(), 0, 0, 0, 0)), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, "t.vrm", m)
	if m.Name != "t" || m.Meshes[0].Primitives[0].Positions[2][1] != 1 {
		t.Errorf("%q %v", m.Name, m.Meshes[0].Primitives[0].Positions)
	}
}

func TestEscapes(t *testing.T) {
	m := decode(t, `{"\u0061sset":{"version":"2.0"},"nodes":[{"n\u0061me":"a\"\\\/\b\f\n\r\t\u00e9\ud83e\udd8a"},{"name":"\ud83e"},{"name":"`+"\xff"+`"},{"name":null}]}`)
	want := []string{"a\"\\/\b\f\n\r\té🦊", "\uFFFD", "\uFFFD", ""}
	for j, w := range want {
		if m.Skeleton.Names[j] != w {
			t.Errorf("name %d is %q, want %q", j, m.Skeleton.Names[j], w)
		}
	}
}

// Magnum's own corner cases: names in UTF-8, escaped JSON, encoded URIs.
func TestMagnumNames(t *testing.T) {
	load := func(name string) *assets.Model {
		t.Helper()
		m, err := gltf.Load(corpus.Path(t, "gltf-magnum/GltfImporter/"+name))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := load("přívodní-šňůra.gltf"); m.Name != "přívodní-šňůra" || len(m.Meshes) == 0 || m.Images[0].Data == nil {
		t.Errorf("%q: %d meshes", m.Name, len(m.Meshes))
	}
	if m := load("escaped-strings.gltf"); len(m.Clips) == 0 || strings.Contains(m.Clips[0].Name, `\`) {
		t.Errorf("clips %v", m.Clips)
	}
}
