#include "loader.h"
#include <dlfcn.h>
#include <string.h>

typedef void (*function)(void);
typedef function (*get_proc)(uintptr_t object, const char *name);

// Instance-level pointers are the loader's trampolines: right for every instance and device. Device-level ones skip the
// trampoline, and are right for one device only.
static bpvk_table instance_table, device_table;
static get_proc get_instance_proc, get_device_proc;

const bpvk_table *bpvk_active_table = &bpvk_missing_table;

static void fill(bpvk_table *t, get_proc get, uintptr_t object, int lowest, int highest) {
	for (int i = 0; i < bpvk_entry_count; i++) {
		const bpvk_entry *e = &bpvk_entries[i];
		if (e->level < lowest || e->level > highest) continue;
		function f = get(object, e->name);
		// What this instance lacks another may have: its pointer stays.
		if (f) memcpy((char *)t + e->offset, &f, sizeof f);
	}
}

static void activate(const bpvk_table *t) {
	__atomic_store_n(&bpvk_active_table, t, __ATOMIC_RELEASE);
}

const char *bpvk_open(const char *library) {
	void *lib = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!lib) return dlerror();
	void *sym = dlsym(lib, "vkGetInstanceProcAddr");
	if (!sym) return dlerror();
	memcpy(&get_instance_proc, &sym, sizeof sym);
	instance_table = bpvk_missing_table;
	fill(&instance_table, get_instance_proc, 0, 0, 0);
	activate(&instance_table);
	return NULL;
}

void bpvk_load_instance(uintptr_t instance) {
	if (!get_instance_proc) return;
	fill(&instance_table, get_instance_proc, instance, 1, 2);
	function f = get_instance_proc(instance, "vkGetDeviceProcAddr");
	memcpy(&get_device_proc, &f, sizeof f);
}

void bpvk_load_device(uintptr_t device) {
	if (!get_device_proc) return;
	device_table = instance_table;
	for (int i = 0; i < bpvk_entry_count; i++) {
		const bpvk_entry *e = &bpvk_entries[i];
		if (e->level != 2) continue;
		function f = get_device_proc(device, e->name);
		if (f)
			memcpy((char *)&device_table + e->offset, &f, sizeof f);
		else if (!strstr(e->name, "DebugUtils")) // an instance extension: the trampoline is right
			// The trampoline of an extension that is not enabled would jump to nowhere.
			memcpy((char *)&device_table + e->offset, (const char *)&bpvk_missing_table + e->offset, sizeof f);
	}
	activate(&device_table);
}

void bpvk_unload_device(void) {
	if (get_instance_proc) activate(&instance_table);
}

void *bpvk_proc(uintptr_t instance, const char *name) {
	void *p = NULL;
	if (get_instance_proc) {
		function f = get_instance_proc(instance, name);
		memcpy(&p, &f, sizeof f);
	}
	return p;
}
