package vk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

type memberLayout struct {
	name   string
	offset uintptr
}

type structLayout struct {
	name        string
	size, align uintptr
	members     []memberLayout
}

type enumValue struct {
	name  string
	value int64
}

const vulkanHeader = "/usr/include/vulkan/vulkan_core.h"

// TestLayoutIsC compiles the real headers and compares every struct's size, alignment and offsets, and every constant.
func TestLayoutIsC(t *testing.T) {
	header, err := os.ReadFile(vulkanHeader)
	if err != nil {
		t.Skip("the Vulkan headers are not installed (on Debian: apt install libvulkan-dev): ", err)
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no C compiler: ", err)
	}
	var want, program strings.Builder
	program.WriteString("#include <vulkan/vulkan_core.h>\n#include <stddef.h>\n#include <stdio.h>\n" +
		"#define S(s) printf(#s \" %zu %zu\\n\", sizeof(s), _Alignof(s))\n" +
		"#define M(s, m) printf(#s \".\" #m \" %zu\\n\", offsetof(s, m))\n" +
		"#define V(v) printf(#v \" %lld\\n\", (long long)(v))\nint main(void) {\n")
	for _, s := range cLayout {
		fmt.Fprintf(&program, "S(%s);\n", s.name)
		fmt.Fprintf(&want, "%s %d %d\n", s.name, s.size, s.align)
		for _, m := range s.members {
			fmt.Fprintf(&program, "M(%s, %s);\n", s.name, m.name)
			fmt.Fprintf(&want, "%s.%s %d\n", s.name, m.name, m.offset)
		}
	}
	for _, v := range cValues {
		if strings.Contains(v.name, "PORTABILITY_SUBSET") {
			continue // in vulkan_beta.h
		}
		fmt.Fprintf(&program, "V(%s);\n", v.name)
		fmt.Fprintf(&want, "%s %d\n", v.name, v.value)
	}
	program.WriteString("}\n")

	dir := t.TempDir()
	source := filepath.Join(dir, "layout.c")
	if err := os.WriteFile(source, []byte(program.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "layout")
	if out, err := exec.Command(gcc, "-O0", "-o", binary, source).CombinedOutput(); err != nil {
		if !strings.Contains(string(header), "#define VK_HEADER_VERSION "+headerVersion(t)+"\n") {
			t.Skip("the installed headers are of another version and lack some names")
		}
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(want.String(), "\n")
	if len(gotLines) != len(wantLines) {
		t.Fatalf("C printed %d lines, want %d", len(gotLines), len(wantLines))
	}
	for i := range wantLines {
		if gotLines[i] != wantLines[i] {
			t.Errorf("C has %q, Go has %q", gotLines[i], wantLines[i])
		}
	}
	if len(cLayout) < 150 {
		t.Errorf("only %d structs were compared", len(cLayout))
	}
}

// headerVersion is the VK_HEADER_VERSION that the package was generated from.
func headerVersion(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("gen_types.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VK_HEADER_VERSION ")
	version, _, _ := strings.Cut(rest, "\n")
	return version
}
