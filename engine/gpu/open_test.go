package gpu_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

func TestOpenSaysWhatToInstall(t *testing.T) {
	gputest.Open(t) // or skips where there is no device anyway
	for _, c := range []struct {
		name, env, value string
		o                gpu.Options
		want             string
	}{
		{"no driver", "VK_ICD_FILENAMES", "/nowhere.json", gpu.Options{}, "mesa-vulkan-drivers"},
		{"no layer", "VK_LAYER_PATH", "/nowhere", gpu.Options{Validate: true}, "vulkan-validationlayers"},
		{"no such device", "BINDPOSE_DEVICE", "voodoo", gpu.Options{}, "voodoo names no device"},
		{"no window system", "", "", gpu.Options{InstanceExtensions: []string{"VK_KHR_win32_surface"}}, "--headless"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.env != "" {
				t.Setenv(c.env, c.value)
			}
			dev, err := gpu.Open(c.o)
			if err == nil {
				dev.Close()
				t.Fatal("it opened")
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q should be one sentence with %q", err, c.want)
			}
		})
	}
	t.Run("a surface that fails", func(t *testing.T) {
		_, err := gpu.Open(gpu.Options{Surface: func(uintptr) (uint64, error) { return 0, errors.New("no display") }})
		if err == nil || !strings.Contains(err.Error(), "no display") {
			t.Errorf("error %v", err)
		}
	})
}

func TestDeviceChoice(t *testing.T) {
	types := []gpu.DeviceType{gpu.DeviceCPU, gpu.DeviceIntegrated, gpu.DeviceDiscrete, gpu.DeviceVirtual}
	names := []string{"llvmpipe", "Iris Xe", "Arc A770", "virgl"}
	none := make([]string, 4)
	for _, c := range []struct {
		choice string
		lacks  []string
		want   int
		fails  string
	}{
		{"", none, 2, ""},
		{"", []string{"", "", "is too old", ""}, 1, ""},
		{"", []string{"", "is too old", "is too old", ""}, 3, ""},
		{"0", none, 0, ""},
		{"iris", none, 1, ""},
		{"arc", []string{"", "", "is too old", ""}, 0, "too old"},
		{"9", none, 0, "names no device"},
		{"", []string{"a", "b", "c", "d"}, 0, "no device can be used"},
	} {
		got, err := gpu.Pick(types, names, c.lacks, c.choice)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("choice %q: error %v, want one with %q", c.choice, err, c.fails)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("choice %q: %d, %v, want %d", c.choice, got, err, c.want)
		}
	}
}

// fake counts the errors a test would have had.
type fake struct {
	testing.TB
	errors int
}

func (f *fake) Helper()               {}
func (f *fake) Errorf(string, ...any) { f.errors++ }

// A mistake that the layer sees fails the test it happens in.
func TestProvokedMessageFails(t *testing.T) {
	var heard int
	dev := must(gpu.Open(gpu.Options{CacheDir: t.TempDir(), Validate: true, OnMessage: func(gpu.Message) { heard++ }}))(t)
	defer dev.Close()
	before := &fake{TB: t}
	gputest.Check(before, dev)
	if before.errors != 0 {
		t.Fatalf("%d messages before the mistake", before.errors)
	}
	d := newDrawing(t, dev, 16, 16, gpu.Overlapped)
	pipeline := trianglePipeline(t, dev, framegraph.RGBA16Float) // the target isn't
	d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
		g.AddPass("wrong format", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			b.ColorAttachment(screen, framegraph.Clear(0, 0, 0, 1))
			return func(c framegraph.Context) {
				cmd := gpu.From(c)
				cmd.BindPipeline(pipeline)
				cmd.Draw(3, 1, 0, 0)
			}
		})
	}
	d.frame()
	after := &fake{TB: t}
	gputest.Check(after, dev)
	if after.errors == 0 || heard != after.errors {
		t.Errorf("%d messages failed the test, %d were heard", after.errors, heard)
	}
	if m := dev.Messages(); len(m) > 0 && (m[0].Severity != gpu.SeverityError || !strings.Contains(m[0].ID, "VUID") || !strings.Contains(m[0].Text, "wrong format")) {
		t.Errorf("the message should be an error with its VUID that names the pass: %+v", m[0])
	}
}

// A missing barrier is a message: synchronization validation is on.
func TestSynchronizationIsValidated(t *testing.T) {
	dev := must(gpu.Open(gpu.Options{CacheDir: t.TempDir(), Validate: true}))(t)
	defer dev.Close()
	d := newDrawing(t, dev, 16, 16, gpu.Overlapped)
	var a framegraph.Buffer
	graph := framegraph.New()
	f := must(dev.BeginFrame(nil))(t)
	a = graph.CreateBuffer("a", framegraph.BufferDesc{Bytes: 256})
	kept := must(dev.NewBuffer(gpu.BufferDesc{Name: "kept", Size: 256}))(t)
	out := graph.ImportBuffer("kept", framegraph.BufferDesc{Bytes: 256}, kept.Import(framegraph.State{}, framegraph.State{}))
	graph.AddPass("fill", framegraph.Transfer, func(x *framegraph.Builder) framegraph.Record {
		a = x.TransferWrite(a)
		a := a
		return func(c framegraph.Context) { gpu.From(c).FillBuffer(gpu.From(c).Buffer(a), 7) }
	})
	graph.AddPass("copy", framegraph.Transfer, func(x *framegraph.Builder) framegraph.Record {
		x.TransferRead(a)
		out = x.TransferWrite(out)
		a, out := a, out
		return func(c framegraph.Context) { gpu.From(c).CopyBuffer(gpu.From(c).Buffer(out), gpu.From(c).Buffer(a)) }
	})
	plan := must(graph.Compile(d.caps))(t)
	for i := range plan.Steps {
		plan.Steps[i].Before = framegraph.Barriers{}
	}
	if err := d.exec.Execute(f, plan); err != nil {
		t.Fatal(err)
	}
	if err := f.End(); err != nil {
		t.Fatal(err)
	}
	for _, m := range dev.Messages() {
		if strings.HasPrefix(m.ID, "SYNC-HAZARD-READ-AFTER-WRITE") {
			return
		}
	}
	t.Errorf("no hazard among %d messages: %+v", len(dev.Messages()), dev.Messages())
}

func TestLostDeviceIsOneClearError(t *testing.T) {
	dev := gputest.Open(t)
	dev.Lose()
	if _, err := dev.BeginFrame(nil); !errors.Is(err, gpu.ErrDeviceLost) {
		t.Errorf("error %v, want ErrDeviceLost", err)
	}
}

func TestProperties(t *testing.T) {
	p := gputest.Open(t).Properties()
	if p.Name == "" || p.Driver == "" || !strings.HasPrefix(p.API, "1.") || p.IsCPU != (p.Type == gpu.DeviceCPU) ||
		p.Limits.PushConstants < 128 || p.Limits.MaxImage2D < 4096 || p.Limits.MaxColorAttachments < 4 {
		t.Errorf("%+v", p)
	}
}
