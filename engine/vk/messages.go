package vk

/*
#include <stdlib.h>
#include "messages.h"
#cgo noescape bpvk_message_pop
#cgo nocallback bpvk_message_pop
#cgo nocallback bpvk_message_dropped
*/
import "C"

import (
	"fmt"
	"strings"
	"unsafe"
)

// DebugMessage is a message of VK_EXT_debug_utils: of the validation layers, the loader or the driver.
type DebugMessage struct {
	Severity DebugUtilsMessageSeverityFlagsEXT
	Type     DebugUtilsMessageTypeFlagsEXT
	IDName   string // such as "VUID-VkImageCreateInfo-format-00943"; may be ""
	ID       int32
	Text     string
	Objects  []DebugObject
	Labels   []string // of the command buffer, innermost first
}

// DebugObject is an object that a message is about. Its name is what SetDebugUtilsObjectNameEXT gave it, or "".
type DebugObject struct {
	Type   ObjectType
	Handle uint64
	Name   string
}

// Error reports whether the message's severity is error.
func (m *DebugMessage) Error() bool {
	return m.Severity&DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT != 0
}

// Warning reports whether the message's severity is warning.
func (m *DebugMessage) Warning() bool {
	return m.Severity&DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT != 0
}

// String is the severity, the text, and the named objects and labels.
func (m *DebugMessage) String() string {
	var b strings.Builder
	switch {
	case m.Error():
		b.WriteString("error: ")
	case m.Warning():
		b.WriteString("warning: ")
	}
	b.WriteString(m.Text)
	for _, o := range m.Objects {
		if o.Name != "" {
			fmt.Fprintf(&b, " [%v %q]", o.Type, o.Name)
		}
	}
	if len(m.Labels) > 0 {
		fmt.Fprintf(&b, " [in %s]", strings.Join(m.Labels, " < "))
	}
	return b.String()
}

// DebugMessengerInfo makes the create-info of a messenger that takes errors and warnings of every type into the queue that
// DrainMessages reads. Chained into an InstanceCreateInfo it also catches what CreateInstance and DestroyInstance report.
// More severities may be added to it.
func DebugMessengerInfo(a *Arena) *DebugUtilsMessengerCreateInfoEXT {
	info := New[DebugUtilsMessengerCreateInfoEXT](a)
	info.MessageSeverity = DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
	info.MessageType = DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
		DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT
	info.PfnUserCallback = C.bpvk_message_callback()
	return info
}

// CreateDebugMessenger makes a messenger as DebugMessengerInfo describes. The instance needs VK_EXT_debug_utils.
func CreateDebugMessenger(instance Instance) (DebugUtilsMessengerEXT, error) {
	var a Arena
	defer a.Free()
	return CreateDebugUtilsMessengerEXT(instance, DebugMessengerInfo(&a))
}

// DrainMessages hands out the queued messages, oldest first. The queue is one for the whole process and holds 4,096
// messages; how many more there were is a last message with IDName "bindpose-dropped-messages". It may be called from any
// goroutine, and f may call this package.
func DrainMessages(f func(DebugMessage)) {
	for {
		c := C.bpvk_message_pop()
		if c == nil {
			break
		}
		m := goMessage(c)
		C.free(unsafe.Pointer(c))
		f(m)
	}
	if n := C.bpvk_message_dropped(); n > 0 {
		f(DebugMessage{
			Severity: DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
			IDName:   "bindpose-dropped-messages",
			Text:     fmt.Sprintf("%d more messages found the queue full", n),
		})
	}
}

func goMessage(c *C.bpvk_message) DebugMessage {
	at := (*byte)(unsafe.Pointer(c.text))
	next := func() string {
		s := GoString(at)
		at = (*byte)(unsafe.Add(unsafe.Pointer(at), len(s)+1))
		return s
	}
	m := DebugMessage{
		Severity: DebugUtilsMessageSeverityFlagsEXT(c.severity),
		Type:     DebugUtilsMessageTypeFlagsEXT(c.types),
		ID:       int32(c.id),
		IDName:   next(),
		Text:     next(),
	}
	handles := unsafe.Slice((*uint64)(unsafe.Pointer(c.handles)), 2*int(c.objects))
	for i := range int(c.objects) {
		m.Objects = append(m.Objects, DebugObject{ObjectType(handles[2*i]), handles[2*i+1], next()})
	}
	for range int(c.labels) {
		m.Labels = append(m.Labels, next())
	}
	return m
}
