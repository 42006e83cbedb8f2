package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/bindpose/bindpose/internal/corpus"
)

// threeName is what three.js's readings are called, with the model behind it.
const threeName = "GLTFLoader"

//go:embed threejs/package.json threejs/gltfload.mjs
var threeFiles embed.FS

// threeModels are the files that the design's target gltf-load names.
var threeModels = map[string]string{
	"Fox":             "gltf/Fox/glTF-Binary/Fox.glb",
	"CesiumMan":       "gltf/CesiumMan/glTF-Binary/CesiumMan.glb",
	"MorphStressTest": "gltf/MorphStressTest/glTF-Embedded/MorphStressTest.gltf",
}

// threeJS runs three.js's GLTFLoader in Node.
type threeJS struct {
	dir     string // with node_modules/three
	missing error  // why it cannot be run
}

// openThreeJS finds Node and three.js, or installs three.js with npm, once for
// this user: into BINDPOSE_THREEJS, or a folder of the user's cache. Where that
// fails, running it tells why; it is no error, since Bindpose needs neither.
func openThreeJS(ctx context.Context, log io.Writer) *threeJS {
	t := &threeJS{dir: os.Getenv("BINDPOSE_THREEJS")}
	t.missing = t.open(ctx, log)
	return t
}

func (t *threeJS) open(ctx context.Context, log io.Writer) error {
	if _, err := exec.LookPath("node"); err != nil {
		return errors.New("three.js needs Node: install nodejs and npm to measure against it")
	}
	if t.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		t.dir = filepath.Join(cache, "bindpose", "threejs-bench")
	}
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return err
	}
	for _, name := range []string{"package.json", "gltfload.mjs"} {
		b, err := threeFiles.ReadFile("threejs/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(t.dir, name), b, 0o666); err != nil {
			return err
		}
	}
	if t.installed() {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("three.js needs npm to be installed")
	}
	fmt.Fprintf(log, "installing three.js into %s\n", t.dir)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
	c.Dir = t.dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("npm cannot install three.js: %w: %s", err, oneLine(out))
	}
	return nil
}

// installed reports whether the version that package.json asks for is there.
func (t *threeJS) installed() bool {
	var want struct{ Dependencies map[string]string }
	var have struct{ Version string }
	b, err := os.ReadFile(filepath.Join(t.dir, "package.json"))
	if err != nil || json.Unmarshal(b, &want) != nil {
		return false
	}
	b, err = os.ReadFile(filepath.Join(t.dir, "node_modules", "three", "package.json"))
	return err == nil && json.Unmarshal(b, &have) == nil && have.Version == want.Dependencies["three"]
}

// run times a load of each model. What keeps it from running is a reason to
// skip, not an error.
func (t *threeJS) run(ctx context.Context, benchtime string) (readings, error) {
	r := newReadings()
	if t.missing != nil {
		r.skipped[threeName] = t.missing.Error()
		return r, nil
	}
	d, err := time.ParseDuration(benchtime)
	if err != nil {
		return r, err
	}
	args := []string{"gltfload.mjs", fmt.Sprint(d.Seconds())}
	for model, rel := range threeModels {
		path := filepath.Join(corpus.Shared(), "data", filepath.FromSlash(rel))
		if _, err := os.Stat(path); err != nil {
			r.skipped[threeName+"/"+model] = fmt.Sprintf("the shared test data is not there (%v); set BINDPOSE_SHARED to its folder", err)
			continue
		}
		args = append(args, path)
	}
	c := exec.CommandContext(ctx, "node", args...)
	c.Dir = t.dir
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return r, fmt.Errorf("node gltfload.mjs: %w: %s", err, oneLine(said.Bytes()))
	}
	return r, parseThree(string(out), r)
}

// parseThree reads a line of JSON a model.
func parseThree(out string, into readings) error {
	for line := range strings.Lines(out) {
		var l struct {
			File string
			Ms   float64
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Ms <= 0 {
			return fmt.Errorf("gltfload.mjs printed %q", line)
		}
		base := filepath.Base(l.File)
		into.values[metric{threeName + "/" + strings.TrimSuffix(base, filepath.Ext(base)), "ns/op"}] = l.Ms * 1e6
	}
	return nil
}
