package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/vrm"
	"github.com/bindpose/bindpose/internal/ordinary"
)

func newConvert() *cobra.Command {
	c := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write a model as GLB or VRM 1.0",
		Long: `Write a model of any format that is read as GLB or, where OUT ends in .vrm, as VRM 1.0. The bones of a person are taken
from a VRM, and else found by the joints' names and hierarchy; the bones that a VRM must have and that are not found are
listed. Pictures are copied as they are. What is written has everything in one file, is valid glTF 2.0, and is read again
before the command ends.`,
		Example: `  bindpose convert hero.fbx hero.glb
  bindpose convert hero.glb hero.vrm`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return fmt.Errorf("convert needs a file to write: bindpose convert %s OUT.glb", args[0])
			}
			return files(2, 2)(c, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			in, out := args[0], args[1]
			ext := strings.ToLower(filepath.Ext(out))
			if ext != ".glb" && ext != ".vrm" {
				return fmt.Errorf("%s: bindpose writes .glb and .vrm, not %q", out, ext)
			}
			m, err := loadModel(in, warnToStderr)
			if err != nil {
				return err
			}
			var data bytes.Buffer
			if ext == ".vrm" {
				err = writeAvatar(in, m, &data)
			} else {
				err = gltf.Write(m, &data)
			}
			if err != nil {
				return err
			}
			again, err := readsBack(out, m, data.Bytes())
			if err != nil {
				return err
			}
			for _, lost := range lostChannels(m, again) {
				warnToStderr(filepath.Base(out) + ": " + lost)
			}
			if err := ordinary.WriteBytes(out, data.Bytes()); err != nil {
				return err
			}
			fmt.Printf("wrote %s: %d bytes\n", out, data.Len())
			return nil
		},
	}
	return c
}

// writeAvatar writes a VRM of a VRM, or of any other model of a person.
func writeAvatar(in string, m *assets.Model, w *bytes.Buffer) error {
	a := &vrm.Avatar{Bones: humanoid.Guess(m.Skeleton), Meta: vrm.Meta{Name: m.Name, Thumbnail: -1}}
	if data, err := bytesOf(in); err == nil && bytes.Contains(data, []byte("VRM")) {
		switch of, err := vrm.Read(data, m); {
		case err == nil:
			a = of
			if of.Version == "0.x" {
				warnToStderr(filepath.Base(in) + ": a VRM 0.x faces -Z, and VRM 1.0 +Z: turn it by half in the program that shows it")
			}
		case !errors.Is(err, vrm.ErrNoAvatar) && strings.EqualFold(filepath.Ext(in), ".vrm"):
			return fmt.Errorf("%s: %w", in, err)
		}
	}
	err := vrm.Write(m, a, w)
	var missing *vrm.MissingBonesError
	if errors.As(err, &missing) {
		return fmt.Errorf("%s: %w; name the joints as common tools do (hips, spine, left upper arm …)", in, err)
	}
	return err
}

// readsBack proves what was written before it takes the place of anything.
func readsBack(out string, m *assets.Model, data []byte) (*assets.Model, error) {
	again, err := gltf.Decode(out, data, nil)
	if err != nil {
		return nil, fmt.Errorf("what was written cannot be read, which is a mistake of bindpose: %w", err)
	}
	if n := again.Skeleton.Len() - m.Skeleton.Len(); n != 0 && n != 1 || len(again.Materials) != len(m.Materials) {
		return nil, fmt.Errorf("%s: what was written came back otherwise, which is a mistake of bindpose: %d nodes of %d", out, again.Skeleton.Len(), m.Skeleton.Len())
	}
	return again, nil
}

// lostChannels says what of each clip of a model did not come back: a converted clip
// that moves less than it did plays, and is wrong.
func lostChannels(m, again *assets.Model) []string {
	var out []string
	left := slices.Clone(again.Clips)
	for _, clip := range m.Clips {
		at := slices.IndexFunc(left, func(c *animation.Clip) bool { return c.Name == clip.Name })
		if at < 0 {
			why := ""
			if len(clip.Tracks) == 0 {
				why = "; it moves nothing, and glTF has no such clips"
			}
			out = append(out, fmt.Sprintf("the clip %q is left out%s", clip.Name, why))
			continue
		}
		if got := len(left[at].Tracks); got < len(clip.Tracks) {
			out = append(out, fmt.Sprintf("the clip %q has %d channels of %d", clip.Name, got, len(clip.Tracks)))
		}
		left = slices.Delete(left, at, at+1)
	}
	return out
}
