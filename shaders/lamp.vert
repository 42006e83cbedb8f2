#version 460
#extension GL_GOOGLE_include_directive : require
// The part of the picture that a lamp may light, at the far end of its light: a fan
// of triangles.
#include "frame.glsl"
#include "lamp.glsl"

layout(location = 0) out vec2 outClip;

void main() {
    int corner = gl_VertexIndex % 3 == 0 ? 0 : gl_VertexIndex / 3 + gl_VertexIndex % 3;
    vec4 two = lamp.outline[corner / 2];
    outClip = corner % 2 == 0 ? two.xy : two.zw;
    gl_Position = vec4(outClip, lamp.far.x, 1.0);
}
