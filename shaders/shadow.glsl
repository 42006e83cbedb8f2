// The shadow passes: depth as a light sees it, nothing else.
#include "mesh.glsl"
#include "seen.glsl"

void main() {
    vec3 world = transformPoint(worldRows(), inPosition);
    gl_Position = seenFrom * vec4(world, 1.0);
}
