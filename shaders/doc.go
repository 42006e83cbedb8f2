// Package shaders holds Bindpose's GLSL and the SPIR-V compiled from it.
//
// # Concept
//
// Each shader is one file here, named after its pass and stage: geometry.vert, geometry.frag, cull.comp. Shared pieces
// end in .glsl and are included. `make shaders` compiles each stage beside
// its source, `glslc --target-env=vulkan1.3 -O -Ishaders -o …`, and checks it with spirv-val. The
// SPIR-V is committed, so that a build needs no shader compiler; CI compiles again and fails on a difference.
//
//	gpu.Shader{Name: "geometry.vert", Code: shaders.Code("geometry.vert")}
//
// Shaders of another module include the shared pieces too: [Compile] and `bindpose shaders` find them wherever they are
// called.
//
// # Cost
//
// [Code] copies nothing for the caller but what embed.FS copies, once a call; it is for pipeline creation.
// [Compile] starts glslc, about a tenth of a second.
package shaders
