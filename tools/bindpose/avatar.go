package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/vrm"
	"github.com/bindpose/bindpose/engine/scene"
)

// bringToLife makes an instance of each model that is an avatar, nil for others,
// and gives it the expressions that --expression names. One of the models must have
// each of them.
func bringToLife(models []*assets.Model, expressions []string) ([]*vrm.Instance, error) {
	out := make([]*vrm.Instance, len(models))
	for i, m := range models {
		if !strings.EqualFold(filepath.Ext(m.Path), ".vrm") {
			continue
		}
		data, err := bytesOf(m.Path)
		if err != nil {
			return nil, fmt.Errorf("%s: %s", m.Path, cause(err))
		}
		a, err := vrm.Read(data, m)
		if errors.Is(err, vrm.ErrNoAvatar) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		if out[i], err = vrm.NewInstance(m, a); err != nil {
			return nil, err
		}
	}
	for _, x := range expressions {
		name, weight, err := parseExpression(x)
		if err != nil {
			return nil, err
		}
		known := false
		missing := errors.New("none of the files is an avatar (.vrm)")
		for _, a := range out {
			if a == nil {
				continue
			}
			if err := a.Express(name, weight); err == nil {
				known = true
			} else {
				missing = err
			}
		}
		if !known {
			return nil, fmt.Errorf("--expression %s: %w", x, missing)
		}
	}
	return out, nil
}

// parseExpression reads NAME or NAME=WEIGHT.
func parseExpression(s string) (name string, weight float32, err error) {
	name, text, given := strings.Cut(s, "=")
	if !given {
		return name, 1, nil
	}
	w, err := strconv.ParseFloat(text, 32)
	if err != nil || !(w >= 0 && w <= 1) {
		return "", 0, fmt.Errorf("--expression %s: the weight must be a number from 0 to 1", s)
	}
	return name, float32(w), nil
}

// comeToHang lets an avatar's hair and clothes come to hang before the first frame, at
// the clip's time as it stands.
func comeToHang(e *scene.Entity, a *vrm.Instance) error {
	const seconds = 2
	e.Animator.World = e.Local.Mat4()
	e.Animator.Modify(a)
	speed := e.Animator.Speed
	e.Animator.Speed = 0
	defer func() { e.Animator.Speed = speed }()
	for range seconds * 60 {
		if err := e.Animator.Update(1.0 / 60); err != nil {
			return err
		}
	}
	return nil
}
