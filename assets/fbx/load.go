package fbx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// Options say what a model should be like. The zero value gives Bindpose's
// conventions: metres, +Y up, and clips that begin at their stack's start.
type Options struct {
	// Native keeps the file's own axes, units and time line: a clip's time is
	// then the time that the file means.
	Native bool
}

// Load reads the FBX file at path, binary or text; the bytes decide, not the
// name. Pictures beside it are read from its folder and the folders below, and
// from nowhere else.
//
// Errors are *Error, which names the file and the place in it. What can be
// repaired or left out is a Warning of the model.
func Load(path string) (*assets.Model, error) { return Options{}.Load(path) }

// Decode reads an FBX file from memory. name is used in messages and for
// Model.Name and Model.Path; fsys is the folder that the file lies in, nil where
// there is none: then pictures that are not embedded are missing.
//
// Memory is at most 64 MiB and 32 times the size of the file.
func Decode(name string, data []byte, fsys fs.FS) (*assets.Model, error) {
	return Options{}.Decode(name, data, fsys)
}

// Load is the function Load with options.
func (o Options) Load(path string) (*assets.Model, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, &Error{File: path, Offset: -1, Message: "cannot be read: " + cause(err), Kind: err}
	}
	beside := ordinary.NewFolder(filepath.Dir(path))
	defer beside.Close()
	return o.Decode(path, data, beside)
}

// Decode is the function Decode with options.
func (o Options) Decode(name string, data []byte, fsys fs.FS) (*assets.Model, error) {
	l, err := o.read(name, data, fsys)
	if err != nil {
		return nil, err
	}
	return l.m, nil
}

func (o Options) read(name string, data []byte, fsys fs.FS) (*loader, error) {
	base := filepath.Base(name)
	l := &loader{
		Options: o, file: name, fsys: fsys, budget: newBudget(len(data)), work: workBase + 4*int64(len(data)),
		m: &assets.Model{
			Name: strings.TrimSuffix(base, filepath.Ext(base)), Path: name,
			Skeleton: &animation.Skeleton{},
		},
		textures: map[*object]int32{}, images: map[*object]int32{}, files: map[string][]byte{},
		materials: map[*object]int32{}, geometries: map[*object]*geometry{}, meshes: map[string]int32{},
	}
	root, version, err := l.parse(data)
	if err != nil {
		return nil, err
	}
	l.m.Version = fmt.Sprint(version)
	l.m.Generator = root.child("Creator").text(0)
	if l.doc = l.document(&root, version); l.err != nil {
		return nil, l.err
	}
	for _, step := range []func(){
		l.conventions, // axes, units, ticks a second
		l.nodes,       // hierarchy and how each node is moved
		l.stacks,      // what is animated, and how
		l.joints,      // nodes as joints, with those between that scales ask for
		l.contents,    // meshes, skins, materials, cameras, lights
		l.clips,       // stacks, sampled
	} {
		if step(); l.err != nil {
			return nil, l.err
		}
	}
	return l, nil
}

func (l *loader) parse(data []byte) (element, int, error) {
	var root element
	var version int
	var at int64
	var err error
	switch {
	case bytes.HasPrefix(data, []byte(binaryMagic[:20])):
		l.binary = true
		root, version, at, err = parseBinary(data, l.budget)
	case isASCII(data):
		root, version, at, err = parseASCII(data, l.budget)
	default:
		return root, 0, &Error{File: l.file, Offset: 0, Message: "is no FBX file: it begins neither like a binary nor like a text one"}
	}
	if err != nil {
		return root, 0, &Error{File: l.file, Offset: at, Message: err.Error()}
	}
	known := false
	for _, name := range []string{"FBXHeaderExtension", "Objects", "Definitions", "Connections", "Model", "Takes", "GlobalSettings"} {
		known = known || root.child(name) != nil
	}
	if !known {
		return root, 0, &Error{File: l.file, Offset: 0, Message: "is no FBX file: it has none of the sections of one"}
	}
	return root, version, nil
}

// loader is one file on its way into a Model.
type loader struct {
	Options
	file    string
	fsys    fs.FS
	budget  *budget
	reserve int64 // of the budget, that sampling leaves for what must be
	work    int64 // evaluations of animated nodes left, about a microsecond each
	m       *assets.Model
	err     error // the first mistake; the steps stop at it
	doc     *document
	binary  bool

	unit    float64 // metres a unit of the file; 1 where native
	turn    quat    // of top-level nodes
	mirror  bool    // the file is left-handed: a root joint mirrors
	ticks   float64 // a second
	tops    []*node
	all     []*node // parents first
	nodeOf  map[*object]*node
	joint   []joint // by joint of the skeleton
	motions []*stack

	textures   map[*object]int32
	images     map[*object]int32
	files      map[string][]byte
	materials  map[*object]int32
	geometries map[*object]*geometry
	meshes     map[string]int32
	morphed    []morphed
	poses      map[*object]mat
	otherPoses map[*object][]mat // of further bind poses
	worlds     map[*node]mat
}

// pay accounts for memory, so that a few bytes cannot ask for gigabytes.
func (l *loader) pay(n int64, where string, at int64) bool {
	if l.err != nil {
		return false
	}
	if err := l.budget.take(n); err != nil {
		l.fail(where, at, "%v", err)
		return false
	}
	return true
}

func (l *loader) fail(where string, at int64, format string, args ...any) {
	if l.err == nil {
		l.err = &Error{File: l.file, Path: where, Offset: at, Message: fmt.Sprintf(format, args...)}
	}
}

// warn tells of something repaired or left out. Files with thousands of equal
// faults are told of some.
func (l *loader) warn(where, format string, args ...any) {
	const most = 200
	if len(l.m.Warnings) < most {
		l.m.Warnings = append(l.m.Warnings, assets.Warning{Where: where, Message: fmt.Sprintf(format, args...)})
	}
}

// readFile reads an FBX file. Of a hole of gigabytes the head is enough to see
// that it is none.
func readFile(path string) ([]byte, error) {
	f, err := ordinary.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 64)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if head = head[:n]; bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(head, []byte("Kaydara")) {
		return head, nil // which Decode refuses
	}
	return ordinary.ReadFile(path, maxBytes)
}

// workBase is how many evaluations any file may ask for.
const workBase = 500_000

// maxBytes is the largest file that is read; the 32-bit encoding ends there.
const maxBytes = 4 << 30

// cause is a system error without the path, which the message has already.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
