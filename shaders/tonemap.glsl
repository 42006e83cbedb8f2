// From scene light to what a display is given. A filmic curve: the fit of the ACES reference by Krzysztof Narkowicz,
// "ACES Filmic Tone Mapping Curve" (2015), applied to the exposed light.
vec3 toneMap(vec3 light) {
    vec3 x = max(light * frame.exposure.x, 0.0);
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

// encode is the sRGB transfer function (IEC 61966-2-1), for values from 0 to 1 within a fifth of a step of 8 bits: above
// its line stands a polynomial of the root, fitted for the least error, since powers took a sixteenth of lighting's time.
// The color image holds encoded values in a format that converts nothing: filters and blends that come after work on what
// the eye sees, and no pass pays for decoding.
vec3 encode(vec3 c) {
    vec3 s = sqrt(c);
    vec3 curve = (((-0.3095895 * s + 0.8428417) * s - 0.9449069) * s + 1.4479145) * s - 0.0370061;
    return mix(curve, 12.92 * c, lessThanEqual(c, vec3(0.0031308)));
}

// display is the encoded color of scene light.
vec3 display(vec3 light) { return encode(toneMap(light)); }
