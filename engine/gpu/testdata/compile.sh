#!/bin/sh
# Compiles the test shaders beside their sources.
cd "$(dirname "$0")/shaders" || exit 1
for f in *.vert *.frag *.comp; do
    glslc --target-env=vulkan1.3 -O -o "$f.spv" "$f" && spirv-val --target-env vulkan1.3 "$f.spv" || exit 1
done
