package animation

// PropertyTrack moves numbers of a pose that belong to no joint's transform: what
// AddProperty laid behind the morph weights, such as a material's colour, or some
// of the morph weights themselves.
type PropertyTrack struct {
	At            int32 // the first of them in Pose.Weights
	Width         int   // how many
	Interpolation Interpolation
	Times         []float32 // seconds, strictly rising, at least one
	Values        []float32 // len(Times)·Width, or three times that of a CubicSpline
}

// AddProperty gives every pose of the skeleton so many numbers more, which rest at
// those given, and returns where in Pose.Weights they begin. Fades, layers and
// machines mix them as they do morph weights; a mask, which is by joint, does not
// reach them. It is for loading time: poses made before do not fit any more.
func (s *Skeleton) AddProperty(rest ...float32) int32 {
	if len(s.MorphOffset) == 0 {
		s.MorphOffset = make([]int32, s.Len()+1)
	}
	at := len(s.MorphWeights)
	s.MorphWeights = append(s.MorphWeights, rest...)
	return int32(at)
}

// properties is where a pose's numbers that are no morph weights begin.
func (s *Skeleton) properties() int {
	if n := len(s.MorphOffset); n > 0 {
		return int(s.MorphOffset[n-1])
	}
	return len(s.MorphWeights)
}

// sample writes the track's numbers at t seconds.
func (p *PropertyTrack) sample(t float32, out *Pose) {
	k, u, dt := between(p.Times, t, seek(p.Times, t, 0))
	tr := Track{Interpolation: p.Interpolation, Width: p.Width, Values: p.Values}
	tr.floats(k, u, dt, out.Weights[p.At:int(p.At)+p.Width])
}

// sampleProperties writes what of a clip are no tracks of joints. Of an additive
// clip they are no differences, and are left out.
func (c *Clip) sampleProperties(t float32, out *Pose) {
	if c.Additive {
		return
	}
	for i := range c.Properties {
		c.Properties[i].sample(t, out)
	}
}

// blendProperties is BlendJob.weights for what belongs to no joint.
func (j *BlendJob) blendProperties() {
	first := j.Skeleton.properties()
	if first == len(j.Out.Weights) {
		return
	}
	total := float32(0)
	for i := range j.Layers {
		total += j.Layers[i].Weight
	}
	fill := max(j.Threshold-total, 0)
	if total == 0 && fill == 0 {
		fill = 1
	}
	k := 1 / (total + fill)
	for m := first; m < len(j.Out.Weights); m++ {
		sum := fill * j.Skeleton.MorphWeights[m]
		for i := range j.Layers {
			if l := &j.Layers[i]; l.Weight > 0 {
				sum += l.Weight * l.Pose.Weights[m]
			}
		}
		j.Out.Weights[m] = sum * k
	}
}
