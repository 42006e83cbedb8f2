#include "shim.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

#ifdef BT_USE_DOUBLE_PRECISION
#error "this shim is for Bullet in single precision (libBulletDynamics.so); drop -DBT_USE_DOUBLE_PRECISION"
#endif

namespace {

std::atomic<int64_t> live{0};

// Collision groups: what cannot push each other is not even paired, except that
// triggers see kinematic bodies, which Bullet's own default would leave out.
enum { GROUP_STATIC = 1, GROUP_DYNAMIC = 2, GROUP_KINEMATIC = 4, GROUP_TRIGGER = 8 };

struct Slot {
	btRigidBody *body = nullptr;
	btCollisionShape *shape = nullptr;
	uint32_t generation = 0;
	uint32_t motion = 0;
	bool trigger = false;
	bool pending = false; // kinematic: target not reached yet
	bool moved = false;   // kinematic: has a velocity from the last step
	bool touching = false;
	btTransform previous; // where it stood one fixed step ago
	btTransform target;
};

// What a substep saw between two bodies.
struct Touch {
	uint64_t key;
	btVector3 point, normal;
	float impulse, weight;
	bool firm;
};

// Two bodies in contact, kept over steps. firm contact begins a pair; any
// contact point within Bullet's breaking distance keeps it, so that resting
// bodies do not flicker.
struct Pair {
	uint64_t key, a, b;
	btVector3 point, normal;
	float impulse, weight;
	bool before, now;
};

btVector3 vec(const float v[3]) { return btVector3(v[0], v[1], v[2]); }
btQuaternion quat(const float q[4]) { return btQuaternion(q[1], q[2], q[3], q[0]); }
void put(float dst[3], const btVector3 &v) { dst[0] = v.x(), dst[1] = v.y(), dst[2] = v.z(); }

void put(float dst[4], const btQuaternion &q) {
	dst[0] = q.w(), dst[1] = q.x(), dst[2] = q.y(), dst[3] = q.z();
}

btQuaternion between(const btQuaternion &a, btQuaternion b, float t) {
	float d = a.dot(b);
	if (d < 0) b = -b, d = -d;
	if (d > 0.9995f) return (a * (1 - t) + b * t).normalized();
	return a.slerp(b, t);
}

btTransform between(const btTransform &a, const btTransform &b, float t) {
	return btTransform(between(a.getRotation(), b.getRotation(), t), a.getOrigin().lerp(b.getOrigin(), t));
}

btCollisionShape *make_shape(const bp_body_desc *d) {
	switch (d->shape) {
	case BP_BOX: return new btBoxShape(vec(d->extents));
	case BP_SPHERE: return new btSphereShape(d->radius);
	case BP_CAPSULE: return new btCapsuleShape(d->radius, d->height);
	default: return new btStaticPlaneShape(vec(d->extents), 0);
	}
}

float smallest(const bp_body_desc *d) {
	if (d->shape == BP_BOX) return std::min({d->extents[0], d->extents[1], d->extents[2]});
	return d->radius;
}

} // namespace

struct bp_world {
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld dynamics;
	float fixed_step;

	std::vector<Slot> slots;
	std::vector<uint32_t> unused;
	std::vector<Touch> touches;
	std::vector<Pair> pairs, merged;
	std::vector<bp_contact> contacts, ended;

	explicit bp_world(float step)
	    : dispatcher(&configuration), dynamics(&dispatcher, &broadphase, &solver, &configuration), fixed_step(step) {
		// Only what moves needs its bounds again; teleports update their own.
		dynamics.setForceUpdateAllAabbs(false);
		dynamics.getDispatchInfo().m_deterministicOverlappingPairs = true;
		// Otherwise a box meets a plane with one corner a step, and a small one
		// never finds rest.
		configuration.setPlaneConvexMultipointIterations(4, 4);
		// Overlap is mended by moving bodies apart, never by adding speed: with
		// Bullet's -0.04 m a bouncing ball gains a fifth of its height.
		dynamics.getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
		live++;
	}

	~bp_world() {
		for (uint32_t i = 0; i < slots.size(); i++)
			if (slots[i].body) drop(i);
		live--;
	}

	Slot &at(uint64_t body) { return slots[uint32_t(body)]; }

	uint64_t number(uint32_t slot) const { return uint64_t(slots[slot].generation) << 32 | slot; }

	void drop(uint32_t i) {
		Slot &s = slots[i];
		dynamics.removeRigidBody(s.body);
		delete s.body;
		delete s.shape;
		s.body = nullptr, s.shape = nullptr;
		live--;
	}

	void move_kinematic(int remaining) {
		for (Slot &s : slots) {
			if (!s.body || s.motion != BP_KINEMATIC) continue;
			if (s.pending) {
				s.pending = remaining > 1;
				s.body->setWorldTransform(s.pending ? between(s.body->getWorldTransform(), s.target, 1.0f / remaining) : s.target);
				s.body->forceActivationState(ACTIVE_TAG);
				s.moved = true;
			} else if (s.moved) {
				// Stands still again: asleep, it lets what rests on it sleep too.
				s.body->setLinearVelocity(btVector3(0, 0, 0));
				s.body->setAngularVelocity(btVector3(0, 0, 0));
				s.body->setInterpolationWorldTransform(s.body->getWorldTransform());
				s.body->forceActivationState(ISLAND_SLEEPING);
				s.moved = false;
			}
		}
	}

	void collect_touches() {
		touches.clear();
		for (int i = 0, n = dispatcher.getNumManifolds(); i < n; i++) {
			const btPersistentManifold *m = dispatcher.getManifoldByIndexInternal(i);
			if (m->getNumContacts() == 0) continue;
			uint32_t a = m->getBody0()->getUserIndex(), b = m->getBody1()->getUserIndex();
			Touch t{uint64_t(std::min(a, b)) << 32 | std::max(a, b), {}, {}, 0, -BT_LARGE_FLOAT, false};
			for (int j = 0; j < m->getNumContacts(); j++) {
				const btManifoldPoint &p = m->getContactPoint(j);
				float impulse = p.getAppliedImpulse();
				t.impulse += impulse;
				t.firm = t.firm || impulse > 0 || p.getDistance() <= 0;
				// The hardest point stands for the pair, or the deepest where none pushes.
				float weight = impulse > 0 ? impulse : std::min(0.0f, -1 - p.getDistance());
				if (weight > t.weight) {
					t.weight = weight;
					t.point = p.getPositionWorldOnB();
					t.normal = a < b ? p.m_normalWorldOnB : -p.m_normalWorldOnB;
				}
			}
			touches.push_back(t);
		}
		std::sort(touches.begin(), touches.end(), [](const Touch &x, const Touch &y) { return x.key < y.key; });
	}

	void merge_touches() {
		merged.clear();
		size_t i = 0, j = 0;
		while (i < pairs.size() || j < touches.size()) {
			if (j == touches.size() || (i < pairs.size() && pairs[i].key < touches[j].key)) {
				pairs[i].now = false;
				merged.push_back(pairs[i++]);
				continue;
			}
			const Touch &t = touches[j++];
			if (i < pairs.size() && pairs[i].key == t.key) {
				Pair p = pairs[i++];
				p.now = p.now || t.firm;
				p.impulse += t.impulse;
				if (t.weight >= p.weight) p.weight = t.weight, p.point = t.point, p.normal = t.normal;
				merged.push_back(p);
			} else if (t.firm) {
				merged.push_back({t.key, number(t.key >> 32), number(uint32_t(t.key)), t.point, t.normal, t.impulse, t.weight,
				                  false, true});
			}
		}
		pairs.swap(merged);
	}

	static bp_contact contact(const Pair &p, uint32_t phase) {
		bp_contact c{p.a, p.b, {}, {}, p.impulse, phase};
		put(c.point, p.point);
		put(c.normal, p.normal);
		return c;
	}

	void report_contacts() {
		size_t kept = 0;
		for (Slot &s : slots) s.touching = false;
		for (Pair &p : pairs) {
			if (p.now) {
				contacts.push_back(contact(p, p.before ? BP_CONTACT_STAY : BP_CONTACT_BEGIN));
				at(p.a).touching = at(p.b).touching = true;
				pairs[kept++] = p;
				continue;
			}
			if (!p.before) contacts.push_back(contact(p, BP_CONTACT_BEGIN));
			contacts.push_back(contact(p, BP_CONTACT_END));
		}
		pairs.resize(kept);
	}

	int step(int steps) {
		contacts.clear();
		contacts.swap(ended);
		if (steps == 0) return int(contacts.size());
		for (Pair &p : pairs) p.before = true, p.impulse = 0, p.weight = -BT_LARGE_FLOAT;
		for (int i = 0; i < steps; i++) {
			for (Slot &s : slots)
				if (s.body) s.previous = s.body->getWorldTransform();
			move_kinematic(steps - i);
			// Zero substeps tells Bullet to take the step as it is.
			dynamics.stepSimulation(fixed_step, 0);
			collect_touches();
			merge_touches();
		}
		report_contacts();
		return int(contacts.size());
	}

	uint32_t state(const Slot &s) const {
		uint32_t r = s.motion == BP_DYNAMIC ? BP_STATE_DYNAMIC : s.motion == BP_KINEMATIC ? BP_STATE_KINEMATIC : BP_STATE_STATIC;
		if (s.motion == BP_DYNAMIC && !s.body->isActive()) r |= BP_STATE_ASLEEP;
		if (s.trigger) r |= BP_STATE_TRIGGER;
		if (s.touching) r |= BP_STATE_TOUCHING;
		return r;
	}
};

namespace {

struct Nearest : btCollisionWorld::ClosestRayResultCallback {
	bp_world *world;
	const bp_ray *ray;

	Nearest(bp_world *w, const bp_ray *r)
	    : ClosestRayResultCallback(vec(r->from), vec(r->to)), world(w), ray(r) {}

	bool needsCollision(btBroadphaseProxy *proxy) const override {
		uint32_t i = static_cast<btCollisionObject *>(proxy->m_clientObject)->getUserIndex();
		if (world->slots[i].trigger && !ray->triggers) return false;
		return world->number(i) != ray->ignore;
	}
};

} // namespace

extern "C" {

bp_world *bp_world_new(const float gravity[3], float fixed_step) {
	try {
		// Bullet's classes ask for 16-byte alignment through its own operator new.
		void *memory = btAlignedAlloc(sizeof(bp_world), 16);
		if (!memory) return nullptr;
		bp_world *w = new (memory) bp_world(fixed_step);
		w->dynamics.setGravity(vec(gravity));
		return w;
	} catch (const std::bad_alloc &) {
		return nullptr;
	}
}

void bp_world_free(bp_world *w) {
	w->~bp_world();
	btAlignedFree(w);
}

void bp_world_gravity(bp_world *w, const float gravity[3]) {
	w->dynamics.setGravity(vec(gravity));
	// Bullet leaves sleeping bodies with the gravity they fell asleep in.
	for (Slot &s : w->slots) {
		if (!s.body || s.motion != BP_DYNAMIC) continue;
		s.body->setGravity(vec(gravity));
		s.body->activate(true);
	}
}

uint64_t bp_body_add(bp_world *w, const bp_body_desc *d) {
	btCollisionShape *shape = nullptr;
	try {
		if (w->unused.empty()) {
			w->slots.emplace_back();
			w->unused.reserve(w->slots.capacity());
			w->unused.push_back(uint32_t(w->slots.size() - 1));
		}
		shape = make_shape(d);
		btVector3 inertia(0, 0, 0);
		float mass = d->motion == BP_DYNAMIC ? d->mass : 0;
		if (mass > 0) shape->calculateLocalInertia(mass, inertia);

		btRigidBody::btRigidBodyConstructionInfo c(mass, nullptr, shape, inertia);
		c.m_startWorldTransform = btTransform(quat(d->rotation), vec(d->position));
		c.m_friction = d->friction;
		c.m_restitution = d->restitution;
		c.m_linearDamping = d->linear_damping;
		c.m_angularDamping = d->angular_damping;
		btRigidBody *body = new btRigidBody(c);

		uint32_t i = w->unused.back();
		w->unused.pop_back();
		Slot &s = w->slots[i];
		uint32_t generation = s.generation + 1;
		s = Slot();
		s.generation = generation ? generation : 1;
		s.body = body, s.shape = shape, s.motion = d->motion, s.trigger = d->trigger;
		s.previous = s.target = c.m_startWorldTransform;
		live++;

		body->setUserIndex(int(i));
		int group = GROUP_STATIC, mask = GROUP_DYNAMIC;
		if (d->motion == BP_DYNAMIC) {
			group = GROUP_DYNAMIC, mask = GROUP_STATIC | GROUP_DYNAMIC | GROUP_KINEMATIC | GROUP_TRIGGER;
			body->setLinearVelocity(vec(d->linear));
			body->setAngularVelocity(vec(d->angular));
			if (d->continuous) {
				body->setCcdMotionThreshold(smallest(d));
				body->setCcdSweptSphereRadius(smallest(d) * 0.5f);
			}
		} else if (d->motion == BP_KINEMATIC) {
			group = GROUP_KINEMATIC, mask = GROUP_DYNAMIC | GROUP_TRIGGER;
			body->setCollisionFlags((body->getCollisionFlags() & ~btCollisionObject::CF_STATIC_OBJECT) |
			                        btCollisionObject::CF_KINEMATIC_OBJECT);
			// Awake for its first step, so that triggers around it notice.
			s.moved = true, s.pending = true;
		}
		if (d->trigger) {
			group = GROUP_TRIGGER, mask = GROUP_DYNAMIC | GROUP_KINEMATIC;
			body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
		}
		w->dynamics.addRigidBody(body, group, mask);
		return w->number(i);
	} catch (const std::bad_alloc &) {
		delete shape;
		return 0;
	}
}

void bp_body_remove(bp_world *w, uint64_t body) {
	uint32_t i = uint32_t(body);
	size_t kept = 0;
	for (Pair &p : w->pairs) {
		if (p.a != body && p.b != body) {
			w->pairs[kept++] = p;
			continue;
		}
		// What lay on it must notice that it is gone.
		w->at(p.a == body ? p.b : p.a).body->activate();
		w->ended.push_back(bp_world::contact(p, BP_CONTACT_END));
		w->ended.back().impulse = 0;
	}
	w->pairs.resize(kept);
	w->drop(i);
	w->unused.push_back(i);
}

void bp_body_set_velocity(bp_world *w, uint64_t body, const float linear[3], const float angular[3]) {
	btRigidBody *b = w->at(body).body;
	b->activate(true);
	b->setLinearVelocity(vec(linear));
	b->setAngularVelocity(vec(angular));
}

void bp_body_velocity(bp_world *w, uint64_t body, float linear[3], float angular[3]) {
	btRigidBody *b = w->at(body).body;
	put(linear, b->getLinearVelocity());
	put(angular, b->getAngularVelocity());
}

void bp_body_impulse(bp_world *w, uint64_t body, const float impulse[3], const float at[3]) {
	btRigidBody *b = w->at(body).body;
	b->activate(true);
	b->applyImpulse(vec(impulse), vec(at) - b->getWorldTransform().getOrigin());
}

void bp_body_teleport(bp_world *w, const bp_transform *t) {
	Slot &s = w->at(t->body);
	btTransform x(quat(t->rotation), vec(t->position));
	s.previous = s.target = x;
	s.body->setWorldTransform(x);
	s.body->setInterpolationWorldTransform(x);
	if (s.motion == BP_DYNAMIC) s.body->activate(true);
	if (s.motion == BP_KINEMATIC) s.moved = s.pending = true;
	// What lay on it is left in the air.
	for (Pair &p : w->pairs)
		if (p.a == t->body || p.b == t->body) w->at(p.a == t->body ? p.b : p.a).body->activate();
	w->dynamics.updateSingleAabb(s.body);
}

void bp_body_wake(bp_world *w, uint64_t body) { w->at(body).body->activate(true); }

void bp_kinematic(bp_world *w, const bp_transform *t, int n) {
	for (int i = 0; i < n; i++) {
		Slot &s = w->at(t[i].body);
		btTransform x(quat(t[i].rotation), vec(t[i].position));
		if (x == s.target) continue;
		s.target = x;
		s.pending = true;
	}
}

int bp_step(bp_world *w, int steps) { return w->step(steps); }

void bp_contacts(bp_world *w, bp_contact *dst) { std::copy(w->contacts.begin(), w->contacts.end(), dst); }

int bp_transforms(bp_world *w, float alpha, int all, void *dst, int64_t stride, int max) {
	int n = 0;
	for (uint32_t i = 0; i < w->slots.size() && n < max; i++) {
		const Slot &s = w->slots[i];
		if (!s.body || (s.motion != BP_DYNAMIC && !all)) continue;
		bp_transform *t = reinterpret_cast<bp_transform *>(static_cast<char *>(dst) + stride * n++);
		const btTransform &now = s.body->getWorldTransform();
		btTransform x = now;
		t->body = w->number(i);
		t->state = w->state(s);
		if (s.motion == BP_DYNAMIC && !(t->state & BP_STATE_ASLEEP)) {
			put(t->position, s.previous.getOrigin().lerp(now.getOrigin(), alpha));
			put(t->rotation, between(s.previous.getRotation(), now.getRotation(), alpha));
		} else {
			put(t->position, now.getOrigin());
			put(t->rotation, now.getRotation());
		}
	}
	return n;
}

void bp_rays(bp_world *w, const bp_ray *rays, bp_hit *hits, int n) {
	for (int i = 0; i < n; i++) {
		Nearest r(w, &rays[i]);
		w->dynamics.rayTest(r.m_rayFromWorld, r.m_rayToWorld, r);
		hits[i] = bp_hit{};
		if (!r.hasHit()) continue;
		hits[i].body = w->number(uint32_t(r.m_collisionObject->getUserIndex()));
		hits[i].fraction = r.m_closestHitFraction;
		put(hits[i].point, r.m_hitPointWorld);
		put(hits[i].normal, r.m_hitNormalWorld);
	}
}

int64_t bp_live(void) { return live.load(); }
}
