package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/convert"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// maxConverted bounds the file to convert, in bytes: a release of Helm and an
// object of Kubernetes are smaller.
const maxConverted = 4 << 20

var convertCommand = command{
	name: "convert", args: " FILE",
	short: "turn values or resources of Piraeus Operator v1 into an application path",
	long: "convert reads the Helm values of Piraeus Operator v1 (what `helm get values RELEASE --all` prints) or its LinstorController, LinstorSatelliteSets and LinstorCSIDriver from FILE (- is standard input), " +
		"and writes a LinstorCluster and an overlay for each set of satellites: to stdout as one YAML stream, or as files into a new folder. Every key that has no counterpart is a warning that says why and what to do by hand.",
	example: "helm get values piraeus-op --all | linstor-cmp convert - --output clusters/prod",
	setup: func(fs *flag.FlagSet) func(*invocation) error {
		output := fs.String("output", "", "folder to write the files into; it must be empty, or not be there yet (default: one stream on stdout)")
		return func(inv *invocation) error { return runConvert(inv, *output) }
	},
}

func runConvert(inv *invocation, output string) error {
	if len(inv.args) == 0 {
		return errUsage{problem.Problem{Message: "convert needs a file", Hint: "linstor-cmp convert values.yaml; - is standard input"}}
	}
	if output != "" { // before the work, and before anything is told of its outcome
		if err := checkEmpty(output); err != nil {
			return err
		}
	}
	name, data, err := inv.readInput(inv.args[0])
	if err != nil {
		return err
	}
	docs, err := manifest.ReadDocuments(name, data)
	if err != nil {
		return err
	}
	result, err := convert.Convert(docs)
	if err != nil {
		return err
	}
	if output != "" {
		err = writeFolder(output, result.Files)
	} else if _, err = inv.stdout.Write(result.Stream()); err != nil {
		err = fmt.Errorf("cannot write to stdout: %w", err)
	}
	if err == nil {
		tellMissing(inv.stderr, result)
	}
	return err
}

// readInput reads a file, or standard input, up to its bound.
func (inv *invocation) readInput(file string) (name string, data []byte, err error) {
	in := inv.stdin
	if name = filepath.ToSlash(file); file == "-" {
		name = "stdin"
	} else {
		f, err := os.Open(file)
		if err != nil {
			return "", nil, problem.Problem{Message: fmt.Sprintf("cannot read the file to convert: %v", err)}
		}
		defer func() { _ = f.Close() }() // only read from
		in = f
	}
	data, err = io.ReadAll(io.LimitReader(in, maxConverted+1))
	switch {
	case err != nil:
		return "", nil, problem.Problem{Place: problem.Place{File: name}, Message: fmt.Sprintf("cannot read: %v", err)}
	case len(data) > maxConverted:
		return "", nil, problem.Problem{Place: problem.Place{File: name}, Message: fmt.Sprintf("the file has more than %d MiB", maxConverted>>20)}
	}
	return name, data, nil
}

// checkEmpty refuses a folder in which there is anything.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return problem.Problem{Message: fmt.Sprintf("cannot write to --output: %v", err), Hint: "give a folder that is empty, or that is not there yet"}
	case len(entries) > 0:
		return problem.Problem{Message: fmt.Sprintf("--output %s is not empty: %s is in it", dir, entries[0].Name()), Hint: "nothing is overwritten; give a folder that is empty, or that is not there yet"}
	}
	return nil
}

// writeFolder writes files below dir and never over one that is there.
func writeFolder(dir string, files []convert.File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot make the folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("cannot write to %s: %w", dir, err)
	}
	defer func() { _ = root.Close() }() // its files are closed
	for _, f := range files {
		if err := root.MkdirAll(path.Dir(f.Name), 0o755); err != nil {
			return fmt.Errorf("cannot make a folder: %w", err)
		}
		if err := writeNew(root, f); err != nil {
			return fmt.Errorf("cannot write to %s: %w", dir, err)
		}
	}
	return nil
}

func writeNew(root *os.Root, f convert.File) error {
	file, err := root.OpenFile(f.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(f.Data)
	return errors.Join(err, file.Close())
}

// tellMissing writes one warning for every key that has no counterpart, however
// many there are, and a hint once below those that share it; then the notes.
func tellMissing(stderr io.Writer, result *convert.Result) {
	var list problem.List
	for _, m := range result.Missing {
		list = append(list, m.Problem())
	}
	list = append(list, result.Notes...)
	var b strings.Builder
	for i, p := range list {
		if i+1 < len(list) && list[i+1].Hint == p.Hint {
			p.Hint = "" // the next one says it
		}
		for _, line := range p.Lines() {
			b.WriteString(line + "\n")
		}
	}
	_, _ = io.WriteString(stderr, b.String()) // nobody is left to tell
}
