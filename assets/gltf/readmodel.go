package gltf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unsafe"

	"github.com/bindpose/bindpose/internal/ordinary"
)

// readModel reads a model file, whose first bytes say what it is and how much
// of it counts: a hole of gigabytes is refused by them, unread.
func readModel(f *os.File) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %s", cause(err))
	}
	// Most files are read at once; of larger ones the head is looked at before
	// the rest is paid for.
	first := st.Size()
	if first > atOnce {
		first = headSize
	}
	head := uncleared(int(first))
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("cannot be read: %s", cause(err))
	}
	head = head[:n:n]
	most := st.Size()
	if bytes.HasPrefix(head, []byte(glbMagic)) {
		if most, err = glbSize(head, most); err != nil {
			return nil, err
		}
	} else if most, err = jsonSize(f, head, most); err != nil {
		return nil, err
	}
	if most <= int64(n) {
		return head[:most], nil
	}
	if _, err = f.Seek(0, io.SeekStart); err == nil {
		var data []byte
		if data, err = ordinary.Read(f, most); err == nil {
			return data, nil
		}
	}
	return nil, fmt.Errorf("cannot be read: %s", cause(err))
}

// uncleared is memory that holds anything: it is to be filled, and cut to what
// was filled. Clearing takes as long as reading does.
func uncleared(n int) []byte {
	if n == 0 {
		return nil
	}
	// A Builder's memory is not cleared, and once it has a byte its text begins
	// where its memory does. Nothing else knows of that text.
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}

// headSize is how much of a file is looked at before the rest is read, where it
// is larger than atOnce.
const headSize, atOnce = 64 << 10, 4 << 20

// glbSize is how much of a GLB counts. It fails on a head that no GLB has.
func glbSize(head []byte, size int64) (int64, error) {
	if size <= headSize || len(head) < 20 {
		return size, nil
	}
	// split tells what is wrong in better words, where the file is all there.
	told := int64(binary.LittleEndian.Uint32(head[8:]))
	chunk := int64(binary.LittleEndian.Uint32(head[12:]))
	switch {
	case told > size:
		return 0, fmt.Errorf("the GLB header tells of %d bytes, but there are %d; the file is cut off", told, size)
	case binary.LittleEndian.Uint32(head[16:]) != chunkJSON:
		return 0, fmt.Errorf("the first GLB chunk is of kind %#x instead of JSON", binary.LittleEndian.Uint32(head[16:]))
	case told >= 12 && chunk > told-20:
		return 0, fmt.Errorf("GLB chunk 0 tells of %d bytes, but %d are left; the file is cut off", chunk, told-20)
	case chunk > headSize && bytes.IndexByte(head[20:headSize], 0) >= 0: // in front of its padding
		return 0, errors.New("the GLB's JSON chunk has zero bytes in its text; the file is damaged")
	case told < 12:
		return size, nil
	}
	return told, nil
}

// jsonSize is how much of a JSON file counts: all of it, or up to a zero byte,
// which stands nowhere in JSON; the parser tells where.
func jsonSize(f fs.File, head []byte, size int64) (int64, error) {
	start := bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	if len(start) > 0 && start[0] != '{' && start[0] != '[' {
		return 0, errNotGLTF
	}
	read, block := int64(0), head
	for {
		if i := bytes.IndexByte(block, 0); i >= 0 {
			return read + int64(i) + 1, nil
		}
		read += int64(len(block))
		if size <= 64<<20 || read >= size { // not worth looking for holes in
			return size, nil
		}
		if read == int64(len(head)) {
			block = make([]byte, 1<<20)
		}
		n, err := f.Read(block)
		if err != nil && n == 0 {
			return read, nil
		}
		block = block[:n]
	}
}
