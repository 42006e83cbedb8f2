#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "sky.glsl"
#include "tonemap.glsl"

layout(set = 1, binding = 0) uniform sampler2D environment; // equirectangular, +Z at its middle
layout(constant_id = 0) const bool USE_ENVIRONMENT = false;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 outColor;

const float PI = 3.14159265359;

void main() {
    vec4 far = frame.inverseViewProjection * vec4(uv * 2.0 - 1.0, 0.5, 1.0);
    vec3 direction = normalize(far.xyz / far.w - frame.eye.xyz);
    vec3 light;
    if (USE_ENVIRONMENT) {
        vec2 at = vec2(atan(direction.x, direction.z) / (2.0 * PI) + 0.5, acos(clamp(direction.y, -1.0, 1.0)) / PI);
        light = textureLod(environment, at, 0.0).rgb;
    } else {
        light = skyLight(direction, 0.0);
        float disc = smoothstep(0.99985, 0.99995, dot(direction, frame.sunDirection.xyz));
        light += frame.sunColor.rgb * disc * 4.0;
    }
    outColor = vec4(toneMap(light), 1.0);
}
