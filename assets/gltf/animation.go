package gltf

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

func (l *loader) animations() {
	list, n := l.list("animations", 64)
	l.m.Clips = make([]*animation.Clip, n)
	for i, v := range list.elements() {
		l.m.Clips[i] = l.clip(v)
	}
}

// sampler is one of an animation's samplers, read once.
type sampler struct {
	token         int
	read          bool
	interpolation animation.Interpolation
	times         []float32
	outputAt      value
	output        int32
}

func (l *loader) clip(v value) *animation.Clip {
	clip := &animation.Clip{Name: v.get("name").text()}
	if extras := v.get("extras"); extras.kind() == kindObject {
		if speed := extras.get("speed_m_s"); speed.kind() == kindNumber {
			clip.Speed = speed.float(0)
		}
	}
	list, channels := v.get("samplers"), v.get("channels")
	if l.err == nil && channels.length() == 0 {
		l.warn(v, "moves nothing")
	}
	if l.err != nil || !l.charge(v, int64(list.length())*64+int64(channels.length())*80) {
		return clip
	}
	samplers := make([]sampler, list.length())
	for i, s := range list.elements() {
		samplers[i].token = s.i
	}
	clip.Tracks = make([]animation.Track, 0, channels.length())
	for _, c := range channels.elements() {
		l.channel(c, samplers, clip)
	}
	if l.err != nil {
		return clip
	}
	sortTracks(clip.Tracks)
	before := len(clip.Tracks)
	clip.Tracks = slices.CompactFunc(clip.Tracks, func(a, b animation.Track) bool {
		return a.Joint == b.Joint && a.Path == b.Path
	})
	before += len(clip.Properties)
	slices.SortStableFunc(clip.Properties, func(a, b animation.PropertyTrack) int { return cmp.Compare(a.At, b.At) })
	clip.Properties = slices.CompactFunc(clip.Properties, func(a, b animation.PropertyTrack) bool { return a.At == b.At })
	if twice := before - len(clip.Tracks) - len(clip.Properties); twice > 0 {
		l.warn(channels, "%d channels move what an earlier one moves; they were left out", twice)
	}
	for _, t := range clip.Tracks {
		clip.Duration = max(clip.Duration, t.Times[len(t.Times)-1])
	}
	for _, t := range clip.Properties {
		clip.Duration = max(clip.Duration, t.Times[len(t.Times)-1])
	}
	return clip
}

// sortTracks sorts by joint and path, and moves each track once: it is the
// pointers in them that cost.
func sortTracks(tracks []animation.Track) {
	keys := make([]uint64, len(tracks))
	for i, t := range tracks {
		// Joints and a file's channels are fewer than 2²⁸: each takes bytes.
		keys[i] = uint64(t.Joint)<<36 | uint64(t.Path)<<32 | uint64(i)
	}
	if slices.IsSorted(keys) {
		return
	}
	slices.Sort(keys)
	const from = math.MaxUint32
	for i := range tracks {
		if keys[i]&from == uint64(i) {
			continue
		}
		// Around a circle of those that take each other's places.
		first, to := tracks[i], i
		for {
			k := int(keys[to] & from)
			keys[to] = uint64(to)
			if k == i {
				tracks[to] = first
				break
			}
			tracks[to] = tracks[k]
			to = k
		}
	}
}

func (l *loader) channel(c value, samplers []sampler, clip *animation.Clip) {
	target := c.need("target")
	index := c.need("sampler").index(len(samplers), "samplers in this animation")
	node := target.get("node").index(len(l.joint), "nodes")
	at := target.need("path")
	path := property{at, ""}
	for _, known := range [...]string{"translation", "rotation", "scale", "weights", "pointer"} {
		if at.is(known) {
			path.name = known
		}
	}
	if l.err != nil {
		return
	}
	t := animation.Track{}
	if path.name == "pointer" {
		ext := target.get("extensions").get("KHR_animation_pointer")
		if l.err == nil && !ext.exists() {
			l.warn(c, "moves what KHR_animation_pointer points at, but has none; the channel was ignored")
			return
		}
		pointer := ext.need("pointer")
		name := pointer.text()
		if l.err != nil {
			return
		}
		var known bool
		if node, path, known = l.pointed(pointer, name); !known {
			l.pointerChannel(c, pointer, name, &samplers[index], clip)
			return
		}
	}
	switch {
	case node < 0:
		return // glTF 2.0 §3.11: such a channel is ignored
	case path.name == "translation":
		t.Path, t.Width = animation.Translation, 3
	case path.name == "rotation":
		t.Path, t.Width = animation.Rotation, 4
	case path.name == "scale":
		t.Path, t.Width = animation.Scale, 3
	case path.name == "weights":
		t.Path = animation.Weights
		if m := l.m.Nodes[l.joint[node]].Mesh; m >= 0 {
			t.Width = l.meshFits[m].targets
		}
		if t.Width == 0 {
			l.warn(c, "moves the morph weights of node %d, which has none; the channel was ignored", node)
			return
		}
	default:
		if name := path.at.text(); l.err == nil { // a word of a later glTF
			l.warn(path.at, "%q is nothing that can be animated; the channel was ignored", shorten(name))
		}
		return
	}
	t.Joint = l.joint[node]
	s := &samplers[index]
	if !s.read {
		l.sampler(s)
	}
	if l.err != nil {
		return
	}
	if len(s.times) == 0 {
		l.warn(c, "has no keys; the channel was ignored")
		return
	}
	t.Interpolation, t.Times = s.interpolation, s.times
	if t.Path == animation.Weights {
		t.Values = l.floats(s.outputAt, s.output, 1, 1, plain)
	} else {
		t.Values = l.floats(s.outputAt, s.output, t.Width, t.Width, plain)
	}
	want := int64(len(t.Times)) * int64(t.Width)
	if t.Interpolation == animation.CubicSpline {
		want *= 3
	}
	if l.err == nil && int64(len(t.Values)) != want {
		l.fail(s.outputAt, "accessor %d has %d numbers where %d keys need %d", s.output, len(t.Values), len(t.Times), want)
		return
	}
	clip.Tracks = append(clip.Tracks, t)
}

// pointed resolves a JSON pointer of KHR_animation_pointer to what a channel can
// say as well: a node's transform or weights. For others see pointerChannel.
func (l *loader) pointed(at value, pointer string) (node int32, path property, ok bool) {
	rest, found := strings.CutPrefix(pointer, "/nodes/")
	index, name, _ := strings.Cut(rest, "/")
	n, err := strconv.ParseUint(index, 10, 31)
	switch name {
	case "translation", "rotation", "scale", "weights":
	default:
		found = false
	}
	if !found || err != nil || int(n) >= len(l.joint) {
		return -1, path, false
	}
	return int32(n), property{at, name}, true
}

// property is the name of what a channel moves, and where it stands.
type property struct {
	at   value
	name string
}

func (l *loader) sampler(s *sampler) {
	s.read = true
	v := value{l, s.token}
	mode := v.get("interpolation")
	switch {
	case !mode.exists() || mode.is("LINEAR"):
		s.interpolation = animation.Linear
	case mode.is("STEP"):
		s.interpolation = animation.Step
	case mode.is("CUBICSPLINE"):
		s.interpolation = animation.CubicSpline
	default:
		if name := mode.text(); l.err == nil {
			l.warn(mode, "%q is no interpolation; it is taken as LINEAR", shorten(name))
		}
	}
	input := v.need("input")
	i := input.index(l.fileAccessors, "accessors")
	s.outputAt = v.need("output")
	s.output = s.outputAt.index(l.fileAccessors, "accessors")
	if l.err != nil {
		return
	}
	known := false // and what is wrong with it was told
	if s.times, known = l.readBefore(floatKey{i, 1, times}); !known {
		if s.times = l.floats(input, i, 1, 1, times); l.err != nil {
			return
		}
	}
	if a := l.accessors[i]; a.view < 0 && a.sparse < 0 && len(s.times) > 1 {
		if !known {
			l.warn(input, "accessor %d has no data, so its times do not rise; its channels were ignored", i)
		}
		s.times = nil
		return
	}
	if known {
		return
	}
	if len(s.times) > 0 && s.times[0] < 0 {
		l.warn(input, "accessor %d begins at %v s, before the clip's start", i, s.times[0])
	}
	for k := 1; k < len(s.times); k++ {
		if s.times[k] <= s.times[k-1] {
			l.fail(input, "the times of accessor %d do not rise: key %d is at %v s, the one before it at %v s", i, k, s.times[k], s.times[k-1])
			return
		}
	}
}
