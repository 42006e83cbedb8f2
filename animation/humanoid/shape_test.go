package humanoid_test

import (
	"errors"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Without names the bones are those that the names tell.
func TestShapeAgreesWithNames(t *testing.T) {
	m, err := gltf.Load("../../demo/assets/mannequin.glb")
	if err != nil {
		t.Fatal(err)
	}
	want := humanoid.Guess(m.Skeleton)
	got, err := humanoid.Shape(m.Skeleton, nil)
	if err != nil {
		t.Fatal(err)
	}
	for bone, j := range want {
		if k, ok := got[bone]; !ok || k != j {
			t.Errorf("%s is %s, found %v", bone, m.Skeleton.Names[j], got[bone])
		}
	}
	if len(want) < 50 {
		t.Errorf("only %d bones by name", len(want))
	}
}

// CesiumMan's joints have no names; legs, arms and head were read off its picture.
func TestShapeWithoutNames(t *testing.T) {
	m, err := gltf.Load(corpus.Path(t, "gltf/CesiumMan/glTF-Binary/CesiumMan.glb"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := humanoid.Shape(m.Skeleton, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := humanoid.Bones{"hips": 3, "leftUpperLeg": 8, "rightUpperLeg": 4, "leftFoot": 10, "leftUpperArm": 17, "leftHand": 19, "rightHand": 16, "head": 21}
	for bone, j := range want {
		if got[bone] != j {
			t.Errorf("%s is %d, found %d", bone, j, got[bone])
		}
	}
}

// Animals, and things, are no people.
func TestShapeOfOthers(t *testing.T) {
	for _, path := range []string{corpus.Path(t, "gltf/Fox/glTF-Binary/Fox.glb"), corpus.Path(t, "gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb"), "../../demo/assets/house.glb", "../../demo/assets/carrier.glb"} {
		m, err := gltf.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := humanoid.Shape(m.Skeleton, nil); !errors.Is(err, humanoid.ErrNotHuman) {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	if _, err := humanoid.Shape(&animation.Skeleton{}, nil); !errors.Is(err, humanoid.ErrNotHuman) {
		t.Errorf("of no joints: %v", err)
	}
}
