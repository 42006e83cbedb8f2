//go:build linux && !wayland

package gpu_test

import (
	"errors"
	"testing"
	"time"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/engine/window"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/xvfb"
)

// A window is drawn to, resized ten times, minimised, and closed, without a message.
func TestWindow(t *testing.T) {
	xvfb.Start(t)
	w := must(window.Open(window.Options{Title: "test", Width: 320, Height: 200, Resizable: true}))(t)
	t.Cleanup(w.Close)
	dev := gputest.OpenWith(t, gpu.Options{InstanceExtensions: must(w.RequiredExtensions())(t), Surface: w.CreateSurface})
	minimised := false
	target := must(dev.NewWindow(gpu.WindowDesc{Size: func() (int, int) {
		if minimised {
			return 0, 0
		}
		return w.FramebufferSize()
	}}))(t)
	graph, exec, caps := framegraph.New(), dev.NewExecutor(gpu.ExecutorOptions{Mode: gpu.Overlapped}), dev.Caps()
	pipeline := trianglePipeline(t, dev, target.Format())
	if gpu.IsSRGB(target.Format()) {
		t.Logf("format %d is sRGB", target.Format())
	}
	drawn, sized := 0, 0
	frame := func() {
		t.Helper()
		w.Poll()
		f, err := dev.BeginFrame(target)
		if errors.Is(err, gpu.ErrNotReady) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		exec.SetMode([]gpu.Mode{gpu.Overlapped, gpu.Serialised}[drawn/3%2])
		graph.Reset()
		screen := graph.ImportImage("backbuffer", f.Backbuffer().Shape(), f.Import())
		graph.AddPass("triangle", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			b.ColorAttachment(screen, framegraph.Clear(0, 0, 0, 1))
			return func(c framegraph.Context) {
				gpu.From(c).BindPipeline(pipeline)
				gpu.From(c).Draw(3, 1, 0, 0)
			}
		})
		plan, err := graph.Compile(caps)
		if err == nil {
			err = exec.Execute(f, plan)
		}
		if e := f.End(); err == nil {
			err = e
		}
		if err != nil {
			t.Fatal(err)
		}
		drawn++
	}
	for range 5 {
		frame()
	}
	if drawn != 5 {
		t.Fatalf("%d of 5 frames were drawn", drawn)
	}
	for i := range 10 {
		wantW, wantH := 200+40*((i*3)%7), 150+30*((i*5)%8)
		w.SetSize(wantW, wantH)
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
			frame()
			if gotW, gotH := target.Size(); gotW == wantW && gotH == wantH {
				sized++
				break
			}
		}
		frame()
	}
	if sized != 10 {
		t.Errorf("the swapchain followed %d of 10 sizes", sized)
	}
	minimised = true
	before := drawn
	for range 3 {
		frame()
	}
	if gotW, gotH := target.Size(); drawn != before || gotW != 0 || gotH != 0 {
		t.Errorf("%d frames drawn while minimised, size %d×%d", drawn-before, gotW, gotH)
	}
	minimised = false
	// A frame that draws nothing, and one that fails, present too.
	f := must(dev.BeginFrame(target))(t)
	if err := f.End(); err != nil {
		t.Fatal(err)
	}
	f = must(dev.BeginFrame(target))(t)
	graph.Reset()
	graph.AddPhase("fails", func(*framegraph.Builder) func() error { return func() error { return errors.New("on purpose") } })
	if err := exec.Execute(f, must(graph.Compile(caps))(t)); err == nil {
		t.Error("no error")
	}
	if err := f.End(); err == nil {
		t.Error("End of a failed frame should say so")
	}
	for range 3 {
		frame()
	}
	if drawn < before+3 {
		t.Error("no frames after the failed one")
	}
	target.Release()
	target.Release()
	target = must(dev.NewWindow(gpu.WindowDesc{Size: w.FramebufferSize, VSync: true}))(t)
	frame()
}
