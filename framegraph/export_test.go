package framegraph

// KeepEarly switches the sinking of passes off, to compare.
func (g *Graph) KeepEarly() { g.work.staysUp = true }
