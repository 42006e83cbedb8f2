package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/animation/retarget/verify"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/ordinary"
)

func newVerify() *cobra.Command {
	var v verification
	var asJSON bool
	var page string
	c := &cobra.Command{
		Use:   "verify SRC… DST",
		Short: "Prove at 60 Hz that clips of one skeleton play on another as they do on their own",
		Long: `Sample both skeletons at 60 Hz over every clip and compare, joint by joint, how they turn and where the pelvis is. A constant
turn between two joints is how they were bound, and passes; what changes from frame to frame is drift, the error. Directions
of limbs, fingers and what the two skeletons' sizes ask for are checked besides. Nothing is shared with what moved the clips.

SRC has the clips: files, folders or archives, read one model at a time. DST is what bindpose retarget wrote, whose clips
are judged by their names; or a character without clips of these names, on which they are retargeted here and now.

The exit status is 1 where a clip does not pass.`,
		Example: `  bindpose verify walks.glb hero-walks.glb
  bindpose verify walks.glb hero.glb --clip walk --html report.html
  bindpose verify walks.glb hero-walks.glb --json > report.json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("%s needs SRC, which has the clips, and DST; see %s --help", c.Name(), c.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			inputs := append(slices.Clone(args), v.mapFile, v.reference)
			if err := sparesInputs("--html", page, inputs...); err != nil {
				return err
			}
			report, err := v.run(args[:len(args)-1], args[len(args)-1])
			if err != nil {
				return err
			}
			if page != "" {
				if err := writeVerifyPage(page, report); err != nil {
					return err
				}
			}
			if asJSON {
				out := json.NewEncoder(os.Stdout)
				out.SetEscapeHTML(false)
				out.SetIndent("", "  ")
				err = out.Encode(report)
			} else {
				err = writeVerifyText(os.Stdout, report)
			}
			if err == nil && !report.Pass {
				return findingsError{}
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVar(&page, "html", "", "write a page with curves into `FILE`")
	c.Flags().StringVar(&v.clip, "clip", "", "name or index of one clip of SRC (default: all)")
	c.Flags().StringVar(&v.mapFile, "map", "", "pair the joints as `FILE` says, which bindpose retarget wrote or read")
	c.Flags().StringVar(&v.reference, "reference", "", "file with SRC's joints at rest, for a SRC that rests in the middle of a motion")
	c.Flags().StringVar(&v.aliases, "aliases", "", "judge the clips that `FILE`, a table of aliases, renamed, as bindpose retarget reads it")
	c.Flags().BoolVar(&v.limits.Planted, "plant-feet", false, "legs were bent so that feet stand, as retarget --plant-feet does: let their turns pass, and tell them")
	c.Flags().BoolVar(&v.live, "live", false, "retarget the clips here, even where DST has clips of the same names")
	c.Flags().Float64Var(&v.limits.Drift, "drift", 0.5, "degrees that a joint may drift")
	c.Flags().Float64Var(&v.limits.Height, "height", 0.003, "metres that the pelvis may drift")
	return c
}

// verification is what the flags of verify say.
type verification struct {
	clip, mapFile, reference, aliases string

	live   bool // retarget even where the target has clips of these names
	limits verify.Options
}

func (v *verification) run(from []string, to string) (*verify.Report, error) {
	for _, f := range []struct {
		name  string
		value float64
	}{{"drift", v.limits.Drift}, {"height", v.limits.Height}} {
		if !(f.value > 0 && f.value < 1e6) {
			return nil, fmt.Errorf("--%s is %v, and must be above 0", f.name, f.value)
		}
	}
	sources, err := modelFiles(from)
	if err != nil {
		return nil, err
	}
	target, toRig, err := loadRig(to)
	if err != nil {
		return nil, err
	}
	lenders := []*retarget.Rig{toRig}
	if v.reference != "" {
		_, r, err := loadRig(v.reference)
		if err != nil {
			return nil, fmt.Errorf("--reference: %w", err)
		}
		lenders = append([]*retarget.Rig{r}, lenders...)
	}
	aliases, err := readAliases(v.aliases)
	if err != nil {
		return nil, err
	}
	var reports []*verify.Report
	var misses []error
	empty := 0
	for _, path := range sources {
		// One pack is in memory at a time: but for its skeleton, nothing of it outlives
		// its report.
		source, fromRig, err := loadRig(path, lenders...)
		if err != nil {
			return nil, err
		}
		clips := source.Clips
		if v.clip != "" {
			clip, err := source.Clip(v.clip)
			if err != nil {
				misses = append(misses, fmt.Errorf("--clip: %w", err))
				continue
			}
			if clip == nil {
				return nil, errors.New("--clip none: a rest pose has no motion to verify")
			}
			clips = []*animation.Clip{clip}
		}
		if len(clips) == 0 {
			empty++
			continue
		}
		lenders = append(lenders, fromRig)
		m, err := v.pairing(fromRig, toRig, path, to)
		if err != nil {
			return nil, err
		}
		report, err := v.pack(m, source, target, clips, aliases)
		if err != nil {
			return nil, err
		}
		reports = append(reports, report)
	}
	switch {
	case len(reports) > 0:
		return verify.Join(reports...), nil
	case len(misses) > 0:
		return nil, misses[0]
	}
	return nil, fmt.Errorf("%s: there are no clips to verify in it; SRC is what has the clips, DST what they play on", strings.Join(from, ", "))
}

// pack verifies clips of one model.
func (v *verification) pack(m *retarget.Map, source, target *assets.Model, clips []*animation.Clip, aliases retarget.Aliases) (*verify.Report, error) {
	pairs := make([]verify.Pair, len(m.Pairs))
	for i, p := range m.Pairs {
		pairs[i] = verify.Pair{Source: p.Source, Target: p.Target, Bone: p.Bone}
	}
	limits := v.limits
	limits.SourceKnown, limits.TargetKnown = known(source), known(target)
	limits.SourceKnown.Bones, limits.TargetKnown.Bones = m.Source.Bones, m.Target.Bones
	prover, err := verify.New(source.Skeleton, target.Skeleton, pairs, limits)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", source.Path, target.Path, err)
	}
	brought := clipsOf(target, source, clips, aliases)
	live := v.live || !slices.ContainsFunc(brought, func(c *animation.Clip) bool { return c != nil })
	var unlike []verify.Finding
	if !live {
		kept := clips[:0:0]
		var theirs []*animation.Clip
		for i, c := range clips {
			if brought[i] == nil {
				unlike = append(unlike, verify.Unlike(c.Name, filepath.Base(target.Path)))
				continue
			}
			kept, theirs = append(kept, c), append(theirs, brought[i])
		}
		clips, brought = kept, theirs
	}
	takes, err := measureAll(prover, m, source, target, clips, brought, live, v.limits.Planted)
	if err != nil {
		return nil, err
	}
	report := prover.Report(takes)
	report.Source, report.Target, report.Live = filepath.Base(source.Path), filepath.Base(target.Path), live
	report.Findings = append(report.Findings, unlike...)
	switch {
	case v.live:
		report.Notes = append(report.Notes, fmt.Sprintf("the clips were retargeted onto %s here, and that was judged", report.Target))
	case live:
		report.Notes = append(report.Notes, fmt.Sprintf("%s has no clips of these names: they were retargeted onto it here, and that was judged", report.Target))
	case !report.Pass:
		report.Notes = append(report.Notes, fmt.Sprintf("the clips of these names in %s were judged; if they are its own and were not brought from %s, say --live", report.Target, report.Source))
	}
	if len(unlike) > 0 {
		names := make([]string, len(unlike))
		for i, f := range unlike {
			names[i] = nameOfClip(f.Clip)
		}
		hint := ""
		if v.aliases == "" {
			hint = "; where a table of aliases renamed them, say --aliases"
		}
		report.Notes = append(report.Notes, fmt.Sprintf("%s has %d of the %d clips of %s; not judged: %s%s", report.Target, len(clips), len(clips)+len(unlike), report.Source, someNames(names), hint))
	}
	return report, nil
}

// someNames are as many names as a note can say.
func someNames(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// known is what a file tells of its skeleton: where the mesh is at rest and, of an
// avatar's animation, which way it looks (VRMC_vrm_animation 1.0: a T-pose, +Y up,
// +Z ahead).
func known(m *assets.Model) verify.Known {
	k := verify.Known{Vertices: verticesOf(m, animation.NewPose(m.Skeleton))}
	if strings.EqualFold(filepath.Ext(m.Path), ".vrma") {
		k.Up, k.Forward = mgl32.Vec3{0, 1, 0}, mgl32.Vec3{0, 0, 1}
	}
	return k
}

// pairing is the map that retarget would take.
func (v *verification) pairing(from, to *retarget.Rig, source, target string) (*retarget.Map, error) {
	o := retargeting{mapFile: v.mapFile}
	return o.mapOf(from, to, source, target)
}

// clipsOf finds, for each clip of a source, the target's of the same name; nil where
// there is none. Clips whose names others had, or that had none, bear the names that
// retarget gives them, and clips that a table of aliases means bear the alias. Of a
// name such as Armature|walk the part after the bar does, where it is one clip's alone.
func clipsOf(target, source *assets.Model, clips []*animation.Clip, aliases retarget.Aliases) []*animation.Clip {
	byName, byEnd := map[string]*animation.Clip{}, map[string]*animation.Clip{}
	end := func(name string) string { return name[strings.LastIndex(name, "|")+1:] }
	for _, c := range target.Clips {
		if _, twice := byName[c.Name]; !twice {
			byName[c.Name] = c
		}
		if _, twice := byEnd[end(c.Name)]; twice {
			byEnd[end(c.Name)] = nil
		} else {
			byEnd[end(c.Name)] = c
		}
	}
	out := make([]*animation.Clip, len(clips))
	for i, c := range clips {
		before, all := 0, 0 // clips of the source with this name
		for _, other := range source.Clips {
			if other == c {
				before = all
			}
			if other.Name == c.Name {
				all++
			}
		}
		// Of clips that bear one name the target has as many: the first under its own
		// name where no other file's clip had it, the others in the order of apart.
		var theirs []*animation.Clip
		for k := 1; k <= all; k++ {
			if t := byName[writtenName(c.Name, source.Name, k)]; t != nil {
				theirs = append(theirs, t)
			}
		}
		if own := byName[c.Name]; own != nil && len(theirs) < all {
			theirs = append([]*animation.Clip{own}, theirs...)
		}
		for _, alias := range slices.Sorted(maps.Keys(aliases)) {
			if meant := aliases[alias]; len(theirs) == 0 && (meant == c.Name || meant == end(c.Name)) && byName[alias] != nil {
				theirs = append(theirs, byName[alias])
			}
		}
		switch {
		case before < len(theirs):
			out[i] = theirs[before]
		case c.Name != "" && all == 1:
			out[i] = byEnd[end(c.Name)]
		}
	}
	return out
}

// measureAll measures the clips, as many at once as there are processors.
func measureAll(prover *verify.Verifier, m *retarget.Map, source, target *assets.Model, clips, brought []*animation.Clip, live, planted bool) ([]*verify.Take, error) {
	bar := newProgress(len(clips), "verifying")
	defer bar.done()
	takes, err := prover.MeasureAll(len(clips), func(i int) (*animation.Clip, verify.Motion, error) {
		if !live {
			return clips[i], verify.Play(target.Skeleton, brought[i]), nil
		}
		motion, err := liveMotion(m, source, clips[i], retarget.Options{PlantFeet: planted})
		return clips[i], motion, err
	}, bar.add)
	if err != nil {
		return nil, fmt.Errorf("%s onto %s: %w", source.Path, target.Path, err)
	}
	return takes, nil
}

// liveMotion is a clip retargeted frame by frame.
func liveMotion(m *retarget.Map, source *assets.Model, clip *animation.Clip, o retarget.Options) (verify.Motion, error) {
	r, err := retarget.New(m, o)
	if err != nil {
		return verify.Motion{}, err
	}
	play, pose := verify.Play(source.Skeleton, clip), animation.NewPose(source.Skeleton)
	return verify.Motion{Name: clip.Name, Duration: clip.Duration, Sample: func(t float32, out *animation.Pose) error {
		if err := play.Sample(t, pose); err != nil {
			return err
		}
		return r.Pose(pose, out)
	}}, nil
}

func writeVerifyPage(path string, report *verify.Report) error {
	if err := ordinary.Write(path, report.WriteHTML); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}
