package gltf

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io/fs"
	"net/url"
	"strings"

	"github.com/bindpose/bindpose/internal/ordinary"
)

// dataURI decodes "data:[type][;base64],…" (RFC 2397). ok is false of any other
// URI.
func dataURI(uri []byte) (data []byte, ok bool, err error) {
	if len(uri) < 5 || !strings.EqualFold(string(uri[:5]), "data:") {
		return nil, false, nil
	}
	head, body, found := bytes.Cut(uri[5:], []byte{','})
	if !found {
		return nil, true, errors.New("the data URI has no comma, so no data")
	}
	if !bytes.HasSuffix(head, []byte(";base64")) {
		plain, err := url.PathUnescape(string(body))
		if err != nil {
			return nil, true, errors.New("the data URI has a wrong percent-escape")
		}
		return []byte(plain), true, nil
	}
	if bytes.IndexByte(body, '%') >= 0 { // "%3D" and "%2B" in the base64
		plain, err := url.PathUnescape(string(body))
		if err != nil {
			return nil, true, errors.New("the data URI has a wrong percent-escape")
		}
		body = []byte(plain)
	}
	body = bytes.TrimRight(body, "=")
	data = make([]byte, base64.RawStdEncoding.DecodedLen(len(body)))
	n, err := base64.RawStdEncoding.Decode(data, body)
	if err != nil {
		return nil, true, errors.New("the data URI is not base64: " + err.Error())
	}
	return data[:n], true, nil
}

// beside reads the file that a relative URI names (glTF 2.0 §2.8), the first
// most bytes of it.
func (l *loader) beside(uri string, most int64) ([]byte, error) {
	if l.fsys == nil {
		return nil, errors.New("it lies beside the model, and there is no folder to read it from")
	}
	if i := strings.IndexByte(uri, ':'); i > 0 && !strings.ContainsAny(uri[:i], "/%. ") && len(uri) > i+1 {
		return nil, errors.New("only files beside the model are read, and this URI has the scheme " + shorten(uri[:i]))
	}
	// URIs are percent-encoded; some exporters leave that out, some write
	// backslashes.
	names := []string{uri}
	if plain, err := url.PathUnescape(uri); err == nil && plain != uri {
		names = []string{plain, uri}
	}
	if strings.Contains(names[0], `\`) {
		names = append(names, strings.ReplaceAll(names[0], `\`, "/"))
	}
	var first error
	for _, name := range names {
		data, err := l.readFile(strings.TrimPrefix(name, "./"), most)
		if err == nil {
			return data, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// external is what was read of a file beside the model.
type external struct {
	data []byte
	all  bool // there is no more
}

func (l *loader) readFile(name string, most int64) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, errors.New("only files in the model's own folder are read")
	}
	before, known := l.external[name]
	if known && (before.all || int64(len(before.data)) >= most) { // read once, however often it is named
		return before.data, nil
	}
	f, err := l.fsys.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("there is no such file")
		}
		return nil, errors.New(cause(err))
	}
	defer f.Close()
	data, err := ordinary.Read(f, most)
	if err != nil {
		return nil, errors.New(cause(err))
	}
	if l.external == nil {
		l.external = map[string]external{}
	}
	l.external[name] = external{data, int64(len(data)) < most}
	l.input += int64(len(data) - len(before.data))
	return data, nil
}
