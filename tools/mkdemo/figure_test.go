package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// committed reads a file of demo/assets.
func committed(t *testing.T, name string) *document {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "demo", "assets", name))
	if err != nil {
		t.Fatal(err)
	}
	d, err := readGLB(b)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// bound is one vertex of the mannequin as the file has it.
type bound struct {
	pos, nrm vec
	on       [4]influence // joint is an index into the skin
}

var readFigure = sync.OnceValues(func() ([]bound, error) { return readBound("mannequin.glb") })

// readBound reads the vertices of the first mesh of a file of demo/assets.
func readBound(name string) ([]bound, error) {
	b, err := os.ReadFile(filepath.Join("..", "..", "demo", "assets", name))
	if err != nil {
		return nil, err
	}
	d, err := readGLB(b)
	if err != nil {
		return nil, err
	}
	var out []bound
	for _, p := range d.Meshes[0].Primitives {
		var data [4][]float64
		for i, name := range []string{"POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0"} {
			if data[i], _, err = d.read(p.Attributes[name]); err != nil {
				return nil, err
			}
		}
		for v := range len(data[0]) / 3 {
			b := bound{pos: vec(data[0][3*v : 3*v+3]), nrm: vec(data[1][3*v : 3*v+3])}
			for k := range 4 {
				b.on[k] = influence{int(data[2][4*v+k]), data[3][4*v+k]}
			}
			out = append(out, b)
		}
	}
	return out, nil
}

func figure(t *testing.T) (*document, []bound) {
	t.Helper()
	vs, err := readFigure()
	if err != nil {
		t.Fatal(err)
	}
	return committed(t, "mannequin.glb"), vs
}

// jointName is the name of the skin's joint.
func (d *document) jointName(joint int) string { return d.Nodes[d.Skins[0].Joints[joint]].Name }

// skinAt places vertices at a time of a clip, from the file's own bind matrices.
func (d *document) skinAt(t *testing.T, anim int, at float64, vs []bound) []vec {
	t.Helper()
	rot, pos, err := d.posed(anim, at)
	if err != nil {
		t.Fatal(err)
	}
	ibm, _, err := d.read(d.Skins[0].InverseBindMatrices)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]vec, len(vs))
	for i, v := range vs {
		for _, f := range v.on {
			if f.weight == 0 {
				continue
			}
			node := d.Skins[0].Joints[f.joint]
			bind := vec(ibm[16*f.joint+12 : 16*f.joint+15])
			out[i] = out[i].add(rot[node].rotate(v.pos.add(bind)).add(pos[node]).mul(f.weight))
		}
	}
	return out
}

func (d *document) clip(t *testing.T, name string) (anim int, duration float64) {
	t.Helper()
	for i, a := range d.Animations {
		if a.Name == name {
			times, _, err := d.read(a.Samplers[0].Input)
			if err != nil {
				t.Fatal(err)
			}
			return i, times[len(times)-1]
		}
	}
	t.Fatalf("no clip %q", name)
	return 0, 0
}

func TestMannequinStandsHumanSize(t *testing.T) {
	_, vs := figure(t)
	lo, hi := vec{9, 9, 9}, vec{-9, -9, -9}
	for _, v := range vs {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], v.pos[k]), max(hi[k], v.pos[k])
		}
	}
	if math.Abs(lo[1]) > 0.001 || math.Abs(hi[1]-1.78) > 0.01 {
		t.Errorf("stands from y %.4f to %.4f m, want 0 to 1.78", lo[1], hi[1])
	}
	if span := hi[0] - lo[0]; math.Abs(span-1.78) > 0.08 {
		t.Errorf("arms span %.3f m, want about the height", span)
	}
}

func TestEveryWeightHasItsPlace(t *testing.T) {
	d, vs := figure(t)
	if n := len(d.Skins[0].Joints); n != 65 {
		t.Errorf("%d joints, want 65", n)
	}
	used := map[string]bool{}
	for i, v := range vs {
		sum := float32(0)
		arm, leg, finger := "", "", ""
		for _, f := range v.on {
			sum += float32(f.weight)
			if f.weight == 0 {
				continue
			}
			name := d.jointName(f.joint)
			used[name] = true
			if v.pos[0] > 0.002 && strings.HasSuffix(name, "_r") || v.pos[0] < -0.002 && strings.HasSuffix(name, "_l") {
				t.Fatalf("vertex %d at %.3f follows %s across the body", i, v.pos, name)
			}
			switch part := strings.SplitN(name, "_", 2)[0]; part {
			case "thumb", "index", "middle", "ring", "pinky":
				if finger != "" && finger != part {
					t.Fatalf("vertex %d at %.3f follows both %s and %s", i, v.pos, finger, part)
				}
				finger = part
			case "upperarm", "lowerarm", "hand":
				arm = name
			case "thigh", "calf", "foot", "toe":
				leg = name
			}
		}
		if sum != 1 {
			t.Fatalf("vertex %d: weights sum to %v", i, sum)
		}
		if arm != "" && leg != "" {
			t.Fatalf("vertex %d at %.3f follows both %s and %s", i, v.pos, arm, leg)
		}
	}
	for j := range d.Skins[0].Joints {
		if name := d.jointName(j); !used[name] && name != "root" {
			t.Errorf("no vertex follows %s", name)
		}
	}
}

func TestMannequinIsSymmetric(t *testing.T) {
	d, vs := figure(t)
	index := map[string]int{}
	for j := range d.Skins[0].Joints {
		index[d.jointName(j)] = j
	}
	other := func(j int) int {
		n := d.jointName(j)
		if s, ok := strings.CutSuffix(n, "_l"); ok {
			return index[s+"_r"]
		}
		if s, ok := strings.CutSuffix(n, "_r"); ok {
			return index[s+"_l"]
		}
		return j
	}
	at := map[vec][]bound{}
	for _, v := range vs {
		at[v.pos] = append(at[v.pos], v)
	}
	for _, v := range vs {
		found := false
		for _, w := range at[v.pos.mirror()] {
			same := w.nrm.sub(v.nrm.mirror()).len() < 1e-5
			shares := map[int]float64{}
			for k := range 4 {
				shares[w.on[k].joint] += w.on[k].weight
				shares[other(v.on[k].joint)] -= v.on[k].weight
			}
			for _, s := range shares {
				same = same && math.Abs(s) < 1e-4
			}
			found = found || same
		}
		if !found {
			t.Fatalf("vertex at %v has no twin across x = 0", v.pos)
		}
	}
}

// slide is how far, in metres, any vertex of the soles moves along the ground
// while it touches it, were the root to go forward at speed.
func slide(t *testing.T, d *document, vs []bound, name string, speed, touch float64) (worst, lowest float64) {
	anim, duration := d.clip(t, name)
	var soles []bound
	for _, v := range vs {
		if v.pos[1] < 0.02 {
			soles = append(soles, v)
		}
	}
	const samples = 160
	first := make([]vec, len(soles))
	down := make([]bool, len(soles))
	// Twice round, so that a contact across the loop's seam counts as one.
	for i := range 2*samples + 1 {
		now := float64(i) / samples * duration
		for k, p := range d.skinAt(t, anim, math.Mod(now, duration), soles) {
			lowest = min(lowest, p[1])
			p[2] += speed * now
			if p[1] > touch {
				down[k] = false
				continue
			}
			if !down[k] {
				down[k], first[k] = true, p
			}
			worst = max(worst, math.Hypot(p[0]-first[k][0], p[2]-first[k][2]))
		}
	}
	return worst, lowest
}

func TestFeetNeitherSlideNorSink(t *testing.T) {
	d, vs := figure(t)
	for _, c := range []struct {
		name         string
		slide, below float64
	}{{"idle", 0.001, 0.001}, {"walk", 0.005, 0.002}, {"run", 0.012, 0.006}} {
		anim, _ := d.clip(t, c.name)
		speed := d.Animations[anim].Extras.Speed
		worst, lowest := slide(t, d, vs, c.name, speed, 0.002)
		t.Logf("%s at %.2f m/s: slides %.1f mm, lowest %.1f mm", c.name, speed, worst*1000, lowest*1000)
		if worst > c.slide {
			t.Errorf("%s: a standing sole slides %.1f mm, at most %.1f", c.name, worst*1000, c.slide*1000)
		}
		if lowest < -c.below {
			t.Errorf("%s: a sole sinks %.1f mm, at most %.1f", c.name, -lowest*1000, c.below*1000)
		}
	}
	// The check must see a wrong speed.
	if worst, _ := slide(t, d, vs, "walk", 1.5, 0.002); worst < 0.02 {
		t.Errorf("at 1.5 m/s the walk slides only %.1f mm: the check sees nothing", worst*1000)
	}
}

func TestClipsLoopWithoutPopping(t *testing.T) {
	d, _ := figure(t)
	for _, a := range d.Animations {
		for _, c := range a.Channels {
			name := d.Nodes[c.Target.Node].Name
			vals, w, err := d.read(a.Samplers[c.Sampler].Output)
			if err != nil {
				t.Fatal(err)
			}
			n := len(vals) / w
			for k := range w {
				if seam := math.Abs(vals[k] - vals[(n-1)*w+k]); seam > 1e-4 {
					t.Errorf("%s: %s %s leaps %.2g at the seam", a.Name, name, c.Target.Path, seam)
				}
			}
			if w != 4 {
				continue
			}
			// Jerk: the turn from key to key must not itself leap.
			step := func(i int) float64 {
				p, q := quat(vals[4*i:4*i+4]), quat(vals[4*i+4:4*i+8])
				return 2 * math.Acos(min(1, math.Abs(p.dot(q)))) * 180 / math.Pi
			}
			for i := range n - 1 {
				if s := step(i); s > 32 {
					t.Errorf("%s: %s turns %.0f° between keys %d and %d", a.Name, name, s, i, i+1)
				}
				if d := math.Abs(step(i) - step((i+1)%(n-1))); d > 16 {
					t.Errorf("%s: %s pops by %.0f° at key %d", a.Name, name, d, i+1)
				}
			}
		}
	}
}

func TestKneesBendForward(t *testing.T) {
	d, _ := figure(t)
	node := map[string]int{}
	for i, n := range d.Nodes {
		node[n.Name] = i
	}
	for _, name := range []string{"idle", "walk", "run"} {
		anim, duration := d.clip(t, name)
		least, most := 180.0, 0.0
		for i := range 121 {
			rot, at, err := d.posed(anim, duration*float64(i)/120)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []string{"_l", "_r"} {
				hip, knee, ankle := at[node["thigh"+s]], at[node["calf"+s]], at[node["foot"+s]]
				u, v := knee.sub(hip).unit(), ankle.sub(knee).unit()
				bend := math.Acos(clamp(u.dot(v), -1, 1)) * 180 / math.Pi
				side := rot[node["thigh"+s]].rotate(vec{1, 0, 0})
				if u.cross(v).dot(side) < 0 {
					bend = -bend
				}
				least, most = min(least, bend), max(most, bend)
			}
		}
		t.Logf("%s: knees bend %.0f° to %.0f°", name, least, most)
		if least < 1 || most > 135 {
			t.Errorf("%s: knees bend %.0f° to %.0f°, want within 1° to 135°", name, least, most)
		}
	}
}

func TestClipsSayTheirSpeed(t *testing.T) {
	d, _ := figure(t)
	for name, want := range map[string][3]float64{"idle": {0, 4, 4}, "walk": {1.4, 0.95, 1.1}, "run": {3.75, 0.65, 0.75}} {
		anim, duration := d.clip(t, name)
		if got := d.Animations[anim].Extras.Speed; got != want[0] {
			t.Errorf("%s: speed_m_s %v, want %v", name, got, want[0])
		}
		if duration < want[1]-1e-6 || duration > want[2]+1e-6 {
			t.Errorf("%s lasts %.3f s, want %.2f to %.2f", name, duration, want[1], want[2])
		}
	}
}
