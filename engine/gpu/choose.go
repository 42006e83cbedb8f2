package gpu

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// candidate is a physical device and what speaks for or against it.
type candidate struct {
	handle   vk.PhysicalDevice
	props    Properties
	families []queueFamily
	lacks    string // why it can't be used; empty: it can
}

// chooseDevice takes the device that BINDPOSE_DEVICE names, or else the best of those that can be used.
func (d *Device) chooseDevice() (candidate, error) {
	handles, err := vk.EnumeratePhysicalDevices(d.instance)
	if err != nil && !errors.Is(err, vk.ERROR_INITIALIZATION_FAILED) {
		return candidate{}, fmt.Errorf("gpu: listing the Vulkan devices: %w", err)
	}
	if len(handles) == 0 {
		return candidate{}, errNoDriver
	}
	all := make([]candidate, len(handles))
	for i, h := range handles {
		all[i] = d.examine(h)
	}
	i, err := pick(all, os.Getenv("BINDPOSE_DEVICE"))
	if err != nil {
		return candidate{}, err
	}
	return all[i], nil
}

// pick is the index of the candidate that choice names by index or part of the name (any case); for an empty choice
// the usable one of the highest rank.
func pick(all []candidate, choice string) (int, error) {
	if choice != "" {
		found := -1
		if i, err := strconv.Atoi(choice); err == nil && i >= 0 && i < len(all) {
			found = i
		} else {
			for i := range all {
				if strings.Contains(strings.ToLower(all[i].props.Name), strings.ToLower(choice)) {
					found = i
					break
				}
			}
		}
		if found < 0 {
			return 0, fmt.Errorf("gpu: BINDPOSE_DEVICE=%s names no device; set it to an index or a part of a name of: %s", choice, list(all))
		}
		if all[found].lacks != "" {
			return 0, fmt.Errorf("gpu: BINDPOSE_DEVICE=%s is %s, which %s; set it to another of: %s", choice, all[found].props.Name, all[found].lacks, list(all))
		}
		return found, nil
	}
	best := -1
	for i := range all {
		if all[i].lacks == "" && (best < 0 || rank(all[i].props.Type) > rank(all[best].props.Type)) {
			best = i
		}
	}
	if best < 0 {
		return 0, fmt.Errorf("gpu: no device can be used: %s; install a newer driver (mesa-vulkan-drivers brings one in software)", list(all))
	}
	return best, nil
}

func rank(t DeviceType) int {
	switch t {
	case DeviceDiscrete:
		return 4
	case DeviceIntegrated:
		return 3
	case DeviceVirtual:
		return 2
	case DeviceCPU:
		return 1
	}
	return 0
}

func list(all []candidate) string {
	var b strings.Builder
	for i, c := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d %s", i, c.props.Name)
		if c.lacks != "" {
			fmt.Fprintf(&b, " (%s)", c.lacks)
		}
	}
	return b.String()
}

// examine reads a physical device's properties and checks what Bindpose needs of it.
func (d *Device) examine(h vk.PhysicalDevice) candidate {
	defer d.arena.Reset()
	c := candidate{handle: h}
	props := vk.New[vk.PhysicalDeviceProperties2](&d.arena)
	driver := vk.New[vk.PhysicalDeviceDriverProperties](&d.arena)
	props.PNext = ptr(driver)
	vk.GetPhysicalDeviceProperties2(h, props)
	p, l := &props.Properties, &props.Properties.Limits
	c.props = Properties{
		Name:  vk.String(p.DeviceName[:]),
		Type:  DeviceType(p.DeviceType),
		API:   versionString(p.ApiVersion),
		IsCPU: p.DeviceType == vk.PHYSICAL_DEVICE_TYPE_CPU,
		Limits: Limits{
			UniformAlign:        int(l.MinUniformBufferOffsetAlignment),
			StorageAlign:        int(l.MinStorageBufferOffsetAlignment),
			PushConstants:       int(l.MaxPushConstantsSize),
			MaxImage2D:          int(l.MaxImageDimension2D),
			MaxSamplers:         int(l.MaxPerStageDescriptorSamplers),
			MaxStorageBuffers:   int(l.MaxPerStageDescriptorStorageBuffers),
			MaxColorAttachments: int(l.MaxColorAttachments),
			SampleCounts:        uint32(l.FramebufferColorSampleCounts & l.FramebufferDepthSampleCounts),
			MaxSamples:          maxSamples(l.FramebufferColorSampleCounts & l.FramebufferDepthSampleCounts),
			MaxAnisotropy:       l.MaxSamplerAnisotropy,
			TimestampPeriod:     float64(l.TimestampPeriod),
			NonCoherentAtom:     int(l.NonCoherentAtomSize),
			BufferImageGranule:  int(l.BufferImageGranularity),
		},
		vendorID: p.VendorID, deviceID: p.DeviceID, driverVersion: p.DriverVersion,
		cacheUUID: [16]byte(p.PipelineCacheUUID),
	}
	if p.ApiVersion < vk.API_VERSION_1_3 {
		c.lacks = "speaks Vulkan " + c.props.API + " only, not 1.3"
		return c
	}
	c.props.Driver = strings.TrimSpace(vk.String(driver.DriverName[:]) + " " + vk.String(driver.DriverInfo[:]))

	f := vk.New[vk.PhysicalDeviceFeatures2](&d.arena)
	f12 := vk.New[vk.PhysicalDeviceVulkan12Features](&d.arena)
	f13 := vk.New[vk.PhysicalDeviceVulkan13Features](&d.arena)
	f.PNext, f12.PNext = ptr(f12), ptr(f13)
	vk.GetPhysicalDeviceFeatures2(h, f)
	for _, need := range []struct {
		name string
		has  vk.Bool32
	}{
		{"dynamicRendering", f13.DynamicRendering},
		{"synchronization2", f13.Synchronization2},
		{"maintenance4", f13.Maintenance4},
		{"timelineSemaphore", f12.TimelineSemaphore},
	} {
		if need.has == 0 {
			c.lacks = "lacks the feature " + need.name
			return c
		}
	}
	c.props.Has = Features{
		PipelineStatistics: f.Features.PipelineStatisticsQuery != 0,
		DescriptorIndexing: f12.DescriptorIndexing != 0,
		Anisotropy:         f.Features.SamplerAnisotropy != 0,
		FillModeNonSolid:   f.Features.FillModeNonSolid != 0,
		WideLines:          f.Features.WideLines != 0,
		DepthClamp:         f.Features.DepthClamp != 0,
		MultiDrawIndirect:  f.Features.MultiDrawIndirect != 0,
		VertexStores:       f.Features.VertexPipelineStoresAndAtomics != 0,
		FragmentStores:     f.Features.FragmentStoresAndAtomics != 0,
		IndependentBlend:   f.Features.IndependentBlend != 0,
		hostQueryReset:     f12.HostQueryReset != 0,
	}

	c.lacks = "has no queue for graphics and compute"
	for i, p := range vk.GetPhysicalDeviceQueueFamilyProperties(h) {
		f := queueFamily{flags: p.QueueFlags, count: p.QueueCount, stamps: p.TimestampValidBits, presents: true}
		if d.surface != 0 {
			can, err := vk.GetPhysicalDeviceSurfaceSupportKHR(h, uint32(i), d.surface)
			f.presents = err == nil && can != 0
		}
		if f.flags&graphicsAndCompute == graphicsAndCompute && !f.presents {
			c.lacks = "can't present to this window"
		}
		c.families = append(c.families, f)
	}
	if g := placeQueues(c.families, OneQueue)[framegraph.GraphicsQueue]; g.opened {
		f := &c.families[g.family]
		c.lacks = ""
		c.props.Has.Timestamps = f.stamps > 0
		c.props.Has.CalibratedTimestamps = c.props.Has.Timestamps && calibrates(h)
		c.props.timestampMask = 1<<f.stamps - 1
	}
	if c.lacks == "" && d.surface != 0 && !hasDeviceExtension(h, vk.KHR_SWAPCHAIN_EXTENSION_NAME) {
		c.lacks = "can't present (no VK_KHR_swapchain)"
	}
	return c
}

func hasDeviceExtension(h vk.PhysicalDevice, name string) bool {
	extensions, err := vk.EnumerateDeviceExtensionProperties(h, "")
	if err != nil {
		return false
	}
	for i := range extensions {
		if vk.String(extensions[i].ExtensionName[:]) == name {
			return true
		}
	}
	return false
}

// maxSamples is the largest of some sample counts. There may be gaps: lavapipe has 1 and 4.
func maxSamples(counts vk.SampleCountFlags) int {
	return 1 << (bits.Len32(uint32(counts&0x7f|1)) - 1)
}
