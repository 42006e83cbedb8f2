#pragma once
#include <stddef.h>

const char *fake_log(void);
size_t fake_log_size(void);
void fake_log_reset(void);
