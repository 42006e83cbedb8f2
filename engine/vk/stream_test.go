package vk

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/bindpose/bindpose/engine/vk/internal/fakevk"
)

// memory is v's bytes.
func memory(v reflect.Value) []byte {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return unsafe.Slice((*byte)(p.UnsafePointer()), v.Type().Size())
}

func fillRandom(r *rand.Rand, p unsafe.Pointer, size uintptr) {
	for i := range unsafe.Slice((*byte)(p), size) {
		*(*byte)(unsafe.Add(p, i)) = byte(r.Uint32())
	}
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// argument makes a random value of type t, and the text that the fake driver writes for it.
func argument(r *rand.Rand, a *Arena, t reflect.Type, length int) (reflect.Value, string) {
	random := func(t reflect.Type) reflect.Value {
		v := reflect.New(t)
		if !hasPointers(t) {
			fillRandom(r, v.UnsafePointer(), t.Size())
		}
		return v.Elem()
	}
	switch t.Kind() {
	case reflect.Slice:
		if length < 0 {
			return reflect.Zero(t), " null"
		}
		s := reflect.MakeSlice(t, length, length)
		var text strings.Builder
		for i := range length {
			s.Index(i).Set(random(t.Elem()))
			text.WriteString(hex.EncodeToString(memory(s.Index(i))))
		}
		return s, " [" + text.String() + "]"
	case reflect.Pointer:
		if hasPointers(t.Elem()) {
			p := a.room(int(t.Elem().Size()))
			return reflect.NewAt(t.Elem(), p), fmt.Sprintf(" %x", uintptr(p))
		}
		v := reflect.New(t.Elem())
		v.Elem().Set(random(t.Elem()))
		return v, " [" + hex.EncodeToString(memory(v.Elem())) + "]"
	case reflect.Array, reflect.Float32:
		v := random(t)
		return v, " [" + hex.EncodeToString(memory(v)) + "]"
	case reflect.Int32:
		v := random(t)
		return v, fmt.Sprintf(" %x", uint64(v.Int()))
	default:
		v := random(t)
		return v, fmt.Sprintf(" %x", v.Uint())
	}
}

// optionalSlices are the commands' last slices that may be nil though the others are not.
var optionalSlices = map[string]int{"CmdBindVertexBuffers2": 2}

// TestStreamReplaysEveryCommand records each Cmd method with random arguments, many in one stream, and compares what a C
// function table was called with.
func TestStreamReplaysEveryCommand(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var a Arena
	defer a.Free()
	const cb = CommandBuffer(0xFEDCBA9876543210)
	methods := reflect.TypeFor[*Stream]()
	var s Stream
	count := 0
	for round := range 20 {
		s.Reset()
		a.Reset()
		var want strings.Builder
		for i := range methods.NumMethod() {
			m := methods.Method(i)
			if !strings.HasPrefix(m.Name, "Cmd") {
				continue
			}
			count++
			args := []reflect.Value{reflect.ValueOf(&s)}
			fmt.Fprintf(&want, "%s %x", m.Name, uint64(cb))
			length := r.IntN(6) // shared by the slices of a command
			slices := 0
			for j := 1; j < m.Type.NumIn(); j++ {
				in := m.Type.In(j)
				n := length
				if in.Kind() == reflect.Slice {
					slices++
					if k := optionalSlices[m.Name]; k > 0 && slices > k && r.IntN(2) == 0 {
						n = -1
					}
				}
				v, text := argument(r, &a, in, n)
				args = append(args, v)
				want.WriteString(text)
			}
			want.WriteByte('\n')
			m.Func.Call(args)
		}
		s.replayInto(fakevk.Log(), cb)
		got := strings.Split(fakevk.TakeLog(), "\n")
		for i, line := range strings.Split(want.String(), "\n") {
			if i >= len(got) || got[i] != line {
				t.Fatalf("round %d, line %d:\n got %s\nwant %s", round, i, got[min(i, len(got)-1)], line)
			}
		}
	}
	if count < 20*50 {
		t.Errorf("only %d methods were tried", count/20)
	}
}

func TestStreamKeepsItsCommands(t *testing.T) {
	var s Stream
	if !s.Empty() {
		t.Error("a new stream is not empty")
	}
	s.replayInto(fakevk.Log(), 1)
	s.CmdDraw(3, 1, 0, 0)
	s.replayInto(fakevk.Log(), 1)
	s.replayInto(fakevk.Log(), 2)
	if got, want := fakevk.TakeLog(), "CmdDraw 1 3 1 0 0\nCmdDraw 2 3 1 0 0\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Reset()
	s.replayInto(fakevk.Log(), 1)
	if got := fakevk.TakeLog(); got != "" || !s.Empty() {
		t.Errorf("after Reset the stream replays %q", got)
	}
}

// TestStreamCopiesArrays changes the arguments after the call.
func TestStreamCopiesArrays(t *testing.T) {
	var s Stream
	data := []byte{1, 2, 3}
	s.CmdPushConstants(0x10, SHADER_STAGE_VERTEX_BIT, 4, data)
	data[0] = 9
	s.replayInto(fakevk.Log(), 1)
	if got, want := fakevk.TakeLog(), "CmdPushConstants 1 10 1 4 [010203]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStreamRejectsSlicesOfDifferentLength(t *testing.T) {
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "vkCmdBindVertexBuffers") || !strings.Contains(text, "2 and 1") {
			t.Errorf("panic text %q", text)
		}
	}()
	new(Stream).CmdBindVertexBuffers(0, []Buffer{1, 2}, []DeviceSize{0})
}

// typicalDraw is what a renderer records for one draw of a mesh: six commands.
func typicalDraw(s *Stream, i int, sets []DescriptorSet, offsets []uint32, push []byte, buffers []Buffer, starts []DeviceSize) {
	s.CmdBindPipeline(PIPELINE_BIND_POINT_GRAPHICS, Pipeline(i))
	s.CmdBindDescriptorSets(PIPELINE_BIND_POINT_GRAPHICS, 1, 0, sets, offsets)
	s.CmdPushConstants(1, SHADER_STAGE_VERTEX_BIT, 0, push)
	s.CmdBindVertexBuffers(0, buffers, starts)
	s.CmdBindIndexBuffer(2, 0, INDEX_TYPE_UINT32)
	s.CmdDrawIndexed(36, 1, 0, 0, uint32(i))
}

const typicalDrawCommands = 6

func TestStreamAllocatesNothing(t *testing.T) {
	var s Stream
	var a Arena
	defer a.Free()
	frame := func() {
		s.Reset()
		a.Reset()
		rendering := New[RenderingInfo](&a)
		attachments := MakeSlice[RenderingAttachmentInfo](&a, 2)
		rendering.ColorAttachmentCount = 2
		rendering.PColorAttachments = unsafe.SliceData(attachments)
		dep := New[DependencyInfo](&a)
		dep.ImageMemoryBarrierCount = 1
		dep.PImageMemoryBarriers = Slice(&a, ImageMemoryBarrier2{Image: 4})
		s.CmdPipelineBarrier2(dep)
		s.CmdBeginRendering(rendering)
		s.CmdSetViewport(0, []Viewport{{Width: 10, Height: 10, MaxDepth: 1}})
		s.CmdSetBlendConstants([4]float32{1, 2, 3, 4})
		s.CmdClearColorImage(1, IMAGE_LAYOUT_GENERAL, &ClearColorValue{}, []ImageSubresourceRange{{LevelCount: 1}})
		for i := range 200 {
			typicalDraw(&s, i, []DescriptorSet{5}, []uint32{256}, Bytes([]uint32{1, 2}), []Buffer{3}, []DeviceSize{0})
		}
		s.CmdEndRendering()
		s.replayInto(fakevk.Empty(), 1)
	}
	if n := testing.AllocsPerRun(100, frame); n != 0 {
		t.Errorf("a steady frame allocates %v times", n)
	}
}

// BenchmarkRecord is one streamed command of a typical mix, written and replayed into empty C functions.
// The target is 15 ns.
func BenchmarkRecord(b *testing.B) {
	var s Stream
	sets, offsets, push := []DescriptorSet{5}, []uint32{256}, make([]byte, 64)
	buffers, starts := []Buffer{3}, []DeviceSize{0}
	const draws = 1000
	b.ReportAllocs()
	for b.Loop() {
		s.Reset()
		for i := range draws {
			typicalDraw(&s, i, sets, offsets, push, buffers, starts)
		}
		s.replayInto(fakevk.Empty(), 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*draws*typicalDrawCommands), "ns/command")
}

// BenchmarkRecordDraw is the same with draws only.
func BenchmarkRecordDraw(b *testing.B) {
	var s Stream
	const draws = 1000
	for b.Loop() {
		s.Reset()
		for i := range draws {
			s.CmdDraw(3, 1, 0, uint32(i))
		}
		s.replayInto(fakevk.Empty(), 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*draws), "ns/command")
}
