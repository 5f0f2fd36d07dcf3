package linstorcmp_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// transcript is a fenced block of a page that shows commands and what they print.
var transcript = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// TestTranscripts runs the commands of every transcript and compares what they print.
func TestTranscripts(t *testing.T) {
	pages := append(files(t, "examples", "README.md"), "README.md")
	pages = append(pages, files(t, "docs", "*.md")...)
	var bin string
	found := 0
	for _, page := range pages {
		text := read(t, page)
		renewed := transcript.ReplaceAllStringFunc(text, func(block string) string {
			if found++; bin == "" {
				bin = build(t)
			}
			return "```console\n" + replay(t, page, bin, transcript.FindStringSubmatch(block)[1]) + "```"
		})
		if *update && renewed != text {
			if err := os.WriteFile(page, []byte(renewed), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(text, renewed); diff != "" {
			t.Errorf("%s (-shown +printed); `go test . -update` rewrites it:\n%s", page, diff)
		}
	}
	if found == 0 {
		t.Error("no transcript found")
	}
}

// build builds the program into a folder of its own, which it returns.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "linstor-cmp"), "./cmd/linstor-cmp").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

// replay runs the commands of a transcript at the root of the module, without the
// settings of whoever runs the test, and returns the transcript as it went.
func replay(t *testing.T, page, bin, shown string) string {
	t.Helper()
	env := []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + bin, "LC_ALL=C"}
	var now strings.Builder
	for line := range strings.Lines(shown) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if failed := bytes.Contains(out, []byte("error: ")); failed != (err != nil) {
			t.Errorf("%s: %s: %v, and it prints\n%s", page, strings.TrimSpace(command), err, out)
		}
		now.WriteString(line)
		now.Write(out)
	}
	return now.String()
}

// link is a link of a page to a file of the repository.
var link = regexp.MustCompile(`\]\(([^):#\s]+)(?:#[^)]*)?\)`)

// TestLinks follows the links between the pages.
func TestLinks(t *testing.T) {
	pages := append(files(t, "examples", "*.md"), "README.md")
	for _, page := range append(pages, files(t, "docs", "*.md")...) {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
}

// TestInputReference asks that the reference pages name every field that an
// input has.
func TestInputReference(t *testing.T) {
	page := read(t, "docs/reference/input.md") + read(t, "docs/reference/patches.md")
	own := reflect.TypeFor[api.LinstorCluster]().PkgPath()
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type, path string)
	walk = func(typ reflect.Type, path string) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
			typ = typ.Elem()
		}
		if typ.PkgPath() != own || seen[typ] {
			return // Kubernetes' own types have their own reference
		}
		seen[typ] = true
		for name, f := range manifest.Fields(typ) {
			if !strings.Contains(page, "`"+name+"`") {
				t.Errorf("docs/reference does not name %s.%s", path, name)
			}
			walk(f.Type, path+"."+name)
		}
	}
	for _, kind := range []any{
		api.LinstorCluster{},
		api.LinstorSatelliteConfiguration{},
		api.LinstorNodeConfiguration{},
		api.LinstorNodeConnection{},
		api.LinstorImageConfiguration{},
	} {
		typ := reflect.TypeOf(kind)
		walk(typ, typ.Name())
	}
}

// requirement is a direct requirement of go.mod.
var requirement = regexp.MustCompile(`(?m)^\t(\S+) v\S+$`)

// TestDependenciesAreDecided asks that a page says why for each requirement.
func TestDependenciesAreDecided(t *testing.T) {
	page := read(t, "docs/decisions/0010-dependencies.md")
	for _, m := range requirement.FindAllStringSubmatch(read(t, "go.mod"), -1) {
		if !strings.Contains(page, "`"+m[1]+"`") {
			t.Errorf("docs/decisions/0010-dependencies.md does not say why go.mod requires %s", m[1])
		}
	}
}
