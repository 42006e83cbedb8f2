package input

// Cursor is the shape of the mouse cursor: what a GUI asks for and a window shows.
type Cursor int8

// The cursor shapes.
const (
	CursorHidden Cursor = iota - 1
	CursorArrow
	CursorText
	CursorMove
	CursorResizeVertical
	CursorResizeHorizontal
	CursorResizeRising  // along /
	CursorResizeFalling // along \
	CursorHand
	CursorForbidden
	CursorCount // one past the last shape
)
