package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	measured "github.com/bindpose/bindpose/internal/machine"
)

// Exit statuses.
const (
	statusGood   = 0 // the table is printed, whatever it says of targets missed
	statusBroken = 1 // a benchmark failed
	statusFailed = 2 // nothing was measured
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	only  []string
	count int
	full  bool
	// budget is how long it may take, as far as known beforehand; 0 is any time.
	budget time.Duration
	json   bool
}

func parseFlags(args []string, log io.Writer) (options, error) {
	o := options{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(log)
	var only string
	f.StringVar(&only, "only", "", "measure only these `NAMES`, with commas between")
	f.IntVar(&o.count, "count", 5, "how many `times` each is run; the median counts")
	f.DurationVar(&o.budget, "budget", 110*time.Second, "begin no further round that would end after this `time`; 0: never mind")
	f.BoolVar(&o.full, "full", false, "measure what takes minutes too, crowds of 500 and 1,000, with no budget unless one is given")
	f.BoolVar(&o.json, "json", false, "print JSON instead of a table")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is no flag: to choose what is measured, say --only %s", f.Arg(0), strings.Join(f.Args(), ","))
	}
	if o.count < 1 {
		return o, fmt.Errorf("--count %d: must be at least 1", o.count)
	}
	if o.full && !given(f, "budget") {
		o.budget = 0
	}
	if only != "" {
		o.only = strings.Split(only, ",")
	}
	return o, nil
}

func given(f *flag.FlagSet, name string) bool {
	found := false
	f.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}

// choose returns the targets of those names, in the table's order; all of them
// where there are no names.
func choose(all []target, names []string) ([]target, error) {
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, t := range all {
		known = append(known, t.name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("--only: there is no target %q: there are %s", n, strings.Join(known, ", "))
		}
	}
	var out []target
	for _, t := range all {
		if slices.Contains(names, t.name) {
			out = append(out, t)
		}
	}
	return out, nil
}

// run runs one command line and returns its exit status.
func run(ctx context.Context, args []string, out, log io.Writer) int {
	o, err := parseFlags(args, log)
	if errors.Is(err, flag.ErrHelp) {
		return statusGood
	}
	var ts []target
	if err == nil {
		ts, err = choose(targets(o.full), o.only)
	}
	var r report
	if err == nil {
		r, err = measure(ctx, ts, o, log)
	}
	if err == nil {
		if o.json {
			err = r.writeJSON(out)
		} else {
			err = r.writeTable(out)
		}
	}
	if err != nil {
		fmt.Fprintln(log, "bench:", err)
		return statusFailed
	}
	if r.count(failed) > 0 {
		return statusBroken
	}
	return statusGood
}

func measure(ctx context.Context, ts []target, o options, log io.Writer) (r report, err error) {
	var deadline time.Time
	if o.budget > 0 {
		deadline = time.Now().Add(o.budget)
	}
	s, err := newSession(ctx, log)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	r.Machine, r.Asked = thisMachine(), o.count
	broken := s.prepareAll(ctx, ts)
	from, known := measured.Now()
	r.Rows, r.Rounds = s.measure(ctx, ts, o.count, deadline, broken)
	if to, ok := measured.Now(); known && ok {
		n := measured.Others(from, to)
		r.Machine.Others = &n
	}
	return r, ctx.Err()
}
