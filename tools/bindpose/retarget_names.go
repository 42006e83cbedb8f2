package main

import (
	"fmt"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// isCalled tells whether a clip has a name, or has it behind its rig's and a bar.
func isCalled(c *animation.Clip, name string) bool {
	return c.Name == name || c.Name[strings.LastIndexByte(c.Name, '|')+1:] == name
}

// apart gives clips whose names others bear already their file's name as well, and a
// number where that is not enough: see writtenName.
func apart(clips, others []*animation.Clip, file string) []*animation.Clip {
	taken := map[string]bool{}
	for _, c := range others {
		taken[c.Name] = true
	}
	out := make([]*animation.Clip, len(clips))
	for i, c := range clips {
		var name string
		for k := 0; ; k++ {
			if name = writtenName(c.Name, file, k); !taken[name] && (k > 0 || c.Name != "") {
				break
			}
		}
		if name != c.Name {
			c = c.With(c.Tracks)
			c.Name = name
		}
		taken[name] = true
		out[i] = c
	}
	return out
}

// writtenName is the k-th name by which a clip may be written: its own, then with its
// file's, then numbered. A clip without a name bears its file's.
func writtenName(name, file string, k int) string {
	switch {
	case k == 0:
		return name
	case name == "" && k == 1:
		return file
	case name == "":
		name = file
		k--
	}
	if k == 1 {
		return file + "|" + name
	}
	return fmt.Sprintf("%s|%s %d", file, name, k)
}

// rename gives the clips that the table of aliases means their aliases as names.
func (o *retargeting) rename(clips []*animation.Clip) ([]*animation.Clip, error) {
	table, err := readAliases(o.aliases)
	if table == nil || err != nil {
		return clips, err
	}
	named, err := table.Clips(clips)
	if err != nil {
		return nil, aliasMistake(o.aliases, err)
	}
	meant := map[string]bool{}
	for _, name := range table {
		meant[name] = true
	}
	for _, c := range clips {
		end := c.Name[strings.LastIndexByte(c.Name, '|')+1:]
		if meant[c.Name] || meant[end] {
			continue
		}
		for _, name := range []string{c.Name, end} {
			if _, taken := table[name]; taken {
				return nil, fmt.Errorf("--aliases %s: the alias %q is the name of a clip that has none: give that one an alias too, or leave it out with --clip", o.aliases, name)
			}
		}
		named = append(named, c)
	}
	return named, nil
}

// aliasMistake leaves out that there is no map, which of aliases says nothing.
func aliasMistake(path string, err error) error {
	said := strings.TrimPrefix(err.Error(), retarget.ErrMap.Error()+": ")
	return fmt.Errorf("--aliases %s: %s", path, strings.TrimPrefix(said, "aliases: "))
}

// readAliases reads the table that --aliases names; of "" it is nil.
func readAliases(path string) (retarget.Aliases, error) {
	if path == "" {
		return nil, nil
	}
	data, err := ordinary.ReadFile(path, 1<<20)
	if err != nil {
		return nil, fmt.Errorf("--aliases %s: %s", path, cause(err))
	}
	table, err := retarget.ReadAliases(data)
	if err != nil {
		return nil, aliasMistake(path, err)
	}
	return table, nil
}
