#version 460
// The glow over the picture, blended as 1 − (1 − glow)(1 − picture). Both are display values.
layout(set = 1, binding = 0) uniform sampler2D glow;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 outColor;

void main() {
    // Half a step of the picture's 8 bits, in a fixed pattern, hides the steps of a faint glow.
    float dither = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    vec3 c = textureLod(glow, uv, 0.0).rgb;
    outColor = vec4(max(c + dither / 255.0, 0.0) * step(0.5 / 255.0, c), 1.0);
}
