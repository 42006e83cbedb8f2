package retarget

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

// maxMapFile bounds what ReadMap takes, bytes.
const maxMapFile = 4 << 20

// Mistake is one of a map file.
type Mistake struct {
	Line    int
	Message string
}

// MapError lists every mistake of a map file. It wraps ErrMap.
type MapError struct{ Mistakes []Mistake }

func (e *MapError) Error() string {
	var b strings.Builder
	for i, m := range e.Mistakes {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "line %d: %s", m.Line, m.Message)
	}
	return b.String()
}

// Unwrap returns ErrMap.
func (e *MapError) Unwrap() error { return ErrMap }

// filePair is a pair as a map file has it. Joints are named, or #12 by index where a
// name is empty or not the only one.
type filePair struct {
	Source     string   `json:"source"`
	Target     string   `json:"target"`
	Bone       string   `json:"bone,omitempty"`
	Confidence *float32 `json:"confidence,omitempty"`
	By         string   `json:"by,omitempty"`
}

type fileDropped struct {
	Joint  string `json:"joint"`
	Reason string `json:"reason"`
}

// fileTwist says that a joint goes with a limb and turns by a share of what a joint
// turns about it.
type fileTwist struct {
	Joint string  `json:"joint"`
	Limb  string  `json:"limb"`
	Of    string  `json:"of"`
	Share float32 `json:"share"`
}

// namesOf are by joint what a map file calls it.
func namesOf(s *animation.Skeleton) []string {
	count := make(map[string]int, s.Len())
	for _, n := range s.Names {
		count[n]++
	}
	out := slices.Clone(s.Names)
	for j, n := range out {
		if n == "" || n[0] == '#' || count[n] > 1 {
			out[j] = "#" + strconv.Itoa(j)
		}
	}
	return out
}

// JSON is the map as text: a pair a line, to read, mend and pass to ReadMap. What is
// dropped, and what twists, is there to be seen; reading does not look at it.
func (m *Map) JSON() []byte {
	var b bytes.Buffer
	line := func(v any, last bool) {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err) // structs of strings and finite numbers
		}
		b.WriteString("    ")
		b.Write(text)
		if !last {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	source, target := namesOf(m.Source.Skeleton), namesOf(m.Target.Skeleton)
	b.WriteString("{\n  \"pairs\": [\n")
	for i, p := range m.Pairs {
		confidence := finite32(p.Confidence)
		line(filePair{source[p.Source], target[p.Target], p.Bone, &confidence, p.By}, i == len(m.Pairs)-1)
	}
	b.WriteString("  ],\n")
	for _, side := range []struct {
		name    string
		names   []string
		dropped []Dropped
	}{{"dropped of the source", source, m.DroppedSource}, {"dropped of the target", target, m.DroppedTarget}} {
		fmt.Fprintf(&b, "  %q: [\n", side.name)
		for k, d := range side.dropped {
			line(fileDropped{side.names[d.Joint], d.Reason}, k == len(side.dropped)-1)
		}
		b.WriteString("  ],\n")
	}
	b.WriteString("  \"twist\": [\n")
	for i, w := range m.Twists {
		line(fileTwist{target[w.Joint], target[w.Limb], target[w.Of], finite32(w.Share)}, i == len(m.Twists)-1)
	}
	b.WriteString("  ]\n}\n")
	return b.Bytes()
}

// finite32 is x, or 0 where a program set what JSON has no number for.
func finite32(x float32) float32 {
	if x-x != 0 {
		return 0
	}
	return x
}

// ReadMap reads what JSON wrote, mended by hand or not. A pair needs source and
// target only. Every mistake is told at once, with its line and names that are near:
// the error is a *MapError.
func ReadMap(data []byte, source, target *Rig) (*Map, error) {
	if len(data) > maxMapFile {
		return nil, fmt.Errorf("%w: %d bytes are more than a map of any rig has", ErrMap, len(data))
	}
	x := &mapReader{data: data, dec: json.NewDecoder(bytes.NewReader(data)), m: &Map{Source: source, Target: target}, seen: [2]map[int32]int{{}, {}}, row: 1}
	for i, s := range []*animation.Skeleton{source.Skeleton, target.Skeleton} {
		x.first[i], x.names[i] = firstOf(s.Names), namesOf(s)
	}
	if err := x.file(); err != nil {
		x.mistake(x.line(), "%v", err)
	}
	if len(x.mistakes) == 0 && len(x.m.Pairs) == 0 {
		x.mistake(1, "no pairs")
	}
	if len(x.mistakes) > 0 {
		return nil, &MapError{x.mistakes}
	}
	x.m.finish()
	return x.m, nil
}

type mapReader struct {
	data     []byte
	dec      *json.Decoder
	m        *Map
	seen     [2]map[int32]int    // lines, by joint of source and target
	first    [2]map[string]int32 // joints by name
	names    [2][]string         // what a file calls the joints
	at, row  int                 // up to where lines are counted
	mistakes []Mistake
}

func (x *mapReader) mistake(line int, format string, args ...any) {
	x.mistakes = append(x.mistakes, Mistake{line, fmt.Sprintf(format, args...)})
}

// line is where what comes next begins, from 1.
func (x *mapReader) line() int {
	at := int(min(x.dec.InputOffset(), int64(len(x.data))))
	for at < len(x.data) && strings.IndexByte(" \t\r\n,", x.data[at]) >= 0 {
		at++
	}
	if at > x.at {
		x.row += bytes.Count(x.data[x.at:at], []byte{'\n'})
		x.at = at
	}
	return x.row
}

func (x *mapReader) expect(want json.Delim) error {
	t, err := x.dec.Token()
	if err == io.EOF {
		return fmt.Errorf("the file ends where %v must be", want)
	}
	if err == nil && t != want {
		if t == nil {
			t = "null"
		}
		err = fmt.Errorf("%v where %v must be", t, want)
	}
	return err
}

func (x *mapReader) file() error {
	if err := x.expect('{'); err != nil {
		return err
	}
	pairs := false
	for x.dec.More() {
		line := x.line()
		key, err := x.dec.Token()
		if err != nil {
			return err
		}
		switch key {
		case "pairs":
			if pairs {
				x.mistake(line, "pairs are there twice")
			}
			pairs = true
			if err := x.expect('['); err != nil {
				return err
			}
			for x.dec.More() {
				line := x.line()
				var raw json.RawMessage
				if err := x.dec.Decode(&raw); err != nil {
					return err
				}
				x.pair(line, raw)
			}
			if err := x.expect(']'); err != nil {
				return err
			}
		case "dropped of the source", "dropped of the target", "twist":
			var skip json.RawMessage
			if err := x.dec.Decode(&skip); err != nil {
				return err
			}
		default:
			x.mistake(line, "%q is nothing that a map has; there are pairs", key)
			var skip json.RawMessage
			if err := x.dec.Decode(&skip); err != nil {
				return err
			}
		}
	}
	if err := x.expect('}'); err != nil {
		return err
	}
	if _, err := x.dec.Token(); err != io.EOF {
		return fmt.Errorf("more follows behind the map")
	}
	return nil
}

func (x *mapReader) pair(line int, raw json.RawMessage) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var p filePair
	if err := dec.Decode(&p); err != nil {
		if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
			x.mistake(line, "a %s for %s; a pair is {\"source\": NAME, \"target\": NAME}, and its confidence a number", kind.Value, cmp.Or(kind.Field, "a pair"))
			return
		}
		x.mistake(line, "%s", strings.TrimPrefix(err.Error(), "json: "))
		return
	}
	a := x.joint(line, 0, "source", p.Source, x.m.Source.Skeleton)
	b := x.joint(line, 1, "target", p.Target, x.m.Target.Skeleton)
	confidence := float32(1)
	if p.Confidence != nil {
		confidence = *p.Confidence
	}
	if !(confidence > 0 && confidence <= 1) {
		x.mistake(line, "a confidence of %v; it is above 0 and at most 1", confidence)
	}
	switch p.By {
	case "":
		p.By = "file"
	case "file", "name", "rig", "hierarchy", "position":
	default:
		x.mistake(line, "by %q; it is file, name, rig, hierarchy or position", p.By)
	}
	if a >= 0 && b >= 0 {
		x.m.Pairs = append(x.m.Pairs, Pair{a, b, p.Bone, confidence, p.By})
	}
}

func (x *mapReader) joint(line, side int, what, name string, s *animation.Skeleton) int32 {
	j := int32(-1)
	switch {
	case name == "":
		x.mistake(line, "a pair without a %s", what)
		return -1
	case name[0] == '#':
		n, err := strconv.Atoi(name[1:])
		if err != nil || n < 0 || n >= s.Len() {
			x.mistake(line, "the %s has no joint %s; they are #0 to #%d", what, name, s.Len()-1)
			return -1
		}
		j = int32(n)
	default:
		var ok bool
		if j, ok = x.first[side][name]; !ok {
			hint := near(name, s.Names)
			if slices.Contains(s.Names, "") {
				hint += "; a joint without a name is called by its number: " + called(name)
			}
			x.mistake(line, "the %s has no joint %q%s", what, name, hint)
			return -1
		}
		if x.names[side][j] != name {
			x.mistake(line, "the %s has several joints %q; say #%d for the first", what, name, j)
			return -1
		}
	}
	if before, twice := x.seen[side][j]; twice {
		x.mistake(line, "the %s's joint %q is paired on line %d already", what, name, before)
		return -1
	}
	x.seen[side][j] = line
	return j
}

// called is what a map file calls the joint that inspect and verify, for want of a
// name, call node 3 or joint 3.
func called(name string) string {
	kind, n, _ := strings.Cut(name, " ")
	if _, err := strconv.ParseUint(n, 10, 31); err == nil && (kind == "node" || kind == "joint") {
		return "#" + n
	}
	return "#3 is what inspect calls node 3"
}

// near are the names most like one, for a message.
func near(name string, names []string) string {
	type scored struct {
		name string
		like float64
	}
	var all []scored
	low := strings.ToLower(name)
	for _, n := range names {
		if n == "" {
			continue
		}
		if like := alike(low, strings.ToLower(n)); like > 0.3 {
			all = append(all, scored{n, like})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		switch {
		case a.like > b.like:
			return -1
		case a.like < b.like:
			return 1
		}
		return 0
	})
	if len(all) == 0 {
		return ""
	}
	var out []string
	for _, s := range all[:min(3, len(all))] {
		out = append(out, strconv.Quote(s.name))
	}
	return "; near: " + strings.Join(out, ", ")
}

// alike is the part of two names' letter pairs that they have in common (Dice's
// coefficient).
func alike(a, b string) float64 {
	pairs := map[string]int{}
	for i := 0; i+1 < len(a); i++ {
		pairs[a[i:i+2]]++
	}
	same := 0
	for i := 0; i+1 < len(b); i++ {
		if pairs[b[i:i+2]] > 0 {
			pairs[b[i:i+2]]--
			same++
		}
	}
	if n := len(a) + len(b) - 2; n > 0 {
		return 2 * float64(same) / float64(n)
	}
	return 0
}
