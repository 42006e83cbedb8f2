module github.com/bindpose/bindpose

go 1.26
