package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// The test binary is the commands whose help the page shows, when it is called
// by their names.
func TestMain(m *testing.M) {
	name := filepath.Base(os.Args[0])
	if name != program && name != function {
		os.Exit(m.Run())
	}
	switch strings.Join(append([]string{name}, os.Args[1:]...), " ") {
	case "linstor-cmp-fn --help":
		fmt.Print("Is run by others.\n\n")
	case "linstor-cmp --help":
		fmt.Print("Renders.\n\nUsage: linstor-cmp COMMAND\n\n  first       does one thing\n  second      does another\n\nExample:\n  linstor-cmp first\n")
	case "linstor-cmp first --help", "linstor-cmp second --help":
		fmt.Printf("%s, of %d variables\n\nFlags:\n  --some  flag\n", os.Args[1], len(os.Environ()))
	default:
		fmt.Fprintln(os.Stderr, "error: no such command")
		os.Exit(2)
	}
	os.Exit(0)
}

// fake returns a folder that holds the commands.
func fake(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{program, function} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCLIPage(t *testing.T) {
	got, err := cliPage(fake(t))
	if err != nil {
		t.Fatal(err)
	}
	_, sections, _ := strings.Cut(string(got), "\n## ")
	const want = "linstor-cmp\n\n```text\nRenders.\n\nUsage: linstor-cmp COMMAND\n\n  first       does one thing\n  second      does another\n\nExample:\n  linstor-cmp first\n```\n" +
		"\n## linstor-cmp first\n\n```text\nfirst, of 0 variables\n\nFlags:\n  --some  flag\n```\n" +
		"\n## linstor-cmp second\n\n```text\nsecond, of 0 variables\n\nFlags:\n  --some  flag\n```\n" +
		"\n## linstor-cmp-fn\n\n```text\nIs run by others.\n```\n"
	if diff := cmp.Diff(want, sections); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNothingIsWrittenWithoutTheCommands(t *testing.T) {
	out := t.TempDir()
	if err := run(filepath.Join(out, "no-bin"), out); err == nil || !strings.Contains(err.Error(), program) {
		t.Errorf("error %v, want one that names %s", err, program)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) > 0 {
		t.Errorf("files are written: %v, %v", entries, err)
	}
}

func TestRunWritesAll(t *testing.T) {
	out := t.TempDir()
	if err := run(fake(t), out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pluginFile, parametersFile, cliFile} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(text[:min(len(text), 100)]), "Made by `make generate`") {
			t.Errorf("%s does not say that it is generated", name)
		}
	}
}

// The page of the command line needs the built program, so `make lint` looks
// after that one.
func TestFresh(t *testing.T) {
	yaml, err := pluginYAML()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{pluginFile: yaml, parametersFile: parametersPage()} {
		got, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is stale: run `make generate` (-table +file):\n%s", name, diff)
		}
	}
}

func TestParametersPage(t *testing.T) {
	page := string(parametersPage())
	for _, p := range plugin.Parameters {
		row := "| `" + p.Name + "` | `" + p.EnvName() + "` | "
		if n := strings.Count(page, row); n != 1 {
			t.Errorf("%d rows begin with %q, want 1", n, row)
		}
		for _, v := range p.Values {
			if !strings.Contains(page, "`"+v+"`") {
				t.Errorf("the value %s of %s is not there", v, p.Name)
			}
		}
	}
}

func TestCell(t *testing.T) {
	if got, want := cell("a|b\nc"), `a\|b c`; got != want {
		t.Errorf("cell is %q, want %q", got, want)
	}
}
