package gpu

import (
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// Only a whole file of this device is taken, whatever its bytes.
func FuzzKeptPipelines(f *testing.F) {
	p := Properties{vendorID: 0x10005, cacheUUID: [16]byte{1, 2, 3}}
	body := binary.LittleEndian.AppendUint32(nil, 32)
	body = binary.LittleEndian.AppendUint32(body, 1)
	body = binary.LittleEndian.AppendUint32(body, p.vendorID)
	body = binary.LittleEndian.AppendUint32(body, p.deviceID)
	body = append(append(body, p.cacheUUID[:]...), "pipelines"...)
	whole := append(binary.LittleEndian.AppendUint32([]byte(cacheMagic), crc32.ChecksumIEEE(body)), body...)
	if string(keptPipelines(whole, &p)) != string(body) {
		f.Fatal("a whole file isn't taken")
	}
	f.Add(whole)
	f.Add(whole[:40])
	f.Add([]byte(cacheMagic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, file []byte) {
		kept := keptPipelines(file, &p)
		if kept != nil && (len(kept) >= len(file) || binary.LittleEndian.Uint32(kept[8:]) != p.vendorID) {
			t.Errorf("%d bytes taken of a file of %d", len(kept), len(file))
		}
	})
}
