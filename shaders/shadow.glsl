// The shadow pass: depth as the sun sees it, nothing else.
#include "mesh.glsl"

void main() {
    vec3 world = transformPoint(worldRows(), inPosition);
    gl_Position = frame.shadow * vec4(world, 1.0);
}
