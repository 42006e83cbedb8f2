#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "surface.glsl"
#include "sky.glsl"
#include "light.glsl"
#include "tonemap.glsl"

layout(set = 2, binding = 0) uniform sampler2DShadow shadowMap;

layout(location = 0) out vec4 outColor;

void main() {
    Surface s = surface();
    vec3 light = s.baseColor.rgb;
    if (!UNLIT) {
        Lit l = lit(inPosition, s.normal, s.baseColor.rgb, s.metallic, s.roughness);
        light = shade(l, s.occlusion, sunlight(shadowMap, l.position, s.normal));
    }
    outColor = vec4(display(light + s.emissive), s.baseColor.a);
}
