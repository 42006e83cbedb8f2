package measure

import (
	"errors"
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/assets"
)

// Character is what a model and its clips measure. Lengths are in metres.
type Character struct {
	Name      string   `json:"name"` // of the file
	Nodes     int      `json:"nodes"`
	Joints    int      `json:"joints"` // nodes that a skin names
	Vertices  int      `json:"vertices"`
	Triangles int      `json:"triangles"`
	Height    float64  `json:"height_m"` // at rest
	Feet      []string `json:"feet"`
	Clips     []Clip   `json:"clips"`
}

// Clip is what one clip measures on a character.
type Clip struct {
	Name     string   `json:"name"`
	Duration float64  `json:"duration"` // seconds
	Channels Channels `json:"channels"`
	// Steps says whether the clip steps; the figures of steps are 0 where it does not,
	// and those of soles where the character has no feet.
	Steps     bool    `json:"steps"`
	Stride    float64 `json:"stride_m"`
	Speed     float64 `json:"speed_m_s"`
	Slide     float64 `json:"slide_m"` // the worst foot's
	SoleMin   float64 `json:"sole_min_m"`
	SoleRange float64 `json:"sole_range_m"`
	// Ends are where hands, head and other ends of what the clip moves go, by joint.
	Ends map[string]Place `json:"ends,omitempty"`
}

// Channels counts what a clip moves.
type Channels struct {
	All         int `json:"all"`
	Joints      int `json:"joints"` // that it moves in any way
	Translation int `json:"translation"`
	Rotation    int `json:"rotation"`
	Scale       int `json:"scale"`
	Weights     int `json:"weights"`
}

// Count counts the channels of a clip.
func Count(clip *animation.Clip) Channels {
	c := Channels{All: len(clip.Tracks)}
	last := int32(-1)
	for i := range clip.Tracks { // sorted by joint
		t := &clip.Tracks[i]
		if t.Joint != last {
			c.Joints, last = c.Joints+1, t.Joint
		}
		switch t.Path {
		case animation.Translation:
			c.Translation++
		case animation.Rotation:
			c.Rotation++
		case animation.Scale:
			c.Scale++
		case animation.Weights:
			c.Weights++
		}
	}
	return c
}

// Take measures a model and clips for it: its own, or others bound to its skeleton.
// Of a model on which no feet are found the counts alone are taken.
func Take(m *assets.Model, clips []*animation.Clip) (Character, error) {
	f := m.Footprint()
	c := Character{
		Name: m.Name, Nodes: f.Nodes, Joints: f.Joints, Vertices: f.Vertices, Triangles: f.Triangles,
		Feet: []string{}, Clips: []Clip{},
	}
	bounds, err := m.Bounds(animation.NewPose(m.Skeleton))
	if err != nil {
		return c, fmt.Errorf("%s: %w", m.Name, err)
	}
	c.Height = float64(bounds.Max[1] - bounds.Min[1])
	var soles []ground.Sole
	if f.Vertices > 0 {
		soles, err = m.Soles()
		if err != nil && !errors.Is(err, ground.ErrNoFeet) { // on a thing without feet there is nothing to measure
			return c, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	for i := range soles {
		c.Feet = append(c.Feet, soles[i].Name)
	}
	for _, clip := range clips {
		x := Clip{Name: clip.Name, Duration: float64(clip.Duration), Channels: Count(clip)}
		if soles != nil && !clip.Additive {
			job := stride.Job{Clip: clip, Skeleton: m.Skeleton, Soles: soles}
			r, err := job.Run()
			if err != nil {
				return c, fmt.Errorf("%s: %w", m.Name, err)
			}
			x.Steps, x.Stride, x.Speed, x.SoleMin, x.SoleRange = r.Steps, r.Stride, r.Speed, r.SoleMin, r.SoleRange
			for _, foot := range r.Feet {
				x.Slide = max(x.Slide, foot.Slide)
			}
		}
		if !clip.Additive {
			if x.Ends, err = ends(m.Skeleton, clip); err != nil {
				return c, fmt.Errorf("%s: clip %q: %w", m.Name, clip.Name, err)
			}
		}
		c.Clips = append(c.Clips, x)
	}
	return c, nil
}
