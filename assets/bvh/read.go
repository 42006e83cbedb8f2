package bvh

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Options change how a file is read.
type Options struct {
	Scale float64 // metres a unit; 0: guessed
}

// Load reads the file at path. Errors name the file and the line.
func Load(path string, o Options) (*assets.Model, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("it is not an ordinary file")}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Decode(path, data, o)
}

// mostJoints and mostDepth bound what a file may hold; people have some 60 joints.
const mostJoints, mostDepth = 10000, 500

// Decode reads a file from memory; name is used in messages and for Model.Name.
// Memory beyond data is at most 16 times its size.
func Decode(name string, data []byte, o Options) (*assets.Model, error) {
	base := filepath.Base(name)
	r := &reader{text: data, line: 1, m: &assets.Model{
		Name: strings.TrimSuffix(base, filepath.Ext(base)), Path: name, Scene: 0,
		Skeleton: &animation.Skeleton{}, Version: "BVH",
	}}
	err := r.file(o)
	if err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", name, r.line, err)
	}
	return r.m, nil
}

type channel uint8

const (
	xPosition channel = iota
	yPosition
	zPosition
	xRotation
	yRotation
	zRotation
)

var channelNames = map[string]channel{
	"xposition": xPosition, "yposition": yPosition, "zposition": zPosition,
	"xrotation": xRotation, "yrotation": yRotation, "zrotation": zRotation,
}

type reader struct {
	text []byte
	at   int
	line int // of what was read last
	m    *assets.Model

	channels [][]channel // by joint
	offsets  []mgl32.Vec3
	all      int // channels of all joints
}

// word reads up to the next space; "" at the end.
func (r *reader) word() string {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case '\n':
			r.line++
		case ' ', '\t', '\r':
		default:
			begin := r.at
			for r.at < len(r.text) && r.text[r.at] > ' ' {
				r.at++
			}
			return string(r.text[begin:r.at])
		}
		r.at++
	}
	return ""
}

// rest reads what is left of the line.
func (r *reader) rest() string {
	begin := r.at
	for r.at < len(r.text) && r.text[r.at] != '\n' {
		r.at++
	}
	return strings.TrimSpace(string(r.text[begin:r.at]))
}

func shorten(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

func (r *reader) expect(want string) error {
	if got := r.word(); !strings.EqualFold(got, want) {
		if got == "" {
			return fmt.Errorf("the file ends where %s should be; it is cut off", want)
		}
		return fmt.Errorf("%q stands where %s should be", shorten(got), want)
	}
	return nil
}

func (r *reader) number() (float64, error) {
	w := r.word()
	if w == "" {
		return 0, fmt.Errorf("the file ends where a number should be; it is cut off")
	}
	f, err := strconv.ParseFloat(w, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > math.MaxFloat32 {
		return 0, fmt.Errorf("%q is no number", shorten(w))
	}
	return f, nil
}

func (r *reader) file(o Options) error {
	if err := r.expect("HIERARCHY"); err != nil {
		return err
	}
	var roots []int32
	for {
		switch w := r.word(); {
		case strings.EqualFold(w, "ROOT"):
			roots = append(roots, int32(r.m.Skeleton.Len()))
			if err := r.joint(r.rest(), -1, 0); err != nil {
				return err
			}
			continue
		case strings.EqualFold(w, "MOTION"):
		case w == "":
			return fmt.Errorf("the file ends where MOTION should be; it is cut off")
		default:
			return fmt.Errorf("%q stands where ROOT or MOTION should be", shorten(w))
		}
		break
	}
	if len(roots) == 0 {
		return fmt.Errorf("there is no ROOT")
	}
	scale := r.scale(o)
	s := r.m.Skeleton
	s.Rest = make([]animation.Transform, s.Len())
	r.m.Nodes = make([]assets.Node, s.Len())
	for j := range s.Rest {
		s.Rest[j] = animation.Identity()
		s.Rest[j].Translation = r.offsets[j].Mul(float32(scale))
		r.m.Nodes[j] = assets.Node{Mesh: -1, Skin: -1, Camera: -1, Light: -1, InScene: true, Source: int32(j)}
	}
	r.m.Scenes = []assets.Scene{{Roots: roots}}
	return r.motion(scale)
}

// joint reads a joint's braces and what is in them.
func (r *reader) joint(name string, parent int32, depth int) error {
	s := r.m.Skeleton
	if s.Len() >= mostJoints || depth > mostDepth {
		return fmt.Errorf("there are more joints, or deeper ones, than any skeleton has")
	}
	j := int32(s.Len())
	s.Names, s.Parents = append(s.Names, strings.ToValidUTF8(name, "\uFFFD")), append(s.Parents, parent)
	r.channels, r.offsets = append(r.channels, nil), append(r.offsets, mgl32.Vec3{})
	if err := r.expect("{"); err != nil {
		return err
	}
	for {
		var err error
		switch w := r.word(); {
		case w == "}":
			return nil
		case strings.EqualFold(w, "OFFSET"):
			for c := range 3 {
				f, e := r.number()
				if e != nil {
					return e
				}
				r.offsets[j][c] = float32(f)
			}
		case strings.EqualFold(w, "CHANNELS"):
			n, e := r.number()
			if e != nil || n < 0 || n > 6 || n != math.Trunc(n) {
				return fmt.Errorf("a joint has up to 6 channels")
			}
			if r.channels[j] != nil {
				return fmt.Errorf("joint %q has channels twice", shorten(name))
			}
			for range int(n) {
				w := r.word()
				c, known := channelNames[strings.ToLower(w)]
				if !known {
					return fmt.Errorf("%q is no channel", shorten(w))
				}
				r.channels[j] = append(r.channels[j], c)
			}
			r.all += int(n)
		case strings.EqualFold(w, "JOINT"):
			err = r.joint(r.rest(), j, depth+1)
		case strings.EqualFold(w, "End"):
			r.rest() // Site
			err = r.joint(name+"_end", j, depth+1)
		case w == "":
			return fmt.Errorf("the file ends within joint %q; it is cut off", shorten(name))
		default:
			return fmt.Errorf("%q is nothing that a joint has", shorten(w))
		}
		if err != nil {
			return err
		}
	}
}

// units are those that files are in, metres each, the likelier first.
var units = []struct {
	name   string
	metres float64
}{{"centimetres", 0.01}, {"metres", 1}, {"units of 1/0.45 inch, as the CMU library has", 0.0254 / 0.45}, {"inches", 0.0254}, {"millimetres", 0.001}}

// scale is how many metres a unit is.
func (r *reader) scale(o Options) float64 {
	if o.Scale > 0 {
		return o.Scale
	}
	// The rest pose: offsets summed.
	s := r.m.Skeleton
	world := make([]mgl32.Vec3, s.Len())
	least, most := math.Inf(1), math.Inf(-1)
	for j, p := range s.Parents {
		world[j] = r.offsets[j]
		if p >= 0 {
			world[j] = world[j].Add(world[p])
		}
		least, most = min(least, float64(world[j][1])), max(most, float64(world[j][1]))
	}
	height := most - least
	for _, u := range units {
		if h := height * u.metres; h > 1.2 && h < 2.2 {
			if u.metres != 1 {
				r.m.Warnings = append(r.m.Warnings, assets.Warning{Where: "HIERARCHY", Message: fmt.Sprintf("BVH has no unit; the skeleton is %.4g units tall, so they are taken as %s", height, u.name)})
			}
			return u.metres
		}
	}
	r.m.Warnings = append(r.m.Warnings, assets.Warning{Where: "HIERARCHY", Message: fmt.Sprintf("BVH has no unit; the skeleton is %.4g units tall, which no unit makes a person's height; they are taken as metres", height)})
	return 1
}

func (r *reader) motion(scale float64) error {
	if err := r.expect("Frames:"); err != nil {
		return err
	}
	count, err := r.number()
	if err != nil || count < 0 || count != math.Trunc(count) {
		return fmt.Errorf("the number of frames is no whole number")
	}
	if err := r.expect("Frame"); err != nil {
		return err
	}
	if err := r.expect("Time:"); err != nil {
		return err
	}
	step, err := r.number()
	if err != nil || step < 0 {
		return fmt.Errorf("the time of a frame is no time")
	}
	// A number takes two bytes, so this many can be there.
	if left := float64(len(r.text) - r.at); count*float64(r.all) > left/2+1 || count > left {
		return fmt.Errorf("%.0f frames of %d channels are told of, but only %.0f bytes are left; the file is cut off", count, r.all, left)
	}
	if step == 0 && count > 1 {
		return fmt.Errorf("the time of a frame is 0")
	}
	n := int(count)
	if n == 0 || r.all == 0 {
		return nil
	}
	clip := &animation.Clip{Name: r.m.Name, Duration: float32(float64(n-1) * step)}
	times := make([]float32, n)
	for i := range times {
		times[i] = float32(float64(i) * step)
		if i > 0 && times[i] <= times[i-1] {
			return fmt.Errorf("frames of %v s are too short to be told apart", step)
		}
	}
	type tracks struct{ position, rotation []float32 }
	out := make([]tracks, len(r.channels))
	for j, channels := range r.channels {
		for _, c := range channels {
			if c <= zPosition && out[j].position == nil {
				out[j].position = make([]float32, 3*n)
			} else if c > zPosition && out[j].rotation == nil {
				out[j].rotation = make([]float32, 4*n)
			}
		}
	}
	for frame := range n {
		for j, channels := range r.channels {
			at := [3]float64{float64(r.offsets[j][0]), float64(r.offsets[j][1]), float64(r.offsets[j][2])}
			turn := quat{w: 1}
			for _, c := range channels {
				v, err := r.number()
				if err != nil {
					return fmt.Errorf("frame %d, joint %q: %w", frame, shorten(r.m.Skeleton.Names[j]), err)
				}
				if c <= zPosition {
					at[c] += v
				} else {
					turn = turn.then(c-xRotation, v*math.Pi/180)
				}
			}
			if p := out[j].position; p != nil {
				for c := range 3 {
					p[3*frame+c] = float32(at[c] * scale)
				}
			}
			if q := out[j].rotation; q != nil {
				turn.store(q, frame)
			}
		}
	}
	for j := range out {
		if p := out[j].position; p != nil {
			clip.Tracks = append(clip.Tracks, animation.Track{Joint: int32(j), Path: animation.Translation, Width: 3, Times: times, Values: p})
		}
		if q := out[j].rotation; q != nil {
			clip.Tracks = append(clip.Tracks, animation.Track{Joint: int32(j), Path: animation.Rotation, Width: 4, Times: times, Values: q})
		}
	}
	r.m.Clips = []*animation.Clip{clip}
	return nil
}

// quat is a quaternion in float64: angles of a file are products of several.
type quat struct{ x, y, z, w float64 }

// then multiplies a rotation about an axis (0 is X) on the right.
func (q quat) then(axis channel, angle float64) quat {
	s, c := math.Sincos(angle / 2)
	switch axis {
	case 0:
		return quat{q.w*s + q.x*c, q.y*c + q.z*s, q.z*c - q.y*s, q.w*c - q.x*s}
	case 1:
		return quat{q.x*c - q.z*s, q.w*s + q.y*c, q.z*c + q.x*s, q.w*c - q.y*s}
	}
	return quat{q.x*c + q.y*s, q.y*c - q.x*s, q.w*s + q.z*c, q.w*c - q.z*s}
}

// store writes frame's quaternion in the hemisphere of the one before, so that
// what lies between takes the short way.
func (q quat) store(out []float32, frame int) {
	e := out[4*frame:][:4]
	e[0], e[1], e[2], e[3] = float32(q.x), float32(q.y), float32(q.z), float32(q.w)
	if frame == 0 {
		return
	}
	b := out[4*frame-4:][:4]
	if b[0]*e[0]+b[1]*e[1]+b[2]*e[2]+b[3]*e[3] < 0 {
		for c := range e {
			e[c] = -e[c]
		}
	}
}
