#version 460
// A triangle over the lower left half of the screen, and nothing else; colour by corner.
layout(location = 0) out vec3 color;
void main() {
    vec2 p[3] = vec2[](vec2(-1, -1), vec2(-1, 1), vec2(1, 1));
    vec3 c[3] = vec3[](vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1));
    color = c[gl_VertexIndex];
    gl_Position = vec4(p[gl_VertexIndex], 0.5, 1);
}
