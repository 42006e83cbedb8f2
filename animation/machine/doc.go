// Package machine plays clips by a state machine: which clip is active follows from
// parameters that a game sets, and every change fades from the pose on screen.
//
// # Concept
//
// A Graph is the machine as it is written, in JSON or by a program. Compile checks
// it against a skeleton and clips, tells every mistake at once with its place, and
// gives a Definition, which is immutable and shared. An Instance is one entity's
// run of it: parameters, active states, fades. It is small, and its Update needs a
// Scratch, of which a goroutine needs one.
//
//	JSON ──Parse──▶ Graph ──Compile──▶ Definition ──New──▶ Instance ──Update──▶ pose
//
// A graph has layers, each a machine whose pose lies on those before it, by weight
// and mask, or is added to them. A state plays a clip, a blend space, or a machine
// within. Transitions ask conditions of parameters and the time in the state; the
// order in which anything is declared does not count. Update says in which order
// things happen.
//
// A transition fades: while the old state plays on, or, where it interrupts a fade,
// from the pose on screen, held. Or it is inertial: the new state plays at once and
// the difference dies away, with no jump in position or velocity.
//
// An edited graph is compiled again and adopted (Instance.Adopt) without a stop; a
// Recording of parameters replays to the same poses bit for bit. Status and Playing
// tell what goes on.
//
// # Example
//
//	d, err := machine.Load(text, model.Skeleton, model.Clips) // all mistakes
//	m, scratch := machine.New(d), machine.NewScratch(d)
//	for … {
//		m.SetFloat("speed", v)
//		m.Update(dt, scratch, pose)
//		entity = m.Motion().Apply(entity)
//	}
//
// An animation.Animator takes a Driver and does the rest: palettes, morph weights.
//
// # Cost
//
// An Update costs the sampling of the clips that play, a mix for each fade and
// layer, and a few comparisons. It allocates nothing once as many events were
// passed in a step as ever will be. An instance holds a pose a layer, two more
// where a transition is inertial, and cursors.
package machine
