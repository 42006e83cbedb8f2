package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// Target is where pictures end: an [Offscreen] or a [Window].
type Target interface {
	// Size in pixels; 0, 0 while minimised.
	Size() (w, h int)
	// Format of its images. A display is given sRGB-encoded values: the last pass writes them, except where the format
	// encodes by itself ([IsSRGB]).
	Format() Format
	// Release the target when its last frame is done.
	Release()

	acquire(f *Frame) (*Image, error)
	states() (arrive, leave framegraph.State)
	presentSemaphore() vk.Semaphore
	present(f *Frame) error
}

// IsSRGB says whether the device encodes what is written to images of the format.
func IsSRGB(f Format) bool {
	return f == framegraph.RGBA8Srgb || f == framegraph.BGRA8Srgb || f == BC1Srgb || f == BC3Srgb || f == BC7Srgb
}

// Offscreen is a target without a window.
type Offscreen struct {
	d     *Device
	image *Image
}

// NewOffscreen makes a headless target of w×h pixels in RGBA8Unorm.
func (d *Device) NewOffscreen(w, h int) (*Offscreen, error) {
	o := &Offscreen{d: d}
	return o, o.Resize(w, h)
}

// Resize the target; its picture is lost.
func (o *Offscreen) Resize(w, h int) error {
	m, err := o.d.NewImage(ImageDesc{
		Name: "offscreen", Width: w, Height: h, Format: framegraph.RGBA8Unorm,
		Usage: framegraph.UsageColorAttachment | framegraph.UsageSampled,
	})
	if err != nil {
		return err
	}
	o.image.Release()
	o.image = m
	return nil
}

// Size in pixels.
func (o *Offscreen) Size() (w, h int) { return o.image.desc.Width, o.image.desc.Height }

// Format is RGBA8Unorm.
func (o *Offscreen) Format() Format { return o.image.desc.Format }

// Image that frames are drawn to.
func (o *Offscreen) Image() *Image { return o.image }

// Pixels waits for the last frame and gives its picture: RGBA, 4 bytes a pixel, as the passes wrote it, rows from the top.
func (o *Offscreen) Pixels() ([]byte, error) {
	if o.d.current != nil {
		return nil, fmt.Errorf("gpu: reading pixels inside a frame; end it first")
	}
	return o.d.ReadImage(o.image, 0, 0)
}

// Release the target after the last frame that uses it.
func (o *Offscreen) Release() { o.image.Release() }

func (o *Offscreen) acquire(*Frame) (*Image, error) { return o.image, nil }

// states: a frame overwrites the picture of the one before, which may still be drawing or being read.
func (o *Offscreen) states() (arrive, leave framegraph.State) {
	return framegraph.State{Stage: framegraph.AllCommands, Access: framegraph.AccessMemoryWrite},
		framegraph.State{Stage: framegraph.AllTransfer, Access: framegraph.AccessTransferRead, Layout: framegraph.LayoutTransferSrc}
}

func (o *Offscreen) presentSemaphore() vk.Semaphore { return 0 }
func (o *Offscreen) present(*Frame) error           { return nil }
