// The queue of debug messages: validation layers call back on any thread, Go drains when it likes.
#pragma once
#include <stdint.h>

typedef struct bpvk_message {
	struct bpvk_message *next;
	uint32_t severity, types;
	int32_t id;
	uint32_t objects, labels;
	// Strings, each ended by NUL: id name, text, the objects' names, the labels, innermost first.
	char *text;
	// The objects' types and handles, in pairs.
	uint64_t *handles;
} bpvk_message;

// bpvk_message_callback is the PFN_vkDebugUtilsMessengerCallbackEXT.
void *bpvk_message_callback(void);

// bpvk_message_pop takes the oldest message, NULL if there is none. The caller frees it with free.
bpvk_message *bpvk_message_pop(void);

// bpvk_message_dropped returns, and sets to 0, how many messages found the queue full.
uint32_t bpvk_message_dropped(void);
