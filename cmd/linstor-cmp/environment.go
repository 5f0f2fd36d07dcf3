package main

import (
	"os"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// environ is the environment of the program.
func (inv *invocation) environ() []string { return os.Environ() }

// fromFlags reports whether the flags alone have the fault, so that the usage
// is wrong and not the environment.
func (inv *invocation) fromFlags(error) bool {
	_, err := plugin.Resolve(inv.given(), nil)
	return err != nil
}
