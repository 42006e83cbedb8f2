package gltf

import (
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func (l *loader) cameras() {
	list, n := l.list("cameras", 64)
	l.m.Cameras = make([]assets.Camera, n)
	for i, v := range list.elements() {
		c := &l.m.Cameras[i]
		c.Name = v.get("name").text()
		switch kind := v.need("type"); {
		case kind.is("perspective"):
			p := v.need("perspective")
			c.YFov, c.Aspect = p.need("yfov").float(0), p.get("aspectRatio").float(0)
			c.Near, c.Far = p.need("znear").float(0), p.get("zfar").float(0)
			if l.err == nil && (c.YFov <= 0 || c.YFov >= math.Pi || c.Near <= 0 || c.Aspect < 0 || c.Far != 0 && c.Far <= c.Near) {
				l.warn(p, "is no possible projection")
			}
		case kind.is("orthographic"):
			c.Orthographic = true
			o := v.need("orthographic")
			c.XMag, c.YMag = o.need("xmag").float(0), o.need("ymag").float(0)
			c.Near, c.Far = o.need("znear").float(0), o.need("zfar").float(0)
			if l.err == nil && (c.XMag == 0 || c.YMag == 0 || c.Near < 0 || c.Far <= c.Near) {
				l.warn(o, "is no possible projection")
			}
		case kind.exists():
			l.warn(kind, "%q is no kind of camera; it is taken as a common one", shorten(kind.text()))
			c.YFov, c.Near = math.Pi/4, 0.1
		}
	}
}

func (l *loader) lights() {
	v := l.root.get("extensions").get("KHR_lights_punctual").get("lights")
	if !v.exists() || !l.charge(v, int64(v.length())*64) {
		return
	}
	l.m.Lights = make([]assets.Light, v.length())
	for i, v := range v.elements() {
		light := assets.Light{
			Name: v.get("name").text(), Color: mgl32.Vec3{1, 1, 1},
			Intensity: v.get("intensity").float(1), Range: v.get("range").float(0),
			OuterCone: math.Pi / 4,
		}
		v.get("color").floats(light.Color[:])
		switch kind := v.need("type"); {
		case kind.is("directional"):
		case kind.is("point"):
			light.Kind = assets.Point
		case kind.is("spot"):
			light.Kind = assets.Spot
			spot := v.need("spot")
			light.InnerCone = spot.get("innerConeAngle").float(0)
			light.OuterCone = spot.get("outerConeAngle").float(math.Pi / 4)
			if l.err == nil && (light.InnerCone < 0 || light.OuterCone <= light.InnerCone || light.OuterCone > math.Pi/2+1e-6) {
				l.warn(spot, "has an inner cone of %.3g and an outer one of %.3g radians, which no light has", light.InnerCone, light.OuterCone)
			}
		case kind.exists():
			if name := kind.text(); l.err == nil {
				l.warn(kind, "%q is no kind of light; it gives none", shorten(name))
			}
			light.Intensity = 0
		}
		l.m.Lights[i] = light
	}
}
