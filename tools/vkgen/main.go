package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// defaultRegistry is where Debian's libvulkan-dev puts the registry.
const defaultRegistry = "/usr/share/vulkan/registry/vk.xml"

func main() {
	registryPath := flag.String("xml", defaultRegistry, "the Vulkan registry, `vk.xml`")
	listPath := flag.String("list", "tools/vkgen/list.txt", "the names to generate")
	out := flag.String("out", "engine/vk", "the package folder to write into")
	flag.Parse()
	if err := run(*registryPath, *listPath, *out); err != nil {
		fmt.Fprintln(os.Stderr, "vkgen:", err)
		os.Exit(2)
	}
}

func run(registryPath, listPath, out string) error {
	files, err := Generate(registryPath, listPath)
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(out, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// File is one generated file, its name relative to the package folder.
type File struct {
	Name string
	Text []byte
}

// Generate returns every generated file, sorted by name.
func Generate(registryPath, listPath string) ([]File, error) {
	reg, err := readRegistry(registryPath)
	if err != nil {
		return nil, err
	}
	list, err := readList(listPath)
	if err != nil {
		return nil, err
	}
	m, err := newModel(reg, list)
	if err != nil {
		return nil, err
	}
	emitters := []struct {
		name string
		emit func(*model, *writer)
	}{
		{"gen_enums.go", emitEnums},
		{"gen_strings.go", emitStrings},
		{"gen_types.go", emitTypes},
		{"gen_commands.go", emitCommandsGo},
		{"gen_stream.go", emitStreamGo},
		{"gen_table.h", emitTableH},
		{"gen_commands.h", emitCommandsH},
		{"gen_commands.c", emitCommandsC},
		{"gen_replay.c", emitReplayC},
		{"gen_layout_test.go", emitLayoutTest},
		{"internal/fakevk/gen_fake.c", emitFakeC},
	}
	var files []File
	for _, e := range emitters {
		w := &writer{header: m.headerVersion}
		e.emit(m, w)
		text, err := w.finish(e.name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		files = append(files, File{e.name, text})
	}
	slices.SortFunc(files, func(a, b File) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return files, nil
}
