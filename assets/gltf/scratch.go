package gltf

import "sync/atomic"

// scratch is memory that a load needs until it is done, and no longer.
type scratch struct {
	doc  document
	head *[headSize]byte // the begin of the file; by itself, so that the collector need not look at it
}

// spare is one that no load uses: what loads one file after another takes it over
// from one to the next. Loads at the same time have their own.
var spare atomic.Pointer[scratch]

// mostKept bounds the tokens of a tape that is kept, to 320 KiB of them.
const mostKept = 1 << 14

func takeScratch() *scratch {
	if s := spare.Swap(nil); s != nil {
		return s
	}
	return &scratch{head: new([headSize]byte)}
}

// free keeps it for another load. Nothing may know of its memory any more.
func (s *scratch) free() {
	if s.doc.text = nil; cap(s.doc.tape) > mostKept {
		s.doc.tape = nil
	}
	spare.Store(s)
}
