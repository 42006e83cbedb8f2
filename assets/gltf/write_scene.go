package gltf

import (
	"math"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func (g *writer) skins() {
	out := make([]obj, len(g.m.Skins))
	for i := range g.m.Skins {
		k := &g.m.Skins[i]
		bind := slices.Clone(k.InverseBind)
		for j := range bind { // an affine matrix's last row is exact
			bind[j][3], bind[j][7], bind[j][11], bind[j][15] = 0, 0, 0, 1
		}
		out[i] = named(obj{"joints": k.Joints, "inverseBindMatrices": g.floats(flat(bind), 16, 0, false)}, k.Name)
	}
	list(g, "skins", out)
}

func (g *writer) nodes() {
	s := g.m.Skeleton
	children := make([][]int, s.Len())
	for j, p := range s.Parents {
		if p >= 0 {
			children[p] = append(children[p], j)
		}
	}
	out := make([]obj, s.Len())
	for j := range out {
		o := named(obj{}, s.Names[j])
		if len(children[j]) > 0 {
			o["children"] = children[j]
		}
		if m, ok := s.RestMatrix[int32(j)]; ok && !g.moved[int32(j)] {
			o["matrix"] = m
		} else {
			transform(o, s.Rest[j])
		}
		node := g.m.Nodes[j]
		extensions := obj{}
		if node.Mesh >= 0 && g.meshAt[node.Mesh] >= 0 {
			o["mesh"] = g.meshAt[node.Mesh]
			if node.Skin >= 0 && g.skinned[node.Mesh] {
				o["skin"] = node.Skin
			}
			if s.MorphOffset != nil {
				own := s.MorphWeights[s.MorphOffset[j]:s.MorphOffset[j+1]]
				if len(own) > 0 && !slices.Equal(own, g.m.Meshes[node.Mesh].Weights) {
					o["weights"] = own
				}
			}
		}
		if node.Camera >= 0 {
			o["camera"] = node.Camera
		}
		if node.Light >= 0 {
			extensions["KHR_lights_punctual"] = obj{"light": node.Light}
		}
		for name, e := range g.extended.NodeExtensions[j] {
			extensions[name] = e
		}
		if len(extensions) > 0 {
			o["extensions"] = extensions
		}
		out[j] = o
	}
	if g.root1 = g.scattered(); g.root1 {
		var roots []int
		for j, p := range s.Parents {
			if p < 0 {
				roots = append(roots, j)
			}
		}
		out = append(out, obj{"name": "root", "children": roots})
	}
	list(g, "nodes", out)
}

// scattered tells whether a skin's joints are under several roots, which glTF
// forbids (§3.7.3.2). They then get a node above them, last in the file. Where
// several scenes share out the roots, that cannot be.
func (g *writer) scattered() bool {
	s := g.m.Skeleton
	root := func(j int32) int32 {
		for s.Parents[j] >= 0 {
			j = s.Parents[j]
		}
		return j
	}
	if len(g.m.Scenes) > 1 {
		return false
	}
	for i := range g.m.Skins {
		joints := g.m.Skins[i].Joints
		for _, j := range joints {
			if root(j) != root(joints[0]) {
				return true
			}
		}
	}
	return false
}

func transform(o obj, t animation.Transform) {
	if t.Translation != (mgl32.Vec3{}) {
		o["translation"] = t.Translation
	}
	if t.Rotation != mgl32.QuatIdent() {
		o["rotation"] = t.Rotation.XYZW()
	}
	if t.Scale != (mgl32.Vec3{1, 1, 1}) {
		o["scale"] = t.Scale
	}
}

func (g *writer) scenes() {
	out := make([]obj, len(g.m.Scenes))
	for i, sc := range g.m.Scenes {
		out[i] = named(obj{}, sc.Name)
		if g.root1 {
			out[i]["nodes"] = []int{g.m.Skeleton.Len()}
		} else if len(sc.Roots) > 0 {
			out[i]["nodes"] = sc.Roots
		}
	}
	list(g, "scenes", out)
	if g.m.Scene >= 0 {
		g.root["scene"] = g.m.Scene
	}
}

func (g *writer) cameras() {
	out := make([]obj, len(g.m.Cameras))
	for i, c := range g.m.Cameras {
		lens := obj{"znear": c.Near}
		if c.Far != 0 || c.Orthographic {
			lens["zfar"] = c.Far
		}
		kind := "perspective"
		if c.Orthographic {
			kind = "orthographic"
			lens["xmag"], lens["ymag"] = c.XMag, c.YMag
		} else {
			lens["yfov"] = c.YFov
			if c.Aspect != 0 {
				lens["aspectRatio"] = c.Aspect
			}
		}
		out[i] = named(obj{"type": kind, kind: lens}, c.Name)
	}
	list(g, "cameras", out)
	if len(g.m.Lights) == 0 {
		return
	}
	lights := make([]obj, len(g.m.Lights))
	for i, light := range g.m.Lights {
		o := named(obj{"color": light.Color, "intensity": light.Intensity}, light.Name)
		o["type"] = [...]string{assets.Directional: "directional", assets.Point: "point", assets.Spot: "spot"}[light.Kind]
		if light.Range > 0 && light.Kind != assets.Directional {
			o["range"] = light.Range
		}
		if light.Kind == assets.Spot {
			o["spot"] = obj{"innerConeAngle": light.InnerCone, "outerConeAngle": min(light.OuterCone, math.Nextafter32(math.Pi/2, 0))}
		}
		lights[i] = o
	}
	g.root["extensions"] = obj{"KHR_lights_punctual": obj{"lights": lights}}
	g.used["KHR_lights_punctual"] = true
}

func (g *writer) animations() {
	var out []obj
	g.moved = map[int32]bool{}
	for _, clip := range g.m.Clips {
		var samplers, channels []obj
		for _, t := range clip.Tracks {
			if t.Path == animation.Weights {
				if m := g.m.Nodes[t.Joint].Mesh; m < 0 || g.meshAt[m] < 0 {
					continue
				}
			}
			mode, values := t.Interpolation, t.Values
			if mode == animation.CubicSpline && len(t.Times) < 2 { // a curve has two ends
				mode, values = animation.Step, values[t.Width:2*t.Width]
			}
			if t.Path == animation.Rotation && mode != animation.CubicSpline {
				values = unitRotations(values)
			}
			width := t.Width
			if t.Path == animation.Weights {
				width = 1
			}
			s := obj{
				"input":  once(g, t.Times, "times", func() int { return g.floats(t.Times, 1, 0, true) }),
				"output": once(g, values, "values", func() int { return g.floats(values, width, 0, false) }),
			}
			if mode != animation.Linear {
				s["interpolation"] = [...]string{animation.Step: "STEP", animation.CubicSpline: "CUBICSPLINE"}[mode]
			}
			channels = append(channels, obj{"sampler": len(samplers), "target": obj{
				"node": t.Joint,
				"path": [...]string{"translation", "rotation", "scale", "weights"}[t.Path],
			}})
			samplers = append(samplers, s)
			g.moved[t.Joint] = g.moved[t.Joint] || t.Path != animation.Weights
		}
		for i := range clip.Properties {
			t := &clip.Properties[i]
			pointer := g.pointer(t)
			if pointer == "" {
				continue
			}
			s := obj{
				"input":  once(g, t.Times, "times", func() int { return g.floats(t.Times, 1, 0, true) }),
				"output": once(g, t.Values, "values", func() int { return g.floats(t.Values, t.Width, 0, false) }),
			}
			if t.Interpolation != animation.Linear {
				s["interpolation"] = [...]string{animation.Step: "STEP", animation.CubicSpline: "CUBICSPLINE"}[t.Interpolation]
			}
			target := obj{"path": "pointer"}
			target["extensions"] = obj{"KHR_animation_pointer": obj{"pointer": pointer}}
			g.used["KHR_animation_pointer"] = true
			channels = append(channels, obj{"sampler": len(samplers), "target": target})
			samplers = append(samplers, s)
		}
		if len(channels) == 0 {
			continue
		}
		o := named(obj{"samplers": samplers, "channels": channels}, clip.Name)
		if clip.Speed != 0 {
			o["extras"] = obj{"speed_m_s": clip.Speed}
		}
		out = append(out, o)
	}
	list(g, "animations", out)
}

// unitRotations makes quaternions unit where they are further off than the
// rounding to three digits that some files have, which changes what lies between
// keys.
func unitRotations(values []float32) []float32 {
	copied := false
	for k := 0; k+4 <= len(values); k += 4 {
		q := 0.0
		for _, x := range values[k : k+4] {
			q += float64(x) * float64(x)
		}
		if math.Abs(q-1) < 2e-3 || q == 0 || math.IsInf(q, 0) || math.IsNaN(q) {
			continue
		}
		if !copied {
			copied, values = true, slices.Clone(values)
		}
		for c := range 4 {
			values[k+c] = float32(float64(values[k+c]) / math.Sqrt(q))
		}
	}
	return values
}
