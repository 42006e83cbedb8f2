package doctor

import "fmt"

// poses tells of BindPoses that contradict the skins. Nothing here goes by a
// BindPose where a skin tells its own, but other programs do.
func (x *examination) poses() {
	all := x.m.PoseMismatches
	for i := 0; i < len(all); {
		first, joints, worst, mesh := all[i], 0, float32(0), float32(0)
		worstJoint := int32(-1)
		for ; i < len(all) && all[i].Skin == first.Skin; i++ {
			switch p := all[i]; {
			case p.Joint < 0:
				mesh = p.Off
			default:
				joints++
				if p.Off > worst {
					worst, worstJoint = p.Off, p.Joint
				}
			}
		}
		figures := Figures{"mesh_off": round(float64(mesh)), "joints": joints, "joint_off": round(float64(worst))}
		what := fmt.Sprintf("the mesh's by %.3g", mesh)
		switch {
		case joints > 0 && mesh > 0:
			what += fmt.Sprintf(", and those of %d joints by up to %.3g (%s)", joints, worst, x.nodeName(int(worstJoint)))
		case joints > 0:
			what = fmt.Sprintf("those of %d joints by up to %.3g (%s)", joints, worst, x.nodeName(int(worstJoint)))
		}
		x.find("bind-pose-differs", Info, x.skinName(int(first.Skin)),
			"nothing need be done for Bindpose, which goes by the skin; where another program shows the mesh torn, go to the bind pose there and export anew",
			figures, "the file's BindPose has other matrices than the skin was bound with: %s, the largest element off", what)
	}
}
