package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// session runs suites. It builds each package's test binary once, so that no
// compiling falls into a measurement.
type session struct {
	root     string // the module's folder
	dir      string // for binaries
	binaries map[string]string
	three    *threeJS
	log      io.Writer
}

// patience ends a suite that hangs.
const patience = 5 * time.Minute

func newSession(ctx context.Context, log io.Writer) (*session, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOMOD: %w", err)
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		return nil, errors.New("this is not in a Go module: run it in Bindpose's folder")
	}
	dir, err := os.MkdirTemp("", "bindpose-bench-")
	if err != nil {
		return nil, err
	}
	return &session{root: filepath.Dir(mod), dir: dir, binaries: map[string]string{}, log: log}, nil
}

func (s *session) close() error { return os.RemoveAll(s.dir) }

// prepare builds or fetches what a suite needs.
func (s *session) prepare(ctx context.Context, u suite) error {
	if u.pkg == "" {
		if s.three == nil {
			s.three = openThreeJS(ctx, s.log)
		}
		return nil
	}
	if s.binaries[u.pkg] != "" {
		return nil
	}
	fmt.Fprintf(s.log, "building %s\n", u.pkg)
	bin := filepath.Join(s.dir, strings.ReplaceAll(u.pkg, "/", "-")+".test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", bin, "./"+u.pkg)
	build.Dir = s.root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot be built: %w: %s", u.pkg, err, oneLine(out))
	}
	if _, err := os.Stat(bin); err != nil { // go test makes no binary where there are no tests
		return fmt.Errorf("%s has no benchmarks", u.pkg)
	}
	s.binaries[u.pkg] = bin
	return nil
}

// run runs a suite once.
func (s *session) run(ctx context.Context, u suite) (readings, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if u.pkg == "" {
		return s.three.run(ctx, u.benchtime)
	}
	c := exec.CommandContext(ctx, s.binaries[u.pkg], "-test.v", "-test.run=^$", "-test.bench="+u.pattern, "-test.benchmem",
		"-test.count=1", "-test.benchtime="+u.benchtime)
	c.Dir = filepath.Join(s.root, u.pkg) // as go test runs it
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	failed := c.Run()
	r, err := parseGo(out.String())
	switch {
	case err != nil:
		return r, fmt.Errorf("%s: %w", u.pkg, err)
	case ctx.Err() != nil:
		return r, fmt.Errorf("%s: %s did not end: %w", u.pkg, u.pattern, ctx.Err())
	case failed != nil:
		return r, fmt.Errorf("%s: %w: %s", u.pkg, failed, oneLine(out.Bytes()))
	}
	return r, nil
}

// prepareAll prepares every suite. It returns an error or nil for each target.
func (s *session) prepareAll(ctx context.Context, ts []target) []error {
	broken := make([]error, len(ts))
	for i, t := range ts {
		for _, u := range t.suites {
			if broken[i] == nil {
				broken[i] = s.prepare(ctx, u)
			}
		}
	}
	return broken
}

// measure runs the targets' suites in rounds: each round runs all of them, so
// that what else the machine does falls on all alike. No round begins that would
// likely end after the deadline, but for the first; a zero deadline is none. It
// returns how many rounds there were. broken is what prepareAll returned.
func (s *session) measure(ctx context.Context, ts []target, count int, deadline time.Time, broken []error) ([]outcome, int) {
	rounds := make([][]readings, len(ts))
	n := 0
	for ; n < count; n++ {
		var again time.Duration // what the next round will take
		for i, t := range ts {
			r := newReadings()
			for _, u := range t.suites {
				if broken[i] != nil || !u.runsIn(n) {
					continue
				}
				fmt.Fprintf(s.log, "round %d of %d: %s\n", n+1, count, t.name)
				start := time.Now()
				one, err := s.run(ctx, u)
				broken[i] = err
				r.add(one)
				if u.runsIn(n + 1) {
					again += time.Since(start)
				}
			}
			rounds[i] = append(rounds[i], r)
		}
		if !deadline.IsZero() && time.Now().Add(again).After(deadline) {
			n++
			break
		}
	}
	var out []outcome
	for i, t := range ts {
		for _, r := range t.rows {
			out = append(out, judge(t.name, r, rounds[i], broken[i]))
		}
	}
	return out, n
}

// runsIn reports whether the suite is part of a round, counted from 0.
func (u suite) runsIn(round int) bool { return u.most == 0 || round < u.most }

// oneLine is what a program said, without line breaks and not too long.
func oneLine(out []byte) string {
	s := strings.Join(strings.Fields(string(out)), " ")
	if r := []rune(s); len(r) > 400 {
		s = string(r[:400]) + "…"
	}
	return s
}
