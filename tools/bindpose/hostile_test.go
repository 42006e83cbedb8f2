package main

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// Names in a file may hold escape sequences, which would command the terminal.
// No message and no table passes them on.
func TestEscapesStayInTheFile(t *testing.T) {
	const evil = `\u001b]0;owned\u0007\u001b[2J\u009b2J\u202e\r`
	file := write(t, "evil.gltf", `{"asset":{"version":"2.0","generator":"`+evil+`"},"extensionsUsed":["`+evil+`"],
"images":[{"name":"`+evil+`","uri":"`+evil+`.png"}],"nodes":[{"name":"`+evil+`"}],"scenes":[{"nodes":[0]}],
"cameras":[{"name":"`+evil+`","type":"perspective","perspective":{"yfov":1,"znear":0.1}}],
"materials":[{"name":"`+evil+`"}],"meshes":[{"name":"`+evil+`","primitives":[]}]}`)
	for _, args := range [][]string{
		{"inspect", file}, {"inspect", "--joints", file}, {"pose", file}, {"doctor", file}, {"pose", "--clip", "\x1b[2J", file},
		{"inspect", filepath.Join(t.TempDir(), "\x1b[2J.glb")}, {"doctor", filepath.Join(t.TempDir(), "\x1b[2J.glb")}, {"\x1b[2J"}, {"view", "--\x1b[2J", file},
	} {
		_, out, errs := command(t, args...)
		if args[0] == "pose" {
			out = "" // JSON has escapes of its own
		}
		for _, r := range out + errs {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("bindpose %s passes %U on: %q", strings.Join(args, " "), r, out+errs)
				break
			}
		}
	}
}
