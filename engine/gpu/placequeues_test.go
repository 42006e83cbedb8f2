package gpu

import (
	"testing"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// The families of some devices as they report them, by vulkan.gpuinfo.org, and what is chosen of them.
func TestQueuesOfRealDevices(t *testing.T) {
	const (
		g      = vk.QUEUE_GRAPHICS_BIT
		c      = vk.QUEUE_COMPUTE_BIT
		x      = vk.QUEUE_TRANSFER_BIT
		sparse = vk.QUEUE_SPARSE_BINDING_BIT
		decode = vk.QueueFlags(0x20) // VK_QUEUE_VIDEO_DECODE_BIT_KHR
		encode = vk.QueueFlags(0x40)
		flow   = vk.QueueFlags(0x100) // VK_QUEUE_OPTICAL_FLOW_BIT_NV
	)
	family := func(flags vk.QueueFlags, count, stamps uint32) queueFamily {
		return queueFamily{flags: flags, count: count, stamps: stamps, presents: true}
	}
	dark := func(f queueFamily) queueFamily { f.presents = false; return f }
	nvidia := []queueFamily{
		family(g|c|x|sparse, 16, 64), family(x|sparse, 2, 64), family(c|x|sparse, 8, 64), dark(family(x|sparse|decode, 1, 32)), dark(family(x|sparse|encode, 1, 32)), dark(family(x|sparse|flow, 1, 64)),
	}
	none := queuePlace{}
	at := func(family, index uint32, stamps bool) queuePlace {
		return queuePlace{opened: true, family: family, index: index, stamps: stamps}
	}
	pretended := func(family uint32, stamps bool) queuePlace {
		p := at(family, 0, stamps)
		p.pretended = true
		return p
	}
	for _, test := range []struct {
		name     string
		families []queueFamily
		use      QueueUse
		want     [queueCount]queuePlace
	}{
		{"NVIDIA, Linux", nvidia, OwnQueues, [queueCount]queuePlace{at(0, 0, true), at(2, 0, true), at(1, 0, true)}},
		{"NVIDIA, one asked for", nvidia, OneQueue, [queueCount]queuePlace{at(0, 0, true), none, none}},
		{"NVIDIA, split", nvidia, SplitQueues, [queueCount]queuePlace{at(0, 0, true), at(2, 0, true), at(1, 0, true)}},
		{"AMD, RADV", []queueFamily{family(g|c|x|sparse, 1, 64), family(c|x|sparse, 4, 64), dark(family(x|decode, 1, 0)), dark(family(sparse, 1, 64))},
			OwnQueues, [queueCount]queuePlace{at(0, 0, true), at(1, 0, true), none}},
		{"AMD, Windows", []queueFamily{family(g|c|x|sparse, 1, 64), family(c|x|sparse, 2, 64), dark(family(x|sparse, 2, 64)), dark(family(x|decode, 1, 64))},
			OwnQueues, [queueCount]queuePlace{at(0, 0, true), at(1, 0, true), at(2, 0, true)}},
		{"Intel, ANV before compute engines", []queueFamily{family(g|c|x, 1, 36)}, OwnQueues, [queueCount]queuePlace{at(0, 0, true), none, none}},
		{"Intel, ANV split", []queueFamily{family(g|c|x, 1, 36)}, SplitQueues, [queueCount]queuePlace{at(0, 0, true), pretended(0, true), pretended(0, true)}},
		{"Intel Arc", []queueFamily{family(g|c|x|sparse, 1, 36), family(c|x|sparse, 1, 36), family(x|sparse, 1, 36), dark(family(decode, 2, 0))},
			OwnQueues, [queueCount]queuePlace{at(0, 0, true), at(1, 0, true), at(2, 0, true)}},
		{"Apple, MoltenVK", []queueFamily{family(g|c|x, 1, 64), family(g|c|x, 1, 64), family(g|c|x, 1, 64), family(g|c|x, 1, 64)},
			OwnQueues, [queueCount]queuePlace{at(0, 0, true), at(1, 0, true), none}},
		{"Qualcomm Adreno", []queueFamily{family(g|c, 3, 48)}, OwnQueues, [queueCount]queuePlace{at(0, 0, true), at(0, 1, true), none}},
		{"lavapipe", []queueFamily{family(g|c|x, 1, 64)}, SplitQueues, [queueCount]queuePlace{at(0, 0, true), pretended(0, true), pretended(0, true)}},
		{"stamps of another width", []queueFamily{family(g|c|x, 1, 64), family(c|x, 1, 36), family(x, 1, 0)}, OwnQueues, [queueCount]queuePlace{at(0, 0, true), at(1, 0, false), at(2, 0, false)}},
		{"the second family presents", []queueFamily{dark(family(g|c|x, 1, 64)), family(c|x, 1, 64), family(g|c|x, 1, 64)}, OwnQueues, [queueCount]queuePlace{at(2, 0, true), at(1, 0, true), none}},
		{"none draws", []queueFamily{family(c|x, 8, 64), family(x, 2, 64)}, SplitQueues, [queueCount]queuePlace{}},
		{"nothing", nil, OwnQueues, [queueCount]queuePlace{}},
	} {
		if got := placeQueues(test.families, test.use); got != test.want {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, got, test.want)
		}
	}
}

// An image that goes to another family is released and acquired; within a family only the second barrier stands, for a layout
// is changed once.
func TestCrossing(t *testing.T) {
	for _, test := range []struct {
		from, to uint32
		release  bool
		src, dst uint32
		record   bool
	}{
		{0, 0, false, vk.QUEUE_FAMILY_IGNORED, vk.QUEUE_FAMILY_IGNORED, true},
		{0, 0, true, vk.QUEUE_FAMILY_IGNORED, vk.QUEUE_FAMILY_IGNORED, false},
		{0, 2, true, 0, 2, true},
		{0, 2, false, 0, 2, true},
		{2, 0, true, 2, 0, true},
	} {
		src, dst, record := crossing(test.from, test.to, test.release)
		if src != test.src || dst != test.dst || record != test.record {
			t.Errorf("%d to %d, release %v: %d, %d, %v", test.from, test.to, test.release, src, dst, record)
		}
	}
}

// A transient is made for concurrent use only where the plan says so: any other's owner changes by barriers, which the
// specification allows for exclusive ones alone (Vulkan 1.3 §7.7.4). With one family nothing is shared.
func TestSharing(t *testing.T) {
	transient := func(shared bool) *framegraph.Resource {
		return &framegraph.Resource{IsImage: true, Shared: shared, Image: framegraph.ImageDesc{Format: framegraph.RGBA8Unorm, Width: 4, Height: 4},
			ImageUsage: framegraph.UsageSampled | framegraph.UsageTransferDst}
	}
	one, two := &Device{}, &Device{sharers: []uint32{0, 2}}
	for _, test := range []struct {
		d      *Device
		shared bool
		want   vk.SharingMode
		count  uint32
	}{
		{one, false, vk.SHARING_MODE_EXCLUSIVE, 0}, {one, true, vk.SHARING_MODE_EXCLUSIVE, 0},
		{two, false, vk.SHARING_MODE_EXCLUSIVE, 0}, {two, true, vk.SHARING_MODE_CONCURRENT, 2},
	} {
		info := test.d.imageInfo(imageOf(transient(test.shared)))
		if info.SharingMode != test.want || info.QueueFamilyIndexCount != test.count || test.count > 0 && *info.PQueueFamilyIndices != 0 {
			t.Errorf("%d families, shared %v: mode %v of %d", len(test.d.sharers), test.shared, info.SharingMode, info.QueueFamilyIndexCount)
		}
	}
}

func TestQueuesByEnvironment(t *testing.T) {
	for value, want := range map[string]QueueUse{"": OwnQueues, "own": OwnQueues, "one": OneQueue, "split": SplitQueues} {
		t.Setenv("BINDPOSE_QUEUES", value)
		if got, err := (&Options{}).queueUse(); got != want || err != nil {
			t.Errorf("%q: %v, %v", value, got, err)
		}
	}
	t.Setenv("BINDPOSE_QUEUES", "two")
	if _, err := (&Options{}).queueUse(); err == nil {
		t.Error("nonsense is taken")
	}
	if got, err := (&Options{Queues: SplitQueues}).queueUse(); got != SplitQueues || err != nil {
		t.Errorf("the options say split: %v, %v", got, err)
	}
}
