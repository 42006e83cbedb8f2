package gpu

// LimitMemory bounds what the device's blocks may take together, as a smaller device would.
func (d *Device) LimitMemory(bytes uint64) { d.memory.limit = bytes }

// CachePath is where the pipeline cache is kept.
func (d *Device) CachePath() string { return d.cache.path }

// WriteCache keeps the pipeline cache now.
func (d *Device) WriteCache() error { return d.cache.write(d) }

// CacheKept is how many bytes of a former run's pipeline cache would be taken.
func (d *Device) CacheKept() int { return len(d.cache.read(d)) }

// Lose makes the device as good as lost.
func (d *Device) Lose() { d.lost = true }

// Pick is pick for candidates of these types and names; those with a reason in lacks can't be used.
func Pick(types []DeviceType, names, lacks []string, choice string) (int, error) {
	all := make([]candidate, len(types))
	for i := range all {
		all[i].props.Type, all[i].props.Name, all[i].lacks = types[i], names[i], lacks[i]
	}
	return pick(all, choice)
}
