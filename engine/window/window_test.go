//go:build linux && !wayland

package window

import (
	"errors"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/internal/xvfb"
)

func TestWithoutADisplayTheErrorSaysWhatToDo(t *testing.T) {
	for name, env := range map[string][2]string{
		"none": {"", ""}, "wayland alone": {"", "wayland-0"}, "dead": {":9999", ""},
	} {
		t.Setenv("DISPLAY", env[0])
		t.Setenv("WAYLAND_DISPLAY", env[1])
		if HasDisplay() != (env[0] != "") {
			t.Errorf("%s: HasDisplay is %v", name, HasDisplay())
		}
		w, err := Open(Options{})
		if w != nil || !errors.Is(err, ErrNoDisplay) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(Options{Width: -1, Height: 5}); err == nil {
		t.Error("a negative width was taken")
	}
}

func TestResizeTenTimes(t *testing.T) {
	xvfb.Start(t)
	w, err := Open(Options{Title: "resize", Width: 320, Height: 240, Resizable: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if x, y := w.FramebufferSize(); x != 320 || y != 240 || w.Minimised() {
		t.Fatalf("opened at %d×%d", x, y)
	}
	for i := range 10 {
		width, height := 300+40*i, 500-30*i
		w.SetSize(width, height)
		seen := false
		ok := until(w, func() bool {
			seen = seen || w.in.Resized
			x, y := w.FramebufferSize()
			return x == width && y == height
		})
		if !ok || !seen {
			x, y := w.FramebufferSize()
			t.Fatalf("resize %d to %d×%d ended at %d×%d, reported: %v", i, width, height, x, y, seen)
		}
	}
	if w.Poll().Resized {
		t.Error("Resized outlives its frame")
	}
	if s := w.GUIScale(); s != w.ContentScale() || s <= 0 {
		t.Errorf("GUI scale %g", s)
	}
}

func TestKeysMouseAndText(t *testing.T) {
	xvfb.Start(t)
	xvfb.Tool(t, "xdotool", "xdotool")
	w, err := Open(Options{Title: "bindpose-input", Width: 400, Height: 300})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Poll()
	xdotool(t, "search", "--sync", "--name", "bindpose-input", "windowmove", "0", "0", "windowfocus", "mousemove", "120", "80")
	in := &w.in
	if !until(w, func() bool { return in.Focused && in.MouseX == 120 && in.MouseY == 80 }) {
		t.Fatalf("focus %v, mouse %g, %g", in.Focused, in.MouseX, in.MouseY)
	}
	var text []rune
	pressed, released := false, false
	xdotool(t, "key", "shift+w")
	ok := until(w, func() bool {
		text = append(text, in.Text...)
		pressed = pressed || in.Pressed(input.KeyW)
		released = released || in.Released(input.KeyW)
		return released
	})
	if !ok || !pressed || string(text) != "W" || in.Down(input.KeyW) {
		t.Errorf("pressed %v, released %v, text %q", pressed, released, string(text))
	}
	xdotool(t, "mousemove_relative", "--", "15", "-6")
	dx, dy := float32(0), float32(0)
	if !until(w, func() bool { dx += in.DeltaX; dy += in.DeltaY; return dx == 15 && dy == -6 }) {
		t.Errorf("motion %g, %g", dx, dy)
	}
	xdotool(t, "mousedown", "3")
	if !until(w, func() bool { return in.ButtonDown(input.ButtonRight) }) {
		t.Error("the right button was lost")
	}
	xdotool(t, "mouseup", "3", "click", "4") // 4 is one notch up
	wheel := float32(0)
	if !until(w, func() bool { wheel += in.WheelY; return wheel == 1 && !in.ButtonDown(input.ButtonRight) }) {
		t.Errorf("wheel %g, right button %v", wheel, in.ButtonDown(input.ButtonRight))
	}
	w.CaptureCursor(true)
	w.Poll()
	if !w.Captured() {
		t.Error("the cursor is not captured")
	}
	w.CaptureCursor(false)
	for c := input.CursorHidden; c < input.CursorCount; c++ {
		w.SetCursor(c)
	}
	w.SetCursor(input.CursorArrow)
}

func TestClipboardAndClosing(t *testing.T) {
	xvfb.Start(t)
	w, err := Open(Options{Title: "close", Width: 200, Height: 100, Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.SetClipboardText("Füße")
	if s := w.ClipboardText(); s != "Füße" {
		t.Errorf("the clipboard gives %q", s)
	}
	if w.Poll().CloseRequested {
		t.Error("nobody asked to close")
	}
	w.RequestClose()
	if first := w.Poll().CloseRequested; !first || !w.Poll().CloseRequested {
		t.Error("the request to close was lost")
	}
	w.CancelClose()
	if w.Poll().CloseRequested {
		t.Error("the request to close was not taken back")
	}
	if w.in.Focused {
		t.Error("a hidden window has the focus")
	}
	w.Close()
	w.Close()
	again, err := Open(Options{Hidden: true}) // GLFW starts a second time
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func TestWindowsKeepTheirOwnEvents(t *testing.T) {
	xvfb.Start(t)
	a, err := Open(Options{Width: 200, Height: 100, Resizable: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := Open(Options{Width: 200, Height: 100, Resizable: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.SetSize(333, 222)
	for range 20 { // polling a also delivers what belongs to b
		a.WaitEvents(0.01)
		a.Poll()
	}
	if !b.Poll().Resized || b.pixels != [2]int{333, 222} {
		t.Errorf("b was resized to %v and did not see it", b.pixels)
	}
}

func TestSurfaceNeedsAnInstance(t *testing.T) {
	xvfb.Start(t)
	w, err := Open(Options{Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.CreateSurface(0); err == nil {
		t.Error("a surface was made from no instance")
	}
	names, err := w.RequiredExtensions()
	if err != nil {
		t.Skipf("no Vulkan on this machine: %v", err)
	}
	if !slices.Contains(names, "VK_KHR_surface") || len(names) < 2 {
		t.Errorf("extensions %v", names)
	}
}

// The events are those that GLFW would deliver; no display is needed.
func TestSteadyPollAllocatesNothing(t *testing.T) {
	w := &Window{queue: make([]event, 0, 64)}
	frame := func() {
		w.push(event{kind: moved, x: 5, y: 6})
		w.push(event{kind: key, code: int32(input.KeyW), down: true})
		w.push(event{kind: char, code: 'w'})
		w.push(event{kind: scrolled, y: 1})
		w.push(event{kind: key, code: -1, down: true}) // GLFW_KEY_UNKNOWN
		w.push(event{kind: button, code: 7, down: true})
		w.in.BeginFrame()
		w.apply()
	}
	frame()
	if n := testing.AllocsPerRun(100, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestJumpsAreNoMotion(t *testing.T) {
	w := &Window{settle: true}
	step := func(events ...event) *input.State {
		w.queue = append(w.queue, events...)
		w.in.BeginFrame()
		w.apply()
		return &w.in
	}
	if in := step(event{kind: moved, x: 500, y: 400}); in.DeltaX != 0 || in.MouseX != 500 {
		t.Errorf("the first position moved the mouse by %g", in.DeltaX)
	}
	if in := step(event{kind: moved, x: 510, y: 400}); in.DeltaX != 10 {
		t.Errorf("motion of 10 counts as %g", in.DeltaX)
	}
	if in := step(event{kind: entered, down: true}, event{kind: moved, x: 10, y: 0}); in.DeltaX != 0 {
		t.Errorf("coming back moved the mouse by %g", in.DeltaX)
	}
	in := step(event{kind: key, code: int32(input.KeyW), down: true}, event{kind: focused})
	if in.Down(input.KeyW) || !in.Released(input.KeyW) {
		t.Error("a key is held after the focus went")
	}
	w.paths = append(w.paths, "a.glb", "b.fbx")
	if in := step(event{kind: dropped}); !slices.Equal(in.Dropped, []string{"a.glb", "b.fbx"}) {
		t.Errorf("dropped %v", in.Dropped)
	}
	if in := step(event{kind: iconified, down: true}); len(in.Dropped) != 0 || !w.Minimised() {
		t.Error("minimising was lost")
	}
}
