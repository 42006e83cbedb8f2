// Package script runs the behaviour of entities: Go values and Lua files, one or
// more an entity.
//
// # Concept
//
// A native script is any value with one or more of the methods of [Starter],
// [Updater] and [ContactHandler]. A Lua script is a file that defines some of
// the functions start, update and contact. Both see the same small world: their
// own [Entity], others found by name, and a log.
//
// A [Runner] holds pairs of entity and script. [Runner.Update] runs once a
// frame, before physics: Start once, then Update, in the order of adding.
// [Runner.Contact] delivers what physics found, after it. A script that returns
// an error, panics, or runs past its instruction budget (Lua) is reported once,
// by its entity's name, and switched off; the frame and the other scripts go on.
//
//	-- door.lua: opens while the hero is near
//	local angle = 0
//	function update(dt)
//	  local d = entity:distance("hero")
//	  local goal = d and d < 2 and math.pi / 2 or 0
//	  angle = angle + math.max(-dt, math.min(dt, goal - angle))
//	  entity:set_yaw(angle)
//	end
//
// What Lua sees: the global entity, with the methods
//
//	name() → string                 distance(name or entity) → metres, or nil
//	position() → x, y, z            set_position(x, y, z)
//	rotation() → x, y, z, w         set_rotation(x, y, z, w)
//	scale() → x, y, z               set_scale(x, y, z)
//	set_yaw(radians)                set_velocity(x, y, z)
//	apply_impulse(x, y, z)          play_clip(name [, fade seconds])
//	set_clip_speed(factor)          fire(name)
//	set_param(name, number or boolean)
//
// the functions find(name) → entity or nil, log(…) and time() → seconds, and of
// Lua 5.1's own libraries base, math, string and table, less what loads code,
// reads files or leaves the script's environment. contact(other, impulse, phase)
// gets nil for a body without an entity, N·s, and "begin", "stay" or "end".
// math.random is seeded by the entity's name, so a run repeats itself.
//
// # Limits
//
// A Lua callback may take [DefaultBudget] instructions and 120 nested calls; a
// file, [MaxSource] bytes. gopher-lua can bound neither the memory a script
// takes nor the time of one library call, so Lua files deserve the trust of the
// program's own assets. A native script that never returns cannot be stopped.
//
// # Cost
//
// A native update costs some 10 ns beyond its own work and allocates nothing. A
// Lua update that reads and moves its entity takes under 1 µs. Each Lua script
// has an interpreter of its own: one that all share saves less than half of the
// 70 kB and no time a call, and would let scripts reach each other.
package script
