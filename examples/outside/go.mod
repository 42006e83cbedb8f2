module example.com/outside

go 1.26.0

require github.com/bindpose/bindpose v0.0.0

require (
	github.com/fsnotify/fsnotify v1.10.1 // indirect
	github.com/go-gl/glfw/v3.3/glfw v0.0.0-20260823155953-d41da22a9587 // indirect
	github.com/yuin/gopher-lua v1.1.2 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/bindpose/bindpose => ../..
