package animation

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool runs one function over many things on all cores. Its goroutines wait between
// runs, so a run allocates nothing. Make one with NewPool and Close it after use.
type Pool struct {
	workers int
	wake    chan int
	done    sync.WaitGroup
	run     sync.Mutex // one Each at a time

	n     int
	next  atomic.Int64
	do    func(worker, i int)
	crowd crowdRun
}

// grain is how many things a worker takes at once: enough that taking costs little,
// few enough that the last worker is not waited for.
const grain = 8

// NewPool returns a pool of so many workers; 0 is as many as Go runs at once.
func NewPool(workers int) *Pool {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &Pool{workers: workers, wake: make(chan int)}
	for range workers - 1 { // the caller of Each is one
		go func() {
			for worker := range p.wake {
				p.work(worker)
				p.done.Done()
			}
		}()
	}
	return p
}

// Workers is how many things are done at once at most.
func (p *Pool) Workers() int { return p.workers }

// Each calls do for every i in [0, n), once, on any worker; worker in [0, Workers)
// says on which, for buffers of its own. Where the things do not depend on one
// another the result is that of a plain loop. It returns when all are done.
func (p *Pool) Each(n int, do func(worker, i int)) {
	p.run.Lock()
	defer p.run.Unlock()
	p.n, p.do = n, do
	p.next.Store(0)
	others := min(p.workers, (n+grain-1)/grain) - 1
	for w := range others {
		p.done.Add(1)
		p.wake <- w + 1
	}
	p.work(0)
	p.done.Wait()
	p.do = nil
}

func (p *Pool) work(worker int) {
	for {
		end := int(p.next.Add(grain))
		for i := end - grain; i < min(end, p.n); i++ {
			p.do(worker, i)
		}
		if end >= p.n {
			return
		}
	}
}

// Close ends the pool's goroutines. The pool must not be used after.
func (p *Pool) Close() { close(p.wake) }

// crowdRun is what UpdateAll's function needs, kept so that it need not be made
// anew.
type crowdRun struct {
	all   []*Animator
	dt    float32
	mutex sync.Mutex
	bad   int
	err   error
	do    func(worker, i int)
	once  sync.Once
	lock  sync.Mutex
}

// UpdateAll updates animators by dt seconds over the pool's workers, with the same
// poses as one after another would give. Drivers that several of them share would be
// used at once and must not be shared. Of several errors the one of the first
// animator is returned; the others are updated all the same.
func (p *Pool) UpdateAll(all []*Animator, dt float32) error {
	c := &p.crowd
	c.lock.Lock()
	defer c.lock.Unlock()
	c.once.Do(func() {
		c.do = func(_, i int) {
			if err := c.all[i].Update(c.dt); err != nil {
				c.mutex.Lock()
				if c.err == nil || i < c.bad {
					c.bad, c.err = i, err
				}
				c.mutex.Unlock()
			}
		}
	})
	c.all, c.dt, c.err = all, dt, nil
	p.Each(len(all), c.do)
	c.all = nil
	if c.err != nil {
		return fmt.Errorf("animator %d: %w", c.bad, c.err)
	}
	return nil
}
