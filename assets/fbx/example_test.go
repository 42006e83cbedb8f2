package fbx_test

import (
	"fmt"

	"github.com/bindpose/bindpose/assets/fbx"
)

const hand = `; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7400
}
GlobalSettings:  {
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",2
		P: "FrontAxis", "int", "Integer", "",1
		P: "FrontAxisSign", "int", "Integer", "",-1
		P: "UnitScaleFactor", "double", "Number", "",1
	}
}
Objects:  {
	Model: 1, "Model::arm", "LimbNode" {
	}
	Model: 2, "Model::hand", "LimbNode" {
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",30,0,0
		}
	}
}
Connections:  {
	C: "OO",1,0
	C: "OO",2,1
}
`

func ExampleDecode() {
	model, err := fbx.Decode("arm.fbx", []byte(hand), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, name := range model.Skeleton.Names {
		fmt.Println(name, model.Skeleton.Parents[j], model.Skeleton.Rest[j].Translation) // metres
	}
	_, err = fbx.Decode("arm.fbx", []byte(hand[:63]), nil)
	fmt.Println(err)
	// Output:
	// arm -1 [0 0 0]
	// hand 0 [0.3 0 0]
	// arm.fbx: byte 63: the text ends where } should be; it is cut off
}
