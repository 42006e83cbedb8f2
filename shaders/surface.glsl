// A glTF metallic-roughness surface at a fragment (glTF 2.0 §3.9): set 1 is the
// material, the inputs are geometry.glsl's outputs.
//
// The material is a uniform buffer, unlike everything else: lavapipe reads zeros
// from storage buffers in the pixels of a quad that the triangle does not cover,
// and with them the texture coordinates' derivatives, and so the mip level along
// every edge, would be wrong. Nothing here branches on its values.

struct Material {
    vec4 baseColor;
    vec4 emissive;        // rgb; w alpha cutoff, negative where there is no mask
    vec4 factors;         // metallic, roughness, normal scale, occlusion strength
    uvec4 uvSets;         // bit i of x: map i uses set 1
    vec4 coat;            // clear coat: factor, roughness, normal scale
    vec4 transform[8][2]; // by map: rows (a b c _) of the UV transform
};

layout(std140, set = 1, binding = 0) uniform MaterialBlock { Material material; };
layout(set = 1, binding = 1) uniform sampler2D baseColorMap;
layout(set = 1, binding = 2) uniform sampler2D metalRoughMap;
layout(set = 1, binding = 3) uniform sampler2D normalMap;
layout(set = 1, binding = 4) uniform sampler2D occlusionMap;
layout(set = 1, binding = 5) uniform sampler2D emissiveMap;
layout(set = 1, binding = 6) uniform sampler2D coatMap;
layout(set = 1, binding = 7) uniform sampler2D coatRoughMap;
layout(set = 1, binding = 8) uniform sampler2D coatNormalMap;

layout(constant_id = 0) const bool ALPHA_MASK = false;
layout(constant_id = 1) const uint MAPS = 0; // bit i: map i is there; one that is not is white, and not fetched. Bit 8: a clear coat
layout(constant_id = 3) const bool UNLIT = false; // KHR_materials_unlit
layout(constant_id = 5) const bool COLORED = true; // the mesh has colors
layout(constant_id = 4) const bool FACETS = true; // some normals are zero
layout(constant_id = 2) const bool MIRRORED = false; // the matrix to the world turns the winding around

layout(location = 0) in vec3 inPosition;
layout(location = 1) in vec3 inNormal;
layout(location = 2) in vec4 inTangent;
layout(location = 3) in vec4 inUV;
layout(location = 4) in vec4 inColor;

struct Surface {
    vec4 baseColor;
    vec3 normal;          // world, towards the eye
    float metallic, roughness, occlusion;
    vec3 emissive;
    float coat, coatRoughness; // KHR_materials_clearcoat
    vec3 coatNormal;           // world, towards the eye
};

const uint BASE_COLOR = 0u, METAL_ROUGH = 1u, NORMAL = 2u, OCCLUSION = 3u, EMISSIVE = 4u;
const uint COAT = 5u, COAT_ROUGH = 6u, COAT_NORMAL = 7u, COATED = 8u;

bool has(uint map) { return (MAPS >> map & 1u) != 0u; }

vec2 mapUV(uint map) {
    vec2 uv = mix(inUV.xy, inUV.zw, float(material.uvSets.x >> map & 1u));
    vec3 v = vec3(uv, 1.0);
    return vec2(dot(material.transform[map][0].xyz, v), dot(material.transform[map][1].xyz, v));
}

// mappedNormal turns n, of a normal map at uv, from the tangents' space to the world.
vec3 mappedNormal(vec3 geometric, vec3 n, vec2 uv) {
    vec3 tangent = inTangent.xyz;
    vec3 bitangent;
    if (dot(tangent, tangent) > 1e-12) {
        tangent = normalize(tangent - geometric * dot(geometric, tangent));
        bitangent = cross(geometric, tangent) * inTangent.w;
    } else {
        // No tangents in the file: the frame comes from how position and UV
        // change over the screen. The tangent is the way U grows, the bitangent
        // the way V shrinks, since V runs down a picture.
        vec3 dp1 = dFdx(inPosition), dp2 = dFdy(inPosition);
        vec2 du1 = dFdx(uv), du2 = dFdy(uv);
        vec3 across1 = cross(dp2, geometric), across2 = cross(geometric, dp1);
        float area = dot(dp1, across1) < 0.0 ? -1.0 : 1.0; // which way around the screen's axes are
        tangent = area * (across1 * du1.x + across2 * du2.x);
        bitangent = -area * (across1 * du1.y + across2 * du2.y);
        float scale = inversesqrt(max(max(dot(tangent, tangent), dot(bitangent, bitangent)), 1e-20));
        tangent *= scale;
        bitangent *= scale;
    }
    return normalize(tangent * n.x + bitangent * n.y + geometric * n.z);
}

Surface surface() {
    Surface s;
    s.baseColor = material.baseColor;
    if (COLORED) s.baseColor *= inColor;
    if (has(BASE_COLOR)) s.baseColor *= texture(baseColorMap, mapUV(BASE_COLOR));
    if (ALPHA_MASK && s.baseColor.a < material.emissive.w) discard;
    s.metallic = material.factors.x;
    s.roughness = material.factors.y;
    if (has(METAL_ROUGH)) {
        vec2 mr = texture(metalRoughMap, mapUV(METAL_ROUGH)).bg;
        s.metallic *= mr.x;
        s.roughness *= mr.y;
    }
    s.roughness = clamp(s.roughness, 0.045, 1.0);
    // A mesh without normals is shaded flat (glTF 2.0 §3.7.2.1): its normals
    // are zero, and the facet's own stands in.
    // A back face has the front's normal, mapped and then reversed (glTF 2.0 §3.9.5).
    float side = gl_FrontFacing == MIRRORED ? -1.0 : 1.0;
    float size = dot(inNormal, inNormal);
    s.normal = inNormal * inversesqrt(max(size, 1e-20));
    if (FACETS) {
        vec3 facet = normalize(cross(dFdy(inPosition), dFdx(inPosition))); // towards the eye
        s.normal = size > 1e-20 ? s.normal : facet * side;
    }
    vec3 geometric = s.normal;
    if (has(NORMAL)) {
        vec2 uv = mapUV(NORMAL);
        vec3 n = texture(normalMap, uv).xyz * 2.0 - 1.0;
        s.normal = mappedNormal(geometric, vec3(n.xy * material.factors.z, n.z), uv);
    }
    s.normal *= side;
    s.coat = 0.0;
    s.coatRoughness = 0.0;
    s.coatNormal = geometric * side;
    if (has(COATED)) {
        s.coat = material.coat.x;
        s.coatRoughness = material.coat.y;
        if (has(COAT)) s.coat *= texture(coatMap, mapUV(COAT)).r;
        if (has(COAT_ROUGH)) s.coatRoughness *= texture(coatRoughMap, mapUV(COAT_ROUGH)).g;
        if (has(COAT_NORMAL)) {
            vec2 uv = mapUV(COAT_NORMAL);
            vec3 n = texture(coatNormalMap, uv).xyz * 2.0 - 1.0;
            s.coatNormal = mappedNormal(geometric, vec3(n.xy * material.coat.z, n.z), uv) * side;
        }
        s.coatRoughness = clamp(s.coatRoughness, 0.045, 1.0);
    }
    s.occlusion = 1.0;
    if (has(OCCLUSION)) s.occlusion += material.factors.w * (texture(occlusionMap, mapUV(OCCLUSION)).r - 1.0);
    s.emissive = material.emissive.rgb;
    if (has(EMISSIVE)) s.emissive *= texture(emissiveMap, mapUV(EMISSIVE)).rgb;
    return s;
}
