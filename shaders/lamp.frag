#version 460
#extension GL_GOOGLE_include_directive : require
#define FRAME_OWN
#include "frame.glsl"
#include "sky.glsl"
#include "light.glsl"
#include "lamp.glsl"

layout(set = 1, binding = 0) uniform sampler2D gBaseColor;
layout(set = 1, binding = 1) uniform sampler2D gNormal;
layout(set = 1, binding = 2) uniform sampler2D gMaterial;
layout(set = 1, binding = 3) uniform sampler2D gDepth;
layout(set = 1, binding = 4) uniform sampler2DShadow lampMap;

layout(constant_id = 0) const bool COATS = false; // some surface has a clear coat
layout(constant_id = 1) const bool SPOT = false;  // the map is one tile

layout(location = 0) noperspective in vec2 uv;
layout(location = 1) noperspective in vec3 ray;
layout(location = 2) flat in vec4 eye;
layout(location = 3) flat in LampLight lamp;
layout(location = 0) out vec4 outLight; // added to the emissive image

// lamplight is the share of the lamp that reaches a point: a tent over 3×3 texels
// of its map, as sunlight has it. The point is moved along its normal by a texel or
// so, more where the light grazes, so that no surface shadows itself.
float lamplight(vec3 position, vec3 normal) {
    vec3 away = position - lamp.light.position.xyz;
    float graze = 1.0 - max(-dot(normal, unit(away)), 0.0);
    float offset = lamp.depth.w * (0.6 + 1.8 * graze);
    vec3 at; // texture coordinates, and depth
    if (SPOT) {
        float distance = dot(away, lamp.light.direction.xyz);
        vec4 clip = lamp.map * vec4(position + normal * (offset * distance), 1.0);
        at = vec3(clip.xy / clip.w * 0.5 + 0.5, clip.z / clip.w);
    } else {
        vec3 reach = abs(away);
        away += normal * (offset * max(reach.x, max(reach.y, reach.z)));
        reach = abs(away);
        // Columns are axes, rows their signs; each tile is seen with the up of faceAxes.
        bool x = reach.x >= reach.y && reach.x >= reach.z, y = !x && reach.y >= reach.z;
        vec3 along = x ? away : y ? away.yzx : away.zxy; // the axis first
        float side = along.x < 0.0 ? -1.0 : 1.0, distance = abs(along.x);
        // Right and up in terms of what follows the axis: X: z, y. Y: x, z. Z: -x, y.
        vec2 p = x ? vec2(side * along.z, along.y) : y ? vec2(side * along.z, along.y) : vec2(-side * along.y, along.z);
        vec2 tile = vec2(x ? 0.0 : y ? 1.0 : 2.0, side < 0.0 ? 1.0 : 0.0);
        at.xy = (tile + 0.5 + 0.5 * lamp.depth.z / distance * vec2(p.x, -p.y)) * lamp.tile.xy;
        at.z = lamp.depth.x / distance + lamp.depth.y;
    }
    // Four fetches, bilinear themselves, make up the tent. Two, of the corner of its
    // texel that the point is nearest to and the one opposite, mostly tell: all around is
    // in the light, or nothing. It is a loop since lavapipe runs both sides of an if, but
    // no turn of a loop that no pixel of a block needs.
    vec2 within = fract(at.xy / lamp.tile.zw) - 0.5, halfTexel = 0.5 * lamp.tile.zw;
    vec3 aside = vec3(halfTexel.x, within.x * within.y > 0.0 ? halfTexel.y : -halfTexel.y, 0.0);
    float sum = 0.0, fetched = 0.0;
    for (;;) {
        float pair = textureLod(lampMap, at + aside, 0.0) + textureLod(lampMap, at - aside, 0.0);
        sum += pair;
        fetched += 2.0;
        if (fetched > 2.0 || pair == 0.0 || pair == 2.0) break;
        aside.y = -aside.y;
    }
    return sum / fetched;
}

void main() {
    frame.eye = eye;
    outLight = vec4(0.0);
    vec4 baseColor = texture(gBaseColor, uv);
    if (baseColor.a <= 0.5) return; // unlit
    vec4 orm = texture(gMaterial, uv);
    vec4 n = texture(gNormal, uv);
    vec3 normal = unit(n.xyz);
    vec3 position = eye.xyz + ray / (texture(gDepth, uv).r + eye.w);
    Lit l = lit(position, normal, baseColor.rgb * baseColor.rgb, orm.b, orm.g);
    vec3 light = lightFrom(lamp.light, l);
    if (COATS && orm.a > 0.0) {
        // Lighting lets less of what is emissive through the coat; of what the coat
        // itself mirrors, it should not. See coated.
        Lit c = coatOver(l, coatNormal(vec2(n.w, (length(n.xyz) - 1.0) * 2.0)), (1.0 - baseColor.a) / 0.4);
        light += orm.a / max(through(c, orm.a), 1e-3) * lightFrom(lamp.light, c);
    }
    // More the emissive image does not hold, and infinity would not become 0 in shadow.
    outLight.rgb = min(light, 65504.0) * lamplight(position, normal);
}
