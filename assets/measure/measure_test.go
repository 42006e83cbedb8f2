package measure_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/measure"
	"github.com/bindpose/bindpose/assets/measure/measuretest"
	"github.com/bindpose/bindpose/engine/mgl32"
)

const mannequin = "../../demo/assets/mannequin.glb"

func load(t testing.TB) *assets.Model {
	t.Helper()
	m, err := gltf.Load(mannequin)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func take(t testing.TB, m *assets.Model, clips []*animation.Clip) measure.Character {
	t.Helper()
	c, err := measure.Take(m, clips)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// with is the model's clips with the one of that name changed.
func with(m *assets.Model, name string, change func(*animation.Clip) *animation.Clip) []*animation.Clip {
	clips := slices.Clone(m.Clips)
	for i, c := range clips {
		if c.Name == name {
			clips[i] = change(c)
		}
	}
	return clips
}

// Nothing changes where nothing changed, also through a file; and each thing that
// happens to a rig or clip is named with the old figure and the new one.
func TestChangesAreNamed(t *testing.T) {
	m := load(t)
	was := take(t, m, m.Clips)
	var file bytes.Buffer
	if err := measure.Encode(&file, was); err != nil {
		t.Fatal(err)
	}
	record, err := measure.Decode(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if again, ok := record.Find("mannequin"); !ok || len(measure.Compare(again, was)) != 0 {
		t.Errorf("the same character changed through a file: %v", measure.Compare(again, was))
	}
	if c := was.Clips[1].Channels; c.All != 53 || c.Rotation != 52 || c.Translation != 1 || was.Joints != 65 {
		t.Errorf("walk has %+v, and the rig %d joints", c, was.Joints)
	}
	half := func(c *animation.Clip) *animation.Clip { return c.With(c.Tracks[:len(c.Tracks)/2]) }
	slower := func(c *animation.Clip) *animation.Clip {
		tracks := slices.Clone(c.Tracks)
		for i := range tracks {
			tracks[i].Times = slices.Clone(tracks[i].Times)
			for k := range tracks[i].Times {
				tracks[i].Times[k] *= 1.25
			}
		}
		out := c.With(tracks)
		out.Duration *= 1.25
		return out
	}
	raised := func(c *animation.Clip) *animation.Clip {
		tracks := slices.Clone(c.Tracks)
		for i := range tracks {
			if tracks[i].Path == animation.Translation {
				tracks[i].Values = slices.Clone(tracks[i].Values)
				for k := 1; k < len(tracks[i].Values); k += 3 {
					tracks[i].Values[k] += 0.02
				}
			}
		}
		return c.With(tracks)
	}
	bent := func(c *animation.Clip) *animation.Clip {
		tracks := slices.Clone(c.Tracks)
		for i := range tracks {
			if tracks[i].Path == animation.Rotation && tracks[i].Joint == int32(m.Skeleton.Joint("lowerarm_l")) {
				tracks[i].Values = slices.Clone(tracks[i].Values)
				for k := 0; k < len(tracks[i].Values); k += 4 {
					v := tracks[i].Values[k : k+4]
					q := mgl32.QuatXYZW(v[0], v[1], v[2], v[3]).Mul(mgl32.QuatRotate(0.3, mgl32.Vec3{0, 0, 1}))
					copy(v, []float32{q.V[0], q.V[1], q.V[2], q.W})
				}
			}
		}
		return c.With(tracks)
	}
	renamed := func(c *animation.Clip) *animation.Clip {
		out := c.With(c.Tracks)
		out.Name = "stroll"
		return out
	}
	for name, c := range map[string]struct {
		change func(*animation.Clip) *animation.Clip
		say    []string
	}{
		"channels are lost": {half, []string{`clip "walk": channels 26, was 53`, `clip "walk": rotation channels`}},
		"slower":            {slower, []string{`clip "walk": duration 1.250 s, was 1.000 s`, `clip "walk": speed_m_s 1.12`}},
		"raised by 2 cm":    {raised, []string{`clip "walk": sole_min_m`}},
		"a bent elbow":      {bent, []string{`clip "walk": joint "`, `_l" (and `, `) goes `, ` cm elsewhere`, ` ± `}},
		"renamed":           {renamed, []string{`clip "walk" gone`, `clip "stroll" new`}},
	} {
		changes := fmt.Sprint(measure.Compare(was, take(t, m, with(m, "walk", c.change))))
		for _, want := range c.say {
			if !strings.Contains(changes, want) {
				t.Errorf("%s: %s is not among %s", name, want, changes)
			}
		}
		if strings.Contains(changes, `"run"`) {
			t.Errorf("%s: the run changed: %s", name, changes)
		}
	}
}

// A rig reduced for the distance loses channels, and that does not pass unseen.
func TestAReducedRigIsNoticed(t *testing.T) {
	m := load(t)
	lod, err := animation.NewLod(m.Skeleton, m.Skins, animation.KeepLonger(m.Skeleton, 0.12))
	if err != nil {
		t.Fatal(err)
	}
	before, after := measure.Count(m.Clips[1]), measure.Count(lod.Clip(m.Clips[1]))
	if after.All >= before.All {
		t.Fatalf("the level has %d channels of %d", after.All, before.All)
	}
	lost := lod.Dropped(m.Skeleton, m.Clips[1])
	if len(lost) != before.Joints-after.Joints || !slices.Contains(lost, "thumb_01_l") {
		t.Errorf("the level says that it drops %v of %d joints, %d are left", lost, before.Joints, after.Joints)
	}
}

// What is within the tolerances is no change, what is beyond is.
func TestTolerances(t *testing.T) {
	a := measure.Character{Height: 1.8, Clips: []measure.Clip{{Name: "walk", Steps: true, Stride: 1.4, Speed: 1.4}}}
	for _, c := range []struct {
		change func(*measure.Clip)
		want   int
	}{
		{func(c *measure.Clip) { c.Stride *= 1.009; c.SoleMin += 0.003 }, 0},
		{func(c *measure.Clip) { c.Stride *= 1.011 }, 1},
		{func(c *measure.Clip) { c.SoleMin -= 0.004 }, 1},
		{func(c *measure.Clip) { c.Speed = math.NaN() }, 1},
		{func(c *measure.Clip) { c.Steps = false }, 1},
	} {
		b := a
		b.Clips = slices.Clone(a.Clips)
		c.change(&b.Clips[0])
		if got := measure.Compare(a, b); len(got) != c.want {
			t.Errorf("%v", got)
		}
	}
}

// A record made before there were places is compared without them.
func TestOldRecords(t *testing.T) {
	m := load(t)
	is := take(t, m, m.Clips)
	was := is
	was.Clips = slices.Clone(is.Clips)
	for i := range was.Clips {
		was.Clips[i].Ends = nil
	}
	if changes := measure.Compare(was, is); len(changes) != 0 {
		t.Errorf("places that the record lacks changed: %v", changes)
	}
}

// Files that are no records say what is wrong with them.
func TestBadRecords(t *testing.T) {
	for text, want := range map[string]string{
		``: "EOF", `{}`: "version 0", `{"version":2,"characters":[]}`: "version 2",
		`{"version":1,"characters":[{"clips":[{"ends":{"hand":"1 2 3"}}]}]}`: "six numbers",
		`{"version":1,"charakters":[]}`:                                      "charakters", `{"version":1} x`: "behind it",
	} {
		if _, err := measure.Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"characters":[{"name":"a","clips":[{"name":"walk","steps":true}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := measure.Decode(data)
		if err != nil {
			return
		}
		for _, c := range r.Characters {
			if changes := measure.Compare(c, c); len(changes) > 0 {
				t.Errorf("%v", changes)
			}
		}
	})
}

// tester counts what a test would say.
type tester struct {
	testing.TB
	said []string
}

func (t *tester) Helper()      {}
func (t *tester) Name() string { return "TestHero" }
func (t *tester) Errorf(format string, args ...any) {
	t.said = append(t.said, fmt.Sprintf(format, args...))
}

// The helper passes what did not change, fails what did, and says how to take a
// change over.
func TestHelper(t *testing.T) {
	m := load(t)
	file := t.TempDir() + "/deep/hero.json"
	fresh := &tester{}
	measuretest.Check(fresh, file, m, m.Clips)
	if len(fresh.said) != 1 || !strings.Contains(fresh.said[0], "BINDPOSE_MEASURES=write") {
		t.Errorf("without a record: %q", fresh.said)
	}
	t.Setenv("BINDPOSE_MEASURES", "write")
	measuretest.Check(t, file, m, m.Clips)
	t.Setenv("BINDPOSE_MEASURES", "")
	measuretest.Check(t, file, m, m.Clips)
	changed := &tester{}
	measuretest.Check(changed, file, m, with(m, "walk", func(c *animation.Clip) *animation.Clip { return c.With(c.Tracks[:20]) }))
	if text := strings.Join(changed.said, "\n"); !strings.Contains(text, `clip "walk": channels 20, was 53`) {
		t.Errorf("a clip of fewer channels: %q", text)
	}
}

func Example() {
	model, err := gltf.Load(mannequin)
	if err != nil {
		log.Fatal(err)
	}
	was, err := measure.Take(model, model.Clips)
	if err != nil {
		log.Fatal(err)
	}
	walk := *model.Clips[1]
	is, err := measure.Take(model, []*animation.Clip{model.Clips[0], walk.With(walk.Tracks[1:]), model.Clips[2]})
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range measure.Compare(was, is)[:2] {
		fmt.Println(change)
	}
	// Output:
	// clip "walk": channels 52, was 53
	// clip "walk": translation channels 0, was 1
}
