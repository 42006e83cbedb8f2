package retarget

// Pair says that a joint of the target does what a joint of the source does: in
// world space it turns from its rig's reference pose exactly as that one does.
type Pair struct {
	Source, Target int32   // joints of the two skeletons
	Bone           string  // what of a body it is, "" where that is not known
	Confidence     float32 // in (0, 1]; 1 is told by a file or a person
	By             string  // "file", "name", "rig", "hierarchy" or "position"
}

// Dropped is a joint that has no partner.
type Dropped struct {
	Joint  int32
	Reason string
}

// Map says which joint of the target does what which joint of the source does.
// Each joint is in one pair at most.
type Map struct {
	Source, Target *Rig
	Pairs          []Pair    // by target joint
	DroppedSource  []Dropped // by joint
	DroppedTarget  []Dropped
}
