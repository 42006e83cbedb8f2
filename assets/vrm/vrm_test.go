package vrm_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/vrm"
	"github.com/bindpose/bindpose/internal/corpus"
)

func avatars(t testing.TB) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(corpus.Path(t, "vrm"), func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".vrm" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Every avatar is read, and what is written of it as VRM 1.0 comes back the same.
func TestAvatars(t *testing.T) {
	count := map[string]int{}
	expressions, morphs := 0, 0
	for _, path := range avatars(t) {
		m, a, err := vrm.Load(path)
		if err != nil {
			if !strings.Contains(path, "broken") {
				t.Error(err)
			}
			continue
		}
		count[a.Version]++
		expressions += len(a.Expressions)
		for _, e := range a.Expressions {
			morphs += len(e.Morphs)
		}
		for bone, j := range a.Bones {
			if j < 0 || int(j) >= m.Skeleton.Len() {
				t.Errorf("%s: %s is joint %d", path, bone, j)
			}
		}
		var out bytes.Buffer
		err = vrm.Write(m, a, &out)
		var missing *vrm.MissingBonesError
		if errors.As(err, &missing) {
			count["incomplete"]++
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		again, err := gltf.Decode(path, out.Bytes(), nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if faults := gltf.CheckBytes(path, out.Bytes(), nil); len(faults) > 0 && len(mustCheck(t, path)) == 0 {
			t.Errorf("%s: what is written has faults: %v", path, faults[0])
		}
		b, err := vrm.Read(out.Bytes(), again)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if !maps.Equal(a.Bones, b.Bones) || !reflect.DeepEqual(a.LookAt, b.LookAt) || !reflect.DeepEqual(a.Springs, b.Springs) || !reflect.DeepEqual(a.Colliders, b.Colliders) {
			t.Errorf("%s: came back otherwise", path)
		}
		if len(a.Expressions) != len(b.Expressions) {
			t.Errorf("%s: %d expressions of %d", path, len(b.Expressions), len(a.Expressions))
		} else if !reflect.DeepEqual(a.Expressions, b.Expressions) && a.Version == "1.0" {
			t.Errorf("%s: expressions came back otherwise", path)
		}
	}
	t.Logf("%v, %d expressions, %d of morph targets", count, expressions, morphs)
	if count["0.x"] < 40 || count["1.0"] < 15 || expressions < 300 {
		t.Errorf("read %v and %d expressions", count, expressions)
	}
}

func mustCheck(t *testing.T, path string) []gltf.Fault {
	t.Helper()
	faults, err := gltf.Check(path)
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

// The bones of an avatar are found by its joints' names and hierarchy alone, as
// its author marked them.
func TestGuessAgreesWithAuthors(t *testing.T) {
	right, wrong, absent := 0, 0, 0
	for _, path := range avatars(t) {
		m, a, err := vrm.Load(path)
		if err != nil || len(a.Bones.Missing()) > 0 {
			continue
		}
		g := humanoid.Guess(m.Skeleton)
		for _, bone := range humanoid.Required {
			j, ok := g[bone]
			switch {
			case !ok:
				absent++
			case j == a.Bones[bone]:
				right++
			default:
				wrong++
				t.Logf("%s: %s is %q, guessed %q", filepath.Base(path), bone, m.Skeleton.Names[a.Bones[bone]], m.Skeleton.Names[j])
			}
		}
	}
	t.Logf("%d right, %d wrong, %d not found", right, wrong, absent)
	if right < 500 || wrong*100 > right || absent*10 > right {
		t.Errorf("%d right, %d wrong, %d not found", right, wrong, absent)
	}
}

// The names that common tools give.
func TestGuessNames(t *testing.T) {
	for name, joints := range map[string]string{
		"Mixamo": `mixamorig:Hips - mixamorig:Spine 0 mixamorig:Spine1 1 mixamorig:Spine2 2 mixamorig:Neck 3 mixamorig:Head 4
			mixamorig:LeftShoulder 3 mixamorig:LeftArm 6 mixamorig:LeftForeArm 7 mixamorig:LeftHand 8
			mixamorig:RightShoulder 3 mixamorig:RightArm 10 mixamorig:RightForeArm 11 mixamorig:RightHand 12
			mixamorig:LeftUpLeg 0 mixamorig:LeftLeg 14 mixamorig:LeftFoot 15 mixamorig:LeftToeBase 16
			mixamorig:RightUpLeg 0 mixamorig:RightLeg 18 mixamorig:RightFoot 19 mixamorig:RightToeBase 20`,
		"Unreal": `root - pelvis 0 spine_01 1 spine_02 2 spine_03 3 neck_01 4 head 5
			clavicle_l 4 upperarm_l 7 lowerarm_l 8 hand_l 9 clavicle_r 4 upperarm_r 11 lowerarm_r 12 hand_r 13
			thigh_l 1 calf_l 15 foot_l 16 ball_l 17 thigh_r 1 calf_r 19 foot_r 20 ball_r 21`,
		"Biped": `Bip001 - Bip001_Pelvis 0 Bip001_Spine 1 Bip001_Spine1 2 Bip001_Neck 3 Bip001_Head 4
			Bip001_L_Clavicle 4 Bip001_L_UpperArm 6 Bip001_L_Forearm 7 Bip001_L_Hand 8 Bip001_R_Clavicle 4 Bip001_R_UpperArm 10 Bip001_R_Forearm 11 Bip001_R_Hand 12
			Bip001_L_Thigh 1 Bip001_L_Calf 14 Bip001_L_Foot 15 Bip001_R_Thigh 1 Bip001_R_Calf 17 Bip001_R_Foot 18`,
		"HumanIK": `Character1_Reference - Character1_Hips 0 Character1_LeftUpLeg 1 Character1_LeftLeg 2 Character1_LeftFoot 3
			Character1_RightUpLeg 1 Character1_RightLeg 5 Character1_RightFoot 6 Character1_Spine 1 Character1_Spine1 8
			Character1_LeftShoulder 9 Character1_LeftArm 10 Character1_LeftForeArm 11 Character1_LeftHand 12
			Character1_RightShoulder 9 Character1_RightArm 14 Character1_RightForeArm 15 Character1_RightHand 16 Character1_Neck 9 Character1_Head 18`,
		"CMU": `Hips - LHipJoint 0 LeftUpLeg 1 LeftLeg 2 LeftFoot 3 LeftToeBase 4 RHipJoint 0 RightUpLeg 6 RightLeg 7 RightFoot 8 RightToeBase 9
			LowerBack 0 Spine 11 Spine1 12 Neck 13 Neck1 14 Head 15 LeftShoulder 13 LeftArm 17 LeftForeArm 18 LeftHand 19 RightShoulder 13 RightArm 21 RightForeArm 22 RightHand 23`,
	} {
		s := &animation.Skeleton{}
		fields := strings.Fields(joints)
		for i := 0; i < len(fields); i += 2 {
			parent := int32(-1)
			if p := fields[i+1]; p != "-" {
				parent = 0
				for _, c := range p {
					parent = parent*10 + int32(c-'0')
				}
			}
			s.Names, s.Parents, s.Rest = append(s.Names, fields[i]), append(s.Parents, parent), append(s.Rest, animation.Identity())
		}
		if missing := humanoid.Guess(s).Missing(); len(missing) > 0 {
			t.Errorf("%s: not found: %v", name, missing)
		}
	}
}

// A model that is no person says which bones it lacks.
func TestWriteWithoutBones(t *testing.T) {
	m := &assets.Model{Skeleton: &animation.Skeleton{}, Scene: -1}
	err := vrm.Write(m, &vrm.Avatar{Bones: humanoid.Bones{"hips": 0}}, &bytes.Buffer{})
	var missing *vrm.MissingBonesError
	if !errors.As(err, &missing) || slices.Contains(missing.Bones, "hips") || !slices.Contains(missing.Bones, "leftHand") {
		t.Errorf("got %v", err)
	}
}

// FuzzRead: whatever the bytes are, reading an avatar ends without a panic.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"asset":{"version":"2.0"},"nodes":[{}],"extensions":{"VRM":{"humanoid":{"humanBones":[{"bone":"hips","node":0}]}}}}`))
	f.Add([]byte(`{"asset":{"version":"2.0"},"nodes":[{}],"extensions":{"VRMC_vrm":{"specVersion":"1.0","humanoid":{"humanBones":{"hips":{"node":0}}}}}}`))
	f.Add([]byte(`{"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"translation":[0,1,0]}],"extensions":{"VRMC_vrm":{"specVersion":"1.0","expressions":{"preset":{"happy":{"morphTargetBinds":[{"node":0,"index":0,"weight":1}]}}}},"VRMC_springBone":{"colliders":[{"node":0,"shape":{"sphere":{"radius":1}}}],"colliderGroups":[{"colliders":[0]}],"springs":[{"center":0,"colliderGroups":[0],"joints":[{"node":0},{"node":1}]}]}}}`))
	f.Add([]byte(`{"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"translation":[0,1,0]}],"extensions":{"VRM":{"secondaryAnimation":{"boneGroups":[{"bones":[0],"colliderGroups":[0]}],"colliderGroups":[{"node":1,"colliders":[{"radius":1}]}]}}}}`))
	f.Add([]byte(`{"asset":{"version":"2.0"},"nodes":[{}],"textures":[{}],"materials":[{"name":"m","normalTexture":{"index":0}}],"extensions":{"VRMC_vrm":{"specVersion":"1.0","expressions":{"custom":{"x":{"materialColorBinds":[{"material":0,"type":"color","targetValue":[1,0,0,1]}],"textureTransformBinds":[{"material":0,"offset":[1,0]}]}}}}}}`))
	f.Add([]byte(`{"asset":{"version":"2.0"},"nodes":[{}],"materials":[{"name":"m"}],"extensions":{"VRM":{"blendShapeMaster":{"blendShapeGroups":[{"name":"x","materialValues":[{"materialName":"m","propertyName":"_MainTex_ST_S","targetValue":[1,1,0,0]}]}]}}}}`))
	if os.Getenv("BINDPOSE_SHARED") != "" {
		for _, path := range avatars(f) {
			if data, err := os.ReadFile(path); err == nil && len(data) < 20000 {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := gltf.Decode("fuzz.vrm", data, nil)
		if err != nil {
			return
		}
		if a, err := vrm.Read(data, m); err == nil {
			_ = vrm.Write(m, a, &bytes.Buffer{})
			if i, err := vrm.NewInstance(m, a); err == nil {
				e := animation.NewAnimator(m.Skeleton, m.Skins, nil)
				e.Modify(i)
				i.Gaze(1, 1)
				for k := range a.Expressions {
					_ = i.Express(a.Expressions[k].Name, 1)
				}
				_ = e.Update(0.02)
				_ = e.Update(0.02)
			}
		}
	})
}
