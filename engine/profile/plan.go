package profile

// Plan is what the frame graph decided for the last frame.
type Plan struct {
	Passes         []PlanPass     `json:"passes"` // in order; culled ones last
	Resources      []PlanResource `json:"resources"`
	Barriers       int            `json:"barriers"` // those after the last pass too
	Scopes         int            `json:"scopes"`   // rendering scopes
	Merged         int            `json:"merged"`   // passes that joined an earlier pass's scope
	TransientBytes uint64         `json:"transient_bytes"`
	AliasedBytes   uint64         `json:"aliased_bytes"` // what they take, sharing memory
}

// PlanPass is a phase or pass as it was planned.
type PlanPass struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // phase, graphics, compute, transfer
	Culled   bool     `json:"culled"`
	Merged   bool     `json:"merged"` // into the rendering scope before it
	Barriers []string `json:"barriers"`
	Loads    []string `json:"loads"`  // attachments whose contents are fetched
	Stores   []string `json:"stores"` // attachments whose contents are kept
	Reads    []string `json:"reads"`
	Writes   []string `json:"writes"`
}

// PlanResource is an image or buffer of the frame graph.
type PlanResource struct {
	Name   string `json:"name"`
	Origin string `json:"origin"` // transient, imported or history
	Bytes  uint64 `json:"bytes"`
	Heap   int    `json:"heap"` // of transients; −1 for none
	Offset uint64 `json:"offset"`
	First  string `json:"first"` // the passes that it lives from and to
	Last   string `json:"last"`
}

// Memory is what the device's memory is used for.
type Memory struct {
	Reserved    uint64       `json:"reserved_bytes"` // taken from the device, in Blocks
	Blocks      int          `json:"blocks"`
	Persistent  uint64       `json:"persistent_bytes"`
	Transient   uint64       `json:"transient_bytes"` // the frame graph's heaps
	Peak        uint64       `json:"peak_bytes"`      // the most in use at once
	Allocations []Allocation `json:"allocations"`     // largest first
}

// Allocation is what the resources of one name take.
type Allocation struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"` // persistent, transient, or in heap: sharing the memory of a transient one
	Bytes  uint64   `json:"bytes"`
	Peak   uint64   `json:"peak_bytes"`
	Count  int      `json:"count"`
	Passes []string `json:"passes"` // that use it
}

// Host is the memory of the processor.
type Host struct {
	Heap         uint64  `json:"heap_bytes"`          // of Go, in use at the end
	System       uint64  `json:"system_bytes"`        // of Go, taken from the system
	Resident     uint64  `json:"resident_bytes"`      // of the whole program; 0 where the system does not say
	ResidentPeak uint64  `json:"resident_peak_bytes"` // the most that ever was
	Allocations  uint64  `json:"allocations"`         // of Go, in the measured frames
	Collections  uint32  `json:"collections"`         // of garbage, in the measured frames
	PauseMS      float64 `json:"pause_ms"`            // that they stopped the program
}
