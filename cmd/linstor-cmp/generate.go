package main

import (
	"bufio"
	"flag"
	"fmt"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

var generateCommand = command{
	name: "generate", args: " [PATH]",
	short:   "write the Kubernetes objects of an installation to stdout",
	long:    "generate reads the application path PATH (default .) and the nodes, and writes the stream of Kubernetes objects to stdout: all of it, or nothing.",
	example: "linstor-cmp generate clusters/prod --kubeconfig ~/.kube/config",
	setup: func(fs *flag.FlagSet) func(*invocation) error {
		output := fs.String("output", "", "yaml or json (one compact object a line); default yaml, and json under Argo CD")
		addSettings(fs)
		return func(inv *invocation) error { return generate(inv, *output) }
	},
}

// settingFlag is a setting of the table as a flag.
type settingFlag struct {
	value string
	bool  bool
}

func (f *settingFlag) String() string     { return f.value }
func (f *settingFlag) Set(v string) error { f.value = v; return nil }
func (f *settingFlag) IsBoolFlag() bool   { return f.bool }

func addSettings(fs *flag.FlagSet) {
	for _, p := range plugin.Parameters {
		fs.Var(&settingFlag{bool: p.Bool}, p.Name, fmt.Sprintf("%s (default: %s)", p.Help, p.Default))
	}
}

func generate(inv *invocation, output string) error {
	format := manifest.YAML
	switch {
	case output == "json" || output == "" && inv.underArgoCD:
		format = manifest.JSON
	case output != "" && output != "yaml":
		return errUsage{problem.Problem{Message: fmt.Sprintf("--output is %q", output), Hint: "use yaml or json"}}
	}
	options, in, list, err := inv.read()
	if err != nil {
		return err
	}
	result, err := generator.Generate(in, list, options.Settings)
	if err != nil {
		return err
	}
	plugin.Report(inv.stderr, result.Notes, inv.underArgoCD)
	out := bufio.NewWriterSize(inv.stdout, 1<<16)
	if _, err = result.WriteTo(out, format); err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("cannot write to stdout: %w", err)
	}
	return nil
}

// read resolves the settings and reads the application path and the nodes.
// Faults of both come together.
func (inv *invocation) read() (plugin.Options, *overlays.Input, []nodes.Node, error) {
	options, err := plugin.Resolve(inv.given(), inv.environ())
	if err != nil {
		if inv.fromFlags(err) {
			err = errUsage{err}
		}
		return options, nil, nil, err
	}
	var faults problem.List
	inv.waiting.waitingFor("the files of " + inv.path())
	in, err := overlays.Load(inv.path())
	faults.Merge(err)
	list, err := options.NodeList(inv.ctx, inv.path(), inv.stdin, inv.waiting.waitingFor)
	faults.Merge(err)
	return options, in, list, faults.Err()
}
