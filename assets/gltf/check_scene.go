package gltf

import (
	"fmt"
	"math"
	"strings"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// How far from unit a direction or a rotation may be.
const unitTolerance3, unitTolerance4 = 0.00674, 0.00769

func (c *checker) nodes() {
	nodes := c.top("nodes")
	lights := member(member(c.root, "extensions"), "KHR_lights_punctual")
	for _, l := range all(member(lights, "lights")) {
		spot := member(l, "spot")
		outer, ok := number(member(spot, "outerConeAngle"))
		if !ok {
			outer = math.Pi / 4
		}
		if inner, _ := number(member(spot, "innerConeAngle")); spot.kind() == kindObject && outer <= inner {
			c.fault(spot, "khr-lights-punctual-light-spot-angles", "the outer cone of %.4g radians is not wider than the inner one of %.4g", outer, inner)
		}
	}
	c.parents = make([]int32, len(nodes))
	for i := range c.parents {
		c.parents[i] = -1
	}
	for i, v := range nodes {
		for _, e := range all(member(v, "children")) {
			child := ref(e, len(nodes))
			switch {
			case child < 0:
			case c.parents[child] >= 0 && int(c.parents[child]) != i:
				c.fault(e, "node-parent-override", "node %d already is a child of node %d", child, c.parents[child])
				c.parents[child] = int32(i)
			default:
				c.parents[child] = int32(i)
			}
		}
		if light := member(member(v, "extensions"), "KHR_lights_punctual"); light.kind() == kindObject && !lights.exists() {
			c.fault(light, "unsatisfied-dependency", "names a light, of which the file has none")
		}
		matrix := member(v, "matrix")
		if matrix.exists() && (member(v, "translation").exists() || member(v, "rotation").exists() || member(v, "scale").exists()) {
			c.fault(matrix, "node-matrix-trs", "a node has a matrix or translation, rotation and scale, not both")
		}
		if r := all(member(v, "rotation")); len(r) == 4 {
			q := 0.0
			for _, e := range r {
				x, _ := number(e)
				q += x * x
			}
			if math.Abs(math.Sqrt(q)-1) > unitTolerance4 {
				c.fault(member(v, "rotation"), "rotation-non-unit", "the rotation's length is %.4g, not 1", math.Sqrt(q))
			}
		}
		if m := all(matrix); len(m) == 16 {
			c.matrix(matrix, m)
		}
		skin, mesh, weights := member(v, "skin"), member(v, "mesh"), member(v, "weights")
		for key, m := range map[string]value{"skin": skin, "weights": weights} {
			if m.exists() && !mesh.exists() {
				c.fault(m, "unsatisfied-dependency", "%s needs a mesh", key)
			}
		}
		if k := ref(mesh, len(c.top("meshes"))); k >= 0 && weights.kind() == kindArray {
			primitives := all(member(c.top("meshes")[k], "primitives"))
			if len(primitives) > 0 && member(primitives[0], "targets").length() != weights.length() {
				c.fault(weights, "node-weights-invalid", "has %d weights for the mesh's %d morph targets", weights.length(), member(primitives[0], "targets").length())
			}
		}
	}
	// Loops.
	state := make([]int8, len(nodes))
	for i := range nodes {
		k := int32(i)
		for k >= 0 && state[k] == 0 {
			state[k] = 1
			k = c.parents[k]
		}
		if k >= 0 && state[k] == 1 {
			for at := k; ; {
				c.fault(nodes[at], "node-loop", "the node is its own ancestor")
				if at = c.parents[at]; at == k {
					break
				}
			}
		}
		for k := int32(i); k >= 0 && state[k] == 1; k = c.parents[k] {
			state[k] = 2
		}
	}
	for _, sc := range c.top("scenes") {
		for _, e := range all(member(sc, "nodes")) {
			if n := ref(e, len(nodes)); n >= 0 && c.parents[n] >= 0 {
				c.fault(e, "scene-non-root-node", "node %d is a child of node %d, not a root", n, c.parents[n])
			}
		}
	}
}

// matrix checks that translation, rotation and scale make up a matrix.
func (c *checker) matrix(at value, m []value) {
	var x mgl32.Mat4
	for i, e := range m {
		f, _ := number(e)
		x[i] = float32(f)
	}
	t, r, s := x.Decompose()
	again := mgl32.Compose(t, r, s)
	size, off := 0.0, 0.0
	for i := range 16 {
		size = max(size, math.Abs(float64(x[i])))
		off = max(off, math.Abs(float64(x[i]-again[i])))
	}
	var y [12]float64
	for i := range y {
		y[i], _ = number(m[i])
	}
	flat := y[0]*(y[5]*y[10]-y[6]*y[9])-y[1]*(y[4]*y[10]-y[6]*y[8])+y[2]*(y[4]*y[9]-y[5]*y[8]) == 0
	if flat || !(off <= 2e-3*size) || x[3] != 0 || x[7] != 0 || x[11] != 0 || x[15] != 1 {
		c.fault(at, "node-matrix-non-trs", "the matrix is none that translation, rotation and scale make up")
	}
}

func (c *checker) roots(nodes []int) (common bool) {
	root := func(i int) int {
		for n := 0; c.parents[i] >= 0 && n < len(c.parents); n++ {
			i = int(c.parents[i])
		}
		return i
	}
	for _, n := range nodes[min(1, len(nodes)):] {
		if root(n) != root(nodes[0]) {
			return false
		}
	}
	return true
}

func (c *checker) skins() {
	nodes := c.top("nodes")
	var joints [][]int
	for _, v := range c.top("skins") {
		var own []int
		for _, e := range all(member(v, "joints")) {
			if n := ref(e, len(nodes)); n >= 0 {
				own = append(own, n)
			}
		}
		joints = append(joints, own)
		if !c.roots(own) {
			c.fault(member(v, "joints"), "skin-no-common-root", "the joints have no common root")
		}
		if s := ref(member(v, "skeleton"), len(nodes)); s >= 0 {
			for _, n := range own {
				k := n
				for steps := 0; k != s && k >= 0 && steps < len(nodes); steps++ {
					k = int(c.parents[k])
				}
				if k != s {
					c.fault(member(v, "skeleton"), "skin-skeleton-invalid", "node %d is no ancestor of joint %d", s, n)
					break
				}
			}
		}
		at := member(v, "inverseBindMatrices")
		i := ref(at, len(c.l.accessors))
		if i < 0 {
			continue
		}
		a := c.l.accessors[i]
		c.useAccessor(at, i, "inverse bind matrices")
		if a.view >= 0 {
			c.useView(at, int(a.view), "inverse bind matrices")
			if c.l.views[a.view].stride != 0 && member(value{c.l, c.l.views[a.view].token}, "byteStride").exists() {
				c.fault(at, "skin-ibm-accessor-with-bytestride", "the matrices' bufferView %d has a stride", a.view)
			}
		}
		if a.component != f32 || a.elements != 16 || a.normalized {
			c.fault(at, "skin-ibm-invalid-format", "accessor %d holds %s of %d components, not matrices of floats", i, componentName[a.component], a.elements)
			continue
		}
		if a.count < int64(len(own)) {
			c.fault(at, "invalid-ibm-accessor-count", "accessor %d has %d matrices for %d joints", i, a.count, len(own))
		}
		f := c.read(i)
		for k := 0; k+16 <= len(f); k += 16 {
			m := f[k : k+16]
			if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
				c.fault(at, "accessor-invalid-ibm", "matrix %d has the last row %v %v %v %v, not 0 0 0 1", k/16, m[3], m[7], m[11], m[15])
				break
			}
		}
	}
	meshes := c.top("meshes")
	for _, v := range nodes {
		k, m := ref(member(v, "skin"), len(joints)), ref(member(v, "mesh"), len(meshes))
		if k < 0 || m < 0 {
			continue
		}
		most := -1
		for _, p := range all(member(meshes[m], "primitives")) {
			attributes := member(p, "attributes")
			if !member(attributes, "JOINTS_0").exists() {
				c.fault(member(v, "skin"), "node-skin-with-non-skinned-mesh", "mesh %d has a primitive without joints", m)
				break
			}
			for s := range maxSets {
				j := ref(member(attributes, fmt.Sprintf("JOINTS_%d", s)), len(c.l.accessors))
				if j < 0 {
					break
				}
				c.l.accessors[j].normalized = false
				for _, x := range c.read(j) {
					most = max(most, int(x))
				}
			}
		}
		if most >= len(joints[k]) {
			c.fault(member(v, "skin"), "accessor-joints-index-oob", "mesh %d names joint %d of a skin of %d", m, most, len(joints[k]))
		}
	}
	for _, sc := range c.top("scenes") {
		inScene := make([]bool, len(nodes))
		for _, e := range all(member(sc, "nodes")) {
			if n := ref(e, len(nodes)); n >= 0 {
				inScene[n] = true
			}
		}
		under := func(n int) bool {
			for steps := 0; n >= 0 && steps <= len(nodes); steps++ {
				if inScene[n] {
					return true
				}
				n = int(c.parents[n])
			}
			return false
		}
		for i, v := range nodes {
			if k := ref(member(v, "skin"), len(joints)); k >= 0 && under(i) {
				for _, j := range joints[k] {
					if !under(j) {
						c.fault(v, "node-skin-no-scene", "the skinned mesh is in a scene that joint %d is not in", j)
						break
					}
				}
			}
		}
	}
}

func (c *checker) animations() {
	nodes := c.top("nodes")
	for _, v := range c.top("animations") {
		samplers := all(member(v, "samplers"))
		inputs := make([]int64, len(samplers))
		for i, s := range samplers {
			inputs[i] = c.sampler(s)
		}
		seen := map[string]value{}
		for _, ch := range all(member(v, "channels")) {
			target := member(ch, "target")
			node, path := ref(member(target, "node"), len(nodes)), str(member(target, "path"))
			s := ref(member(ch, "sampler"), len(samplers))
			if s < 0 && member(ch, "sampler").kind() == kindNumber {
				c.fault(member(ch, "sampler"), "unresolved-reference", "there is no such sampler; the animation has %d", len(samplers))
			}
			c.pointer(member(member(target, "extensions"), "KHR_animation_pointer"), target, path)
			if s < 0 {
				continue
			}
			if node < 0 {
				if !member(target, "node").exists() {
					c.output(samplers[s], member(ch, "sampler"), path, value{c.l, -1}, inputs[s])
				}
				continue
			}
			key := fmt.Sprint(node, path)
			if first, twice := seen[key]; twice {
				c.fault(first, "animation-duplicate-targets", "moves the %s of node %d, as another channel does", path, node)
			} else {
				seen[key] = target
			}
			if mesh := ref(member(nodes[node], "mesh"), len(c.top("meshes"))); path == "weights" && mesh >= 0 && !c.morphs(mesh) {
				c.fault(target, "animation-channel-target-node-weights-no-morphs", "mesh %d of node %d has no morph targets to weigh", mesh, node)
			}
			if path != "weights" && member(nodes[node], "matrix").exists() {
				c.fault(target, "animation-channel-target-node-matrix", "node %d has a matrix, which no channel can move", node)
			}
			c.output(samplers[s], member(ch, "sampler"), path, nodes[node], inputs[s])
		}
	}
}

// morphs tells whether a mesh has morph targets.
func (c *checker) morphs(mesh int) bool {
	p := all(member(c.top("meshes")[mesh], "primitives"))
	return len(p) > 0 && member(p[0], "targets").length() > 0
}

// sampler checks a sampler's times and returns how many there are.
func (c *checker) sampler(s value) int64 {
	at := member(s, "input")
	i := ref(at, len(c.l.accessors))
	for _, key := range []string{"input", "output"} {
		at := member(s, key)
		k := ref(at, len(c.l.accessors))
		if k < 0 {
			continue
		}
		c.useAccessor(at, k, "an animation's "+key)
		if w := c.l.accessors[k].view; w >= 0 {
			c.useView(at, int(w), "animation")
			if member(value{c.l, c.l.views[w].token}, "byteStride").exists() {
				c.fault(at, "animation-sampler-accessor-with-bytestride", "bufferView %d of accessor %d has a stride", w, k)
			}
		}
	}
	if i < 0 {
		return -1
	}
	a := c.l.accessors[i]
	if a.component != f32 || a.elements != 1 || a.normalized {
		c.fault(at, "animation-sampler-input-accessor-invalid-format", "accessor %d holds %s of %d components, not single floats", i, componentName[a.component], a.elements)
		return a.count
	}
	accessor := value{c.l, a.token}
	if !member(accessor, "min").exists() || !member(accessor, "max").exists() {
		c.fault(at, "animation-sampler-input-accessor-without-bounds", "accessor %d has no min and max", i)
	}
	if str(member(s, "interpolation")) == "CUBICSPLINE" && a.count < 2 {
		c.fault(at, "animation-sampler-input-accessor-too-few-elements", "a cubic spline has 2 keys at least, not %d", a.count)
	}
	f := c.read(i)
	negative := false
	for k, x := range f {
		if x < 0 && !negative {
			negative = true
			c.fault(at, "accessor-animation-input-negative", "key %d is at %v s", k, x)
		}
		if k > 0 && x <= f[k-1] {
			c.fault(at, "accessor-animation-input-non-increasing", "key %d is at %v s, the one before it at %v s", k, x, f[k-1])
			break
		}
	}
	return a.count
}

func (c *checker) output(s, at value, path string, node value, keys int64) {
	i := ref(member(s, "output"), len(c.l.accessors))
	if i < 0 {
		return
	}
	a := c.l.accessors[i]
	want := map[string]uint8{"translation": 3, "rotation": 4, "scale": 3, "weights": 1}[path]
	if want == 0 {
		return
	}
	integers := (path == "rotation" || path == "weights") && a.normalized && a.component != u32
	if a.elements != want || a.component != f32 && !integers {
		c.fault(at, "animation-sampler-output-accessor-invalid-format", "accessor %d holds %s of %d components, which is no %s", i, componentName[a.component], a.elements, path)
		return
	}
	spline := str(member(s, "interpolation")) == "CUBICSPLINE"
	n := keys
	if spline {
		n *= 3
	}
	if path == "weights" && !node.exists() {
		return
	}
	if path == "weights" {
		targets := 0
		meshes := c.top("meshes")
		if m := ref(member(node, "mesh"), len(meshes)); m >= 0 {
			if p := all(member(meshes[m], "primitives")); len(p) > 0 {
				targets = member(p[0], "targets").length()
			}
		}
		n *= int64(targets)
	}
	if keys >= 0 && n != a.count {
		c.fault(at, "animation-sampler-output-accessor-invalid-count", "accessor %d has %d elements where %d keys need %d", i, a.count, keys, n)
		return
	}
	if path != "rotation" || c.fed[i] {
		return
	}
	c.fed[i] = true
	f := c.read(i)
	for k := 0; k+4 <= len(f); k += 4 {
		if spline && k/4%3 != 1 {
			continue
		}
		q := 0.0
		for _, x := range f[k : k+4] {
			q += float64(x) * float64(x)
		}
		if math.Abs(math.Sqrt(q)-1) > unitTolerance4 {
			c.fault(at, "accessor-animation-sampler-output-non-normalized-quaternion", "rotation %d of accessor %d has length %.4g, not 1", k/4, i, math.Sqrt(q))
			return
		}
	}
}

// custom tells of an attribute's name that an application made up.
func custom(name string) bool { return strings.HasPrefix(name, "_") }
