#version 460
// One axis of a Gaussian blur of 25 texels, two fetched at a time. The second axis also turns light into the display value
// that the last pass lays over the picture.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 1, binding = 0) uniform sampler2D from;
layout(set = 1, binding = 1, rgba16f) uniform writeonly image2D to;
layout(constant_id = 0) const bool DOWN = false;

const float STRENGTH = 0.5, SIGMA = 4.0; // texels

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(to)))) return;
    vec2 texel = 1.0 / vec2(textureSize(from, 0)), uv = (vec2(at) + 0.5) * texel, along = DOWN ? vec2(0.0, texel.y) : vec2(texel.x, 0.0);
    vec4 sum = vec4(textureLod(from, uv, 0.0).rgb, 1.0);
    for (float i = 1.0; i < 13.0; i += 2.0) {
        float a = exp(-0.5 * i * i / (SIGMA * SIGMA)), b = exp(-0.5 * (i + 1.0) * (i + 1.0) / (SIGMA * SIGMA));
        vec2 offset = along * (i + b / (a + b));
        sum += (a + b) * vec4(textureLod(from, uv + offset, 0.0).rgb + textureLod(from, uv - offset, 0.0).rgb, 2.0);
    }
    vec3 light = sum.rgb / sum.a;
    if (DOWN) light = pow(clamp(STRENGTH * light, 0.0, 1.0), vec3(1.0 / 2.2));
    imageStore(to, at, vec4(light, 1.0));
}
