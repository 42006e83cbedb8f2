// Package corpus finds the models and figures made by others that the tests
// measure against. They are not part of the project: they lie in a folder
// named shared beside the checkout, or where BINDPOSE_SHARED points.
//
// A test that needs them calls Path, which skips the test, saying what is
// missing, where the folder is not there. With BINDPOSE_REQUIRE_SHARED=1, as in
// CI, a missing folder fails the test instead, so that nothing is skipped there.
package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path returns the path of a file or folder below shared/data, such as
// "gltf/Fox/glTF-Binary/Fox.glb".
func Path(t testing.TB, rel string) string {
	t.Helper()
	path := filepath.Join(Shared(), "data", filepath.FromSlash(rel))
	if _, err := os.Stat(path); err != nil {
		Missing(t, fmt.Errorf("the shared test data is not there (%w); set BINDPOSE_SHARED to its folder", err))
	}
	return path
}

// Missing ends a test that lacks something of the machine: data, a program, a
// device. It skips the test, saying what, or fails it where
// BINDPOSE_REQUIRE_SHARED=1 says that all must run.
func Missing(t testing.TB, what error) {
	t.Helper()
	if os.Getenv("BINDPOSE_REQUIRE_SHARED") == "1" {
		t.Fatalf("required, since BINDPOSE_REQUIRE_SHARED=1: %v", what)
	}
	t.Skipf("skipped: %v", what)
}

// Shared returns the shared folder, which may not be there.
func Shared() string {
	if root := os.Getenv("BINDPOSE_SHARED"); root != "" {
		return root
	}
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "..", "shared")
}
