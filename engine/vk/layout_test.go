package vk

type memberLayout struct {
	name   string
	offset uintptr
}

type structLayout struct {
	name        string
	size, align uintptr
	members     []memberLayout
}

type enumValue struct {
	name  string
	value int64
}
