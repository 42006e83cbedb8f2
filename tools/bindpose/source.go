package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/bvh"
	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/archive"
)

// modelIn is the model that a command's argument means: the one in a folder,
// or the file itself. What is a file, whatever its name, is that file.
func modelIn(arg string) (string, error) {
	st, err := os.Stat(arg)
	if err != nil || !st.IsDir() {
		return arg, nil
	}
	inside, err := modelsBelow(arg)
	if err != nil {
		return "", err
	}
	if len(inside) > 1 {
		return "", fmt.Errorf("%s: there are %d models in this folder; name one: %s", arg, len(inside), some(inside))
	}
	return inside[0], nil
}

// some are names for a message, as many as can be taken in.
func some(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// modelsBelow are the models in a folder and those below it.
func modelsBelow(dir string) (out []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && isModel(path) {
			out = append(out, path)
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: there is no model in this folder", dir)
	}
	return out, err
}

// fileOf is the file on the disk in which a model lies: itself, or its archive.
func fileOf(path string) string {
	if in, _, ok := inArchive(path); ok {
		return in
	}
	return path
}

// inArchive takes apart the path of an archive, or of a model in one.
func inArchive(path string) (zip, inside string, ok bool) {
	if zip, inside, ok = archive.Split(path); !ok {
		return path, "", false
	}
	if inside != "" {
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			return path, "", false
		}
	}
	return zip, inside, true
}

// packedModel is a model file in an archive.
type packedModel struct {
	path   string // such as hero.zip!hero/hero.gltf
	data   []byte
	beside fs.FS
}

// openPacked opens an archive for its model: the one that is named, else the
// first. others are the models that were not taken. The archive stays open for
// the files beside the model until it is closed.
func openPacked(zip, inside string) (a *archive.Archive, m packedModel, others []string, err error) {
	if a, err = archive.Open(zip); err != nil {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			err = fmt.Errorf("%s: %s", zip, cause(err))
		}
		return nil, m, nil, err
	}
	defer func(opened *archive.Archive) {
		if err != nil {
			_ = opened.Close() // it was only read
		}
	}(a)
	models := a.Names(isModel)
	if inside == "" {
		// A file of clips alone comes behind what can be shown.
		for _, name := range models {
			if inside == "" || isBVH(inside) && !isBVH(name) {
				inside = name
			}
		}
		for _, name := range models {
			if name != inside {
				others = append(others, zip+"!"+name)
			}
		}
	}
	if inside == "" {
		return nil, m, nil, fmt.Errorf("%s: there is no model in this archive", zip)
	}
	m.path = zip + "!" + inside
	m.data, m.beside, err = a.Read(inside)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %s is not in this archive; its models: %s", zip, inside, some(models))
	}
	return a, m, others, err
}

func isBVH(path string) bool { return strings.EqualFold(filepath.Ext(path), ".bvh") }

// decode reads the model of an archive by its name, as loadFBXAs reads a file.
func (p packedModel) decode(options fbx.Options) (m *assets.Model, err error) {
	switch ext := strings.ToLower(filepath.Ext(p.path)); ext {
	case ".gltf", ".glb", ".vrm", ".vrma":
		m, err = gltf.Decode(p.path, p.data, p.beside)
	case ".fbx":
		m, err = options.Decode(p.path, p.data, p.beside)
	case ".bvh":
		m, err = bvh.Decode(p.path, p.data, bvh.Options{})
	default:
		return nil, fmt.Errorf("%s: %w", p.path, unknownFormat(ext))
	}
	if err == nil {
		_, inside, _ := archive.Split(p.path)
		m.Name = strings.TrimSuffix(filepath.Base(inside), filepath.Ext(inside))
	}
	return m, err
}

func unknownFormat(ext string) error {
	return fmt.Errorf("bindpose does not read %q files: it reads .gltf, .glb, .vrm, .fbx, .bvh, and .zip archives of such", ext)
}

// loadPacked is loadFBXAs of an archive.
func loadPacked(options fbx.Options, zip, inside string, warn func(string)) (*assets.Model, error) {
	a, p, others, err := openPacked(zip, inside)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	m, err := p.decode(options)
	if err != nil {
		return nil, err
	}
	if len(others) > 0 {
		warn(fmt.Sprintf("%s is taken, one of %d models in the archive; name another to take that: %s", p.path, len(others)+1, some(others)))
	}
	return m, nil
}

// bytesOf reads the bytes of what loadModel reads a model from.
func bytesOf(path string) ([]byte, error) {
	path, err := modelIn(path)
	if err != nil {
		return nil, err
	}
	zip, inside, ok := inArchive(path)
	if !ok {
		return os.ReadFile(path)
	}
	a, p, _, err := openPacked(zip, inside)
	if err != nil {
		return nil, err
	}
	return p.data, a.Close()
}

// examinePacked is doctor.Examine of a model in an archive.
func examinePacked(zip, inside string, limits doctor.Budget) (doctor.Report, *assets.Model, error) {
	a, p, _, err := openPacked(zip, inside)
	if err != nil {
		return doctor.Report{}, nil, err
	}
	defer a.Close()
	var faults []gltf.Fault
	if doctor.IsGLTF(p.path) {
		faults = gltf.CheckBytes(p.path, p.data, p.beside)
	}
	m, err := p.decode(fbx.Options{})
	report, m := doctor.Judge(p.path, faults, m, err, limits)
	return report, m, nil
}

// eachPacked replaces an archive, for the doctor, by all models in it.
func eachPacked(zip string) ([]string, error) {
	a, err := archive.Open(zip)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	var out []string
	for _, name := range a.Names(isModel) {
		out = append(out, zip+"!"+name)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: there is no model in this archive", zip)
	}
	return out, nil
}
