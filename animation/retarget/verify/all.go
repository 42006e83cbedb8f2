package verify

import (
	"errors"
	"runtime"
	"sync"

	"github.com/bindpose/bindpose/animation"
)

// MeasureAll measures n clips, as many at once as there are processors, and returns
// the takes in order. each gives a clip and what the target does for it; it is
// called on several goroutines. done, where not nil, is called after each clip, by
// one goroutine at a time.
func (v *Verifier) MeasureAll(n int, each func(i int) (*animation.Clip, Motion, error), done func()) ([]*Take, error) {
	takes, errs := make([]*Take, n), make([]error, n)
	next := make(chan int)
	var work sync.WaitGroup
	var told sync.Mutex
	for range min(runtime.GOMAXPROCS(0), n) {
		work.Go(func() {
			for i := range next {
				clip, motion, err := each(i)
				if err == nil {
					takes[i], err = v.Measure(clip, motion)
				}
				errs[i] = err
				if done != nil {
					told.Lock()
					done()
					told.Unlock()
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	work.Wait()
	return takes, errors.Join(errs...)
}
