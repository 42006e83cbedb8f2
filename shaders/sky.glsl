// The light of the sky from a direction: a gradient from ground over horizon to
// zenith, and around the sun a glow. blur is 0 for a sharp picture and 1 for
// the mean over a hemisphere; it widens the horizon's band.
vec3 skyLight(vec3 direction, float blur) {
    float up = direction.y;
    float width = mix(0.02, 0.9, blur);
    float above = smoothstep(-width, width, up);
    float height = pow(clamp(up, 0.0, 1.0), mix(0.45, 0.9, blur));
    vec3 sky = mix(frame.skyHorizon.rgb, frame.skyZenith.rgb, height);
    vec3 color = mix(frame.skyGround.rgb, sky, above);
    float towards = max(dot(direction, frame.sunDirection.xyz), 0.0);
    float glow = pow(towards, mix(64.0, 4.0, blur)) * mix(0.12, 0.03, blur);
    return color + frame.sunColor.rgb * glow * above;
}

// skyIrradiance is the sky's light on a diffuse surface, divided by pi: the mean
// over the hemisphere around its normal, near enough.
vec3 skyIrradiance(vec3 normal) {
    float up = normal.y;
    vec3 sky = mix(frame.skyHorizon.rgb, frame.skyZenith.rgb, clamp(up, 0.0, 1.0));
    float towards = max(dot(normal, frame.sunDirection.xyz), 0.0);
    float above = smoothstep(-0.9, 0.9, up);
    return mix(frame.skyGround.rgb, sky, above) + frame.sunColor.rgb * (towards * towards * 0.03 * above);
}

// skyMirrored is skyLight of a blurred mirror, near enough: a mean of root and line in
// the power's place, and a spherical Gaussian in the glow's.
vec3 skyMirrored(vec3 direction, float blur) {
    float up = direction.y, high = clamp(up, 0.0, 1.0);
    float above = smoothstep(0.0, 1.0, up / mix(0.04, 1.8, blur) + 0.5);
    vec3 sky = mix(frame.skyHorizon.rgb, frame.skyZenith.rgb, mix(sqrt(high), high, clamp(0.9 * blur - 0.1, 0.0, 1.0)));
    vec3 color = mix(frame.skyGround.rgb, sky, above);
    float towards = max(dot(direction, frame.sunDirection.xyz), 0.0);
    float glow = exp2(1.4427 * mix(64.0, 4.0, blur) * (towards - 1.0)) * mix(0.12, 0.03, blur);
    return color + frame.sunColor.rgb * (glow * above);
}
