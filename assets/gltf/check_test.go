package gltf_test

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
)

// checkModel checks what package assets promises of every model.
func checkModel(t testing.TB, name string, m *assets.Model) {
	t.Helper()
	must := func(ok bool, what string, args ...any) {
		t.Helper()
		if !ok {
			t.Errorf(name+": "+what, args...)
		}
	}
	s := m.Skeleton
	n := s.Len()
	must(len(s.Names) == n && len(s.Rest) == n && len(m.Nodes) == n, "the skeleton's lists differ in length")
	for j, p := range s.Parents {
		must(p >= -1 && int(p) < j, "joint %d has parent %d", j, p)
		q := s.Rest[j].Rotation.Len()
		must(math.Abs(float64(q)-1) < 1e-4, "joint %d has a rotation of length %v", j, q)
	}
	within := func(i int32, n int) bool { return i >= -1 && int(i) < n }
	for j, node := range m.Nodes {
		must(within(node.Mesh, len(m.Meshes)) && within(node.Skin, len(m.Skins)) &&
			within(node.Camera, len(m.Cameras)) && within(node.Light, len(m.Lights)), "node %d refers to what is not there", j)
	}
	must(m.Scene >= -1 && m.Scene < len(m.Scenes), "scene %d", m.Scene)
	targetsOf := make([]int, len(m.Meshes))
	for i, mesh := range m.Meshes {
		targetsOf[i] = len(mesh.Weights)
		for k, p := range mesh.Primitives {
			v := len(p.Positions)
			must(v > 0, "mesh %d primitive %d is empty", i, k)
			must(within(p.Material, len(m.Materials)), "mesh %d primitive %d has material %d", i, k, p.Material)
			as := func(l int) bool { return l == 0 || l == v }
			must(as(len(p.Normals)) && as(len(p.Tangents)) && as(len(p.Colors)), "mesh %d primitive %d: attributes differ in length", i, k)
			for _, uv := range p.UV {
				must(as(len(uv)), "mesh %d primitive %d: UV differ in length", i, k)
			}
			must(len(p.Joints) == len(p.Weights), "mesh %d primitive %d: joints without weights", i, k)
			for s := range p.Joints {
				must(len(p.Joints[s]) == v && len(p.Weights[s]) == v, "mesh %d primitive %d: joints differ in length", i, k)
			}
			for _, x := range p.Indices {
				if int(x) >= v {
					t.Errorf("%s: mesh %d primitive %d: index %d of %d", name, i, k, x, v)
					break
				}
			}
			for _, normal := range p.Normals {
				if l := normal.Len(); math.Abs(float64(l)-1) > 1e-3 {
					t.Errorf("%s: mesh %d primitive %d: a normal of length %v", name, i, k, l)
					break
				}
			}
			must(len(p.Targets) == len(mesh.Weights), "mesh %d primitive %d has %d targets, %d weights", i, k, len(p.Targets), len(mesh.Weights))
			for _, target := range p.Targets {
				must(as(len(target.Positions)) && as(len(target.Normals)) && as(len(target.Tangents)), "mesh %d primitive %d: targets differ in length", i, k)
			}
		}
	}
	for i, k := range m.Skins {
		must(len(k.Joints) > 0 && len(k.Joints) == len(k.InverseBind), "skin %d has %d joints, %d matrices", i, len(k.Joints), len(k.InverseBind))
		for _, j := range k.Joints {
			must(j >= 0 && int(j) < n, "skin %d names joint %d", i, j)
		}
	}
	for j, node := range m.Nodes {
		if node.Skin < 0 || node.Mesh < 0 {
			continue
		}
		for _, p := range m.Meshes[node.Mesh].Primitives {
			for _, set := range p.Joints {
				for _, e := range set {
					for _, slot := range e {
						if int(slot) >= len(m.Skins[node.Skin].Joints) {
							t.Fatalf("%s: node %d: a vertex is bound to slot %d", name, j, slot)
						}
					}
				}
			}
		}
	}
	if s.MorphWeights != nil {
		must(len(s.MorphOffset) == n+1, "%d morph offsets of %d joints", len(s.MorphOffset), n)
	}
	for i, c := range m.Clips {
		for k, track := range c.Tracks {
			want := len(track.Times) * track.Width
			if track.Interpolation == animation.CubicSpline {
				want *= 3
			}
			must(track.Joint >= 0 && int(track.Joint) < n && len(track.Times) > 0 && len(track.Values) == want && track.Width > 0,
				"clip %d track %d: %d times, %d values, width %d", i, k, len(track.Times), len(track.Values), track.Width)
			if track.Path == animation.Weights {
				must(track.Width == targetsOf[m.Nodes[track.Joint].Mesh], "clip %d track %d: width %d", i, k, track.Width)
			}
			if k > 0 {
				o := c.Tracks[k-1]
				must(o.Joint < track.Joint || o.Joint == track.Joint && o.Path < track.Path, "clip %d track %d is out of order", i, k)
			}
			for x := 1; x < len(track.Times); x++ {
				must(track.Times[x] > track.Times[x-1], "clip %d track %d: times fall", i, k)
			}
			must(track.Times[len(track.Times)-1] <= c.Duration, "clip %d is too short", i)
		}
	}
	for i, texture := range m.Textures {
		must(within(texture.Image, len(m.Images)), "texture %d has image %d", i, texture.Image)
	}
	for i, mat := range m.Materials {
		for _, r := range []assets.TextureRef{mat.BaseColorMap, mat.MetalRoughMap, mat.NormalMap, mat.OcclusionMap, mat.EmissiveMap} {
			must(within(r.Texture, len(m.Textures)), "material %d has texture %d", i, r.Texture)
		}
	}
}
