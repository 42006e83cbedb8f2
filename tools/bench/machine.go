package main

import (
	"runtime"

	measured "github.com/bindpose/bindpose/internal/machine"
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
		Processor: measured.Processor(), Processors: runtime.NumCPU(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
	}
}
