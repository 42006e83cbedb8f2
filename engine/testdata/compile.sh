#!/bin/sh
# Compiles the tests' shaders; the SPIR-V is committed.
cd "$(dirname "$0")" || exit 1
for f in *.vert *.frag *.comp; do
    [ -e "$f" ] || continue
    glslc --target-env=vulkan1.3 -O -I../../shaders -o "$f.spv" "$f" && spirv-val --target-env vulkan1.3 "$f.spv" || exit 1
done
