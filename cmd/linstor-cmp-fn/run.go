package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// The exit codes.
const (
	exitDone  = 0
	exitFault = 1 // the input or the cluster is at fault
	exitUsage = 2
)

const usage = `linstor-cmp-fn is a KRM function: it reads a ResourceList on stdin, takes no
arguments, and writes a ResourceList to stdout. kustomize and kpt run it.

In a kustomization, name a LinstorCluster (or a linstor-cmp.io/v1alpha1
GeneratorConfig) under generators, with this annotation in its metadata:

  config.kubernetes.io/function: |
    exec:
      path: linstor-cmp-fn

Example:
  kustomize build --enable-alpha-plugins --enable-exec examples/kustomize-function
`

// run is the program. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		return help(args, stdout, stderr)
	}
	underArgoCD := os.Getenv("ARGOCD_APP_NAME") != ""
	list, err := readList(stdin, maxInput)
	if err != nil {
		plugin.Report(stderr, asList(err), underArgoCD)
		return exitFault
	}
	in := &input{list: list}
	out, err := in.render(ctx)
	told := asList(err)
	if err == nil {
		told = out.notes
	}
	told, results := in.explain(told)
	if err == nil {
		if err = out.write(stdout, list, results); err == nil {
			plugin.Report(stderr, told, underArgoCD)
			return exitDone
		}
		told = asList(err)
	} else if failed := list.writeFailed(stdout, results); failed != nil {
		told.Merge(failed)
	}
	plugin.Report(stderr, told, underArgoCD)
	return exitFault
}

func help(args []string, stdout, stderr io.Writer) int {
	switch args[0] {
	case "help", "-h", "-help", "--help":
		_, _ = io.WriteString(stdout, usage)
		return exitDone
	}
	plugin.Report(stderr, problem.List{{
		Message: fmt.Sprintf("a KRM function takes no arguments, and this one was given %q", args),
		Hint:    "`linstor-cmp-fn --help` says how it is run; `linstor-cmp generate` is the command line",
	}}, false)
	return exitUsage
}

// render reads what the ResourceList and the files below the folder say, and
// generates.
func (in *input) render(ctx context.Context) (*output, error) {
	if err := in.sort(); err != nil {
		return nil, err
	}
	options, err := in.options(os.Environ())
	if err != nil {
		return nil, err
	}
	var faults problem.List
	said, err := in.load()
	faults = append(faults, in.located(err)...)
	nodes, err := in.nodeList(ctx, options)
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	generated, err := generator.Generate(said, nodes, options.Settings)
	if err != nil {
		return nil, in.located(err)
	}
	return in.place(generated, append(in.notes, in.located(generated.Notes)...))
}

func asList(err error) problem.List {
	var list problem.List
	list.Merge(err)
	return list
}
