#version 460
layout(set = 0, binding = 0) uniform sampler2D font; // r is coverage

layout(location = 0) in vec2 inUV;
layout(location = 1) in vec4 inColor;
layout(location = 0) out vec4 outColor;

void main() { outColor = vec4(inColor.rgb, inColor.a * texture(font, inUV).r); }
