// Package ordinary reads and writes files whose names come from strangers. A
// device or a pipe might never end, and opening a pipe waits for its writer; so
// only ordinary files are read. A sparse file of gigabytes costs its maker
// nothing; so whoever reads one says how much of it can be of use. A disk may be
// full; so a file is written beside the one whose place it takes.
//
//	data, err := ordinary.ReadFile(path, 1<<20)
//	err = ordinary.WriteBytes(path, data)
//
// Reading costs one stat more than os.ReadFile, writing a rename more than
// os.WriteFile.
package ordinary
