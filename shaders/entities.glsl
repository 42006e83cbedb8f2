// The vertex half of the entities pass: positions as the geometry pass has them, and whose they are.
#include "mesh.glsl"

layout(location = 0) flat out uint outEntity;

void main() {
    vec3 world = transformPoint(worldRows(), inPosition);
    outEntity = instances[gl_InstanceIndex].entity;
    gl_PointSize = 1.0; // points must say so
    gl_Position = frame.viewProjection * vec4(world, 1.0);
}
