package ordinary_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bindpose/bindpose/internal/ordinary"
)

// A write that fails half-way leaves what was there, and nothing beside it; a
// symbolic link stays one.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "x.png"), filepath.Join(dir, "link.png")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	err := ordinary.Write(path, func(w io.Writer) error {
		if _, err := w.Write([]byte("half")); err != nil {
			return err
		}
		return full
	})
	left, _ := os.ReadDir(dir)
	if data, _ := os.ReadFile(path); !errors.Is(err, full) || string(data) != "old" || len(left) != 2 {
		t.Errorf("%v, %q, %q", err, data, left)
	}
	if err := ordinary.WriteBytes(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if s, err := os.Lstat(link); err != nil || s.Mode().IsRegular() {
		t.Errorf("the link is gone: %v, %v", s, err)
	}
	if data, _ := os.ReadFile(path); string(data) != "new" {
		t.Errorf("what it links to holds %q", data)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left are %q", left)
	}
}

// A pipe is written to and stays one, and an error names the file that was asked for,
// not the one beside it.
func TestNamesAndPipes(t *testing.T) {
	err := ordinary.Write(filepath.Join(t.TempDir(), "record.json"), func(io.Writer) error {
		return &fs.PathError{Op: "write", Path: "record.part-1.json", Err: syscall.ENOSPC}
	})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "record.json") || strings.Contains(err.Error(), ".part-") {
		t.Errorf("told %v", err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		got, _ := os.ReadFile(pipe)
		read <- string(got)
	}()
	if err := ordinary.WriteBytes(pipe, []byte("new")); err != nil {
		t.Error(err)
	}
	if got := <-read; got != "new" {
		t.Errorf("the pipe gave %q", got)
	}
	if st, err := os.Lstat(pipe); err != nil || st.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", st.Mode(), err)
	}
}

// A folder gives up nothing outside of it, and opens nothing but files.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(dir, "secret"): "secret", filepath.Join(in, "file"): "file"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret", filepath.Join(in, "out")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(in, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := ordinary.NewFolder(in)
	for _, name := range []string{"../secret", filepath.Join(dir, "secret"), "out", "pipe", "none"} {
		if _, err := f.Open(name); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
	if data, err := fs.ReadFile(f, "file"); err != nil || string(data) != "file" {
		t.Errorf("read %q, %v", data, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// What is written may be read by those who might read what was there; new files are
// for whom the process says.
func TestModes(t *testing.T) {
	dir := t.TempDir()
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	for _, c := range []struct {
		name      string
		has, want fs.FileMode
	}{{"new.json", 0, 0o640}, {"mine.json", 0o600, 0o600}, {"all.json", 0o666, 0o666}} {
		path := filepath.Join(dir, c.name)
		if c.has != 0 {
			if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, c.has)); err != nil {
				t.Fatal(err)
			}
		}
		if err := ordinary.WriteBytes(path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		if st, err := os.Stat(path); err != nil || st.Mode() != c.want || st.Size() != 3 {
			t.Errorf("%s: %v, want %v; %v", c.name, st.Mode(), c.want, err)
		}
	}
	if os.Getuid() == 0 { // who may write anything
		return
	}
	path := filepath.Join(dir, "kept.json")
	if err := os.WriteFile(path, []byte("old"), 0o400); err != nil {
		t.Fatal(err)
	}
	err := ordinary.WriteBytes(path, []byte("new"))
	if data, _ := os.ReadFile(path); !errors.Is(err, fs.ErrPermission) || string(data) != "old" {
		t.Errorf("what must not be written holds %q, %v", data, err)
	}
}

// A link to a file that is not there yet stays one; names may be as long as the
// system has them.
func TestLinksAndLongNames(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link.json")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "in"), 0o700), os.Symlink("in/file.json", link)); err != nil {
		t.Fatal(err)
	}
	if err := ordinary.WriteBytes(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "in", "file.json")); string(data) != "new" {
		t.Errorf("what it links to holds %q, %v", data, err)
	}
	for _, name := range []string{strings.Repeat("ü", 125) + ".json", "x." + strings.Repeat("y", 250), "." + strings.Repeat("z", 254)} {
		if err := ordinary.WriteBytes(filepath.Join(dir, name), []byte("new")); err != nil {
			t.Errorf("%d bytes of a name: %v", len(name), err)
		}
	}
	if err := errors.Join(os.Symlink("b", filepath.Join(dir, "a")), os.Symlink("a", filepath.Join(dir, "b"))); err != nil {
		t.Fatal(err)
	}
	if err := ordinary.WriteBytes(filepath.Join(dir, "a"), nil); err == nil {
		t.Error("links in a circle were written to")
	}
}
