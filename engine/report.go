package engine

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
)

// Report is the figures of the frames since Profile was reset, with the device
// and mode that they were measured on and whether they can be trusted.
func (e *Engine) Report() profile.Report {
	r := e.Profile.Report()
	p := e.Device.Properties()
	trusted, why := e.executor.Trusted()
	r.Judge(profile.Device{Name: p.Name, Driver: p.Driver, Type: p.Type.String()},
		e.executor.Mode() == gpu.Serialised, trusted, why)
	r.Size[0], r.Size[1] = e.Size()
	return r
}
