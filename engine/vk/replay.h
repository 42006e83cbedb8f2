// The replayer of the command stream.
#pragma once
#include "gen_table.h"

// bpvk_replay decodes size bytes, a multiple of 8, and calls t's commands for cb.
void bpvk_replay(const bpvk_table *t, uintptr_t cb, const void *stream, size_t size);
