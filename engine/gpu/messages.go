package gpu

import (
	"github.com/bindpose/bindpose/engine/vk"
)

// openMessenger listens to the validation layer where debug utils are there. Messages are queued in C, whatever thread
// says them, and drain hands them out.
func (d *Device) openMessenger() error {
	if !d.debug || !d.validating {
		return nil
	}
	var err error
	d.messenger, err = vk.CreateDebugMessenger(d.instance)
	return err
}

func (d *Device) closeMessenger() {
	if d.messenger != 0 {
		vk.DestroyDebugUtilsMessengerEXT(d.instance, d.messenger)
		d.messenger = 0
	}
}

// drain moves what the layer said since the last call to the device's messages.
func (d *Device) drain() {
	if d.validating {
		vk.DrainMessages(d.receiver)
	}
}

func (d *Device) receive(m vk.DebugMessage) {
	msg := Message{ID: m.IDName, Text: m.String()}
	for _, o := range m.Objects {
		msg.Objects = append(msg.Objects, o.Name)
	}
	switch {
	case m.Error():
		msg.Severity = SeverityError
	case m.Warning():
		msg.Severity = SeverityWarning
	case m.Severity&vk.DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT != 0:
		msg.Severity = SeverityNotice
	}
	d.messages = append(d.messages, msg)
	if d.onMessage != nil {
		d.onMessage(msg)
	}
}

// Messages of the validation layer so far, warnings and errors. Those that closing brings are there after Close.
func (d *Device) Messages() []Message {
	d.drain()
	return d.messages
}

// name gives an object its name in the validation layer's messages and in debuggers.
func (d *Device) name(t vk.ObjectType, handle uint64, name string) {
	if !d.debug || name == "" || handle == 0 {
		return
	}
	info := vk.New[vk.DebugUtilsObjectNameInfoEXT](&d.nameArena)
	info.ObjectType = t
	info.ObjectHandle = handle
	info.PObjectName = vk.CString(&d.nameArena, name)
	_ = vk.SetDebugUtilsObjectNameEXT(d.handle, info) // a missing name harms nothing
	d.nameArena.Reset()
}
