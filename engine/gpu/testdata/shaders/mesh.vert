#version 460
// Positions in pixels of a 64-pixel square; the colour is an instance's.
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 color;
layout(push_constant) uniform Push { vec2 offset; };
layout(location = 0) out vec3 tint;
void main() {
    tint = color.rgb;
    gl_Position = vec4((position + offset) / 32.0 - 1.0, 0.5, 1);
}
