// Package blendspace says how much of which clip plays at a point of a line or a
// plane, and keeps cycles of unequal length in phase. It knows no skeletons: its
// results are weights and times.
//
// # Concept
//
// A Line has its samples at numbers, a Plane at points: speed, or speed and turn.
// Between samples the weights are linear, on a Plane within the triangles of the
// points' Delaunay triangulation. Outside, the nearest point of the samples' hull
// counts. So weights are at least 0, add up to 1, and never jump.
//
// Clips of a space are cycles. A Sync maps one phase to a time of each: by
// normalised time, where phase 0.3 is 30 % of every clip, or by sync events,
// where phase 1.5 is half-way between the second event of every clip and its
// third: each clip's left foot comes down at phase 0, each right foot at 1. The
// phase runs at the weighted mean of the clips' lengths.
//
// Both are immutable after they were made, and do not depend on the order in
// which samples are given.
//
// # Cost
//
// A Plane is made with exact arithmetic, so that points on a circle or a line are
// no trouble, in time that grows with the square of the points. A look-up walks
// the triangles. Nothing but making allocates.
package blendspace
