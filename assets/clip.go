package assets

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

// Clip returns the clip that a person asked for: by its name, else by its index,
// and nil without an error for "none", the rest pose. Of a name such as
// "Armature|Walk" the part after the last bar will do where no other clip ends
// so. The error of another lists what there is.
func (m *Model) Clip(name string) (*animation.Clip, error) {
	for _, c := range m.Clips {
		if c.Name == name {
			return c, nil
		}
	}
	if name == "none" {
		return nil, nil
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(m.Clips) {
		return m.Clips[i], nil
	}
	var found *animation.Clip
	same := 0
	for _, c := range m.Clips {
		if strings.HasSuffix(c.Name, "|"+name) {
			found = c
			same++
		}
	}
	if same == 1 {
		return found, nil
	}
	names := make([]string, len(m.Clips))
	for i, c := range m.Clips {
		names[i] = fmt.Sprintf("%d %q", i, c.Name)
	}
	if len(names) == 0 {
		names = []string{"none at all"}
	}
	return nil, fmt.Errorf("%s: %w %q: there are %s", m.Path, animation.ErrNoClip, name, strings.Join(names, ", "))
}
