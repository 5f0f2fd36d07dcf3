package e2e

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// functionExamples holds the examples that kustomize builds, with our function.
const functionExamples = "kustomize-function"

// Examples copies the examples of the main module to a new folder, which is then
// a repository as people have it in git, and returns it with the application
// paths in it: the folder app beside each want.yaml, or else the folder that the
// want.yaml is in.
func Examples(t testing.TB) (root string, apps []string) {
	t.Helper()
	root = copyExamples(t)
	for _, folder := range wanted(t, root) {
		if folder == functionExamples || strings.HasPrefix(folder, functionExamples+"/") {
			continue
		}
		app := folder
		if info, err := os.Stat(filepath.Join(root, folder, "app")); err == nil && info.IsDir() {
			app = folder + "/app"
		}
		apps = append(apps, app)
	}
	if len(apps) == 0 {
		t.Fatal("no example has a want.yaml")
	}
	return root, apps
}

// FunctionExamples copies the examples as Examples does, and returns the folders
// that kustomize builds, with our function in it.
func FunctionExamples(t testing.TB) (root string, folders []string) {
	t.Helper()
	root = copyExamples(t)
	for _, folder := range wanted(t, filepath.Join(root, functionExamples)) {
		folders = append(folders, filepath.ToSlash(filepath.Join(functionExamples, folder)))
	}
	if len(folders) == 0 {
		t.Fatalf("no folder of examples/%s has a want.yaml", functionExamples)
	}
	return root, folders
}

func copyExamples(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	copyTree(t, filepath.Join(Root(t), "examples"), root)
	return root
}

// wanted returns the folders below root that have a want.yaml.
func wanted(t testing.TB, root string) []string {
	t.Helper()
	var folders []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "want.yaml" {
			folders = append(folders, filepath.ToSlash(filepath.Dir(path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// Case is a case folder of the command's own tests.
type Case struct {
	Name, Folder string
	// Args and Env are what the case adds to the command line.
	Args []string
	Env  []string
}

// RenderedCases returns the cases that end with exit code 0.
func RenderedCases(t testing.TB) []Case {
	t.Helper()
	dir := filepath.Join(Root(t), "cmd", "linstor-cmp", "testdata", "cases")
	files, err := filepath.Glob(filepath.Join(dir, "*", "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var expect struct {
			Args []string          `json:"args"`
			Env  map[string]string `json:"env"`
			Exit int               `json:"exit"`
		}
		if err := json.Unmarshal(text, &expect); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if expect.Exit != 0 {
			continue
		}
		found := Case{Folder: filepath.Dir(file), Args: expect.Args}
		found.Name = filepath.Base(found.Folder)
		for name, value := range expect.Env {
			found.Env = append(found.Env, name+"="+value)
		}
		cases = append(cases, found)
	}
	if len(cases) == 0 {
		t.Fatalf("no case below %s renders", dir)
	}
	return cases
}

// Generate renders the case's application, which is in folder app.
func (c Case) Generate(t testing.TB, app string) []Object {
	t.Helper()
	return Generate(t, app, c.Env, append([]string{"--nodes", filepath.Join(c.Folder, "nodes.yaml")}, c.Args...)...)
}

// Generate renders the application in folder app with the command line, which
// has to succeed, and returns the objects.
func Generate(t testing.TB, app string, env []string, args ...string) []Object {
	t.Helper()
	args = append([]string{"generate", app, "--output", "json"}, args...)
	objects := FromJSON(t, MustRun(t, t.TempDir(), Env(t, env...), Binary(t, "linstor-cmp"), args...))
	if len(objects) == 0 {
		t.Fatalf("linstor-cmp %q: no objects", args)
	}
	return objects
}
