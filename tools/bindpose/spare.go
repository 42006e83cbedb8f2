package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/bindpose/bindpose/assets"
)

// spares refuses an --out that is a picture of one of the models.
func (f *drawFlags) spares(models []*assets.Model) error {
	out, err := os.Stat(f.out)
	if err != nil {
		return nil
	}
	for _, m := range models {
		for i := range m.Images {
			path := m.Images[i].Path
			if path == "" {
				continue
			}
			if plain, err := url.PathUnescape(path); err == nil {
				path = plain
			}
			path = filepath.Join(filepath.Dir(m.Path), filepath.FromSlash(path))
			if s, err := os.Stat(path); err == nil && os.SameFile(out, s) {
				return fmt.Errorf("--out %s is a picture that %s shows: give another name", f.out, m.Path)
			}
		}
	}
	return nil
}

// sparesInputs refuses to write over one of the files that are read. flag is how the
// output is called.
func sparesInputs(flag, out string, inputs ...string) error {
	for _, path := range inputs {
		if out != "" && path != "" && sameFile(path, out) {
			return fmt.Errorf("%s %s would be written over %s, which is read: give another name", flag, out, path)
		}
	}
	return nil
}

// sameFile tells whether two paths are one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
