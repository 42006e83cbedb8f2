package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const enginePackage = "../../engine/vk"

// TestGeneratedFilesAreFresh generates engine/vk again and compares.
func TestGeneratedFilesAreFresh(t *testing.T) {
	if _, err := os.Stat(defaultRegistry); err != nil {
		t.Skip("the Vulkan registry is not installed (on Debian: apt install libvulkan-dev): ", err)
	}
	files, err := Generate(defaultRegistry, "list.txt")
	if err != nil {
		t.Fatal(err)
	}
	generated := map[string]bool{}
	for _, f := range files {
		generated[f.Name] = true
		committed, err := os.ReadFile(filepath.Join(enginePackage, filepath.FromSlash(f.Name)))
		if err != nil {
			t.Errorf("%v: run go run ./tools/vkgen", err)
			continue
		}
		if a, b := head(committed), head(f.Text); a != b {
			t.Skipf("the installed registry says %q, engine/vk was generated from %q", b, a)
		}
		if !bytes.Equal(committed, f.Text) {
			t.Errorf("engine/vk/%s is not what vkgen writes: run go run ./tools/vkgen", f.Name)
		}
	}
	for _, pattern := range []string{"gen_*", "internal/*/gen_*"} {
		found, _ := filepath.Glob(filepath.Join(enginePackage, pattern))
		for _, path := range found {
			name, _ := filepath.Rel(enginePackage, path)
			if !generated[filepath.ToSlash(name)] {
				t.Errorf("%s is no longer generated: remove it", path)
			}
		}
	}
}

// head is the line with the registry's version.
func head(text []byte) string {
	lines := strings.SplitN(string(text), "\n", 3)
	return lines[min(1, len(lines)-1)]
}

// small is a registry with one of each thing that the generator tells apart.
const small = `<registry>
<types>
  <type category="define">#define <name>VK_HEADER_VERSION</name> 7</type>
  <type category="basetype">typedef <type>uint32_t</type> <name>VkFlags</name>;</type>
  <type name="VkResult" category="enum"/>
  <type name="VkStructureType" category="enum"/>
  <type name="VkObjectType" category="enum"/>
  <type name="VkAFlagBits" category="enum"/>
  <type requires="VkAFlagBits" category="bitmask">typedef <type>VkFlags</type> <name>VkAFlags</name>;</type>
  <type category="handle"><type>VK_DEFINE_HANDLE</type>(<name>VkDevice</name>)</type>
  <type category="handle"><type>VK_DEFINE_HANDLE</type>(<name>VkCommandBuffer</name>)</type>
  <type category="struct" name="VkIn">
    <member values="VK_STRUCTURE_TYPE_IN"><type>VkStructureType</type> <name>sType</name></member>
    <member>const <type>void</type>* <name>pNext</name></member>
    <member><type>VkAFlagBits</type> <name>flags</name><comment>a * in a comment is no pointer</comment></member>
    <member><type>char</type> <name>name</name>[<enum>VK_MAX</enum>]</member>
    <member len="n,null-terminated">const <type>char</type>* const* <name>ppNames</name></member>
  </type>
  <type category="struct" name="VkBits"><member><type>uint32_t</type> <name>a</name>:24</member></type>
</types>
<enums name="API Constants"><enum value="5" name="VK_MAX"/></enums>
<enums name="VkStructureType" type="enum"/>
<enums name="VkResult" type="enum"><enum value="0" name="VK_SUCCESS"/><enum value="5" name="VK_INCOMPLETE"/></enums>
<enums name="VkAFlagBits" type="bitmask"><enum bitpos="3" name="VK_A_X_BIT"/></enums>
<commands>
  <command successcodes="VK_SUCCESS,VK_INCOMPLETE"><proto><type>VkResult</type> <name>vkGetThings</name></proto>
    <param><type>VkDevice</type> <name>device</name></param>
    <param optional="false,true"><type>uint32_t</type>* <name>pCount</name></param>
    <param optional="true" len="pCount"><type>float</type>* <name>pThings</name></param></command>
  <command successcodes="VK_SUCCESS"><proto><type>VkResult</type> <name>vkUse</name></proto>
    <param><type>VkDevice</type> <name>device</name></param>
    <param>const <type>VkIn</type>* <name>pIn</name></param>
    <param><type>uint32_t</type> <name>n</name></param>
    <param len="n">const <type>uint64_t</type>* <name>pValues</name></param>
    <param><type>VkDevice</type>* <name>pOther</name></param></command>
  <command><proto><type>void</type> <name>vkCmdGo</name></proto>
    <param><type>VkCommandBuffer</type> <name>commandBuffer</name></param>
    <param><type>uint32_t</type> <name>x</name></param></command>
</commands>
<feature api="vulkan" name="VK_VERSION_1_0" number="1.0"><require>
  <enum extends="VkStructureType" extnumber="3" offset="2" name="VK_STRUCTURE_TYPE_IN"/>
</require></feature>
<extensions><extension name="VK_T_x" number="9"><require>
  <enum extends="VkResult" offset="1" dir="-" name="VK_ERROR_T"/>
  <enum value="&quot;VK_T_x&quot;" name="VK_T_X_EXTENSION_NAME"/>
</require></extension></extensions>
</registry>`

func generateSmall(t *testing.T, names string) (map[string]string, error) {
	t.Helper()
	dir := t.TempDir()
	xmlPath, listPath := filepath.Join(dir, "vk.xml"), filepath.Join(dir, "list.txt")
	for path, text := range map[string]string{xmlPath: small, listPath: names} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Generate(xmlPath, listPath)
	out := map[string]string{}
	for _, f := range files {
		out[f.Name] = strings.Join(strings.Fields(string(f.Text)), " ")
	}
	return out, err
}

func TestRules(t *testing.T) {
	out, err := generateSmall(t, "VK_T_x\nvkGetThings\nvkUse # with a comment\nvkCmdGo\nstring VkResult\n")
	if err != nil {
		t.Fatal(err)
	}
	for file, wants := range map[string][]string{
		"gen_commands.go": {
			"func GetThings(device Device) ([]float32, error)",
			"func Use(device Device, in *In, values []uint64) (Device, error)",
		},
		"gen_stream.go": {"func (s *Stream) CmdGo(x uint32)"},
		"gen_enums.go": {
			"ERROR_T Result = -1000008001", "STRUCTURE_TYPE_IN StructureType = 1000002002",
			"A_X_BIT AFlags = 0x8", `T_X_EXTENSION_NAME = "VK_T_x"`, "MAX = 5",
		},
		"gen_types.go": {
			"type Device uintptr",
			"type In struct { SType StructureType PNext unsafe.Pointer Flags AFlags Name [5]byte PpNames **byte }",
			"func (s *In) Init() *In { s.SType = STRUCTURE_TYPE_IN return s }",
		},
		"gen_strings.go": {`case SUCCESS: return "VK_SUCCESS"`},
	} {
		for _, want := range wants {
			if !strings.Contains(out[file], want) {
				t.Errorf("%s does not have %q:\n%s", file, want, out[file])
			}
		}
	}
}

func TestListMistakes(t *testing.T) {
	for names, want := range map[string]string{
		"vkNoSuch":     "vkNoSuch: no such command",
		"VkNoSuch":     "no type VkNoSuch",
		"VK_T_missing": "extension VK_T_missing is not in the registry",
		"VkBits":       "bit fields are not supported",
		"one two":      "list.txt:1",
	} {
		if _, err := generateSmall(t, names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", names, err, want)
		}
	}
}
