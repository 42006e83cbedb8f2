package demoassets

import "embed"

// Files holds mannequin.glb, house.glb and props.glb.
//
//go:embed *.glb
var Files embed.FS
