// Package ordinary reads files whose names come from strangers. A device or a
// pipe might never end, and opening a pipe waits for its writer; so only
// ordinary files are opened. A sparse file of gigabytes costs its maker
// nothing; so whoever reads one says how much of it can be of use.
//
//	data, err := ordinary.ReadFile(path, 1<<20)
//
// Reading costs one stat more than os.ReadFile.
package ordinary
