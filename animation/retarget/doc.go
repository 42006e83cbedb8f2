// Package retarget plays clips of one skeleton on another, with other names,
// other proportions and another rest pose.
package retarget
