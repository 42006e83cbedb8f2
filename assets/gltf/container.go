package gltf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	glbMagic  = "glTF"
	chunkJSON = 0x4E4F534A
	chunkBIN  = 0x004E4942
)

var errNotGLTF = errors.New("this is neither a GLB nor a JSON file")

var byteOrderMark = []byte("\xEF\xBB\xBF") // which some editors leave in front

// split separates a file into its JSON text and its binary chunk (glTF 2.0
// §4.4). bin is nil where there is none. A .gltf file is all JSON.
func split(file []byte) (json, bin []byte, err error) {
	if !bytes.HasPrefix(file, []byte(glbMagic)) {
		json = bytes.TrimPrefix(file, byteOrderMark)
		switch start := bytes.TrimLeft(json, " \t\r\n"); {
		case len(start) == 0:
			return nil, nil, errors.New("the file is empty")
		case start[0] != '{' && start[0] != '[':
			return nil, nil, errNotGLTF
		}
		return json, nil, nil
	}
	if len(file) < 12 {
		return nil, nil, fmt.Errorf("the GLB header has %d bytes instead of 12; the file is cut off", len(file))
	}
	if v := binary.LittleEndian.Uint32(file[4:]); v != 2 {
		return nil, nil, fmt.Errorf("GLB version %d: %w; only version 2 is read", v, ErrUnsupported)
	}
	if n := binary.LittleEndian.Uint32(file[8:]); uint64(n) > uint64(len(file)) {
		return nil, nil, fmt.Errorf("the GLB header tells of %d bytes, but there are %d; the file is cut off", n, len(file))
	} else if n >= 12 {
		file = file[:n] // what lies behind is not part of it
	}
	for at, n := 12, 0; at < len(file); n++ {
		if len(file)-at < 8 {
			if n > 0 && len(bytes.Trim(file[at:], "\x00 ")) == 0 {
				break // padding
			}
			return nil, nil, fmt.Errorf("GLB chunk %d has a header of %d bytes instead of 8; the file is cut off", n, len(file)-at)
		}
		size, kind := binary.LittleEndian.Uint32(file[at:]), binary.LittleEndian.Uint32(file[at+4:])
		at += 8
		if uint64(size) > uint64(len(file)-at) {
			return nil, nil, fmt.Errorf("GLB chunk %d tells of %d bytes, but %d are left; the file is cut off", n, size, len(file)-at)
		}
		body := file[at : at+int(size) : at+int(size)]
		switch {
		case n == 0 && kind != chunkJSON:
			return nil, nil, fmt.Errorf("the first GLB chunk is of kind %#x instead of JSON", kind)
		case n == 0:
			json = body
		case kind == chunkBIN && bin == nil:
			bin = body
		}
		at += int(size)
	}
	if json == nil {
		return nil, nil, errors.New("the GLB file has no JSON chunk; it is cut off")
	}
	return bytes.TrimPrefix(json, byteOrderMark), bin, nil
}

// JSON returns the JSON text of a .gltf or .glb file, for what other formats add
// to it. It is part of data.
func JSON(data []byte) ([]byte, error) {
	json, _, err := split(data)
	if err != nil {
		return nil, err
	}
	// A text that is nested without end must not reach a recursive reader.
	if _, err := parseJSON(json); err != nil {
		return nil, err
	}
	return bytes.TrimRight(json, "\x00 \t\r\n"), nil
}
