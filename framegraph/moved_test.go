package framegraph_test

import (
	"testing"

	"github.com/bindpose/bindpose/framegraph"
)

// Two passes that draw into one image move it once where they share a scope, and
// each for itself where they do not. A depth image that nobody reads is moved by
// neither.
func TestMovedBytes(t *testing.T) {
	const image = 64 * 32 * 4
	for _, c := range []struct {
		merge  bool
		loaded [2]uint64
		stored [2]uint64
	}{
		{true, [2]uint64{0, 0}, [2]uint64{0, image}},
		{false, [2]uint64{0, image}, [2]uint64{image, image}},
	} {
		g := framegraph.New()
		screen := g.ImportImage("screen", framegraph.ImageDesc{Format: framegraph.RGBA8Unorm, Width: 64, Height: 32}, framegraph.Import{Key: 1})
		depth := g.CreateImage("depth", framegraph.ImageDesc{Format: framegraph.D32Float, Width: 64, Height: 32})
		g.AddPass("first", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			screen = b.ColorAttachment(screen, framegraph.Clear(0, 0, 0, 1))
			if !c.merge {
				depth = b.DepthAttachment(depth, framegraph.ClearDepth(0))
			}
			return nil
		})
		g.AddPass("second", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			screen = b.ColorAttachment(screen, framegraph.Load)
			return nil
		})
		plan, err := g.Compile(framegraph.Caps{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			loaded, stored := plan.Moved(i)
			if loaded != c.loaded[i] || stored != c.stored[i] {
				t.Errorf("merged %v: %s loads %d and stores %d bytes, want %d and %d", c.merge, plan.Steps[i].Name, loaded, stored, c.loaded[i], c.stored[i])
			}
		}
	}
}
