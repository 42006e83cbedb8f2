#include "messages.h"
#include "loader.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A layer that repeats a message every draw must not fill the memory while nobody drains.
#define MAX_QUEUED 4096

// The three structs of VK_EXT_debug_utils that a callback reads, with the C API's layout.
typedef struct {
	int32_t sType;
	const void *pNext;
	const char *pLabelName;
	float color[4];
} label;

typedef struct {
	int32_t sType;
	const void *pNext;
	int32_t objectType;
	uint64_t objectHandle;
	const char *pObjectName;
} object;

typedef struct {
	int32_t sType;
	const void *pNext;
	uint32_t flags;
	const char *pMessageIdName;
	int32_t messageIdNumber;
	const char *pMessage;
	uint32_t queueLabelCount;
	const label *pQueueLabels;
	uint32_t cmdBufLabelCount;
	const label *pCmdBufLabels;
	uint32_t objectCount;
	const object *pObjects;
} message;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bpvk_message *first, **last = &first;
static uint32_t queued, dropped;

static size_t size_of(const char *s) { return s ? strlen(s) + 1 : 1; }

static char *append(char *at, const char *s) {
	size_t n = size_of(s);
	memcpy(at, s ? s : "", n);
	return at + n;
}

static void push(uint32_t severity, uint32_t types, const message *m) {
	size_t text = size_of(m->pMessageIdName) + size_of(m->pMessage);
	for (uint32_t i = 0; i < m->objectCount; i++) text += size_of(m->pObjects[i].pObjectName);
	for (uint32_t i = 0; i < m->cmdBufLabelCount; i++) text += size_of(m->pCmdBufLabels[i].pLabelName);
	size_t handles = m->objectCount * 2 * sizeof(uint64_t);
	bpvk_message *q = malloc(sizeof *q + handles + text);
	pthread_mutex_lock(&lock);
	if (!q || queued >= MAX_QUEUED) {
		dropped++;
		pthread_mutex_unlock(&lock);
		free(q);
		return;
	}
	*q = (bpvk_message){
		.severity = severity, .types = types, .id = m->messageIdNumber,
		.objects = m->objectCount, .labels = m->cmdBufLabelCount,
		.handles = (uint64_t *)(q + 1), .text = (char *)(q + 1) + handles,
	};
	char *at = append(append(q->text, m->pMessageIdName), m->pMessage);
	for (uint32_t i = 0; i < m->objectCount; i++) {
		q->handles[2 * i] = (uint64_t)(int64_t)m->pObjects[i].objectType;
		q->handles[2 * i + 1] = m->pObjects[i].objectHandle;
		at = append(at, m->pObjects[i].pObjectName);
	}
	for (uint32_t i = 0; i < m->cmdBufLabelCount; i++) at = append(at, m->pCmdBufLabels[i].pLabelName);
	*last = q;
	last = &q->next;
	queued++;
	pthread_mutex_unlock(&lock);
}

static uint32_t callback(uint32_t severity, uint32_t types, const void *data, void *user) {
	(void)user;
	push(severity, types, data);
	return 0; // VK_FALSE: the call that caused it goes on
}

void *bpvk_message_callback(void) {
	uint32_t (*f)(uint32_t, uint32_t, const void *, void *) = callback;
	void *p;
	memcpy(&p, &f, sizeof p);
	return p;
}

bpvk_message *bpvk_message_pop(void) {
	pthread_mutex_lock(&lock);
	bpvk_message *q = first;
	if (q) {
		first = q->next;
		if (!first) last = &first;
		queued--;
	}
	pthread_mutex_unlock(&lock);
	return q;
}

uint32_t bpvk_message_dropped(void) {
	pthread_mutex_lock(&lock);
	uint32_t n = dropped;
	dropped = 0;
	pthread_mutex_unlock(&lock);
	return n;
}

void bpvk_missing(const char *name) {
	char text[256];
	snprintf(text, sizeof text, "%s was called, but no loaded instance or device has it: its extension is not enabled, or "
		"Load, LoadInstance or LoadDevice was not called", name);
	message m = {.pMessageIdName = "bindpose-missing-command", .pMessage = text};
	push(0x1000 /* error */, 0x2 /* validation */, &m);
}
