package manifest

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// The bounds on one document after its aliases are expanded: far above any
// real manifest, far below what hurts.
const (
	maxDepth = 200
	maxNodes = 1_000_000
)

// Mark is the first rune of a placeholder in a template (see Compile). Text of
// users may not contain it, so that no input can pass for a placeholder.
const Mark = '\uFDD0'

// Value converts a YAML node to a plain value. Scalars follow Kubernetes: YAML
// 1.1 for plain booleans and numbers, timestamps stay strings. Where t, the Go
// type that the value is meant for, says string, a plain scalar keeps its
// spelling (0644, 1.10, on); t may be nil for a value of no known type.
// Duplicate keys, unknown tags, documents that expand beyond all measure and
// keys that are no scalars are errors with their places.
func Value(file string, n *yaml.Node, t reflect.Type) (any, error) {
	c := converter{file: file, budget: maxNodes}
	v := c.value(n, t, 0)
	return v, c.faults.Err()
}

type converter struct {
	file   string
	budget int
	faults problem.List
}

func (c *converter) errorf(n *yaml.Node, format string, args ...any) {
	c.faults.Errorf(problem.Place{File: c.file, Line: n.Line}, format, args...)
}

// enter counts a visited node and reports whether to go on.
func (c *converter) enter(n *yaml.Node, depth int) bool {
	c.budget--
	if c.budget == 0 {
		c.errorf(n, "the document expands to more than %d values", maxNodes)
	}
	if depth == maxDepth {
		c.errorf(n, "the document is nested more than %d levels deep", maxDepth)
		return false
	}
	return c.budget > 0
}

func (c *converter) value(n *yaml.Node, t reflect.Type, depth int) any {
	if !c.enter(n, depth) {
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.value(n.Alias, t, depth+1)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		elem := elemType(t)
		for i, e := range n.Content {
			list[i] = c.value(e, elem, depth+1)
		}
		return list
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for _, e := range c.entries(n, depth) {
			out[e.key] = c.value(e.value, memberType(t, e.key), depth+1)
		}
		return out
	case yaml.ScalarNode:
		return c.scalar(n, t)
	}
	c.errorf(n, "not a value")
	return nil
}

type entry struct {
	key   string
	name  *yaml.Node
	value *yaml.Node
}

// entries returns the members of a mapping in written order, merge keys (<<)
// expanded below the mapping's own.
func (c *converter) entries(n *yaml.Node, depth int) []entry {
	var own, merged []entry
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		for k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Kind != yaml.ScalarNode {
			c.errorf(k, "a key must be a plain text")
			continue
		}
		if k.ShortTag() == "!!merge" {
			merged = append(merged, c.merged(v, depth+1)...)
			continue
		}
		if line, dup := seen[k.Value]; dup {
			c.errorf(k, "duplicate key %q, first on line %d", k.Value, line)
			continue
		}
		seen[k.Value] = k.Line
		c.checkText(k)
		own = append(own, entry{k.Value, k, v})
	}
	for _, e := range merged {
		if _, has := seen[e.key]; !has {
			seen[e.key] = e.name.Line
			own = append(own, e)
		}
	}
	return own
}

func (c *converter) merged(n *yaml.Node, depth int) []entry {
	if !c.enter(n, depth) {
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.merged(n.Alias, depth+1)
	case yaml.MappingNode:
		return c.entries(n, depth)
	case yaml.SequenceNode:
		var all []entry
		for _, e := range n.Content {
			all = append(all, c.merged(e, depth+1)...)
		}
		return all
	}
	c.errorf(n, "a merge key (<<) needs a mapping")
	return nil
}

func (c *converter) checkText(n *yaml.Node) {
	if strings.ContainsRune(n.Value, Mark) {
		c.errorf(n, "the text contains U+FDD0, which is no character")
	}
}

func (c *converter) scalar(n *yaml.Node, t reflect.Type) any {
	c.checkText(n)
	tag := n.ShortTag()
	if plain(n) && tag != "!!null" && isString(t) {
		return n.Value
	}
	switch tag {
	case "!!str":
		if plain(n) {
			if b, ok := oldBool(n.Value); ok {
				return b
			}
		}
		return n.Value
	case "!!timestamp":
		return n.Value
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err == nil {
			return b
		}
	case "!!int":
		return c.integer(n)
	case "!!float":
		return c.float(n)
	}
	c.errorf(n, "cannot use a value with tag %s", n.Tag)
	return nil
}

func (c *converter) integer(n *yaml.Node) any {
	text := strings.ReplaceAll(n.Value, "_", "")
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		return i
	}
	var i int64
	if n.Decode(&i) == nil {
		return i
	}
	text = strings.TrimPrefix(text, "+")
	if num := json.Number(text); json.Valid([]byte(text)) {
		return num
	}
	c.errorf(n, "the number %s is beyond 64 bits", n.Value)
	return nil
}

func (c *converter) float(n *yaml.Node) any {
	var f float64
	if err := n.Decode(&f); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		c.errorf(n, "the number %s has no place in a Kubernetes object", n.Value)
		return nil
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	if text := n.Value; json.Valid([]byte(text)) { // digits beyond 64 bits keep their spelling
		return json.Number(text)
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

func plain(n *yaml.Node) bool {
	return n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) == 0
}

// oldBool resolves the booleans that YAML 1.1, and so Kubernetes, has beyond
// true and false.
func oldBool(s string) (value, ok bool) {
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON":
		return true, true
	case "n", "N", "no", "No", "NO", "off", "Off", "OFF":
		return false, true
	}
	return false, false
}
