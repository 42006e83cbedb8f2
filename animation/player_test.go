package animation

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// ramp moves the joint of one() along x as far as time goes, from 0 to 2.
func ramp() *Clip {
	return clipOf(Track{Path: Translation, Width: 3, Times: []float32{0, 2}, Values: []float32{0, 0, 0, 2, 0, 0}})
}

func mustPlay(t testing.TB, p *Player, c *Clip, fade float32) {
	t.Helper()
	if err := p.Play(c, fade); err != nil {
		t.Fatal(err)
	}
}

func step(t testing.TB, p *Player, dt float32) {
	t.Helper()
	if err := p.Update(dt); err != nil {
		t.Fatal(err)
	}
}

func poseOf(t testing.TB, p *Player) *Pose {
	t.Helper()
	out := NewPose(p.skeleton)
	if err := p.Sample(out); err != nil {
		t.Fatal(err)
	}
	return out
}

func x(t testing.TB, p *Player) float32 { return poseOf(t, p).Local[0].Translation[0] }

func TestPlayerLoops(t *testing.T) {
	for _, c := range []struct {
		loop  Loop
		speed float32
		want  []float32 // each half second, from the start
		dir   []float32
	}{
		{Repeat, 1, []float32{0, 0.5, 1, 1.5, 0, 0.5}, []float32{1, 1, 1, 1, 1, 1}},
		{Repeat, -1, []float32{2, 1.5, 1, 0.5, 0, 1.5, 1}, []float32{-1, -1, -1, -1, -1, -1, -1}},
		{Repeat, 3, []float32{0, 1.5, 1, 0.5, 0}, nil},
		{Repeat, 100, []float32{0, 0, 0}, nil}, // many rounds a step
		{Once, 1, []float32{0, 0.5, 1, 1.5, 2, 2, 2}, nil},
		{Once, -2, []float32{2, 1, 0, 0, 0}, nil},
		{PingPong, 1, []float32{0, 0.5, 1, 1.5, 2, 1.5, 1, 0.5, 0, 0.5}, []float32{1, 1, 1, 1, 1, -1, -1, -1, 1, 1}},
		{PingPong, -1, []float32{2, 1.5, 1, 0.5, 0, 0.5, 1}, []float32{-1, -1, -1, -1, -1, 1, 1}},
		{PingPong, 3, []float32{0, 1.5, 1, 0.5, 2, 0.5, 1, 1.5, 0}, nil},
	} {
		p := NewPlayer(one())
		p.Loop, p.Speed = c.loop, c.speed
		mustPlay(t, p, ramp(), 0)
		for i, want := range c.want {
			if i > 0 {
				step(t, p, 0.5)
			}
			if got := p.Time(); got != want || x(t, p) != want {
				t.Errorf("loop %d at speed %v: time %v, x %v after %v s, want %v", c.loop, c.speed, got, x(t, p), float32(i)/2, want)
			}
			if c.dir != nil && p.Direction() != c.dir[i] {
				t.Errorf("loop %d at speed %v: direction %v after %v s", c.loop, c.speed, p.Direction(), float32(i)/2)
			}
		}
		if done := c.loop == Once; p.Done() != done {
			t.Errorf("loop %d at speed %v: done %v", c.loop, c.speed, !done)
		}
	}
}

// A clip played backward shows the same poses in reverse order, and a ping-pong
// the way back the same as there, bit for bit.
func TestPlayerMirrors(t *testing.T) {
	s, clip := character(20, 17)
	const n = 64 // steps of 1/64 s are exact
	there, back, both := NewPlayer(s), NewPlayer(s), NewPlayer(s)
	back.Speed = -1
	there.Loop, back.Loop, both.Loop = Once, Once, PingPong
	var forward, backward, pingpong []*Pose
	for _, p := range []*Player{there, back, both} {
		mustPlay(t, p, clip, 0)
	}
	for range n + 1 {
		forward, backward = append(forward, poseOf(t, there)), append(backward, poseOf(t, back))
		step(t, there, 1.0/n)
		step(t, back, 1.0/n)
	}
	for range 2*n + 1 {
		pingpong = append(pingpong, poseOf(t, both))
		step(t, both, 1.0/n)
	}
	for i := range forward {
		if !slices.Equal(forward[i].Local, backward[n-i].Local) {
			t.Fatalf("backward differs from forward at %d/%d s", i, n)
		}
		if !slices.Equal(forward[i].Local, pingpong[i].Local) || !slices.Equal(forward[i].Local, pingpong[2*n-i].Local) {
			t.Fatalf("ping-pong differs from forward at %d/%d s", i, n)
		}
	}
	if slices.Equal(forward[0].Local, forward[n/3].Local) {
		t.Fatal("the clip does not move")
	}
}

func TestPlayersOfOneModelAreIndependent(t *testing.T) {
	s, clip := character(10, 11)
	times := []float32{0.125, 0.5, 0.75}
	var players []*Player
	for i, at := range times {
		p := NewPlayer(s)
		p.Speed = float32(i) - 1
		mustPlay(t, p, clip, 0)
		if err := p.Seek(at); err != nil {
			t.Fatal(err)
		}
		players = append(players, p)
	}
	for i, p := range players {
		want := sampleAt(t, s, clip, times[i], make([]int32, len(clip.Tracks)))
		if !slices.Equal(poseOf(t, p).Local, want.Local) {
			t.Errorf("player %d is not at %v s", i, times[i])
		}
		for j := range i {
			if slices.Equal(poseOf(t, p).Local, poseOf(t, players[j]).Local) {
				t.Errorf("players %d and %d share a pose", i, j)
			}
		}
	}
	mustPlay(t, players[0], nil, 0.5)
	step(t, players[0], 0.25)
	if players[1].Fading() != 1 || players[1].Time() != 0.5 {
		t.Error("one player's fade touched another")
	}
}

func TestPlayerRefusesBadStepsAndGoesOn(t *testing.T) {
	p := NewPlayer(one())
	mustPlay(t, p, ramp(), 0)
	step(t, p, 0.5)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, dt := range []float32{nan, inf, -inf, -0.1, MaxTimeStep * 2} {
		if err := p.Update(dt); !errors.Is(err, ErrTimeStep) {
			t.Errorf("step %v: %v", dt, err)
		}
	}
	for _, speed := range []float32{nan, inf} {
		p.Speed = speed
		if err := p.Update(0.1); !errors.Is(err, ErrTimeStep) {
			t.Errorf("speed %v: %v", speed, err)
		}
	}
	if err := p.Seek(nan); !errors.Is(err, ErrTimeStep) {
		t.Errorf("seek: %v", err)
	}
	if err := p.Play(ramp(), nan); err == nil {
		t.Error("a fade of NaN was taken")
	}
	if err := p.Play(&Clip{Tracks: []Track{{}}}, 0); !errors.Is(err, ErrClip) {
		t.Errorf("bad clip: %v", err)
	}
	p.Speed = 1
	step(t, p, 0.25)
	if p.Time() != 0.75 || x(t, p) != 0.75 {
		t.Errorf("time %v after the bad steps, want 0.75", p.Time())
	}
}

func TestPlayerPauseSeekWeight(t *testing.T) {
	p := NewPlayer(one())
	mustPlay(t, p, ramp(), 0)
	p.Paused = true
	step(t, p, 1)
	if p.Time() != 0 {
		t.Error("a paused player moved")
	}
	for at, want := range map[float32]float32{-1: 0, 1.25: 1.25, 7: 2} {
		if err := p.Seek(at); err != nil || x(t, p) != want {
			t.Errorf("seek %v: x %v, %v", at, x(t, p), err)
		}
	}
	p.Paused = false
	step(t, p, 0)
	if err := p.Seek(2); err != nil {
		t.Fatal(err)
	}
	step(t, p, 0)
	if p.Time() != 2 {
		t.Error("no time passing left the end")
	}
	p.Weight = 0.25 // the rest pose is at x = 1
	if got := x(t, p); got != 1.25 {
		t.Errorf("x %v at weight ¼, want 1.25", got)
	}
	p.Weight = 0
	if pose := poseOf(t, p); pose.Local[0].Translation[0] != 1 || pose.Moved[0] {
		t.Errorf("weight 0 is not the rest pose: %v", pose.Local[0])
	}
	p.Weight = 2
	if err := p.Sample(NewPose(p.skeleton)); !errors.Is(err, ErrJob) {
		t.Errorf("weight 2: %v", err)
	}
}

// still holds the joint of one() at x, forever.
func still(x float32) *Clip {
	return clipOf(Track{Path: Translation, Width: 3, Times: []float32{0, 1}, Values: []float32{x, 0, 0, x, 0, 0}})
}

func TestPlayerFade(t *testing.T) {
	p := NewPlayer(one())
	mustPlay(t, p, still(0), 0)
	mustPlay(t, p, still(8), 2)
	for i, want := range []float32{0, 8 * 5.0 / 32, 4, 8 * 27.0 / 32, 8, 8} { // 3u²-2u³
		if i > 0 {
			step(t, p, 0.5)
		}
		if got := x(t, p); !near(got, want, 1e-5) {
			t.Errorf("x %v after %v s, want %v", got, float32(i)/2, want)
		}
	}
	if p.Fading() != 1 {
		t.Error("the fade goes on")
	}
	// A clip that is faded out plays on.
	p = NewPlayer(one())
	mustPlay(t, p, ramp(), 0)
	mustPlay(t, p, still(0), 2)
	step(t, p, 1)
	if got := x(t, p); !near(got, 0.5, 1e-6) {
		t.Errorf("half way from a clip at x = 1: x %v, want ½", got)
	}
}

// However plays interrupt each other, no frame changes by more than the clips
// and the fades can move: nothing snaps.
func TestPlayerNeverSnaps(t *testing.T) {
	const dt, fade = 1.0 / 60, 0.3
	s, a := character(30, 31, 1)
	_, b := character(30, 31, 2)
	p := NewPlayer(s)
	mustPlay(t, p, a, 0)
	last := poseOf(t, p)
	worst, interrupted := float32(0), 0
	for frame := range 600 {
		if frame%7 == 0 {
			clip := a
			if frame/7%2 == 0 {
				clip = b
			}
			if frame%21 == 0 {
				clip = nil
			}
			if p.Fading() < 1 {
				interrupted++
			}
			mustPlay(t, p, clip, fade)
			if now := poseOf(t, p); poseDistance(now, last) > 1e-5 {
				t.Fatalf("frame %d: playing moved the pose by %v before any time passed", frame, poseDistance(now, last))
			}
		}
		step(t, p, dt)
		now := poseOf(t, p)
		worst = max(worst, poseDistance(now, last))
		last = now
	}
	// Clips swing by at most 1 rad at 2π rad/s; a fade goes at 1.5/0.3 s over at
	// most 2 rad: below 17 rad/s, 0.28 rad a frame. A snap is up to 2 rad.
	if worst > 0.28 {
		t.Errorf("a frame changed a joint by %v rad", worst)
	}
	if interrupted < 50 {
		t.Errorf("only %d fades were interrupted", interrupted)
	}
}

// poseDistance is the greatest turn of any joint between two poses, radians.
func poseDistance(a, b *Pose) float32 {
	var worst float32
	for j := range a.Local {
		p, q := a.Local[j].Rotation, b.Local[j].Rotation
		if p.Dot(q) < 0 {
			q = q.Scale(-1)
		}
		worst = max(worst, 2*p.Add(q.Scale(-1)).Len())
	}
	return worst
}

func TestPlayerStopsToRest(t *testing.T) {
	s := one()
	p := NewPlayer(s)
	turn := clipOf(Track{Path: Rotation, Width: 4, Times: []float32{0}, Values: []float32{1, 0, 0, 0}})
	mustPlay(t, p, turn, 0)
	mustPlay(t, p, nil, 0)
	if got := poseOf(t, p).Local[0]; got != s.Rest[0] || !p.Done() {
		t.Errorf("stopped at %v", got)
	}
	mustPlay(t, p, still(3), 0) // does not turn: at rest, not where turn left it
	if got := poseOf(t, p).Local[0].Rotation; got != mgl32.QuatIdent() {
		t.Errorf("rotation %v of a clip that does not turn", got)
	}
}

func TestUpdateAllocatesNothing(t *testing.T) {
	s, clip := character(65, 30)
	_, other := character(65, 30, 9)
	a := NewAnimator(s, []Skin{skinOf(s)}, []*Clip{clip, other})
	if err := a.PlayIndex(0, 0); err != nil {
		t.Fatal(err)
	}
	update := func() {
		if err := a.Update(1.0 / 60); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(100, update); n != 0 {
		t.Errorf("%v allocations an update", n)
	}
	if err := a.PlayIndex(1, 1e3); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, update); n != 0 || a.Fading() == 1 {
		t.Errorf("%v allocations an update in a fade", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		if err := a.Play(clip, 0.1); err != nil {
			t.Fatal(err)
		}
		update()
	}); n != 0 {
		t.Errorf("%v allocations a play once buffers have grown", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		if err := a.Update(float32(math.NaN())); err == nil {
			t.Fatal("NaN was taken")
		}
		update()
	}); n > 5 {
		t.Errorf("%v allocations a refused update", n)
	}
}
