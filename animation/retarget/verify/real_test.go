package verify_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/animation/retarget/verify"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/bvh"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// model reads one of the shared models, or the project's mannequin.
func model(t *testing.T, path string) *assets.Model {
	t.Helper()
	var m *assets.Model
	var err error
	switch {
	case path == "mannequin":
		data, err := demoassets.Files.ReadFile("mannequin.glb")
		if err != nil {
			t.Fatal(err)
		}
		if m, err = gltf.Decode("mannequin.glb", data, nil); err != nil {
			t.Fatal(err)
		}
		return m
	case strings.HasSuffix(path, ".fbx"):
		m, err = fbx.Load(corpus.Path(t, path))
	case strings.HasSuffix(path, ".bvh"):
		m, err = bvh.Load(corpus.Path(t, path), bvh.Options{})
	default:
		m, err = gltf.Load(corpus.Path(t, path))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// known is where the mesh is at rest.
func known(m *assets.Model) (k verify.Known) {
	_ = m.Evaluate(animation.NewPose(m.Skeleton), func(_, _, _ int, p []mgl32.Vec3) { k.Vertices = append(k.Vertices, p...) })
	return k
}

// brought retargets a source's clips onto a target, each pose changed by a fault,
// and judges them. at is the frame, from 0.
func brought(t *testing.T, source, target *assets.Model, clip string, fault func(at int, m *retarget.Map, pose *animation.Pose)) *verify.Report {
	t.Helper()
	rig := func(m *assets.Model) *retarget.Rig {
		r, err := retarget.NewRig(m.Skeleton, retarget.RigOptions{Vertices: known(m).Vertices})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	from, to := rig(source), rig(target)
	m, err := retarget.NewMap(from, to)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []verify.Pair
	for _, p := range m.Pairs {
		pairs = append(pairs, verify.Pair{Source: p.Source, Target: p.Target, Bone: p.Bone})
	}
	v, err := verify.New(source.Skeleton, target.Skeleton, pairs, verify.Options{SourceKnown: known(source), TargetKnown: known(target)})
	if err != nil {
		t.Fatal(err)
	}
	var takes []*verify.Take
	for _, c := range source.Clips {
		if clip != "" && !strings.HasSuffix(c.Name, clip) {
			continue
		}
		r, err := retarget.New(m, retarget.Options{})
		if err != nil {
			t.Fatal(err)
		}
		play, pose, at := verify.Play(source.Skeleton, c), animation.NewPose(source.Skeleton), 0
		take, err := v.Measure(c, verify.Motion{Name: c.Name, Duration: c.Duration, Sample: func(time float32, out *animation.Pose) error {
			if err := play.Sample(time, pose); err != nil {
				return err
			}
			if err := r.Pose(pose, out); err != nil {
				return err
			}
			if fault != nil {
				fault(at, m, out)
			}
			at++
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		takes = append(takes, take)
	}
	if len(takes) == 0 {
		t.Fatalf("%s has no clip %s", source.Path, clip)
	}
	return v.Report(takes)
}

const (
	kayWalk = "gltf/KayKit/Med_MovementBasic.glb"
	cesium  = "gltf/CesiumMan/glTF-Binary/CesiumMan.glb"
	pabWalk = "fbx/ozz/pab/walk.fbx"
	arnaud  = "fbx/ozz/pab/arnaud.fbx"
	avatar  = "vrm/unity/Example.vrm"
)

// Real rigs, no two of which are built alike, pass; and what is measured of the
// skeletons and of the clips agrees.
func TestRealRigs(t *testing.T) {
	for _, c := range [][2]string{
		{kayWalk, "gltf/KayKit/mannequin/manny_med_mod.gltf"}, {kayWalk, cesium}, {"mannequin", arnaud}, {"mannequin", avatar},
		{cesium, "mannequin"}, {pabWalk, avatar}, {"bvh/01_01.bvh", "mannequin"},
	} {
		t.Run(strings.ReplaceAll(c[0]+" onto "+c[1], "/", "⁄"), func(t *testing.T) {
			r := brought(t, model(t, c[0]), model(t, c[1]), "", nil)
			for _, f := range r.Findings {
				if f.Level == verify.Error {
					t.Errorf("%+v", f)
				}
			}
			for _, x := range r.Clips {
				if !x.Pass || x.MaxDeg > 0.02 || x.MaxM > 5e-4 {
					t.Errorf("%s: pass %v, %v°, %v m", x.Name, x.Pass, x.MaxDeg, x.MaxM)
				}
				for _, l := range x.Limbs {
					if l.Off > 2 { // a third of what is let pass
						t.Errorf("%s: %s points %v° elsewhere", x.Name, l.Bone, l.Off)
					}
				}
			}
		})
	}
}

// The four faults, put in on purpose between real rigs.
func TestFaultsOnRealRigs(t *testing.T) {
	joint := func(m *retarget.Map, bone string) int32 { return m.Target.Bones[bone] }
	var first mgl32.Vec3
	for _, c := range []struct {
		name, source, target, clip, code, joint string
		fault                                   func(at int, m *retarget.Map, pose *animation.Pose)
	}{
		{"fingers dropped", "mannequin", avatar, "idle", verify.FingersDropped, "", func(_ int, m *retarget.Map, pose *animation.Pose) {
			for _, p := range m.Pairs {
				for _, finger := range []string{"Thumb", "Index", "Middle", "Ring", "Little"} {
					if strings.Contains(p.Bone, finger) {
						pose.Local[p.Target] = m.Target.Skeleton.Rest[p.Target]
					}
				}
			}
		}},
		// The upper arm alone is left as an A-pose has it, the forearm is right.
		{"alignment missing", kayWalk, cesium, "Walking_A", verify.Alignment, "", func(_ int, m *retarget.Map, pose *animation.Pose) {
			q := mgl32.QuatRotate(mgl32.DegToRad(30), mgl32.Vec3{0.3, 1, 0.2}.Normalize())
			arm, fore := joint(m, "leftUpperArm"), joint(m, "leftLowerArm")
			pose.Local[arm].Rotation = pose.Local[arm].Rotation.Mul(q)
			pose.Local[fore].Rotation = q.Conjugate().Mul(pose.Local[fore].Rotation)
		}},
		{"one ratio for both", kayWalk, "mannequin", "Jump_Full_Long", verify.OneRatio, "hips", func(_ int, m *retarget.Map, pose *animation.Pose) {
			across, up := m.Ratios()
			rest := m.Target.Reference.Local[m.Target.Hips].Translation[1]
			y := &pose.Local[m.Target.Hips].Translation[1]
			*y = rest + (*y-rest)*across/up
		}},
		{"root track lost", pabWalk, "mannequin", "walk", verify.RootLost, "hips", func(at int, m *retarget.Map, pose *animation.Pose) {
			p := &pose.Local[m.Target.Hips].Translation
			if at == 0 {
				first = *p
			}
			p[0], p[2] = first[0], first[2]
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			source, target := model(t, c.source), model(t, c.target)
			if r := brought(t, source, target, c.clip, nil); !r.Pass {
				t.Fatalf("without the fault: %+v", r.Findings)
			}
			r := brought(t, source, target, c.clip, c.fault)
			var found *verify.Finding
			for i, f := range r.Findings {
				if f.Code == c.code && f.Level == verify.Error {
					found = &r.Findings[i]
					break
				}
			}
			if r.Pass || found == nil || c.joint != "" && found.Joint != c.joint || found.Clip == "" || found.Means == "" || found.Fix == "" {
				t.Fatalf("pass %v, %+v among %+v", r.Pass, found, r.Findings)
			}
			if math.IsNaN(found.Measured) || found.Measured <= 0 && c.code != verify.RootLost {
				t.Errorf("measured %v", found.Measured)
			}
		})
	}
}
