package gpu_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

// Buffers made and released at random keep their contents: none overlaps another. At the end nothing is in use.
func TestMemoryKeepsContentsApart(t *testing.T) {
	dev := gputest.Open(t)
	start := dev.Memory()
	r := rand.New(rand.NewPCG(1, 2))
	type filled struct {
		*gpu.Buffer
		seed uint64
	}
	var alive []filled
	check := func(f filled) {
		t.Helper()
		if !bytes.Equal(f.Bytes(), noise(f.Size(), f.seed)) {
			t.Fatalf("a buffer of %d bytes changed", f.Size())
		}
	}
	var images []*gpu.Image
	for i := range 300 {
		switch {
		case len(alive) > 0 && r.IntN(3) == 0:
			k := r.IntN(len(alive))
			check(alive[k])
			alive[k].Release()
			alive[k] = alive[len(alive)-1]
			alive = alive[:len(alive)-1]
			if r.IntN(4) == 0 {
				dev.WaitIdle() // destroys what was released
			}
		case r.IntN(6) == 0:
			images = append(images, must(dev.NewImage(gpu.ImageDesc{Name: "pool image", Width: 1 + r.IntN(300), Height: 1 + r.IntN(300), Format: framegraph.RGBA8Unorm, Usage: framegraph.UsageSampled}))(t))
		default:
			n := 1 + r.IntN(100<<10)
			if r.IntN(40) == 0 {
				n = 9 << 20 // memory of its own
			}
			f := filled{must(dev.NewBuffer(gpu.BufferDesc{Name: "pool buffer", Size: n, Host: true, Usage: framegraph.BufferStorage}))(t), uint64(i)}
			copy(f.Bytes(), noise(n, f.seed))
			alive = append(alive, f)
		}
	}
	mid := dev.Memory()
	if mid.Persistent <= start.Persistent || mid.Peak < mid.Persistent {
		t.Errorf("in use: %d at the start, %d now, %d at most", start.Persistent, mid.Persistent, mid.Peak)
	}
	for _, f := range alive {
		check(f)
		f.Release()
		f.Release() // twice does nothing
	}
	for _, m := range images {
		m.Release()
	}
	if err := dev.WaitIdle(); err != nil {
		t.Fatal(err)
	}
	end := dev.Memory()
	if end.Persistent != start.Persistent {
		t.Errorf("%d bytes in use after all is released, %d before", end.Persistent, start.Persistent)
	}
	for _, res := range end.Resources {
		if strings.HasPrefix(res.Name, "pool") && (res.Persistent != 0 || res.Count != 0 || res.Peak == 0) {
			t.Errorf("%+v after all is released", res)
		}
	}
}

func TestOutOfMemoryIsOneClearError(t *testing.T) {
	dev := gputest.Open(t)
	dev.LimitMemory(64 << 20)
	var got error
	for range 100 {
		_, err := dev.NewBuffer(gpu.BufferDesc{Name: "skins", Size: 5 << 20})
		if err != nil {
			got = err
			break
		}
	}
	if !errors.Is(got, gpu.ErrOutOfMemory) || !strings.Contains(got.Error(), "skins needs 5.0 MiB") {
		t.Errorf("error %v should be ErrOutOfMemory and say what skins needs", got)
	}
	// The device goes on.
	b := must(dev.NewBuffer(gpu.BufferDesc{Name: "small", Size: 64}))(t)
	b.Release()
}

func TestFrameRing(t *testing.T) {
	dev := gputest.Open(t)
	limits := dev.Properties().Limits
	for range 6 {
		f := must(dev.BeginFrame(nil))(t)
		type piece struct {
			gpu.Range
			seed uint64
		}
		var pieces []piece
		r := rand.New(rand.NewPCG(9, 9))
		for i := range 60 {
			n, align := r.IntN(100<<10), 1<<r.IntN(9)
			p := piece{f.Alloc(n, align), uint64(i)}
			if len(p.Bytes) != n || p.Size != n || p.Offset%align != 0 || p.Offset%limits.UniformAlign != 0 || p.Offset%limits.StorageAlign != 0 {
				t.Fatalf("%d bytes aligned to %d: %d bytes at %d", n, align, len(p.Bytes), p.Offset)
			}
			copy(p.Bytes, noise(n, p.seed))
			pieces = append(pieces, p)
		}
		for _, p := range pieces {
			if !bytes.Equal(p.Bytes, noise(p.Size, p.seed)) {
				t.Fatal("a piece of the ring was given out twice")
			}
		}
		if err := f.End(); err != nil {
			t.Fatal(err)
		}
	}
	rings := 0
	if err := dev.WaitIdle(); err != nil {
		t.Fatal(err)
	}
	for _, res := range dev.Memory().Resources {
		if res.Name == "frame ring" {
			rings = res.Count
		}
	}
	if rings != 2 {
		t.Errorf("%d ring buffers after it grew, want one for each frame in flight", rings)
	}
}
