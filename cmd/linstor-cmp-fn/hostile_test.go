package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// TestConfinement asks that no configuration in git makes the function read, and
// show, files beside its folder.
func TestConfinement(t *testing.T) {
	for name, spec := range map[string]string{
		"nodes":          "nodes: ../secret.yaml",
		"absolute nodes": "nodes: /etc/hostname",
		"path":           "path: ..",
		"absolute path":  "path: /etc",
		"linked folder":  "path: out",
		"linked file":    "nodes: link.yaml",
		"patch":          "path: src",
	} {
		t.Run(name, func(t *testing.T) {
			dir := inFolder(t, map[string]string{
				"secret.yaml":         "password: hunter2\n",
				"in/linstor.yaml":     clusterDoc,
				"in/src/linstor.yaml": clusterDoc + "spec:\n  patches:\n  - path: ../../secret.yaml\n",
			})
			t.Chdir("in")
			for link, to := range map[string]string{"out": dir, "link.yaml": "../secret.yaml"} {
				if err := os.Symlink(to, link); err != nil {
					t.Fatal(err)
				}
			}
			got := call(t, listDoc(configDoc+"spec: {"+spec+"}\n"))
			if got.code != exitFault || len(got.Items) != 0 || strings.Contains(got.stderr, "hunter2") || strings.Contains(got.stderr, "password") {
				t.Errorf("exit %d, items %v:\n%s", got.code, got.titles(), got.stderr)
			}
		})
	}
}

// TestLimit asks that too much input is refused, and what fits is read.
func TestLimit(t *testing.T) {
	text := listDoc(clusterDoc, nodeDoc("a"))
	if _, err := readList(strings.NewReader(text), int64(len(text))); err != nil {
		t.Errorf("as much as is allowed: %v", err)
	}
	if _, err := readList(strings.NewReader(text), int64(len(text))-1); err == nil || !strings.Contains(err.Error(), "has more than") {
		t.Errorf("more than is allowed: %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (broken) Read([]byte) (int, error)  { return 0, io.ErrUnexpectedEOF }

// TestBrokenPipe asks that output that is lost is a failure.
func TestBrokenPipe(t *testing.T) {
	inFolder(t, nil)
	for name, c := range map[string]struct {
		stdin io.Reader
		fault error
	}{
		"a good run":      {strings.NewReader(listDoc(clusterDoc, nodeDoc("a"))), io.ErrClosedPipe},
		"a failing run":   {strings.NewReader(listDoc("")), io.ErrClosedPipe},
		"nothing to read": {broken{}, io.ErrUnexpectedEOF},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), nil, c.stdin, broken{}, &stderr); code != exitFault || !strings.Contains(stderr.String(), c.fault.Error()) {
			t.Errorf("%s: exit %d, stderr %s", name, code, &stderr)
		}
	}
	if _, err := readList(broken{}, 1); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the reader's error is lost: %v", err)
	}
}

// FuzzFunction asks that no input makes the function panic, or succeed with
// nothing generated.
func FuzzFunction(f *testing.F) {
	f.Add(listDoc(clusterDoc, markDoc("one", "x"), nodeDoc("a")))
	f.Add(listDoc(configDoc+"spec: {items: [{kind: x}, &a {b: *a}], strict: true}\n", nodeDoc("a")))
	f.Add("{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{<<: {a: b}, ? [x] : y, metadata: []}], functionConfig: &a {kind: *a, spec: {items: *a}}}")
	f.Add("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- " + strings.Repeat("[", 2000))
	f.Add("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig: {apiVersion: piraeus.io/v1, kind: LinstorCluster, metadata: {name: !!binary x, annotations: [1]}}\nitems: [{apiVersion: v1, kind: Node, metadata: {annotations: {a: !x y}}}]")
	f.Fuzz(func(t *testing.T, stdin string) {
		t.Chdir(t.TempDir())
		cleanEnvironment(t)
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), nil, strings.NewReader(stdin), &stdout, &stderr)
		if code == exitDone && !strings.Contains(stdout.String(), "app.kubernetes.io/managed-by: linstor-cmp") {
			t.Errorf("exit 0 and nothing generated:\n%s", stdout.String())
		}
		if code != exitDone && !strings.Contains(stderr.String(), "error: ") {
			t.Errorf("exit %d without an error: %s", code, stderr.String())
		}
	})
}
