package gpu

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// pipelineCache keeps the driver's compiled pipelines between runs, in the user's cache directory, in a file for each
// device and driver. Nothing about it is fatal: a missing, foreign or damaged file is ignored, a failed write too.
type pipelineCache struct {
	handle vk.PipelineCache
	path   string // empty: not kept
	dirty  bool
}

// cacheMagic starts the file; then come the CRC-32 of the driver's bytes (little-endian), and those. The driver checks
// its own header too (Vulkan 1.3 §10.7.3), but not for flipped bits.
const cacheMagic = "bindpose-pipelines-1\n"

const cacheBound = 256 << 20 // a larger file isn't ours

func (c *pipelineCache) open(d *Device, dir string) {
	if dir == "" {
		if user, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(user, "bindpose")
		}
	}
	if dir != "" {
		key := binary.LittleEndian.AppendUint32(nil, d.props.vendorID)
		key = binary.LittleEndian.AppendUint32(key, d.props.deviceID)
		key = binary.LittleEndian.AppendUint32(key, d.props.driverVersion)
		key = append(key, d.props.cacheUUID[:]...)
		c.path = filepath.Join(dir, "pipelines", hex.EncodeToString(key)+".bin")
	}
	a := &d.arena
	info := vk.New[vk.PipelineCacheCreateInfo](a)
	if kept := c.read(d); len(kept) > 0 {
		mem := vk.MakeSlice[byte](a, len(kept))
		copy(mem, kept)
		info.InitialDataSize, info.PInitialData = uint64(len(mem)), unsafe.Pointer(&mem[0])
	}
	var err error
	if c.handle, err = vk.CreatePipelineCache(d.handle, info); err != nil {
		info.InitialDataSize, info.PInitialData = 0, nil
		c.handle, _ = vk.CreatePipelineCache(d.handle, info) // without one everything works too
	}
	a.Free()
}

// read is the driver's bytes as they were kept; nil if there are none that are whole and this device's.
func (c *pipelineCache) read(d *Device) []byte {
	if c.path == "" {
		return nil
	}
	file, err := ordinary.ReadFile(c.path, cacheBound)
	if err != nil {
		return nil
	}
	return keptPipelines(file, &d.props)
}

// keptPipelines is the driver's bytes in a cache file; nil if it isn't whole or not this device's.
func keptPipelines(file []byte, p *Properties) []byte {
	rest, ok := bytes.CutPrefix(file, []byte(cacheMagic))
	if !ok || len(rest) < 4+32 {
		return nil
	}
	sum, kept := binary.LittleEndian.Uint32(rest), rest[4:]
	// VkPipelineCacheHeaderVersionOne: size, version, vendor, device, UUID.
	if crc32.ChecksumIEEE(kept) != sum || binary.LittleEndian.Uint32(kept[8:]) != p.vendorID ||
		binary.LittleEndian.Uint32(kept[12:]) != p.deviceID || [16]byte(kept[16:32]) != p.cacheUUID {
		return nil
	}
	return kept
}

// write keeps the cache if pipelines were built: to a new file first, so that no reader sees half of one.
func (c *pipelineCache) write(d *Device) error {
	if c.path == "" || !c.dirty || c.handle == 0 {
		return nil
	}
	data, err := vk.GetPipelineCacheData(d.handle, c.handle)
	if err != nil {
		return err
	}
	dir := filepath.Dir(c.path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32([]byte(cacheMagic), crc32.ChecksumIEEE(data))
	_, err = f.Write(append(head, data...))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	c.dirty = false
	return nil
}

func (c *pipelineCache) close(d *Device) {
	if c.handle != 0 {
		if !d.lost {
			_ = c.write(d) // the next run builds them again
		}
		vk.DestroyPipelineCache(d.handle, c.handle)
		c.handle = 0
	}
}
