// What every pass of one frame reads: set 0. The layouts are those of the
// structs in engine/render/frame.go.
//
// All of it lies in storage buffers, also what a uniform buffer could hold:
// lavapipe compiles a shader anew for each value in a uniform buffer that a
// branch tests.

struct Frame {
    mat4 view;
    mat4 projection;
    mat4 viewProjection;
    mat4 inverseViewProjection;
    mat4 shadow;          // world to the shadow map's clip space
    vec4 eye;             // xyz world position; w seconds since the start
    vec4 sunDirection;    // xyz towards the sun; w 1 where it casts shadows
    vec4 sunColor;        // rgb, linear
    vec4 skyZenith;       // rgb, linear
    vec4 skyHorizon;      // rgb, linear
    vec4 skyGround;       // rgb, linear
    vec4 exposure;        // x exposure; y shadow texel in metres; z 1/shadow size
    vec4 viewport;        // xy size in pixels; zw 1/size
    uvec4 counts;         // x lights of the lighting pass; y all: the last are lamps that cast shadows
};

// One drawn instance. The rows make up the matrix from the mesh's space to the
// world; a skinned mesh's rows are the entity's matrix, applied after the
// palette.
struct Instance {
    vec4 row0, row1, row2;
    uint palette;         // index of its first bone in bones[], in matrices
    uint morph;           // index of its first morph weight
    uint entity;          // for picking and for highlighting
    uint flags;
};

struct Light {
    vec4 position;        // xyz world; w range in metres, 0: unbounded
    vec4 direction;       // xyz the way it shines; w kind: 0 directional, 1 point, 2 spot
    vec4 color;           // rgb linear, times intensity
    vec4 cone;            // x scale, y offset of the spot's falloff
};

// What lights a surface is the same for every pixel, but lavapipe reads a buffer once
// a pixel and number: a storage buffer's numbers eight times one by one, a uniform
// buffer's checked against its end. So a shader that fills the picture gets them from its
// vertex shader, as flat outputs: with FRAME_IN defined, frame is those. Lighting
// took 0.68 of the time that it took with a storage buffer, and with a uniform one 0.86.
// With FRAME_OWN it is the shader's own, who fills in what it uses.
#if defined(FRAME_IN) || defined(FRAME_OUT) || defined(FRAME_OWN)
struct FrameLight {
    vec4 eye, sunDirection, sunColor, skyZenith, skyHorizon, skyGround, exposure;
    mat4 shadow;
    uvec4 counts;
};
#endif

#ifdef FRAME_IN
layout(location = 2) flat in FrameLight frame;
#elif defined(FRAME_OWN)
FrameLight frame;
#else
layout(std430, set = 0, binding = 0) readonly buffer FrameBuffer { Frame frame; };
#endif
#ifdef FRAME_OUT
layout(location = 2) flat out FrameLight outFrame;

void handOn() {
    outFrame = FrameLight(frame.eye, frame.sunDirection, frame.sunColor, frame.skyZenith, frame.skyHorizon, frame.skyGround,
        frame.exposure, frame.shadow, frame.counts);
}
#endif

layout(std430, set = 0, binding = 1) readonly buffer InstanceBuffer { Instance instances[]; };
layout(std430, set = 0, binding = 2) readonly buffer BoneBuffer { vec4 bones[]; };   // three rows a bone
layout(std430, set = 0, binding = 3) readonly buffer LightBuffer { Light lights[]; };
