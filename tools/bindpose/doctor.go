package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/internal/ordinary"
)

func newDoctor() *cobra.Command {
	var asJSON bool
	var out, budget, page string
	c := &cobra.Command{
		Use:   "doctor FILE…",
		Short: "Say what is wrong with a character, where, how far off, and how to mend it",
		Long: `Check characters in the order an expert does: box and proportions, each part against the whole, weights, joints, tracks,
how each skin was bound, triangles, pictures, budgets; and, of glTF, whether the file keeps the rules of its format. Folders
and .zip archives are searched for models. The exit status is 1 where a file has findings of level error.

With --fix a copy is written in which exactly what was found is mended, as far as that can be done without guessing: a mesh
bound with a wrong matrix is bound again, weights are made to sum to 1, joints listed twice are dropped. What was written is
measured again. A file without such findings is copied byte for byte. For several files OUT is a folder.`,
		Example: `  bindpose doctor hero.glb
  bindpose doctor --json assets/ > report.json
  bindpose doctor hero.glb --fix mended.glb --html report.html
  bindpose doctor hero.glb --budget joints=80,triangles=40000,influences=4`,
		Args: files(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			limits, err := doctor.ParseBudget(budget)
			if err != nil {
				return fmt.Errorf("--budget: %w", err)
			}
			paths, err := modelFiles(args)
			if err != nil {
				return err
			}
			targets, err := mendTargets(paths, out)
			if err != nil {
				return err
			}
			patients, err := examineAll(paths, targets, limits, page != "")
			if err != nil {
				return err
			}
			if page != "" {
				if err := writeDoctorPage(page, patients); err != nil {
					return err
				}
			}
			if asJSON {
				err = writeDoctorJSON(os.Stdout, patients, len(args) == 1 && args[0] == paths[0])
			} else {
				err = writeDoctorText(os.Stdout, patients)
			}
			if err != nil {
				return err
			}
			for _, p := range patients {
				if p.level() == doctor.Error {
					return findingsError{}
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON: an object, or an array of them for several files")
	c.Flags().StringVar(&out, "fix", "", "write a mended copy `OUT` (for several files, a folder)")
	c.Flags().StringVar(&page, "html", "", "write a report with pictures (before, after, displacement) into `FILE`")
	c.Flags().StringVar(&budget, "budget", "", "what a file may hold at most, as in `joints=64,triangles=20000`")
	return c
}

// patient is one file, and what came of it.
type patient struct {
	doctor.Report
	Mended *doctor.Mended `json:"mended,omitempty"`

	pictures []doctor.Picture
}

// level is what counts for the exit status: the mended copy's where there is one.
func (p *patient) level() doctor.Level {
	if p.Mended != nil {
		return p.Mended.Report.Level
	}
	return p.Level
}

// modelFiles replaces folders and archives by the models in them.
func modelFiles(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		st, err := os.Stat(fileOf(arg))
		if err != nil {
			return nil, fmt.Errorf("%s: %s", fileOf(arg), cause(err))
		}
		inside := []string{arg}
		if zip, name, ok := inArchive(arg); st.IsDir() {
			inside, err = modelsBelow(arg)
		} else if ok && name == "" {
			inside, err = eachPacked(zip)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, inside...)
	}
	return out, nil
}

// isModel tells by name whether a file of a folder is looked at.
func isModel(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return doctor.IsGLTF(path) && ext != ".vrma" || ext == ".fbx" || ext == ".bvh"
}

// mendTargets says where each file's mended copy goes; nil without --fix.
func mendTargets(paths []string, out string) ([]string, error) {
	if out == "" {
		return nil, nil
	}
	st, err := os.Stat(out)
	folder := err == nil && st.IsDir()
	if len(paths) == 1 && !folder {
		return []string{out}, nil
	}
	if err == nil && !folder {
		return nil, fmt.Errorf("--fix %s: several files are mended into a folder, and this is a file", out)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, fmt.Errorf("--fix: %w", err)
	}
	targets := make([]string, len(paths))
	seen := map[string]string{}
	for i, path := range paths {
		name := filepath.Base(path)
		if other, ok := seen[name]; ok {
			return nil, fmt.Errorf("--fix %s: %s and %s have the same name", out, other, path)
		}
		seen[name] = path
		targets[i] = filepath.Join(out, name)
	}
	return targets, nil
}

// examineAll examines the files, as many at once as there are processors, and
// returns them in order.
func examineAll(paths, targets []string, limits doctor.Budget, draw bool) ([]*patient, error) {
	patients := make([]*patient, len(paths))
	errs := make([]error, len(paths))
	bar := newProgress(len(paths), "examining")
	defer bar.done()
	next := make(chan int)
	var work sync.WaitGroup
	var told sync.Mutex
	for range min(runtime.NumCPU(), len(paths)) {
		work.Go(func() {
			for i := range next {
				target := ""
				if targets != nil {
					target = targets[i]
				}
				patients[i], errs[i] = examine(paths[i], target, limits, draw)
				told.Lock()
				bar.add()
				told.Unlock()
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	work.Wait()
	return patients, errors.Join(errs...)
}

func examine(path, target string, limits doctor.Budget, draw bool) (*patient, error) {
	load := func(path string) (*assets.Model, error) { return loadModel(path, func(string) {}) }
	var report doctor.Report
	var m *assets.Model
	var err error
	if zip, inside, ok := inArchive(path); !ok {
		report, m, err = doctor.Examine(path, load, limits)
	} else if target != "" {
		err = fmt.Errorf("--fix: %s lies in an archive; unpack it first", path)
	} else {
		report, m, err = examinePacked(zip, inside, limits)
	}
	if err != nil {
		return nil, err
	}
	p := &patient{Report: report}
	if draw && m != nil {
		p.pictures = doctor.Pictures(m, report)
	}
	if target == "" {
		return p, nil
	}
	mended, err := doctor.Mend(path, target, report, m, load, limits)
	if err != nil {
		return nil, fmt.Errorf("--fix: %w", err)
	}
	p.Mended = &mended
	return p, nil
}

func writeDoctorPage(path string, patients []*patient) error {
	pages := make([]doctor.Page, len(patients))
	for i, p := range patients {
		pages[i] = doctor.Page{Report: p.Report, Mended: p.Mended, Pictures: p.pictures}
	}
	return ordinary.Write(path, func(w io.Writer) error { return doctor.WriteHTML(w, pages) })
}

func writeDoctorJSON(w *os.File, patients []*patient, one bool) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if one {
		return out.Encode(patients[0])
	}
	return out.Encode(patients)
}
