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

// A pair of arms with hands, as a player sees of himself, is no person: fingers are
// no limbs.
func TestShapeOfArms(t *testing.T) {
	m, err := gltf.Load("../../demo/assets/mannequin.glb")
	if err != nil {
		t.Fatal(err)
	}
	s, arms := m.Skeleton, &animation.Skeleton{}
	bones := humanoid.Guess(s)
	at := map[int32]int32{-1: -1}
	for j, p := range s.Parents {
		above, ok := at[p]
		if !ok || int32(j) == bones["leftUpperLeg"] || int32(j) == bones["rightUpperLeg"] || int32(j) == bones["head"] {
			continue
		}
		at[int32(j)] = int32(len(arms.Names))
		arms.Names, arms.Parents, arms.Rest = append(arms.Names, s.Names[j]), append(arms.Parents, above), append(arms.Rest, s.Rest[j])
	}
	if got, err := humanoid.Shape(arms, nil); !errors.Is(err, humanoid.ErrNotHuman) {
		t.Errorf("hips is %q, left thigh %q", arms.Names[got["hips"]], arms.Names[got["leftUpperLeg"]])
	}
}
