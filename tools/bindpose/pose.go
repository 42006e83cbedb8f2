package main

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
)

func newPose() *cobra.Command {
	var clip string
	var time float64
	var normalize, native bool
	c := &cobra.Command{
		Use:   "pose FILE",
		Short: "Print the skinned bounds and joint matrices of a pose, computed on the CPU",
		Long: `Print, as JSON, where a clip puts a model's vertices and joints at one time: the box and mean of every vertex of every
primitive, morphed and skinned, in world space and metres, and each joint's world matrix, column-major. A time outside the
clip is clamped to it. Skin weights are used as the file has them; with --normalize they are scaled to sum to 1, as they
are for drawing.`,
		Example: `  bindpose pose fox.glb --clip Run --time 0.4
  bindpose pose fox.glb --clip none`,
		Args: files(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := loadFBXAs(fbx.Options{Native: native}, args[0], warnToStderr)
			if err != nil {
				return err
			}
			playing, err := findClip(m, clip)
			if err != nil {
				return err
			}
			if normalize {
				m = m.NormalizeWeights()
			}
			report, err := assets.Pose(m, playing, float32(time))
			if err != nil {
				return err
			}
			out := json.NewEncoder(os.Stdout)
			out.SetEscapeHTML(false)
			return out.Encode(report)
		},
	}
	c.Flags().StringVar(&clip, "clip", "", "name or index of the clip, or none for the rest pose (default: the first)")
	c.Flags().Float64Var(&time, "time", 0, "seconds")
	c.Flags().BoolVar(&normalize, "normalize", false, "scale skin weights that do not sum to 1, as drawing does")
	c.Flags().BoolVar(&native, "native", false, "keep an FBX's own axes, units and time line; glTF is in metres and +Y up already")
	c.Flags().Bool("json", true, "print JSON, the only form there is")
	return c
}
