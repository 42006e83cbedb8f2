#version 460
// Left half from the buffer, right half from the image.
layout(set = 0, binding = 0) readonly buffer Rows { vec4 rows[]; };
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() {
    result = uv.x < 0.5 ? rows[int(gl_FragCoord.y)] : texture(picture, uv);
}
