// Package render makes models resident on the device, and writes what one frame
// draws into the frame's ring. The passes draw what it collected.
//
// # Concept
//
// A [Library] holds each model once, however many entities show it: its vertices
// in streams, its textures with mip levels, a descriptor set a material. It also
// holds the set layouts that all passes share.
//
// A [Frame] is what one frame draws. Upload walks the scene's visible entities,
// sorts them under the part of a model that they show, and writes globals,
// instance records, palettes and lights into the ring, each once. A [Batch] is one
// instanced draw of one primitive; Opaque and Blended are the batches in drawing
// order.
//
//	err := frame.Upload(library, gpuFrame, scene, render.View{Camera: camera, Width: w, Height: h})
//	for i := range frame.Opaque {
//		draw(&frame.Opaque[i])
//	}
//
// ChooseLamps chooses which lights cast shadows before the frame is declared; Upload
// then finds what stands in their way, and Casters tells it. See docs/architecture.md.
//
// The records' layouts are those of shaders/frame.glsl.
//
// # Cost
//
// An entity more costs a record for each mesh it shows and three rows for each
// bone; entities that show the same share their draws. A mesh with morph targets is
// blended on the processor and drawn by itself. A light that casts shadows costs six
// tests of a box for each entity in its range. Frame is reused, so a steady frame
// allocates nothing.
package render
