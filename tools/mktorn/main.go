// Command mktorn makes a pair of characters to try the doctor on: the demo's
// mannequin as it is, and torn, as some exporters leave characters: bound with
// another matrix than the mesh stands at, −90° about X and 1.56 m off. At rest
// the torn one only lies elsewhere; in motion its parts fly apart.
//
//	go run ./tools/mktorn OUT_FOLDER
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/bindpose/bindpose/tools/mktorn/torn"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mktorn OUT_FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "mktorn:", err)
		os.Exit(2)
	}
}

func write(folder string) error {
	healthy, sick, err := torn.Pair()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	healthyFBX, sickFBX, err := torn.PairFBX()
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"healthy.glb": healthy, "torn.glb": sick, "healthy.fbx": healthyFBX, "torn.fbx": sickFBX,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
