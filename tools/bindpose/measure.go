package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/measure"
	"github.com/bindpose/bindpose/internal/columns"
	"github.com/bindpose/bindpose/internal/ordinary"
)

func newMeasure() *cobra.Command {
	var out, check, character string
	var asJSON bool
	c := &cobra.Command{
		Use:   "measure FILE…",
		Short: "Record what characters measure, and fail where a new rig or clip changes it",
		Long: `Measure characters: nodes, joints, vertices, feet, and of each clip its duration, its channels, its stride, speed and slide on
the skinned soles, how low and high the soles go, and where hands, head and other ends of what it moves go. Printed as JSON,
or written into a record with -o.

With --check the files are measured again and held against a record. Each figure that changed is named, old and new; the
exit status is 1 where there is one. Counts and names must be the same, strides and speeds to 1 %, heights, slides and the
places of joints to 0.2 % of the body's height. Files are known by their names without folder.

A file of clips without a mesh is measured on the --character.`,
		Example: `  bindpose measure hero.glb villain.glb -o measures.json
  bindpose measure hero.glb villain.glb --check measures.json
  bindpose measure walks.glb --character hero.glb -o walks.json`,
		Args: files(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			if out != "" && check != "" {
				return fmt.Errorf("-o writes a record and --check reads one; give one of them")
			}
			paths, err := modelFiles(args)
			if err != nil {
				return err
			}
			if err := sparesInputs("-o", out, append(paths, character)...); err != nil {
				return err
			}
			var was measure.Record
			if check != "" {
				data, err := ordinary.ReadFile(check, 64<<20)
				if err != nil {
					return fmt.Errorf("--check %s: %s", check, cause(err))
				}
				if was, err = measure.Decode(data); err != nil {
					return fmt.Errorf("--check %s: %w", check, err)
				}
			}
			characters, err := takeAll(paths, character)
			if err != nil {
				return err
			}
			switch {
			case check != "":
				return compareAll(was, characters, check, asJSON)
			case out == "":
				return measure.Encode(os.Stdout, characters...)
			}
			var data bytes.Buffer
			if err := measure.Encode(&data, characters...); err != nil {
				return err
			}
			if err := ordinary.WriteBytes(out, data.Bytes()); err != nil {
				return err
			}
			fmt.Printf("wrote %s: %s\n", out, plural(len(characters), "character"))
			return nil
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "write a record into `FILE`")
	c.Flags().StringVar(&check, "check", "", "compare with the record in `FILE`")
	c.Flags().StringVar(&character, "character", "", "`FILE` whose mesh plays the clips of files without one")
	c.Flags().BoolVar(&asJSON, "json", false, "with --check, print the changes as JSON")
	return c
}

// takeAll measures the models of all files. Each has its file's name, which must be
// one's own.
func takeAll(paths []string, character string) ([]measure.Character, error) {
	var out []measure.Character
	seen := map[string]string{}
	bar := newProgress(len(paths), "measuring")
	defer bar.done()
	for _, path := range paths {
		name := filepath.Base(path)
		if other, ok := seen[name]; ok {
			return nil, fmt.Errorf("%s and %s have the same name, by which a record knows them", other, path)
		}
		seen[name] = path
		m, clips, err := bodyOf(path, character)
		if err != nil {
			return nil, err
		}
		c, err := measure.Take(m, clips)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c.Name = name
		out = append(out, c)
		bar.add()
	}
	return out, nil
}

// bodyOf is the model that a file is measured on, and the clips. A file with a mesh
// has its own.
func bodyOf(path, character string) (*assets.Model, []*animation.Clip, error) {
	m, err := loadModel(path, warnToStderr)
	if err != nil {
		return nil, nil, err
	}
	if len(m.Meshes) > 0 || len(m.Clips) == 0 || character == "" {
		return m, m.Clips, nil
	}
	body, err := loadModel(character, warnToStderr)
	if err != nil {
		return nil, nil, err
	}
	clips, err := bindClips(m, body, m.Clips)
	return body, clips, err
}

// compareAll prints what changed. One whose name the record lacks has changed too.
func compareAll(was measure.Record, is []measure.Character, check string, asJSON bool) error {
	type result struct {
		Name    string           `json:"name"`
		Changes []measure.Change `json:"changes"`
	}
	var results []result
	count := 0
	for _, c := range is {
		r := result{Name: c.Name, Changes: []measure.Change{}}
		if old, ok := was.Find(c.Name); ok {
			r.Changes = append(r.Changes, measure.Compare(old, c)...)
		} else {
			r.Changes = append(r.Changes, measure.Change{
				What: "the character", New: fmt.Sprintf("%d joints, %s; %s does not have it", c.Joints, plural(len(c.Clips), "clip"), filepath.Base(check)),
			})
		}
		count += len(r.Changes)
		results = append(results, r)
	}
	if asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetEscapeHTML(false)
		if err := out.Encode(results); err != nil {
			return err
		}
	} else {
		var b bytes.Buffer
		for _, r := range results {
			if len(r.Changes) == 0 {
				fmt.Fprintf(&b, "%s: as it was\n", columns.Clean(r.Name, 200))
				continue
			}
			fmt.Fprintf(&b, "%s: %s\n", columns.Clean(r.Name, 200), plural(len(r.Changes), "change"))
			for _, c := range r.Changes {
				fmt.Fprintf(&b, "  %s\n", columns.Clean(c.String(), 500))
			}
		}
		if _, err := os.Stdout.Write(b.Bytes()); err != nil {
			return err
		}
	}
	if count > 0 {
		return findingsError{}
	}
	return nil
}
