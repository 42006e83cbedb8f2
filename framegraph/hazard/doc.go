// Package hazard proves that a frame graph's plan is safe, or says where it is not.
//
// It is written apart from the compiler, from the Vulkan specification's chapter on synchronization (Vulkan 1.3 §7) and
// its rules for memory aliasing (§12.8). It replays a plan for two frames, access by access, and keeps for every mip
// level of every layer which write it holds, what has been made available, to which accesses it is visible, and in which
// layout it is. What an access must see comes from the declarations alone: the last write declared before it.
//
//	for _, p := range hazard.Check(plan) {
//		fmt.Println(p)
//	}
//
// Each queue has an order of execution of its own; between queues only semaphores order anything, and an image that is not
// shared belongs to one queue's family at a time (§7.7.4).
//
// Where the specification lets an implementation assume more (logically earlier and later stages, ordering between draws),
// it assumes less, rasterization order inside one rendering scope aside. A check costs about as much memory as the plan
// has accesses squared, divided by 32: it is meant for tests and for one look at a new plan, not for each frame.
package hazard
