#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "tonemap.glsl"

layout(set = 1, binding = 0) uniform sampler2D environment; // equirectangular, +Z at its middle

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 outColor;

const float PI = 3.14159265359;

void main() {
    vec4 far = frame.inverseViewProjection * vec4(uv * 2.0 - 1.0, 0.5, 1.0);
    vec3 direction = normalize(far.xyz / far.w - frame.eye.xyz);
    vec2 at = vec2(atan(direction.x, direction.z) / (2.0 * PI) + 0.5, acos(clamp(direction.y, -1.0, 1.0)) / PI);
    outColor = vec4(display(textureLod(environment, at, 0.0).rgb), 1.0);
}
