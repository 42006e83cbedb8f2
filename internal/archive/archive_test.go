package archive_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/internal/archive"
)

// made writes an archive of names and contents, in pairs, and returns its path.
func made(t *testing.T, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, err := z.Create(pairs[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(pairs[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return put(t, b.Bytes())
}

func put(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, path string) *archive.Archive {
	t.Helper()
	a, err := archive.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, archive, inside string
		ok                    bool
	}{
		{"a.zip", "a.zip", "", true},
		{"d!r/a.ZIP!b/c.gltf", "d!r/a.ZIP", "b/c.gltf", true},
		{"a.zip!b!c.glb", "a.zip", "b!c.glb", true},
		{"hey!.glb", "hey!.glb", "", false},
		{"a.zipped!x", "a.zipped!x", "", false},
	} {
		a, inside, ok := archive.Split(c.name)
		if ok != c.ok || ok && (a != c.archive || inside != c.inside) {
			t.Errorf("%s: %q %q %v", c.name, a, inside, ok)
		}
	}
}

func TestReadWithWhatLiesBeside(t *testing.T) {
	a := open(t, made(t, "pack/source/hero.gltf", "model", "pack/source/hero.bin", "buffer", "pack/textures/Skin.PNG", "picture",
		"pack/one/same.png", "1", "pack/two/same.png", "2", "__MACOSX/pack/._hero.gltf", "x", "top.gltf", "top"))
	names := a.Names(func(n string) bool { return strings.HasSuffix(n, ".gltf") })
	if len(names) != 2 || names[0] != "top.gltf" || names[1] != "pack/source/hero.gltf" {
		t.Fatalf("models %q", names)
	}
	data, beside, err := a.Read(names[1])
	if err != nil || string(data) != "model" {
		t.Fatal(string(data), err)
	}
	for name, want := range map[string]string{"hero.bin": "buffer", "skin.png": "picture", "maps/Skin.PNG": "picture"} {
		if got, err := fs.ReadFile(beside, name); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"same.png", "../top.gltf", "/top.gltf", "nothing.png"} {
		if got, err := fs.ReadFile(beside, name); err == nil {
			t.Errorf("%s was read: %q", name, got)
		}
	}
}

func TestNamesThatLeadOut(t *testing.T) {
	a := open(t, made(t, "../../evil.gltf", "x", "/etc/evil.gltf", "x", `..\evil.gltf`, "x", `win\ok.gltf`, "ok"))
	names := a.Names(func(string) bool { return true })
	if len(names) != 1 || names[0] != "win/ok.gltf" {
		t.Errorf("names %q", names)
	}
}

// 300 MB of zeros are 300 kB in an archive; they are refused unread.
func TestBombIsRefused(t *testing.T) {
	a := open(t, made(t, "bomb.gltf", strings.Repeat("\x00", 300<<20)))
	if _, _, err := a.Read("bomb.gltf"); !errors.Is(err, archive.ErrBomb) {
		t.Errorf("error %v", err)
	}
	// Nor do many that would do alone.
	part := strings.Repeat("\x00", 50<<20)
	a = open(t, made(t, "1", part, "2", part))
	if _, _, err := a.Read("1"); err != nil {
		t.Error(err)
	}
	if _, _, err := a.Read("2"); !errors.Is(err, archive.ErrBomb) {
		t.Errorf("error %v", err)
	}
}

// patch sets a field of an archive's only central directory entry.
func patch(t *testing.T, path string, offset int, value uint32) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(data[at+offset:], value)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// What an archive says of its sizes is not believed.
func TestSizesThatLie(t *testing.T) {
	const packed, unpacked = 20, 24 // offsets in the entry
	for _, c := range []struct {
		offset int
		value  uint32
	}{{unpacked, 60 << 20}, {unpacked, 2}, {packed, 1 << 30}} {
		path := made(t, "a.gltf", "a few words, a few words, a few words")
		patch(t, path, c.offset, c.value)
		a, err := archive.Open(path)
		if err != nil {
			continue
		}
		if data, _, err := a.Read("a.gltf"); err == nil && len(data) != 2 {
			t.Errorf("%+v: %d bytes were read", c, len(data))
		}
		a.Close()
	}
	// Encrypted.
	path := made(t, "a.gltf", "x")
	data, _ := os.ReadFile(path)
	data[bytes.Index(data, []byte("PK\x01\x02"))+8] |= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(t, path).Read("a.gltf"); err == nil || !strings.Contains(err.Error(), "encrypted") {
		t.Errorf("error %v", err)
	}
}

func TestBrokenArchives(t *testing.T) {
	whole, err := os.ReadFile(made(t, "a.gltf", "words", "b.gltf", "words"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if a, err := archive.Open(put(t, whole[:n])); err == nil {
			a.Close()
			t.Errorf("the first %d bytes were taken", n)
		}
	}
	pairs := make([]string, 2*20001)
	for i := range pairs {
		pairs[i] = string(rune('a' + i%2))
	}
	if _, err := archive.Open(made(t, pairs...)); err == nil || !strings.Contains(err.Error(), "20001 files") {
		t.Errorf("error %v", err)
	}
	if _, err := archive.Open(filepath.Join(t.TempDir(), "none.zip")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
