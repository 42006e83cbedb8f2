package fbx

import (
	"encoding/base64"
	"math"
	"strings"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// FBX cameras look along +X and lights shine along -Y, Bindpose's along -Z. A
// joint between makes up for it.
var (
	cameraTurn = quat{0, -math.Sqrt2 / 2, 0, math.Sqrt2 / 2}
	lightTurn  = quat{-math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2}
)

func (l *loader) cameraOrLight(n *node) {
	o := n.obj
	if a := n.obj.child("NodeAttribute"); a != nil {
		o = a
	}
	switch {
	case o.sub == "Camera" || n.obj.sub == "Camera":
		l.m.Cameras = append(l.m.Cameras, l.camera(n, o))
		j := l.fixed(n.obj.name+" camera", n.inner, transform{q: cameraTurn, s: ones})
		l.m.Nodes[j].Camera = int32(len(l.m.Cameras) - 1)
	case o.sub == "Light" || n.obj.sub == "Light":
		l.m.Lights = append(l.m.Lights, l.light(n, o))
		j := l.fixed(n.obj.name+" light", n.inner, transform{q: lightTurn, s: ones})
		l.m.Nodes[j].Light = int32(len(l.m.Lights) - 1)
	}
}

func (l *loader) camera(n *node, o *object) assets.Camera {
	c := assets.Camera{Name: n.obj.name}
	aspect := o.number("AspectWidth", 0) / o.number("AspectHeight", 0)
	if aspect > 1e-3 && aspect < 1e3 {
		c.Aspect = float32(aspect)
	} else {
		aspect = 4.0 / 3
	}
	c.Near = positive(o.number("NearPlane", 10)*l.unit, 0.01)
	c.Far = positive(o.number("FarPlane", 4000)*l.unit, 0)
	if c.Far <= c.Near {
		c.Far = 0
	}
	if o.int("CameraProjectionType", 0) == 1 {
		c.Orthographic = true
		// A zoom of 1 shows 30 units across.
		half := 15 * o.number("OrthoZoom", 1) * l.unit
		c.XMag, c.YMag = positive(half, 1), positive(half/aspect, 1)
		return c
	}
	fov := func(degrees float64) float64 { return degrees * math.Pi / 180 }
	x := fov(o.number("FieldOfView", 40))
	y := 2 * math.Atan(math.Tan(x/2)/aspect)
	switch o.int("ApertureMode", 2) { // FbxCamera::EApertureMode
	case 0: // horizontal and vertical
		y = fov(o.number("FieldOfViewY", 40))
	case 1:
	case 2:
		y = fov(o.number("FieldOfView", 40))
	case 3: // told by the focal length in millimetres and the film's height in inches
		if f := o.number("FocalLength", 0); f > 0 {
			y = 2 * math.Atan(o.number("FilmHeight", 0.612)*25.4/2/f)
		}
	}
	if !(y > 1e-3 && y < math.Pi-1e-3) {
		y = fov(40)
	}
	c.YFov = float32(y)
	return c
}

func (l *loader) light(n *node, o *object) assets.Light {
	t := assets.Light{Name: n.obj.name, Kind: assets.Point}
	color := o.vector("Color", ones)
	t.Color = mgl32.Vec3{clamp(color[0]), clamp(color[1]), clamp(color[2])}
	t.Intensity = positive(o.number("Intensity", 100)/100, 0) // percent
	switch o.int("LightType", 0) {
	case 1:
		t.Kind = assets.Directional
	case 2:
		t.Kind = assets.Spot
		outer := o.number("OuterAngle", o.number("Cone angle", o.number("ConeAngle", 45)))
		inner := o.number("InnerAngle", o.number("HotSpot", 0))
		t.OuterCone = float32(min(max(outer, 0.1), 179) * math.Pi / 360)
		t.InnerCone = min(float32(min(max(inner, 0), 179)*math.Pi/360), t.OuterCone)
	}
	return t
}

func positive(x, otherwise float64) float32 {
	f := float32(x)
	if !(f > 0) || !finite(f) {
		return float32(otherwise)
	}
	return f
}

func decodeBase64(s string) ([]byte, error) {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, s)
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
}
