package main

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// mostResults bounds the results of a run; stderr has its own bound.
const mostResults = 200

// result is a problem as the KRM functions specification has it.
type result struct {
	Message     string    `yaml:"message"`
	Severity    string    `yaml:"severity"`
	ResourceRef *ref      `yaml:"resourceRef,omitempty"`
	Field       *fieldRef `yaml:"field,omitempty"`
	File        *fileRef  `yaml:"file,omitempty"`
}

type ref struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Name       string `yaml:"name"`
	Namespace  string `yaml:"namespace,omitempty"`
}

type fieldRef struct {
	Path string `yaml:"path"`
}

type fileRef struct {
	Path  string `yaml:"path"`
	Index int    `yaml:"index,omitempty"`
}

// pipedLine is a line of stdin in a message.
var pipedLine = regexp.MustCompile(`((?:functionConfig|items\[\d+\])\)?):\d+`)

// explain returns problems as people read them, without lines of stdin, and as
// results.
func (in *input) explain(list problem.List) (problem.List, []*yaml.Node) {
	list = list.Sorted()
	var results []*yaml.Node
	for i, p := range list {
		o, fieldPath := in.find(p)
		list[i].Message = pipedLine.ReplaceAllString(p.Message, "$1")
		if o != nil && o.piped() {
			list[i].Place.Line = 0
		}
		switch {
		case i == mostResults:
			results = append(results, result{Message: fmt.Sprintf("and %d more", len(list)-i), Severity: "info"}.node())
		case i < mostResults:
			results = append(results, newResult(list[i], o, fieldPath).node())
		}
	}
	return list, results
}

func newResult(p problem.Problem, o *object, fieldPath string) result {
	r := result{Severity: [...]string{"error", "warning", "info"}[p.Severity]}
	r.Message = strings.TrimPrefix(p.Subject+": "+p.Message, ": ")
	if p.Hint != "" {
		r.Message += " (" + p.Hint + ")"
	}
	node, isNode := strings.CutPrefix(p.Subject, "node ")
	switch {
	case o != nil:
		r.ResourceRef = &ref{o.apiVersion, o.kind, o.name, o.namespace}
		if fieldPath != "" {
			r.Field = &fieldRef{fieldPath}
		}
		if o.path != "" {
			r.File = &fileRef{o.path, o.index}
		}
	case p.Place.File != "":
		r.File = &fileRef{Path: p.Place.File}
	case isNode && !strings.ContainsAny(node, " \""):
		r.ResourceRef = &ref{APIVersion: "v1", Kind: "Node", Name: node}
	}
	return r
}

func (r result) node() *yaml.Node {
	var n yaml.Node
	if err := n.Encode(r); err != nil {
		n.SetString(r.Message)
	}
	return &n
}

// find returns the object that a problem is about, and the field.
func (in *input) find(p problem.Problem) (*object, string) {
	if o := in.labels[p.Place.File]; o != nil {
		return o, fieldAt(o.Node, p.Place.Line)
	}
	var found *object
	for _, o := range in.files {
		switch {
		case o.path != p.Place.File || o.Place.Line > p.Place.Line:
		case found != nil && o.Place.Line == found.Place.Line:
			return nil, "" // what kustomize built has no lines to tell them apart
		default:
			found = o
		}
	}
	if found == nil || p.Place.Line <= found.Place.Line {
		return found, ""
	}
	return found, fieldAt(found.Node, p.Place.Line)
}

// fieldAt returns the path of what stands on a line, as deep as the line alone
// can tell.
func fieldAt(n *yaml.Node, line int) string {
	var at strings.Builder
	for begins := 0; ; {
		step, value, next := memberAt(n, line)
		if value == nil || next == begins { // it begins on the line of what it is in
			return at.String()
		}
		if n.Kind == yaml.MappingNode && at.Len() > 0 {
			at.WriteByte('.')
		}
		at.WriteString(step)
		n, begins = value, next
	}
}

// memberAt returns the last member of a mapping or list that begins on or
// before a line, and where; no value if another begins on the same line.
func memberAt(n *yaml.Node, line int) (step string, value *yaml.Node, begins int) {
	width := 1
	if n.Kind == yaml.MappingNode {
		width = 2
	} else if n.Kind != yaml.SequenceNode {
		return "", nil, 0
	}
	for i := 0; i+width <= len(n.Content); i += width {
		first := n.Content[i]
		switch {
		case first.Line > line:
			return step, value, begins
		case first.Line == begins:
			value = nil
			continue
		}
		begins, value = first.Line, n.Content[i+width-1]
		if step = first.Value; width == 1 {
			step = fmt.Sprintf("[%d]", i)
		}
	}
	return step, value, begins
}
