#version 460
// What shines in the color image, at a quarter of its size. The image holds display values: each is decoded, and the tone
// curve of tonemap.glsl is undone, which gives the exposed light back up to 7.2; what was brighter is held to be that.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 1, binding = 0) uniform sampler2D color;
layout(set = 1, binding = 1, rgba16f) uniform writeonly image2D bright;

const float FROM = 1.3; // light up to here does not shine: 0.93 as a display value

vec3 light(vec3 c) {
    vec3 y = mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThanEqual(c, vec3(0.04045)));
    vec3 a = 2.51 - 2.43 * y, b = 0.59 * y - 0.03; // a x² − b x − 0.14 y = 0
    return (b + sqrt(b * b + 0.56 * a * y)) / (2.0 * a);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(bright);
    if (any(greaterThanEqual(at, size))) return;
    vec2 texel = 1.0 / vec2(textureSize(color, 0));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++) { // each the mean of two by two
        vec3 x = light(textureLod(color, (vec2(4 * at) + 1.0 + 2.0 * vec2(i & 1, i >> 1)) * texel, 0.0).rgb);
        float most = max(x.r, max(x.g, x.b));
        sum += x * max(most - FROM, 0.0) / max(most, 1e-4);
    }
    imageStore(bright, at, vec4(0.25 * sum, 1.0));
}
