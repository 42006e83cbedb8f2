package vrm

import (
	"encoding/json"
	"fmt"

	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
)

// AnimationBones are the bones of an avatar's animation (.vrma, VRMC_vrm_animation
// 1.0), whose nodes rest in a T; nil where the file is none. data are the file's
// bytes and m what gltf made of them.
func AnimationBones(data []byte, m *assets.Model) (humanoid.Bones, error) {
	text, err := gltf.JSON(data)
	if err != nil {
		return nil, err
	}
	var f struct {
		Extensions struct {
			Animation *struct {
				Humanoid struct {
					HumanBones map[string]struct{ Node *int }
				}
			} `json:"VRMC_vrm_animation"`
		}
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("VRMC_vrm_animation: %w", err)
	}
	if f.Extensions.Animation == nil {
		return nil, nil
	}
	r := &reader{m: m, joint: make(map[int]int32, len(m.Nodes))}
	for j, n := range m.Nodes {
		r.joint[int(n.Source)] = int32(j)
	}
	bones := humanoid.Bones{}
	for bone, b := range f.Extensions.Animation.Humanoid.HumanBones {
		j := r.at(b.Node)
		if j < 0 {
			return nil, fmt.Errorf("VRMC_vrm_animation.humanoid.humanBones.%s: there is no such node", bone)
		}
		bones[bone] = j
	}
	return bones, nil
}
