package gltf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
)

// Times that have no data don't rise, for whichever sampler asks.
func TestTimesWithoutData(t *testing.T) {
	text := head + `,"nodes":[{},{}],"accessors":[{"componentType":5126,"count":3,"type":"SCALAR"},{"componentType":5126,"count":3,"type":"VEC3"}],
"animations":[{"samplers":[{"input":0,"output":1},{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}},
{"sampler":1,"target":{"node":1,"path":"scale"}},{"sampler":1,"target":{"node":1,"path":"translation"}}]}]}`
	m, err := gltf.Decode("still.gltf", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Clips {
		if len(c.Tracks) > 0 {
			t.Errorf("clip %q has %d tracks", c.Name, len(c.Tracks))
		}
	}
	told := 0
	for _, w := range m.Warnings {
		if strings.Contains(fmt.Sprint(w), "accessor 0 has no data") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times: %v", told, m.Warnings)
	}
}
