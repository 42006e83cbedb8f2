#version 460
// The entity at one pixel, into one of two places.
layout(local_size_x = 1) in;
layout(set = 1, binding = 0) uniform usampler2D entities;
layout(std430, set = 1, binding = 1) writeonly buffer Picked { uint picked[2]; };
layout(push_constant) uniform Question { ivec2 at; uint place; };

void main() {
    picked[place] = texelFetch(entities, clamp(at, ivec2(0), textureSize(entities, 0) - 1), 0).r;
}
