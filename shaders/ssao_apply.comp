#version 460
// The occlusion of ssao.comp into the G-buffer's, which ambient light is multiplied by: one invocation smooths four by four
// of its texels that lie about as deep, and darkens two by two pixels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 1, binding = 0) uniform sampler2D occlusion;
layout(set = 1, binding = 1, rgba8) uniform image2D material; // r occlusion

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), last = textureSize(occlusion, 0) - 1;
    if (any(greaterThan(at, last))) return;
    float here = texelFetch(occlusion, at, 0).g;
    if (here >= 60000.0) return;
    vec2 sum = vec2(0.0);
    for (int y = -2; y < 2; y++)
        for (int x = -2; x < 2; x++) {
            vec2 o = texelFetch(occlusion, clamp(at + ivec2(x, y), ivec2(0), last), 0).rg;
            sum += vec2(o.r, 1.0) * max(1.0 - 12.0 * abs(o.g - here) / here, 0.0);
        }
    // At an edge of depth the four by four may all lie elsewhere; the texel itself never does.
    float open = sum.y > 0.5 ? sum.x / sum.y : texelFetch(occlusion, at, 0).r;
    for (int i = 0; i < 4; i++) {
        ivec2 pixel = 2 * at + ivec2(i & 1, i >> 1);
        if (all(lessThan(pixel, imageSize(material)))) {
            vec4 m = imageLoad(material, pixel);
            m.r *= open;
            imageStore(material, pixel, m);
        }
    }
}
