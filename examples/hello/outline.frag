#version 460
// Ink where depth folds or breaks.
//
// Depth is reversed, so d is close to near/distance, and 1/distance is linear
// over the screen on any plane. The second difference of d therefore vanishes
// inside a face, however steep it is seen; what is left is a crease or a
// silhouette.
layout(set = 0, binding = 0) uniform sampler2D depth;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 outColor;

const vec3 INK = vec3(0.15, 0.15, 0.25); // sRGB-encoded, as the color image is

void main() {
    vec2 texel = 1.0 / vec2(textureSize(depth, 0));
    float d = textureLod(depth, uv, 0.0).r;
    float fold = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        vec2 along = axis == 0 ? vec2(texel.x, 0.0) : vec2(0.0, texel.y);
        float a = textureLod(depth, uv - along, 0.0).r, b = textureLod(depth, uv + along, 0.0).r;
        fold = max(fold, abs(a + b - 2.0 * d) / max(max(a, b), max(d, 1e-9)));
    }
    outColor = vec4(INK, 0.85 * smoothstep(0.01, 0.03, fold));
}
