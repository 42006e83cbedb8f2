package script_test

import (
	"fmt"
	"log"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/script"
)

// entity stands in for the scene's: it embeds the interface and answers what
// the example asks.
type entity struct {
	script.Entity
	name     string
	position mgl32.Vec3
}

func (e *entity) Name() string             { return e.name }
func (e *entity) Position() mgl32.Vec3     { return e.position }
func (e *entity) SetPosition(p mgl32.Vec3) { e.position = p }

type world map[string]*entity

func (w world) Find(name string) (script.Entity, bool) { e, ok := w[name]; return e, ok }
func (w world) Log(entity, message string)             { fmt.Printf("%s says %s\n", entity, message) }

// lift is a native script: it needs just the methods it uses.
type lift struct{ speed float32 }

func (l *lift) Update(ctx *script.Context, dt float32) error {
	ctx.SetPosition(ctx.Position().Add(mgl32.Vec3{0, l.speed * dt, 0}))
	return nil
}

func Example() {
	w := world{"lift": {name: "lift"}, "guard": {name: "guard", position: mgl32.Vec3{3, 0, 0}}}
	r := script.NewRunner(w, nil)

	guard, err := script.LoadLua("guard.lua", `
		function start() log(string.format("I am %.1f m from the lift", entity:distance("lift"))) end
		function update(dt) if entity:distance("lift") > 4.9 then error("it is too far up") end end`)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := r.Add(w["lift"], &lift{speed: 1}); err != nil {
		log.Fatal(err)
	}
	if _, err := r.Add(w["guard"], guard); err != nil {
		log.Fatal(err)
	}
	for range 6 {
		r.Update(1)
	}
	fmt.Println("the lift is at", w["lift"].position[1])
	// Output:
	// guard says I am 3.2 m from the lift
	// guard says entity "guard": script guard.lua: update: guard.lua:3: it is too far up
	// the lift is at 6
}
