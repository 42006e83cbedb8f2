#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "surface.glsl"

// A clear coat lies in what the others leave free: see lighting.frag.
layout(location = 0) out vec4 outBaseColor;  // rgb, its square root; a 1 where lit, less by the coat's roughness, 0 where unlit
layout(location = 1) out vec4 outNormal;     // xyz, world, longer or shorter by half the coat's y; w the coat's normal, x
layout(location = 2) out vec4 outMaterial;   // occlusion, roughness, metallic, coat
layout(location = 3) out vec4 outEmissive;   // rgb; a the coat's normal, y

// octahedral folds a unit vector into a square (Cigolle et al., "A Survey of
// Efficient Representations for Independent Unit Vectors", 2014).
vec2 octahedral(vec3 v) {
    vec2 p = v.xy / (abs(v.x) + abs(v.y) + abs(v.z));
    vec2 signs = vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
    return v.z < 0.0 ? (1.0 - abs(p.yx)) * signs : p;
}

void main() {
    Surface s = surface();
    vec2 coat = has(COATED) ? octahedral(s.coatNormal) : vec2(0.0);
    outBaseColor = vec4(sqrt(s.baseColor.rgb), UNLIT ? 0.0 : 1.0 - 0.4 * s.coatRoughness);
    outNormal = vec4(has(COATED) ? s.normal * (1.0 + 0.5 * coat.y) : s.normal, coat.x); // lamp.frag cannot read emissive
    outMaterial = vec4(s.occlusion, s.roughness, s.metallic, s.coat);
    outEmissive = vec4(s.emissive, coat.y);
}
