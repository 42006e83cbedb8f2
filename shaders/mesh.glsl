// The vertex inputs of a mesh and its matrix to the world. INFLUENCES is 0 for
// a static mesh, 4 or 8 for a skinned one.

#include "frame.glsl"
#include "skin.glsl"

layout(location = 0) in vec3 inPosition;
#if INFLUENCES >= 4
layout(location = 6) in uvec4 inJoints;
layout(location = 7) in vec4 inWeights;

layout(constant_id = 0) const bool DUAL = false; // some vertices are skinned by dual quaternions
#endif
#if INFLUENCES >= 8
layout(location = 8) in uvec4 inJoints1;
layout(location = 9) in vec4 inWeights1;
#endif

Rows worldRows() {
    Instance instance = instances[gl_InstanceIndex];
    Rows world = Rows(instance.row0, instance.row1, instance.row2);
#if INFLUENCES >= 8
    world = concat(world, skinRows(DUAL, instance.palette, inJoints, inWeights, inJoints1, inWeights1, true));
#elif INFLUENCES >= 4
    world = concat(world, skinRows(DUAL, instance.palette, inJoints, inWeights, uvec4(0), vec4(0.0), false));
#endif
    return world;
}
