// A light that casts shadows. The layout is that of lampRecord in
// engine/render/lamps.go.
struct Lamp {
    Light light;
    mat4 map;   // world to the clip space of a spot's map
    vec4 depth; // depth is x / distance + y; z 1/tan of half a face's angle; w a texel's width at distance 1
    vec4 tile;  // xy size of a tile, zw of a texel, in texture coordinates
    vec4 far;   // x depth in the picture behind which it lights nothing
    vec4 outline[8]; // the part of the picture that it may light: a convex polygon, two corners each, in clip space
};

// What the fragment shader reads of it.
struct LampLight {
    Light light;
    vec4 depth, tile;
    mat4 map;
};
