#version 460
// Costs as many steps a pixel as the storage buffer says.
layout(set = 0, binding = 0) readonly buffer Steps { uint steps; };
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 result;
void main() {
    float x = uv.x + uv.y;
    for (uint i = 0; i < steps; i++) x = sin(x) + 1.1;
    result = vec4(x);
}
