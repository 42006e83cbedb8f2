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
