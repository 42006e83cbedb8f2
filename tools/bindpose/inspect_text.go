package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/columns"
)

// nameCells bounds how much of a name from a file is printed.
const nameCells = 36

func name(s string) string {
	if s == "" {
		return "(unnamed)"
	}
	return columns.Clean(s, nameCells)
}

// item is the first cell of a row: the index in a list of so many, and the name.
func item(index, of int, called string) string {
	return fmt.Sprintf("  %*d  %s", len(fmt.Sprint(max(of-1, 0))), index, name(called))
}

// text writes the inspection for a terminal: a summary, then a table for each
// kind of thing that the file has.
func (r *inspection) text(w io.Writer, joints bool) error {
	sections := []func() *columns.Table{
		r.summary, r.meshTable, r.skinTable, r.clipTable, r.propertyTable, r.materialTable, r.imageTable, r.cameraTable, r.lightTable,
	}
	if joints {
		sections = append(sections, r.jointTree)
	}
	sections = append(sections, r.warningTable)
	for i, section := range sections {
		t := section()
		if t.Len() < 2 { // the headings alone
			continue
		}
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := t.Write(w); err != nil {
			return err
		}
	}
	return nil
}

func (r *inspection) summary() *columns.Table {
	t := columns.New("l")
	format := "glTF"
	if strings.EqualFold(filepath.Ext(r.File), ".fbx") {
		format = "FBX"
	}
	t.Row("file", fmt.Sprintf("%s, %s, %s %s", columns.Clean(filepath.Base(r.File), 60), columns.Bytes(r.Bytes), format, columns.Clean(r.Version, 12)))
	if r.Generator != "" {
		t.Row("made by", columns.Clean(r.Generator, 80))
	}
	if len(r.Extensions.Used) > 0 {
		var names []string
		for _, e := range r.Extensions.Used {
			if slices.Contains(r.Extensions.Required, e) {
				e += " (required)"
			}
			names = append(names, columns.Clean(e, 60))
		}
		t.Row("extensions", strings.Join(names, ", "))
	}
	if n := len(r.Scenes); n > 1 {
		t.Row("scenes", fmt.Sprintf("%d, of which %d is the default", n, r.Scene))
	}
	if b := r.Bounds; b != nil {
		t.Row("size", fmt.Sprintf("%s m at rest, from (%s) to (%s)", vector(b.Size, " × "), vector(b.Min, ", "), vector(b.Max, ", ")))
		if b.NonFinite > 0 {
			t.Row("", columns.Int(b.NonFinite)+" vertices are infinite or no numbers, and not in it")
		}
	} else {
		t.Row("size", "there are no vertices")
	}
	t.Row("holds", r.counts())
	m := &r.Memory
	memory := columns.Bytes(m.Total)
	if m.Decoded > 0 {
		memory += fmt.Sprintf(", and %s for images when they are decoded", columns.Bytes(m.Decoded))
	}
	t.Row("memory", memory)
	var parts []string
	for _, p := range []struct {
		bytes int64
		what  string
	}{
		{m.Vertices, "vertices"}, {m.Indices, "indices"}, {m.Morphs, "morph targets"}, {m.Skins, "skins"},
		{m.Animation, "animation"}, {m.Encoded, "encoded images"},
	} {
		if p.bytes > 0 {
			parts = append(parts, p.what+" "+columns.Bytes(p.bytes))
		}
	}
	if len(parts) > 1 {
		t.Row("", strings.Join(parts, ", "))
	}
	return t
}

// counts is how many of each thing there are.
func (r *inspection) counts() string {
	vertices, triangles := 0, 0
	for _, m := range r.Meshes {
		for _, p := range m.Primitives {
			vertices += p.Vertices
			if p.Topology == "triangles" {
				triangles += p.Count
			}
		}
	}
	var out []string
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{len(r.Joints), "node", "nodes"}, {len(r.Meshes), "mesh", "meshes"}, {vertices, "vertex", "vertices"},
		{triangles, "triangle", "triangles"}, {len(r.Skins), "skin", "skins"}, {len(r.Clips), "clip", "clips"},
		{len(r.Materials), "material", "materials"}, {r.Textures, "texture", "textures"}, {len(r.Images), "image", "images"},
	} {
		switch {
		case c.n == 1:
			out = append(out, "1 "+c.one)
		case c.n > 1:
			out = append(out, columns.Int(c.n)+" "+c.many)
		}
	}
	return strings.Join(out, ", ")
}

// vector writes metres, as many decimals as its largest part needs for four
// digits.
func vector(v mgl32.Vec3, between string) string {
	most := max(v[0], -v[0], v[1], -v[1], v[2], -v[2])
	decimals := 3
	for limit := float32(10); decimals > 0 && most >= limit; limit *= 10 {
		decimals--
	}
	if most > 0 && most < 0.1 {
		decimals = 5
	}
	parts := make([]string, 3)
	for i, x := range v {
		parts[i] = fmt.Sprintf("%.*f", decimals, x)
		if strings.Trim(parts[i], "-0.") == "" {
			parts[i] = strings.TrimPrefix(parts[i], "-")
		}
	}
	return strings.Join(parts, between)
}

func (r *inspection) meshTable() *columns.Table {
	t := columns.New("lrrl")
	t.Row("meshes", "vertices", "triangles", "material", "attributes")
	for i, m := range r.Meshes {
		for j, p := range m.Primitives {
			first := item(i, len(r.Meshes), m.Name)
			if j > 0 {
				first = ""
			}
			count := columns.Int(p.Count)
			if p.Topology != "triangles" {
				count += " " + p.Topology
			}
			attributes := strings.Join(p.Attributes, " ")
			if m.Targets > 0 {
				attributes += fmt.Sprintf(" targets×%d", m.Targets)
			}
			t.Row(first, columns.Int(p.Vertices), count, r.materialName(p.Material), attributes)
		}
	}
	return t
}

func (r *inspection) materialName(i int32) string {
	if i < 0 {
		return "the default"
	}
	return fmt.Sprintf("%d %s", i, name(r.Materials[i].Name))
}

func (r *inspection) skinTable() *columns.Table {
	t := columns.New("lrl")
	t.Row("skins", "joints", "inverse bind", "root")
	for i, k := range r.Skins {
		bind := "identity"
		if k.InverseBind {
			bind = "present"
		}
		roots := make([]string, 0, len(k.Roots))
		for _, root := range k.Roots {
			if len(roots) == 3 {
				roots = append(roots, fmt.Sprintf("and %d more", len(k.Roots)-3))
				break
			}
			roots = append(roots, name(root))
		}
		t.Row(item(i, len(r.Skins), k.Name), columns.Int(k.Joints), bind, strings.Join(roots, ", "))
	}
	return t
}

func (r *inspection) clipTable() *columns.Table {
	t := columns.New("lrrrrrl")
	t.Row("clips", "seconds", "joints", "tracks", "keys", "m/s", "moves", "interpolation")
	for i, c := range r.Clips {
		speed := "–"
		if c.Speed != 0 {
			speed = fmt.Sprintf("%.2f", c.Speed)
		}
		moves := c.Paths
		if n := len(c.Properties); n > 0 {
			moves = append(slices.Clip(moves), fmt.Sprintf("%d properties", n))
		}
		t.Row(item(i, len(r.Clips), c.Name), fmt.Sprintf("%.3f", c.Duration), columns.Int(c.Joints), columns.Int(c.Tracks),
			columns.Int(c.Keys), speed, strings.Join(moves, " "), strings.Join(c.Interpolation, ", "))
	}
	return t
}

// propertyTable lists what clips move that is no node.
func (r *inspection) propertyTable() *columns.Table {
	t := columns.New("ll")
	t.Row("moved properties", "by clip")
	for i, c := range r.Clips {
		for _, p := range c.Properties {
			t.Row(p, item(i, len(r.Clips), c.Name))
		}
	}
	return t
}

func (r *inspection) materialTable() *columns.Table {
	t := columns.New("llrrl")
	t.Row("materials", "base color", "metal", "rough", "alpha", "maps")
	for i, m := range r.Materials {
		c := m.BaseColor
		alpha := m.Alpha
		if m.DoubleSided {
			alpha += ", double-sided"
		}
		if m.Unlit {
			alpha += ", unlit"
		}
		var maps []string
		for _, u := range m.Maps {
			text := fmt.Sprintf("%s %d", u.Use, u.Image)
			if u.Image < 0 {
				text = u.Use + " missing"
			}
			maps = append(maps, text)
		}
		t.Row(item(i, len(r.Materials), m.Name), fmt.Sprintf("%.2f %.2f %.2f %.2f", c[0], c[1], c[2], c[3]),
			fmt.Sprintf("%.2f", m.Metallic), fmt.Sprintf("%.2f", m.Roughness), alpha, strings.Join(maps, ", "))
	}
	return t
}

func (r *inspection) imageTable() *columns.Table {
	t := columns.New("llrrl")
	t.Row("images", "type", "pixels", "encoded", "")
	for i, p := range r.Images {
		called := p.Name
		if p.Path != "" {
			called = p.Path
		}
		size := "–"
		if p.Width > 0 {
			size = fmt.Sprintf("%d×%d", p.Width, p.Height)
		}
		t.Row(item(i, len(r.Images), called), strings.TrimPrefix(p.MIME, "image/"), size, columns.Bytes(int64(p.Bytes)), p.Fault)
	}
	return t
}

func (r *inspection) cameraTable() *columns.Table {
	t := columns.New("lrrl")
	t.Row("cameras", "near m", "far m", "view")
	for i, c := range r.Cameras {
		far, view := "infinite", fmt.Sprintf("perspective, %.1f° high", c.YFovDegrees)
		if c.Far > 0 {
			far = fmt.Sprintf("%.4g", c.Far)
		}
		if c.Orthographic {
			view = fmt.Sprintf("orthographic, %.4g m high", 2*c.YMag)
		}
		t.Row(item(i, len(r.Cameras), c.Name), fmt.Sprintf("%.4g", c.Near), far, view)
	}
	return t
}

func (r *inspection) lightTable() *columns.Table {
	t := columns.New("llrrl")
	t.Row("lights", "kind", "intensity", "range m", "color")
	for i, l := range r.Lights {
		reach, unit := "unbounded", "cd"
		if l.Range > 0 {
			reach = fmt.Sprintf("%.4g", l.Range)
		}
		if l.Kind == "directional" {
			unit = "lx"
		}
		t.Row(item(i, len(r.Lights), l.Name), l.Kind, fmt.Sprintf("%.4g %s", l.Intensity, unit), reach,
			fmt.Sprintf("%.2f %.2f %.2f", l.Color[0], l.Color[1], l.Color[2]))
	}
	return t
}

// jointTree prints every node below its parent, with what it carries.
func (r *inspection) jointTree() *columns.Table {
	t := columns.New("l")
	t.Row("nodes", "")
	depth := make([]int, len(r.Joints))
	children := make([][]int, len(r.Joints))
	var roots []int
	for j, n := range r.Joints {
		if n.Parent < 0 {
			roots = append(roots, j)
			continue
		}
		depth[j] = depth[n.Parent] + 1
		children[n.Parent] = append(children[n.Parent], j)
	}
	// The stack holds what is still to print, the next on top: a file may be
	// deeper than calls should be.
	stack := reversed(roots)
	for len(stack) > 0 {
		j := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], reversed(children[j])...)
		// Names start no further right than this, so that lines fit a terminal.
		indent := strings.Repeat("  ", 1+min(depth[j], 30))
		called := name(r.Joints[j].Name)
		if r.Joints[j].Name == "" {
			called = fmt.Sprintf("node %d", r.Joints[j].Node)
		}
		t.Row(indent+called, r.carries(&r.Joints[j]))
	}
	return t
}

func reversed(in []int) []int {
	out := slices.Clone(in)
	slices.Reverse(out)
	return out
}

func (r *inspection) carries(n *jointRow) string {
	var out []string
	if len(n.Skins) > 0 {
		text := "joint of skin"
		for _, k := range n.Skins {
			text += fmt.Sprintf(" %d", k)
		}
		out = append(out, text)
	}
	for _, c := range []struct {
		what  string
		index int32
	}{{"mesh", n.Mesh}, {"camera", n.Camera}, {"light", n.Light}} {
		if c.index >= 0 {
			out = append(out, fmt.Sprintf("%s %d", c.what, c.index))
		}
	}
	return strings.Join(out, ", ")
}

func (r *inspection) warningTable() *columns.Table {
	t := columns.New("l")
	t.Row("warnings")
	for _, w := range r.Warnings {
		t.Row("  "+columns.Clean(w.Where, 60), columns.Clean(w.Message, 400))
	}
	return t
}
