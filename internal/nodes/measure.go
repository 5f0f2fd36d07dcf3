package nodes

import "go.yaml.in/yaml/v3"

// maxExpanded bounds how many values the aliases of one document stand for.
const maxExpanded = 1_000_000

// measure tells whether a tree can be read: not too deep, and its aliases stand
// for a bounded number of values, none for one that holds it. It visits every
// node once, whatever the aliases multiply to. The root is depth levels deep.
func (t *tree) measure(root *yaml.Node, depth int) error {
	m := measurer{tree: t, known: map[*yaml.Node]size{}}
	_, err := m.size(root, depth)
	return err
}

// size is what a node comes to when its aliases are expanded.
type size struct {
	values int // itself included
	depth  int // 1 without children
	open   bool
}

type measurer struct {
	*tree
	known    map[*yaml.Node]size // of nodes with an anchor
	expanded int
}

func (m *measurer) size(n *yaml.Node, depth int) (size, error) {
	if depth > maxDepth {
		return size{}, m.d.src.errorf(m.lineOf(n.Line), "the document is nested more than %d levels deep", maxDepth)
	}
	if n.Kind == yaml.AliasNode {
		return m.alias(n, depth)
	}
	if n.Anchor != "" {
		m.known[n] = size{open: true}
	}
	sum := size{values: 1, depth: 1}
	for _, c := range n.Content {
		s, err := m.size(c, depth+1)
		if err != nil {
			return size{}, err
		}
		sum.values += s.values
		sum.depth = max(sum.depth, s.depth+1)
	}
	if n.Anchor != "" {
		m.known[n] = sum
	}
	return sum, nil
}

func (m *measurer) alias(n *yaml.Node, depth int) (size, error) {
	s := m.known[n.Alias]
	m.expanded += s.values
	switch {
	case s.open:
		return size{}, m.d.src.errorf(m.lineOf(n.Line), "the alias *%s stands for a value that holds it", quote(n.Value))
	case depth+s.depth > maxDepth+1:
		return size{}, m.d.src.errorf(m.lineOf(n.Line), "the document is nested more than %d levels deep", maxDepth)
	case m.expanded > maxExpanded:
		return size{}, m.d.src.errorf(m.lineOf(n.Line), "the aliases of the document stand for more than %d values", maxExpanded)
	}
	return s, nil
}
