package linstorcmp_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/linstor-cmp/linstor-cmp/"

// TestImports holds the house to its plan: imports go one way, from the doors
// to the core; the core calls no client, starts no program and reads no file of
// its own accord; and client-go is in one package.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	pure := []string{"generator", "overlays/patch", "internal/api", "internal/manifest", "internal/problem"}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath    string
			Imports, Deps []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, i := range p.Imports {
			outward := slices.Contains([]string{"os", "os/exec", "net", "net/http", "time", "math/rand/v2"}, i)
			if slices.Contains(pure, name) && outward && !(name == "internal/api" && i == "time") { // it parses durations
				t.Errorf("%s imports %s, and it is pure", name, i)
			}
			if strings.HasPrefix(i, "k8s.io/client-go/") && name != "internal/nodes/kube" {
				t.Errorf("%s imports %s, which is for internal/nodes/kube alone", name, i)
			}
			if core := name == "generator" || strings.HasPrefix(name, "overlays"); core && (strings.HasPrefix(i, module+"plugin") || strings.HasPrefix(i, module+"cmd")) {
				t.Errorf("%s imports %s: the core does not know its doors", name, i)
			}
			if strings.HasPrefix(name, "internal/") && name != "internal/generate" && strings.HasPrefix(i, module) && !strings.HasPrefix(i, module+"internal/") {
				t.Errorf("%s imports %s: imports go the other way", name, i)
			}
		}
		if name == "generator" || strings.HasPrefix(name, "overlays") {
			seen++
			if d := slices.IndexFunc(p.Deps, func(d string) bool { return strings.HasPrefix(d, "k8s.io/client-go/") }); d >= 0 {
				t.Errorf("%s reaches %s", name, p.Deps[d])
			}
		}
	}
	if seen < 3 {
		t.Errorf("only %d packages of the core seen", seen)
	}
}
