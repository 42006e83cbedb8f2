#version 460
#extension GL_GOOGLE_include_directive : require
#define INFLUENCES 8
#define LIGHT
#include "geometry.glsl"
