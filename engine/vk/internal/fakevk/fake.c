#include "fake.h"
#include "log.h"
#include <stdarg.h>
#include <stdio.h>

static char text[1 << 20];
static size_t used;

__attribute__((format(printf, 1, 2))) static void print(const char *format, ...) {
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text + used, sizeof text - used, format, args);
	va_end(args);
	if (n > 0 && used + (size_t)n < sizeof text) used += (size_t)n;
}

void fake_begin(const char *name, uintptr_t command_buffer) { print("%s %llx", name, (unsigned long long)command_buffer); }
void fake_word(uint64_t v) { print(" %llx", (unsigned long long)v); }
void fake_end(void) { print("\n"); }

void fake_bytes(const void *p, size_t n) {
	if (!p) {
		print(" null");
		return;
	}
	print(" [");
	for (size_t i = 0; i < n; i++) print("%02x", ((const unsigned char *)p)[i]);
	print("]");
}

const char *fake_log(void) { return text; }
size_t fake_log_size(void) { return used; }
void fake_log_reset(void) { used = 0; }
