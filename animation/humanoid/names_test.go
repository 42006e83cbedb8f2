package humanoid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
)

// body is a person's hierarchy by VRM bone names: bone, then its parent.
func body() (out [][2]string) {
	add := func(bone, parent string) { out = append(out, [2]string{bone, parent}) }
	add("root", "")
	add("hips", "root")
	add("spine", "hips")
	add("chest", "spine")
	add("upperChest", "chest")
	add("neck", "upperChest")
	add("head", "neck")
	for _, s := range []string{"left", "right"} {
		add(s+"Shoulder", "upperChest")
		add(s+"UpperArm", s+"Shoulder")
		add(s+"LowerArm", s+"UpperArm")
		add(s+"Hand", s+"LowerArm")
		for _, f := range []string{"Thumb", "Index", "Middle", "Ring", "Little"} {
			links := []string{"Proximal", "Intermediate", "Distal"}
			if f == "Thumb" {
				links = []string{"Metacarpal", "Proximal", "Distal"}
			}
			p := s + "Hand"
			for _, l := range links {
				add(s+f+l, p)
				p = s + f + l
			}
		}
		add(s+"UpperLeg", "hips")
		add(s+"LowerLeg", s+"UpperLeg")
		add(s+"Foot", s+"LowerLeg")
		add(s+"Toes", s+"Foot")
	}
	return out
}

// convention gives names: trunk by bone, limbs by what follows the side, with L for
// the side, fingers by a format of side, finger and link from 1.
type convention struct {
	trunk       map[string]string
	limb        map[string]string
	left, right string
	fingers     map[string]string
	finger      func(side, finger string, link int) string
	extra       []string // helper, and the joint that it hangs on
}

var conventions = map[string]convention{
	"mixamo": {
		trunk: map[string]string{"root": "Armature", "hips": "mixamorig:Hips", "spine": "mixamorig:Spine", "chest": "mixamorig:Spine1", "upperChest": "mixamorig:Spine2", "neck": "mixamorig:Neck", "head": "mixamorig:Head"},
		limb: map[string]string{"Shoulder": "mixamorig:LShoulder", "UpperArm": "mixamorig:LArm", "LowerArm": "mixamorig:LForeArm", "Hand": "mixamorig:LHand",
			"UpperLeg": "mixamorig:LUpLeg", "LowerLeg": "mixamorig:LLeg", "Foot": "mixamorig:LFoot", "Toes": "mixamorig:LToeBase"},
		left: "Left", right: "Right", fingers: map[string]string{"Little": "Pinky"},
		finger: func(s, f string, n int) string { return fmt.Sprintf("mixamorig:%sHand%s%d", s, f, n) },
		extra: []string{"mixamorig:HeadTop_End", "head", "mixamorig:LeftHandThumb4", "leftThumbDistal", "mixamorig:LeftHandIndex4", "leftIndexDistal",
			"mixamorig:RightHandPinky4", "rightLittleDistal", "mixamorig:LeftToe_End", "leftToes"},
	},
	"unreal": {
		trunk: map[string]string{"root": "root", "hips": "pelvis", "spine": "spine_01", "chest": "spine_02", "upperChest": "spine_03", "neck": "neck_01", "head": "head"},
		limb: map[string]string{"Shoulder": "clavicle_L", "UpperArm": "upperarm_L", "LowerArm": "lowerarm_L", "Hand": "hand_L",
			"UpperLeg": "thigh_L", "LowerLeg": "calf_L", "Foot": "foot_L", "Toes": "ball_L"},
		left: "l", right: "r", fingers: map[string]string{"Little": "pinky"},
		finger: func(s, f string, n int) string { return fmt.Sprintf("%s_%02d_%s", strings.ToLower(f), n, s) },
		extra: []string{"upperarm_twist_01_l", "leftUpperArm", "lowerarm_twist_01_l", "leftLowerArm", "thigh_twist_01_r", "rightUpperLeg", "index_metacarpal_l", "leftHand",
			"ik_foot_root", "root", "ik_hand_gun", "root", "ik_hand_l", "root", "ik_foot_l", "root", "weapon_l", "leftHand"},
	},
	"character creator": {
		trunk: map[string]string{"root": "RL_BoneRoot", "hips": "CC_Base_Hip", "spine": "CC_Base_Waist", "chest": "CC_Base_Spine01", "upperChest": "CC_Base_Spine02", "neck": "CC_Base_NeckTwist01", "head": "CC_Base_Head"},
		limb: map[string]string{"Shoulder": "CC_Base_L_Clavicle", "UpperArm": "CC_Base_L_Upperarm", "LowerArm": "CC_Base_L_Forearm", "Hand": "CC_Base_L_Hand",
			"UpperLeg": "CC_Base_L_Thigh", "LowerLeg": "CC_Base_L_Calf", "Foot": "CC_Base_L_Foot", "Toes": "CC_Base_L_ToeBase"},
		left: "L", right: "R", fingers: map[string]string{"Little": "Pinky", "Middle": "Mid"},
		finger: func(s, f string, n int) string { return fmt.Sprintf("CC_Base_%s_%s%d", s, f, n) },
		extra: []string{"CC_Base_Pelvis", "hips", "CC_Base_L_UpperarmTwist01", "leftUpperArm", "CC_Base_L_ForearmTwist01", "leftLowerArm", "CC_Base_L_ElbowShareBone", "leftLowerArm",
			"CC_Base_L_ThighTwist01", "leftUpperLeg", "CC_Base_L_CalfTwist01", "leftLowerLeg", "CC_Base_L_ToeBaseShareBone", "leftFoot", "CC_Base_L_BigToe1", "leftToes",
			"CC_Base_FacialBone", "head", "L_ThumbKnuckle", "leftThumbMetacarpal", "CC_Base_L_IndexMetacarpal", "leftHand", "CC_Base_L_Index4", "leftIndexDistal", "CC_Base_L_Breast", "upperChest", "CC_Base_R_RibsTwist", "upperChest"},
	},
	"rigify": {
		trunk: map[string]string{"root": "root", "hips": "DEF-spine", "spine": "DEF-spine.001", "chest": "DEF-spine.002", "upperChest": "DEF-spine.003", "neck": "DEF-spine.004", "head": "DEF-spine.006"},
		limb: map[string]string{"Shoulder": "DEF-shoulder.L", "UpperArm": "DEF-upper_arm.L", "LowerArm": "DEF-forearm.L", "Hand": "DEF-hand.L",
			"UpperLeg": "DEF-thigh.L", "LowerLeg": "DEF-shin.L", "Foot": "DEF-foot.L", "Toes": "DEF-toe.L"},
		left: "L", right: "R", fingers: map[string]string{"Little": "f_pinky", "Index": "f_index", "Middle": "f_middle", "Ring": "f_ring", "Thumb": "thumb"},
		finger: func(s, f string, n int) string { return fmt.Sprintf("DEF-%s.%02d.%s", f, n, s) },
		extra:  []string{"DEF-pelvis.L", "hips", "DEF-breast.L", "upperChest", "DEF-palm.01.L", "leftHand", "ORG-spine", "root", "MCH-hand_ik.L", "root", "hand_ik.L", "root", "torso", "root"},
	},
	"biped": {
		trunk: map[string]string{"root": "Bip01", "hips": "Bip01 Pelvis", "spine": "Bip01 Spine", "chest": "Bip01 Spine1", "upperChest": "Bip01 Spine2", "neck": "Bip01 Neck", "head": "Bip01 Head"},
		limb: map[string]string{"Shoulder": "Bip01 L Clavicle", "UpperArm": "Bip01 L UpperArm", "LowerArm": "Bip01 L Forearm", "Hand": "Bip01 L Hand",
			"UpperLeg": "Bip01 L Thigh", "LowerLeg": "Bip01 L Calf", "Foot": "Bip01 L Foot", "Toes": "Bip01 L Toe0"},
		left: "L", right: "R", fingers: map[string]string{"Thumb": "0", "Index": "1", "Middle": "2", "Ring": "3", "Little": "4"},
		finger: func(s, f string, n int) string {
			return fmt.Sprintf("Bip01 %s Finger%s%s", s, f, []string{"", "1", "2"}[n-1])
		},
		extra: []string{"Bip01 L Finger0Nub", "leftThumbDistal", "Bip01 HeadNub", "head", "Bip01 Footsteps", "root", "Bip01 L ForeTwist", "leftLowerArm"},
	},
	"humanik": {
		trunk: map[string]string{"root": "Reference", "hips": "Hips", "spine": "Spine", "chest": "Spine1", "upperChest": "Spine2", "neck": "Neck", "head": "Head"},
		limb: map[string]string{"Shoulder": "LShoulder", "UpperArm": "LArm", "LowerArm": "LForeArm", "Hand": "LHand",
			"UpperLeg": "LUpLeg", "LowerLeg": "LLeg", "Foot": "LFoot", "Toes": "LToeBase"},
		left: "Left", right: "Right", fingers: map[string]string{"Little": "Pinky"},
		finger: func(s, f string, n int) string { return fmt.Sprintf("%sHand%s%d", s, f, n) },
		extra:  []string{"LeftArmRoll", "leftUpperArm", "LeftForeArmRoll", "leftLowerArm", "LeftInHandIndex", "leftHand"},
	},
	"vroid": {
		trunk: map[string]string{"root": "Root", "hips": "J_Bip_C_Hips", "spine": "J_Bip_C_Spine", "chest": "J_Bip_C_Chest", "upperChest": "J_Bip_C_UpperChest", "neck": "J_Bip_C_Neck", "head": "J_Bip_C_Head"},
		limb: map[string]string{"Shoulder": "J_Bip_L_Shoulder", "UpperArm": "J_Bip_L_UpperArm", "LowerArm": "J_Bip_L_LowerArm", "Hand": "J_Bip_L_Hand",
			"UpperLeg": "J_Bip_L_UpperLeg", "LowerLeg": "J_Bip_L_LowerLeg", "Foot": "J_Bip_L_Foot", "Toes": "J_Bip_L_ToeBase"},
		left: "L", right: "R", fingers: map[string]string{},
		finger: func(s, f string, n int) string { return fmt.Sprintf("J_Bip_%s_%s%d", s, f, n) },
		extra:  []string{"J_Sec_L_Bust1", "upperChest", "J_Adj_L_FaceEye", "head", "J_Sec_Hair1_01", "head", "J_Sec_L_SkirtSide", "hips"},
	},
}

func (c convention) name(bone string) string {
	if n, ok := c.trunk[bone]; ok {
		return n
	}
	side, rest := c.left, strings.TrimPrefix(bone, "left")
	if strings.HasPrefix(bone, "right") {
		side, rest = c.right, strings.TrimPrefix(bone, "right")
	}
	if n, ok := c.limb[rest]; ok {
		// The one upper-case L that stands for the side.
		for _, mark := range []string{":L", "_L_", "_L", ".L", " L "} {
			if strings.Contains(n, mark) && (mark != "_L" || strings.HasSuffix(n, mark)) && (mark != ".L" || strings.HasSuffix(n, mark)) {
				return strings.Replace(n, mark, strings.Replace(mark, "L", side, 1), 1)
			}
		}
		return side + n[1:]
	}
	for _, f := range []string{"Thumb", "Index", "Middle", "Ring", "Little"} {
		for i, l := range []string{"Proximal", "Intermediate", "Distal"} {
			if f == "Thumb" {
				l = []string{"Metacarpal", "Proximal", "Distal"}[i]
			}
			if rest == f+l {
				if n, ok := c.fingers[f]; ok {
					f = n
				}
				return c.finger(side, f, i+1)
			}
		}
	}
	panic(bone)
}

// All 52 bones of a person are found by the names of each tool, and none of the
// helpers is taken for one.
func TestGuessOfEveryTool(t *testing.T) {
	for tool, c := range conventions {
		s := &animation.Skeleton{}
		at := map[string]int32{}
		add := func(bone, name, parent string) {
			p := int32(-1)
			if parent != "" {
				p = at[parent]
			}
			at[bone] = int32(s.Len())
			s.Names, s.Parents, s.Rest = append(s.Names, name), append(s.Parents, p), append(s.Rest, animation.Identity())
		}
		for _, b := range body() {
			add(b[0], c.name(b[0]), b[1])
			for i := 0; i < len(c.extra); i += 2 { // behind the joint that they hang on, before its next link
				if c.extra[i+1] == b[0] {
					add("extra "+c.extra[i], c.extra[i], b[0])
				}
			}
		}
		got := humanoid.Guess(s)
		for _, b := range body() {
			if b[0] == "root" {
				continue
			}
			switch j, ok := got[b[0]]; {
			case !ok:
				t.Errorf("%s: %s (%s) was not found", tool, b[0], c.name(b[0]))
			case j != at[b[0]]:
				t.Errorf("%s: %s is %s, found %s", tool, b[0], c.name(b[0]), s.Names[j])
			}
		}
		if n := len(got); n != 52 {
			t.Errorf("%s: %d bones", tool, n)
		}
	}
}

// A ponytail is a person's, and a tail an animal's.
func TestLooksHumanOfTails(t *testing.T) {
	for parent, human := range map[string]bool{"head": true, "hips": false} {
		s, at := &animation.Skeleton{}, map[string]int32{"": -1}
		add := func(name, parent string) {
			at[name] = int32(s.Len())
			s.Names, s.Parents, s.Rest = append(s.Names, name), append(s.Parents, at[parent]), append(s.Rest, animation.Identity())
		}
		for _, b := range body() {
			add(b[0], b[1])
		}
		add("PonyTail_01", parent)
		if got := humanoid.LooksHuman(s); got != human {
			t.Errorf("with a tail at the %s: %v", parent, got)
		}
	}
}

// A link that is called mid is its own finger's, whichever finger comes first.
func TestGuessOfMiddleLinks(t *testing.T) {
	s, at := &animation.Skeleton{}, map[string]int32{"": -1}
	add := func(name, parent string) int32 {
		at[name] = int32(s.Len())
		s.Names, s.Parents, s.Rest = append(s.Names, name), append(s.Parents, at[parent]), append(s.Rest, animation.Identity())
		return at[name]
	}
	for _, b := range body() {
		if !strings.HasSuffix(b[0], "Proximal") && !strings.HasSuffix(b[0], "Intermediate") && !strings.HasSuffix(b[0], "Distal") && !strings.HasSuffix(b[0], "Metacarpal") {
			add(b[0], b[1])
		}
	}
	want := humanoid.Bones{}
	for _, finger := range []string{"Ring", "Index", "Middle", "Little", "Thumb"} {
		links := []string{"Proximal", "Intermediate", "Distal"}
		if finger == "Thumb" {
			links[0], links[1] = "Metacarpal", "Proximal"
		}
		parent := "leftHand"
		for i, link := range []string{"base", "mid", "top"} {
			name := strings.ToLower(finger) + "_" + link + "_l"
			want["left"+finger+links[i]] = add(name, parent)
			parent = name
		}
	}
	got := humanoid.Guess(s)
	for bone, j := range want {
		if k, ok := got[bone]; !ok || k != j {
			t.Errorf("%s is %s; found %v %d", bone, s.Names[j], ok, k)
		}
	}
}
