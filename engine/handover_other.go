//go:build !unix

package engine

import "errors"

func replaceProcess(string, []string) error {
	return errors.New("this system cannot put another program in a running one's place")
}
