package retarget_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Skeletons of many thousand joints, deep, wide, and all at one place, end soon.
func TestLargeSkeletons(t *testing.T) {
	const n = 6000
	for name, parent := range map[string]func(j int) int{
		"a chain": func(j int) int { return j - 1 },
		"a star":  func(j int) int { return min(j-1, 0) },
		"a comb":  func(j int) int { return max(j-1-j%2, min(j-1, 0)) },
	} {
		for _, step := range []float32{0, 0.01} {
			for _, format := range []string{"", "joint_%d", "Hips"} {
				s := &animation.Skeleton{}
				for j := range n {
					x := animation.Identity()
					x.Translation = mgl32.Vec3{step * float32(j%3), step, 0}
					label := format
					if format == "joint_%d" {
						label = fmt.Sprintf(format, j)
					}
					s.Names, s.Parents, s.Rest = append(s.Names, label), append(s.Parents, int32(parent(j))), append(s.Rest, x)
				}
				start := time.Now()
				r, err := retarget.NewRig(s, retarget.RigOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if m, err := retarget.NewMap(r, r); err == nil {
					if again, err := retarget.ReadMap(m.JSON(), r, r); err != nil || len(again.Pairs) != len(m.Pairs) {
						t.Errorf("%s, %v, %q: its own map: %v", name, step, format, err)
					}
				}
				if took := time.Since(start); took > 20*time.Second {
					t.Errorf("%s, %v m, %q: %v", name, step, format, took)
				}
			}
		}
	}
}

// FuzzRig: whatever a skeleton is, finding its rig and a map onto a person ends
// without a panic, and poses that come of it are numbers.
func FuzzRig(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 200, 1, 9}, "Hips LeftUpLeg RightUpLeg Head")
	f.Add([]byte{0, 0, 0, 5, 5, 5, 9, 9}, "pelvis thigh_l thigh_r calf_l calf_r foot_l foot_r spine head upperarm_l upperarm_r")
	body := mannequin(f)
	f.Fuzz(func(t *testing.T, data []byte, names string) {
		s := &animation.Skeleton{}
		words := strings.Fields(names)
		for j, b := range data[:min(len(data), 60)] {
			x := animation.Identity()
			x.Translation = mgl32.Vec3{float32(b%5) - 2, float32(b%7) - 3, float32(b % 3)}
			if b == 200 {
				x.Scale = mgl32.Vec3{0, 0, 0}
			}
			if b == 201 {
				x.Scale = mgl32.Vec3{-1, 2, 1}
			}
			name := ""
			if j < len(words) {
				name = words[j]
			}
			s.Names, s.Parents, s.Rest = append(s.Names, name), append(s.Parents, int32(int(b)%(j+1))-1), append(s.Rest, x)
		}
		r, err := retarget.NewRig(s, retarget.RigOptions{})
		if err != nil {
			return
		}
		for _, pair := range [][2]*retarget.Rig{{r, r}, {r, body}, {body, r}} {
			m, err := retarget.NewMap(pair[0], pair[1])
			if err != nil {
				continue
			}
			b, err := retarget.New(m, retarget.Options{PlantFeet: true})
			if err != nil {
				continue
			}
			out := animation.NewPose(pair[1].Skeleton)
			if err := b.Pose(animation.NewPose(pair[0].Skeleton), out); err != nil {
				t.Fatal(err)
			}
			for j, x := range out.Local {
				if x.Rotation.W != x.Rotation.W || x.Translation[0] != x.Translation[0] {
					t.Fatalf("joint %d is %v", j, x)
				}
			}
		}
	})
}
