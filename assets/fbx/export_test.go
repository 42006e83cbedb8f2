package fbx

import (
	"os"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// MeshAtBinding is for tests: the world matrix that the file tells of a mesh's
// node at binding, by the node's name, in the file's own units.
func MeshAtBinding(path string) (map[string]mgl32.Mat4, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l, err := Options{Native: true}.read(path, data, nil)
	if err != nil {
		return nil, err
	}
	out := map[string]mgl32.Mat4{}
	for _, n := range l.all {
		for _, g := range l.shapesOf(n) {
			if len(g.clusters) > 0 {
				out[n.obj.name] = l.atBinding(n).single()
			}
		}
	}
	return out, nil
}
