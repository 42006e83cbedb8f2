#version 460
#extension GL_GOOGLE_include_directive : require
#define FRAME_OUT
#include "frame.glsl"

// The triangle of fullscreen.vert, and what lighting.frag needs to find positions again: depth is
// projection[3][2] / distance - projection[2][2], distance along the view.
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 outRay;         // from the eye, world, projection[3][2] deep
layout(location = 14) flat out float outBias; // projection[2][2]

void main() {
    uv = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
    vec4 far = frame.inverseViewProjection * vec4(uv * 2.0 - 1.0, 0.5, 1.0);
    vec3 at = far.xyz / far.w;
    outRay = (at - frame.eye.xyz) * (frame.projection[3][2] / -(frame.view * vec4(at, 1.0)).z);
    outBias = frame.projection[2][2];
    handOn();
}
