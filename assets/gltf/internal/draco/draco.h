// A thin C face of the Draco decoder: one call unpacks, the others copy out.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a packed mesh says of its own size, before anything is unpacked.
typedef struct {
	uint64_t faces, points;
} draco_sizes;

typedef struct draco_mesh draco_mesh;

// Returns 0 where the head of the packed mesh can be read.
int bp_draco_sizes(const uint8_t *packed, size_t n, draco_sizes *out);
// Returns NULL where the packed mesh is malformed. The caller frees it.
draco_mesh *bp_draco_open(const uint8_t *packed, size_t n);
void bp_draco_close(draco_mesh *mesh);
uint64_t bp_draco_faces(const draco_mesh *mesh);
uint64_t bp_draco_points(const draco_mesh *mesh);
void bp_draco_indices(const draco_mesh *mesh, uint32_t *out);
// Components an element of the attribute with the unique id; 0 where there is none.
int bp_draco_components(const draco_mesh *mesh, uint32_t id);
// Copies an attribute, points by components tightly, as a GL component type.
// Returns 0 on success.
int bp_draco_attribute(const draco_mesh *mesh, uint32_t id, int gl, void *out, size_t size);

#ifdef __cplusplus
}
#endif
