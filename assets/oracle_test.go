package assets_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// box is what others computed of a pose's vertices (data/oracle). A negative
// MeanLen says that the means are not to be compared.
type box struct {
	Verts          int
	Min, Max, Mean mgl32.Vec3
	MeanLen        float32
}

func readOracle[T any](t *testing.T, name string) []T {
	t.Helper()
	raw, err := os.ReadFile(corpus.Path(t, "oracle/"+name))
	if err != nil {
		t.Fatal(err)
	}
	var entries []T
	if err := json.Unmarshal(raw, &entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

// loader reads each file once.
type loader map[string]*assets.Model

func (l loader) load(t *testing.T, file string) (*assets.Model, error) {
	t.Helper()
	if m, ok := l[file]; ok {
		return m, nil
	}
	m, err := gltf.Load(corpus.Path(t, file))
	if err == nil {
		l[file] = m
	}
	return m, err
}

// compare fails where a measured box differs by more than 1e-4, of the model's
// size where that is above 1.
func compare(t *testing.T, b assets.Bounds, want box) {
	t.Helper()
	if want.Verts > 0 && b.Vertices != want.Verts {
		t.Errorf("%d vertices, want %d", b.Vertices, want.Verts)
	}
	tol := 1e-4 * max(1, want.Max.Sub(want.Min).Len())
	off := map[string]float32{"min": b.Min.Sub(want.Min).Len(), "max": b.Max.Sub(want.Max).Len()}
	if want.MeanLen >= 0 {
		off["mean"] = b.Mean.Sub(want.Mean).Len()
		off["mean length"] = max(b.MeanLen-want.MeanLen, want.MeanLen-b.MeanLen)
	}
	for what, d := range off {
		if !(d <= tol) {
			t.Errorf("%s is off by %v, allowed %v\n got %+v\nwant %+v", what, d, tol, b, want)
		}
	}
}

// measure is the bounds of a clip at a time; a nil clip is the rest pose.
func measure(t *testing.T, m *assets.Model, clip *animation.Clip, at float32) assets.Bounds {
	t.Helper()
	if err := m.Skeleton.Validate(); err != nil {
		t.Fatal(err)
	}
	pose := animation.NewPose(m.Skeleton)
	if clip != nil {
		if err := clip.Validate(m.Skeleton); err != nil {
			t.Fatal(err)
		}
		job := animation.SamplingJob{Clip: clip, Skeleton: m.Skeleton, Time: at, Cursors: make([]int32, len(clip.Tracks)), Out: pose}
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
	}
	b, err := m.Bounds(pose)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The CPU's skinning agrees with a plain reading of the specification by others,
// for every file whose required extensions are known.
func TestBoundsAgreeWithTheOracle(t *testing.T) {
	type entry struct {
		File     string
		Clip     *int
		Name     *string
		Duration float32
		T        float32
		Spec     *box
		Three    *box
	}
	entries := readOracle[entry](t, "skin-boxes.json")
	files := loader{}
	compared, morphed, left := 0, 0, map[string]int{}
	for _, e := range entries {
		want := e.Spec
		if want == nil {
			// three.js's figures alone; it renormalises weights, which moves only
			// the means of the files in question.
			want = e.Three
			want.MeanLen = -1
		}
		m, err := files.load(t, e.File)
		if errors.Is(err, gltf.ErrUnsupported) {
			left[e.File+" needs an extension that the loader lacks"]++
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", e.File, err)
			continue
		}
		compared++
		if len(m.Skeleton.MorphWeights) > 0 {
			morphed++
		}
		name := filepath.Base(e.File) + "/rest"
		var clip *animation.Clip
		if e.Clip != nil {
			if *e.Clip >= len(m.Clips) {
				t.Errorf("%s: %d clips, want one of index %d", e.File, len(m.Clips), *e.Clip)
				continue
			}
			clip = m.Clips[*e.Clip]
			name = filepath.Base(e.File) + "/" + clip.Name
			if d := clip.Duration - e.Duration; d > 1e-5 || d < -1e-5 {
				t.Errorf("%s: clip %q lasts %v s, want %v", e.File, clip.Name, clip.Duration, e.Duration)
			}
		}
		t.Run(name, func(t *testing.T) {
			compare(t, measure(t, m, clip, e.T), *want)
			if clip != nil { // as it is played
				compare(t, measure(t, m, clip.Pack(), e.T), *want)
			}
		})
	}
	t.Logf("compared %d entries (%d of models with morph targets), left out:", compared, morphed)
	for why, n := range left {
		t.Logf("%4d %s", n, why)
	}
	if compared < 229 || morphed < 39 {
		t.Errorf("compared %d entries and %d with morph targets of %d, expected at least 229 and 39", compared, morphed, len(entries))
	}
}

// Clips of one file move another file's mannequin by joint name.
func TestClipsOfOneFilePlayOnAnother(t *testing.T) {
	type entry struct {
		box
		Mesh, Animation string
		Clip            int
		Name            string
		Duration, T     float32
	}
	entries := readOracle[entry](t, "kaykit-cross-file.json")
	files := loader{}
	for _, e := range entries {
		mesh, err := files.load(t, e.Mesh)
		if err != nil {
			t.Fatal(err)
		}
		from, err := files.load(t, e.Animation)
		if err != nil {
			t.Fatal(err)
		}
		if e.Clip >= len(from.Clips) || from.Clips[e.Clip].Name != e.Name {
			t.Fatalf("%s: no clip %d named %q", e.Animation, e.Clip, e.Name)
		}
		clip, unbound := animation.BindByName(from.Clips[e.Clip], from.Skeleton, mesh.Skeleton)
		if len(clip.Tracks) == 0 {
			t.Fatalf("%s: nothing bound of %q, unbound %q", e.Animation, e.Name, unbound)
		}
		t.Run(e.Name, func(t *testing.T) { compare(t, measure(t, mesh, clip, e.T), e.box) })
	}
	if len(entries) < 100 {
		t.Errorf("only %d entries", len(entries))
	}
}
