package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"github.com/bindpose/bindpose/internal/mannequins"
)

func main() {
	out := flag.String("o", "demo/assets", "folder that the .glb files are written to")
	guises := flag.String("variants", "", "write the two people in all their guises into this folder instead: 65 and 213 joints, A- and T-pose, m and cm, Y and Z up")
	look := flag.String("preview", "", "also draw pictures of the files into this folder")
	only := flag.String("only", "", "with -preview: draw the pictures whose names contain this")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "mkdemo: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if *guises != "" {
		if err := variants(*guises); err != nil {
			fmt.Fprintln(os.Stderr, "mkdemo:", err)
			os.Exit(2)
		}
		return
	}
	if err := run(*out, *look, *only); err != nil {
		fmt.Fprintln(os.Stderr, "mkdemo:", err)
		os.Exit(2)
	}
}

func run(folder, pictures, only string) error {
	files, err := build()
	if err != nil {
		return err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(folder, name), files[name], 0o644); err != nil {
			return err
		}
	}
	if pictures == "" {
		return nil
	}
	return preview(pictures, only, files)
}

// variants writes every guise of the two people.
func variants(folder string) error {
	for _, v := range mannequins.All() {
		f, err := os.Create(filepath.Join(folder, v.Name()+".glb"))
		if err != nil {
			return err
		}
		err = v.Write(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// build makes every file of the demo, by name.
func build() (map[string][]byte, error) {
	s := buildMannequin()
	clips := []clip{s.idle(), walking.clip(s, "walk"), running.clip(s, "run")}
	mannequin, err := s.write(clips)
	if err != nil {
		return nil, fmt.Errorf("mannequin.glb: %w", err)
	}
	porter, err := buildPorter().write(nil)
	if err != nil {
		return nil, fmt.Errorf("porter.glb: %w", err)
	}
	c := buildCarrier()
	carrier, err := c.write([]clip{c.carrierIdle(), c.carrierWalk()})
	if err != nil {
		return nil, fmt.Errorf("carrier.glb: %w", err)
	}
	house, err := buildHouse()
	if err != nil {
		return nil, fmt.Errorf("house.glb: %w", err)
	}
	props, err := buildProps()
	if err != nil {
		return nil, fmt.Errorf("props.glb: %w", err)
	}
	sword, err := buildSword()
	if err != nil {
		return nil, fmt.Errorf("sword.glb: %w", err)
	}
	return map[string][]byte{"mannequin.glb": mannequin, "porter.glb": porter, "carrier.glb": carrier, "house.glb": house, "props.glb": props, "sword.glb": sword}, nil
}
