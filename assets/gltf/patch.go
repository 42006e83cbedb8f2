package gltf

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// PatchInverseBind returns a copy of a GLB file in which skins have other inverse
// bind matrices and every other byte is as it was. ok is false where that cannot
// be: the file is no GLB, or a skin's matrices are not plain floats of its binary
// chunk, or are another skin's as well that is to keep them.
func PatchInverseBind(file []byte, skins map[int][]mgl32.Mat4) (out []byte, ok bool) {
	json, bin, err := split(file)
	if err != nil || bin == nil || !bytes.HasPrefix(file, []byte(glbMagic)) {
		return nil, false
	}
	doc, err := parseJSON(json)
	if err != nil {
		return nil, false
	}
	l := &loader{doc: doc, bin: bin, input: int64(len(file)), m: &assets.Model{Skeleton: &animation.Skeleton{}}}
	l.root = value{l, 0}
	if l.storage(); l.err != nil {
		return nil, false
	}
	start := offsetIn(file, bin)
	if start < 0 {
		return nil, false
	}
	list := l.root.get("skins")
	accessorOf := map[int]int{}
	uses := map[int32]int{}
	for i, v := range list.elements() {
		at := v.get("inverseBindMatrices").index(l.fileAccessors, "accessors")
		if at >= 0 {
			accessorOf[i] = int(at)
			uses[at]++
		}
	}
	out = bytes.Clone(file)
	for skin, matrices := range skins {
		at, known := accessorOf[skin]
		if !known || l.err != nil || uses[int32(at)] > 1 {
			return nil, false
		}
		a := l.accessors[at]
		if a.view < 0 || a.sparse >= 0 || a.component != f32 || a.elements != 16 || a.count < int64(len(matrices)) || l.views[a.view].packed != 0 {
			return nil, false
		}
		w := l.views[a.view]
		if w.buffer != 0 || (value{l, l.buffers[0].token}).get("uri").exists() {
			return nil, false
		}
		// No other accessor may read these bytes.
		for k, o := range l.accessors[:l.fileAccessors] {
			if k != at && o.view == a.view && o.offset == a.offset {
				return nil, false
			}
		}
		p, readable := l.open(value{l, a.token}, int32(at))
		if !readable {
			return nil, false
		}
		begin := start + int(w.offset+a.offset)
		for i, m := range matrices {
			for c, x := range m {
				binary.LittleEndian.PutUint32(out[begin+i*p.stride+4*c:], math.Float32bits(x))
			}
		}
	}
	return out, l.err == nil
}

// offsetIn is where part, a slice of whole, begins in it.
func offsetIn(whole, part []byte) int {
	for at := 12; at+8 <= len(whole); {
		size := int(binary.LittleEndian.Uint32(whole[at:]))
		if at+8+size > len(whole) || size < 0 {
			return -1
		}
		if size > 0 && size == len(part) && &whole[at+8] == &part[0] {
			return at + 8
		}
		at += 8 + size
	}
	return -1
}
