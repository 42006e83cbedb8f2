package fbx_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bindpose/bindpose/assets/fbx"
)

// A small file cannot ask for hours: curves that repeat without end over a long
// take, on many nodes.
func TestRepetitionIsBounded(t *testing.T) {
	var objects, connections strings.Builder
	fmt.Fprintf(&objects, `AnimationStack: 1, "AnimStack::a", "" { Properties70: { P: "LocalStop", "KTime", "Time", "",%d } }
AnimationLayer: 2, "AnimLayer::b", "" { }
AnimationCurve: 3, "AnimCurve::", "" { KeyVer: 4009
KeyTime: *3 { a: 0,10000,20000 }
KeyValueFloat: *3 { a: 0,90,-90 }
KeyAttrFlags: *1 { a: 8456 }
KeyAttrDataFloat: *4 { a: 0,0,218434821,0 }
KeyAttrRefCount: *1 { a: 3 }
Post-Extrapolation: { Type: R
Repetition: -1 } }
`, int64(1)<<59)
	connections.WriteString("C: \"OO\",2,1\n")
	for i := range 400 {
		n := 10 + 3*i
		fmt.Fprintf(&objects, "Model: %d, \"Model::n\", \"Null\" { }\nAnimationCurveNode: %d, \"AnimCurveNode::R\", \"\" { }\n", n, n+1)
		fmt.Fprintf(&connections, "C: \"OO\",%d,0\nC: \"OO\",%d,2\nC: \"OP\",%d,%d, \"Lcl Rotation\"\n", n, n+1, n+1, n)
		for _, axis := range "XYZ" {
			fmt.Fprintf(&connections, "C: \"OP\",3,%d, \"d|%c\"\n", n+1, axis)
		}
	}
	file := "FBXHeaderExtension: { FBXVersion: 7700 }\nObjects: {\n" + objects.String() + "}\nConnections: {\n" + connections.String() + "}\n"
	start := time.Now()
	m, err := fbx.Decode("repeat.fbx", []byte(file), nil)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%d bytes took %v", len(file), took)
	}
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, "repeat.fbx", m)
	if len(m.Warnings) == 0 || len(m.Clips) != 1 || len(m.Clips[0].Tracks) != 400 {
		t.Errorf("%d warnings, %d clips", len(m.Warnings), len(m.Clips))
	}
}

// A chain of nodes, each of which takes over all scales above it, costs the
// square of its length; that is refused.
func TestScalesOverScalesAreBounded(t *testing.T) {
	var objects, connections strings.Builder
	objects.WriteString(`AnimationStack: 1, "AnimStack::a", "" { }
AnimationLayer: 2, "AnimLayer::b", "" { }
AnimationCurve: 3, "AnimCurve::", "" { KeyVer: 4009
KeyTime: *2 { a: 0,46186158000 }
KeyValueFloat: *2 { a: 1,1.0001 }
KeyAttrFlags: *1 { a: 4 }
KeyAttrDataFloat: *4 { a: 0,0,218434821,0 }
KeyAttrRefCount: *1 { a: 2 } }
`)
	connections.WriteString("C: \"OO\",2,1\n")
	for i := range 5000 {
		n := 10 + 3*i
		fmt.Fprintf(&objects, "Model: %d, \"Model::n\", \"Null\" { }\nAnimationCurveNode: %d, \"AnimCurveNode::S\", \"\" { }\n", n, n+1)
		up := n - 3
		if i == 0 {
			up = 0
		}
		fmt.Fprintf(&connections, "C: \"OO\",%d,%d\nC: \"OO\",%d,2\nC: \"OP\",%d,%d, \"Lcl Scaling\"\nC: \"OP\",3,%d, \"d|X\"\n", n, up, n+1, n+1, n, n+1)
	}
	file := "FBXHeaderExtension: { FBXVersion: 7700 }\nObjects: {\n" + objects.String() + "}\nConnections: {\n" + connections.String() + "}\n"
	start := time.Now()
	_, err := fbx.Decode("chain.fbx", []byte(file), nil)
	if took := time.Since(start); took > 15*time.Second { // about one, with nothing else to do
		t.Errorf("%d bytes took %v", len(file), took)
	}
	if err == nil {
		t.Error("5000 scales on one another were sampled")
	}
}
