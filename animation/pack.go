package animation

import (
	"hash/maphash"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// packed is a clip's LINEAR tracks laid out for the vector kernels: tracks of
// the same key times stand together, and of each key the values of all of them
// lie in one row, rotations as structure of arrays, four tracks a block. It holds
// the keys' values a second time.
type packed struct {
	first  *Track // Tracks[0] of the clip that was packed, to tell a copy that differs
	count  int
	groups []packedGroup
	single []int32 // tracks that are sampled one by one
	moved  []int32 // joints that the groups move
}

type packedGroup struct {
	times  []float32
	cursor int // the track whose cursor the group uses

	// A row is 4 floats for each offset of vecAt: x, y, z and one unused.
	vecs  []float32
	vecAt []int32 // bytes from Pose.Local[0] to where the value goes

	// A row is 16 floats for each block of four offsets of quatAt: x, y, z, w of
	// four tracks. The last block is filled up with its last track.
	quats  []float32
	quatAt []int32
}

// Offsets and size of a Transform in bytes, as the kernels know them.
const (
	transformSize = 40
	rotationAt    = 12 // w, x, y, z
	scaleAt       = 28
)

// The kernels are wrong where Transform lies otherwise in memory.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Transform{})-transformSize]
	_ = [1]struct{}{}[unsafe.Offsetof(Transform{}.Rotation)-rotationAt]
	_ = [1]struct{}{}[unsafe.Offsetof(Transform{}.Scale)-scaleAt]
	_ = [1]struct{}{}[unsafe.Offsetof(mgl32.Quat{}.V)-4]
)

// Pack lays the clip's keys out for the vector kernels, in about as many bytes
// again as they take, and returns the clip. Playing a clip does so by itself;
// call Pack beforehand to choose when, once the clip is valid (Validate). From
// then on the tracks must not change. It may be called on any goroutine.
func (c *Clip) Pack() *Clip {
	if len(c.Tracks) > 0 && !c.pack().of(c) {
		atomic.StorePointer(&c.packed, unsafe.Pointer(newPacked(c.Tracks)))
	}
	return c
}

// pack is what Pack made, or nil.
func (c *Clip) pack() *packed { return (*packed)(atomic.LoadPointer(&c.packed)) }

func newPacked(all []Track) *packed {
	p := &packed{first: &all[0], count: len(all)}
	var (
		vecs, quats [][]int32 // by group: tracks
		timelines   = map[uint64][]int{}
		seed        = maphash.MakeSeed()
		moved       = map[int32]bool{}
	)
	for i := range all {
		tr := &all[i]
		if tr.Interpolation != Linear || tr.Path == Weights {
			p.single = append(p.single, int32(i))
			continue
		}
		if !moved[tr.Joint] {
			moved[tr.Joint] = true
			p.moved = append(p.moved, tr.Joint)
		}
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(&tr.Times[0])), 4*len(tr.Times))
		hash := maphash.Bytes(seed, bytes)
		g := -1
		for _, same := range timelines[hash] {
			if slices.Equal(p.groups[same].times, tr.Times) {
				g = same
			}
		}
		if g < 0 {
			g = len(p.groups)
			timelines[hash] = append(timelines[hash], g)
			p.groups = append(p.groups, packedGroup{times: tr.Times, cursor: i})
			vecs, quats = append(vecs, nil), append(quats, nil)
		}
		if tr.Path == Rotation {
			quats[g] = append(quats[g], int32(i))
		} else {
			vecs[g] = append(vecs[g], int32(i))
		}
	}
	for g := range p.groups {
		p.groups[g].fill(all, vecs[g], quats[g])
	}
	return p
}

// fill writes the rows of the group's tracks.
func (g *packedGroup) fill(tracks []Track, vecs, quats []int32) {
	for len(quats)%4 != 0 {
		quats = append(quats, quats[len(quats)-1])
	}
	for _, i := range vecs {
		at := tracks[i].Joint * transformSize
		if tracks[i].Path == Scale {
			at += scaleAt
		}
		g.vecAt = append(g.vecAt, at)
	}
	for _, i := range quats {
		g.quatAt = append(g.quatAt, tracks[i].Joint*transformSize+rotationAt)
	}
	g.vecs = make([]float32, 0, 4*len(vecs)*len(g.times))
	g.quats = make([]float32, 0, 4*len(quats)*len(g.times))
	for k := range g.times {
		for _, i := range vecs {
			g.vecs = append(append(g.vecs, tracks[i].Values[3*k:][:3]...), 0)
		}
		for b := 0; b < len(quats); b += 4 {
			for c := range 4 {
				for _, i := range quats[b : b+4] {
					g.quats = append(g.quats, tracks[i].Values[4*k+c])
				}
			}
		}
	}
}

// of reports whether p was made of the clip as it is.
func (p *packed) of(c *Clip) bool {
	return p != nil && p.count == len(c.Tracks) && p.first == &c.Tracks[0]
}

// run samples all groups at t seconds.
func (p *packed) run(t float32, cursors []int32, out *Pose) {
	for _, j := range p.moved { // also the bounds that the kernels do not look at
		out.Moved[j] = true
	}
	for i := range p.groups {
		g := &p.groups[i]
		k := seek(g.times, t, int(cursors[g.cursor]))
		cursors[g.cursor] = int32(k)
		k, u, dt := between(g.times, t, k)
		next := k + 1
		if dt == 0 {
			next = k
		}
		if n := len(g.vecAt); n > 0 {
			lerpVecs(&g.vecs[4*n*k], &g.vecs[4*n*next], u, &g.vecAt[0], n, &out.Local[0])
		}
		if n := len(g.quatAt); n > 0 {
			g.slerp(g.quats[4*n*k:][:4*n], g.quats[4*n*next:][:4*n], u, out.Local)
		}
	}
}

// slerp runs the kernel over all blocks; it stops at each that holds a wide turn
// or a key that is not of unit length, which is then done in full.
func (g *packedGroup) slerp(a, b []float32, u float32, local []Transform) {
	var s slerpSeries
	s.set(u)
	blocks := len(g.quatAt) / 4
	for i := 0; i < blocks; i++ {
		i += slerpQuats(&a[16*i], &b[16*i], &s, &g.quatAt[4*i], blocks-i, &local[0])
		if i == blocks {
			return
		}
		a, b := a[16*i:][:16], b[16*i:][:16]
		for lane, at := range g.quatAt[4*i:][:4] {
			local[at/transformSize].Rotation = slerp(
				a[lane], a[4+lane], a[8+lane], a[12+lane], b[lane], b[4+lane], b[8+lane], b[12+lane], u)
		}
	}
}

// slerpSeries is what sinRatioNear needs at 1-u and at u, each number four times:
// the factors of x from the innermost outward, and the fraction itself.
type slerpSeries [2][5][4]float32

func (s *slerpSeries) set(u float32) {
	for i, f := range [2]float32{1 - u, u} {
		v := f * f
		for c, x := range [5]float32{
			(16 - v) * (1.0 / (4 * 9)), (9 - v) * (1.0 / (3 * 7)), (4 - v) * (1.0 / (2 * 5)), (1 - v) * (1.0 / (1 * 3)), f,
		} {
			s[i][c] = [4]float32{x, x, x, x}
		}
	}
}
