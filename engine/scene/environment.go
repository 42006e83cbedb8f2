package scene

import (
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Environment is the light around a scene: a sun, and a sky that is both the
// background and the ambient light. Colours are linear and in the units of the
// lights: with the default exposure, a white surface under the default sun is
// close to white.
type Environment struct {
	ToSun      mgl32.Vec3 // unit, towards the sun
	Sun        mgl32.Vec3
	Shadows    bool
	SkyZenith  mgl32.Vec3
	SkyHorizon mgl32.Vec3
	SkyGround  mgl32.Vec3
	Exposure   float32

	// Picture, where set, is an equirectangular picture (PNG, JPEG or WebP) that
	// is drawn as the background instead of the gradient. The three sky colours
	// are then measured in it.
	Picture *assets.Image

	// ShadowFocus and ShadowRadius are the ball in the world, metres, that
	// shadows are drawn for. A radius of 0 lets the renderer choose the ball
	// around what is drawn.
	ShadowFocus  mgl32.Vec3
	ShadowRadius float32
}

// Afternoon is a clear late afternoon: a warm sun at 38°, a blue sky.
func Afternoon() Environment {
	return Environment{
		ToSun:      SunAt(38, 145),
		Sun:        mgl32.Vec3{3.6, 3.15, 2.55},
		Shadows:    true,
		SkyZenith:  mgl32.Vec3{0.13, 0.30, 0.72},
		SkyHorizon: mgl32.Vec3{0.74, 0.82, 0.92},
		SkyGround:  mgl32.Vec3{0.26, 0.24, 0.20},
		Exposure:   0.82,
	}
}

// Evening is a clear evening after sunset: a rising moon at 26°, a sky that is
// still red at the horizon, and an exposure by which lamps show.
func Evening() Environment {
	return Environment{
		ToSun:      SunAt(26, 52),
		Sun:        mgl32.Vec3{0.13, 0.19, 0.32},
		Shadows:    true,
		SkyZenith:  mgl32.Vec3{0.010, 0.026, 0.085},
		SkyHorizon: mgl32.Vec3{0.105, 0.078, 0.088},
		SkyGround:  mgl32.Vec3{0.012, 0.014, 0.020},
		Exposure:   1.9,
	}
}

// Studio is an even grey light that shows a model's shape and colours.
func Studio() Environment {
	return Environment{
		ToSun:      SunAt(48, 35),
		Sun:        mgl32.Vec3{2.9, 2.8, 2.65},
		Shadows:    true,
		SkyZenith:  mgl32.Vec3{0.50, 0.54, 0.60},
		SkyHorizon: mgl32.Vec3{0.31, 0.33, 0.36},
		SkyGround:  mgl32.Vec3{0.235, 0.24, 0.255},
		Exposure:   0.78,
	}
}

// SunAt is the direction to a sun so many degrees above the horizon and so many
// around from +Z towards +X.
func SunAt(elevation, azimuth float64) mgl32.Vec3 {
	e, a := elevation*math.Pi/180, azimuth*math.Pi/180
	return mgl32.Vec3{
		float32(math.Cos(e) * math.Sin(a)),
		float32(math.Sin(e)),
		float32(math.Cos(e) * math.Cos(a)),
	}
}
