package doctor_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/tools/mktorn/torn"
)

// Of two meshes on the same joints only the torn one is bound again.
func TestOnlyTheTornMeshIsMended(t *testing.T) {
	healthy, _, err := torn.Pair()
	if err != nil {
		t.Fatal(err)
	}
	m, err := gltf.Decode("two.glb", healthy, nil)
	if err != nil {
		t.Fatal(err)
	}
	// A second node with the mesh, on a skin that is torn.
	node := slices.IndexFunc(m.Nodes, func(n assets.Node) bool { return n.Mesh >= 0 })
	two := *m
	s := *m.Skeleton
	s.Names, s.Parents, s.Rest = append(slices.Clone(s.Names), "second"), append(slices.Clone(s.Parents), -1), append(slices.Clone(s.Rest), animation.Identity())
	two.Skeleton = &s
	second := m.Nodes[node]
	second.Skin, second.Source = int32(len(m.Skins)), int32(len(m.Nodes))
	two.Nodes = append(slices.Clone(m.Nodes), second)
	two.Scenes = slices.Clone(m.Scenes)
	two.Scenes[m.Scene].Roots = append(slices.Clone(m.Scenes[m.Scene].Roots), int32(len(m.Nodes)))
	two.Skins = append(slices.Clone(m.Skins), torn.Tear(m, torn.Difference()).Skins[0])
	var file bytes.Buffer
	if err := gltf.Write(&two, &file); err != nil {
		t.Fatal(err)
	}
	path := write(t, "two.glb", file.Bytes())
	report, loaded, err := doctor.Examine(path, load, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range report.Findings {
		if f.Code == "bind-mismatch" {
			found++
			if !bytes.Contains([]byte(f.Where), []byte("second")) {
				t.Errorf("%+v", f)
			}
		}
	}
	if found != 1 {
		t.Fatalf("%d mismatches: %+v", found, report.Findings)
	}
	out := filepath.Join(t.TempDir(), "out.glb")
	done, err := doctor.Mend(path, out, report, loaded, load, nil)
	if err != nil || len(done.Changed) != 1 || find(done.Report, "bind-mismatch") != nil {
		t.Fatalf("%v: %+v", err, done)
	}
	again, err := gltf.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Skins[0].InverseBind, m.Skins[0].InverseBind) {
		t.Error("the healthy skin was changed")
	}
	for i, want := range m.Skins[0].InverseBind {
		if off := again.Skins[1].InverseBind[i].Add(want.Mul(-1)); largest(off) > 1e-4 {
			t.Fatalf("joint %d: %v, want %v", i, again.Skins[1].InverseBind[i], want)
		}
	}
}

func largest(m mgl32.Mat4) float32 {
	most := float32(0)
	for _, x := range m {
		most = max(most, x, -x)
	}
	return most
}
