// What the generated fake commands write with.
#pragma once
#include "gen_table.h"

void fake_begin(const char *name, uintptr_t command_buffer);
void fake_word(uint64_t v);
void fake_bytes(const void *p, size_t n);
void fake_end(void);

extern const bpvk_table fake_log_table, fake_empty_table;
