package gltf_test

import (
	"fmt"

	"github.com/bindpose/bindpose/assets/gltf"
)

func ExampleDecode() {
	file := `{"asset":{"version":"2.0"},"scenes":[{"nodes":[1]}],
		"nodes":[{"name":"hand","translation":[0.3,0,0]},{"name":"arm","children":[0]}]}`
	model, err := gltf.Decode("arm.gltf", []byte(file), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, name := range model.Skeleton.Names {
		fmt.Println(name, model.Skeleton.Parents[j], model.Skeleton.Rest[j].Translation)
	}
	_, err = gltf.Decode("arm.gltf", []byte(file[:50]), nil)
	fmt.Println(err)
	// Output:
	// arm -1 [0 0 0]
	// hand 0 [0.3 0 0]
	// arm.gltf: JSON byte 50: the text ends where ',' or ']' should be; it is cut off
}
