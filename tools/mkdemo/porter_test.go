package main

import (
	"math"
	"strings"
	"testing"
)

func TestPorterStandsInAnAPose(t *testing.T) {
	d := committed(t, "porter.glb")
	if n := len(d.Skins[0].Joints); n != 213 {
		t.Errorf("%d joints, want 213", n)
	}
	if len(d.Animations) != 0 {
		t.Errorf("%d clips: its motion comes from another skeleton", len(d.Animations))
	}
	rot, at, err := d.posed(-1, 0)
	if err != nil {
		t.Fatal(err)
	}
	node := map[string]int{}
	for _, n := range d.Skins[0].Joints {
		name := d.Nodes[n].Name
		if _, ok := node[name]; ok {
			t.Errorf("two joints are named %s", name)
		}
		node[name] = n
	}
	ibm, _, err := d.read(d.Skins[0].InverseBindMatrices)
	if err != nil {
		t.Fatal(err)
	}
	for k, n := range d.Skins[0].Joints {
		// The bind matrix takes the joint's own place to the origin, unturned.
		m := ibm[16*k : 16*k+16]
		for c := range 3 {
			p := at[n]
			if x := m[c]*p[0] + m[4+c]*p[1] + m[8+c]*p[2] + m[12+c]; math.Abs(x) > 1e-5 {
				t.Fatalf("%s is bound %.4f m off", d.Nodes[n].Name, x)
			}
			var e vec
			e[c] = 1
			back := rot[n].inv().rotate(e)
			if math.Abs(back[0]-m[4*c])+math.Abs(back[1]-m[4*c+1])+math.Abs(back[2]-m[4*c+2]) > 1e-4 {
				t.Fatalf("%s is bound turned otherwise than it rests", d.Nodes[n].Name)
			}
		}
		other := ""
		switch name := d.Nodes[n].Name; {
		case strings.Contains(name, "L_"):
			other = strings.Replace(name, "L_", "R_", 1)
		case strings.Contains(name, "R_"):
			other = strings.Replace(name, "R_", "L_", 1)
		default:
			other = name
		}
		if at[node[other]].sub(at[n].mirror()).len() > 1e-5 {
			t.Errorf("%s stands at %.3f, %s at %.3f", d.Nodes[n].Name, at[n], other, at[node[other]])
		}
	}
	arm := at[node["CC_Base_L_Forearm"]].sub(at[node["CC_Base_L_Upperarm"]])
	if down := math.Atan2(-arm[1], arm[0]) * 180 / math.Pi; down < 35 || down > 55 {
		t.Errorf("the arms hang %.0f° below level, want 35° to 55°", down)
	}
	// Bones look along +Y, so that rest rotations differ from the mannequin's.
	if along := rot[node["CC_Base_L_Upperarm"]].rotate(vec{0, 1, 0}); along.dot(arm.unit()) < 0.999 {
		t.Errorf("the upper arm looks along %.3f, lies along %.3f", along, arm.unit())
	}
	follows := map[string]int{}
	vs, err := readBound("porter.glb")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vs {
		for _, f := range v.on {
			if f.weight > 0 {
				follows[d.jointName(f.joint)]++
			}
		}
	}
	for _, name := range []string{"L_Foot", "R_Foot", "L_Clavicle", "R_Index2", "L_ThighTwist01", "Pelvis", "JawRoot"} {
		if follows[cc+name] == 0 {
			t.Errorf("no vertex follows %s", name)
		}
	}
	if n := follows[cc+"BoneRoot"] + follows[cc+"Hip"]; n > 0 {
		t.Errorf("%d vertices follow joints that carry the body and move none of it", n)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range d.Meshes[0].Primitives {
		a := d.Accessors[p.Attributes["POSITION"]]
		lo, hi = min(lo, a.Min[1]), max(hi, a.Max[1])
		weights, _, err := d.read(p.Attributes["WEIGHTS_0"])
		if err != nil {
			t.Fatal(err)
		}
		for k := 0; k < len(weights); k += 4 {
			if sum := weights[k] + weights[k+1] + weights[k+2] + weights[k+3]; math.Abs(sum-1) > 1e-6 {
				t.Fatalf("weights sum to %v", sum)
			}
		}
	}
	if math.Abs(lo) > 0.002 || hi < 1.5 || hi > 1.6 {
		t.Errorf("stands from y %.4f to %.4f m, want 0 to about 1.55", lo, hi)
	}
}
