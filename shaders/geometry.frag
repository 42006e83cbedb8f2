#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "surface.glsl"

layout(location = 0) out vec4 outBaseColor;  // rgb, its square root; a 1 where lit, 0 where unlit
layout(location = 1) out vec4 outNormal;     // xyz, world
layout(location = 2) out vec4 outMaterial;   // occlusion, roughness, metallic
layout(location = 3) out vec4 outEmissive;   // rgb

void main() {
    Surface s = surface();
    outBaseColor = vec4(sqrt(s.baseColor.rgb), UNLIT ? 0.0 : 1.0);
    outNormal = vec4(s.normal, 0.0);
    outMaterial = vec4(s.occlusion, s.roughness, s.metallic, 1.0);
    outEmissive = vec4(s.emissive, 1.0);
}
