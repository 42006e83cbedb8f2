#version 460
#extension GL_GOOGLE_include_directive : require
// The rectangle of the picture that a lamp may light, at the far end of its light.
#include "frame.glsl"
#include "lamp.glsl"

layout(location = 0) out vec2 outClip;

void main() {
    const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));
    outClip = mix(lamp.rect.xy, lamp.rect.zw, corners[gl_VertexIndex]);
    gl_Position = vec4(outClip, lamp.far.x, 1.0);
}
