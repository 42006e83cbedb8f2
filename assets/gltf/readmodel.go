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

// readModel reads a model file. Its first bytes go to head, and the JSON that is
// returned may stay there.
func readModel(f *os.File, head *[headSize]byte) (parts, error) {
	n, size, err := readHead(f, head[:])
	if err != nil {
		return parts{}, err
	}
	if file, ok := readPlain(f, head[:n], size); ok {
		return file, nil
	}
	data, err := readAny(f, head[:n], size)
	if err != nil {
		return parts{}, err
	}
	json, bin, err := split(data)
	return parts{json, bin, int64(len(data)), true}, err
}

// readWhole reads a model file, as much of it as counts.
func readWhole(f *os.File) ([]byte, error) {
	head := make([]byte, headSize)
	n, size, err := readHead(f, head)
	if err != nil {
		return nil, err
	}
	return readAny(f, head[:n], size)
}

// readHead reads the first bytes and tells the size of the file.
func readHead(f *os.File, head []byte) (n int, size int64, err error) {
	st, err := f.Stat()
	if err != nil {
		return 0, 0, fmt.Errorf("cannot be read: %s", cause(err))
	}
	size = st.Size()
	n, err = readFull(f, head[:min(size, int64(len(head)))])
	return n, size, err
}

// readFull reads as much as there is.
func readFull(f *os.File, into []byte) (int, error) {
	n, err := io.ReadFull(f, into)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return n, fmt.Errorf("cannot be read: %s", cause(err))
	}
	return n, nil
}

// readPlain reads a GLB of two chunks, as most are: the JSON from head, and just
// the binary chunk into memory that stays. Of anything else, and of what has a
// mistake, ok is false.
func readPlain(f *os.File, head []byte, size int64) (file parts, ok bool) {
	if len(head) < 28 || string(head[:4]) != glbMagic {
		return parts{}, false
	}
	word := func(at int64) int64 { return int64(binary.LittleEndian.Uint32(head[at:])) }
	end := 20 + word(12)
	if word(4) != 2 || word(8) != size || word(16) != chunkJSON || end+8 > int64(len(head)) {
		return parts{}, false
	}
	chunk, begin := word(end), end+8
	if word(end+4) != chunkBIN || chunk != size-begin || chunk == 0 {
		return parts{}, false
	}
	bin := uncleared(int(chunk))
	n := copy(bin, head[begin:])
	if _, err := io.ReadFull(f, bin[n:]); err != nil {
		return parts{}, false
	}
	return parts{bytes.TrimPrefix(head[20:end:end], byteOrderMark), bin, size, true}, true
}

// readAny reads any file, whose first bytes say what it is and how much of it
// counts: a hole of gigabytes is refused by them, unread. They are in head, which
// is not kept.
func readAny(f *os.File, head []byte, size int64) ([]byte, error) {
	read := len(head)
	if _, err := f.Seek(int64(read), io.SeekStart); err != nil { // behind a try of readPlain
		return nil, fmt.Errorf("cannot be read: %s", cause(err))
	}
	// Most files are read at once; of larger ones the head is looked at before
	// the rest is paid for.
	if size <= atOnce {
		all := uncleared(int(size))
		copy(all, head)
		n, err := readFull(f, all[read:])
		if err != nil {
			return nil, err
		}
		read += n
		head = all[:read:read]
	}
	most, err := size, error(nil)
	if bytes.HasPrefix(head, []byte(glbMagic)) {
		if most, err = glbSize(head, most); err != nil {
			return nil, err
		}
	} else if most, err = jsonSize(f, head, most); err != nil {
		return nil, err
	}
	if most <= int64(read) {
		if size > atOnce {
			return bytes.Clone(head[:most]), nil
		}
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
