#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "surface.glsl"
#include "sky.glsl"
#define LIGHT_COUNT frame.counts.y // no lamp pass lights what is transparent
#include "light.glsl"
#include "tonemap.glsl"

layout(set = 2, binding = 0) uniform sampler2DShadow shadowMap;

layout(location = 0) out vec4 outColor;

void main() {
    Surface s = surface();
    vec3 light = s.baseColor.rgb + s.emissive;
    if (!UNLIT) {
        Lit l = lit(inPosition, s.normal, s.baseColor.rgb, s.metallic, s.roughness);
        float sun = sunlight(shadowMap, l.position, s.normal);
        light = shade(l, s.occlusion, sun, true) + s.emissive;
        if (has(COATED)) light = coated(light, l, s.coatNormal, s.coat, s.coatRoughness, s.occlusion, sun, true);
    }
    outColor = vec4(display(light), s.baseColor.a);
}
