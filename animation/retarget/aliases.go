package retarget

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

// Aliases say which clip of a library a name means: a state machine's states say
// idle or walk, and one table for each library says which of its clips that is.
type Aliases map[string]string

// ReadAliases reads a JSON object of strings: {"idle": "Idle_A", "walk": "Walking_A"}.
// Errors wrap ErrMap, and name the alias.
func ReadAliases(data []byte) (Aliases, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	t, err := dec.Token()
	if err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("%w: a table of aliases is an object of names: {\"idle\": \"Idle_A\"}", ErrMap)
	}
	out := Aliases{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("%w: aliases: %v", ErrMap, err)
		}
		name, _ := key.(string)
		var clip string
		if err := dec.Decode(&clip); err != nil {
			return nil, fmt.Errorf("%w: alias %q is to be a clip's name in quotes: %s", ErrMap, name, strings.TrimPrefix(err.Error(), "json: "))
		}
		if _, twice := out[name]; twice || name == "" || clip == "" {
			return nil, fmt.Errorf("%w: alias %q is there twice, or one of the names is empty", ErrMap, name)
		}
		out[name] = clip
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("%w: aliases: %v", ErrMap, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("%w: more follows behind the table of aliases", ErrMap)
	}
	return out, nil
}

// Clips are the clips that the aliases mean, under the aliases' names, sorted by
// them; tracks are shared. Of a clip such as "Rig|Walk" the part after the bar will
// do. The error lists every alias whose clip is not there.
func (a Aliases) Clips(library []*animation.Clip) ([]*animation.Clip, error) {
	names := make([]string, len(library))
	for i, c := range library {
		names[i] = c.Name
	}
	var out []*animation.Clip
	var missing []string
	for alias, name := range a {
		i := slices.Index(names, name)
		if i < 0 {
			i = slices.IndexFunc(names, func(n string) bool { return n[strings.LastIndexByte(n, '|')+1:] == name })
		}
		if i < 0 {
			missing = append(missing, fmt.Sprintf("%s: there is no clip %q%s", alias, name, near(name, names)))
			continue
		}
		c := library[i].With(library[i].Tracks)
		c.Name = alias
		out = append(out, c)
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return nil, fmt.Errorf("%w: aliases: %s", ErrMap, strings.Join(missing, "; "))
	}
	slices.SortFunc(out, func(a, b *animation.Clip) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
