package doctor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/assets"
)

// Budget is the most that a file may hold, by what is counted; see ParseBudget.
type Budget map[string]int64

// counts are what can be limited.
var counts = map[string]func(assets.Footprint) int64{
	"joints":        func(f assets.Footprint) int64 { return int64(f.Joints) },
	"nodes":         func(f assets.Footprint) int64 { return int64(f.Nodes) },
	"meshes":        func(f assets.Footprint) int64 { return int64(f.Meshes) },
	"primitives":    func(f assets.Footprint) int64 { return int64(f.Primitives) },
	"vertices":      func(f assets.Footprint) int64 { return int64(f.Vertices) },
	"triangles":     func(f assets.Footprint) int64 { return int64(f.Triangles) },
	"influences":    nil, // counted as used, not as there is room for
	"materials":     func(f assets.Footprint) int64 { return int64(f.Materials) },
	"textures":      func(f assets.Footprint) int64 { return int64(f.Textures) },
	"clips":         func(f assets.Footprint) int64 { return int64(f.Clips) },
	"morphs":        func(f assets.Footprint) int64 { return int64(f.MorphTargets) },
	"bytes":         assets.Footprint.Bytes,
	"texture-bytes": func(f assets.Footprint) int64 { return f.DecodedBytes },
}

// ParseBudget reads "joints=64,triangles=20000". The error of another name lists
// what can be limited.
func ParseBudget(text string) (Budget, error) {
	b := Budget{}
	if strings.TrimSpace(text) == "" {
		return b, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if _, known := counts[name]; !known {
			var names []string
			for n := range counts {
				names = append(names, n)
			}
			slices.Sort(names)
			return nil, fmt.Errorf("budget %q: there are %s", name, strings.Join(names, ", "))
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(value, "_", ""), 10, 64)
		if !ok || err != nil || n < 0 {
			return nil, fmt.Errorf("budget %s: %q is no whole number, as in joints=64", name, value)
		}
		b[name] = n
	}
	return b, nil
}

func (x *examination) budgets(b Budget) {
	if len(b) == 0 {
		return
	}
	f := x.m.Footprint()
	var names []string
	for name := range b {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		have := int64(0)
		if name == "influences" {
			have = int64(x.influences())
		} else {
			have = counts[name](f)
		}
		if have > b[name] {
			x.find("budget-"+name, Error, "", "", Figures{"have": have, "budget": b[name]}, "%d %s, and the budget is %d", have, name, b[name])
		}
	}
}

// influences is the most that any vertex uses.
func (x *examination) influences() (most int) {
	for i := range x.m.Meshes {
		for k := range x.m.Meshes[i].Primitives {
			p := &x.m.Meshes[i].Primitives[k]
			for v := range p.Positions {
				used := 0
				for s := range p.Weights {
					for _, w := range p.Weights[s][v] {
						if w != 0 {
							used++
						}
					}
				}
				most = max(most, used)
			}
		}
	}
	return most
}
