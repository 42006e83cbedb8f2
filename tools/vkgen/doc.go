// Command vkgen writes the generated part of engine/vk from Khronos's registry, vk.xml.
//
// It emits only what list.txt names, and what those names refer to: enums and flags with the values of core Vulkan 1.0
// to 1.3 and of the listed extensions; structs with C's memory layout; one Go function a command; one method a vkCmd* on
// the command stream, with the C that replays it; and a test table of sizes and offsets.
//
//	go run ./tools/vkgen                     # from the repository root; Debian's libvulkan-dev has the registry
//	go run ./tools/vkgen -xml path/to/vk.xml
//
// The output depends on nothing but vk.xml and list.txt, so a test can make it again and compare. A run takes about
// a third of a second.
package main
