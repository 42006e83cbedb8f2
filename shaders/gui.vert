#version 460
layout(location = 0) in vec2 inPosition; // points
layout(location = 1) in vec2 inUV;
layout(location = 2) in vec4 inColor;    // sRGB, as Dear ImGui's style has it

layout(constant_id = 0) const bool DECODE = true; // the target encodes to sRGB when it stores

layout(push_constant) uniform Push {
    vec2 scale, offset; // points to clip space
} push;

layout(location = 0) out vec2 outUV;
layout(location = 1) out vec4 outColor;

void main() {
    outUV = inUV;
    outColor = inColor;
    if (DECODE) {
        vec3 low = inColor.rgb / 12.92;
        vec3 high = pow((inColor.rgb + 0.055) / 1.055, vec3(2.4));
        outColor.rgb = mix(high, low, lessThanEqual(inColor.rgb, vec3(0.04045)));
    }
    gl_Position = vec4(inPosition * push.scale + push.offset, 0.0, 1.0);
}
