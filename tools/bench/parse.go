package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// metric names one number that a benchmark prints, such as
// {"BenchmarkScale/500", "ns/op"}.
type metric struct{ benchmark, unit string }

func (m metric) String() string { return m.benchmark + " " + m.unit }

// readings are what one run of benchmarks printed.
type readings struct {
	values  map[metric]float64
	skipped map[string]string // by benchmark: the reason that it gave
}

func newReadings() readings { return readings{map[metric]float64{}, map[string]string{}} }

func (r readings) add(o readings) {
	for k, v := range o.values {
		r.values[k] = v
	}
	for k, v := range o.skipped {
		r.skipped[k] = v
	}
}

var (
	// The number of processors that go test puts behind a name, where it is not 1.
	processors = regexp.MustCompile(`-\d+$`)
	endLine    = regexp.MustCompile(`^\s*--- (SKIP|FAIL): (\S+)`)
	sourceLine = regexp.MustCompile(`^\s+\S+\.go:\d+: (.*)`)
)

// parseGo reads what a test binary prints for benchmarks with -test.v: a line
// each, with the name, the number of iterations, then numbers and their units in
// pairs (golang.org/design/14313-benchmark-format). What a benchmark that was
// skipped or failed has to say stands before the line that says so. One that
// failed is an error. Of one that ran more than once, the last run counts.
func parseGo(out string) (readings, error) {
	r := newReadings()
	said := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if m := sourceLine.FindStringSubmatch(line); m != nil {
			said = m[1]
			continue
		}
		if m := endLine.FindStringSubmatch(line); m != nil {
			name := processors.ReplaceAllString(m[2], "")
			if said == "" {
				said = "without a reason"
			}
			if m[1] == "FAIL" {
				return r, fmt.Errorf("%s failed: %s", name, said)
			}
			r.skipped[name] = strings.TrimPrefix(said, "skipped: ")
			said = ""
			continue
		}
		if strings.HasPrefix(line, "panic:") {
			return r, errors.New(line)
		}
		fields := strings.Fields(line)
		if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		if _, err := strconv.Atoi(fields[1]); err != nil {
			continue
		}
		said = ""
		name := processors.ReplaceAllString(fields[0], "")
		for i := 2; i < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return r, fmt.Errorf("%s: %q is not a number, in %q", name, fields[i], line)
			}
			r.values[metric{name, fields[i+1]}] = v
		}
	}
	return r, nil
}
