package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// The exit codes.
const (
	exitDone  = 0
	exitFault = 1 // the input or the cluster is at fault
	exitUsage = 2
)

// command is one subcommand. It gets a flag set to add to and returns what to
// do once the flags are parsed.
type command struct {
	name, args, short, long, example string
	setup                            func(*flag.FlagSet) func(*invocation) error
}

// invocation is one call of a command.
type invocation struct {
	ctx            context.Context
	flags          *flag.FlagSet
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	waiting        *progress
	underArgoCD    bool
}

func commands() []command {
	return []command{generateCommand, nodesCommand, convertCommand, parametersCommand, versionCommand}
}

// errUsage marks an error as wrong usage.
type errUsage struct{ error }

// run is the program. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		return help(args, stdout, stderr)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.call(ctx, args[1:], stdin, stdout, stderr)
		}
	}
	tell(stderr, problem.Problem{Message: fmt.Sprintf("there is no command %q", args[0]), Hint: "`linstor-cmp help` lists the commands"})
	return exitUsage
}

func (c command) call(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	do := c.setup(fs)
	positional, err := parse(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.help(stdout, fs)
		return exitDone
	case err != nil:
		tell(stderr, problem.Problem{Message: err.Error(), Hint: fmt.Sprintf("`linstor-cmp %s --help` shows the flags", c.name)})
		return exitUsage
	case len(positional) > 0 && c.args == "" || len(positional) > 1:
		tell(stderr, problem.Problem{Message: fmt.Sprintf("too many arguments: %s", strings.Join(positional, " ")), Hint: fmt.Sprintf("`linstor-cmp %s --help` shows the usage", c.name)})
		return exitUsage
	}
	inv := &invocation{ctx: ctx, flags: fs, args: positional, stdin: stdin, stdout: stdout, stderr: stderr, waiting: newProgress(stderr), underArgoCD: os.Getenv("ARGOCD_APP_NAME") != ""}
	err = do(inv)
	inv.waiting.stop()
	var usage errUsage
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		tell(stderr, asList(usage.error)...)
		return exitUsage
	}
	plugin.Report(stderr, asList(err), inv.underArgoCD)
	return exitFault
}

// parse parses flags before, between and after the arguments.
func parse(fs *flag.FlagSet, args []string) (positional []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		rest := fs.Args()
		if len(rest) == 0 {
			return positional, nil
		}
		if consumed := len(args) - len(rest); consumed > 0 && args[consumed-1] == "--" {
			return append(positional, rest...), nil
		}
		positional, args = append(positional, rest[0]), rest[1:]
	}
}

func asList(err error) problem.List {
	var list problem.List
	list.Merge(err)
	return list
}

func tell(stderr io.Writer, list ...problem.Problem) { plugin.Report(stderr, list, false) }

// given returns the flags that were set, those of the table of settings only.
func (inv *invocation) given() map[string]string {
	set := map[string]string{}
	inv.flags.Visit(func(f *flag.Flag) {
		if f.Name != "output" {
			set[f.Name] = f.Value.String()
		}
	})
	return set
}

// path is the application path.
func (inv *invocation) path() string {
	if len(inv.args) > 0 {
		return inv.args[0]
	}
	return "."
}
