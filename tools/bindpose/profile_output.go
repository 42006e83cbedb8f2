package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"runtime/trace"
	"strings"

	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// profileOutput is a file that profile writes.
type profileOutput struct{ flag, path string }

func (f *profileFlags) outputs() []profileOutput {
	return []profileOutput{
		{"out", f.picture}, {"csv", f.csv}, {"trace", f.trace}, {"html", f.html}, {"pprof", f.pprof}, {"go-trace", f.goTrace},
	}
}

// checkWritable refuses a file that cannot be written before anything is
// measured. It leaves nothing behind.
func checkWritable(flag, path string) error {
	if path == "" {
		return nil
	}
	if s, err := os.Stat(path); err == nil && s.IsDir() {
		return fmt.Errorf("--%s %s is a folder: name a file", flag, path)
	}
	dir := filepath.Dir(path)
	if s, err := os.Stat(dir); err != nil || !s.IsDir() {
		return fmt.Errorf("--%s %s: there is no folder %s", flag, path, dir)
	}
	probe, err := os.CreateTemp(dir, filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("--%s %s cannot be written: %w", flag, path, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// write writes the files that were asked for, and prints the report.
func (f *profileFlags) write(r *profile.Report, t *profile.Table) error {
	for _, o := range []struct {
		path  string
		write func(io.Writer) error
	}{
		{f.csv, t.CSV},
		{f.trace, func(w io.Writer) error { return t.Trace(w, r) }},
		{f.html, func(w io.Writer) error { return t.HTML(w, r) }},
	} {
		if o.path == "" {
			continue
		}
		if err := ordinary.Write(o.path, o.write); err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, o.path)
	}
	if f.json {
		return r.JSON(os.Stdout)
	}
	return r.Text(os.Stdout)
}

// readBaseline reads the JSON of a former run; nil where there is no path.
func readBaseline(path string) (*profile.Report, error) {
	if path == "" {
		return nil, nil
	}
	in, err := ordinary.ReadFile(path, 64<<20)
	if err != nil {
		return nil, fmt.Errorf("--baseline %s: %s", path, cause(err))
	}
	r, err := profile.ReadReport(bytes.NewReader(in))
	if err != nil {
		return nil, fmt.Errorf("--baseline %s: %w", path, err)
	}
	return r, nil
}

func joinLines(lines []string) string { return strings.Join(lines, "\n") }

// startTools starts the Go tools that were asked for; stop ends them.
func (f *profileFlags) startTools(a *app) (stop func() error, err error) {
	var stops []func() error
	stop = func() error {
		var all error
		for _, s := range stops {
			all = errors.Join(all, s())
		}
		return all
	}
	start := func(path string, begin func(io.Writer) error, end func()) error {
		if path == "" {
			return nil
		}
		out, err := ordinary.Create(path)
		if err != nil {
			return err
		}
		if err := begin(out); err != nil {
			return errors.Join(err, out.Drop())
		}
		stops = append(stops, func() error {
			end()
			fmt.Fprintln(os.Stderr, path)
			return out.Commit()
		})
		return nil
	}
	if err := start(f.pprof, pprof.StartCPUProfile, pprof.StopCPUProfile); err != nil {
		return nil, err
	}
	if err := start(f.goTrace, trace.Start, trace.Stop); err != nil {
		return nil, errors.Join(err, stop())
	}
	if len(stops) > 0 {
		a.engine.SetMarks(true)
		stops = append([]func() error{func() error { a.engine.SetMarks(false); return nil }}, stops...)
	}
	return stop, nil
}
