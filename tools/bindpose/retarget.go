package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/columns"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// retargeting is what the command's flags say.
type retargeting struct {
	out, mapFile, mapOut, aliases, reference string
	clips, offsets                           []string
	printMap, json, keep                     bool
	options                                  retarget.Options
	offset                                   map[string][]float32
}

func newRetarget() *cobra.Command {
	var o retargeting
	c := &cobra.Command{
		Use:   "retarget SRC… DST",
		Short: "Bring clips of other skeletons onto a character",
		Long: `Bring the clips of SRC, files of any format that is read, folders or archives of such, onto the skeleton of DST, whatever
its joints are called, however it is proportioned and whatever pose it rests in, and write DST with all these clips as GLB or
VRM; of an avatar either holds what makes it one. Joints are paired by the names of known rigs, else by hierarchy and place;
the map can be printed, mended by hand and passed back. Without -o only the map is told.`,
		Example: `  bindpose retarget walks.glb hero.glb -o hero-walks.glb
  bindpose retarget walks.glb hero.glb --map-out map.json
  bindpose retarget walks.glb hero.glb --map map.json --clip Walking_A -o walk.glb`,
		Args: files(2, 1000),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args[:len(args)-1], args[len(args)-1]) },
	}
	f := c.Flags()
	f.StringVarP(&o.out, "out", "o", "", ".glb or .vrm to write")
	f.StringArrayVar(&o.clips, "clip", nil, "only this clip, by name or index (may be repeated)")
	f.StringVar(&o.mapFile, "map", "", "pair joints as this file says (see --map-out)")
	f.StringVar(&o.mapOut, "map-out", "", "write the map of the first SRC as JSON, to mend and pass to --map")
	f.BoolVar(&o.printMap, "print-map", false, "print every pair and every joint that is dropped")
	f.StringVar(&o.aliases, "aliases", "", `JSON table of names for clips, {"walk": "Walking_A"}: what it names is written under the new name`)
	f.StringVar(&o.reference, "reference", "", "file with SRC's joints at rest, for a SRC that rests in the middle of a motion")
	f.BoolVar(&o.options.PlantFeet, "plant-feet", false, "bend the legs so that feet stand as still as the source's")
	f.BoolVar(&o.options.Stretch, "stretch", false, "stretch bones as the source's stretch")
	f.BoolVar(&o.options.NoTwist, "no-twist", false, "leave DST's joints for twisting, as ForearmTwist01, as they rest")
	f.BoolVar(&o.options.OntoRoot, "onto-root", false, "have displacement across the ground move the root instead of the hips")
	f.BoolVar(&o.keep, "keep", false, "keep DST's own clips beside the new ones")
	f.StringArrayVar(&o.offsets, "offset", nil, "CLIP=X,Y,Z: move the character in this clip, metres (may be repeated)")
	f.BoolVar(&o.json, "json", false, "tell as JSON")
	return c
}

// retargeted is what the command tells, and its JSON.
type retargeted struct {
	Out     string             `json:"out,omitempty"`
	Target  string             `json:"target"`
	Sources []retargetedSource `json:"sources"`
	Clips   []retargetedClip   `json:"clips"`
}

type retargetedSource struct {
	File       string          `json:"file"`
	Kind       string          `json:"kind"`
	TargetKind string          `json:"target_kind"`
	Standing   bool            `json:"standing"`
	Across     float32         `json:"ratio_across"`
	Up         float32         `json:"ratio_up"`
	Map        json.RawMessage `json:"map"`
	m          *retarget.Map
}

type retargetedClip struct {
	Name    string  `json:"name"`
	Seconds float32 `json:"seconds"`
	Joints  int     `json:"joints"`
	Tracks  int     `json:"tracks"`
	Keys    int     `json:"keys"`
}

func (o *retargeting) run(sources []string, target string) error {
	if ext := filepath.Ext(o.out); o.out != "" && !strings.EqualFold(ext, ".glb") && !strings.EqualFold(ext, ".vrm") {
		return fmt.Errorf("%s: retarget writes .glb and .vrm, not %q", o.out, ext)
	}
	if err := o.readOffsets(); err != nil {
		return err
	}
	m, to, err := loadRig(target)
	if err != nil {
		return err
	}
	lenders := []*retarget.Rig{to}
	if o.reference != "" {
		_, r, err := loadRig(o.reference)
		if err != nil {
			return err
		}
		lenders = append([]*retarget.Rig{r}, lenders...)
	}
	files, err := modelFiles(sources)
	if err != nil {
		return err
	}
	// The target may be written over: what it was, and clips, is what was asked for.
	if err := sparesInputs("-o", o.out, append(files, o.reference)...); err != nil {
		return err
	}
	if err := sparesInputs("--map-out", o.mapOut, append(files, target, o.reference, o.aliases)...); err != nil {
		return err
	}
	told := retargeted{Out: o.out, Target: target}
	var clips []*animation.Clip
	found, offset := make([]bool, len(o.clips)), map[string]bool{}
	for _, path := range files { // one pack in memory at a time
		source, from, err := loadRig(path, lenders...)
		if err != nil {
			return err
		}
		if len(source.Clips) == 0 && len(files) > 1 {
			continue // what shows the pack's clips
		}
		lenders = append(lenders, from)
		rm, err := o.mapOf(from, to, path, target)
		if err != nil {
			return err
		}
		if len(told.Sources) == 0 && o.mapOut != "" {
			if err := ordinary.WriteBytes(o.mapOut, rm.JSON()); err != nil {
				return err
			}
		}
		across, up := rm.Ratios()
		told.Sources = append(told.Sources, retargetedSource{path, from.Kind, to.Kind, from.Standing, across, up, json.RawMessage(rm.JSON()), rm})
		chosen := source.Clips
		if len(o.clips) > 0 {
			chosen = nil
			for k, name := range o.clips {
				if c, err := source.Clip(name); err == nil && c != nil {
					found[k] = true
					if !slices.Contains(chosen, c) {
						chosen = append(chosen, c)
					}
				}
			}
		}
		for name := range o.offset {
			offset[name] = offset[name] || slices.ContainsFunc(chosen, func(c *animation.Clip) bool { return isCalled(c, name) })
		}
		if o.out == "" && o.aliases == "" {
			continue
		}
		baked, err := o.bake(rm, chosen)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := warnOfShear(rm, o.options, chosen, path, target); err != nil {
			return err
		}
		clips = append(clips, apart(baked, clips, source.Name)...)
	}
	for k, ok := range found {
		if !ok {
			return fmt.Errorf("--clip %s: no SRC has such a clip", o.clips[k])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.offset)) {
		if !offset[name] {
			return fmt.Errorf("--offset %s: no clip that is brought over has that name", name)
		}
	}
	if clips, err = o.rename(clips); err != nil {
		return err
	}
	if o.keep {
		clips = append(clips, apart(m.Clips, clips, m.Name)...)
	}
	for _, c := range clips {
		told.Clips = append(told.Clips, counted(c))
	}
	if len(told.Sources) == 0 {
		return fmt.Errorf("%s: there are no clips in it", strings.Join(sources, ", "))
	}
	if o.out != "" {
		if len(clips) == 0 {
			return fmt.Errorf("%s: there is no clip to bring over", strings.Join(sources, ", "))
		}
		if err := writeClips(o.out, m, clips); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(os.Stdout).Encode(told)
	}
	return o.tell(&told)
}

func (o *retargeting) readOffsets() error {
	o.offset = map[string][]float32{}
	for _, s := range o.offsets {
		at := strings.LastIndexByte(s, '=')
		if at < 0 {
			return fmt.Errorf("--offset %s: say CLIP=X,Y,Z in metres", s)
		}
		v, err := parseFloats(s[at+1:], 3)
		if err != nil {
			return fmt.Errorf("--offset %s: %w", s, err)
		}
		o.offset[s[:at]] = v
	}
	return nil
}

func (o *retargeting) mapOf(from, to *retarget.Rig, source, target string) (*retarget.Map, error) {
	if o.mapFile == "" {
		m, err := retarget.NewMap(from, to)
		if err != nil {
			return nil, fmt.Errorf("%s onto %s: %w", source, target, err)
		}
		return m, nil
	}
	data, err := ordinary.ReadFile(o.mapFile, 4<<20)
	if err != nil {
		return nil, fmt.Errorf("--map %s: %s", o.mapFile, cause(err))
	}
	m, err := retarget.ReadMap(data, from, to)
	var mistakes *retarget.MapError
	if errors.As(err, &mistakes) {
		return nil, fmt.Errorf("--map %s: does not fit %s and %s:\n%w", o.mapFile, source, target, err)
	}
	return m, err
}

// bake brings clips over, several at once.
func (o *retargeting) bake(m *retarget.Map, clips []*animation.Clip) ([]*animation.Clip, error) {
	out := make([]*animation.Clip, len(clips))
	errs := make([]error, len(clips))
	next := make(chan int)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(clips)) {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range next {
				options := o.options
				for name, v := range o.offset {
					if isCalled(clips[i], name) {
						options.Offset = [3]float32(v)
					}
				}
				r, err := retarget.New(m, options)
				if err == nil {
					out[i], err = r.Bake(clips[i])
				}
				errs[i] = err
			}
		}()
	}
	for i := range clips {
		next <- i
	}
	close(next)
	all.Wait()
	return out, errors.Join(errs...)
}

// warnOfShear tells where joints are more askew than anybody would want.
func warnOfShear(m *retarget.Map, o retarget.Options, clips []*animation.Clip, source, target string) error {
	const tolerable = 2 // degrees
	r, err := retarget.New(m, o)
	if err != nil {
		return err
	}
	var worst retarget.Shear
	var in *animation.Clip
	for _, c := range clips {
		s, err := r.Shear(c)
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		if s.Degrees > worst.Degrees {
			worst, in = s, c
		}
	}
	if worst.Degrees < tolerable {
		return nil
	}
	file, joints := source, m.Source.Skeleton.Names
	if worst.Target {
		file, joints = target, m.Target.Skeleton.Names
	}
	warnToStderr(fmt.Sprintf("%s: joint %s is sheared by %.0f° at %.2f s of clip %q, below one of uneven scale, so no rotation says how it stands; "+
		"make the scales of its parents even, or see with verify by how much the result is off", file, joints[worst.Joint], worst.Degrees, worst.Time, in.Name))
	return nil
}

// counted is what a written clip holds.
func counted(c *animation.Clip) retargetedClip {
	x := retargetedClip{Name: c.Name, Seconds: c.Duration, Tracks: len(c.Tracks)}
	last := int32(-1)
	for _, tr := range c.Tracks {
		if tr.Joint != last {
			x.Joints, last = x.Joints+1, tr.Joint
		}
		x.Keys += len(tr.Times)
	}
	return x
}

// writeClips writes a model with other clips than its own; an avatar stays one.
func writeClips(path string, m *assets.Model, clips []*animation.Clip) error {
	with := *m
	with.Clips = clips
	var data bytes.Buffer
	bones, err := bonesOf(m.Path, m)
	if err != nil {
		return err
	}
	if avatar := strings.EqualFold(filepath.Ext(path), ".vrm"); avatar || bones != nil && !strings.EqualFold(filepath.Ext(m.Path), ".vrma") {
		err = writeAvatar(m.Path, &with, &data)
	} else {
		err = gltf.Write(&with, &data)
	}
	if err != nil {
		return err
	}
	again, err := readsBack(path, &with, data.Bytes())
	if err != nil {
		return err
	}
	for _, lost := range lostChannels(&with, again) {
		warnToStderr(filepath.Base(path) + ": " + lost)
	}
	return ordinary.WriteBytes(path, data.Bytes())
}

func (o *retargeting) tell(told *retargeted) error {
	var b bytes.Buffer
	for _, s := range told.Sources {
		kind := func(k string) string {
			if k == "" {
				return "no body"
			}
			return k
		}
		pairs := map[string]int{}
		least := float32(1)
		for _, p := range s.m.Pairs {
			pairs[p.By]++
			least = min(least, p.Confidence)
		}
		var by []string
		for _, b := range []string{"file", "name", "rig", "hierarchy", "position"} {
			if pairs[b] > 0 {
				by = append(by, fmt.Sprintf("%d by %s", pairs[b], b))
			}
		}
		fmt.Fprintf(&b, "%s (%s) onto %s (%s)\n", s.File, kind(s.Kind), told.Target, kind(s.TargetKind))
		fmt.Fprintf(&b, "  pairs    %d: %s; confidence %.2f and up\n", len(s.m.Pairs), strings.Join(by, ", "), least)
		fmt.Fprintf(&b, "  dropped  %d joints of the source, %d of the target\n", len(s.m.DroppedSource), len(s.m.DroppedTarget))
		if n := len(s.m.Twists); n > 0 {
			left := ""
			if o.options.NoTwist {
				left = ", left at rest"
			}
			fmt.Fprintf(&b, "  twist    %d joints of the target that share out what turns about a limb%s\n", n, left)
		}
		fmt.Fprintf(&b, "  ratios   %.3f across the ground (limbs), %.3f in height (hips)\n", s.Across, s.Up)
		if !s.Standing {
			fmt.Fprintln(&b, "  rests    in the middle of a motion")
		}
		if o.printMap {
			fmt.Fprintln(&b, columns.Plain(string(s.m.JSON())))
		}
	}
	if len(told.Clips) == 0 {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	fmt.Fprintln(&b)
	t := columns.New("rlrrrr")
	t.Row("", "clips", "seconds", "joints", "tracks", "keys")
	for i, c := range told.Clips {
		t.Row(fmt.Sprint(i), columns.Clean(c.Name, 60), fmt.Sprintf("%.3f", c.Seconds), columns.Int(c.Joints), columns.Int(c.Tracks), columns.Int(c.Keys))
	}
	if err := t.Write(&b); err != nil {
		return err
	}
	if o.out != "" {
		fmt.Fprintf(&b, "wrote %s\n", o.out)
	}
	_, err := os.Stdout.Write(b.Bytes())
	return err
}
