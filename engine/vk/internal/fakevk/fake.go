package fakevk

/*
#cgo CFLAGS: -I${SRCDIR}/../..
#include "fake.h"
#include "log.h"

static void *log_table(void) { return (void *)&fake_log_table; }
static void *empty_table(void) { return (void *)&fake_empty_table; }
*/
import "C"

import "unsafe"

// Log is a function table whose commands write down what they were called with.
func Log() unsafe.Pointer { return C.log_table() }

// Empty is a function table whose commands do nothing.
func Empty() unsafe.Pointer { return C.empty_table() }

// TakeLog returns what Log's commands wrote since the last call, one line a command: its name, then the command buffer and
// each argument in hexadecimal; arrays and structs byte for byte in brackets, without their counts.
func TakeLog() string {
	defer C.fake_log_reset()
	return C.GoStringN(C.fake_log(), C.int(C.fake_log_size()))
}
