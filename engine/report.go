package engine

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/machine"
)

// started is what a run's noise and garbage are counted from.
type started struct {
	moment machine.Moment
	known  bool
	memory runtime.MemStats
}

// BeginProfile forgets the frames measured so far and begins a run: the noise,
// garbage and clocks of Report are those since. Without it they are left out.
func (e *Engine) BeginProfile() {
	e.Profile.Reset()
	e.executor.Calibrate()

	e.began = &started{}
	runtime.ReadMemStats(&e.began.memory)
	e.began.moment, e.began.known = machine.Now()
}

// Report is the figures of the frames since Profile was reset, with the device
// and mode that they were measured on and whether they can be trusted. It is
// not for every frame: it waits for the device.
func (e *Engine) Report() profile.Report {
	var host *profile.Host
	if e.began != nil {
		host = e.began.host() // before the report's own garbage
	}
	r := e.Profile.Report()
	r.Host = host
	p := e.Device.Properties()
	r.Measures = profile.Measures{Timestamps: p.Has.Timestamps, Statistics: p.Has.PipelineStatistics}
	c := e.executor.Clocks()
	r.Clocks = profile.Clocks{Comparable: c.Comparable, Why: c.Why, DeviationMS: milliseconds(c.Deviation), DriftPPM: c.Drift}
	if b := e.began; b != nil {
		if to, ok := machine.Now(); ok && b.known {
			others := machine.Others(b.moment, to)
			r.Noise.Others, r.Noise.Load = &others, min(others/float64(runtime.NumCPU()), 1)
		}
	}
	if cost, err := e.Device.SubmitCost(); err == nil {
		r.Noise.SubmitMS = milliseconds(cost)
	}
	r.Size[0], r.Size[1] = e.Size()
	if e.plan != nil {
		r.Plan = planReport(e.plan)
	}
	r.Memory = e.memoryReport()
	trusted, why := e.executor.Trusted()
	r.Judge(profile.Device{Name: p.Name, Driver: p.Driver, Type: p.Type.String()},
		e.executor.Mode() == gpu.Serialised, trusted, why)
	return r
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

func (b *started) host() *profile.Host {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	h := &profile.Host{
		Heap: now.HeapAlloc, System: now.Sys, Allocations: now.Mallocs - b.memory.Mallocs,
		Collections: now.NumGC - b.memory.NumGC, PauseMS: float64(now.PauseTotalNs-b.memory.PauseTotalNs) / 1e6,
	}
	h.Resident, h.ResidentPeak = machine.Resident()
	return h
}

// planReport tells what a plan decided, in a shape that outlives it.
func planReport(p *framegraph.Plan) *profile.Plan {
	out := &profile.Plan{
		Passes: []profile.PlanPass{}, Resources: []profile.PlanResource{},
		Barriers: p.Totals.Barriers, Scopes: p.Totals.Scopes, Merged: p.Totals.Merged,
		TransientBytes: p.Totals.TransientBytes, AliasedBytes: p.Totals.AliasedBytes,
	}
	kept := make([]bool, p.Passes())
	for i := range p.Steps {
		kept[p.Steps[i].Pass] = true
		out.Passes = append(out.Passes, plannedPass(p, i))
	}
	for pass, ok := range kept {
		if !ok {
			x := declaredPass(p, pass)
			x.Culled = true
			out.Passes = append(out.Passes, x)
		}
	}
	for i := range p.Resources {
		r := &p.Resources[i]
		if r.Origin == framegraph.Host || r.First < 0 {
			continue
		}
		x := profile.PlanResource{Name: r.Name, Origin: "imported", Bytes: r.Bytes, Heap: -1, First: p.Steps[r.First].Name, Last: p.Steps[r.Last].Name}
		switch r.Origin {
		case framegraph.Transient:
			x.Origin, x.Heap, x.Offset = "transient", r.Heap, r.Offset
		case framegraph.LastFrame, framegraph.ThisFrame:
			x.Origin = "history"
		}
		out.Resources = append(out.Resources, x)
	}
	return out
}

// declaredPass is what a pass declared.
func declaredPass(p *framegraph.Plan, pass int) profile.PlanPass {
	x := profile.PlanPass{
		Name: p.PassName(pass), Kind: p.PassKind(pass).String(),
		Barriers: []string{}, Loads: []string{}, Stores: []string{}, Reads: []string{}, Writes: []string{},
	}
	for _, d := range p.Declared(pass, nil) {
		list := &x.Reads
		if d.Write {
			list = &x.Writes
		}
		if name := p.Resources[d.Resource].Name; !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	return x
}

// plannedPass adds what the compiler decided for a step.
func plannedPass(p *framegraph.Plan, step int) profile.PlanPass {
	s := &p.Steps[step]
	x := declaredPass(p, s.Pass)
	stages := func(from, to framegraph.Stage) string {
		return " (" + framegraph.StageName(from) + " → " + framegraph.StageName(to) + ")"
	}
	for i := range s.Before.Images {
		b := &s.Before.Images[i]
		x.Barriers = append(x.Barriers, p.Resources[b.Image].Name+stages(b.SrcStage, b.DstStage))
	}
	for i := range s.Before.Buffers {
		b := &s.Before.Buffers[i]
		x.Barriers = append(x.Barriers, p.Resources[b.Buffer].Name+stages(b.SrcStage, b.DstStage))
	}
	for i := range s.Before.Memory {
		b := &s.Before.Memory[i]
		x.Barriers = append(x.Barriers, "all memory"+stages(b.SrcStage, b.DstStage))
	}
	if s.Scope < 0 {
		return x
	}
	x.Merged = !s.ScopeBegin
	attached := func(a *framegraph.Attachment) {
		name := p.Resources[a.Image].Name
		if s.ScopeBegin && a.Load == framegraph.LoadKeep {
			x.Loads = append(x.Loads, name)
		}
		if s.ScopeEnd && a.Store == framegraph.StoreKeep {
			x.Stores = append(x.Stores, name)
		}
	}
	scope := &p.Scopes[s.Scope]
	for i := range scope.Color {
		attached(&scope.Color[i])
	}
	if scope.Depth.Image >= 0 {
		attached(&scope.Depth)
	}
	return x
}

// memoryReport is every allocation of the device, by the resource that it is
// for. What lies in the frame graph's heaps stands beside the heaps: it shares
// their memory.
func (e *Engine) memoryReport() *profile.Memory {
	m := e.Device.Memory()
	out := &profile.Memory{
		Reserved: m.Reserved, Blocks: m.Blocks, Persistent: m.Persistent, Transient: m.Transient, Peak: m.Peak,
		Allocations: []profile.Allocation{},
	}
	for _, r := range m.Resources {
		if r.Peak == 0 {
			continue
		}
		a := profile.Allocation{
			Name: r.Name, Kind: "persistent", Bytes: r.Persistent + r.Transient, Peak: r.Peak, Count: r.Count, Passes: e.executor.Uses(r.Name),
		}
		if r.Transient > 0 {
			a.Kind = "transient"
		}
		out.Allocations = append(out.Allocations, a)
	}
	if e.plan == nil {
		return out
	}
	for i := range e.plan.Resources {
		r := &e.plan.Resources[i]
		if r.Origin != framegraph.Transient || r.First < 0 || r.Heap < 0 {
			continue
		}
		a := profile.Allocation{Name: r.Name, Kind: "in heap", Bytes: r.Bytes, Peak: r.Bytes, Count: 1, Passes: usersOf(e.plan, i)}
		out.Allocations = append(out.Allocations, a)
	}
	slices.SortStableFunc(out.Allocations, func(a, b profile.Allocation) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return out
}

// usersOf are the passes of a plan that use a resource.
func usersOf(p *framegraph.Plan, resource int) []string {
	names := []string{}
	var uses []framegraph.Declared
	for i := range p.Steps {
		s := &p.Steps[i]
		uses = p.Declared(s.Pass, uses[:0])
		if slices.ContainsFunc(uses, func(d framegraph.Declared) bool { return d.Resource == resource }) {
			names = append(names, s.Name)
		}
	}
	return names
}
