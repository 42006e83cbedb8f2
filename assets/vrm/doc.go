// Package vrm reads and writes what VRM adds to glTF: which joint is which bone of
// a person, expressions, where to look, and springs.
package vrm
