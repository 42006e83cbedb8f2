#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "sky.glsl"
#include "tonemap.glsl"

// The sky's gradient is smooth, so it is computed at the corners of a grid over
// the screen and interpolated; rows are close, since it changes most upwards.
// Its cost is triangles: with sixteen columns a sky of 320×180 took a third longer.
const uint COLUMNS = 8u, ROWS = 120u; // passes/background.go draws six vertices for each cell

layout(location = 0) out vec3 outColor;
layout(location = 1) out vec3 outRay; // from the eye, world, of no length in particular

void main() {
    uint cell = gl_VertexIndex / 6u, corner = gl_VertexIndex % 6u;
    // Two triangles: corners 0 1 2 and 2 1 3 of the cell.
    uint c = corner < 3u ? corner : corner == 3u ? 2u : corner == 4u ? 1u : 3u;
    vec2 at = vec2(cell % COLUMNS + (c & 1u), cell / COLUMNS + (c >> 1)) / vec2(COLUMNS, ROWS);
    vec4 far = frame.inverseViewProjection * vec4(at * 2.0 - 1.0, 0.5, 1.0);
    outRay = far.xyz / far.w - frame.eye.xyz;
    outColor = display(skyLight(normalize(outRay), 0.0));
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
