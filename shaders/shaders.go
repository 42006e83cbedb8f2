package shaders

import (
	"embed"
	"fmt"
)

//go:embed *.spv
var compiled embed.FS

// Code is the SPIR-V of the shader of that source name, such as "geometry.vert". A name that isn't there is a bug in
// the program, found by its first run: it panics and says what to do.
func Code(name string) []byte {
	code, err := compiled.ReadFile(name + ".spv")
	if err != nil {
		panic(fmt.Sprintf("shaders: no %s.spv is embedded; write shaders/%s and run make shaders", name, name))
	}
	return code
}
