package animation

import (
	"errors"
	"fmt"
	"math"
)

// ErrClip is wrapped by every error of a clip that cannot be played.
var ErrClip = errors.New("animation: bad clip")

// Validate reports whether the clip can be played on the skeleton: joints in
// range, key times finite and not falling, and as many values as keys ask for.
// Equal times are let through; of keys at one time the last holds. A loader
// calls it once a clip, a Player each time a clip is played.
func (c *Clip) Validate(s *Skeleton) error {
	fail := func(i int, format string, args ...any) error {
		return fmt.Errorf("%w %q: track %d: %s", ErrClip, c.Name, i, fmt.Sprintf(format, args...))
	}
	if !finite(c.Duration) || c.Duration < 0 {
		return fmt.Errorf("%w %q: duration %v", ErrClip, c.Name, c.Duration)
	}
	for i := range c.Tracks {
		tr := &c.Tracks[i]
		if tr.Joint < 0 || int(tr.Joint) >= s.Len() {
			return fail(i, "joint %d of a skeleton of %d", tr.Joint, s.Len())
		}
		if tr.Path > Weights || tr.Interpolation > CubicSpline {
			return fail(i, "unknown path %d or interpolation %d", tr.Path, tr.Interpolation)
		}
		if want := [...]int{Translation: 3, Rotation: 4, Scale: 3, Weights: tr.Width}[tr.Path]; tr.Width != want || want < 1 {
			return fail(i, "%d values a key", tr.Width)
		}
		n := len(tr.Times)
		if n == 0 {
			return fail(i, "no keys")
		}
		values := n * tr.Width
		if tr.Interpolation == CubicSpline {
			values *= 3
		}
		if len(tr.Values) != values {
			return fail(i, "%d values, %d keys need %d", len(tr.Values), n, values)
		}
		for k, t := range tr.Times {
			if !finite(t) || k > 0 && t < tr.Times[k-1] {
				return fail(i, "key %d at time %v", k, t)
			}
		}
	}
	for i := range c.Properties {
		p := &c.Properties[i]
		n := len(p.Times) * p.Width
		if p.Interpolation == CubicSpline {
			n *= 3
		}
		if p.At < 0 || p.Width < 1 || int(p.At)+p.Width > len(s.MorphWeights) || len(p.Times) == 0 || len(p.Values) != n || p.Interpolation > CubicSpline {
			return fmt.Errorf("%w %q: property %d: numbers %d to %d of %d, %d keys with %d values",
				ErrClip, c.Name, i, p.At, int(p.At)+p.Width-1, len(s.MorphWeights), len(p.Times), len(p.Values))
		}
		for k, t := range p.Times {
			if !finite(t) || k > 0 && t < p.Times[k-1] {
				return fmt.Errorf("%w %q: property %d: key %d at time %v", ErrClip, c.Name, i, k, t)
			}
		}
	}
	return c.validateCurves(s)
}

// validateCurves checks what of a clip is not tracks.
func (c *Clip) validateCurves(s *Skeleton) error {
	for i := range c.Curves {
		x := &c.Curves[i]
		values := len(x.Times)
		if x.Interpolation == CubicSpline {
			values *= 3
		}
		if len(x.Times) == 0 || len(x.Values) != values || x.Interpolation > CubicSpline {
			return fmt.Errorf("%w %q: curve %d (%q): %d keys with %d values", ErrClip, c.Name, i, x.Name, len(x.Times), len(x.Values))
		}
		for k, t := range x.Times {
			if !finite(t) || k > 0 && t < x.Times[k-1] {
				return fmt.Errorf("%w %q: curve %d (%q): key %d at time %v", ErrClip, c.Name, i, x.Name, k, t)
			}
		}
	}
	for i, e := range c.Events {
		if !(e.Time >= 0 && e.Time <= c.Duration) || i > 0 && e.Time < c.Events[i-1].Time {
			return fmt.Errorf("%w %q: event %d (%q) at time %v", ErrClip, c.Name, i, e.Name, e.Time)
		}
	}
	if r := c.Root; r != nil && (r.Joint < 0 || int(r.Joint) >= s.Len()) {
		return fmt.Errorf("%w %q: root motion of joint %d of a skeleton of %d", ErrClip, c.Name, r.Joint, s.Len())
	}
	return nil
}

// Validate reports whether the skeleton's slices fit together and each parent
// comes before its children.
func (s *Skeleton) Validate() error {
	n := s.Len()
	if len(s.Names) != n || len(s.Rest) != n {
		return fmt.Errorf("animation: bad skeleton: %d parents, %d names, %d rest transforms", n, len(s.Names), len(s.Rest))
	}
	for j, p := range s.Parents {
		if int(p) >= j || p < -1 {
			return fmt.Errorf("animation: bad skeleton: joint %d (%q) has parent %d", j, s.Names[j], p)
		}
	}
	if len(s.MorphWeights) == 0 && len(s.MorphOffset) == 0 {
		return nil
	}
	if len(s.MorphOffset) != n+1 || s.MorphOffset[0] != 0 || int(s.MorphOffset[n]) > len(s.MorphWeights) {
		return fmt.Errorf("animation: bad skeleton: %d morph offsets for %d joints and %d weights", len(s.MorphOffset), n, len(s.MorphWeights))
	}
	for j := range n {
		if s.MorphOffset[j] > s.MorphOffset[j+1] {
			return fmt.Errorf("animation: bad skeleton: morph offset %d of joint %d exceeds the next", s.MorphOffset[j], j)
		}
	}
	return nil
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
