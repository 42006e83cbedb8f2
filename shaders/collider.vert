#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "tonemap.glsl"

layout(location = 0) in vec3 inPosition; // world
layout(location = 1) in vec4 inColor;    // linear

layout(location = 0) out vec4 outColor;

void main() {
    outColor = vec4(encode(inColor.rgb), inColor.a);
    gl_Position = frame.viewProjection * vec4(inPosition, 1.0);
}
