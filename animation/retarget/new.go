package retarget

import (
	"errors"

	"github.com/bindpose/bindpose/animation"
)

var errNotYet = errors.New("retarget: not there yet")

// NewRig finds the bones of a skeleton and its reference pose.
func NewRig(s *animation.Skeleton, o RigOptions) (*Rig, error) { return nil, errNotYet }

// NewMap pairs the joints of two rigs.
func NewMap(source, target *Rig) (*Map, error) { return nil, errNotYet }

// ReadMap reads what Map.JSON wrote, mended by hand or not.
func ReadMap(data []byte, source, target *Rig) (*Map, error) { return nil, errNotYet }

// JSON is the map as text to read, mend and pass to ReadMap.
func (m *Map) JSON() []byte { return nil }

// Options say how motion is brought over. The zero value is as it is.
type Options struct {
	OntoRoot bool // horizontal displacement moves the target's root joint instead of the hips
}

// Retargeter brings poses of the source onto the target, one at a time. It belongs
// to one entity.
type Retargeter struct{ m *Map }

// New returns a retargeter.
func New(m *Map, o Options) (*Retargeter, error) { return nil, errNotYet }

// Pose writes the target's pose that does what the source's pose does. It
// allocates nothing.
func (r *Retargeter) Pose(source, out *animation.Pose) error { return errNotYet }

// Bake returns a clip of the source as one of the target.
func (r *Retargeter) Bake(clip *animation.Clip) (*animation.Clip, error) { return nil, errNotYet }
