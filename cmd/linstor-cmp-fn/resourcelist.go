package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// maxInput bounds stdin, in bytes. Ten thousand nodes belong in a file, which
// is read as a stream.
const maxInput = 128 << 20

const stdinName = "standard input"

// versions are the versions of ResourceList: one shape, two names.
var versions = []string{"config.kubernetes.io/v1", "config.kubernetes.io/v1beta1"}

// resourceList is a ResourceList as it came in.
type resourceList struct {
	apiVersion string
	items      []*yaml.Node
	config     *yaml.Node   // the functionConfig, nil without one
	results    []*yaml.Node // of functions before this one
}

// readList reads a ResourceList of at most limit bytes.
func readList(r io.Reader, limit int64) (*resourceList, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", stdinName, err)
	case int64(len(data)) > limit:
		return nil, problem.Problem{
			Message: fmt.Sprintf("%s has more than %d MiB", stdinName, limit>>20),
			Hint:    "list the nodes in a file that the GeneratorConfig names in spec.nodes, and not among the items",
		}
	}
	docs, err := manifest.ReadDocuments(stdinName, data)
	if err != nil {
		return nil, err
	}
	fault := func(format string, args ...any) error {
		return problem.Problem{Message: stdinName + " " + fmt.Sprintf(format, args...), Hint: "kustomize and kpt run this program and hand it a ResourceList; `linstor-cmp-fn --help` shows how"}
	}
	switch {
	case len(docs) == 0:
		return nil, fault("is empty; want a ResourceList of %s", versions[0])
	case len(docs) > 1:
		return nil, fault("has %d documents; want one ResourceList", len(docs))
	}
	root := docs[0].Node
	apiVersion, kind := text(root, "apiVersion"), text(root, "kind")
	if root.Kind != yaml.MappingNode || kind != "ResourceList" || !slices.Contains(versions, apiVersion) {
		return nil, fault("is no ResourceList of %s, it is %s", strings.Join(versions, " or "), called(root.Kind == yaml.MappingNode, apiVersion, kind))
	}
	l := &resourceList{apiVersion: apiVersion}
	return l, l.read(root)
}

func called(mapping bool, apiVersion, kind string) string {
	switch {
	case !mapping:
		return "no object"
	case kind == "":
		return "an object without kind"
	}
	return fmt.Sprintf("a %s of %q", kind, apiVersion)
}

func (l *resourceList) read(root *yaml.Node) error {
	var faults problem.List
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if seen[key.Value] {
			faults.Errorf(problem.Place{File: stdinName, Line: key.Line}, "the ResourceList has %q twice", key.Value)
		}
		seen[key.Value] = true
		switch {
		case value.ShortTag() == "!!null":
		case key.Value == "functionConfig":
			l.config = value
			faults.Merge(checkObject("the functionConfig", value))
		case key.Value == "items" && value.Kind != yaml.SequenceNode:
			faults.Errorf(problem.Place{File: stdinName, Line: value.Line}, "items of the ResourceList is no list")
		case key.Value == "items":
			l.items = value.Content
			for i, item := range l.items {
				faults.Merge(checkObject(fmt.Sprintf("items[%d]", i), item))
			}
		case key.Value == "results" && value.Kind == yaml.SequenceNode:
			l.results = value.Content
			for i, item := range l.results {
				faults.Merge(checkObject(fmt.Sprintf("results[%d]", i), item))
			}
		}
	}
	return faults.Err()
}

// checkObject asks that a part of the list can stand alone: it is a mapping,
// and its aliases are of anchors inside it.
func checkObject(what string, n *yaml.Node) error {
	at := problem.Place{File: stdinName, Line: n.Line}
	if n.Kind != yaml.MappingNode {
		return problem.Problem{Place: at, Message: what + " is no object"}
	}
	inside, aliases := map[*yaml.Node]bool{}, []*yaml.Node{}
	for todo := []*yaml.Node{n}; len(todo) > 0; {
		last := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], last.Content...)
		if last.Anchor != "" {
			inside[last] = true
		}
		if last.Kind == yaml.AliasNode {
			aliases = append(aliases, last)
		}
	}
	for _, a := range aliases {
		if !inside[a.Alias] {
			return problem.Problem{Place: at, Message: fmt.Sprintf("%s has an alias (*%s) of an anchor outside of it", what, a.Value), Hint: "write out what the anchor stands for"}
		}
	}
	return nil
}
