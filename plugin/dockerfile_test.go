package plugin_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// image is one stage of the Dockerfile: what it is made from and what is in it.
type image struct {
	From       string
	Copies     map[string]string // where each file goes: what it is
	Runs       []string
	User       string
	Entrypoint []string
}

// goBuild is the only command, beside go mod download, that a stage may run.
var goBuild = regexp.MustCompile(`^go build -trimpath -buildvcs=false -ldflags "[^"]*" -o (/out/\S+) \./(cmd/\S+)$`)

func TestDockerfile(t *testing.T) {
	stages, order := readDockerfile(t)
	if diff := cmp.Diff([]string{"builder", "function", "plugin"}, order); diff != "" {
		t.Errorf("stages; the last is the default (-want +got):\n%s", diff)
	}

	built := map[string]bool{}
	for _, run := range stages["builder"].Runs {
		if run == "go mod download" {
			continue
		}
		match := goBuild.FindStringSubmatch(run)
		if match == nil {
			t.Errorf("the builder runs %q, want nothing but builds", run)
			continue
		}
		built[match[1]] = true
		if path.Base(match[1]) != path.Base(match[2]) {
			t.Errorf("%s is built into %s", match[2], match[1])
		}
		if files, _ := filepath.Glob(filepath.Join("..", match[2], "*.go")); files == nil {
			t.Errorf("the package %s is not there", match[2])
		}
	}

	for name, want := range map[string]image{
		"builder": {
			From:   "golang:1.26.8",
			Copies: map[string]string{"go.mod": "go.mod", "go.sum": "go.sum", ".": "."},
			Runs:   stages["builder"].Runs,
		},
		"function": {
			From:       "gcr.io/distroless/static-debian12:nonroot",
			Copies:     map[string]string{"/usr/local/bin/linstor-cmp-fn": "/out/linstor-cmp-fn"},
			User:       "65532:65532",
			Entrypoint: []string{"/usr/local/bin/linstor-cmp-fn"},
		},
		"plugin": {
			From: "gcr.io/distroless/static-debian12:nonroot",
			Copies: map[string]string{
				"/usr/local/bin/linstor-cmp":                 "/out/linstor-cmp",
				"/home/argocd/cmp-server/config/plugin.yaml": "plugin/plugin.yaml",
			},
			User:       "999:999",
			Entrypoint: []string{"/usr/local/bin/linstor-cmp"},
		},
	} {
		if diff := cmp.Diff(want, stages[name]); diff != "" {
			t.Errorf("stage %s (-want +got):\n%s", name, diff)
		}
		for _, source := range stages[name].Copies {
			if strings.HasPrefix(source, "/") {
				if !built[source] {
					t.Errorf("stage %s copies %s, which the builder does not build", name, source)
				}
			} else if _, err := os.Stat(filepath.Join("..", source)); err != nil {
				t.Errorf("stage %s: %v", name, err)
			}
		}
	}
}

// What argocd-cmp-server is told to run is in the image, on its search path.
func TestImageRunsThePlugin(t *testing.T) {
	stages, _ := readDockerfile(t)
	spec := readPluginYAML(t).Spec
	for _, c := range []command{spec.Generate, spec.Parameters.Dynamic} {
		if file := "/usr/local/bin/" + c.Command[0]; stages["plugin"].Copies[file] == "" {
			t.Errorf("plugin.yaml runs %s and the image has no %s", c.Command, file)
		}
	}
}

// The files that the build needs are sent to it.
func TestDockerignore(t *testing.T) {
	var patterns []string
	for line := range strings.Lines(readFile(t, "../.dockerignore")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, line)
		}
	}
	ignored := func(file string) bool {
		parts := strings.Split(file, "/")
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			anywhere, ok := strings.CutPrefix(pattern, "**/")
			if !ok {
				return matches(t, pattern, parts[0])
			}
			return slices.ContainsFunc(parts, func(part string) bool { return matches(t, anywhere, part) })
		})
	}

	sources := []string{"go.mod", "go.sum", "plugin/plugin.yaml"}
	root := os.DirFS("..")
	for _, pattern := range []string{"cmd/*/*.go", "generator/*.go", "generator/templates/*/*", "internal/*/*.go", "overlays/*.go", "plugin/*.go"} {
		files, err := fs.Glob(root, pattern)
		if err != nil || files == nil {
			t.Fatalf("no %s: %v", pattern, err)
		}
		sources = append(sources, slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })...)
	}
	for _, file := range sources {
		if ignored(file) {
			t.Errorf("%s is left out of the build", file)
		}
	}
	for _, file := range []string{".git/HEAD", "bin/linstor-cmp", "test/e2e/go.mod", "plugin/dockerfile_test.go", "plugin/testdata/argocd/argocd.yaml"} {
		if !ignored(file) {
			t.Errorf("%s is sent to the build", file)
		}
	}
}

func matches(t *testing.T, pattern, name string) bool {
	t.Helper()
	ok, err := path.Match(pattern, name)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// readDockerfile reads the stages and their order. An instruction that it does
// not know is a fault: nothing is to happen in an image that no test has seen.
func readDockerfile(t *testing.T) (stages map[string]image, order []string) {
	t.Helper()
	stages = map[string]image{}
	var name string
	for line := range strings.Lines(readFile(t, "../Dockerfile")) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		stage := stages[name]
		switch fields := strings.Fields(rest); word {
		case "FROM":
			fields = slices.DeleteFunc(fields, func(f string) bool { return f == "--platform=$BUILDPLATFORM" })
			if len(fields) != 3 || fields[1] != "AS" {
				t.Fatalf("%q is no FROM IMAGE AS STAGE", line)
			}
			name, stage = fields[2], image{From: fields[0], Copies: map[string]string{}}
			order = append(order, name)
		case "COPY":
			ofBuilder := fields[0] == "--from=builder"
			if ofBuilder {
				fields = fields[1:]
			}
			to := fields[len(fields)-1]
			for _, from := range fields[:len(fields)-1] {
				if path.IsAbs(from) != ofBuilder {
					t.Errorf("%q: what the builder built is absolute, what the repository has is not", line)
				}
				target := to
				if strings.HasSuffix(to, "/") {
					target = path.Join(to, path.Base(from))
				}
				stage.Copies[target] = from
			}
		case "RUN":
			stage.Runs = append(stage.Runs, rest)
		case "USER":
			stage.User = rest
		case "ENTRYPOINT":
			if err := json.Unmarshal([]byte(rest), &stage.Entrypoint); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		case "ENV":
			if name != "builder" || fields[0] != "CGO_ENABLED=0" {
				t.Errorf("%q: the base has no C library", line)
			}
		case "ARG", "WORKDIR":
			if name != "builder" {
				t.Errorf("stage %s: %q", name, line)
			}
		default:
			t.Fatalf("%q: unknown to this test", line)
		}
		stages[name] = stage
	}
	return stages, order
}
