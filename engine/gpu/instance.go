package gpu

import (
	"errors"
	"fmt"
	"os"

	"github.com/bindpose/bindpose/engine/vk"
)

const validationLayer = "VK_LAYER_KHRONOS_validation"

// openInstance makes the instance, with the validation layer if asked for.
func (d *Device) openInstance(o Options) error {
	if err := vk.Load(); err != nil {
		return fmt.Errorf("gpu: %w", err)
	}
	version, err := vk.EnumerateInstanceVersion()
	if err != nil {
		return fmt.Errorf("gpu: asking the Vulkan loader for its version: %w", err)
	}
	if version < vk.API_VERSION_1_3 {
		return fmt.Errorf("gpu: the Vulkan loader is of version %s and Bindpose needs 1.3; install a newer libvulkan1", versionString(version))
	}
	validate := o.Validate || os.Getenv("BINDPOSE_VALIDATE") == "1"
	extensions := append([]string{}, o.InstanceExtensions...)
	var layers []string
	if validate {
		if !hasLayer(validationLayer) {
			return errors.New("gpu: validation was asked for and its layer isn't installed; install the Debian package vulkan-validationlayers, or run without --validate and BINDPOSE_VALIDATE")
		}
		layers = append(layers, validationLayer)
		extensions = append(extensions, vk.EXT_VALIDATION_FEATURES_EXTENSION_NAME)
	}
	d.debug = hasInstanceExtension(vk.EXT_DEBUG_UTILS_EXTENSION_NAME)
	if d.debug {
		extensions = append(extensions, vk.EXT_DEBUG_UTILS_EXTENSION_NAME)
	}

	a := &d.arena
	app := vk.New[vk.ApplicationInfo](a)
	name := o.App
	if name == "" {
		name = "bindpose"
	}
	app.PApplicationName = vk.CString(a, name)
	app.PEngineName = vk.CString(a, "bindpose")
	app.ApiVersion = vk.API_VERSION_1_3
	info := vk.New[vk.InstanceCreateInfo](a)
	info.PApplicationInfo = app
	info.EnabledLayerCount, info.PpEnabledLayerNames = uint32(len(layers)), vk.CStrings(a, layers...)
	info.EnabledExtensionCount, info.PpEnabledExtensionNames = uint32(len(extensions)), vk.CStrings(a, extensions...)
	if validate {
		features := vk.New[vk.ValidationFeaturesEXT](a)
		features.EnabledValidationFeatureCount = 1
		features.PEnabledValidationFeatures = vk.Slice(a, vk.VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)
		info.PNext = ptr(features)
	}
	d.instance, err = vk.CreateInstance(info)
	switch {
	case errors.Is(err, vk.ERROR_EXTENSION_NOT_PRESENT):
		return fmt.Errorf("gpu: the Vulkan loader lacks one of the extensions %q that the window needs; install mesa-vulkan-drivers or your graphics card's Vulkan driver, or run with --headless", o.InstanceExtensions)
	case errors.Is(err, vk.ERROR_INCOMPATIBLE_DRIVER):
		return errNoDriver
	case err != nil:
		return fmt.Errorf("gpu: opening Vulkan: %w", err)
	}
	vk.LoadInstance(d.instance)
	d.validating = validate
	return nil
}

var errNoDriver = errors.New("gpu: no Vulkan driver is installed; install mesa-vulkan-drivers (software and open-source drivers) or your graphics card's own driver")

func hasLayer(name string) bool {
	layers, err := vk.EnumerateInstanceLayerProperties()
	if err != nil {
		return false
	}
	for i := range layers {
		if vk.String(layers[i].LayerName[:]) == name {
			return true
		}
	}
	return false
}

func hasInstanceExtension(name string) bool {
	extensions, err := vk.EnumerateInstanceExtensionProperties("")
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

func versionString(v uint32) string {
	major, minor, patch := vk.APIVersion(v)
	return fmt.Sprintf("%d.%d.%d", major, minor, patch)
}
