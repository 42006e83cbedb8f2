#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "tonemap.glsl"

layout(constant_id = 0) const bool SUN = true; // the sun's disc may be in view

layout(location = 0) in vec3 inColor;
layout(location = 1) in vec3 inRay;
layout(location = 0) out vec4 outColor;

// noise is in [0, 1), its mean over any few pixels near 1/2: Jimenez's interleaved
// gradient noise ("Next Generation Post Processing in Call of Duty: Advanced
// Warfare", 2014).
float noise(vec2 at) { return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715)))); }

void main() {
    outColor = vec4(inColor, 1.0);
    if (SUN) {
        float disc = smoothstep(0.99985, 0.99995, dot(normalize(inRay), frame.sunDirection.xyz));
        outColor.rgb = mix(outColor.rgb, display(frame.sunColor.rgb * 4.0), disc);
    }
    // By less than a step of the image's eight bits, which else show as bands.
    outColor.rgb += (noise(gl_FragCoord.xy) - 0.5) / 255.0;
}
