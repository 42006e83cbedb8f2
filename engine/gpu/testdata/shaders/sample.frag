#version 460
// Flips what it samples left to right, and scales it by a uniform.
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1) uniform Scale { vec4 scale; };
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() { result = texture(source, vec2(1.0 - uv.x, uv.y)) * scale; }
