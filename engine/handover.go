package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// continueVariable names the file that a program finds what it goes on from in.
const continueVariable = "BINDPOSE_CONTINUE"

// kept is what a program leaves to the one that takes over from it.
type kept struct {
	Time     float64
	Paused   bool
	Show     Show
	Window   *keptWindow `json:",omitempty"`
	Camera   *scene.Camera
	Eye      animation.Transform // the camera entity's Local
	Layout   string              // of the panels
	Entities []keptEntity        `json:",omitempty"`
	State    json.RawMessage     `json:",omitempty"`

	Scrap string // a folder to remove
}

// keptWindow is in window units.
type keptWindow struct{ X, Y, Width, Height int }

// keptEntity is the one of that many before it that have the same name.
type keptEntity struct {
	Name     string
	Nth      int
	Local    animation.Transform
	Hidden   bool
	Velocity mgl32.Vec3    `json:",omitzero"` // of a dynamic body, m/s
	Clip     *keptAnimator `json:",omitempty"`
}

type keptAnimator struct {
	Clip   string
	Time   float32 // seconds
	Speed  float32
	Loop   animation.Loop
	Paused bool
}

// inherit reads what another program left, where this one takes over from it.
func inherit() (*kept, error) {
	path := os.Getenv(continueVariable)
	if path == "" {
		return nil, nil
	}
	os.Unsetenv(continueVariable) // it is not for programs that this one starts
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("engine: what the program should go on from cannot be read: %w", err)
	}
	k := &kept{}
	if err := json.Unmarshal(data, k); err != nil {
		return nil, fmt.Errorf("engine: what the program should go on from, %s, is none that it wrote: %w", path, err)
	}
	_ = os.RemoveAll(k.Scrap) // the running program's file with it, which the system keeps while it runs
	return k, nil
}

// keep is what goes on in the program that takes over.
func (e *Engine) keep(p *Program) (*kept, error) {
	if p.Save != nil {
		p.Save()
	}
	k := &kept{Time: e.state.time, Paused: e.Paused, Show: e.Show, Layout: e.GUI.Layout()}
	if p.State != nil {
		data, err := json.Marshal(p.State)
		if err != nil {
			return nil, fmt.Errorf("engine: the program's state cannot be kept: %w", err)
		}
		k.State = data
	}
	if w := e.Window; w != nil {
		k.Window = &keptWindow{}
		k.Window.X, k.Window.Y = w.Position()
		k.Window.Width, k.Window.Height = w.Size()
	}
	if c := e.Scene.Camera; c != nil {
		k.Camera, k.Eye = c.Camera, c.Local
	}
	if !p.Entities {
		return k, nil
	}
	count := map[string]int{}
	for x := range e.Scene.All() {
		n := keptEntity{Name: x.Name, Nth: count[x.Name], Local: x.Local, Hidden: x.Hidden}
		count[x.Name]++
		if x.Body != nil {
			if v, _, err := e.Scene.World().Velocity(x.PhysicsBody()); err == nil {
				n.Velocity = v
			}
		}
		if a := x.Animator; a != nil && a.Driver() == nil && a.Clip() != nil {
			n.Clip = &keptAnimator{a.Clip().Name, a.Time(), a.Speed, a.Loop, a.Paused}
		}
		k.Entities = append(k.Entities, n)
	}
	return k, nil
}

// restore sets what keep kept.
func (e *Engine) restore(k *kept, p *Program) error {
	var errs []error
	e.state.time, e.Paused, e.Show = k.Time, k.Paused, k.Show
	e.GUI.SetLayout(k.Layout)
	if p.State != nil && k.State != nil {
		if err := json.Unmarshal(k.State, p.State); err != nil {
			errs = append(errs, fmt.Errorf("engine: the state of the program before does not fit this one's: %w", err))
		}
	}
	if p.Entities {
		count := map[string]int{}
		was := map[string][]*keptEntity{}
		for i := range k.Entities {
			was[k.Entities[i].Name] = append(was[k.Entities[i].Name], &k.Entities[i])
		}
		for x := range e.Scene.All() {
			n := count[x.Name]
			count[x.Name]++
			if list := was[x.Name]; n < len(list) {
				errs = append(errs, list[n].restore(x))
			}
		}
	}
	if c := e.Scene.Camera; c != nil && k.Camera != nil {
		c.Local = k.Eye
		if c.Camera != nil {
			*c.Camera = *k.Camera
		}
	}
	e.Scene.UpdateWorld()
	return errors.Join(errs...)
}

func (k *keptEntity) restore(x *scene.Entity) error {
	x.Local, x.Hidden = k.Local, k.Hidden
	if x.Body != nil {
		x.Body.Velocity = k.Velocity
	}
	a, c := x.Animator, k.Clip
	if a == nil || c == nil || a.Driver() != nil {
		return nil
	}
	if a.Clip() == nil || a.Clip().Name != c.Clip {
		if err := a.PlayName(c.Clip, 0); err != nil {
			return nil // the clip is gone; what the program plays is right
		}
	}
	a.Speed, a.Loop, a.Paused = c.Speed, c.Loop, c.Paused
	if err := a.Seek(c.Time); err != nil {
		return err
	}
	return a.Evaluate()
}

// handOver lets the program that was built go on in this one's place.
func (e *Engine) handOver(path string) error {
	k, err := e.keep(&e.program.Program)
	if err != nil {
		e.program.failed = err.Error()
		e.warnOnce(err)
		return nil
	}
	// What close removes must not be what is started.
	k.Scrap, err = os.MkdirTemp("", "bindpose-program-")
	if err == nil {
		next := filepath.Join(k.Scrap, "program")
		err = os.Rename(path, next)
		path = next
	}
	var data []byte
	if err == nil {
		data, err = json.Marshal(k)
	}
	file := filepath.Join(k.Scrap, "state.json")
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		_ = os.RemoveAll(k.Scrap) // half of what is handed over
		err = fmt.Errorf("engine: the new program cannot take over: %w", err)
		e.program.failed = err.Error()
		e.warnOnce(err)
		return nil
	}
	e.Close()
	if err := replaceProcess(path, append(os.Environ(), continueVariable+"="+file)); err != nil {
		return fmt.Errorf("engine: the new program could not be started: %w", err)
	}
	return nil
}
