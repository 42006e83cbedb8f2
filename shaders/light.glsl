// Light on a metallic-roughness surface: glTF 2.0 appendix B, with the
// height-correlated Smith visibility of Heitz (2014).

const float PI = 3.14159265359;

// unit is normalize with one division; the compiler makes three of that.
vec3 unit(vec3 v) { return v * inversesqrt(dot(v, v)); }

#ifndef LIGHT_COUNT
#define LIGHT_COUNT frame.counts.x // without those of the lamp passes
#endif

struct Lit {
    vec3 position, normal, toEye;
    vec3 diffuse, f0;
    float alpha, roughness;
};

Lit lit(vec3 position, vec3 normal, vec3 baseColor, float metallic, float roughness) {
    Lit l;
    l.position = position;
    l.normal = normal;
    l.toEye = unit(frame.eye.xyz - position);
    l.diffuse = baseColor * (1.0 - metallic);
    l.f0 = mix(vec3(0.04), baseColor, metallic);
    l.roughness = roughness;
    l.alpha = roughness * roughness;
    return l;
}

vec3 reflected(Lit l, vec3 toLight) {
    float nl = dot(l.normal, toLight);
    if (nl <= 0.0) return vec3(0.0);
    vec3 h = unit(toLight + l.toEye);
    float nv = max(dot(l.normal, l.toEye), 1e-4);
    float nh = max(dot(l.normal, h), 0.0);
    float vh = max(dot(l.toEye, h), 0.0);
    float a2 = l.alpha * l.alpha;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float distribution = a2 / (PI * d * d);
    float visibility = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2));
    float grazing = 1.0 - vh, grazing2 = grazing * grazing;
    vec3 fresnel = l.f0 + (1.0 - l.f0) * (grazing2 * grazing2 * grazing);
    vec3 diffuse = (1.0 - fresnel) * l.diffuse / PI;
    return (diffuse + fresnel * distribution * visibility) * nl;
}

// sunlight is the share of the sun that reaches the point: a tent over 3×3 of the
// shadow map's texels, from four fetches that are bilinear themselves. The point is
// moved along its normal by a texel or so, more where the sun grazes, so that no
// surface shadows itself.
//
// Most points lie in the sun or out of it with all that is around them, and two
// fetches tell: those at the corner of its texel that the point is nearest to and
// opposite. It is a loop since lavapipe runs both sides of an if, but no turn of a loop
// that none of eight pixels needs; lighting took 0.87 of the time that four fetches took.
float sunlight(sampler2DShadow map, vec3 position, vec3 normal) {
    float graze = 1.0 - max(dot(normal, frame.sunDirection.xyz), 0.0);
    vec3 moved = position + normal * (frame.exposure.y * (0.6 + 1.8 * graze));
    vec3 clip = (frame.shadow * vec4(moved, 1.0)).xyz;
    vec3 at = vec3(clip.xy * 0.5 + 0.5, clamp(clip.z, 0.0, 1.0));
    vec2 within = fract(at.xy / frame.exposure.z) - 0.5;
    float halfTexel = 0.5 * frame.exposure.z;
    vec3 aside = vec3(halfTexel, within.x * within.y > 0.0 ? halfTexel : -halfTexel, 0.0);
    float sum = 0.0, fetched = 0.0;
    for (;;) {
        float pair = texture(map, at + aside) + texture(map, at - aside);
        sum += pair;
        fetched += 2.0;
        if (fetched > 2.0 || pair == 0.0 || pair == 2.0) break;
        aside.y = -aside.y;
    }
    // Beyond the map nothing casts a shadow.
    float edge = max(abs(clip.x), abs(clip.y));
    return mix(1.0, sum / fetched, frame.sunDirection.w * (1.0 - smoothstep(0.9, 1.0, edge)));
}

vec3 lightFrom(Light light, Lit l) {
    vec3 toLight = -light.direction.xyz;
    float strength = 1.0;
    if (light.direction.w > 0.5) {
        vec3 d = light.position.xyz - l.position;
        float d2 = max(dot(d, d), 1e-4);
        toLight = d * inversesqrt(d2);
        strength = 1.0 / d2;
        float range = light.position.w;
        if (range > 0.0) {
            // The window of KHR_lights_punctual.
            float q = d2 / (range * range);
            strength *= clamp(1.0 - q * q, 0.0, 1.0);
        }
        if (light.direction.w > 1.5) {
            float spot = clamp(dot(-toLight, light.direction.xyz) * light.cone.x + light.cone.y, 0.0, 1.0);
            strength *= spot * spot;
        }
    }
    return light.color.rgb * strength * reflected(l, toLight);
}

// ambient is the sky's light, diffuse and mirrored. The mirrored part uses
// Brian Karis's fit of the environment BRDF ("Physically Based Shading on
// Mobile", 2014).
vec3 ambient(Lit l, float occlusion) {
    vec3 irradiance = skyIrradiance(l.normal);
    vec3 r = reflect(-l.toEye, l.normal);
    vec3 mirrored = skyMirrored(r, clamp(l.roughness * 1.2, 0.05, 1.0));
    float nv = max(dot(l.normal, l.toEye), 0.0);
    vec4 c = l.roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(c.x * c.x, exp2(-9.28 * nv)) * c.x + c.y;
    vec2 ab = vec2(-1.04, 1.04) * a + c.zw;
    float horizon = clamp(1.0 + r.y * 0.6, 0.3, 1.0);
    return (irradiance * l.diffuse + mirrored * (l.f0 * ab.x + ab.y) * horizon) * occlusion;
}

// shade is all light on a surface; of lights, only where some are.
vec3 shade(Lit l, float occlusion, float sun, bool some) {
    vec3 light = ambient(l, occlusion);
    light += frame.sunColor.rgb * sun * reflected(l, frame.sunDirection.xyz);
    if (some) for (uint i = 0u; i < LIGHT_COUNT; i++) light += lightFrom(lights[i], l);
    return light;
}

// coatNormal unfolds what octahedral of geometry.frag folded.
vec3 coatNormal(vec2 p) {
    vec3 v = vec3(p, 1.0 - abs(p.x) - abs(p.y));
    float fold = max(-v.z, 0.0);
    v.x += v.x >= 0.0 ? -fold : fold;
    v.y += v.y >= 0.0 ? -fold : fold;
    return normalize(v);
}

// coatOver is a clear coat over a surface: a dielectric of index 1.5.
Lit coatOver(Lit below, vec3 normal, float roughness) {
    Lit l = below;
    l.normal = normal;
    l.diffuse = vec3(0.0);
    l.f0 = vec3(0.04);
    l.roughness = roughness;
    l.alpha = roughness * roughness;
    return l;
}

// through is the share of light from below that a coat lets through towards the
// eye: the less, the more it mirrors.
float through(Lit coating, float coat) {
    float grazing = 1.0 - max(dot(coating.normal, coating.toEye), 0.0), grazing2 = grazing * grazing;
    return 1.0 - coat * (0.04 + 0.96 * grazing2 * grazing2 * grazing);
}

// coated lays a clear coat over light (KHR_materials_clearcoat 1.0, "Layering"),
// which mirrors sun, lights and sky.
vec3 coated(vec3 light, Lit below, vec3 normal, float coat, float roughness, float occlusion, float sun, bool some) {
    Lit l = coatOver(below, normal, roughness);
    return light * through(l, coat) + coat * shade(l, occlusion, sun, some);
}
