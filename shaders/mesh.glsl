// The vertex inputs of a mesh and its matrix to the world. INFLUENCES is 0 for
// a static mesh, 4 or 8 for a skinned one.

#include "frame.glsl"
#include "skin.glsl"

layout(location = 0) in vec3 inPosition;
#if INFLUENCES >= 4
layout(location = 6) in uvec4 inJoints;
layout(location = 7) in vec4 inWeights;
#endif
#if INFLUENCES >= 8
layout(location = 8) in uvec4 inJoints1;
layout(location = 9) in vec4 inWeights1;
#endif

Rows worldRows() {
    Instance instance = instances[gl_InstanceIndex];
    Rows world = Rows(instance.row0, instance.row1, instance.row2);
#if INFLUENCES >= 4
    Rows skin = blendBones(instance.palette, inJoints, inWeights);
#if INFLUENCES >= 8
    skin = addRows(skin, blendBones(instance.palette, inJoints1, inWeights1));
#endif
    world = concat(world, skin);
#endif
    return world;
}
