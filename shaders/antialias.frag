#version 460
// Fast approximate antialiasing after Timothy Lottes, "FXAA" (2009): where
// brightness changes along an edge, the pixel becomes a blend along the edge.
// Colors are sRGB-encoded, so differences are what the eye sees.
layout(set = 0, binding = 0) uniform sampler2D color;
layout(constant_id = 0) const bool SMOOTH = true;
layout(constant_id = 1) const bool DECODE = false; // the target encodes to sRGB when it stores

layout(location = 0) noperspective in vec2 uv;
layout(location = 0) out vec4 outColor;

float brightness(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }

vec3 stored(vec3 c) {
    if (!DECODE) return c;
    return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThanEqual(c, vec3(0.04045)));
}

void main() {
    ivec2 size = textureSize(color, 0), at = ivec2(gl_FragCoord.xy), last = size - 1;
    vec3 center = texelFetch(color, at, 0).rgb;
    outColor = vec4(stored(center), 1.0);
    if (!SMOOTH) return;
    float m = brightness(center);
    float nw = brightness(texelFetch(color, max(at - 1, ivec2(0)), 0).rgb);
    float ne = brightness(texelFetch(color, ivec2(min(at.x + 1, last.x), max(at.y - 1, 0)), 0).rgb);
    float sw = brightness(texelFetch(color, ivec2(max(at.x - 1, 0), min(at.y + 1, last.y)), 0).rgb);
    float se = brightness(texelFetch(color, min(at + 1, last), 0).rgb);
    float low = min(m, min(min(nw, ne), min(sw, se)));
    float high = max(m, max(max(nw, ne), max(sw, se)));

    bool edge = high - low >= max(0.02, high * 0.06);

    // The edge runs across the gradient.
    vec2 along = vec2((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    float shortest = min(abs(along.x), abs(along.y)) + max((nw + ne + sw + se) * 0.03, 0.008);
    along = clamp(along * (1.0 / shortest), -8.0, 8.0) * (1.0 / vec2(size));

    // Two samples near by, then two farther along where there is an edge. It is a loop
    // since lavapipe runs both sides of an if, but no turn of a loop that no pixel of
    // eight needs; and it is quicker without an explicit mip level where there is one.
    vec3 near, far = center;
    vec2 reach = along / 6.0;
    for (bool more = edge;; more = false) {
        near = far;
        far = 0.5 * (texture(color, uv - reach).rgb + texture(color, uv + reach).rgb);
        if (!more) break;
        reach *= 3.0;
    }
    vec3 wide = 0.5 * (near + far);
    float b = brightness(wide);
    outColor.rgb = stored(edge ? (b < low || b > high ? near : wide) : center);
}
