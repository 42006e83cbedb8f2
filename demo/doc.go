// Package demo is the scene that bindpose demo shows: a small house whose door
// opens when somebody comes near, three mannequins that walk about it out of
// step, and crates that fall. It is also an example of a program on Bindpose:
// models, scripts, physics, lights that cast shadows and a camera.
//
// Everything in it is made by tools/mkdemo and embedded, so it needs no file.
package demo
