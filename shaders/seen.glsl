// The matrix from the world to the clip space of the light's map that is drawn: the
// sun's, or one of a lamp's faces. A push constant is the same for all vertices to
// lavapipe, which reads a storage buffer for each. No branch tests it: see frame.glsl.
layout(push_constant) uniform Seen { mat4 seenFrom; };
