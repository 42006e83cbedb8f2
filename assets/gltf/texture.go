package gltf

import (
	"errors"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/image"
)

func (l *loader) images() {
	list, n := l.list("images", 96)
	l.m.Images = make([]assets.Image, n)
	for i, v := range list.elements() {
		l.image(v, &l.m.Images[i])
	}
}

// image finds an image's bytes. One that is not there is a warning: the model
// is still worth seeing.
func (l *loader) image(v value, out *assets.Image) {
	out.Name = v.get("name").text()
	uri, view := v.get("uri"), v.get("bufferView")
	switch {
	case uri.exists():
		if uri.kind() != kindString {
			uri.text()
			return
		}
		raw := uri.raw()
		if uri.token().escaped {
			raw = []byte(uri.text())
		}
		data, ok, err := dataURI(raw)
		if !ok {
			out.Path = uri.text()
			data, err = l.picture(out.Path)
		}
		if err != nil {
			what := "the image"
			if out.Path != "" {
				what = "the image " + shorten(out.Path)
			}
			l.warn(uri, "%s cannot be read: %v; a stand-in is shown", what, err)
			return
		}
		out.Data = data
	case view.exists():
		i := view.index(l.fileViews, "bufferViews")
		if l.err != nil {
			return
		}
		if out.Data = l.view(i, view, "the image"); l.err != nil {
			var e *Error
			if errors.As(l.err, &e) {
				l.err = nil
				l.warn(view, "the image cannot be read: %s; a stand-in is shown", e.Message)
			}
			return
		}
	default:
		l.warn(v, "has neither a uri nor a bufferView; a stand-in is shown")
		return
	}
	if out.MIME = image.Sniff(out.Data); out.MIME == "" {
		l.warn(v, "is no kind of image that is known; a stand-in is shown")
	}
}

// picture reads an image beside the model; of what is none, just the head.
func (l *loader) picture(path string) ([]byte, error) {
	head, err := l.beside(path, 64)
	if err != nil || image.Sniff(head) == "" {
		return head, err
	}
	data, err := l.beside(path, image.MaxBytes+1)
	if err == nil && len(data) > image.MaxBytes {
		return nil, image.ErrTooLarge
	}
	return data, err
}

// Sampler constants are OpenGL's (glTF 2.0 §5.26).
const (
	glNearest              = 9728
	glLinear               = 9729
	glNearestMipmapNearest = 9984
	glLinearMipmapNearest  = 9985
	glNearestMipmapLinear  = 9986
	glLinearMipmapLinear   = 9987
	glClampToEdge          = 33071
	glMirroredRepeat       = 33648
	glRepeat               = 10497
)

func (l *loader) textures() {
	samplers, n := l.list("samplers", 48)
	settings := make([]assets.Texture, n)
	for i, v := range samplers.elements() {
		settings[i] = l.samplerOf(v)
	}
	list, n := l.list("textures", 48)
	l.m.Textures = make([]assets.Texture, n)
	for i, v := range list.elements() {
		t := l.samplerOf(value{l, -1})
		if s := v.get("sampler").index(len(settings), "samplers"); s >= 0 {
			t = settings[s]
		}
		t.Name = v.get("name").text()
		source := v.get("extensions").get("EXT_texture_webp").get("source")
		if !source.exists() {
			source = v.get("source")
		}
		if t.Image = source.index(len(l.m.Images), "images"); t.Image < 0 && l.err == nil {
			l.warn(v, "has no image that is known here; a stand-in is shown")
		}
		l.m.Textures[i] = t
	}
}

func (l *loader) samplerOf(v value) assets.Texture {
	t := assets.Texture{Image: -1, Mipmaps: true}
	if v.get("magFilter").integer(glLinear) == glNearest {
		t.Mag = assets.NearestFilter
	}
	switch at := v.get("minFilter"); at.integer(glLinearMipmapLinear) {
	case glNearest:
		t.Min, t.MipFilter, t.Mipmaps = assets.NearestFilter, assets.NearestFilter, false
	case glLinear:
		t.MipFilter, t.Mipmaps = assets.NearestFilter, false
	case glNearestMipmapNearest:
		t.Min, t.MipFilter = assets.NearestFilter, assets.NearestFilter
	case glLinearMipmapNearest:
		t.MipFilter = assets.NearestFilter
	case glNearestMipmapLinear:
		t.Min = assets.NearestFilter
	case glLinearMipmapLinear:
	default:
		l.warn(at, "is no minification filter; it is taken as trilinear")
	}
	t.WrapU, t.WrapV = l.wrap(v.get("wrapS")), l.wrap(v.get("wrapT"))
	return t
}

func (l *loader) wrap(at value) assets.Wrap {
	switch at.integer(glRepeat) {
	case glClampToEdge:
		return assets.ClampToEdge
	case glMirroredRepeat:
		return assets.MirroredRepeat
	case glRepeat:
	default:
		l.warn(at, "is no wrapping mode; it is taken as repeating")
	}
	return assets.Repeat
}
