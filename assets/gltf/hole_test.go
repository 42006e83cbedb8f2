package gltf_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
)

// A file of gigabytes that is nothing but a hole costs its maker a few bytes, so
// it may cost its reader no more: it is refused by its head.
func TestHoles(t *testing.T) {
	const size = 3 << 30
	glb := func(told, chunk uint32, rest string) string {
		b := append([]byte("glTF"), 2, 0, 0, 0)
		b = binary.LittleEndian.AppendUint32(b, told)
		b = binary.LittleEndian.AppendUint32(b, chunk)
		return string(b) + rest
	}
	const box = `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"hole.bin"}]`
	for _, c := range []struct{ name, head, want string }{
		{"zero.gltf", "", "neither a GLB nor a JSON file"},
		{"zero.glb", "", "neither a GLB nor a JSON file"},
		{"text.gltf", `{"asset":`, "JSON byte 9"},
		{"chunk.glb", glb(size, 0, "\x00\x00\x00\x00"), "instead of JSON"},
		{"json.glb", glb(size, size-20, "JSON{"), "zero bytes"},
		{"long.glb", glb(size+1, 4, "JSON{}  "), "cut off"},
		{"short.glb", glb(28, 8, "JSON{}      "), "asset"},
		{"buffer.gltf", box + "}", ""},
		{"image.gltf", box + `,"images":[{"uri":"hole.bin"}]}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path, hole := filepath.Join(dir, c.name), filepath.Join(dir, "hole.bin")
			if err := os.WriteFile(path, []byte(c.head), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(hole, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				path, hole = hole, path
			}
			if err := os.Truncate(path, size); err != nil {
				t.Skip(err)
			}
			if c.want == "" {
				path = hole
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := gltf.Load(path)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 300<<20 {
				t.Errorf("%d MiB were allocated", used>>20)
			}
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want == "":
				if n := len(m.Meshes[0].Primitives[0].Positions); n != 3 {
					t.Errorf("%d vertices", n)
				}
			case err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name):
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}
