package demo

import (
	"slices"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// SetEvening has the sun go down and the lamps turned up, or all be as by day.
func (d *Demo) SetEvening(on bool) {
	s := d.Scene
	focus, radius := s.Environment.ShadowFocus, s.Environment.ShadowRadius // SetCrowd's
	house, brighter, farther := d.house, float32(1), float32(1)
	if on {
		s.Environment = scene.Evening()
		if d.lit == nil {
			d.lit = withLitPanes(d.house)
		}
		house, brighter, farther = d.lit, 3, 1.7
	} else {
		s.Environment = scene.Afternoon()
		s.Environment.ToSun = scene.SunAt(31, 52)
	}
	s.Environment.ShadowFocus, s.Environment.ShadowRadius = focus, radius
	for e := range s.All() {
		if e.Mesh != nil && (e.Mesh.Model == d.house || e.Mesh.Model == d.lit) {
			e.Mesh.Model = house
		}
	}
	for _, l := range d.lamps {
		l.at.Light.Intensity, l.at.Light.Range = l.candela*brighter, l.reach*farther
	}
}

// lamp is a light as it is by day.
type lamp struct {
	at             *scene.Entity
	candela, reach float32
}

// withLitPanes is the house with light behind its windows.
func withLitPanes(house *assets.Model) *assets.Model {
	lit := *house
	lit.Materials = slices.Clone(house.Materials)
	for i := range lit.Materials {
		if m := &lit.Materials[i]; m.Name == "glass" {
			m.Emissive = mgl32.Vec3{0.52, 0.30, 0.11}
		}
	}
	return &lit
}
