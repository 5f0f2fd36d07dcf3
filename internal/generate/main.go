// Command generate writes the files of this repository that are made of the
// program itself, so that they cannot say anything else: plugin/plugin.yaml and
// docs/reference/parameters.md from the table plugin.Parameters, and
// docs/reference/cli.md from what the built commands answer to --help.
//
// `make generate` runs it. It renders no manifests: package generator does.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// The generated files, below the folder -out.
const (
	pluginFile     = "plugin/plugin.yaml"
	parametersFile = "docs/reference/parameters.md"
	cliFile        = "docs/reference/cli.md"
)

func main() {
	bin := flag.String("bin", "bin", "folder of the built commands")
	out := flag.String("out", ".", "folder to write below")
	flag.Parse()
	if err := run(*bin, *out); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// run writes all files or, when one cannot be made, none.
func run(bin, out string) error {
	files := map[string][]byte{parametersFile: parametersPage()}
	var err error
	if files[pluginFile], err = pluginYAML(); err != nil {
		return err
	}
	if files[cliFile], err = cliPage(bin); err != nil {
		return err
	}
	for name, text := range files {
		file := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("cannot make the folder of %s: %w", name, err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
	}
	return nil
}
