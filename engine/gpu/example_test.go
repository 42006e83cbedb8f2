package gpu_test

import (
	"fmt"
	"os"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// A whole program: open a device, draw one frame of one pass, read the picture back.
func Example() {
	if err := drawOnce(); err != nil {
		fmt.Println(err)
	}
	// Output: the top left pixel is [255 0 0 255]
}

func drawOnce() error {
	cache, err := os.MkdirTemp("", "example")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	dev, err := gpu.Open(gpu.Options{App: "example", CacheDir: cache})
	if err != nil {
		return err // one sentence that says what to install
	}
	defer dev.Close()
	target, err := dev.NewOffscreen(64, 64)
	if err != nil {
		return err
	}
	graph, exec := framegraph.New(), dev.NewExecutor(gpu.ExecutorOptions{})

	frame, err := dev.BeginFrame(target)
	if err != nil {
		return err
	}
	graph.Reset()
	screen := graph.ImportImage("screen", frame.Backbuffer().Shape(), frame.Import())
	graph.AddPass("clear", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		b.ColorAttachment(screen, framegraph.Clear(1, 0, 0, 1))
		return func(c framegraph.Context) {
			cmd := gpu.From(c)
			_ = cmd // cmd.BindPipeline, cmd.Bind, cmd.Draw …
		}
	})
	plan, err := graph.Compile(dev.Caps())
	if err != nil {
		return err
	}
	if err := exec.Execute(frame, plan); err != nil {
		return err
	}
	if err := frame.End(); err != nil {
		return err
	}
	pixels, err := target.Pixels()
	if err != nil {
		return err
	}
	fmt.Println("the top left pixel is", pixels[:4])
	return nil
}
