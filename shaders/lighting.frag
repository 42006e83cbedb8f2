#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "sky.glsl"
#include "light.glsl"
#include "tonemap.glsl"

layout(set = 1, binding = 0) uniform sampler2D gBaseColor;
layout(set = 1, binding = 1) uniform sampler2D gNormal;
layout(set = 1, binding = 2) uniform sampler2D gMaterial;
layout(set = 1, binding = 3) uniform sampler2D gEmissive;
layout(set = 1, binding = 4) uniform sampler2D gDepth;
layout(set = 1, binding = 5) uniform sampler2DShadow shadowMap;

layout(constant_id = 0) const bool COATS = false; // some surface has a clear coat

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 outColor;

// coatNormal unfolds what octahedral of geometry.frag folded.
vec3 coatNormal(vec2 p) {
    vec3 v = vec3(p, 1.0 - abs(p.x) - abs(p.y));
    float fold = max(-v.z, 0.0);
    v.x += v.x >= 0.0 ? -fold : fold;
    v.y += v.y >= 0.0 ? -fold : fold;
    return normalize(v);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float depth = texelFetch(gDepth, at, 0).r;
    vec4 baseColor = texelFetch(gBaseColor, at, 0);
    vec4 emissive = texelFetch(gEmissive, at, 0);
    baseColor.rgb *= baseColor.rgb; // stored as its square root
    vec3 light = baseColor.rgb + emissive.rgb;
    if (baseColor.a > 0.5) {
        vec4 orm = texelFetch(gMaterial, at, 0);
        vec4 n = texelFetch(gNormal, at, 0);
        vec3 normal = normalize(n.xyz);
        vec4 world = frame.inverseViewProjection * vec4(uv * 2.0 - 1.0, depth, 1.0);
        Lit l = lit(world.xyz / world.w, normal, baseColor.rgb, orm.b, orm.g);
        float sun = sunlight(shadowMap, l.position, normal);
        light = shade(l, orm.r, sun) + emissive.rgb;
        if (COATS && orm.a > 0.0) {
            light = coated(light, l, coatNormal(vec2(n.w, emissive.a)), orm.a, (1.0 - baseColor.a) / 0.4, orm.r, sun);
        }
    }
    outColor = vec4(display(light), 1.0);
}
