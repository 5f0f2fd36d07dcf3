package convert

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// maxText bounds the texts of all documents once their aliases are expanded, in
// bytes: far above any values file.
const maxText = 16 << 20

// node is a value of the input that remembers what became of it.
type node struct {
	parent  *node
	step    any // the key or the index below the parent
	place   problem.Place
	value   any // plain
	members []*node
	state   state
}

// state is what became of a leaf: a scalar, or an empty mapping or list.
type state int

const (
	untouched state = iota
	used            // it is in the output, or the output does it anyhow
	empty           // it says nothing
	listed          // it is missing
)

// plant grows the tree of a document. Size is how much text is left.
func plant(d manifest.Document, size *int) (*node, error) {
	v, err := manifest.Value(d.Place.File, d.Node, nil)
	if err != nil {
		return nil, err
	}
	root := &node{place: d.Place}
	root.grow(v, d.Node, size)
	if *size < 0 {
		return nil, problem.Problem{Place: d.Place, Message: fmt.Sprintf("the documents expand to more than %d MiB of text", maxText>>20)}
	}
	return root, nil
}

// grow takes over a value and where it is written, which is nowhere of its own
// (nil) for what a merge key brings.
func (n *node) grow(v any, y *yaml.Node, size *int) {
	for y != nil && y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	n.value = v
	switch x := v.(type) {
	case string:
		*size -= len(x)
	case []any:
		for i, e := range x {
			var at *yaml.Node
			if y != nil && i < len(y.Content) {
				at = y.Content[i]
			}
			n.sprout(i, e, at, at, size)
		}
	case map[string]any:
		written := map[string]int{}
		for i := 0; y != nil && i+1 < len(y.Content); i += 2 {
			written[y.Content[i].Value] = i
		}
		for _, key := range manifest.SortedKeys(x) {
			*size -= len(key)
			if i, ok := written[key]; ok {
				n.sprout(key, x[key], y.Content[i], y.Content[i+1], size)
			} else {
				n.sprout(key, x[key], nil, nil, size)
			}
		}
	}
}

func (n *node) sprout(step, v any, at, y *yaml.Node, size *int) {
	if *size < 0 {
		return
	}
	m := &node{parent: n, step: step, place: n.place}
	if at != nil {
		m.place.Line = at.Line
	}
	m.grow(v, y, size)
	n.members = append(n.members, m)
}

func (n *node) member(key string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.step == key {
			return m
		}
	}
	return nil
}

// path names the node as people write it.
func (n *node) path() string {
	var steps []string
	for ; n.parent != nil; n = n.parent {
		switch s := n.step.(type) {
		case int:
			steps = append(steps, fmt.Sprintf("[%d]", s))
		case string:
			if strings.ContainsAny(s, "./[") {
				s = fmt.Sprintf("[%q]", s)
			} else if n.parent.parent != nil {
				s = "." + s
			}
			steps = append(steps, s)
		}
	}
	if steps == nil {
		return "the document"
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteString(steps[i])
	}
	return b.String()
}

// blank reports whether the node says nothing.
func (n *node) blank() bool {
	switch x := n.value.(type) {
	case nil:
		return true
	case string:
		return x == ""
	}
	return len(n.members) == 0 && isCollection(n.value)
}

func isCollection(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// mark says what became of everything below the node that is not listed.
func (n *node) mark(s state) {
	if n.state != listed || s == listed {
		n.state = s
	}
	for _, m := range n.members {
		m.mark(s)
	}
}

// leaves calls yield for every leaf below the node.
func (n *node) leaves(yield func(*node)) {
	if len(n.members) == 0 {
		yield(n)
	}
	for _, m := range n.members {
		m.leaves(yield)
	}
}

// untouched returns the topmost nodes below which no leaf was touched.
func (n *node) untouched() []*node {
	all, below := n.survey()
	if all {
		return []*node{n}
	}
	return below
}

func (n *node) survey() (all bool, below []*node) {
	if len(n.members) == 0 {
		return n.state == untouched, nil
	}
	all = true
	for _, m := range n.members {
		whole, some := m.survey()
		if whole {
			below = append(below, m)
		} else {
			all = false
			below = append(below, some...)
		}
	}
	return all, below
}
