// Package torn makes the character that the doctor was built for: healthy, and
// torn by a wrong bind matrix.
//
//	healthy, sick, err := torn.Pair() // two GLB files
//
// Three of six motion-capture characters came up like this once: weights summed
// to 1, joints were assigned right, all tracks were bound, and yet eyes stayed in
// place while the hair stood a metre and a half in front. What was wrong was the
// one matrix recorded for the mesh when it was bound.
package torn

import (
	"bytes"
	"fmt"
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	demo "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Difference is what the torn one's bind matrix is off by: −90° about X, and
// 1.56 m.
func Difference() mgl32.Mat4 {
	return mgl32.Translate3D(0, 0, -1.56).Mul4(mgl32.HomogRotate3D(-math.Pi/2, mgl32.Vec3{1, 0, 0}))
}

// Pair returns the demo's mannequin as a GLB file, and the same torn.
func Pair() (healthy, sick []byte, err error) {
	file, err := demo.Files.ReadFile("mannequin.glb")
	if err != nil {
		return nil, nil, err
	}
	m, err := gltf.Decode("mannequin.glb", file, nil)
	if err != nil {
		return nil, nil, err
	}
	var a, b bytes.Buffer
	if err := gltf.Write(m, &a); err != nil {
		return nil, nil, err
	}
	if err := gltf.Write(Tear(m, Difference()), &b); err != nil {
		return nil, nil, err
	}
	if a.Len() != b.Len() {
		return nil, nil, fmt.Errorf("the pair differs in more than its matrices: %d and %d bytes", a.Len(), b.Len())
	}
	return a.Bytes(), b.Bytes(), nil
}

// Tear returns a model whose skins are bound with difference · their bind
// matrix. All else is shared with m.
func Tear(m *assets.Model, difference mgl32.Mat4) *assets.Model {
	out := *m
	out.Skins = append(out.Skins[:0:0], m.Skins...)
	for i := range out.Skins {
		k := &out.Skins[i]
		k.InverseBind = append(k.InverseBind[:0:0], k.InverseBind...)
		for j := range k.InverseBind {
			// joint · inverseBind is the mesh's world matrix W; to become
			// difference · W, the matrix is multiplied with W⁻¹ · difference · W,
			// and the mannequin stands at W = 1.
			k.InverseBind[j] = k.InverseBind[j].Mul4(difference)
		}
	}
	return &out
}
