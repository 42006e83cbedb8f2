#version 460
// Each pixel is a mix of what was drawn and of what was there in the frame before, blurred over three by three pixels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 1, binding = 0, rgba8) uniform image2D color;
layout(set = 1, binding = 1) uniform sampler2D last;                  // a is 0 where there was no frame before
layout(set = 1, binding = 2, rgba16f) uniform writeonly image2D next;

const float KEPT = 0.75;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(color);
    if (any(greaterThanEqual(at, size))) return;
    vec4 c = vec4(imageLoad(color, at).rgb, 1.0), sum = vec4(0.0);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += texelFetch(last, clamp(at + ivec2(x, y), ivec2(0), size - 1), 0) * float((2 - abs(x)) * (2 - abs(y))) / 16.0;
    c = mix(c, sum, KEPT * sum.a);
    imageStore(next, at, vec4(c.rgb, 1.0));
    imageStore(color, at, vec4(c.rgb, 1.0));
}
