package machine_test

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/machine"
)

// A door opens and shuts as a parameter says.
func Example() {
	s := &animation.Skeleton{Names: []string{"hinge"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()}}
	open := &animation.Clip{Name: "open", Duration: 1, Tracks: []animation.Track{{
		Path: animation.Translation, Width: 3, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0}}}}
	shut := &animation.Clip{Name: "shut"}

	d, err := machine.Load([]byte(`{
	  "parameters": [{"name": "open", "type": "bool"}],
	  "layers": [{"name": "door", "machine": {
	    "start": "shut",
	    "states": [{"name": "shut", "clip": "shut"}, {"name": "open", "clip": "open", "loop": "once"}],
	    "transitions": [
	      {"from": "shut", "to": "open", "when": [{"parameter": "open"}]},
	      {"from": "open", "to": "shut", "when": [{"parameter": "open", "is": "==", "value": false}], "duration": 0.5}
	    ]
	  }}]
	}`), s, []*animation.Clip{open, shut})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, scratch, pose := machine.New(d), machine.NewScratch(d), animation.NewPose(s)
	for frame := range 6 {
		if err := m.SetBool("open", frame >= 1 && frame < 4); err != nil {
			fmt.Println(err)
		}
		if err := m.Update(0.25, scratch, pose); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%s, at %.2f\n", m.Status(0).State, pose.Local[0].Translation[0])
	}
	// Output:
	// shut, at 0.00
	// open, at 0.00
	// open, at 0.25
	// open, at 0.50
	// shut, at 0.75
	// shut, at 0.50
}
