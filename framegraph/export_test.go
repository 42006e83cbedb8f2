package framegraph

// KeepEarly switches the sinking of passes off, to compare.
func (g *Graph) KeepEarly() { g.work.staysUp = true }

// Reordered is the order made again, and whether passes were moved behind it.
func (p *Plan) Reordered() (order []string, moved bool) {
	r := p.e.reorder()
	for _, pass := range r.sequence {
		order = append(order, r.passes[pass].name)
	}
	return order, len(p.e.moves) > 0
}
