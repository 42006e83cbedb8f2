package animation

import "unsafe"

// Path is what of a joint a Track moves.
type Path uint8

// The paths of glTF 2.0 §3.11.
const (
	Translation Path = iota // 3 values a key, metres
	Rotation                // 4 values a key: x, y, z, w of a unit quaternion
	Scale                   // 3 values a key
	Weights                 // as many values a key as the joint has morph targets
)

// Interpolation is how a Track fills the time between two keys.
type Interpolation uint8

// The interpolations of glTF 2.0 §3.11 and appendix C.
const (
	Linear      Interpolation = iota // rotations by slerp along the shorter arc
	Step                             // the earlier key's value
	CubicSpline                      // a key is in-tangent, value, out-tangent; rotations are normalised after
)

// Track moves one property of one joint.
type Track struct {
	Joint         int32 // of the Skeleton
	Path          Path
	Interpolation Interpolation
	Width         int       // values a key: 3, 4, or the number of morph targets
	Times         []float32 // seconds, strictly rising, at least one
	Values        []float32 // len(Times)·Width, or three times that of a CubicSpline
}

// Clip is a motion of a Skeleton's joints. It is immutable and shared: what
// plays it keeps time, speed and direction for itself.
type Clip struct {
	Name     string
	Duration float32 // seconds: the last key of any track; playing starts at 0
	Tracks   []Track // sorted by joint, then path; at most one of each
	// Properties move what no Track can: at most one track a number. They count
	// for the skeleton that the clip was made with alone.
	Properties []PropertyTrack
	Speed      float32 // metres a second that the clip walks in place; 0 where unknown

	Additive bool        // its values are differences: see MakeAdditive
	Root     *RootMotion // what of it moves the entity instead of a joint; nil: nothing
	Curves   []Curve     // numbers that change along with the motion
	Events   []Event     // moments, in order of Time

	packed unsafe.Pointer // *packed, of Pack; read and written atomically
}

// With returns a copy of the clip with other tracks, sorted by joint and path.
func (c *Clip) With(tracks []Track) *Clip {
	return &Clip{
		Name: c.Name, Duration: c.Duration, Tracks: tracks, Properties: c.Properties, Speed: c.Speed,
		Additive: c.Additive, Root: c.Root, Curves: c.Curves, Events: c.Events,
	}
}
