package machine

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
)

// Recording is what came into an instance, Update by Update. Replayed on a new
// instance of the same definition it gives the same poses bit for bit, on the same
// kind of machine. It is plain JSON, in which float32 numbers survive as they are.
type Recording struct {
	Steps []Step `json:"steps"`
}

// Step is one Update and what was set before it, in order.
type Step struct {
	Dt  float32 `json:"dt"`
	Set []Set   `json:"set,omitempty"`
	Go  []Going `json:"go,omitempty"`
}

// Set is a parameter that was set.
type Set struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Going is a call of Instance.Go.
type Going struct {
	Layer int    `json:"layer,omitempty"`
	State string `json:"state"`
	Fade  Fade   `json:"fade"`
}

// Record appends to a recording what comes in from now on; nil ends it. Begin
// before the first Update to replay from the start. Recording allocates.
func (m *Instance) Record(r *Recording) { m.record, m.open = r, Step{} }

// Replay runs a recording on a new instance and calls each after every Update with
// the number of the step, the instance and the pose.
func Replay(d *Definition, r *Recording, each func(step int, m *Instance, pose *animation.Pose)) error {
	m, scratch, pose := New(d), NewScratch(d), animation.NewPose(d.skeleton)
	for i, s := range r.Steps {
		for _, x := range s.Set {
			if err := m.Set(x.Name, x.Value); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
		for _, x := range s.Go {
			if err := m.Go(x.Layer, x.State, x.Fade); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
		if err := m.Update(s.Dt, scratch, pose); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		each(i, m, pose)
	}
	return nil
}
