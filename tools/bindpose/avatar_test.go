package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/vrm"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/internal/corpus"
)

// foxAvatar is a fox as a VRM whose tail falls, and where it was written.
func foxAvatar(t testing.TB) string {
	t.Helper()
	m, err := gltf.Load(corpus.Path(t, "gltf/Fox/glTF-Binary/Fox.glb"))
	if err != nil {
		t.Fatal(err)
	}
	a := &vrm.Avatar{Version: "1.0", Bones: humanoid.Bones{}, Meta: vrm.Meta{Name: "fox", Thumbnail: -1}}
	for i, bone := range humanoid.Required { // a fox has no such bones: any will do
		a.Bones[bone] = int32(i + 1)
	}
	tail := vrm.Spring{Center: -1}
	for _, name := range []string{"b_Tail01_012", "b_Tail02_013", "b_Tail03_014"} {
		j := m.Skeleton.Joint(name)
		if j < 0 {
			t.Fatalf("no joint %s in %v", name, m.Skeleton.Names)
		}
		// The fox is 150 m long.
		tail.Joints = append(tail.Joints, vrm.SpringJoint{Joint: int32(j), Drag: 0.4, Stiffness: 10, GravityPower: 60, GravityDir: mgl32.Vec3{0, -1, 0}})
	}
	a.Springs = []vrm.Spring{tail}
	var out bytes.Buffer
	if err := vrm.Write(m, a, &out); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "fox.vrm")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// An avatar's tail hangs lower than its clip has it, in any frame that is drawn.
func TestViewSwingsAvatars(t *testing.T) {
	path := foxAvatar(t)
	models, err := loadModels([]string{path}, func(s string) { t.Errorf("warned: %s", s) })
	if err != nil {
		t.Fatal(err)
	}
	avatars, err := bringToLife(models, nil)
	if err != nil || avatars[0] == nil {
		t.Fatal(err)
	}
	s, err := scene.New()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := s.SpawnModel("fox", models[0], nil)
	end := models[0].Skeleton.Joint("b_Tail03_014")
	height := func() float32 { return e.Animator.Model()[end][13] }
	stiff := height()
	if err := comeToHang(e, avatars[0]); err != nil {
		t.Fatal(err)
	}
	if fell := stiff - height(); fell < 10 {
		t.Errorf("its tail fell by %v m only", fell)
	}
	// A walk of its entity swings it back, with no garbage; a jump begins anew.
	at := func() mgl32.Vec3 { return e.Animator.Model()[end].Col(3).Vec3() }
	e.Animator.Speed = 0
	hung, back := at(), float32(0)
	if n := testing.AllocsPerRun(60, func() {
		e.Local.Translation[2] += 2
		s.UpdateWorld()
		if err := s.Animate(1.0 / 60); err != nil {
			t.Fatal(err)
		}
		back = max(back, hung[2]-at()[2])
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
	if back < 3 {
		t.Errorf("a walk swings it back by %v m only", back)
	}
	e.Local.Translation[2] += 3000
	s.UpdateWorld()
	if err := s.Animate(0); err != nil {
		t.Fatal(err)
	}
	if d := stiff - height(); d > 1 {
		t.Errorf("after a jump it hangs %v m below rest", d)
	}
	t.Logf("fell %v m, swung %v m", stiff-hung[1], back)
}

func TestExpressionFlag(t *testing.T) {
	fox := foxAvatar(t)
	for _, c := range []struct{ file, flag, want string }{
		{fox, "grin", "there are: "}, {fox, "happy=2", "from 0 to 1"}, {fox, "happy=x", "from 0 to 1"},
		{corpus.Path(t, "gltf/Fox/glTF-Binary/Fox.glb"), "happy", "avatar"},
	} {
		status, _, errs := command(t, "view", c.file, "--expression", c.flag, "--headless")
		if status == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("--expression %s: status %d, said %s", c.flag, status, errs)
		}
	}
	models, err := loadModels([]string{corpus.Path(t, "vrm/blender-5.2/blend/simple_morph.vrm")}, warnToStderr)
	if err != nil {
		t.Fatal(err)
	}
	avatars, err := bringToLife(models, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range avatars[0].Avatar().Expressions {
		if len(x.Morphs) > 0 {
			if _, err := bringToLife(models, []string{x.Name + "=0.5"}); err != nil {
				t.Error(err)
			}
		}
	}
}
