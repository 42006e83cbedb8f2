package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/internal/columns"
)

func newStride() *cobra.Command {
	var clips []string
	var character string
	var asJSON bool
	c := &cobra.Command{
		Use:   "stride FILE",
		Short: "Measure how far, how fast and when clips step, and how much their feet slide",
		Long: `Measure the steps of clips on the skinned mesh: each clip is played in place for a cycle, stances are found from the height
and speed of the sole's vertices, and the speed is that at which standing soles go back. At that speed the character must
move for its feet not to slide. Stride is the way of one cycle, speed times duration; slide is how far a touching sole still
moves over the ground in one step, at most. Without --clip all clips are measured. A clip without steps says why.

A file of clips without a mesh needs --character FILE, whose joints of the same names then play them. What the clip itself
says of its speed, by root motion or a number in the file, is compared.

With --json one clip is an object, several are an array. Times are seconds of the clip; a stance over the seam of a loop ends
beyond the clip's duration.`,
		Example: `  bindpose stride fox.glb
  bindpose stride fox.glb --clip Run --json
  bindpose stride walks.glb --character hero.glb --clip Walking_A`,
		Args: files(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			body, playing, err := loadClips(args[0], character, clips)
			if err != nil {
				return err
			}
			reports, err := strides(body, playing)
			if err != nil {
				return err
			}
			if !asJSON {
				return writeStrides(os.Stdout, reports)
			}
			out := json.NewEncoder(os.Stdout)
			out.SetEscapeHTML(false)
			if len(reports) == 1 {
				return out.Encode(reports[0])
			}
			return out.Encode(reports)
		},
	}
	c.Flags().StringArrayVar(&clips, "clip", nil, "name or index of a clip; may be given more than once (default: all)")
	c.Flags().StringVar(&character, "character", "", "`FILE` whose mesh plays the clips of a file without one")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// loadClips reads a character and clips for it: its own, or those of a file of
// clips bound to it by the joints' names. Names and indices are the clips' that are
// wanted; none is all.
func loadClips(path, character string, wanted []string) (*assets.Model, []*animation.Clip, error) {
	of, err := loadModel(path, warnToStderr)
	if err != nil {
		return nil, nil, err
	}
	clips := of.Clips
	if len(wanted) > 0 {
		clips = nil
		for _, name := range wanted {
			clip, err := findClip(of, name)
			if err != nil {
				return nil, nil, err
			}
			if clip == nil {
				return nil, nil, fmt.Errorf("--clip %s: the rest pose is no clip", name)
			}
			clips = append(clips, clip)
		}
	}
	if len(clips) == 0 {
		return nil, nil, fmt.Errorf("%s has no clips", path)
	}
	if character == "" {
		if len(of.Meshes) == 0 {
			return nil, nil, fmt.Errorf("%s has clips and no mesh: name the character that plays them, as in --character hero.glb", path)
		}
		return of, clips, nil
	}
	body, err := loadModel(character, warnToStderr)
	if err != nil {
		return nil, nil, err
	}
	bound, err := bindClips(of, body, clips)
	return body, bound, err
}

// bindClips binds clips of one model to the joints of the same names of another. One
// that would lose most of its tracks is an error.
func bindClips(of, body *assets.Model, clips []*animation.Clip) ([]*animation.Clip, error) {
	out := make([]*animation.Clip, len(clips))
	var missing []string
	for i, clip := range clips {
		bound, lost := animation.BindByName(clip, of.Skeleton, body.Skeleton)
		if len(clip.Tracks) > 0 && 2*len(bound.Tracks) <= len(clip.Tracks) {
			return nil, fmt.Errorf("%s: clip %q moves %d joints that %s does not have, %s among them: retarget it first",
				filepath.Base(of.Path), clip.Name, len(lost), filepath.Base(body.Path), strings.Join(lost[:min(len(lost), 3)], ", "))
		}
		out[i] = bound
		for _, name := range lost {
			if !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
		}
	}
	if len(missing) > 0 {
		warnToStderr(fmt.Sprintf("%s: channels of %s are left out, which %s does not have: %s", filepath.Base(of.Path),
			plural(len(missing), "joint"), filepath.Base(body.Path), strings.Join(missing, ", ")))
	}
	return out, nil
}

// strides measures clips on a model.
func strides(m *assets.Model, clips []*animation.Clip) ([]stride.Report, error) {
	soles, err := m.Soles()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	out := make([]stride.Report, len(clips))
	for i, clip := range clips {
		job := stride.Job{Clip: clip, Skeleton: m.Skeleton, Soles: soles}
		if clip.Additive {
			return nil, fmt.Errorf("%s: clip %q is additive, and steps only upon another", m.Path, clip.Name)
		}
		if out[i], err = job.Run(); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
	}
	return out, nil
}

// writeStrides prints reports for a person: a table, and of one clip its feet.
func writeStrides(w io.Writer, reports []stride.Report) error {
	t := columns.New("lrrrrrrrl")
	t.Row("clip", "seconds", "stride m", "speed m/s", "slide m", "heading", "flight", "steps/min", "the file says")
	for _, r := range reports {
		name := columns.Clean(r.Clip, 40)
		if !r.Steps {
			t.Row(name, fmt.Sprintf("%.3f", r.Duration), "–", "–", "–", "–", "–", "–", "no steps: "+r.Why)
			continue
		}
		worst := 0.0
		for _, f := range r.Feet {
			worst = max(worst, f.Slide)
		}
		says := "–"
		if r.Formula != nil {
			says = fmt.Sprintf("%.3f m/s (%+.1f %%), %s", r.Formula.Speed, 100*r.Formula.Difference, r.Formula.From)
		}
		t.Row(name, fmt.Sprintf("%.3f", r.Duration), fmt.Sprintf("%.3f", r.Stride), fmt.Sprintf("%.3f", r.Speed),
			metres(worst), fmt.Sprintf("%.0f°", math.Round(r.Angle)+0), fmt.Sprintf("%.0f %%", 100*r.Flight), fmt.Sprintf("%.0f", r.StepsPerMinute), says)
	}
	err := t.Write(w)
	if len(reports) > 1 || !reports[0].Steps {
		return err
	}
	r := reports[0]
	fmt.Fprintln(w)
	f := columns.New("lrrrrrl")
	f.Row("foot", "slide m", "goes back m", "duty", "floor m", "lift m", "stands from s to s")
	for _, foot := range r.Feet {
		var spans []string
		for _, s := range foot.Stance {
			spans = append(spans, fmt.Sprintf("%.3f–%.3f", s[0], s[1]))
		}
		f.Row(columns.Clean(foot.Name, 30), metres(foot.Slide), metres(foot.Back), fmt.Sprintf("%.0f %%", 100*foot.Duty),
			metres(foot.Floor), metres(foot.Lift), strings.Join(spans, ", "))
	}
	err = errors.Join(err, f.Write(w))
	place := "in place"
	if !r.InPlace {
		place = fmt.Sprintf("travelling by %.3f m", r.Travel.Len())
	}
	_, e := fmt.Fprintf(w, "\n%s, %s; feet come down in the order %s; lowest sole vertex %s m, and it ranges over %s m\n",
		plural(r.Cycles, "cycle"), place, strings.Join(r.Order, ", "), metres(r.SoleMin), metres(r.SoleRange))
	return errors.Join(err, e)
}

// metres prints a length to the millimetre, or, of huge characters, to four digits.
func metres(x float64) string {
	if x >= 100 || x <= -100 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.3f", x)
}
