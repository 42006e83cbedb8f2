#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
// How much of the sky the surroundings hide, at half the picture's size: the estimator of McGuire and others, "The Alchemy
// Screen-Space Ambient Obscurance Algorithm" (2011), equation 10. Each pixel turns its samples by another angle; the pass
// that applies it averages that away.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 1, binding = 0) uniform sampler2D depth;
layout(set = 1, binding = 1) uniform sampler2D normals;
layout(set = 1, binding = 2, rgba16f) uniform writeonly image2D occlusion; // r open share, g distance along the view

const int SAMPLES = 8;
const float RADIUS = 0.8;    // metres
const float STRENGTH = 1.6;
const float BIAS = 0.0015;   // metres of relief that count as flat, a metre away

// seen is the point in view space behind a pixel of the whole picture.
vec3 seen(ivec2 at) {
    float z = frame.projection[3][2] / (texelFetch(depth, at, 0).r + frame.projection[2][2]);
    vec2 clip = (vec2(at) + 0.5) * frame.viewport.zw * 2.0 - 1.0;
    return vec3(clip * z / vec2(frame.projection[0][0], frame.projection[1][1]), -z);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = ivec2(frame.viewport.xy), full = min(2 * at, size - 1);
    if (any(greaterThanEqual(at, imageSize(occlusion)))) return;
    if (texelFetch(depth, full, 0).r == 0.0) {
        imageStore(occlusion, at, vec4(1.0, 60000.0, 0.0, 0.0)); // nothing there
        return;
    }
    vec3 here = seen(full);
    vec3 normal = mat3(frame.view) * normalize(texelFetch(normals, full, 0).xyz);
    float reach = clamp(RADIUS * 0.5 * frame.viewport.y * abs(frame.projection[1][1]) / -here.z, 3.0, 120.0); // pixels
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(vec2(at), vec2(0.06711056, 0.00583715))));
    float hidden = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        float along = (float(i) + 0.5) / float(SAMPLES), angle = turn + float(i) * 2.3999632; // a spiral by the golden angle
        ivec2 there = clamp(full + ivec2(reach * along * vec2(cos(angle), sin(angle))), ivec2(0), size - 1);
        vec3 v = seen(there) - here;
        float near = max(1.0 - dot(v, v) / (RADIUS * RADIUS), 0.0);
        hidden += near * max(dot(v, normal) + here.z * BIAS, 0.0) * inversesqrt(dot(v, v) + 1e-4);
    }
    float open = max(1.0 - STRENGTH * 2.0 * hidden / float(SAMPLES), 0.0);
    imageStore(occlusion, at, vec4(open * open, -here.z, 0.0, 0.0));
}
