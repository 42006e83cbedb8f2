package gltf

import "github.com/bindpose/bindpose/assets"

// Primitive modes (glTF 2.0 §3.7.2.1).
const (
	modePoints = iota
	modeLines
	modeLineLoop
	modeLineStrip
	modeTriangles
	modeTriangleStrip
	modeTriangleFan
)

// indices reads a primitive's indices and turns loops, strips and fans into
// lines and triangles.
func (l *loader) indices(v value, unpacked map[string]int32, p *assets.Primitive, mode int32) {
	p.Topology = [...]assets.Topology{
		assets.Points, assets.Lines, assets.Lines, assets.Lines,
		assets.Triangles, assets.Triangles, assets.Triangles,
	}[mode]
	n := len(p.Positions)
	at := v.get("indices")
	if l.err != nil {
		return
	}
	if !at.exists() {
		switch mode {
		case modePoints, modeLines, modeTriangles:
			if rest := n % verticesOf(p.Topology); rest != 0 {
				l.warn(v, "has %d vertices more than whole lines or triangles need", rest)
			}
			return
		}
		if !l.charge(v, int64(n)*4) {
			return
		}
		order := make([]uint32, n)
		for k := range order {
			order[k] = uint32(k)
		}
		p.Indices = l.unroll(v, order, mode)
		return
	}
	i := at.index(l.fileAccessors, "accessors")
	if l.err != nil {
		return
	}
	i = instead(unpacked, "indices", i)
	key := indexKey{i, mode}
	run := l.indexRuns[key]
	if run == nil {
		run = &indexRun{}
		if run.indices, run.most = l.wholes(at, i); l.err != nil {
			return
		}
		run.indices = l.unroll(v, run.indices, mode)
		run.rest = len(run.indices) % verticesOf(p.Topology)
		run.indices = run.indices[:len(run.indices)-run.rest]
		l.indexRuns[key] = run
	}
	if run.rest != 0 {
		l.warn(at, "has %d indices more than whole lines or triangles need; they were left out", run.rest)
	}
	if int64(run.most) >= int64(n) {
		l.fail(at, "accessor %d names vertex %d, but the primitive has %d vertices", i, run.most, n)
		return
	}
	p.Indices = run.indices
}

func verticesOf(t assets.Topology) int {
	switch t {
	case assets.Triangles:
		return 3
	case assets.Lines:
		return 2
	}
	return 1
}

// unroll turns a loop, strip or fan into lines or triangles that face the same
// way (glTF 2.0 §3.7.2.1). Other modes are returned as they are.
func (l *loader) unroll(at value, in []uint32, mode int32) []uint32 {
	n := len(in)
	want := 0
	switch mode {
	case modeLineLoop:
		want = 2 * n
	case modeLineStrip:
		want = 2 * (n - 1)
	case modeTriangleStrip, modeTriangleFan:
		want = 3 * (n - 2)
	default:
		return in
	}
	if n < 2 || want <= 0 {
		return []uint32{}
	}
	if !l.charge(at, int64(want)*4) {
		return nil
	}
	out := make([]uint32, 0, want)
	switch mode {
	case modeLineLoop, modeLineStrip:
		for k := range n - 1 {
			out = append(out, in[k], in[k+1])
		}
		if mode == modeLineLoop {
			out = append(out, in[n-1], in[0])
		}
	case modeTriangleStrip:
		for k := range n - 2 {
			out = append(out, in[k], in[k+1+k%2], in[k+2-k%2])
		}
	case modeTriangleFan:
		for k := range n - 2 {
			out = append(out, in[k+1], in[k+2], in[0])
		}
	}
	return out
}
