// The loader: opens libvulkan at run time and fills the function tables.
#pragma once
#include "gen_table.h"

typedef struct {
	const char *name;
	size_t offset; // of the command's pointer in bpvk_table
	int level;     // 0 global, 1 instance, 2 device
} bpvk_entry;

extern const bpvk_entry bpvk_entries[];
extern const int bpvk_entry_count;
extern const bpvk_table bpvk_missing_table;

// bpvk_open opens a loader library; a message, or NULL when it worked.
const char *bpvk_open(const char *library);
void bpvk_load_instance(uintptr_t instance);
void bpvk_load_device(uintptr_t device);
void bpvk_unload_device(void);
void *bpvk_proc(uintptr_t instance, const char *name);

// bpvk_missing queues a message about a command that is not there.
void bpvk_missing(const char *name);

// The table that calls go through. It is replaced as a whole, so another thread sees the old or the new one.
extern const bpvk_table *bpvk_active_table;
static inline const bpvk_table *bpvk_active(void) {
	return __atomic_load_n(&bpvk_active_table, __ATOMIC_ACQUIRE);
}
