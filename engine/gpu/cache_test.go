package gpu_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

func TestPipelineCache(t *testing.T) {
	dir := t.TempDir()
	dev := gputest.OpenWith(t, gpu.Options{CacheDir: dir})
	path := dev.CachePath()
	if filepath.Dir(path) != filepath.Join(dir, "pipelines") {
		t.Fatalf("kept at %s", path)
	}
	if dev.CacheKept() != 0 {
		t.Fatal("something is kept before the first run")
	}
	trianglePipeline(t, dev, framegraph.RGBA8Srgb)
	if err := dev.WriteCache(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil || dev.CacheKept() == 0 {
		t.Fatalf("nothing kept: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	flipped := bytes.Clone(file)
	flipped[len(flipped)-1] ^= 1
	foreign := bytes.Clone(file)
	foreign[len("bindpose-pipelines-1\n")+4+8] ^= 1 // the vendor
	for name, bad := range map[string][]byte{
		"empty": {}, "short": file[:30], "cut": file[:len(file)-1], "flipped": flipped, "foreign": foreign, "other": []byte("not a cache at all, but long enough to hold a header of that sort"),
	} {
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if n := dev.CacheKept(); n != 0 {
			t.Errorf("%s file: %d bytes taken", name, n)
		}
		trianglePipeline(t, gputest.OpenWith(t, gpu.Options{CacheDir: dir}), framegraph.RGBA8Srgb)
	}
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	if gputest.OpenWith(t, gpu.Options{CacheDir: dir}).CacheKept() == 0 {
		t.Error("the next run takes nothing from a whole file")
	}
}

// Where the cache can't be kept, all else works.
func TestPipelineCacheNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dev := gputest.OpenWith(t, gpu.Options{CacheDir: file})
	trianglePipeline(t, dev, framegraph.RGBA8Srgb)
	if dev.WriteCache() == nil {
		t.Error("written below a file")
	}
}

func TestPipelineCacheOfTheUser(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	dev := must(gpu.Open(gpu.Options{}))(t)
	trianglePipeline(t, dev, framegraph.RGBA8Srgb)
	dev.Close()
	if kept, _ := filepath.Glob(filepath.Join(dir, "bindpose", "pipelines", "*.bin")); len(kept) != 1 {
		t.Errorf("kept %v", kept)
	}
}
