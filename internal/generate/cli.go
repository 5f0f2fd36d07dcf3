package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
)

const (
	// program is the command line, and the plugin's name.
	program = "linstor-cmp"
	// function is the KRM function. It has no subcommands.
	function = "linstor-cmp-fn"
)

const cliIntro = "\n# The command line\n\n" +
	"`linstor-cmp` is for people and for Argo CD, `linstor-cmp-fn` for kustomize and kpt.\n\n" +
	"The manifests go to stdout, all of them or, when the run fails, nothing. What there is to say goes to stderr, in lines that begin with `error: `, `warning: ` or `hint: `.\n\n" +
	"| Exit code | Meaning |\n|---|---|\n" +
	"| 0 | done |\n" +
	"| 1 | the input or the cluster is at fault |\n" +
	"| 2 | wrong usage |\n\n" +
	"What the settings mean, and how to give them as parameters and variables: [Settings](parameters.md).\n"

// subcommand matches a line of the overview that names a subcommand.
var subcommand = regexp.MustCompile(`(?m)^  ([a-z][a-z-]*) {2,}\S`)

// cliPage is the reference page of the command line, made of what the commands
// in folder bin answer.
func cliPage(bin string) ([]byte, error) {
	overview, err := ask(bin, program, "--help")
	if err != nil {
		return nil, err
	}
	commands := subcommand.FindAllSubmatch(overview, -1)
	if len(commands) == 0 {
		return nil, fmt.Errorf("`%s --help` lists no commands", program)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, notice, "the help texts in cmd")
	b.WriteString(cliIntro)
	section(&b, program, overview)
	for _, c := range commands {
		name := string(c[1])
		help, err := ask(bin, program, name, "--help")
		if err != nil {
			return nil, err
		}
		section(&b, program+" "+name, help)
	}
	help, err := ask(bin, function, "--help")
	if err != nil {
		return nil, err
	}
	section(&b, function, help)
	return b.Bytes(), nil
}

func section(b *bytes.Buffer, title string, help []byte) {
	fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n```\n", title, bytes.TrimSpace(help))
}

// ask runs a command for its help, with an environment that says nothing.
func ask(bin, name string, args ...string) ([]byte, error) {
	path, err := filepath.Abs(filepath.Join(bin, name))
	if err != nil {
		return nil, fmt.Errorf("cannot find %s: %w", name, err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = []string{}
	help, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", name, args, err)
	}
	return help, nil
}
