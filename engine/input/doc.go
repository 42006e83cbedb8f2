// Package input holds what the user did since the last frame: one plain State
// that the window fills and that the GUI, cameras and scripts read. It knows
// nothing of GLFW or of any window, so a test or a script can write a State by
// hand and everything that reads it behaves as it would on a screen.
//
//	if in.Pressed(input.KeyEscape) {
//		return
//	}
//	forward := in.Axis(input.KeyS, input.KeyW) // -1, 0 or 1
//
// Positions are window units, which are not always framebuffer pixels, with the
// origin at the top left and Y down.
//
// A State is about 1.3 kB. Its slices keep their memory from frame to frame, so
// a steady frame allocates nothing; reading it is an array access.
package input
