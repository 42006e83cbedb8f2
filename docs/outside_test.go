package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Modules that use Bindpose from outside are no part of go test ./..., so this
// test vets them and runs their tests.
func TestModulesOfTheirOwn(t *testing.T) {
	modules, err := filepath.Glob("../examples/*/go.mod")
	if err != nil || len(modules) == 0 {
		t.Fatalf("there are no modules: %v", err)
	}
	for _, m := range modules {
		dir := filepath.Dir(m)
		for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
			c := exec.Command("go", args...)
			c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=readonly")
			if said, err := c.CombinedOutput(); err != nil {
				t.Errorf("%s: go %v: %v\n%s", dir, args, err, said)
			}
		}
	}
}
