package doctor

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Check judges a model. Budget's zero value has no limits.
func Check(m *assets.Model, budget Budget) Report {
	x := &examination{m: m, report: Report{File: m.Path, Findings: []Finding{}}}
	x.rest = animation.NewPose(m.Skeleton)
	x.world = make([]mgl32.Mat4, m.Skeleton.Len())
	x.rest.ToModel(m.Skeleton, x.world)
	for _, step := range []func(){
		x.box,       // is it the size of what it is
		x.parts,     // each part against the whole
		x.weights,   // sum, none, negative, too many
		x.joints,    // duplicates, unused, outside, scale
		x.tracks,    // what moves nothing
		x.binds,     // now that world matrices are updated
		x.poses,     // what the file itself says twice
		x.clips,     // the box in motion
		x.triangles, // degenerate, non-manifold
		x.pictures,  // missing
	} {
		step()
	}
	x.budgets(budget)
	return x.report
}

// examination is one model on the table.
type examination struct {
	m      *assets.Model
	report Report
	rest   *animation.Pose
	world  []mgl32.Mat4 // of the rest pose, by joint

	bounds  assets.Bounds // of the rest pose
	skinned bool
	person  bool
}

func (x *examination) find(code string, level Level, where, fix string, measured Figures, message string, args ...any) *Finding {
	x.report.add(Finding{Code: code, Level: level, Where: where, Message: fmt.Sprintf(message, args...), Measured: measured, Fix: fix})
	return &x.report.Findings[len(x.report.Findings)-1]
}

// named is a place with the name that people know it by.
func named(where, name string) string {
	if name == "" {
		return where
	}
	return fmt.Sprintf("%s %q", where, name)
}

func (x *examination) nodeName(n int) string {
	source := x.m.Nodes[n].Source
	if source < 0 { // a joint that the loader added
		source = int32(n)
	}
	return named(fmt.Sprintf("nodes[%d]", source), x.m.Skeleton.Names[n])
}

func (x *examination) meshName(i int) string {
	return named(fmt.Sprintf("meshes[%d]", i), x.m.Meshes[i].Name)
}

func (x *examination) skinName(i int) string {
	return named(fmt.Sprintf("skins[%d]", i), x.m.Skins[i].Name)
}

// drawn ranges over the nodes of the default scene that carry a mesh.
func (x *examination) drawn(do func(n int, mesh *assets.Mesh)) {
	for n := range x.m.Nodes {
		node := &x.m.Nodes[n]
		if node.Mesh >= 0 && (x.m.Scene < 0 || node.InScene) {
			do(n, &x.m.Meshes[node.Mesh])
		}
	}
}

// offIdentity is the largest element of m - 1.
func offIdentity(m mgl32.Mat4) float64 {
	one, off := mgl32.Ident4(), 0.0
	for i := range m {
		d := math.Abs(float64(m[i]) - float64(one[i]))
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		off = max(off, d)
	}
	return off
}

// round keeps figures readable: six digits.
func round(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		if v != 0 {
			return math.MaxFloat32 // JSON has no infinity
		}
		return 0
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

func size(b assets.Bounds) mgl32.Vec3 { return b.Max.Sub(b.Min) }

// dimensions are width, height and depth as people write them.
func dimensions(v mgl32.Vec3) string {
	return fmt.Sprintf("%.3g × %.3g × %.3g m", v[0], v[1], v[2])
}

func vec(v mgl32.Vec3) [3]float64 {
	return [3]float64{round(float64(v[0])), round(float64(v[1])), round(float64(v[2]))}
}
