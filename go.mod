module github.com/bindpose/bindpose

go 1.26.0

toolchain go1.26.8

require (
	github.com/go-gl/glfw/v3.3/glfw v0.0.0-20260823155953-d41da22a9587
	golang.org/x/image v0.48.0
)
