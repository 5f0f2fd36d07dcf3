package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

var nodesCommand = command{
	name: "nodes", args: " [PATH]",
	short:   "show which nodes get a satellite, and why, and what each gets",
	long:    "nodes shows a table: each node, whether it gets a satellite or why not, its operating system, the image of its loader, and the overlays that are for it, in the order in which they apply.",
	example: "linstor-cmp nodes examples/node-groups/app",
	setup: func(fs *flag.FlagSet) func(*invocation) error {
		addSettings(fs)
		return nodeTable
	},
}

func nodeTable(inv *invocation) error {
	options, in, list, err := inv.read()
	if err != nil {
		return err
	}
	options.AllowEmpty = true
	result, err := generator.Generate(in, list, options.Settings)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(inv.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NODE\tSATELLITE\tOS\tLOADER IMAGE\tOVERLAYS")
	for _, row := range result.Table(in, list) {
		satellite, image, overlays := "yes", row.LoaderImage, strings.Join(row.Overlays, ", ")
		switch {
		case row.WhyNot != "":
			satellite, image, overlays = "no: "+row.WhyNot, "-", "-"
		case image == "":
			image = "none"
		}
		if overlays == "" {
			overlays = "-"
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", row.Node, clean(satellite), clean(row.OSImage), clean(image), overlays)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("cannot write to stdout: %w", err)
	}
	plugin.Report(inv.stderr, result.Notes, inv.underArgoCD)
	return nil
}

// clean shows control characters in a text of a node for what they are.
func clean(s string) string {
	if q := strconv.Quote(s); q != `"`+s+`"` {
		return q
	}
	return s
}
