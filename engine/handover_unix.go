//go:build unix

package engine

import (
	"os"
	"syscall"
)

// replaceProcess goes on as another program, with the same arguments; it returns
// only where that fails.
func replaceProcess(path string, environment []string) error {
	return syscall.Exec(path, os.Args, environment)
}
