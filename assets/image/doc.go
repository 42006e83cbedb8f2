// Package image turns encoded pictures into the 8-bit RGBA that textures are
// uploaded from. It reads PNG, JPEG and WebP, tells them apart by their bytes,
// and refuses by its head what would decode to an unreasonable size.
//
//	picture, err := image.Decode(model.Images[0].Data)
//	if err != nil {
//		return err // a stand-in is drawn
//	}
//	upload(picture.Pix, picture.Rect.Dx(), picture.Rect.Dy())
//
// Colours come out as stored: a base colour or emissive texture is sRGB, others
// are plain numbers (glTF 2.0 §3.9). Alpha is not multiplied in.
//
// Decoding costs some 25 ns a pixel for PNG and JPEG on one core, and up to 12
// bytes of memory a pixel while a 16-bit picture is narrowed.
package image
