// Package window opens a window through GLFW and gathers what the user does in
// it. It draws nothing: a renderer asks it for the instance extensions, for a
// Vulkan surface and for the framebuffer's size.
//
//	if !window.HasDisplay() {
//		return renderHeadless()
//	}
//	w, err := window.Open(window.Options{Title: "Bindpose", Width: 1280, Height: 720, Resizable: true})
//	if err != nil {
//		return err
//	}
//	defer w.Close()
//	for {
//		in := w.Poll()
//		if in.CloseRequested || in.Pressed(input.KeyEscape) {
//			break
//		}
//		if w.Minimised() {
//			w.WaitEvents(0.1)
//			continue
//		}
//		draw(in)
//	}
//
// Threads: GLFW belongs to the main thread. This package's init locks the main
// goroutine to it, so call everything here from main's goroutine, Wake excepted.
// Programs that never open a window pay nothing else.
//
// Sizes: Width, Height and mouse positions are window units. FramebufferSize is
// in pixels; on X11 the two are the same, on Wayland and macOS not.
//
// Linux builds speak X11 (Wayland through XWayland). The tag wayland builds
// GLFW for Wayland instead.
//
// Cost: Poll costs what GLFW's event loop does, some microseconds; a frame
// without dropped files allocates nothing.
package window
