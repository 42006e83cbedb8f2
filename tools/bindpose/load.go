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
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/internal/columns"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// loadModel reads a model file and tells its warnings on standard error.
func loadModel(path string, warn func(string)) (*assets.Model, error) {
	return loadFBXAs(fbx.Options{}, path, warn)
}

// loadFBXAs is loadModel with a say in the axes, units and times of FBX files.
func loadFBXAs(options fbx.Options, path string, warn func(string)) (*assets.Model, error) {
	load := gltf.Load
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".gltf", ".glb", ".vrm":
	case ".fbx":
		load = options.Load
	default:
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%s: %s", path, cause(err))
		}
		return nil, fmt.Errorf("%s: bindpose does not read %q files: it reads .gltf, .glb, .vrm and .fbx", path, ext)
	}
	m, err := load(path)
	if err != nil {
		return nil, err
	}
	for _, w := range m.Warnings {
		warn(fmt.Sprintf("%s: %s: %s", filepath.Base(path), w.Where, w.Message))
	}
	return m, nil
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
	if err != nil {
		return nil, fmt.Errorf("--clip: %w; or none, the rest pose", err)
	}
	return clip, nil
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
