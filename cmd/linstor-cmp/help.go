package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

func help(args []string, stdout, stderr io.Writer) int {
	if len(args) > 1 {
		for _, c := range commands() {
			if c.name == args[1] {
				fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
				c.setup(fs)
				c.help(stdout, fs)
				return exitDone
			}
		}
		tell(stderr, problem.Problem{Message: fmt.Sprintf("there is no command %q", args[1]), Hint: "`linstor-cmp help` lists the commands"})
		return exitUsage
	}
	var b strings.Builder
	b.WriteString("linstor-cmp renders LINSTOR storage for Kubernetes from a folder in git and the nodes of a cluster.\n\nUsage: linstor-cmp COMMAND [PATH] [flags]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-11s %s\n", c.name, c.short)
	}
	b.WriteString("\nExample:\n  linstor-cmp generate examples/node-groups/app --nodes examples/node-groups/app/nodes.yaml\n\n`linstor-cmp help COMMAND` tells more of one.\n")
	if len(args) == 0 {
		_, _ = io.WriteString(stderr, b.String())
		return exitUsage
	}
	_, _ = io.WriteString(stdout, b.String())
	return exitDone
}

func (c command) help(w io.Writer, fs *flag.FlagSet) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage: linstor-cmp %s%s\n", c.long, c.name, c.args)
	first := true
	fs.VisitAll(func(f *flag.Flag) {
		if first {
			b.WriteString("\nFlags:\n")
			first = false
		}
		fmt.Fprintf(&b, "  --%-12s %s\n", f.Name, f.Usage)
	})
	fmt.Fprintf(&b, "\nExample:\n  %s\n", c.example)
	_, _ = io.WriteString(w, b.String())
}
