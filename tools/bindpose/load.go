package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/bvh"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/internal/columns"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// loadModel reads a model file, or the one in a folder or an archive, and tells
// its warnings on standard error.
func loadModel(path string, warn func(string)) (*assets.Model, error) {
	return loadFBXAs(fbx.Options{}, path, warn)
}

// loadFBXAs is loadModel with a say in the axes, units and times of FBX files.
func loadFBXAs(options fbx.Options, path string, warn func(string)) (*assets.Model, error) {
	path, err := modelIn(path)
	if err != nil {
		return nil, err
	}
	load := gltf.Load
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".gltf", ".glb", ".vrm", ".vrma":
	case ".fbx":
		load = options.Load
	case ".zip":
	case ".bvh":
		load = func(path string) (*assets.Model, error) { return bvh.Load(path, bvh.Options{}) }
	default:
		if _, err := os.Stat(fileOf(path)); err != nil {
			return nil, fmt.Errorf("%s: %s", fileOf(path), cause(err))
		}
		return nil, fmt.Errorf("%s: %w", path, unknownFormat(ext))
	}
	if zip, inside, ok := inArchive(path); ok {
		load = func(string) (*assets.Model, error) { return loadPacked(options, zip, inside, warn) }
	}
	m, err := load(path)
	if err != nil {
		return nil, err
	}
	for _, w := range m.Warnings {
		if avatarRead(path, w.Message) {
			continue
		}
		warn(fmt.Sprintf("%s: %s: %s", filepath.Base(path), w.Where, w.Message))
	}
	return m, nil
}

// avatarRead reports whether a warning is of an extension that gltf leaves to
// package vrm.
func avatarRead(path, message string) bool {
	if !strings.EqualFold(filepath.Ext(path), ".vrm") {
		return false
	}
	for _, name := range []string{"VRM", "VRMC_vrm", "VRMC_springBone"} {
		if strings.HasPrefix(message, "the extension "+name+" is not known here") {
			return true
		}
	}
	return false
}

// loadModels reads the models that are to be shown side by side. A file of clips
// alone, without meshes, is not shown beside files with meshes: each of them gets
// its clips, by the names of the joints. Where no file has meshes all are shown.
func loadModels(files []string, warn func(string)) ([]*assets.Model, error) {
	var shown, clips []*assets.Model
	for _, file := range files {
		m, err := loadModel(file, warn)
		if err != nil {
			return nil, err
		}
		if len(m.Meshes) == 0 && len(m.Clips) > 0 {
			clips = append(clips, m)
		} else {
			shown = append(shown, m)
		}
	}
	if len(shown) == 0 {
		return clips, nil
	}
	for _, from := range clips {
		if !lend(from, shown) {
			warn(fmt.Sprintf("%s: its clips move nothing: the joints of the other files have other names; bindpose retarget brings them over", filepath.Base(from.Path)))
		}
	}
	return shown, nil
}

// lend adds the clips of one model to others that have joints of the same names,
// and reports whether there are any. A clip that would lose most of its tracks,
// and move no more than a root, is not for that model.
func lend(from *assets.Model, models []*assets.Model) (lent bool) {
	for _, m := range models {
		for _, c := range from.Clips {
			if bound, _ := animation.BindByName(c, from.Skeleton, m.Skeleton); 2*len(bound.Tracks) > len(c.Tracks) {
				m.Clips = append(m.Clips, bound)
				lent = true
			}
		}
	}
	return lent
}

// loadEnvironment reads an equirectangular picture; "" is none.
func loadEnvironment(path string) (*assets.Image, error) {
	if path == "" {
		return nil, nil
	}
	data, err := ordinary.ReadFile(path, image.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("--environment %s: %s", path, cause(err))
	}
	if _, _, err := image.Size(data); err != nil {
		return nil, fmt.Errorf("--environment %s: %w", path, err)
	}
	return &assets.Image{Name: filepath.Base(path), Path: path, Data: data}, nil
}

// cause is a system error without the path, which the message names already.
func cause(err error) string {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

func warnToStderr(message string) { say("warning: " + message) }

// say tells a message on standard error. It may hold names from a file, which
// must not command the terminal.
func say(message string) { fmt.Fprintln(os.Stderr, columns.Plain(message)) }

// findClip finds the clip that --clip names, as assets.Model.Clip does. Where
// nothing is named it is the first. Nil is the rest pose.
func findClip(m *assets.Model, name string) (*animation.Clip, error) {
	if name == "" {
		if len(m.Clips) == 0 {
			return nil, nil
		}
		return m.Clips[0], nil
	}
	clip, err := m.Clip(name)
	if err != nil && len(m.Clips) == 0 {
		return nil, fmt.Errorf("--clip %s: %s has no clips", name, m.Path)
	}
	if err != nil {
		return nil, fmt.Errorf("--clip: %w; or none, the rest pose", err)
	}
	return clip, nil
}

// findClips finds the clip of each model that is shown. One of them must have the
// clip that is named; those without it rest.
func findClips(models []*assets.Model, name string) ([]*animation.Clip, error) {
	clips := make([]*animation.Clip, len(models))
	var missing error
	found := false
	for i, m := range models {
		var err error
		if clips[i], err = findClip(m, name); err == nil {
			found = true
		} else if missing == nil || len(m.Clips) > 0 {
			missing = err
		}
	}
	if !found {
		return nil, missing
	}
	return clips, nil
}

var errNotANumber = errors.New("must be a number")

func parseFloats(s string, n int) ([]float32, error) {
	parts := strings.Split(s, ",")
	if len(parts) != n {
		return nil, fmt.Errorf("%q must be %d numbers with commas between", s, n)
	}
	out := make([]float32, n)
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 32)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q: %w", p, errNotANumber)
		}
		out[i] = float32(v)
	}
	return out, nil
}
