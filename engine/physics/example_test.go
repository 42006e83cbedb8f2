package physics_test

import (
	"fmt"
	"log"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

func Example() {
	w, err := physics.NewWorld(physics.DefaultConfig())
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Add(physics.NewBodyDesc(physics.Static, physics.Plane(mgl32.Vec3{0, 1, 0}))); err != nil {
		log.Fatal(err)
	}
	crate := physics.NewBodyDesc(physics.Dynamic, physics.Box(mgl32.Vec3{0.5, 0.5, 0.5}))
	crate.Position = mgl32.Vec3{0, 3, 0}
	if _, err := w.Add(crate); err != nil {
		log.Fatal(err)
	}

	var transforms []physics.Transform
	var contacts []physics.Contact
	for range 240 { // four seconds at 60 Hz
		if _, err := w.Step(1.0 / 60); err != nil {
			log.Fatal(err)
		}
		transforms = w.Transforms(transforms[:0])
		contacts = w.Contacts(contacts[:0])
		for _, c := range contacts {
			if c.Phase == physics.ContactBegin {
				fmt.Println("the crate lands")
			}
		}
	}
	fmt.Printf("it rests at %.1f m\n", transforms[0].Position[1])
	// Output:
	// the crate lands
	// it rests at 0.5 m
}
