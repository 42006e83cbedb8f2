package demoassets

import "embed"

// Files holds mannequin.glb, porter.glb, carrier.glb, house.glb, props.glb and sword.glb, and mannequin.json.
//
//go:embed *.glb *.json
var Files embed.FS
