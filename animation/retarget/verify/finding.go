package verify

// Level says how bad a finding is.
type Level string

// The levels. A clip with an error does not pass.
const (
	Error   Level = "error"
	Warning Level = "warning"
)

// Codes of findings.
const (
	WrongPartner   = "wrong-partner"   // a joint does what another of the source's joints does
	Drift          = "drift"           // a joint leaves the source's rotation
	JointStill     = "joint-still"     // a paired joint lies still where the source's moves
	FingersDropped = "fingers-dropped" // unpaired fingers that the source moves and the target has
	JointDropped   = "joint-dropped"   // an unpaired joint of the same name on both
	Alignment      = "bind-alignment"  // a limb points elsewhere than the source's
	OffsetDiffers  = "offset-differs"  // a clip's bind difference is not the other clips'
	PelvisHeight   = "pelvis-height"   // the pelvis drifts up or down
	Travel         = "travel"          // the pelvis drifts along the ground
	RootLost       = "root-lost"       // the source travels and the target does not
	OneRatio       = "one-ratio"       // the same ratio for height and distance
	WrongRatio     = "wrong-ratio"     // a ratio that the skeletons do not have
	BoneLength     = "bone-length"     // a bone changes its length
	LegBent        = "leg-bent"        // a leg that was bent to plant its foot, where that is let be
	Duration       = "duration"        // the clips do not last alike
	NotMeasured    = "not-measured"    // frames without a rotation, or a clip without its like
)

// Finding is one thing that is wrong: where, how far, what it likely means and what
// to do.
type Finding struct {
	Code     string  `json:"code"`
	Level    Level   `json:"level"`
	Clip     string  `json:"clip,omitempty"`
	Joint    string  `json:"joint,omitempty"` // of the target
	Bone     string  `json:"bone,omitempty"`
	Frame    int     `json:"frame"`
	Time     float64 `json:"time"` // seconds
	Measured float64 `json:"measured"`
	Limit    float64 `json:"limit"`
	Unit     string  `json:"unit"`            // of Measured and Limit: °, m, s, frames, × for a ratio, or none
	Clips    int     `json:"clips,omitempty"` // in how many clips, where the finding is of several
	Message  string  `json:"message"`
	Means    string  `json:"means"`
	Fix      string  `json:"fix"`
}
