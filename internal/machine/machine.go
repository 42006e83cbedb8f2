// Package machine says what a measurement ran on, and how much other programs
// kept the processors busy meanwhile.
//
//	from, _ := machine.Now()
//	measure()
//	to, ok := machine.Now()
//	busy := machine.Others(from, to) // of so many processors, where ok
//
// Reading costs two system calls and a small file.
package machine

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Processor is the processor's name as the system has it.
func Processor() string {
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

// Moment is seconds by the clock, seconds that all processors were busy, and
// those that were this program's.
type Moment struct{ Wall, Busy, Own float64 }

// Now reads the clocks; false where the system does not say.
func Now() (Moment, bool) {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Moment{}, false
	}
	busy, ok := busySeconds(string(b))
	own := 0.0
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) != nil {
			return Moment{}, false
		}
		own += time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
	}
	return Moment{float64(time.Now().UnixNano()) * 1e-9, busy, own}, ok
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

// Others is how many processors other programs kept busy between two moments,
// on average.
func Others(from, to Moment) float64 {
	if to.Wall <= from.Wall {
		return 0
	}
	return max((to.Busy-from.Busy)-(to.Own-from.Own), 0) / (to.Wall - from.Wall)
}

// Resident is the memory of this program that is in RAM, and the most that ever
// was, bytes (proc(5), VmRSS and VmHWM); 0 where the system does not say.
func Resident() (now, peak uint64) {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[2] != "kB" {
			continue
		}
		n, err := strconv.ParseUint(f[1], 10, 64)
		if err != nil {
			continue
		}
		switch f[0] {
		case "VmRSS:":
			now = n << 10
		case "VmHWM:":
			peak = n << 10
		}
	}
	return now, peak
}
