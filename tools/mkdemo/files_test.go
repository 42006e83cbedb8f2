package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

var names = []string{"mannequin.glb", "porter.glb", "carrier.glb", "house.glb", "props.glb", "sword.glb"}

// The committed files are what the tool writes: byte for byte where floats round
// alike, else with the same structure and numbers within a hair.
func TestCommittedFilesAreCurrent(t *testing.T) {
	files, err := build()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, name := range names {
		have, err := os.ReadFile(filepath.Join("..", "..", "demo", "assets", name))
		if err != nil {
			t.Fatal(err)
		}
		total += len(have)
		if bytes.Equal(have, files[name]) {
			continue
		}
		t.Logf("%s differs in bytes; comparing its numbers", name)
		if why := differ(t, have, files[name]); why != "" {
			t.Errorf("%s is not what mkdemo writes (%s): go run ./tools/mkdemo -o demo/assets", name, why)
		}
	}
	if total > 8<<20 {
		t.Errorf("the files hold %d bytes, more than 8 MiB", total)
	}
}

// differ says how two files differ by more than rounding, or "".
func differ(t *testing.T, a, b []byte) string {
	t.Helper()
	da, err := readGLB(a)
	if err != nil {
		return err.Error()
	}
	db, err := readGLB(b)
	if err != nil {
		return err.Error()
	}
	if !reflect.DeepEqual(da.Nodes, db.Nodes) && len(da.Nodes) != len(db.Nodes) {
		return "nodes"
	}
	if !reflect.DeepEqual(da.Meshes, db.Meshes) || len(da.Accessors) != len(db.Accessors) || len(da.Images) != len(db.Images) {
		return "meshes, accessors or images"
	}
	for i := range da.Accessors {
		x, w, err := da.read(i)
		if err != nil {
			return err.Error()
		}
		y, v, err := db.read(i)
		if err != nil {
			return err.Error()
		}
		if len(x) != len(y) || v != w {
			return "an accessor's length"
		}
		for k := range x {
			if math.Abs(x[k]-y[k]) > 0.01 {
				return "an accessor's numbers"
			}
		}
	}
	for i := range da.Textures {
		x, err := da.picture(i)
		if err != nil {
			return err.Error()
		}
		y, err := db.picture(i)
		if err != nil {
			return err.Error()
		}
		if x.Rect != y.Rect {
			return "a texture's size"
		}
		off := 0
		for k := range x.Pix {
			if d := int(x.Pix[k]) - int(y.Pix[k]); d > 6 || d < -6 {
				off++
			}
		}
		if off > len(x.Pix)/100 {
			return "a texture's colours"
		}
	}
	return ""
}

func TestDifferSeesAChange(t *testing.T) {
	a, err := os.ReadFile(filepath.Join("..", "..", "demo", "assets", "house.glb"))
	if err != nil {
		t.Fatal(err)
	}
	b := bytes.Clone(a)
	n := int(binary.LittleEndian.Uint32(b[12:]))
	copy(b[28+n:], []byte{0, 0, 0xC0, 0x40}) // the first number becomes 6
	if differ(t, a, b) == "" {
		t.Error("a moved vertex goes unseen")
	}
}

func TestFilesAreValid(t *testing.T) {
	for _, name := range names {
		d := committed(t, name)
		if len(d.Scenes) != 1 {
			t.Fatalf("%s: %d scenes", name, len(d.Scenes))
		}
		for i, a := range d.Accessors {
			vals, w, err := d.read(i)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for k, x := range vals {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("%s: accessor %d holds %v", name, i, x)
				}
				if a.Min != nil && (float32(x) < float32(a.Min[k%w]) || float32(x) > float32(a.Max[k%w])) {
					t.Fatalf("%s: accessor %d holds %v outside its min and max", name, i, x)
				}
			}
		}
		unit := func(what string, accessor, stride int) {
			vals, _, err := d.read(accessor)
			if err != nil {
				t.Fatal(err)
			}
			for k := 0; k < len(vals); k += stride {
				if l := vec(vals[k : k+3]).len(); math.Abs(l-1) > 1e-4 {
					t.Fatalf("%s: a %s of length %v", name, what, l)
				}
				if stride == 4 && math.Abs(vals[k+3]) != 1 {
					t.Fatalf("%s: a tangent's w is %v", name, vals[k+3])
				}
			}
		}
		for _, m := range d.Meshes {
			for _, p := range m.Primitives {
				count := d.Accessors[p.Attributes["POSITION"]].Count
				if d.Accessors[p.Attributes["POSITION"]].Min == nil {
					t.Errorf("%s: %s has positions without min and max", name, m.Name)
				}
				unit("normal", p.Attributes["NORMAL"], 3)
				if a, ok := p.Attributes["TANGENT"]; ok {
					unit("tangent", a, 4)
				}
				for what, a := range p.Attributes {
					if d.Accessors[a].Count != count {
						t.Errorf("%s: %s has %d of %s, %d positions", name, m.Name, d.Accessors[a].Count, what, count)
					}
				}
				idx, _, err := d.read(p.Indices)
				if err != nil {
					t.Fatal(err)
				}
				for _, i := range idx {
					if int(i) >= count {
						t.Fatalf("%s: %s has index %v of %d vertices", name, m.Name, i, count)
					}
				}
			}
		}
		for i := range d.Textures {
			if img, err := d.picture(i); err != nil {
				t.Errorf("%s: texture %d: %v", name, i, err)
			} else if img.Rect.Dx() > 512 {
				t.Errorf("%s: texture %d is %d texels wide", name, i, img.Rect.Dx())
			}
		}
	}
}

func TestNodesCanBePicked(t *testing.T) {
	for name, want := range map[string][]string{
		"house.glb": {"house", "door"},
		"sword.glb": {"sword"},
		"props.glb": {"ground", "path", "crate", "tree", "tree_small", "bush", "grass", "flowers", "rock", "fence", "bench", "lantern"},
	} {
		d := committed(t, name)
		have := map[string]bool{}
		for _, i := range d.Scenes[0].Nodes {
			have[d.Nodes[i].Name] = true
		}
		for _, n := range want {
			if !have[n] {
				t.Errorf("%s: no top-level node %q", name, n)
			}
		}
	}
}

func boxOf(t *testing.T, tris []triangle, err error) (lo, hi vec) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	lo, hi = vec{99, 99, 99}, vec{-99, -99, -99}
	for _, tr := range tris {
		for _, c := range tr.c {
			for k := range 3 {
				lo[k], hi[k] = min(lo[k], c.pos[k]), max(hi[k], c.pos[k])
			}
		}
	}
	return lo, hi
}

func TestDoorFillsAFreeDoorway(t *testing.T) {
	d := committed(t, "house.glb")
	only := func(n string) func(string) bool { return func(s string) bool { return s == n } }
	house, err := d.triangles(-1, 0, only("house"), noTurn, vec{})
	if err != nil {
		t.Fatal(err)
	}
	// Someone walks through the middle of the doorway and of the room behind it.
	for _, tr := range house {
		for i := range 3 {
			for j := range 21 {
				p := tr.c[i].pos.lerp(tr.c[(i+1)%3].pos, float64(j)/20)
				if math.Abs(p[0]-(doorLeft+doorWide/2)) < doorWide/2-0.03 && p[1] > floorTop+0.03 && p[1] < floorTop+doorHigh-0.02 && p[2] > 0.5 && p[2] < 3 {
					t.Fatalf("the house is in the doorway at %.2f", p)
				}
			}
		}
	}
	tris, err := d.triangles(-1, 0, only("door"), noTurn, vec{})
	lo, hi := boxOf(t, tris, err)
	if lo[0] < doorLeft-0.001 || hi[0] > doorLeft+doorWide || lo[1] < floorTop || hi[1] > floorTop+doorHigh || hi[0]-lo[0] < 0.9 {
		t.Errorf("the closed door reaches from %.3f to %.3f", lo, hi)
	}
	// Open by 90° about its hinge it stands inside the house, out of the way.
	hinge := vec{doorLeft + 0.02, floorTop + 0.01, doorHingeZ}
	tris, err = d.triangles(-1, 0, only("door"), rotY(90), hinge.sub(rotY(90).rotate(hinge)))
	lo, hi = boxOf(t, tris, err)
	if hi[2] > houseFront || hi[0] > doorLeft+0.14 {
		t.Errorf("the open door reaches from %.3f to %.3f", lo, hi)
	}
}

func TestCrateIsHalfAMetre(t *testing.T) {
	tris, err := committed(t, "props.glb").triangles(-1, 0, func(s string) bool { return s == "crate" }, noTurn, vec{})
	lo, hi := boxOf(t, tris, err)
	for k := range 3 {
		if math.Abs(lo[k]+0.25) > 1e-6 || math.Abs(hi[k]-0.25) > 1e-6 {
			t.Fatalf("reaches from %.4f to %.4f", lo, hi)
		}
	}
}

// A ball shows that polygonise closes its surface and keeps to the field.
func TestPolygoniseClosesABall(t *testing.T) {
	f := ball(vec{0, 0, 0}, vec{1, 1, 1})
	whole := polygonise(f, vec{-1.2, -1.2, -1.2}, vec{1.2, 1.2, 1.2}, 0.11, false)
	edges, area := map[[2]int]int{}, 0.0
	for _, tr := range whole.tri {
		for k := range 3 {
			edges[[2]int{tr[k], tr[(k+1)%3]}]++
		}
		a, b, c := whole.pos[tr[0]], whole.pos[tr[1]], whole.pos[tr[2]]
		n := b.sub(a).cross(c.sub(a))
		area += n.len() / 2
		if n.dot(a) < 0 {
			t.Fatal("a triangle faces inward")
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]int{e[1], e[0]}] != 1 {
			t.Fatalf("edge %v is not shared by two triangles", e)
		}
	}
	if math.Abs(area-4*math.Pi) > 0.15 {
		t.Errorf("area %.3f, want %.3f", area, 4*math.Pi)
	}
	for _, p := range whole.pos {
		if math.Abs(p.len()-1) > 1e-4 {
			t.Fatalf("vertex %v is off the surface", p)
		}
	}
}

func TestDocumentIsOrdered(t *testing.T) {
	b, err := json.Marshal(obj{"b": 1, "a": 2})
	if err != nil || string(b) != `{"a":2,"b":1}` {
		t.Errorf("%s, %v", b, err)
	}
}
