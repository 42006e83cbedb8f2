package gpu

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/bindpose/bindpose/engine/vk"
)

// Clocks says whether the device's timestamps can be placed on the processor's clock, and how well
// (VK_EXT_calibrated_timestamps).
type Clocks struct {
	Comparable bool
	Why        string        // not comparable
	Deviation  time.Duration // how far a placed timestamp may be off when it was calibrated
	Drift      float64       // parts per million by which the two clocks went apart since; 0 where not yet known
}

// moment is one instant on both clocks.
type moment struct {
	host      time.Time
	ticks     uint64 // of the device
	deviation time.Duration
}

// calibrates says whether a device can read its clock and the processor's monotonic one together.
func calibrates(h vk.PhysicalDevice) bool {
	if !hasDeviceExtension(h, vk.EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) {
		return false
	}
	domains, err := vk.GetPhysicalDeviceCalibrateableTimeDomainsEXT(h)
	return err == nil && slices.Contains(domains, vk.TIME_DOMAIN_DEVICE_EXT)
}

// calibrate reads both clocks at one instant: the best of some tries. The device's clock is read between two readings
// of the processor's, so that what lies between them bounds the error.
func (d *Device) calibrate() (moment, error) {
	best := moment{deviation: math.MaxInt64}
	infos := make([]vk.CalibratedTimestampInfoEXT, 1)
	infos[0].Init()
	infos[0].TimeDomain = vk.TIME_DOMAIN_DEVICE_EXT
	for range 8 {
		before := time.Now()
		ticks, _, err := vk.GetCalibratedTimestampsEXT(d.handle, infos)
		after := time.Now()
		if err != nil {
			return moment{}, d.check(err)
		}
		if off := after.Sub(before) / 2; off < best.deviation {
			best = moment{host: before.Add(off), ticks: ticks[0], deviation: off}
		}
	}
	return best, nil
}

// seconds from one timestamp to a later one.
func (d *Device) seconds(from, to uint64) float64 {
	return float64((to-from)&d.props.timestampMask) * d.props.Limits.TimestampPeriod * 1e-9
}

// between is the seconds from m to a timestamp, which may lie before it.
func (d *Device) between(m *moment, ticks uint64) float64 {
	mask := d.props.timestampMask
	if ahead := (ticks - m.ticks) & mask; ahead <= mask/2 {
		return d.seconds(m.ticks, ticks)
	}
	return -d.seconds(ticks, m.ticks)
}

// Calibrate places the device's clock on the processor's anew, for the starts of overlapped timings. It allocates; once
// before a run is often enough.
func (e *Executor) Calibrate() {
	e.clocks, e.anchored = Clocks{}, true
	if !e.d.props.Has.CalibratedTimestamps {
		e.clocks.Why = fmt.Sprintf("%s has no calibrated timestamps", e.d.props.Name)
		return
	}
	m, err := e.d.calibrate()
	if err != nil {
		e.clocks.Why = err.Error()
		return
	}
	e.anchor, e.clocks.Comparable, e.clocks.Deviation = m, true, m.deviation
}

// Clocks says whether processor's and device's times can be compared; it measures how far the clocks went apart since
// Calibrate.
func (e *Executor) Clocks() Clocks {
	if !e.anchored {
		e.Calibrate()
	}
	c := e.clocks
	if !c.Comparable {
		return c
	}
	m, err := e.d.calibrate()
	if err != nil {
		return Clocks{Why: err.Error()}
	}
	// Below a tenth of a second the readings' own error outweighs any drift.
	if host := m.host.Sub(e.anchor.host).Seconds(); host > 0.1 {
		c.Drift = (e.d.between(&e.anchor, m.ticks)/host - 1) * 1e6
	}
	return c
}

// SubmitCost is what a submission takes that does nothing, median of some: a serialised row is that much longer than its
// pass.
func (d *Device) SubmitCost() (time.Duration, error) {
	var all [15]time.Duration
	for i := range all {
		began := time.Now()
		if err := d.once.run(d); err != nil {
			return 0, err
		}
		all[i] = time.Since(began)
	}
	slices.Sort(all[:])
	return all[len(all)/2], nil
}
