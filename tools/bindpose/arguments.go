package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// files checks how many files a command is given; most below 0 is any number.
func files(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s needs a FILE; see %s --help", c.Name(), c.CommandPath())
		case most == 1 && len(args) > most:
			return fmt.Errorf("%s takes one FILE, and does not know what to do with %q; see %s --help", c.Name(), args[most], c.CommandPath())
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%s does not know what to do with %q; see %s --help", c.Name(), args[most], c.CommandPath())
		}
		return nil
	}
}
