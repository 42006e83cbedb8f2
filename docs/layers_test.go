package docs_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/bindpose/bindpose/"

// layers say what of the project each tree of packages may import, besides
// itself. What is pure imports no cgo either, directly or through others.
var layers = []struct {
	tree string
	may  []string
	pure bool
}{
	{"engine/mgl32", nil, true},
	{"framegraph", nil, true},
	{"animation", []string{"engine/mgl32"}, true},
	{"assets", []string{"engine/mgl32", "animation"}, false}, // cgo for the reference decoders of meshopt and Draco
	{"engine/input", nil, true},
	{"engine/vk", nil, false},
	{"engine/gpu", []string{"engine/vk", "framegraph"}, false},
	{"engine/window", []string{"engine/input"}, false},
	{"engine/gui", []string{"engine/input"}, false},
	{"engine/physics", []string{"engine/mgl32"}, false},
	{"passes", []string{"engine", "assets", "animation", "framegraph", "shaders"}, false},
	{"engine", []string{"passes", "assets", "animation", "framegraph", "shaders"}, false},
}

// dependencies of the packages of a tree, tests not counted: import paths.
func dependencies(t *testing.T, tree string) []string {
	t.Helper()
	c := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}}", "./"+tree+"/...")
	c.Dir = ".."
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", tree, err)
	}
	return strings.Fields(string(out))
}

func within(path, tree string) bool {
	return path == module+tree || strings.HasPrefix(path, module+tree+"/")
}

// Dependencies point one way.
func TestDependenciesPointOneWay(t *testing.T) {
	for _, l := range layers {
		for _, path := range dependencies(t, l.tree) {
			// Tools for tests only.
			if within(path, "internal") || within(path, "engine/gpu/gputest") || within(path, "engine/enginetest") {
				continue
			}
			switch {
			case strings.HasPrefix(path, module):
				allowed := within(path, l.tree)
				for _, m := range l.may {
					allowed = allowed || within(path, m)
				}
				if !allowed {
					t.Errorf("%s imports %s", l.tree, strings.TrimPrefix(path, module))
				}
			case l.pure && path == "runtime/cgo":
				t.Errorf("%s needs cgo", l.tree)
			}
		}
	}
}

// What judges retargeted clips shares nothing with what moves them.
func TestTheVerifierImportsNothingOfWhatItJudges(t *testing.T) {
	deps := dependencies(t, "animation/retarget/verify")
	if !slices.Contains(deps, module+"animation") {
		t.Fatal("it imports not even package animation, so this proves nothing")
	}
	for _, path := range deps {
		if within(path, "animation/humanoid") || within(path, "animation/ik") || within(path, "animation/retarget") && !within(path, "animation/retarget/verify") {
			t.Errorf("animation/retarget/verify imports %s", strings.TrimPrefix(path, module))
		}
	}
}

// The check can fail: what does need cgo is seen to.
func TestCgoIsNoticed(t *testing.T) {
	for _, path := range dependencies(t, "engine/vk") {
		if path == "runtime/cgo" {
			return
		}
	}
	t.Error("engine/vk seems not to need cgo, so the test of the others proves nothing")
}
