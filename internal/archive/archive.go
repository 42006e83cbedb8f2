package archive

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bindpose/bindpose/internal/ordinary"
)

// ErrBomb is wrapped where an archive unpacks to more than its size accounts for.
var ErrBomb = errors.New("the archive unpacks to more than its size accounts for")

// What an archive may hold and unpack to.
const (
	mostFiles = 20000
	// unpackedLeast and perByte bound what is unpacked in all.
	unpackedLeast, perByte = 64 << 20, 32
	// deflateMost is the most that deflate makes of a byte (258 bytes of 2 bits).
	deflateMost = 1032
)

// Archive is an open zip archive. It may be read by several at once.
type Archive struct {
	path  string
	file  *os.File
	files map[string]*zip.File // by clean path
	bases map[string]string    // the one path with a base name, lower case; "" where there are several

	mu   sync.Mutex
	left int64 // bytes that may still be unpacked
}

// Is tells by its name whether a file is an archive.
func Is(name string) bool { return strings.EqualFold(filepath.Ext(name), ".zip") }

// Split takes apart "hero.zip!walk/hero.gltf". inside is "" of an archive alone;
// ok is false of what is no archive.
func Split(name string) (archive, inside string, ok bool) {
	for at := 0; ; {
		i := strings.IndexByte(name[at:], '!')
		if i < 0 {
			return name, "", Is(name)
		}
		if at += i; Is(name[:at]) {
			return name[:at], name[at+1:], true
		}
		at++
	}
}

// Open reads an archive's list of files. Names that lead out of it are left out.
func Open(name string) (_ *Archive, err error) {
	f, err := ordinary.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // it was only read
		}
	}()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(f, st.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("%s: is no zip archive that can be read: %w", name, err)
	}
	if len(z.File) > mostFiles {
		return nil, fmt.Errorf("%s: holds %d files, and at most %d are looked at", name, len(z.File), mostFiles)
	}
	a := &Archive{path: name, file: f, files: map[string]*zip.File{}, bases: map[string]string{}, left: unpackedLeast + perByte*st.Size()}
	var packed uint64
	for _, e := range z.File {
		inside := strings.ReplaceAll(e.Name, `\`, "/")
		if !e.Mode().IsRegular() || strings.HasSuffix(inside, "/") {
			continue
		}
		// Files that lie over each other in the archive are how a small one
		// unpacks to petabytes.
		if packed += e.CompressedSize64; packed > uint64(st.Size()) || e.CompressedSize64 > uint64(st.Size()) {
			return nil, fmt.Errorf("%s: its files overlap: %w", name, ErrBomb)
		}
		inside = path.Clean(inside)
		if !fs.ValidPath(inside) || a.files[inside] != nil {
			continue
		}
		a.files[inside] = e
		base := strings.ToLower(path.Base(inside))
		if _, twice := a.bases[base]; twice {
			inside = ""
		}
		a.bases[base] = inside
	}
	return a, nil
}

// Close closes the archive; what was read of it stays.
func (a *Archive) Close() error { return a.file.Close() }

// Names are the paths of those files that keep wants, those nearest to the top
// first, then by name. What macOS adds to archives is not among them.
func (a *Archive) Names(keep func(name string) bool) []string {
	var out []string
	for name := range a.files {
		if keep(name) && !strings.HasPrefix(name, "__MACOSX/") && !strings.HasPrefix(path.Base(name), "._") {
			out = append(out, name)
		}
	}
	slices.SortFunc(out, func(x, y string) int {
		return cmp.Or(cmp.Compare(strings.Count(x, "/"), strings.Count(y, "/")), cmp.Compare(x, y))
	})
	return out
}

// Read unpacks a file. beside is its folder, for what it names.
func (a *Archive) Read(inside string) (data []byte, beside fs.FS, err error) {
	f, err := a.open(inside)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if data, err = ordinary.Read(f, f.size); err != nil {
		return nil, nil, fmt.Errorf("%s!%s: cannot be unpacked: %w", a.path, inside, err)
	}
	return data, folder{a, path.Dir(inside)}, nil
}

// open opens a file for as many bytes as the archive says that it has, which
// are paid for here, before anything is allocated by them.
func (a *Archive) open(inside string) (*entry, error) {
	e := a.files[inside]
	if e == nil {
		return nil, &fs.PathError{Op: "open", Path: inside, Err: fs.ErrNotExist}
	}
	refuse := func(err error) error { return fmt.Errorf("%s!%s: %w", a.path, inside, err) }
	if e.Flags&1 != 0 {
		return nil, refuse(errors.New("is encrypted"))
	}
	if e.UncompressedSize64 > deflateMost*(e.CompressedSize64+1) {
		return nil, refuse(fmt.Errorf("%d bytes cannot unpack to %d: %w", e.CompressedSize64, e.UncompressedSize64, ErrBomb))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if e.UncompressedSize64 > uint64(a.left) {
		return nil, refuse(fmt.Errorf("it would unpack to %d bytes: %w", e.UncompressedSize64, ErrBomb))
	}
	r, err := e.Open()
	if err != nil {
		return nil, refuse(err)
	}
	a.left -= int64(e.UncompressedSize64)
	return &entry{ReadCloser: r, about: e.FileInfo(), size: int64(e.UncompressedSize64)}, nil
}

// entry is an open file of an archive. Package zip fails where it unpacks to
// more than its size.
type entry struct {
	io.ReadCloser
	about fs.FileInfo
	size  int64
}

func (e *entry) Stat() (fs.FileInfo, error) { return e.about, nil }

// folder is a folder of an archive. What is not below it is looked for by its
// base name in the whole archive, where one file alone has it: archives often
// hold the model in one folder and its textures in another.
type folder struct {
	archive *Archive
	path    string
}

func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	inside := path.Join(f.path, name)
	if f.archive.files[inside] == nil {
		if only := f.archive.bases[strings.ToLower(path.Base(name))]; only != "" {
			inside = only
		}
	}
	e, err := f.archive.open(inside)
	if err != nil {
		return nil, err
	}
	return e, nil
}
