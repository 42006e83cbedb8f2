// The C face of Bullet: plain structs, one call per batch, no policy.
// Metres, kilograms, seconds, radians; quaternions are w, x, y, z.
#ifndef BINDPOSE_PHYSICS_SHIM_H
#define BINDPOSE_PHYSICS_SHIM_H

#include <stdint.h>

#if defined(__has_include)
#if !__has_include(<btBulletDynamicsCommon.h>)
#error "Bullet is missing: install its development files (Debian and Ubuntu: apt-get install libbullet-dev), or point CGO_CPPFLAGS at the folder that holds btBulletDynamicsCommon.h"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_world bp_world;

enum { BP_BOX = 1, BP_SPHERE, BP_CAPSULE, BP_PLANE };
enum { BP_STATIC = 0, BP_DYNAMIC, BP_KINEMATIC };
enum { BP_CONTACT_BEGIN = 0, BP_CONTACT_STAY, BP_CONTACT_END };
enum {
	BP_STATE_STATIC = 1,
	BP_STATE_DYNAMIC = 2,
	BP_STATE_KINEMATIC = 4,
	BP_STATE_ASLEEP = 8,
	BP_STATE_TRIGGER = 16,
	BP_STATE_TOUCHING = 32
};

typedef struct {
	float position[3];
	float rotation[4];
	float linear[3], angular[3];
	// Half extents of a box, the normal of a plane.
	float extents[3];
	float radius, height;
	float mass, friction, restitution, linear_damping, angular_damping;
	uint32_t shape, motion, trigger, continuous;
} bp_body_desc;

// A body's number is its generation in the high and its slot in the low 32
// bits, so a stale number is never taken for the slot's next owner.
typedef struct {
	uint64_t body;
	float position[3];
	float rotation[4];
	uint32_t state;
} bp_transform;

typedef struct {
	uint64_t a, b;
	float point[3];
	float normal[3];
	float impulse;
	uint32_t phase;
} bp_contact;

typedef struct {
	float from[3], to[3];
	uint64_t ignore;
	uint8_t triggers, padding[7];
} bp_ray;

typedef struct {
	uint64_t body;
	float point[3];
	float normal[3];
	float fraction;
} bp_hit;

// Both return 0 where memory ran out.
bp_world *bp_world_new(const float gravity[3], float fixed_step);
uint64_t bp_body_add(bp_world *w, const bp_body_desc *d);

void bp_world_free(bp_world *w);
void bp_world_gravity(bp_world *w, const float gravity[3]);

// The numbers passed below were checked by the caller.
void bp_body_remove(bp_world *w, uint64_t body);
void bp_body_set_velocity(bp_world *w, uint64_t body, const float linear[3], const float angular[3]);
void bp_body_velocity(bp_world *w, uint64_t body, float linear[3], float angular[3]);
void bp_body_impulse(bp_world *w, uint64_t body, const float impulse[3], const float at[3]);
void bp_body_teleport(bp_world *w, const bp_transform *t);
void bp_body_wake(bp_world *w, uint64_t body);

// Where each kinematic body is to stand when the next steps end.
void bp_kinematic(bp_world *w, const bp_transform *t, int n);

// Runs fixed steps and returns how many contacts they left to read.
int bp_step(bp_world *w, int steps);
void bp_contacts(bp_world *w, bp_contact *dst);

// Writes the bodies' poses at the fraction alpha between the last two steps,
// in slot order, one every stride bytes; dynamic bodies only, or all.
int bp_transforms(bp_world *w, float alpha, int all, void *dst, int64_t stride, int max);
void bp_rays(bp_world *w, const bp_ray *rays, bp_hit *hits, int n);

// Worlds and bodies not yet freed, in this process.
int64_t bp_live(void);

#ifdef __cplusplus
}
#endif
#endif
