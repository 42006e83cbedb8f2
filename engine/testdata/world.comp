#version 460
#extension GL_GOOGLE_include_directive : require
// World positions of one instance's vertices, from the same streams, records and
// palettes that the frame's vertex shaders read.
#include "frame.glsl"
#include "skin.glsl"

layout(local_size_x = 64) in;

layout(std430, set = 1, binding = 0) readonly buffer Positions { float positions[]; }; // stream 0
layout(std430, set = 1, binding = 1) readonly buffer Skin0 { uint skin0[]; };          // stream 2
layout(std430, set = 1, binding = 2) readonly buffer Skin1 { uint skin1[]; };          // stream 3
layout(std430, set = 1, binding = 3) writeonly buffer World { vec4 world[]; };

layout(push_constant) uniform Push {
    uint vertices, instance, influences, first; // first: where in world[]
    uint position, skin0, skin1;                // where the streams begin, in words
    uint dual;                                  // skinned by dual quaternions
} push;

uvec4 joints0(uint v) {
    uvec2 w = uvec2(skin0[push.skin0 + 6 * v], skin0[push.skin0 + 6 * v + 1]);
    return uvec4(w.x & 0xffffu, w.x >> 16, w.y & 0xffffu, w.y >> 16);
}

uvec4 joints1(uint v) {
    uvec2 w = uvec2(skin1[push.skin1 + 6 * v], skin1[push.skin1 + 6 * v + 1]);
    return uvec4(w.x & 0xffffu, w.x >> 16, w.y & 0xffffu, w.y >> 16);
}

vec4 weights0(uint v) {
    uint at = push.skin0 + 6 * v + 2;
    return uintBitsToFloat(uvec4(skin0[at], skin0[at + 1], skin0[at + 2], skin0[at + 3]));
}

vec4 weights1(uint v) {
    uint at = push.skin1 + 6 * v + 2;
    return uintBitsToFloat(uvec4(skin1[at], skin1[at + 1], skin1[at + 2], skin1[at + 3]));
}

void main() {
    uint v = gl_GlobalInvocationID.x;
    if (v >= push.vertices) return;
    Instance instance = instances[push.instance];
    Rows rows = Rows(instance.row0, instance.row1, instance.row2);
    if (push.influences >= 4) {
        bool eight = push.influences >= 8;
        Rows skin = skinRows(push.dual != 0, instance.palette, joints0(v), weights0(v),
            eight ? joints1(v) : uvec4(0), eight ? weights1(v) : vec4(0.0), eight);
        rows = concat(rows, skin);
    }
    uint at = push.position + 3 * v;
    vec3 p = vec3(positions[at], positions[at + 1], positions[at + 2]);
    world[push.first + v] = vec4(transformPoint(rows, p), 1.0);
}
