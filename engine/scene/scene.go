package scene

import (
	"iter"
	"slices"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

// Scene is a set of entities and the light around them. It is for one goroutine
// at a time.
type Scene struct {
	Environment Environment
	// Camera is the entity that the frame is seen from.
	Camera *Entity
	// Log, where set, shows what scripts log.
	Log func(entity, message string)

	entities []*Entity // parents before children
	lastID   uint32
	physics  bodies
	scripts  scripts
	crowd    crowd
	soles    map[*assets.Model][]ground.Sole
}

// New makes an empty scene in the light of an afternoon. Close frees its
// physics world.
func New() (*Scene, error) {
	world, err := physics.NewWorld(physics.DefaultConfig())
	if err != nil {
		return nil, err
	}
	s := &Scene{Environment: Afternoon()}
	s.physics.init(world)
	s.scripts.init(s)
	return s, nil
}

// Close frees what does not lie on the Go heap. Closing twice is harmless.
func (s *Scene) Close() {
	s.scripts.close()
	s.crowd.close()
	s.physics.world.Close()
}

// Spawn adds an entity at its parent's origin, or the world's where parent is
// nil.
func (s *Scene) Spawn(name string, parent *Entity) *Entity {
	s.lastID++
	e := &Entity{Name: name, Local: animation.Identity(), id: s.lastID, scene: s, parent: parent, world: mgl32.Ident4()}
	s.entities = append(s.entities, e)
	return e
}

// SpawnModel adds an entity that shows a model. It gets an animator of its own
// where the model has clips, skins or morph targets.
func (s *Scene) SpawnModel(name string, m *assets.Model, parent *Entity) *Entity {
	e := s.Spawn(name, parent)
	e.Mesh = &MeshRenderer{Model: m}
	if m == nil { // shows nothing
		return e
	}
	if len(m.Clips) > 0 || len(m.Skins) > 0 || len(m.Skeleton.MorphWeights) > 0 {
		e.Animator = animation.NewAnimator(m.Skeleton, m.Skins, m.Clips)
	}
	return e
}

// Remove takes an entity and its children out of the scene, with their bodies
// and scripts. Of an entity that is not in the scene, or nil, nothing is done.
// It may be called while All is walked over.
func (s *Scene) Remove(e *Entity) {
	if e == nil || e.scene != s {
		return
	}
	gone := map[*Entity]bool{e: true}
	// A walk over All goes on over the slice that it began with.
	s.entities = slices.DeleteFunc(slices.Clone(s.entities), func(c *Entity) bool {
		if !gone[c] && (c.parent == nil || !gone[c.parent]) {
			return false
		}
		gone[c] = true
		s.physics.remove(c)
		s.scripts.remove(c)
		c.scene, c.hidden = nil, true
		return true
	})
	if gone[s.Camera] {
		s.Camera = nil
	}
}

// Len is the number of entities.
func (s *Scene) Len() int { return len(s.entities) }

// All yields the entities, parents before their children. Those that are removed
// or spawned meanwhile are left out.
func (s *Scene) All() iter.Seq[*Entity] {
	return func(yield func(*Entity) bool) {
		for _, e := range s.entities {
			if e.scene != nil && !yield(e) {
				return
			}
		}
	}
}

// Find returns the first entity of that name, or nil.
func (s *Scene) Find(name string) *Entity {
	for _, e := range s.entities {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// UpdateWorld computes every entity's matrix from its Local and its parent's.
func (s *Scene) UpdateWorld() {
	for _, e := range s.entities {
		e.update()
	}
}
