// Linear blend skinning with bones[]: rows of the weighted sum of the palette.
// Weights are used as they are; a file whose weights do not sum to 1 shows it.

struct Rows { vec4 r0, r1, r2; };

Rows boneRows(uint bone, float weight) {
    return Rows(bones[3 * bone] * weight, bones[3 * bone + 1] * weight, bones[3 * bone + 2] * weight);
}

Rows addRows(Rows a, Rows b) { return Rows(a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2); }

Rows blendBones(uint palette, uvec4 joints, vec4 weights) {
    Rows sum = boneRows(palette + joints.x, weights.x);
    sum = addRows(sum, boneRows(palette + joints.y, weights.y));
    sum = addRows(sum, boneRows(palette + joints.z, weights.z));
    return addRows(sum, boneRows(palette + joints.w, weights.w));
}

vec3 transformPoint(Rows m, vec3 p) {
    vec4 v = vec4(p, 1.0);
    return vec3(dot(m.r0, v), dot(m.r1, v), dot(m.r2, v));
}

vec3 transformDirection(Rows m, vec3 d) {
    return vec3(dot(m.r0.xyz, d), dot(m.r1.xyz, d), dot(m.r2.xyz, d));
}

// handedness is -1 where m mirrors, and 1 elsewhere.
float handedness(Rows m) { return dot(m.r0.xyz, cross(m.r1.xyz, m.r2.xyz)) < 0.0 ? -1.0 : 1.0; }

// transformNormal uses the cofactors, which are right under non-uniform scale
// and need no inverse; under a mirror they point inwards, so they are turned
// around. The length is left to the caller.
vec3 transformNormal(Rows m, vec3 n) {
    vec3 c0 = cross(m.r1.xyz, m.r2.xyz);
    vec3 c1 = cross(m.r2.xyz, m.r0.xyz);
    vec3 c2 = cross(m.r0.xyz, m.r1.xyz);
    return vec3(dot(c0, n), dot(c1, n), dot(c2, n)) * handedness(m);
}

// concat is a after b.
Rows concat(Rows a, Rows b) {
    vec4 w = vec4(0.0, 0.0, 0.0, 1.0);
    return Rows(
        a.r0.x * b.r0 + a.r0.y * b.r1 + a.r0.z * b.r2 + a.r0.w * w,
        a.r1.x * b.r0 + a.r1.y * b.r1 + a.r1.z * b.r2 + a.r1.w * w,
        a.r2.x * b.r0 + a.r2.y * b.r1 + a.r2.z * b.r2 + a.r2.w * w);
}
