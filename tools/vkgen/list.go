package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// list is what list.txt names.
type list struct {
	commands   []string // sorted, so that the order of the file does not matter
	types      []string
	extensions []string
	strings    []string // enums that get a String method
	private    []string // commands whose Go function is unexported
}

func readList(path string) (*list, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l := new(list)
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case len(words) == 2 && words[0] == "string":
			l.strings = append(l.strings, words[1])
		case len(words) == 2 && words[0] == "private":
			l.private = append(l.private, words[1])
			l.commands = append(l.commands, words[1])
		case len(words) == 1 && strings.HasPrefix(words[0], "vk"):
			l.commands = append(l.commands, words[0])
		case len(words) == 1 && strings.HasPrefix(words[0], "VK_"):
			l.extensions = append(l.extensions, words[0])
		case len(words) == 1 && strings.HasPrefix(words[0], "Vk"):
			l.types = append(l.types, words[0])
		default:
			return nil, fmt.Errorf("%s:%d: %q is neither a command, a type nor an extension", path, i+1, line)
		}
	}
	for _, names := range []*[]string{&l.commands, &l.types, &l.extensions, &l.strings, &l.private} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return l, nil
}
