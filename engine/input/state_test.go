package input

import (
	"fmt"
	"testing"
)

func TestPressAndReleaseWithinOneFrameAreBothSeen(t *testing.T) {
	var s State
	s.SetKey(KeyA, true)
	s.SetKey(KeyA, false)
	s.SetButton(ButtonLeft, true)
	s.SetButton(ButtonLeft, false)
	if s.Down(KeyA) || !s.Pressed(KeyA) || !s.Released(KeyA) {
		t.Error("a short key press was lost")
	}
	if s.ButtonDown(ButtonLeft) || !s.ButtonPressed(ButtonLeft) || !s.ButtonReleased(ButtonLeft) {
		t.Error("a short click was lost")
	}
	s.BeginFrame()
	if s.Pressed(KeyA) || s.Released(KeyA) || s.ButtonPressed(ButtonLeft) {
		t.Error("last frame's press is still seen")
	}
}

// In a slow frame the cursor may come from afar before the button goes down, and
// go on when it is up again. A camera must not turn by that.
func TestOnlyTheWayWithAButtonHeldIsDrag(t *testing.T) {
	var s State
	s.MoveMouse(100, 100)
	s.SetButton(ButtonLeft, true)
	s.MoveMouse(107, 103)
	s.SetButton(ButtonLeft, false)
	s.MoveMouse(400, 0)
	if s.DragX != 7 || s.DragY != 3 || s.DeltaX != 400 {
		t.Errorf("drag %g, %g of a delta of %g", s.DragX, s.DragY, s.DeltaX)
	}
	s.BeginFrame()
	if s.DragX != 0 || s.DragY != 0 {
		t.Error("last frame's drag is still seen")
	}
}

func TestHeldKeyRepeatsButIsPressedOnce(t *testing.T) {
	var s State
	s.SetKey(KeyDown, true)
	s.BeginFrame()
	s.SetKey(KeyDown, true)
	if s.Pressed(KeyDown) || !s.Typed(KeyDown) || !s.Down(KeyDown) {
		t.Error("auto-repeat must be typed and down, not pressed")
	}
}

func TestLosingFocusReleasesEverything(t *testing.T) {
	var s State
	s.SetKey(KeyLeftAlt, true)
	s.SetButton(ButtonRight, true)
	s.ReleaseAll()
	if s.Alt() || !s.Released(KeyLeftAlt) || s.ButtonDown(ButtonRight) || !s.ButtonReleased(ButtonRight) {
		t.Error("something is still held")
	}
}

func TestUnknownKeysAreIgnored(t *testing.T) {
	var s State
	for _, k := range []Key{-1, 0, KeyCount, 32767} {
		s.SetKey(k, true)
		if s.Down(k) || s.Pressed(k) {
			t.Errorf("key %d is held", k)
		}
	}
	s.SetButton(ButtonCount, true)
	if s.ButtonDown(ButtonCount) {
		t.Error("a button out of range is held")
	}
}

func TestSteadyFrameAllocatesNothing(t *testing.T) {
	var s State
	frame := func() {
		s.BeginFrame()
		s.SetKey(KeyW, true)
		s.Type('w')
		s.MoveMouse(3, 4)
		s.SetKey(KeyW, false)
	}
	frame()
	if n := testing.AllocsPerRun(50, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func ExampleState() {
	var in State
	in.SetKey(KeyW, true)
	in.MoveMouse(12, 5)
	fmt.Println(in.Axis(KeyS, KeyW), in.DeltaX, in.DeltaY)

	in.BeginFrame() // W stays held, the mouse rests
	fmt.Println(in.Axis(KeyS, KeyW), in.DeltaX, in.DeltaY)
	// Output:
	// 1 12 5
	// 1 0 0
}
