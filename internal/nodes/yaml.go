package nodes

import (
	"errors"
	"math"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// tree is a piece of YAML that was parsed on its own, and where in the input
// its lines stand.
type tree struct {
	d    *decoder
	base int // line 1 of the piece is line base+1 of the input
	cut  int // the lines after this one stand gap lines further down
	gap  int
}

func (d *decoder) newTree(line int) *tree {
	return &tree{d: d, base: line - 1, cut: math.MaxInt}
}

func (t *tree) lineOf(line int) int {
	if line > t.cut {
		line += t.gap
	}
	return t.base + line
}

// parse parses the piece. The error is a problem with its place.
func (t *tree) parse(piece []byte) ([]*yaml.Node, error) {
	docs, err := manifest.ReadDocuments(t.d.file, piece)
	if err != nil {
		var p problem.Problem
		if !errors.As(err, &p) {
			return nil, err
		}
		// Where the parser names no line, the piece has to do.
		p.Place.Line = t.lineOf(max(p.Place.Line, 1))
		return nil, p
	}
	roots := make([]*yaml.Node, len(docs))
	for i, doc := range docs {
		roots[i] = doc.Node
	}
	return roots, nil
}

// value returns what a node is, or what it is an alias of.
func (t *tree) value(n *yaml.Node) yamlValue {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return yamlValue{t, n}
}

// yamlValue is a node of a YAML tree. The tree is measured before (see
// measure), so following its aliases ends.
type yamlValue struct {
	t *tree
	n *yaml.Node
}

func (v yamlValue) line() int { return v.t.lineOf(v.n.Line) }

func (v yamlValue) kind() kind {
	switch v.n.Kind {
	case yaml.MappingNode:
		return mapping
	case yaml.SequenceNode:
		return list
	}
	switch v.n.ShortTag() {
	case "!!null":
		return null
	case "!!bool":
		return boolean
	case "!!int", "!!float":
		return number
	case "!!str":
		if isPlain(v.n) && isOldBool(v.n.Value) {
			return boolean
		}
		return text
	case "!!timestamp", "!!merge":
		return text
	}
	return other
}

func isPlain(n *yaml.Node) bool {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.Style&(quoted|yaml.TaggedStyle) == 0
}

// isOldBool knows the booleans of YAML 1.1, which Kubernetes reads.
func isOldBool(s string) bool {
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF":
		return true
	}
	return false
}

func (v yamlValue) scalar() (string, error) {
	return v.t.d.kept(v.n.Value), nil
}

func (v yamlValue) elements(f func(v value) error) error {
	for _, n := range v.n.Content {
		if err := f(v.t.value(n)); err != nil {
			return err
		}
	}
	return nil
}

func (v yamlValue) members(f func(key string, line int, v value) error) error {
	own := map[string]bool{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(v.n.Content); i += 2 {
		k := v.n.Content[i]
		if k.Kind == yaml.ScalarNode && k.ShortTag() == "!!merge" {
			merged = append(merged, v.n.Content[i+1])
			continue
		}
		if key, ok := v.key(k); ok {
			own[key] = true
			if err := f(key, v.t.lineOf(k.Line), v.t.value(v.n.Content[i+1])); err != nil {
				return err
			}
		}
		if err := v.t.d.full(); err != nil {
			return err
		}
	}
	for _, m := range merged {
		if err := v.merge(m, own, f); err != nil {
			return err
		}
	}
	return nil
}

// key returns a key, which has to be a text for Kubernetes too.
func (v yamlValue) key(n *yaml.Node) (string, bool) {
	k := v.t.value(n)
	switch is := k.kind(); {
	case is == mapping || is == list:
		v.t.d.errorf(v.t.lineOf(n.Line), "", "a key must be a text, not %s", is)
		return "", false
	case is != text:
		v.t.d.errorf(v.t.lineOf(n.Line), "put it in quotes: "+quote(k.n.Value), "the key %s must be a text, not %s", quote(k.n.Value), is)
		return "", false
	}
	return v.t.d.kept(k.n.Value), true
}

// merge calls f for the members that a merge key (<<) brings: those that are
// not there yet.
func (v yamlValue) merge(n *yaml.Node, have map[string]bool, f func(key string, line int, v value) error) error {
	from := v.t.value(n)
	switch from.kind() {
	case mapping:
		return from.members(func(key string, line int, v value) error {
			if have[key] {
				return nil
			}
			have[key] = true
			return f(key, line, v)
		})
	case list:
		for _, m := range from.n.Content {
			if err := v.merge(m, have, f); err != nil {
				return err
			}
		}
		return nil
	}
	v.t.d.errorf(v.t.lineOf(n.Line), "", "a merge key (<<) needs a mapping, not %s", from.kind())
	return v.t.d.full()
}
