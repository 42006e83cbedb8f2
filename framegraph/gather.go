package framegraph

// gathered is the kept passes' accesses as the steps behind cull read them, packed, for they go through them again and again.
type gathered struct {
	acts     []act   // accesses to images and buffers, in declared order
	actStart []int32 // by pass, and one past the last
	hostUses []int32 // accesses to processor resources

	// A set of transients is some words of 64 bits, one bit for each that is in use.
	words      int
	bitOf      []int32  // by resource, −1 for none
	transients []int32  // by bit: the resource
	masks      []uint64 // by pass: the set that it uses, empty where it was culled
	users      []int32  // by resource: how many passes use it
	firstUser  []int32  // by resource
	lastUser   []int32
	pairs      int // the passes' distinct resources, summed; phases do not count
}

// act is one access.
type act struct {
	use  int32
	res  int32
	cell int32 // the first one
	is   actKind
}

type actKind uint16

const (
	actWrites    actKind = 1 << iota
	actAttaches          // any attachment, resolves included
	actResolves          // where the scope ends
	actStarts            // an attachment that clears or discards
	actFresh             // leaves nothing of the contents it finds
	actSplit             // the resource has several cells
	actUntouched         // the submit makes it visible: nothing waits for it
)

// actOf is what each verb makes of an access.
var actOf = func() (of [verbCount]actKind) {
	for v := range verbCount {
		if verbs[v].access.Writes() != 0 {
			of[v] |= actWrites
		}
		if v.attachment() {
			of[v] |= actAttaches
		}
	}
	of[verbResolve] |= actResolves
	of[verbHostWriteBuffer] |= actUntouched
	return of
}()

// gather packs the accesses, and gathers what each resource is used for.
func (e *entry) gather() {
	e.describe()
	n, resources := len(e.passes), len(e.resources)
	e.acts, e.hostUses, e.transients = e.acts[:0], e.hostUses[:0], e.transients[:0]
	e.actStart = grown(e.actStart, n+1)
	e.bitOf, e.firstUser, e.lastUser = filled(e.bitOf, resources, -1), grown(e.firstUser, resources), filled(e.lastUser, resources, -1)
	e.users = sized(e.users, resources)
	e.words = (resources + 63) / 64
	e.masks = sized(e.masks, n*e.words)
	e.pairs = 0
	for p := range int32(n) {
		e.actStart[p] = int32(len(e.acts))
		if !e.kept[p] {
			continue
		}
		d := &e.passes[p]
		mask := e.masks[int(p)*e.words : int(p+1)*e.words]
		distinct := 0
		for i := d.uses; i < d.usesEnd; i++ {
			u := &e.uses[i]
			res := u.res
			what := e.whats[res]
			if what&whatHost != 0 {
				e.hostUses = append(e.hostUses, i)
				continue
			}
			is := actOf[u.verb]
			if is&actAttaches != 0 && (u.op == uint8(LoadClear)+1 || u.op == uint8(LoadDontCare)+1) {
				if is&actResolves == 0 {
					is |= actStarts
				}
				if !d.hasArea {
					is |= actFresh
				}
			}
			if what&whatSplit != 0 {
				is |= actSplit
			}
			e.acts = append(e.acts, act{i, res, e.cellBase[res], is})
			r := &e.plan.Resources[res]
			r.ImageUsage |= verbs[u.verb].imageUsage
			r.BufferUsage |= verbs[u.verb].bufferUsage
			if e.lastUser[res] == p {
				continue
			}
			e.lastUser[res] = p
			if e.users[res]++; e.users[res] == 1 {
				e.firstUser[res] = p
			}
			distinct++
			if what&whatTransient != 0 {
				bit := e.bitOf[res]
				if bit < 0 {
					bit = int32(len(e.transients))
					e.bitOf[res] = bit
					e.transients = append(e.transients, res)
				}
				mask[bit>>6] |= 1 << (bit & 63)
			}
		}
		if d.kind != Phase {
			e.pairs += distinct
		}
	}
	e.actStart[n] = int32(len(e.acts))
	if e.measured = !e.async; e.measured {
		e.measure()
	}
}

// measure asks for each resource's size. With several queues it depends on which of them use it, and is asked for once that is
// known.
func (e *entry) measure() {
	for r := range e.resources {
		e.size(r)
	}
	e.measured = true
}

func (e *entry) actsOf(p int32) []act { return e.acts[e.actStart[p]:e.actStart[p+1]] }

// cellsOfAct is cellsOf.
func (e *entry) cellsOfAct(a *act) cellRange {
	if a.is&actSplit == 0 {
		return cellRange{a.cell, 1, 1, 1}
	}
	return e.cellsOf(&e.uses[a.use])
}

// draws says whether a kept pass attaches anything.
func (e *entry) draws(p int32) bool { return e.attached[p] != 0 }
