// From scene light to display light, both linear; the target's sRGB format
// encodes. A filmic curve: the fit of the ACES reference by Krzysztof Narkowicz,
// "ACES Filmic Tone Mapping Curve" (2015), applied to the exposed light.
vec3 toneMap(vec3 light) {
    vec3 x = max(light * frame.exposure.x, 0.0);
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}
