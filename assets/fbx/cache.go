package fbx

import (
	"io/fs"
	"path"
	"strings"
)

// cache refuses a vertex cache that never was: its file is not beside the model,
// and the record names no place where it ever lay, as every exporter notes it. One
// that merely stayed behind on another machine leaves the mesh its shape.
func (l *loader) cache(c *object, name string) {
	full := c.text("CacheAbsoluteFileName")
	if name == "" || isAbsolute(full) || isAbsolute(name) || l.fsys == nil {
		return
	}
	if file := path.Clean(strings.ReplaceAll(name, "\\", "/")); fs.ValidPath(file) {
		if f, err := l.fsys.Open(file); err == nil {
			f.Close()
			return
		}
	}
	l.fail(c.where(), c.el.at, "the vertex cache %q is not there, and no folder is named where it might be, so what moves the mesh is lost: "+
		"put the cache beside the file, or export it again with the deformation baked or without the cache", shorten(name))
}

// isAbsolute tells whether a path is one from a root, by the rules of any system.
func isAbsolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "\\") || strings.Contains(path, "://") ||
		len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}
