package gpu

// Format of a texel. It becomes an alias of framegraph.Format, with its constants there, once that package is merged.
type Format uint16
