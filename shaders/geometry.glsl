// The vertex half of the geometry and transparent passes, and, with LIGHT defined,
// of the masked surfaces of the shadow passes.
#include "mesh.glsl"
#ifdef LIGHT
#include "seen.glsl"
#endif

layout(location = 1) in vec4 inNormal;   // xyz, snorm
layout(location = 2) in vec4 inTangent;  // xyz, and the bitangent's sign
layout(location = 3) in vec2 inUV0;
layout(location = 4) in vec2 inUV1;
layout(location = 5) in vec4 inColor;

layout(location = 0) out vec3 outPosition;
layout(location = 1) out vec3 outNormal;
layout(location = 2) out vec4 outTangent;
layout(location = 3) out vec4 outUV;     // xy set 0, zw set 1
layout(location = 4) out vec4 outColor;

void main() {
    Rows world = worldRows();
    outPosition = transformPoint(world, inPosition);
    outNormal = transformNormal(world, inNormal.xyz);
    outTangent = vec4(transformDirection(world, inTangent.xyz), inTangent.w * handedness(world));
    outUV = vec4(inUV0, inUV1);
    outColor = inColor;
    gl_PointSize = 1.0; // points must say so
#ifdef LIGHT
    gl_Position = seenFrom * vec4(outPosition, 1.0);
#else
    gl_Position = frame.viewProjection * vec4(outPosition, 1.0);
#endif
}
