module github.com/bindpose/bindpose

go 1.26

toolchain go1.26.8

require github.com/yuin/gopher-lua v1.1.2
