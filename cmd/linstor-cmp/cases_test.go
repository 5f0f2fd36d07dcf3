package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// expectation is the expect.json of a case: what must come out of its source
// and nodes.
type expectation struct {
	Origin    string            `json:"origin"`
	Reason    string            `json:"reason"`
	Args      []string          `json:"args"`
	Env       map[string]string `json:"env"`
	Exit      int               `json:"exit"`
	Stderr    []string          `json:"stderr"`
	StderrNot []string          `json:"stderr_not"`
	Objects   []struct {
		Kind, Component, Node, Name string
		Count                       *int
		Check                       []check
	} `json:"objects"`
}

// check is one look at a picked object.
type check struct {
	Path     string
	Equals   any
	Matches  string
	Absent   bool
	Contains any
	Length   *int
}

// TestCases renders every case, rebuilt from what users met in public, and
// looks at what came out.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*/expect.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { runCase(t, filepath.Dir(file)) })
	}
}

func runCase(t *testing.T, dir string) {
	var want expectation
	data, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // every digit counts
	if err := dec.Decode(&want); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := call(t, dir, want.Env, append([]string{"generate", "source", "--output", "json", "--nodes", "nodes.yaml"}, want.Args...)...)
	if code != want.Exit {
		t.Fatalf("%s\nexit %d, want %d\n%s", want.Reason, code, want.Exit, stderr)
	}
	for _, expr := range want.Stderr {
		if !pythonRegexp(t, expr)(stderr) {
			t.Errorf("stderr lacks %s:\n%s", expr, stderr)
		}
	}
	for _, expr := range want.StderrNot {
		if pythonRegexp(t, expr)(stderr) {
			t.Errorf("stderr has %s:\n%s", expr, stderr)
		}
	}
	if want.Exit != 0 {
		if stdout != "" {
			t.Errorf("a failing run wrote to stdout:\n%s", stdout)
		}
		return
	}
	objects := decodeLines(t, stdout)
	for _, sel := range want.Objects {
		picked := slices.DeleteFunc(slices.Clone(objects), func(o map[string]any) bool {
			return sel.Kind != "" && o["kind"] != sel.Kind ||
				sel.Component != "" && first(walk(o, `metadata.labels."app.kubernetes.io/component"`)) != sel.Component ||
				sel.Node != "" && first(walk(o, `metadata.annotations."linstor-cmp.io/node"`)) != sel.Node ||
				sel.Name != "" && !regexp.MustCompile("^(?:"+sel.Name+")$").MatchString(fmt.Sprint(first(walk(o, "metadata.name"))))
		})
		if sel.Count != nil && len(picked) != *sel.Count || sel.Count == nil && len(picked) == 0 {
			t.Errorf("%s %s %s %s: %d objects", sel.Kind, sel.Component, sel.Node, sel.Name, len(picked))
		}
		for _, o := range picked {
			for _, c := range sel.Check {
				if fault := c.of(t, o); fault != "" {
					t.Errorf("%v: %s: %s", first(walk(o, "metadata.name")), c.Path, fault)
				}
			}
		}
	}
}

// call runs the program in a folder, with an environment that knows nothing of
// Argo CD or a cluster but env.
func call(t *testing.T, dir string, env map[string]string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	for _, e := range os.Environ() {
		if k, _, _ := strings.Cut(e, "="); strings.HasPrefix(k, "ARGOCD_") || strings.HasPrefix(k, "LINSTOR_CMP_") || strings.HasPrefix(k, "KUBE") {
			t.Setenv(k, "")
			if err := os.Unsetenv(k); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k, v := range env {
		t.Setenv(k, v)
	}
	t.Chdir(dir)
	var out, errs bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), code
}

func decodeLines(t *testing.T, stdout string) []map[string]any {
	t.Helper()
	var objects []map[string]any
	for line := range strings.Lines(stdout) {
		dec := json.NewDecoder(strings.NewReader(line))
		dec.UseNumber()
		var o map[string]any
		if err := dec.Decode(&o); err != nil {
			t.Fatalf("not one object a line: %v: %s", err, line)
		}
		objects = append(objects, o)
	}
	return objects
}

// pythonRegexp compiles an expression that may have look-aheads at the start,
// which Go has not: (?=.*a)(?=.*b) is both, on one line.
func pythonRegexp(t *testing.T, expr string) func(string) bool {
	t.Helper()
	ahead := regexp.MustCompile(`\(\?=\.\*((?:[^()]|\([^()]*\))*)\)`)
	parts := ahead.FindAllStringSubmatch(expr, -1)
	if parts == nil {
		re := regexp.MustCompile(expr)
		return re.MatchString
	}
	start := regexp.MustCompile(expr[:strings.Index(expr, "(?=")] + ".*")
	return func(s string) bool {
		for _, line := range start.FindAllString(s, -1) {
			if !slices.ContainsFunc(parts, func(p []string) bool { return !regexp.MustCompile(p[1]).MatchString(line) }) {
				return true
			}
		}
		return false
	}
}

var token = regexp.MustCompile(`"([^"]*)"|([^.\[\]]+)|\[([^\]]*)\]`)

// walk returns every value that a path reaches: [k=v] picks elements, [*] all.
func walk(value any, path string) []any {
	values := []any{value}
	for _, m := range token.FindAllStringSubmatch(path, -1) {
		var found []any
		for _, v := range values {
			found = append(found, step(v, m[1]+m[2], m[3])...)
		}
		values = found
	}
	return values
}

func step(v any, key, index string) []any {
	if key != "" {
		if m, ok := v.(map[string]any); ok && m[key] != nil {
			return []any{m[key]}
		}
		return nil
	}
	list, _ := v.([]any)
	if index == "*" {
		return list
	}
	if k, want, ok := strings.Cut(index, "="); ok {
		return slices.DeleteFunc(slices.Clone(list), func(e any) bool {
			m, ok := e.(map[string]any)
			return !ok || fmt.Sprint(m[k]) != want
		})
	}
	if i, err := strconv.Atoi(index); err == nil && i < len(list) {
		return []any{list[i]}
	}
	return nil
}

func first(values []any) any {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// of says what is wrong with an object, or nothing.
func (c check) of(t *testing.T, o map[string]any) string {
	found := walk(o, c.Path)
	many := strings.Contains(c.Path, "[*]")
	switch {
	case c.Absent && len(found) > 0:
		return fmt.Sprintf("want absent, got %v", found[0])
	case c.Absent:
		return ""
	case len(found) == 0 && !many:
		return "missing"
	}
	value := first(found)
	if many {
		value = found
	}
	switch {
	case c.Equals != nil && !same(c.Equals, value):
		return fmt.Sprintf("want %v, got %v", c.Equals, value)
	case c.Matches != "" && !matches(t, c.Matches, value):
		return fmt.Sprintf("want a match of %s, got %v", c.Matches, value)
	case c.Contains != nil && !contains(c.Contains, value):
		return fmt.Sprintf("does not contain %v, is %v", c.Contains, value)
	case c.Length != nil && len(value.([]any)) != *c.Length:
		return fmt.Sprintf("want %d elements, got %v", *c.Length, value)
	}
	return ""
}

// same compares decoded JSON, numbers by their digits.
func same(want, got any) bool {
	a, errA := json.Marshal(want)
	b, errB := json.Marshal(got)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// negated is a negative look-ahead, which Go's expressions have not.
var negated = regexp.MustCompile(`\(\?!((?:[^()]|\([^()]*\))*)\)`)

func matches(t *testing.T, expr string, value any) bool {
	t.Helper()
	text, _ := value.(string)
	for _, m := range negated.FindAllStringSubmatch(expr, -1) {
		if regexp.MustCompile(strings.TrimPrefix(m[1], `[\s\S]*`)).MatchString(text) {
			return false
		}
	}
	return regexp.MustCompile(negated.ReplaceAllString(expr, "")).MatchString(text)
}

func contains(want, value any) bool {
	switch x := value.(type) {
	case string:
		text, ok := want.(string)
		return ok && strings.Contains(x, text)
	case []any:
		return slices.ContainsFunc(x, func(e any) bool { return subset(want, e) })
	}
	return false
}

func subset(want, have any) bool {
	w, ok := want.(map[string]any)
	if !ok {
		return same(want, have)
	}
	h, ok := have.(map[string]any)
	if !ok {
		return false
	}
	for k, v := range w {
		if !subset(v, h[k]) {
			return false
		}
	}
	return true
}
