#version 460
// Whose surface a pixel shows. The geometry pass has decided what is seen, holes of masked surfaces included: what lies
// elsewhere than its depth by more than rounding is hidden.
layout(set = 1, binding = 0) uniform sampler2D depth;

layout(location = 0) flat in uint entity;
layout(location = 0) out uint outEntity;

void main() {
    float seen = texelFetch(depth, ivec2(gl_FragCoord.xy), 0).r;
    if (abs(gl_FragCoord.z - seen) > 2e-5 * seen) discard;
    outEntity = entity;
}
