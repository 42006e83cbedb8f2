package verify

import (
	"fmt"
	"strings"
)

// isLeg tells whether a bone is one that planting a foot bends.
func isLeg(bone string) bool {
	for _, side := range []string{"left", "right"} {
		switch strings.TrimPrefix(bone, side) {
		case "UpperLeg", "LowerLeg", "Foot", "Toes":
			return true
		}
	}
	return false
}

// legs makes of what is found of legs that were meant to be bent one remark a joint;
// where bending was not asked for, and nothing but legs differs, it says that this may
// be why.
func (v *Verifier) legs(found []Finding) []Finding {
	turns := func(f *Finding) bool { return f.Code == Drift || f.Code == Alignment || f.Code == OffsetDiffers }
	others := false
	for i := range found {
		f := &found[i]
		others = others || turns(f) && !isLeg(f.Bone)
		if v.options.Planted && turns(f) && isLeg(f.Bone) {
			f.Code, f.Level = LegBent, Warning
			f.Message = fmt.Sprintf("turns up to %.3g° otherwise than the source's", f.Measured)
			f.Means = "the leg was bent so that its foot stands"
			f.Fix = "nothing, where the feet are to be planted; bindpose stride measures how much they slide"
		}
	}
	if v.options.Planted || others {
		return found
	}
	for i := range found {
		if f := &found[i]; turns(f) && isLeg(f.Bone) {
			f.Means = "legs alone differ: they were bent so that feet stand, as by retarget --plant-feet; else " + f.Means
			f.Fix = "where that was meant, verify with --plant-feet; else " + f.Fix
		}
	}
	return found
}
