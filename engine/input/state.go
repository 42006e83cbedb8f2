package input

// State is the input of one frame. What is held (down) lasts until it is
// released; everything else speaks of this frame alone and is cleared by
// BeginFrame. The zero value is a frame in which nothing happened, of a window
// without focus.
type State struct {
	MouseX, MouseY float32  // window units from the top left
	DeltaX, DeltaY float32  // mouse motion of this frame, also while the cursor is captured
	DragX, DragY   float32  // the part of it while a button was held
	WheelX, WheelY float32  // notches of this frame; positive Y is away from the user
	MouseInside    bool     // the cursor is over the window
	Focused        bool     // the window receives keys
	Resized        bool     // the framebuffer's size changed in this frame
	ScaleChanged   bool     // the content scale changed in this frame
	CloseRequested bool     // the user asked the window to close; stays set until it is taken back
	Text           []rune   // characters typed in this frame, layout and dead keys applied
	Dropped        []string // paths of the files dropped onto the window in this frame
	down           [KeyCount]bool
	pressed        [KeyCount]bool // went down in this frame, auto-repeat not counted
	repeated       [KeyCount]bool // auto-repeat fired in this frame
	released       [KeyCount]bool
	button         [ButtonCount]bool
	buttonPressed  [ButtonCount]bool
	buttonReleased [ButtonCount]bool
}

// Down reports whether the key is held.
func (s *State) Down(k Key) bool { return k.valid() && s.down[k] }

// Pressed reports whether the key went down in this frame. A key that went down
// and up within one frame is pressed and released, but not down.
func (s *State) Pressed(k Key) bool { return k.valid() && s.pressed[k] }

// Typed is Pressed, or repeated by holding: what a text field or a list acts on.
func (s *State) Typed(k Key) bool { return k.valid() && (s.pressed[k] || s.repeated[k]) }

// Released reports whether the key went up in this frame.
func (s *State) Released(k Key) bool { return k.valid() && s.released[k] }

// ButtonDown reports whether the mouse button is held.
func (s *State) ButtonDown(b Button) bool { return b < ButtonCount && s.button[b] }

// ButtonPressed reports whether the mouse button went down in this frame.
func (s *State) ButtonPressed(b Button) bool { return b < ButtonCount && s.buttonPressed[b] }

// ButtonReleased reports whether the mouse button went up in this frame.
func (s *State) ButtonReleased(b Button) bool { return b < ButtonCount && s.buttonReleased[b] }

// Axis is 1 while only positive is held, -1 while only negative is, otherwise 0.
func (s *State) Axis(negative, positive Key) float32 {
	v := float32(0)
	if s.Down(positive) {
		v++
	}
	if s.Down(negative) {
		v--
	}
	return v
}

// Shift, Control, Alt and Super report whether either key of the pair is held.
func (s *State) Shift() bool   { return s.down[KeyLeftShift] || s.down[KeyRightShift] }
func (s *State) Control() bool { return s.down[KeyLeftControl] || s.down[KeyRightControl] }
func (s *State) Alt() bool     { return s.down[KeyLeftAlt] || s.down[KeyRightAlt] }
func (s *State) Super() bool   { return s.down[KeyLeftSuper] || s.down[KeyRightSuper] }

// BeginFrame forgets what belonged to the last frame and keeps what is held. The
// window calls it before it gathers events; a test calls it between frames.
func (s *State) BeginFrame() {
	s.DeltaX, s.DeltaY, s.DragX, s.DragY, s.WheelX, s.WheelY = 0, 0, 0, 0, 0, 0
	s.Resized, s.ScaleChanged = false, false
	s.Text = s.Text[:0]
	s.Dropped = s.Dropped[:0]
	clear(s.pressed[:])
	clear(s.repeated[:])
	clear(s.released[:])
	clear(s.buttonPressed[:])
	clear(s.buttonReleased[:])
}

// SetKey records that a key went down or up. A second press of a key that is
// held counts as its auto-repeat. A key outside the range is ignored.
func (s *State) SetKey(k Key, down bool) {
	switch {
	case !k.valid():
	case down && s.down[k]:
		s.repeated[k] = true
	case down:
		s.down[k], s.pressed[k] = true, true
	case s.down[k]:
		s.down[k], s.released[k] = false, true
	}
}

// SetButton records that a mouse button went down or up.
func (s *State) SetButton(b Button, down bool) {
	if b >= ButtonCount || s.button[b] == down {
		return
	}
	s.button[b] = down
	if down {
		s.buttonPressed[b] = true
	} else {
		s.buttonReleased[b] = true
	}
}

// MoveMouse moves the cursor and adds the way to this frame's delta, and to its
// drag where a button is held.
func (s *State) MoveMouse(x, y float32) {
	dx, dy := x-s.MouseX, y-s.MouseY
	s.DeltaX += dx
	s.DeltaY += dy
	if s.button != [ButtonCount]bool{} {
		s.DragX += dx
		s.DragY += dy
	}
	s.MouseX, s.MouseY = x, y
	s.MouseInside = true
}

// Type records a typed character.
func (s *State) Type(r rune) { s.Text = append(s.Text, r) }

// ReleaseAll lets go of every key and button. The window calls it when it loses
// focus, because the releases that follow go to another window.
func (s *State) ReleaseAll() {
	for k := range s.down {
		s.SetKey(Key(k), false)
	}
	for b := range s.button {
		s.SetButton(Button(b), false)
	}
}
