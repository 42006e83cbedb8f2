package image

import "bytes"

// Sniff tells an encoded image's MIME type by its first bytes, or "" where they
// are none that is known. Of the types it knows, Decode reads PNG, JPEG and WebP.
func Sniff(data []byte) string {
	has := func(at int, s string) bool {
		return len(data) >= at+len(s) && string(data[at:at+len(s)]) == s
	}
	switch {
	case has(0, "\x89PNG\r\n\x1A\n"):
		return "image/png"
	case has(0, "\xFF\xD8\xFF"):
		return "image/jpeg"
	case has(0, "RIFF") && has(8, "WEBP"):
		return "image/webp"
	case has(0, "\xABKTX 20\xBB"), has(0, "\xABKTX 11\xBB"):
		return "image/ktx2"
	case has(0, "DDS "):
		return "image/vnd-ms.dds"
	case has(0, "GIF8"):
		return "image/gif"
	case has(0, "BM"):
		return "image/bmp"
	case has(0, "\x76\x2F\x31\x01"):
		return "image/x-exr"
	case bytes.HasPrefix(data, []byte("#?RADIANCE")):
		return "image/vnd.radiance"
	}
	return ""
}
