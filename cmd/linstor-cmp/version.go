package main

import (
	"flag"
	"fmt"
	"runtime/debug"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// version is set by the build; without it the module's own is shown.
var version = ""

var versionCommand = command{
	name:    "version",
	short:   "print the version",
	long:    "version prints the version of the program and of the Go that built it.",
	example: "linstor-cmp version",
	setup: func(*flag.FlagSet) func(*invocation) error {
		return func(inv *invocation) error {
			v, goVersion := version, "unknown Go"
			if info, ok := debug.ReadBuildInfo(); ok {
				goVersion = info.GoVersion
				if v == "" {
					v = info.Main.Version
				}
			}
			_, err := fmt.Fprintf(inv.stdout, "linstor-cmp %s (%s)\n", v, goVersion)
			return err
		}
	},
}

var parametersCommand = command{
	name:    "parameters",
	short:   "print the plugin parameters as Argo CD's announcement",
	long:    "parameters prints the settings as the JSON array that Argo CD's dynamic parameter announcement wants.",
	example: "linstor-cmp parameters",
	setup: func(*flag.FlagSet) func(*invocation) error {
		return func(inv *invocation) error {
			_, err := inv.stdout.Write(plugin.Announce())
			return err
		}
	},
}
