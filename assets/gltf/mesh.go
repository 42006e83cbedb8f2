package gltf

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// meshFit is what a node must bring along to carry a mesh.
type meshFit struct {
	targets  int
	most     int32 // the largest joint that a vertex is bound to; -1 for none
	jointsAt int   // token of the JOINTS_n that names it
}

// maxSets bounds the numbers behind TEXCOORD_, JOINTS_ and WEIGHTS_.
const maxSets = 16

func (l *loader) meshes() {
	list, n := l.list("meshes", 96)
	l.m.Meshes = make([]assets.Mesh, n)
	l.meshFits = make([]meshFit, n)
	l.summed = map[*[4]float32]bool{}
	l.floatRuns = make([]floatRun, 0, len(l.accessors)) // each is read at most once, or hardly more
	l.jointRuns = map[jointKey]*jointRun{}
	l.indexRuns = map[indexKey]*indexRun{}
	for i, v := range list.elements() {
		l.mesh(v, &l.m.Meshes[i], &l.meshFits[i])
	}
}

func (l *loader) mesh(v value, mesh *assets.Mesh, fit *meshFit) {
	mesh.Name = v.get("name").text()
	primitives := v.need("primitives")
	if l.err != nil || !l.charge(primitives, int64(primitives.length())*300) {
		return
	}
	mesh.Primitives = make([]assets.Primitive, 0, primitives.length())
	fit.most = -1
	names := v.get("extras")
	if names.kind() != kindObject {
		names = value{l, -1}
	}
	names = names.get("targetNames")
	for k, pv := range primitives.elements() {
		targets := pv.get("targets")
		if k == 0 {
			fit.targets = targets.length()
		} else if targets.length() != fit.targets {
			l.fail(pv, "has %d morph targets, but the mesh's first primitive has %d", targets.length(), fit.targets)
			return
		}
		if !names.exists() && pv.get("extras").kind() == kindObject {
			names = pv.get("extras").get("targetNames")
		}
		if p, ok := l.primitive(pv, fit); ok {
			mesh.Primitives = append(mesh.Primitives, p)
		}
	}
	if fit.targets == 0 || !l.charge(v, int64(fit.targets)*4) {
		return
	}
	mesh.Weights = make([]float32, fit.targets)
	v.get("weights").floats(mesh.Weights)
	if names.kind() == kindArray {
		for t, name := range names.elements() {
			if t >= fit.targets || name.kind() != kindString {
				break
			}
			text := name.text()
			for k := range mesh.Primitives {
				mesh.Primitives[k].Targets[t].Name = text
			}
		}
	}
}

// primitive reads one primitive. ok is false where there is nothing to draw.
func (l *loader) primitive(v value, fit *meshFit) (p assets.Primitive, ok bool) {
	p.Material = v.get("material").index(len(l.m.Materials), "materials")
	mode := v.get("mode").integer(4)
	if mode > 6 {
		l.fail(v.get("mode"), "%d is no primitive mode", mode)
		return p, false
	}
	attributes := v.get("attributes")
	position := attributes.get("POSITION")
	if l.err != nil {
		return p, false
	}
	if !position.exists() {
		l.warn(v, "has no positions and was left out")
		return p, false
	}
	i := position.index(l.fileAccessors, "accessors")
	if l.err != nil {
		return p, false
	}
	var unpacked map[string]int32
	if l.accessors[i].view < 0 { // what has a fallback is read from it
		if ext := v.get("extensions").get("KHR_draco_mesh_compression"); ext.exists() {
			if unpacked = l.unpackPrimitive(ext, v); l.err != nil {
				return p, false
			}
			mode = modeTriangles // as which strips come out
		}
	}
	i = instead(unpacked, "POSITION", i)
	p.Positions = vec3s(l.floats(position, i, 3, 3, plain))
	n := len(p.Positions)
	if l.err == nil && n == 0 {
		l.warn(v, "has no vertices and was left out")
		return p, false
	}
	l.attributes(attributes, unpacked, &p, fit)
	l.targets(v.get("targets"), &p)
	l.indices(v, unpacked, &p, int32(mode))
	return p, l.err == nil
}

// instead is the accessor that holds what was unpacked for an attribute, or the
// file's own.
func instead(unpacked map[string]int32, name string, i int32) int32 {
	if k, ok := unpacked[name]; ok {
		return k
	}
	return i
}

// set is the number behind an attribute's name, as in TEXCOORD_1; -1 where the
// name is another.
func set(key, prefix string) int {
	if len(key) <= len(prefix) || key[:len(prefix)] != prefix {
		return -1
	}
	n := 0
	for _, c := range key[len(prefix):] {
		if c < '0' || c > '9' || n > 1<<20 {
			return -1
		}
		n = 10*n + int(c-'0')
	}
	return n
}

func (l *loader) attributes(attributes value, unpacked map[string]int32, p *assets.Primitive, fit *meshFit) {
	n := len(p.Positions)
	var joints, weights [maxSets]value
	for k := range joints {
		joints[k].i, weights[k].i = -1, -1
	}
	for key, at := range attributes.members() {
		i := at.index(l.fileAccessors, "accessors")
		if l.err != nil {
			return
		}
		i = instead(unpacked, key, i)
		read := func(least, width int, how use) []float32 {
			f := l.floats(at, i, least, width, how)
			l.sameCount(at, i, len(f)/width, n)
			return f
		}
		switch {
		case key == "POSITION":
		case key == "NORMAL":
			p.Normals = vec3s(read(3, 3, unit))
		case key == "TANGENT":
			p.Tangents = vec4s(read(4, 4, unit))
		case key == "COLOR_0":
			p.Colors = vec4s(read(3, 4, fraction))
		case set(key, "COLOR_") > 0 && set(key, "COLOR_") < maxSets:
			s := set(key, "COLOR_") - 1
			for len(p.MoreColors) <= s {
				p.MoreColors = append(p.MoreColors, nil)
			}
			p.MoreColors[s] = vec4s(read(3, 4, fraction))
		case set(key, "TEXCOORD_") >= 0 && set(key, "TEXCOORD_") < maxSets:
			s := set(key, "TEXCOORD_")
			for len(p.UV) <= s {
				p.UV = append(p.UV, nil)
			}
			p.UV[s] = vec2s(read(2, 2, directions))
		case set(key, "JOINTS_") >= 0 && set(key, "JOINTS_") < maxSets:
			joints[set(key, "JOINTS_")] = at
		case set(key, "WEIGHTS_") >= 0 && set(key, "WEIGHTS_") < maxSets:
			weights[set(key, "WEIGHTS_")] = at
		}
	}
	for s := range joints {
		j, w := joints[s], weights[s]
		if !j.exists() && !w.exists() {
			continue
		}
		if !j.exists() || !w.exists() {
			at := j
			if !at.exists() {
				at = w
			}
			l.warn(at, "JOINTS_%d and WEIGHTS_%d belong together; the lone one was ignored", s, s)
			continue
		}
		run := l.influences(j, w, jointKey{
			instead(unpacked, "JOINTS_"+itoa(int64(s)), j.index(l.fileAccessors, "accessors")),
			instead(unpacked, "WEIGHTS_"+itoa(int64(s)), w.index(l.fileAccessors, "accessors")),
		}, n)
		if l.err != nil {
			return
		}
		p.Joints = append(p.Joints, run.joints)
		p.Weights = append(p.Weights, run.weights)
		if run.most > fit.most {
			fit.most, fit.jointsAt = run.most, j.i
		}
	}
	if n := 4 * len(p.Joints); n > assets.MaxInfluences {
		l.warn(attributes, "%d influences a vertex; when drawn, the strongest %d are kept and scaled up", n, assets.MaxInfluences)
	}
	l.checkSums(attributes, p)
}

func (l *loader) sameCount(at value, i int32, have, want int) {
	if have != want {
		l.fail(at, "accessor %d has %d elements, but POSITION has %d", i, have, want)
	}
}

// jointKey is a pair of accessors, JOINTS_n and WEIGHTS_n.
type jointKey struct{ joints, weights int32 }

type jointRun struct {
	joints  [][4]uint16
	weights [][4]float32
	most    int32 // the largest joint of any weight above 0; -1 for none
}

// influences reads one set of joints and weights. A joint whose weight is 0 says
// nothing (glTF 2.0 §3.7.3.3) and becomes 0, so that it cannot be out of range.
func (l *loader) influences(j, w value, key jointKey, n int) *jointRun {
	if l.err != nil {
		return nil
	}
	if run, ok := l.jointRuns[key]; ok {
		l.sameCount(j, key.joints, len(run.joints), n)
		return run
	}
	weights := l.floats(w, key.weights, 4, 4, fraction)
	l.sameCount(w, key.weights, len(weights)/4, n)
	p, ok := l.open(j, key.joints)
	if !ok {
		return nil
	}
	if p.elements != 4 || p.component != u8 && p.component != u16 && p.component != u32 {
		l.fail(j, "accessor %d holds %s of %d components; joints are unsigned and four", key.joints, componentName[p.component], p.elements)
		return nil
	}
	l.sameCount(j, key.joints, p.count, n)
	if !l.charge(j, int64(n)*8) {
		return nil
	}
	run := &jointRun{weights: vec4Weights(weights)}
	l.jointRuns[key] = run
	if in, ok := p.jointsInPlace(n); ok {
		if run.most, ok = areSettled(in, run.weights); ok {
			run.joints = in
			return run
		}
	}
	run.joints = make([][4]uint16, n)
	if p.data != nil {
		p.joints(run.joints, p.data, p.stride)
	}
	for k := range p.sparseCount {
		x := p.replaced(k)
		p.joints(run.joints[x:x+1], p.sparse[k*len(p.sparse)/p.sparseCount:], 0)
	}
	run.most = settleJoints(run.joints, run.weights)
	return run
}

// jointsInPlace is the accessor's joints where they lie in the file, if they lie
// there as they do in memory. They must not be written to.
func (p *packed) jointsInPlace(n int) (joints [][4]uint16, ok bool) {
	if p.component != u16 || p.stride != 8 || p.sparseCount > 0 || len(p.data) < 8*n || n == 0 || !littleEndian {
		return nil, false
	}
	at := unsafe.Pointer(unsafe.SliceData(p.data))
	if uintptr(at)%unsafe.Alignof(uint16(0)) != 0 {
		return nil, false
	}
	return unsafe.Slice((*[4]uint16)(at), n), true
}

// joints reads an element for each of out.
func (p *packed) joints(out [][4]uint16, src []byte, stride int) {
	switch p.component {
	case u8:
		for k := range out {
			e := src[k*stride:][:4]
			out[k] = [4]uint16{uint16(e[0]), uint16(e[1]), uint16(e[2]), uint16(e[3])}
		}
	case u16:
		for k := range out {
			x := binary.LittleEndian.Uint64(src[k*stride:])
			out[k] = [4]uint16{uint16(x), uint16(x >> 16), uint16(x >> 32), uint16(x >> 48)}
		}
	case u32: // not of the standard, but seen
		for k := range out {
			for c := range 4 {
				x := binary.LittleEndian.Uint32(src[k*stride+4*c:])
				out[k][c] = uint16(min(x, math.MaxUint16))
			}
		}
	}
}

// checkSums warns of weights that do not sum to 1; they are used as they are.
func (l *loader) checkSums(at value, p *assets.Primitive) {
	if l.err != nil || len(p.Weights) == 0 || l.summed[&p.Weights[0][0]] {
		return
	}
	l.summed[&p.Weights[0][0]] = true
	bad, worst := 0, float32(1)
	first, others := p.Weights[0][:len(p.Positions)], p.Weights[1:]
	for k := range first {
		w := &first[k]
		sum := w[0] + w[1] + w[2] + w[3]
		for _, set := range others {
			sum += set[k][0] + set[k][1] + set[k][2] + set[k][3]
		}
		if off := sum - 1; off > 1e-3 || off < -1e-3 {
			off = float32(math.Abs(float64(off)))
			bad++
			if off > float32(math.Abs(float64(worst-1))) {
				worst = sum
			}
		}
	}
	if bad > 0 {
		l.warn(at, "the weights of %d of %d vertices do not sum to 1 (%.4g at worst)", bad, len(p.Positions), worst)
	}
}

func (l *loader) targets(list value, p *assets.Primitive) {
	if !list.exists() || l.err != nil || !l.charge(list, int64(list.length())*96) {
		return
	}
	n := len(p.Positions)
	p.Targets = make([]assets.Target, list.length())
	for t, v := range list.elements() {
		for key, at := range v.members() {
			if key != "POSITION" && key != "NORMAL" && key != "TANGENT" {
				continue
			}
			i := at.index(l.fileAccessors, "accessors")
			if l.err != nil {
				return
			}
			if a := l.accessors[i]; a.view < 0 && a.sparse < 0 && a.count == int64(n) {
				continue // all zeros: no difference
			}
			f := l.floats(at, i, 3, 3, directions)
			l.sameCount(at, i, len(f)/3, n)
			switch key {
			case "POSITION":
				p.Targets[t].Positions = vec3s(f)
			case "NORMAL":
				p.Targets[t].Normals = vec3s(f)
			case "TANGENT":
				p.Targets[t].Tangents = vec3s(f)
			}
		}
	}
}

// unitise makes the xyz of each element unit, and w a sign.
func (l *loader) unitise(at value, i int32, f []float32, width int, exact bool) {
	bad := 0
	for k := 0; k+width <= len(f); k += width {
		e := (*mgl32.Vec3)(f[k:])
		q := e.LenSqr()
		if off := q - 1; off > 1e-3 || off < -1e-3 || q != q {
			bad++
		}
		switch {
		case q == 1:
		case q > 1e-20 && q < 1e20:
			*e = e.Mul(1 / float32(math.Sqrt(float64(q))))
		default: // float32 cannot square it
			n := math.Hypot(float64(e[0]), math.Hypot(float64(e[1]), float64(e[2])))
			if n == 0 {
				*e = mgl32.Vec3{0, 1, 0}
				break
			}
			for c := range e {
				e[c] = float32(float64(e[c]) / n)
			}
		}
		if width == 4 {
			if f[k+3] < 0 {
				f[k+3] = -1
			} else {
				f[k+3] = 1
			}
		}
	}
	if exact {
		l.tellNotUnit(at, i, bad)
	}
}

func (l *loader) tellNotUnit(at value, i int32, bad int) {
	if bad > 0 {
		l.warn(at, "%d directions of accessor %d are not of length 1; they were made so", bad, i)
	}
}
