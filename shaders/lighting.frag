#version 460
#extension GL_GOOGLE_include_directive : require
#define FRAME_IN
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
layout(constant_id = 1) const bool LIGHTS = true; // there are lights besides the sun

layout(constant_id = 2) const bool GLOW = true;   // the emissive image holds something

layout(location = 0) noperspective in vec2 uv;
layout(location = 1) noperspective in vec3 ray;
layout(location = 14) flat in float bias;
layout(location = 0) out vec4 outColor;

void main() {
    // Sampled, not fetched: through a sampler without mip levels lavapipe is quicker.
    vec4 baseColor = texture(gBaseColor, uv);
    vec4 emissive = GLOW ? texture(gEmissive, uv) : vec4(0.0);
    baseColor.rgb *= baseColor.rgb; // stored as its square root
    vec3 light = baseColor.rgb + emissive.rgb;
    if (baseColor.a > 0.5) {
        vec4 orm = texture(gMaterial, uv);
        vec4 n = texture(gNormal, uv);
        vec3 normal = unit(n.xyz);
        float distance = 1.0 / (texture(gDepth, uv).r + bias);
        vec3 position = frame.eye.xyz + ray * distance;
        Lit l = lit(position, normal, baseColor.rgb, orm.b, orm.g);
        float sun = sunlight(shadowMap, position, normal);
        light = shade(l, orm.r, sun, LIGHTS) + emissive.rgb;
        if (COATS && orm.a > 0.0) {
            light = coated(light, l, coatNormal(vec2(n.w, emissive.a)), orm.a, (1.0 - baseColor.a) / 0.4, orm.r, sun, LIGHTS);
        }
    }
    outColor = vec4(display(light), 1.0);
}
