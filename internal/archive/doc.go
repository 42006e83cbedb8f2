// Package archive reads models out of zip archives, as they are downloaded: a
// model with its buffers and pictures. Nothing is unpacked to the disk. An
// archive is a stranger's, so what it may ask for is bounded by its own size.
//
//	a, err := archive.Open("hero.zip")
//	defer a.Close()
//	data, beside, err := a.Read("hero/hero.gltf")
//
// Opening costs reading the list of its files; each file is unpacked when it is
// read.
package archive
