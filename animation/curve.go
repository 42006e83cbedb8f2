package animation

// Curve is a number that changes along with a clip: how far an eye is shut, how
// much a foot is planted. A SamplingJob samples it as it does the motion.
type Curve struct {
	Name          string
	Interpolation Interpolation // of CubicSpline a key is in-tangent, value, out-tangent
	Times         []float32     // seconds, rising, at least one
	Values        []float32     // len(Times), or three times that of a CubicSpline
}

// At is the curve's value at t seconds; before the first key and after the last
// those hold.
func (c *Curve) At(t float32) float32 {
	k, u, dt := between(c.Times, t, seek(c.Times, t, 0))
	tr := Track{Interpolation: c.Interpolation, Width: 1, Values: c.Values}
	var out [1]float32
	tr.floats(k, u, dt, out[:])
	return out[0]
}

// Event is a moment of a clip: a foot comes down, a sword is let go. Span.Events
// tells which were passed in a step.
type Event struct {
	Name string
	Time float32 // seconds, in [0, Clip.Duration]
}
