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

// Dual-quaternion skinning (Kavan et al., "Geometric Skinning with Approximate Dual
// Quaternion Blending", 2008) of bones that may be scaled: assets/dualquat.go is the
// same on the processor. A vertex has as much of it as its weights sum to above 1.

struct Dual {
    vec4 turn, move; // the rotation, and half the translation times it
    vec3 scale;
    vec4 pivot;      // the first bone's rotation, on whose side all are taken
    float total;
};

vec4 quatMul(vec4 a, vec4 b) {
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// quatOf is the rotation of a matrix with orthonormal columns x, y, z (Shepperd).
vec4 quatOf(vec3 x, vec3 y, vec3 z) {
    vec4 q;
    if (x.x + y.y + z.z > 0.0) q = vec4(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + x.x + y.y + z.z);
    else if (x.x > y.y && x.x > z.z) q = vec4(1.0 + x.x - y.y - z.z, x.y + y.x, x.z + z.x, y.z - z.y);
    else if (y.y > z.z) q = vec4(x.y + y.x, 1.0 + y.y - x.x - z.z, y.z + z.y, z.x - x.z);
    else q = vec4(x.z + z.x, y.z + z.y, 1.0 + z.z - x.x - y.y, x.y - y.x);
    return normalize(q);
}

void addBone(inout Dual d, uint bone, float weight) {
    if (weight == 0.0) return;
    vec4 r0 = bones[3 * bone], r1 = bones[3 * bone + 1], r2 = bones[3 * bone + 2];
    vec3 x = vec3(r0.x, r1.x, r2.x), y = vec3(r0.y, r1.y, r2.y), z = vec3(r0.z, r1.z, r2.z);
    vec3 scale = vec3(length(x), length(y), length(z));
    if (dot(x, cross(y, z)) < 0.0) scale.x = -scale.x;
    vec3 by = vec3(scale.x == 0.0 ? 1.0 : 1.0 / scale.x, scale.y == 0.0 ? 1.0 : 1.0 / scale.y, scale.z == 0.0 ? 1.0 : 1.0 / scale.z);
    vec4 turn = quatOf(x * by.x, y * by.y, z * by.z);
    vec4 move = quatMul(vec4(0.5 * vec3(r0.w, r1.w, r2.w), 0.0), turn);
    if (d.total == 0.0) d.pivot = turn;
    float side = dot(turn, d.pivot) < 0.0 ? -weight : weight;
    d.turn += side * turn;
    d.move += side * move;
    d.scale += weight * scale;
    d.total += weight;
}

void addBones(inout Dual d, uint palette, uvec4 joints, vec4 weights) {
    addBone(d, palette + joints.x, weights.x);
    addBone(d, palette + joints.y, weights.y);
    addBone(d, palette + joints.z, weights.z);
    addBone(d, palette + joints.w, weights.w);
}

// dualRows is the matrix of a sum of bones: linear is what blendBones makes of them.
Rows dualRows(Dual d, Rows linear) {
    float share = d.total - 1.0, n = length(d.turn);
    linear = Rows(linear.r0 / d.total, linear.r1 / d.total, linear.r2 / d.total);
    if (!(n > 0.0) || share <= 0.0) return linear;
    vec4 q = d.turn / n;
    vec3 t = 2.0 * quatMul(d.move / n, vec4(-q.xyz, q.w)).xyz;
    vec3 s = d.scale / d.total;
    Rows r = Rows(
        vec4((1.0 - 2.0 * (q.y * q.y + q.z * q.z)) * s.x, 2.0 * (q.x * q.y - q.w * q.z) * s.y, 2.0 * (q.x * q.z + q.w * q.y) * s.z, t.x),
        vec4(2.0 * (q.x * q.y + q.w * q.z) * s.x, (1.0 - 2.0 * (q.x * q.x + q.z * q.z)) * s.y, 2.0 * (q.y * q.z - q.w * q.x) * s.z, t.y),
        vec4(2.0 * (q.x * q.z - q.w * q.y) * s.x, 2.0 * (q.y * q.z + q.w * q.x) * s.y, (1.0 - 2.0 * (q.x * q.x + q.y * q.y)) * s.z, t.z));
    return Rows(mix(linear.r0, r.r0, share), mix(linear.r1, r.r1, share), mix(linear.r2, r.r2, share));
}

// skinRows is the matrix of a vertex's bones; joints1 and weights1 of four
// influences are zeros.
Rows skinRows(bool dual, uint palette, uvec4 joints, vec4 weights, uvec4 joints1, vec4 weights1, bool eight) {
    Rows skin = blendBones(palette, joints, weights);
    if (eight) skin = addRows(skin, blendBones(palette, joints1, weights1));
    if (!dual) return skin;
    Dual d = Dual(vec4(0.0), vec4(0.0), vec3(0.0), vec4(0.0), 0.0);
    addBones(d, palette, joints, weights);
    if (eight) addBones(d, palette, joints1, weights1);
    return dualRows(d, skin);
}
