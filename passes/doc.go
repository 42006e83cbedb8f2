// Package passes holds the render passes of a Bindpose frame, one file each, in
// this order:
//
//	background  the sky, or a picture of it
//	shadow      depth as the sun sees it
//	geometry    surfaces into the G-buffer, skinned on the way
//	lampshadow  depth as a point or spot light sees it; then, before the next one's,
//	lamp        its light, added to the G-buffer
//	lighting    the G-buffer into light, tone-mapped
//	transparent blended surfaces over it, from back to front
//	collider    lines: collider shapes, skeletons
//	antialias   edges smoothed on the way to the backbuffer
//	gui         Dear ImGui's triangles
//	present     the backbuffer to the screen
//
// # A pass
//
// A pass is a value with a method Declare, which package framegraph calls once a
// frame. It says what it reads and writes and returns what records it:
//
//	func (p *Tint) Declare(b *framegraph.Builder) framegraph.Record {
//		p.frame.Color = b.ColorAttachment(p.frame.Color, framegraph.Load)
//		return p.record
//	}
//
// Its pipeline is NewCompute's or NewFullscreen's, which read from the shader what
// it binds, or one made by hand, as where meshes are drawn. `bindpose new-pass`
// writes all of it; docs/add-a-pass.md explains.
//
// SSAO, Bloom and Entities are made so and stand in no frame until a program adds
// them with AddTo.
//
// Frame is the blackboard: the handles of the frame's images, which each pass
// that writes one replaces by the new version. Record functions are kept in the
// pass, so that a steady frame allocates nothing.
package passes
