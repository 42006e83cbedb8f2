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
	e.actStart = grown(e.actStart, n+1)
	e.bitOf, e.lastUser = filled(e.bitOf, resources, -1), filled(e.lastUser, resources, -1)
	e.firstUser, e.users = grown(e.firstUser, resources), sized(e.users, resources)
	e.words = (resources + 63) / 64
	e.masks = sized(e.masks, n*e.words)
	e.pairs = 0
	e.transients, e.hostUses, e.acts = e.transients[:0], e.hostUses[:0], grown(e.acts, len(e.uses))
	acts, whats, uses, bases, lastUser, described := e.acts, e.whats, e.uses, e.cellBase, e.lastUser, e.plan.Resources
	count := 0
	for p := range int32(n) {
		e.actStart[p] = int32(count)
		if !e.kept[p] {
			continue
		}
		d := &e.passes[p]
		mask := e.masks[int(p)*e.words : int(p+1)*e.words]
		before := e.pairs
		for i := d.uses; i < d.usesEnd; i++ {
			u := &uses[i]
			res := u.res
			what := whats[res]
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
			acts[count] = act{i, res, bases[res], is}
			count++
			r, v := &described[res], &verbs[u.verb]
			r.ImageUsage |= v.imageUsage
			r.BufferUsage |= v.bufferUsage
			if lastUser[res] != p {
				lastUser[res] = p
				e.firstUse(res, p, what, mask)
			}
		}
		if d.kind == Phase {
			e.pairs = before
		}
	}
	e.acts = acts[:count]
	e.actStart[n] = int32(count)
	if e.measured = !e.async; e.measured {
		e.measure()
	}
}

// firstUse counts a pass's first access to a resource.
func (e *entry) firstUse(res, p int32, what what, mask []uint64) {
	e.pairs++
	if e.users[res]++; e.users[res] == 1 {
		e.firstUser[res] = p
	}
	if what&whatTransient == 0 {
		return
	}
	bit := e.bitOf[res]
	if bit < 0 {
		bit = int32(len(e.transients))
		e.bitOf[res] = bit
		e.transients = append(e.transients, res)
	}
	mask[bit>>6] |= 1 << (bit & 63)
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
