#version 460
#extension GL_GOOGLE_include_directive : require
// The part of the picture that a lamp may light, at the far end of its light: a fan
// of triangles. What each pixel reads of the lamp is handed on: see frame.glsl.
#include "frame.glsl"
#include "lamp.glsl"

layout(std430, set = 1, binding = 5) readonly buffer LampBuffer { Lamp lamp; };

layout(location = 0) out vec2 outUV;
layout(location = 1) out vec3 outRay;      // from the eye, world, projection[3][2] deep: see lighting.vert
layout(location = 2) flat out vec4 outEye; // xyz world; w projection[2][2]
layout(location = 3) flat out LampLight outLamp;

void main() {
    int corner = gl_VertexIndex % 3 == 0 ? 0 : gl_VertexIndex / 3 + gl_VertexIndex % 3;
    vec4 two = lamp.outline[corner / 2];
    vec2 clip = corner % 2 == 0 ? two.xy : two.zw;
    gl_Position = vec4(clip, lamp.far.x, 1.0);
    outUV = clip * 0.5 + 0.5;
    vec4 far = frame.inverseViewProjection * vec4(clip, 0.5, 1.0);
    vec3 at = far.xyz / far.w;
    outRay = (at - frame.eye.xyz) * (frame.projection[3][2] / -(frame.view * vec4(at, 1.0)).z);
    outEye = vec4(frame.eye.xyz, frame.projection[2][2]);
    outLamp = LampLight(lamp.light, lamp.depth, lamp.tile, lamp.map);
}
