#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "tonemap.glsl"

layout(constant_id = 0) const bool SUN = true; // the sun's disc may be in view

layout(location = 0) in vec3 inColor;
layout(location = 1) in vec3 inRay;
layout(location = 0) out vec4 outColor;

void main() {
    outColor = vec4(inColor, 1.0);
    if (SUN) {
        float disc = smoothstep(0.99985, 0.99995, dot(normalize(inRay), frame.sunDirection.xyz));
        outColor.rgb = mix(outColor.rgb, display(frame.sunColor.rgb * 4.0), disc);
    }
}
