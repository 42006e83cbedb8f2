#version 460
// Writes one colour a row to a storage buffer, and to a storage image.
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint BASE = 0;
layout(set = 0, binding = 0) writeonly buffer Rows { vec4 rows[]; };
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D picture;
void main() {
    uint y = gl_GlobalInvocationID.x;
    rows[y] = vec4(float(y) / 63.0, float(BASE) / 255.0, 0, 1);
    for (int x = 0; x < 64; x++)
        imageStore(picture, ivec2(x, int(y)), vec4(float(x) / 63.0, float(y) / 63.0, 1, 1));
}
