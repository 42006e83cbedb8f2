package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// machine says where the figures are from, and what else ran there.
type machine struct {
	Processor  string `json:"processor"`
	Processors int    `json:"processors"`
	Go         string `json:"go"`
	System     string `json:"system"`
	// Others is how many processors other programs kept busy meanwhile, on
	// average; null where the system does not say.
	Others *float64 `json:"others_busy"`
}

func thisMachine() machine {
	return machine{
		Processor: processorName(), Processors: runtime.NumCPU(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

func processorName() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(b)) {
		if key, name, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(name)
		}
	}
	return "unknown processor"
}

// clock is a moment: seconds by the clock, seconds that all processors were
// busy, and those that were ours.
type clock struct{ wall, busy, own float64 }

func readClock() (clock, bool) {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return clock{}, false
	}
	busy, ok := busySeconds(string(b))
	own := 0.0
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) != nil {
			return clock{}, false
		}
		own += time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
	}
	return clock{float64(time.Now().UnixNano()) * 1e-9, busy, own}, ok
}

// busySeconds reads the first line of /proc/stat: user, nice, system, idle,
// iowait, irq, softirq, steal, guest and guest_nice time in hundredths of a
// second (proc(5)). Guest time is counted in user time already.
func busySeconds(stat string) (float64, bool) {
	line, _, _ := strings.Cut(stat, "\n")
	f := strings.Fields(line)
	if len(f) < 9 || f[0] != "cpu" {
		return 0, false
	}
	busy := 0.0
	for _, i := range []int{1, 2, 3, 6, 7, 8} {
		v, err := strconv.ParseFloat(f[i], 64)
		if err != nil {
			return 0, false
		}
		busy += v / 100
	}
	return busy, true
}

// others is how many processors other programs kept busy between two moments.
func others(from, to clock) float64 {
	if to.wall <= from.wall {
		return 0
	}
	return max((to.busy-from.busy)-(to.own-from.own), 0) / (to.wall - from.wall)
}
