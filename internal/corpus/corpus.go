// Package corpus finds the models and figures made by others that the tests
// measure against. They are not part of the project: they lie in a folder
// named shared beside the checkout, or where BINDPOSE_SHARED points.
//
// A test that needs them calls Path, which skips the test, saying what is
// missing, where the folder is not there. With BINDPOSE_REQUIRE_SHARED=1, as in
// CI, a missing folder fails the test instead, so that nothing is skipped there.
package corpus

import (
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
		if os.Getenv("BINDPOSE_REQUIRE_SHARED") == "1" {
			t.Fatalf("test data is required but missing: %v", err)
		}
		t.Skipf("skipped: the shared test data is not there (%v); set BINDPOSE_SHARED to its folder", err)
	}
	return path
}

// Shared returns the shared folder, which may not be there.
func Shared() string {
	if root := os.Getenv("BINDPOSE_SHARED"); root != "" {
		return root
	}
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "..", "shared")
}
