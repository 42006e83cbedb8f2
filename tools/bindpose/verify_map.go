package main

import (
	"errors"

	"github.com/bindpose/bindpose/animation/retarget"
)

func readMap(_ []byte, _, _ *retarget.Rig) (*retarget.Map, error) { return nil, errors.New("not yet") }
