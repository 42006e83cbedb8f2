module github.com/bindpose/bindpose

go 1.26.0

toolchain go1.26.8

require golang.org/x/image v0.48.0
