package main

import (
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
	skipLine   = regexp.MustCompile(`^\s*--- SKIP: (\S+)`)
	sourceLine = regexp.MustCompile(`^\s+\S+\.go:\d+: (.*)`)
)

// parseGo reads what a test binary prints for benchmarks: a line each, with the
// name, the number of iterations, then numbers and their units in pairs
// (golang.org/design/14313-benchmark-format). A benchmark that failed is an
// error. Of a benchmark that was run more than once, the last run counts.
func parseGo(out string) (readings, error) {
	r := newReadings()
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		if m := skipLine.FindStringSubmatch(line); m != nil {
			reason := "skipped without a reason"
			if i+1 < len(lines) {
				if s := sourceLine.FindStringSubmatch(lines[i+1]); s != nil {
					reason = strings.TrimPrefix(s[1], "skipped: ")
				}
			}
			r.skipped[processors.ReplaceAllString(m[1], "")] = reason
			continue
		}
		if strings.Contains(line, "--- FAIL:") || strings.HasPrefix(line, "panic:") {
			return r, fmt.Errorf("%s", strings.Join(strings.Fields(strings.Join(lines[i:min(i+4, len(lines))], " ")), " "))
		}
		fields := strings.Fields(line)
		if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		if _, err := strconv.Atoi(fields[1]); err != nil {
			continue
		}
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
