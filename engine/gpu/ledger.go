package gpu

import (
	"cmp"
	"slices"
)

// Memory is what a device's memory is used for.
type Memory struct {
	Reserved   uint64 // bytes of all blocks taken from the device
	Persistent uint64 // bytes in use by buffers and images
	Transient  uint64 // bytes in use by frame graphs' transients
	Peak       uint64 // the most that was in use at once
	Blocks     int
	Resources  []ResourceMemory // largest first
}

// ResourceMemory is what the resources of one name use.
type ResourceMemory struct {
	Name       string
	Persistent uint64 // bytes
	Transient  uint64 // bytes
	Peak       uint64 // bytes, the most at once
	Count      int    // resources of that name alive
}

// ledger counts bytes by name.
type ledger struct {
	entries               map[string]*ledgerEntry
	persistent, transient uint64
	peak                  uint64
}

type ledgerEntry = ResourceMemory

func (l *ledger) add(name string, n uint64, transient bool) *ledgerEntry {
	e := l.entries[name]
	if e == nil {
		e = &ledgerEntry{Name: name}
		l.entries[name] = e
	}
	e.Count++
	if transient {
		e.Transient += n
		l.transient += n
	} else {
		e.Persistent += n
		l.persistent += n
	}
	e.Peak = max(e.Peak, e.Persistent+e.Transient)
	l.peak = max(l.peak, l.persistent+l.transient)
	return e
}

func (l *ledger) remove(e *ledgerEntry, n uint64, transient bool) {
	e.Count--
	if transient {
		e.Transient -= n
		l.transient -= n
	} else {
		e.Persistent -= n
		l.persistent -= n
	}
}

// Memory in use now, by name.
func (d *Device) Memory() Memory {
	m := d.memory
	out := Memory{Reserved: m.blocked, Persistent: m.stats.persistent, Transient: m.stats.transient, Peak: m.stats.peak}
	for t := range m.pools {
		out.Blocks += len(m.pools[t][0].blocks) + len(m.pools[t][1].blocks)
	}
	for _, e := range m.stats.entries {
		out.Resources = append(out.Resources, *e)
	}
	slices.SortFunc(out.Resources, func(a, b ResourceMemory) int {
		return cmp.Or(cmp.Compare(b.Persistent+b.Transient, a.Persistent+a.Transient), cmp.Compare(a.Name, b.Name))
	})
	return out
}
