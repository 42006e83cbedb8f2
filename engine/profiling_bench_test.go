package engine_test

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/profile"
)

// BenchmarkProfiling is what the profile adds to a frame, in turns of frames with
// and without: by the clock, and by the time of processors that the program
// spent, which others on the machine disturb less. The frame is as small as one
// with all passes can be, since what is added does not grow with it: 2 % of a
// frame of 10 ms are 200 µs. "±" is how far a figure may be off.
func BenchmarkProfiling(b *testing.B) {
	for _, mode := range []gpu.Mode{gpu.Serialised, gpu.Overlapped} {
		b.Run(mode.String(), func(b *testing.B) {
			e := openForBench(b, 64, 64, mode)
			camera(e, mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
			e.Scene.SpawnModel("box", box(mgl32.Vec3{1, 1, 1}, plain(mgl32.Vec4{1, 1, 1, 1})), nil)
			frames := func(n int) (wall, cpu float64) {
				var before, after syscall.Rusage
				if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
					b.Fatal(err)
				}
				began := time.Now()
				for range n {
					if err := e.Frame(1.0 / 60); err != nil {
						b.Fatal(err)
					}
				}
				if err := e.Device.WaitIdle(); err != nil {
					b.Fatal(err)
				}
				wall = time.Since(began).Seconds()
				if err := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err != nil {
					b.Fatal(err)
				}
				spent := func(u syscall.Rusage) float64 { return float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9 }
				return wall, spent(after) - spent(before)
			}
			frames(5)
			var walls, cpus []float64
			const turn = 16 // holds one frame with statistics
			for i := 0; b.Loop(); i++ {
				var wall, cpu [2]float64 // off, on
				for side := range 2 {
					on := (side + i) % 2
					e.SetProfiling(on == 1)
					frames(2) // what the switch itself changes
					wall[on], cpu[on] = frames(turn)
				}
				walls, cpus = append(walls, (wall[1]-wall[0])/turn), append(cpus, (cpu[1]-cpu[0])/turn)
			}
			b.ReportMetric(0, "ns/op") // a turn's length says nothing
			b.ReportMetric(middle(walls)*1e6, "µs/frame")
			b.ReportMetric(middle(cpus)*1e6, "cpu-µs/frame")
			if len(walls) >= 8 {
				b.ReportMetric(profile.Noise(walls)*1e6, "±µs")
				b.ReportMetric(profile.Noise(cpus)*1e6, "±cpu-µs")
			}
		})
	}
}

// BenchmarkProfilingSamples is what keeping a frame's samples costs, the device
// aside: 40 rows.
func BenchmarkProfilingSamples(b *testing.B) {
	table := profile.New()
	var frame []profile.Sample
	for i := range 40 {
		frame = append(frame, profile.Sample{Name: string(rune('a' + i)), Kind: profile.CPU, Seconds: 1e-4})
	}
	table.Add(frame)
	b.ReportAllocs()
	for b.Loop() {
		table.Add(frame)
	}
}

func middle(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return s[len(s)/2]
}
