package vk_test

import (
	"fmt"
	"log"
	"unsafe"

	"github.com/bindpose/bindpose/engine/vk"
)

// An instance with the names of its devices.
func Example() {
	if err := vk.Load(); err != nil {
		log.Print(err)
		return
	}
	var arena vk.Arena
	defer arena.Free()
	app := vk.New[vk.ApplicationInfo](&arena)
	app.PApplicationName = vk.CString(&arena, "example")
	app.ApiVersion = vk.API_VERSION_1_3
	info := vk.New[vk.InstanceCreateInfo](&arena)
	info.PApplicationInfo = app
	instance, err := vk.CreateInstance(info)
	if err != nil {
		log.Print(err)
		return
	}
	vk.LoadInstance(instance)
	defer vk.DestroyInstance(instance)
	devices, err := vk.EnumeratePhysicalDevices(instance)
	if err != nil {
		log.Print(err)
		return
	}
	for _, d := range devices {
		props := vk.GetPhysicalDeviceProperties(d)
		log.Print(vk.String(props.DeviceName[:]))
	}
	// Output:
}

// A rendering scope with one draw. Structs that are given by pointer lie in an arena until the stream is replayed.
func ExampleStream() {
	var arena vk.Arena
	defer arena.Free()
	var view vk.ImageView // of a colour image, from CreateImageView
	attachment := vk.New[vk.RenderingAttachmentInfo](&arena)
	attachment.ImageView = view
	attachment.ImageLayout = vk.IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
	attachment.LoadOp = vk.ATTACHMENT_LOAD_OP_CLEAR
	attachment.ClearValue = vk.ClearColor(0, 0, 0, 1)
	rendering := vk.New[vk.RenderingInfo](&arena)
	rendering.RenderArea.Extent = vk.Extent2D{Width: 640, Height: 480}
	rendering.LayerCount = 1
	rendering.ColorAttachmentCount = 1
	rendering.PColorAttachments = attachment

	var s vk.Stream
	s.CmdBeginRendering(rendering)
	s.CmdPushConstants(0, vk.SHADER_STAGE_VERTEX_BIT, 0, vk.Bytes([]float32{1, 2, 3}))
	s.CmdDraw(3, 1, 0, 0)
	s.CmdEndRendering()
	// Then, between BeginCommandBuffer and EndCommandBuffer: s.Replay(commandBuffer).
	fmt.Println(unsafe.Sizeof(*rendering), "bytes of RenderingInfo;", s.Size(), "bytes of stream")
	// Output: 72 bytes of RenderingInfo; 96 bytes of stream
}
