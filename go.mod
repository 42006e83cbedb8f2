module github.com/bindpose/bindpose


toolchain go1.26.8
go 1.26.0

require golang.org/x/image v0.48.0
