#version 460
#extension GL_GOOGLE_include_directive : require
// The shadow of a surface with an alpha mask: its holes let the sun through.
#include "frame.glsl"
#include "surface.glsl"

void main() {
    float alpha = material.baseColor.a * inColor.a;
    if (has(BASE_COLOR)) alpha *= texture(baseColorMap, mapUV(BASE_COLOR)).a;
    if (alpha < material.emissive.w) discard;
}
