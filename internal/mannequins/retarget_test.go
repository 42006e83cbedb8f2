package mannequins_test

import (
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/animation/retarget/verify"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/mannequins"
)

// guise is a variant with what retargeting wants of it.
type guise struct {
	name     string
	model    *assets.Model
	vertices []mgl32.Vec3
	rig      *retarget.Rig
}

func guises(t *testing.T) []guise {
	t.Helper()
	var out []guise
	for _, v := range mannequins.All() {
		g := guise{name: v.Name(), model: written(t, v)}
		err := g.model.Evaluate(animation.NewPose(g.model.Skeleton), func(_, _, _ int, ps []mgl32.Vec3) {
			g.vertices = append(g.vertices, ps...)
		})
		if err != nil {
			t.Fatal(err)
		}
		if g.rig, err = retarget.NewRig(g.model.Skeleton, retarget.RigOptions{Vertices: g.vertices}); err != nil {
			t.Fatalf("%s: %v", g.name, err)
		}
		out = append(out, g)
	}
	return out
}

// Whatever guise the mannequin has, its clips go onto every guise of both, and verify
// finds nothing.
func TestEveryGuiseMovesEveryOther(t *testing.T) {
	all := guises(t)
	pairs := 0
	for _, from := range all {
		if len(from.model.Clips) == 0 {
			continue
		}
		for _, to := range all {
			if testing.Short() && pairs%7 != 0 {
				pairs++
				continue
			}
			pairs++
			m, err := retarget.NewMap(from.rig, to.rig)
			if err != nil {
				t.Fatalf("%s onto %s: %v", from.name, to.name, err)
			}
			if fingers := fingersOf(m); fingers != 30 {
				t.Errorf("%s onto %s: %d links of fingers are paired, want 30", from.name, to.name, fingers)
			}
			r, err := retarget.New(m, retarget.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var joints []verify.Pair
			for _, p := range m.Pairs {
				joints = append(joints, verify.Pair{Source: p.Source, Target: p.Target, Bone: p.Bone})
			}
			judge, err := verify.New(from.model.Skeleton, to.model.Skeleton, joints, verify.Options{
				SourceKnown: verify.Known{Vertices: from.vertices}, TargetKnown: verify.Known{Vertices: to.vertices},
			})
			if err != nil {
				t.Fatal(err)
			}
			clip := from.model.Clips[1+pairs%2] // walk or run
			baked, err := r.Bake(clip)
			if err != nil {
				t.Fatal(err)
			}
			take, err := judge.Measure(clip, verify.Play(to.model.Skeleton, baked))
			if err != nil {
				t.Fatal(err)
			}
			if report := judge.Report([]*verify.Take{take}); !report.Pass {
				t.Errorf("%s: %s onto %s: %v", clip.Name, from.name, to.name, report.Findings)
			}
		}
	}
	if pairs != 12*24 {
		t.Errorf("%d pairs, want every source with every target", pairs)
	}
}

func fingersOf(m *retarget.Map) (n int) {
	for _, p := range m.Pairs {
		for _, name := range []string{"Thumb", "Index", "Middle", "Ring", "Little"} {
			for _, side := range []string{"left", "right"} {
				if len(p.Bone) > len(side+name) && p.Bone[:len(side+name)] == side+name {
					n++
				}
			}
		}
	}
	return n
}
