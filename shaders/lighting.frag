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

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 outColor;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float depth = texelFetch(gDepth, at, 0).r;
    vec4 baseColor = texelFetch(gBaseColor, at, 0);
    vec3 emissive = texelFetch(gEmissive, at, 0).rgb;
    baseColor.rgb *= baseColor.rgb; // stored as its square root
    vec3 light = baseColor.rgb;
    if (baseColor.a > 0.5) {
        vec3 orm = texelFetch(gMaterial, at, 0).rgb;
        vec3 normal = normalize(texelFetch(gNormal, at, 0).xyz);
        vec4 world = frame.inverseViewProjection * vec4(uv * 2.0 - 1.0, depth, 1.0);
        Lit l = lit(world.xyz / world.w, normal, baseColor.rgb, orm.b, orm.g);
        light = shade(l, orm.r, sunlight(shadowMap, l.position, normal));
    }
    outColor = vec4(display(light + emissive), 1.0);
}
