// Command bindpose shows, profiles and checks characters. See its help, or the
// table in the README.
package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	statusGood     = 0
	statusFindings = 1 // the thing checked has findings of level error
	statusFailed   = 2 // the command could not do its work
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs one command line and returns its exit status.
func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	return report(root.Execute())
}

// report tells why a command ended and returns the exit status for it.
func report(err error) int {
	if err == nil {
		return statusGood
	}
	if findings := (findingsError{}); errors.As(err, &findings) {
		return statusFindings
	}
	say("bindpose: " + strings.TrimRight(err.Error(), "\n"))
	return statusFailed
}

// findingsError ends a command that did its work and found errors in what it
// checked. What they are has been printed.
type findingsError struct{}

func (findingsError) Error() string { return "there are findings" }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "bindpose",
		Short:         "A Vulkan character renderer that measures instead of assuming",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(suggestFlag)
	root.AddCommand(newDemo(), newView(), newInspect(), newPose(), newProfile(), newGraph(), newDoctor(), newConvert(), newRetarget(), newVerify(), newStride(), newMeasure(), newNewPass(), newShaders())
	return root
}
