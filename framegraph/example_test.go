package framegraph_test

import (
	"fmt"

	"github.com/bindpose/bindpose/framegraph"
)

// recorder stands in for a device: its Context only knows where it is.
type recorder struct {
	plan *framegraph.Plan
	step int
}

func (r *recorder) Pass() string           { return r.plan.Steps[r.step].Name }
func (r *recorder) Plan() *framegraph.Plan { return r.plan }
func (r *recorder) Step() int              { return r.step }

// A frame with one phase and two passes, run by a recorder that prints.
func Example() {
	graph := framegraph.New()
	pose := graph.CPUResource("pose")
	back := graph.ImportImage("backbuffer", framegraph.ImageDesc{Format: framegraph.BGRA8Unorm, Width: 320, Height: 180},
		framegraph.Import{Arrive: framegraph.Acquired, Leave: framegraph.PresentState})
	color := graph.CreateImage("color", framegraph.ImageDesc{Format: framegraph.RGBA16Float, Size: framegraph.Relative(back, 1)})

	graph.AddPhase("animation", func(b *framegraph.Builder) func() error {
		pose = b.HostWrite(pose)
		return func() error { fmt.Println("animate"); return nil }
	})
	graph.AddPass("geometry", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		b.HostRead(pose)
		color = b.ColorAttachment(color, framegraph.Clear(0, 0, 0, 1))
		return func(c framegraph.Context) { fmt.Println("draw", c.Pass()) }
	})
	graph.AddPass("tonemap", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		b.Sample(color, framegraph.FragmentShader)
		back = b.ColorAttachment(back, framegraph.DontCare)
		return func(c framegraph.Context) { fmt.Println("draw", c.Pass()) }
	})

	plan, err := graph.Compile(framegraph.Caps{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range plan.Steps {
		s := &plan.Steps[i]
		if n := s.Before.Len(); n > 0 {
			fmt.Println(n, "barriers")
		}
		if s.Run != nil {
			if err := s.Run(); err != nil {
				fmt.Println(err)
				return
			}
		}
		if s.Record != nil {
			s.Record(&recorder{plan, i})
		}
	}
	fmt.Println(plan.Final.Len(), "barrier to leave")
	// Output:
	// animate
	// 1 barriers
	// draw geometry
	// 2 barriers
	// draw tonemap
	// 1 barrier to leave
}
